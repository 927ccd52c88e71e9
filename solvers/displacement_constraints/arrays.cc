// The arrays of displacement constraints: motion, offsets and forces of each level, the transfer
// between levels, forces of holds and joints, and the linear system that one sweep relaxes
// [Palazzi 1993, Secs. 3.2, 4.2].

#include <limits>
#include <string>

#include "solvers/array_blocks.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/projection/hold_arrays.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr char kLevels[] = "levels";
constexpr char kMultipliers[] = "multipliers";
constexpr char kTransfer[] = "transfer";
constexpr char kEquations[] = "equations";

// "3: 5-6, 6-7": the point, and the points of the two segments whose ends are the pair.
std::vector<std::string> PairLabels(const SegmentNet& net) {
  std::vector<std::string> labels;
  const auto segment = [&](int endpoint) {
    const auto [a, b] = net.edges()[endpoint / 2];
    return std::to_string(a) + "-" + std::to_string(b);
  };
  for (int p = 0; p < net.points(); ++p) {
    const auto incident = net.Incident(p);
    for (size_t i = 0; i + 1 < incident.size(); ++i) {
      labels.push_back(std::to_string(p) + ": " + segment(incident[i]) + ", " +
                       segment(incident[i + 1]));
    }
  }
  return labels;
}

// Calls visit(pair, first endpoint, second endpoint).
template <typename Visit>
void ForEachPair(const SegmentNet& net, const Visit& visit) {
  for (int p = 0; p < net.points(); ++p) {
    const auto incident = net.Incident(p);
    for (size_t i = 0; i + 1 < incident.size(); ++i) {
      visit(net.FirstPair(p) + static_cast<int>(i), incident[i], incident[i + 1]);
    }
  }
}

// How far an impulse at one endpoint displaces another of the same segment [1/kg].
Matrix3d MobilityBetween(const SegmentSystem& segments, int e, int f) {
  const int s = e / 2;
  if (f / 2 != s) return Matrix3d::Zero();
  const SegmentGeometry& g = segments.geometry();
  const Vector3d u = segments.axes.col(s);
  return segments.net().inverse_masses()[s] * Matrix3d::Identity() +
         g.arms[e] * g.arms[f] * g.inverse_inertias[s] * (Matrix3d::Identity() - u * u.transpose());
}

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {
      {kLevels,
       "points, velocities, offsets and forces of each level, and the poses of its segments"},
      {kMultipliers, "force of each nail, attachment, slider and, with warm_start, joint"},
      {kTransfer, "restriction R from each level to the next coarser one"},
      {kEquations,
       "gaps d of the joints and the matrix A of A p = d that sweeps relax; masses, lengths and "
       "inertias of the segments [Palazzi 1993, Sec. 3.2]"}};
}

void DisplacementConstraintsSimulation::AddLevel(int l, const Matrix3Xd& forces,
                                                 std::vector<NamedArray>* arrays) const {
  const Level& level = levels_[l];
  const SegmentSystem& segments = level.segments;
  const auto add = [&](const char* name, const char* unit, const char* meaning,
                       const Matrix3Xd& values) {
    arrays->push_back({kLevels,
                       std::string(name) + "." + std::to_string(l),
                       unit,
                       meaning,
                       {},
                       AxisNames(),
                       values.transpose()});
  };
  Matrix3Xd rates = Matrix3Xd::Zero(3, level.start.cols());
  segments.PointVelocities(rates);
  if (l == 0) rigid_.PointVelocities(rates);
  add("points", "m", "points of the level: means of the endpoints that meet there", level.start);
  add("velocities", "m/s", "the part of the motion that the level holds, at its points", rates);
  add("forces", "N",
      "forces of the scene at the present state, restricted to the level, of which "
      "the fraction acts on it; without gravity and impulses",
      forces);
  if (l + 1 < static_cast<int>(levels_.size())) {
    Matrix3Xd carried = Matrix3Xd::Zero(3, level.start.cols());
    grids_->Interpolate(l, levels_[l + 1].start, carried);
    add("offsets", "m",
        "offset of each point from the interpolation between points of the next "
        "coarser level; 0 at those",
        Passed(l) - carried);
  }
  add("centres", "m", "centre of mass G of each segment", segments.centres);
  add("axes", "1", "unit axis u of each segment", segments.axes);
  add("segment_velocities", "m/s",
      "velocity of each centre, in the part of the motion that this level has",
      segments.velocities);
  add("spins", "rad/s", "angular velocity of each segment, likewise", segments.spins);
}

void DisplacementConstraintsSimulation::AddMultipliers(std::vector<NamedArray>* arrays) const {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  HoldImpulses holds(scene());
  if (!holds.empty()) {
    for (const Level& level : levels_) holds.Add(level.holds);
    holds.Add(guides_);
    const bool known = last_step_ > 0.0 && !coarse_;
    arrays->push_back(holds.Forces(known ? ShareTaken() / (last_step_ * last_step_) : nothing));
  }
  if (options_.warm_start == 0.0) return;
  for (size_t l = 0; l < levels_.size(); ++l) {
    arrays->push_back({kMultipliers, "joints." + std::to_string(l), "N",
                       "force on the first of each pair of endpoints in the last step",
                       PairLabels(levels_[l].segments.net()), AxisNames(),
                       levels_[l].joint_forces.transpose()});
  }
}

