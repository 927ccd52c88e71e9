#include "solvers/spacetime/lamp_terms.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Scales that make one violation comparable with another; tuned for lamps of about this size.
constexpr double kMomentScale = 10.0;     // per N·m, or N·m·s
constexpr double kAngleScale = 200.0;     // per rad
constexpr double kClearanceScale = 50.0;  // per m
// The base leaves the floor with zero velocity, so its height begins as the square of the time; up
// to this time [s] the scale goes with its inverse, lest a fine mesh measure the first nodes in
// nothing.
constexpr double kClearanceTime = 0.02;
constexpr double kImpactScale = 10.0;  // per N·m·s

// The multiplier of a limit on positions is not a density in time but a measure: where a motion
// touches its limit it has a point mass. Its weight does therefore not shrink with the mesh.
constexpr double kLimitWeight = 0.02;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<int> BlocksOf(std::initializer_list<const LampNodeMap*> nodes) {
  std::vector<int> blocks;
  for (const LampNodeMap* node : nodes) {
    if (node->block != LampNodeMap::kGiven) blocks.push_back(node->block);
  }
  return blocks;
}

// Rows of the cone of two contact points at the ends of the base, from (F_x, F_y, M_c):
// linear, so the same function maps values and derivatives.
constexpr int kConeRows = 4;
template <typename Contact, typename Put>
void Cone(double friction, double half_width, const Contact& contact, const Put& put) {
  put(0, friction * contact[1] - contact[0]);
  put(1, friction * contact[1] + contact[0]);
  put(2, half_width * contact[1] - contact[2]);
  put(3, half_width * contact[1] + contact[2]);
}

std::vector<RowGroup> GaussGroups(const LampRules& rules, LampContact contact, double h) {
  std::vector<RowGroup> groups = {{"torque", "N·m", RowKind::kCost, 3},
                                  {"hinge acceleration", "rad/s²", RowKind::kCost, 3}};
  const double weight = 0.5 * h;
  if (contact == LampContact::kStance) {
    groups.push_back({"friction cone", "N", RowKind::kInequality, 2, 1.0, weight, weight});
    groups.push_back(
        {"tipping moment", "N·m", RowKind::kInequality, 2, kMomentScale, weight, weight});
  } else {
    groups.push_back({"force in flight", "N", RowKind::kEquality, 2, 1.0, weight, weight});
    groups.push_back(
        {"moment in flight", "N·m", RowKind::kEquality, 1, kMomentScale, weight, weight});
  }
  if (rules.torque_limit) {
    groups.push_back(
        {"torque limit", "N·m", RowKind::kInequality, 6, kMomentScale, weight, weight});
  }
  return groups;
}

std::vector<RowGroup> LimitGroups(LampContact contact, double share, double since_takeoff) {
  std::vector<RowGroup> groups;
  for (int j = 0; j < kLampHinges; ++j) {
    groups.push_back({"limit of hinge " + std::to_string(j + 1), "rad", RowKind::kInequality, 2,
                      kAngleScale, kLimitWeight, share});
  }
  if (contact == LampContact::kFlight) {
    groups.push_back(
        {"limit of tilt", "rad", RowKind::kInequality, 2, kAngleScale, kLimitWeight, share});
    const double early = std::max(1.0, kClearanceTime / since_takeoff);
    groups.push_back({"clearance", "m", RowKind::kInequality, 2, kClearanceScale * early * early,
                      kLimitWeight, share});
  }
  return groups;
}

}  // namespace

LampNodeMap::LampNodeMap(const LampNode& node) {
  column.fill(kGiven);
  given << node.q, node.v;
}

LampNode LampNodeMap::Read(const double* block_values) const {
  Eigen::Matrix<double, kNumbers, 1> numbers = given;
  for (int k = 0; k < kNumbers; ++k) {
    if (column[k] != kGiven) numbers[k] = block_values[column[k]];
  }
  return {numbers.head<kLampDof>(), numbers.tail<kLampDof>()};
}

void LampNodeMap::Write(const LampNode& node, double* block_values) const {
  for (int k = 0; k < kNumbers; ++k) {
    if (column[k] == kGiven) continue;
    block_values[column[k]] = k < kLampDof ? node.q[k] : node.v[k - kLampDof];
  }
}

LampGaussTerm::LampGaussTerm(const Lamp& lamp, const LampRules& rules, LampContact contact,
                             double start, double h, int point, const LampNodeMap& first,
                             const LampNodeMap& second)
    : SpacetimeTerm(start + kGaussPoints[point] * h, BlocksOf({&first, &second}),
                    GaussGroups(rules, contact, h)),
      lamp_(lamp),
      contact_(contact),
      friction_(rules.friction),
      torque_limit_(rules.torque_limit),
      torque_weight_(std::sqrt(0.5 * h * rules.cost.torque)),
      acceleration_weight_(std::sqrt(0.5 * h * rules.cost.acceleration)),
      weights_(HermiteAt(kGaussPoints[point], h)),
      nodes_{first, second} {}

