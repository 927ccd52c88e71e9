#include "solvers/spacetime/lamp_terms.h"

#include <algorithm>
#include <cmath>

#include "solvers/spacetime/lamp_rows.h"

namespace pliant {
namespace {

using articulated_lamp::kLampDof;
using articulated_lamp::LampVector;

constexpr double kAngleScale = 200.0;  // per rad
constexpr double kRuleScale = 10.0;    // of the trapezoidal rule, per m/s or rad/s of its rates

// Of the underside of the base, that keep clear of a rise: from end to end.
constexpr int kBasePoints = 5;
// That keep below a beam: mid hinge, head hinge, far end of the head.
constexpr int kTopPoints = 3;
constexpr double kSky = 1.0;  // m, above a beam: where beside it nothing limits the lamp

// C² step from 0 to 1 between s = 0 and 1, and its derivative.
GroundHeight Step(double s) {
  if (s <= 0.0) return {0.0, 0.0};
  if (s >= 1.0) return {1.0, 0.0};
  return {s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * (1.0 - s) * (1.0 - s)};
}
// 1 between two walls, 0 from kRiseMargin beside them on; by x.
GroundHeight Between(double left, double right, double x) {
  constexpr double kMargin = LampLimitTerm::kRiseMargin;
  const GroundHeight from = Step((x - left) / kMargin + 1.0);
  const GroundHeight until = Step((right - x) / kMargin + 1.0);
  return {from.value * until.value,
          (from.derivative * until.value - from.value * until.derivative) / kMargin};
}

std::vector<RowGroup> LimitGroups(const LampJumpProblem& problem, LampContact contact, double share,
                                  double since_takeoff) {
  std::vector<RowGroup> groups;
  for (int j = 0; j < articulated_lamp::kLampHinges; ++j) {
    groups.push_back({"limit of hinge " + std::to_string(j + 1), "rad", RowKind::kInequality, 2,
                      kAngleScale, kLimitWeight, share, true});
  }
  if (contact == LampContact::kFlight) {
    groups.push_back(
        {"limit of tilt", "rad", RowKind::kInequality, 2, kAngleScale, kLimitWeight, share, true});
    const double scale = ClearanceScale(since_takeoff);
    groups.push_back({"clearance", "m", RowKind::kInequality, 2, scale, kLimitWeight, share});
    for (const LampJumpProblem::Rise& rise : problem.rises) {
      groups.push_back({"clearance above '" + rise.name + "'", "m", RowKind::kInequality,
                        kBasePoints, scale, kLimitWeight, share});
    }
  }
  for (const LampJumpProblem::Beam& beam : problem.beams) {
    groups.push_back({"clearance below '" + beam.name + "'", "m", RowKind::kInequality, kTopPoints,
                      kClearanceScale, kLimitWeight, share});
  }
  return groups;
}

}  // namespace

GroundHeight HeightOf(const LampJumpProblem::Rise& rise, double floor, double x) {
  const GroundHeight share = Between(rise.left, rise.right, x);
  const double top = rise.height + rise.incline * x - floor;
  return {floor + top * share.value, rise.incline * share.value + top * share.derivative};
}

GroundHeight UndersideOf(const LampJumpProblem::Beam& beam, double x) {
  const GroundHeight share = Between(beam.left, beam.right, x);
  return {beam.bottom + kSky * (1.0 - share.value), -kSky * share.derivative};
}

LampNodeMap::LampNodeMap(const LampNode& node) {
  column.fill(kGiven);
  given << node.q, node.v;
  factor.setZero();
}

void LampNodeMap::SetUnknown(int k, int entry) {
  column[k] = entry;
  given[k] = 0.0;
  factor[k] = 1.0;
}

void LampNodeMap::SetAlong(int k, int entry, double slope) {
  column[k] = entry;
  factor[k] = slope;
}

LampNode LampNodeMap::Read(const double* block_values) const {
  Eigen::Matrix<double, kNumbers, 1> numbers = given;
  for (int k = 0; k < kNumbers; ++k) {
    if (column[k] != kGiven) numbers[k] += factor[k] * block_values[column[k]];
  }
  return {numbers.head<kLampDof>(), numbers.tail<kLampDof>()};
}

void LampNodeMap::Write(const LampNode& node, double* block_values) const {
  for (int k = 0; k < kNumbers; ++k) {
    if (column[k] == kGiven) continue;
    const double number = k < kLampDof ? node.q[k] : node.v[k - kLampDof];
    block_values[column[k]] = (number - given[k]) / factor[k];
  }
}

LampTrapezoidTerm::LampTrapezoidTerm(double time, const PhaseClock& clock, const LampNodeMap& first,
                                     const LampNodeMap& second)
    : SpacetimeTerm(time, BlocksOf({first, second}, clock),
                    {{"trapezoidal rule of the base", "m", RowKind::kEquality, 2,
                      kRuleScale / clock.h, clock.h, clock.h},
                     {"trapezoidal rule of the angles", "rad", RowKind::kEquality, 4,
                      kRuleScale / clock.h, clock.h, clock.h}}),
      clock_(clock),
      nodes_{first, second} {}

void LampTrapezoidTerm::Evaluate(const double* const* x, double* values,
                                 double* const* jacobians) const {
  LampNode nodes[2];
  int unknown = 0;
  for (int n = 0; n < 2; ++n) {
    nodes[n] = nodes_[n].Read(nodes_[n].block != LampNodeMap::kGiven ? x[unknown++] : nullptr);
  }
  const int clock_block = unknown;
  const double h = clock_.Interval(clock_.block ? x[clock_block] : nullptr);
  const LampVector rates = 0.5 * (nodes[0].v + nodes[1].v);
  Eigen::Map<LampVector>{values} = nodes[1].q - nodes[0].q - h * rates;
  if (jacobians == nullptr) return;
  unknown = 0;
  for (int n = 0; n < 2; ++n) {
    const LampNodeMap& node = nodes_[n];
    if (node.block == LampNodeMap::kGiven) continue;
    Eigen::Map<RowMajor> jacobian(jacobians[unknown++], rows(), node.block_size);
    jacobian.setZero();
    for (int k = 0; k < LampNodeMap::kNumbers; ++k) {
      if (node.column[k] == LampNodeMap::kGiven) continue;
      const double by_number = k >= kLampDof ? -0.5 * h : n == 0 ? -1.0 : 1.0;
      jacobian(k % kLampDof, node.column[k]) += node.factor[k] * by_number;
    }
  }
  if (clock_.block) Eigen::Map<LampVector>{jacobians[clock_block]} = -rates / clock_.intervals;
}

LampLimitTerm::LampLimitTerm(const articulated_lamp::Lamp& lamp, const LampJumpProblem& problem,
                             LampContact contact, double time, double share, double since_takeoff,
                             const LampNodeMap& node)
    : SpacetimeTerm(time, BlocksOf({node}), LimitGroups(problem, contact, share, since_takeoff)),
      lamp_(lamp),
      problem_(problem),
      contact_(contact),
      node_(node) {}

void LampLimitTerm::Evaluate(const double* const* x, double* values,
                             double* const* jacobians) const {
  const articulated_lamp::LampParameters& lamp = lamp_.parameters();
  const bool unknown = node_.block != LampNodeMap::kGiven;
  const LampVector q = node_.Read(unknown ? x[0] : nullptr).q;
  Eigen::Map<RowMajor> jacobian(jacobians != nullptr && unknown ? jacobians[0] : nullptr, rows(),
                                node_.block_size);
  if (jacobian.data() != nullptr) jacobian.setZero();
  const auto derivative = [&](int row, int k, double value) {
    if (jacobian.data() != nullptr && node_.column[k] != LampNodeMap::kGiven) {
      jacobian(row, node_.column[k]) += node_.factor[k] * value;
    }
  };
  const auto within = [&](int row, int k, const articulated_lamp::AngleLimits& limits) {
    values[row] = q[k] - limits.lower;
    values[row + 1] = limits.upper - q[k];
    derivative(row, k, 1.0);
    derivative(row + 1, k, -1.0);
  };
  for (int j = 0; j < articulated_lamp::kLampHinges; ++j)
    within(2 * j, 3 + j, lamp.hinge_limits[j]);
  int row = 2 * articulated_lamp::kLampHinges;
  if (contact_ == LampContact::kFlight) {
    within(row, 2, lamp.tilt_limits);
    row = BaseRows(q, values, derivative);
  }
  BeamRows(row, q, values, derivative);
}

// From row 8 on; returns the next.
template <typename Derivative>
int LampLimitTerm::BaseRows(const LampVector& q, double* values,
                            const Derivative& derivative) const {
  const double half_width = lamp_.parameters().half_width;
  const double sine = std::sin(q[2]), cosine = std::cos(q[2]);
  for (int side = 0; side < 2; ++side) {
    const double w = side == 0 ? half_width : -half_width;
    values[8 + side] = q[1] + w * sine - problem_.floor_height;
    derivative(8 + side, 1, 1.0);
    derivative(8 + side, 2, w * cosine);
  }
  int row = 10;
  for (const LampJumpProblem::Rise& rise : problem_.rises) {
    for (int i = 0; i < kBasePoints; ++i, ++row) {
      const double along = half_width * (2.0 * i / (kBasePoints - 1) - 1.0);
      const GroundHeight ground = HeightOf(rise, problem_.floor_height, q[0] + along * cosine);
      values[row] = q[1] - along * sine - ground.value;
      derivative(row, 0, -ground.derivative);
      derivative(row, 1, 1.0);
      derivative(row, 2, along * (ground.derivative * sine - cosine));
    }
  }
  return row;
}

template <typename Derivative>
void LampLimitTerm::BeamRows(int row, const LampVector& q, double* values,
                             const Derivative& derivative) const {
  if (problem_.beams.empty()) return;
  const auto links = articulated_lamp::LinkStates<double>(lamp_, q, LampVector::Zero());
  for (int link = 1; link < articulated_lamp::kLampLinks; ++link) {
    const Eigen::Vector2d end =
        links[link].origin + lamp_.link(link).length * links[link].direction;
    for (size_t b = 0; b < problem_.beams.size(); ++b) {
      const GroundHeight under = UndersideOf(problem_.beams[b], end.x());
      const int here = row + kTopPoints * static_cast<int>(b) + link - 1;
      values[here] = under.value - problem_.beam_clearance - end.y();
      derivative(here, 0, under.derivative);
      derivative(here, 1, -1.0);
      // The links beyond an angle turn about its hinge: the point goes with its own way from there.
      for (int k = 0; k <= link; ++k) {
        const Eigen::Vector2d way = end - links[k].origin;
        derivative(here, 2 + k, under.derivative * way.y() + way.x());
      }
    }
  }
}

LampImpactTerm::LampImpactTerm(const articulated_lamp::Lamp& lamp, double friction, double time,
                               const LampNodeMap& before, const LampNodeMap& after)
    : SpacetimeTerm(time, BlocksOf({before}),
                    {{"impact of hinges", "N·m·s", RowKind::kEquality, 3, kImpactScale},
                     {"impact cone", "N·s", RowKind::kInequality, 2},
                     {"impact tipping", "N·m·s", RowKind::kInequality, 2, kMomentScale}}),
      lamp_(lamp),
      friction_(friction),
      before_(before),
      after_(after) {}

void LampImpactTerm::Evaluate(const double* const* x, double* values,
                              double* const* jacobians) const {
  const LampNode before = before_.Read(x[0]), after = after_.Read(x[0]);
  const double w = lamp_.parameters().half_width;
  // M(q) (v⁺ − v⁻) is inverse dynamics without gravity and rates.
  articulated_lamp::InverseDynamicsJacobian impact;
  InverseDynamics(lamp_, before.q, LampVector::Zero(), after.v - before.v, 0.0, &impact);
  const auto rows = [&](const LampVector& impulse, const auto& put) {
    for (int j = 0; j < 3; ++j) put(j, impulse[3 + j]);
    Cone(friction_, w, impulse, [&](int i, double value) { put(3 + i, value); });
  };
  rows(impact.force, [&](int row, double value) { values[row] = value; });
  if (jacobians == nullptr) return;
  Eigen::Map<RowMajor> jacobian(jacobians[0], this->rows(), before_.block_size);
  jacobian.setZero();
  for (int k = 0; k < kLampDof; ++k) {
    const auto add = [&](const LampNodeMap& node, int number, const LampVector& by_number) {
      const int column = node.column[number];
      if (column == LampNodeMap::kGiven) return;
      rows(node.factor[number] * by_number,
           [&](int row, double value) { jacobian(row, column) += value; });
    };
    add(before_, k, impact.by_position.col(k));
    add(before_, kLampDof + k, -impact.by_acceleration.col(k));
    add(after_, kLampDof + k, impact.by_acceleration.col(k));
  }
}

}  // namespace pliant
