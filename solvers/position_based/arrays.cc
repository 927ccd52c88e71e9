// The arrays of position-based dynamics: multipliers and misfits of the edges, what the corrections of
// a step displaced, and the linear system that one sweep relaxes [Macklin 2016, Eqs. 17, 18].

#include <limits>
#include <string>

#include "models/position_based/distance_constraint.h"
#include "solvers/array_blocks.h"
#include "solvers/position_based/position_based_simulation.h"
#include "solvers/projection/hold_arrays.h"

namespace pliant::position_based {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr char kMultipliers[] = "multipliers";
constexpr char kCorrections[] = "corrections";
constexpr char kEquations[] = "equations";
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> EdgeLabels(const EdgeStrips& strips) {
  std::vector<std::string> labels;
  for (int e = 0; e < strips.edges(); ++e) {
    const auto [a, b] = strips.Ends(e);
    labels.push_back(std::to_string(a) + "-" + std::to_string(b));
  }
  return labels;
}

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {
      {kMultipliers,
       "force of each edge, where compliance or break_force make sweeps remember it, and of each "
       "nail, attachment and slider"},
      {kCorrections, "misfit of each edge, and what all corrections of the last step displaced"},
      {kEquations,
       "lengths, compliances, inverse masses and the matrix A = J W Jᵀ + α/h² that sweeps relax "
       "[Macklin 2016, Eq. 18]"}};
}

void PositionBasedSimulation::AddMultipliers(std::vector<NamedArray>* arrays) const {
  const double per_impulse = last_step_ > 0.0 ? 1.0 / (last_step_ * last_step_) : kNothing;
  if (const auto& impulses = solver_.impulses(); !impulses.empty()) {
    const VectorXd forces =
        per_impulse *
        Eigen::Map<const VectorXd>(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
    arrays->push_back({kMultipliers,
                       "edges",
                       "N",
                       "λ/h² of each edge in the last step, > 0 where it pushes; NaN before it",
                       EdgeLabels(solver_.strips()),
                       {},
                       forces});
  }
  HoldImpulses holds(scene());
  if (holds.empty()) return;
  holds.Add(holds_);
  holds.Add(guides_);
  for (const auto& [point, nail] : held_) holds.AddNail(nail, nail_impulses_.col(nail));
  arrays->push_back(holds.Forces(coarse_ ? kNothing : per_impulse));
}

void PositionBasedSimulation::AddCorrections(std::vector<NamedArray>* arrays) const {
  const EdgeStrips& strips = solver_.strips();
  if (strips.edges() > 0) {
    VectorXd misfits = VectorXd::Constant(strips.edges(), kNothing);
    strips.ForEachEdge([&](int e, int a, int b) {
      misfits[e] = (points_.col(b) - points_.col(a)).norm() - strips.lengths()[e];
    });
    arrays->push_back({kCorrections,
                       "misfits",
                       "m",
                       "C = |x_b − x_a| − ℓ of each edge; NaN where it is broken",
                       EdgeLabels(strips),
                       {},
                       misfits});
  }
  const bool known = keeps_corrections_ && last_step_ > 0.0;
  const MatrixXd displaced = known ? MatrixXd(corrections_.transpose())
                                   : MatrixXd(MatrixXd::Constant(points_.cols(), 3, kNothing));
  arrays->push_back(
      {kCorrections,
       "displacements",
       "m",
       "displacement of each point by all corrections of the last step; NaN before it "
       "and for points of rigid bodies",
       {},
       AxisNames(),
       displaced});
}

void PositionBasedSimulation::AddEquations(std::vector<NamedArray>* arrays) const {
  const EdgeStrips& strips = solver_.strips();
  const int edges = strips.edges(), points = scene().PointCount();
  VectorXd inverse_masses(points);
  for (int p = 0; p < points; ++p) {
    inverse_masses[p] = solver_.IsHeld(p) && !rigid_.Has(p) ? 0.0 : 1.0 / masses_[p];
  }
  arrays->push_back({kEquations,
                     "w",
                     "1/kg",
                     "inverse mass of each point, 0 where a nail holds it",
                     {},
                     {},
                     inverse_masses});
  if (edges == 0) return;
  const auto labels = EdgeLabels(strips);
  MatrixXd data(edges, 2);
  data << Eigen::Map<const VectorXd>(strips.lengths().data(), edges),
      VectorXd::Constant(edges, options_.compliance);
  arrays->push_back({kEquations,
                     "edges",
                     "m, m/N by column",
                     "rest length and compliance of each edge",
                     labels,
                     {"length", "compliance"},
                     data});
  if (!IsShown(edges, edges)) return;
  // A_ij = Σ over the points that both edges share of w ∇C_i·∇C_j; a broken edge has none.
  MatrixXd J = MatrixXd::Zero(edges, 3 * points);
  strips.ForEachEdge([&](int e, int a, int b) {
    const Vector3d n = StretchGradient(points_.col(a), points_.col(b));
    J.block<1, 3>(e, 3 * a) = -n.transpose();
    J.block<1, 3>(e, 3 * b) = n.transpose();
  });
  const VectorXd w = inverse_masses.replicate(1, 3).transpose().reshaped();
  MatrixXd A = J * w.asDiagonal() * J.transpose();
  if (options_.compliance > 0.0) {
    A.diagonal().array() +=
        options_.compliance * (last_step_ > 0.0 ? 1.0 / (last_step_ * last_step_) : kNothing);
  }
  arrays->push_back(
      {kEquations, "A", "1/kg",
       "J W Jᵀ + α/h² at the present state: A Δλ = −C − (α/h²) λ; its diagonal is NaN "
       "before the first step where α > 0",
       labels, labels, A});
}

std::vector<NamedArray> PositionBasedSimulation::Arrays(std::string_view group) const {
  std::vector<NamedArray> arrays;
  if (group.empty() || group == kMultipliers) AddMultipliers(&arrays);
  if (group.empty() || group == kCorrections) AddCorrections(&arrays);
  if (group.empty() || group == kEquations) AddEquations(&arrays);
  return arrays;
}

std::vector<StateBlock> PositionBasedSimulation::DoStateLayout() const {
  StateBlocks layout;
  layout.Add("positions of the points", points_.size(), "m");
  layout.Add("velocities of the points", velocities_.size(), "m/s");
  layout.Add("1 for each edge that is broken", static_cast<Eigen::Index>(broken_.size()), "1");
  layout.Add("elastic energy", 1, "J");
  layout.Add("ways of the prerolls of nails: begin, then the terms of a cubic", nails_.numbers(),
             "s; m, m/s, m/s², m/s³");
  layout.Add("centre, quaternion, velocity and angular velocity of each rigid body",
             RigidPieces::kNumbers * rigid_.size(), "m, 1, m/s, rad/s");
  ledger_.AddTo(&layout);
  return layout.Take();
}

}  // namespace pliant::position_based