void LampGaussTerm::Evaluate(const double* const* x, double* values,
                             double* const* jacobians) const {
  // The cubic at the Gauss point.
  LampVector q = LampVector::Zero(), v = q, acceleration = q;
  int next = 0;
  for (int end = 0; end < 2; ++end) {
    const bool unknown = nodes_[end].block != LampNodeMap::kGiven;
    const LampNode node = nodes_[end].Read(unknown ? x[next++] : nullptr);
    const int w = 2 * end;
    q += weights_.value[w] * node.q + weights_.value[w + 1] * node.v;
    v += weights_.rate[w] * node.q + weights_.rate[w + 1] * node.v;
    acceleration += weights_.acceleration[w] * node.q + weights_.acceleration[w + 1] * node.v;
  }

  // The rows are linear in (force, φ̈); `put(row, value)` receives them.
  const double w = lamp_.parameters().half_width;
  const auto rows = [&](const LampVector& force, const LampAngles& spin, double bound,
                        const auto& put) {
    for (int j = 0; j < 3; ++j) {
      put(j, torque_weight_ * force[3 + j]);
      put(3 + j, acceleration_weight_ * spin[j]);
    }
    int row = 6;
    if (contact_ == LampContact::kStance) {
      Cone(friction_, w, force, [&](int i, double value) { put(row + i, value); });
      row += kConeRows;
    } else {
      for (int i = 0; i < 3; ++i) put(row++, force[i]);
    }
    if (!torque_limit_) return;
    for (int j = 0; j < 3; ++j) {
      put(row++, bound - force[3 + j]);
      put(row++, bound + force[3 + j]);
    }
  };
  const double bound = torque_limit_.value_or(0.0);
  if (jacobians == nullptr) {
    rows(InverseDynamics(lamp_, q, v, acceleration), acceleration.tail<3>(), bound,
         [&](int row, double value) { values[row] = value; });
    return;
  }

  InverseDynamicsJacobian dynamics;
  InverseDynamics(lamp_, q, v, acceleration, lamp_.gravity(), &dynamics);
  rows(dynamics.force, acceleration.tail<3>(), bound,
       [&](int row, double value) { values[row] = value; });
  next = 0;
  for (int end = 0; end < 2; ++end) {
    const LampNodeMap& node = nodes_[end];
    if (node.block == LampNodeMap::kGiven) continue;
    Eigen::Map<RowMajor> jacobian(jacobians[next++], this->rows(), node.block_size);
    jacobian.setZero();
    for (int k = 0; k < LampNodeMap::kNumbers; ++k) {
      if (node.column[k] == LampNodeMap::kGiven) continue;
      const int of = k % kLampDof, i = 2 * end + k / kLampDof;
      const LampVector by_number = weights_.value[i] * dynamics.by_position.col(of) +
                                   weights_.rate[i] * dynamics.by_velocity.col(of) +
                                   weights_.acceleration[i] * dynamics.by_acceleration.col(of);
      LampAngles spin = LampAngles::Zero();
      if (of >= 3) spin[of - 3] = weights_.acceleration[i];
      rows(by_number, spin, 0.0,
           [&](int row, double value) { jacobian(row, node.column[k]) = value; });
    }
  }
}

LampLimitTerm::LampLimitTerm(const Lamp& lamp, LampContact contact, double time, double share,
                             double since_takeoff, const LampNodeMap& node)
    : SpacetimeTerm(time, BlocksOf({&node}), LimitGroups(contact, share, since_takeoff)),
      lamp_(lamp),
      contact_(contact),
      node_(node) {}

void LampLimitTerm::Evaluate(const double* const* x, double* values,
                             double* const* jacobians) const {
  const LampParameters& lamp = lamp_.parameters();
  const bool unknown = node_.block != LampNodeMap::kGiven;
  const LampVector q = node_.Read(unknown ? x[0] : nullptr).q;
  Eigen::Map<RowMajor> jacobian(jacobians != nullptr && unknown ? jacobians[0] : nullptr, rows(),
                                node_.block_size);
  if (jacobian.data() != nullptr) jacobian.setZero();
  const auto derivative = [&](int row, int k, double value) {
    if (jacobian.data() != nullptr && node_.column[k] != LampNodeMap::kGiven) {
      jacobian(row, node_.column[k]) = value;
    }
  };
  const auto within = [&](int row, int k, const AngleLimits& limits) {
    values[row] = q[k] - limits.lower;
    values[row + 1] = limits.upper - q[k];
    derivative(row, k, 1.0);
    derivative(row + 1, k, -1.0);
  };
  for (int j = 0; j < kLampHinges; ++j) within(2 * j, 3 + j, lamp.hinge_limits[j]);
  if (contact_ == LampContact::kStance) return;
  within(6, 2, lamp.tilt_limits);
  for (int side = 0; side < 2; ++side) {
    const double w = side == 0 ? lamp.half_width : -lamp.half_width;
    values[8 + side] = q[1] + w * std::sin(q[2]);
    derivative(8 + side, 1, 1.0);
    derivative(8 + side, 2, w * std::cos(q[2]));
  }
}

LampImpactTerm::LampImpactTerm(const Lamp& lamp, double friction, double time,
                               const LampNodeMap& before, const LampNodeMap& after)
    : SpacetimeTerm(time, BlocksOf({&before}),
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
  InverseDynamicsJacobian impact;
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
    const auto add = [&](int column, const LampVector& by_number) {
      if (column == LampNodeMap::kGiven) return;
      rows(by_number, [&](int row, double value) { jacobian(row, column) += value; });
    };
    add(before_.column[k], impact.by_position.col(k));
    add(before_.column[kLampDof + k], -impact.by_acceleration.col(k));
    add(after_.column[kLampDof + k], impact.by_acceleration.col(k));
  }
}

}  // namespace pliant