void DisplacementConstraintsSimulation::AddEquations(std::vector<NamedArray>* arrays) const {
  for (size_t l = 0; l < levels_.size(); ++l) {
    const SegmentSystem& segments = levels_[l].segments;
    MatrixXd values(segments.net().segments(), 3);
    values << segments.net().masses(), segments.geometry().lengths,
        segments.geometry().inverse_inertias;
    arrays->push_back({kEquations,
                       "segments." + std::to_string(l),
                       "kg, m, 1/(kg m²) by column",
                       "mass, length and inverse inertia of each segment",
                       {},
                       {"m", "length", "1/J"},
                       values});
  }
  const SegmentSystem& finest = levels_[0].segments;
  const SegmentNet& net = finest.net();
  const int pairs = net.pairs();
  if (pairs == 0) return;
  const auto labels = PairLabels(net);
  Matrix3Xd gaps(3, pairs);
  ForEachPair(net, [&](int i, int first, int second) {
    gaps.col(i) = finest.Endpoint(second) - finest.Endpoint(first);
  });
  arrays->push_back({kEquations, "gaps", "m", "gap d of each pair of endpoints", labels,
                     AxisNames(), gaps.transpose()});
  if (!IsShown(3.0 * pairs, 3.0 * pairs)) return;
  MatrixXd A = MatrixXd::Zero(3 * pairs, 3 * pairs);
  ForEachPair(net, [&](int i, int e1, int e2) {
    ForEachPair(net, [&](int j, int f1, int f2) {
      A.block<3, 3>(3 * i, 3 * j) =
          MobilityBetween(finest, e1, f1) + MobilityBetween(finest, e2, f2) -
          MobilityBetween(finest, e1, f2) - MobilityBetween(finest, e2, f1);
    });
  });
  std::vector<std::string> rows;
  for (const std::string& label : labels) {
    for (const std::string& axis : AxisNames()) rows.push_back(label + ", " + axis);
  }
  arrays->push_back({kEquations, "A", "1/kg",
                     "by how much impulses ±p of every pair close each gap", rows, rows, A});
}

std::vector<NamedArray> DisplacementConstraintsSimulation::Arrays(std::string_view group) const {
  std::vector<NamedArray> arrays;
  const auto wants = [group](const char* name) { return group.empty() || group == name; };
  const int levels = static_cast<int>(levels_.size());
  if (wants(kLevels)) {
    const Matrix3Xd& x = levels_[0].start;
    Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
    scene_forces_.AddSprings(x, forces);
    shape_.AddForces(x, forces);
    scene_forces_.AddSpringDamping(x, Velocities(), forces);
    scene_forces_.AddTimedForces(time(), forces);
    for (int l = 0; l < levels; ++l) {
      AddLevel(l, forces, &arrays);
      if (l + 1 == levels) break;
      Matrix3Xd coarse(3, levels_[l + 1].start.cols());
      grids_->Restrict(l, forces, coarse);
      forces = coarse;
    }
    VectorXd fractions(levels);
    for (int l = 0; l < levels; ++l) fractions[l] = levels_[l].fraction;
    arrays.push_back({kLevels,
                      "fractions",
                      "1",
                      "share of the forces that acts on each level",
                      {},
                      {},
                      fractions});
  }
  if (wants(kMultipliers)) AddMultipliers(&arrays);
  if (wants(kTransfer)) {
    for (int l = 0; l + 1 < levels; ++l) {
      const int fine = grids_->PointCount(l), coarse = grids_->PointCount(l + 1);
      if (!IsShown(fine, coarse)) continue;
      MatrixXd of_each = MatrixXd::Identity(fine, fine), restricted(fine, coarse);
      grids_->Restrict(l, of_each, restricted);
      arrays.push_back({kTransfer,
                        "R." + std::to_string(l),
                        "1",
                        "forces of the next coarser level from those of the level; its transpose "
                        "interpolates",
                        {},
                        {},
                        restricted.transpose()});
    }
  }
  if (wants(kEquations)) AddEquations(&arrays);
  std::erase_if(arrays, [](const NamedArray& array) { return array.values.size() == 0; });
  return arrays;
}

std::vector<StateBlock> DisplacementConstraintsSimulation::DoStateLayout() const {
  StateBlocks layout;
  layout.Add("1 for each edge that is broken", static_cast<Eigen::Index>(broken_.size()), "1");
  layout.Add("centres of the segments of level 0", levels_[0].segments.centres.size(), "m");
  layout.Add("axes of the segments of level 0", levels_[0].segments.axes.size(), "1");
  for (size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    const std::string of = " of level " + std::to_string(l);
    layout.Add("velocities of the segments" + of, level.segments.velocities.size(), "m/s");
    layout.Add("angular velocities of the segments" + of, level.segments.spins.size(), "rad/s");
    if (options_.warm_start == 0.0) continue;
    layout.Add("forces of the joints" + of, level.joint_forces.size(), "N");
    layout.Add("forces of nails and attachments" + of,
               3 * static_cast<Eigen::Index>(level.holds.size()), "N");
  }
  layout.Add("preroll paths of nails: start time, then cubic coefficients", nails_.numbers(),
             "s; m, m/s, m/s², m/s³");
  layout.Add("centre, quaternion, velocity and angular velocity of each rigid body",
             RigidPieces::kNumbers * rigid_.size(), "m, 1, m/s, rad/s");
  ledger_.AddTo(&layout);
  return layout.Take();
}

}  // namespace pliant::displacement_constraints
