#include <algorithm>
#include <cmath>

#include "solvers/spacetime/lamp_rows.h"
#include "solvers/spacetime/lamp_terms.h"

namespace pliant {
namespace {

using articulated_lamp::kLampDof;
using articulated_lamp::LampAngles;
using articulated_lamp::LampVector;

// `span`: the time that the rows represent [s].
std::vector<RowGroup> PhysicsGroups(const LampRules& rules, LampContact contact, double span) {
  std::vector<RowGroup> groups = {{"torque", "N·m", RowKind::kCost, 3},
                                  {"hinge acceleration", "rad/s²", RowKind::kCost, 3}};
  if (rules.cost.work > 0.0) groups.push_back({"hinge work", "W", RowKind::kCost, 3});
  const auto add = [&](const char* name, const char* unit, RowKind kind, int rows, double scale) {
    groups.push_back({name, unit, kind, rows, scale, span, span});
  };
  switch (contact) {
    case LampContact::kStance:
      add("friction cone", "N", RowKind::kInequality, 2, 1.0);
      add("tipping moment", "N·m", RowKind::kInequality, 2, kMomentScale);
      break;
    case LampContact::kSlide:
      add("sliding friction", "N", RowKind::kEquality, 1, 1.0);
      add("force of the slope", "N", RowKind::kInequality, 1, 1.0);
      add("tipping moment on the slope", "N·m", RowKind::kInequality, 2, kMomentScale);
      break;
    case LampContact::kFlight:
      add("force in flight", "N", RowKind::kEquality, 2, 1.0);
      add("moment in flight", "N·m", RowKind::kEquality, 1, kMomentScale);
      break;
  }
  if (rules.torque_limit) add("torque limit", "N·m", RowKind::kInequality, 6, kMomentScale);
  return groups;
}

}  // namespace

PowerRoot RootOf(double power, double rounded) {
  const double root = std::hypot(power, rounded), d = std::sqrt(root + rounded);
  return {power / d, 0.5 * d / root};
}

LampPhysicsTerm::LampPhysicsTerm(const articulated_lamp::Lamp& lamp, const LampRules& rules,
                                 LampContact contact, double time, double share,
                                 const PhaseClock& clock, std::vector<LampSampleWeights> samples,
                                 std::vector<LampNodeMap> nodes)
    : SpacetimeTerm(time, BlocksOf(nodes, clock), PhysicsGroups(rules, contact, share * clock.h)),
      lamp_(lamp),
      rules_(rules),
      contact_(contact),
      torque_weight_(std::sqrt(share * rules.cost.torque)),
      acceleration_weight_(std::sqrt(share * rules.cost.acceleration)),
      power_weight_(std::sqrt(share * rules.cost.work)),
      cost_rows_(counts_work() ? 9 : 6),
      clock_(clock),
      samples_(std::move(samples)),
      nodes_(std::move(nodes)) {
  if (clock_.block) return;
  for (const LampSampleWeights& sample : samples_) fixed_.push_back(sample.At(clock_.h));
}

template <typename Put>
void LampPhysicsTerm::Rows(const LampVector& force, const LampAngles& spin,
                           const LampAngles& power_roots, double bound, const Put& put) const {
  const double w = lamp_.parameters().half_width;
  for (int j = 0; j < 3; ++j) {
    put(j, torque_weight_ * force[3 + j]);
    put(3 + j, acceleration_weight_ * spin[j]);
    if (counts_work()) put(6 + j, power_weight_ * power_roots[j]);
  }
  int row = cost_rows_;
  switch (contact_) {
    case LampContact::kStance:
      Cone(rules_.friction, w, force, [&](int i, double value) { put(row + i, value); });
      row += kConeRows;
      break;
    case LampContact::kSlide: {
      const double cosine = std::cos(rules_.slope), sine = std::sin(rules_.slope);
      const double normal = sine * force[0] + cosine * force[1];
      put(row++, cosine * force[0] - sine * force[1] + rules_.friction * normal);
      put(row++, normal);
      put(row++, w * normal - force[2]);
      put(row++, w * normal + force[2]);
      break;
    }
    case LampContact::kFlight:
      for (int i = 0; i < 3; ++i) put(row++, force[i]);
      break;
  }
  if (!rules_.torque_limit) return;
  for (int j = 0; j < 3; ++j) {
    put(row++, bound - force[3 + j]);
    put(row++, bound + force[3 + j]);
  }
}

double LampPhysicsTerm::Read(const double* const* x, LampNode* nodes) const {
  int unknown = 0;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    nodes[n] = nodes_[n].Read(nodes_[n].block != LampNodeMap::kGiven ? x[unknown++] : nullptr);
  }
  return clock_.Interval(clock_.block ? x[unknown] : nullptr);
}

LampSample LampPhysicsTerm::SampleAt(const double* const* x) const {
  LampNode nodes[LampSampleWeights::kWeights / 2];
  const double h = Read(x, nodes);
  return Mean(nodes, h);
}

LampSample LampPhysicsTerm::Mean(const LampNode* nodes, double h) const {
  const double part = 1.0 / static_cast<double>(samples_.size());
  const LampVector zero = LampVector::Zero();
  LampSample mean{zero, zero, zero, zero};
  for (const LampSampleWeights& sample : samples_) {
    const LampSampleWeights w = sample.At(h);
    LampSample one{zero, zero, zero, zero};
    for (size_t n = 0; n < nodes_.size(); ++n) {
      one.q += w.value[2 * n] * nodes[n].q + w.value[2 * n + 1] * nodes[n].v;
      one.v += w.rate[2 * n] * nodes[n].q + w.rate[2 * n + 1] * nodes[n].v;
      one.acceleration +=
          w.acceleration[2 * n] * nodes[n].q + w.acceleration[2 * n + 1] * nodes[n].v;
    }
    mean.q += part * one.q;
    mean.v += part * one.v;
    mean.acceleration += part * one.acceleration;
    mean.force += part * InverseDynamics(lamp_, one.q, one.v, one.acceleration);
  }
  return mean;
}

void LampPhysicsTerm::Evaluate(const double* const* x, double* values,
                               double* const* jacobians) const {
  LampNode nodes[LampSampleWeights::kWeights / 2];
  const double h = Read(x, nodes);
  const int clock_block =  // where x has the duration, if anywhere
      static_cast<int>(blocks().size()) - (clock_.block ? 1 : 0);
  int unknown = 0;
  const double root_h = std::sqrt(h);
  const double bound = rules_.torque_limit.value_or(0.0);
  const auto numbers = [&](const double* weights) {
    LampVector sum = LampVector::Zero();
    for (size_t n = 0; n < nodes_.size(); ++n) {
      sum += weights[2 * n] * nodes[n].q + weights[2 * n + 1] * nodes[n].v;
    }
    return sum;
  };
  // Costs are integrals: they go with √h.
  const auto scaled = [this, root_h](int row, double value) {
    return row < cost_rows_ ? root_h * value : value;
  };

  // r of the powers, and how it changes with torques and rates.
  LampAngles roots = LampAngles::Zero(), by_torque = roots, by_rate = roots;
  if (counts_work()) {
    const LampSample mean = Mean(nodes, h);
    for (int j = 0; j < 3; ++j) {
      const double torque = mean.force[3 + j], rate = mean.v[3 + j];
      const PowerRoot root = RootOf(torque * rate, rules_.cost.rounded_power);
      roots[j] = root.value;
      by_torque[j] = root.slope * rate;
      by_rate[j] = root.slope * torque;
    }
  }
  const auto roots_by = [&](const LampVector& force, const LampAngles& rates) -> LampAngles {
    return by_torque.cwiseProduct(force.tail<3>()) + by_rate.cwiseProduct(rates);
  };

  const double part = 1.0 / static_cast<double>(samples_.size());
  LampVector force = LampVector::Zero(), acceleration = LampVector::Zero();
  if (jacobians == nullptr) {
    for (size_t s = 0; s < samples_.size(); ++s) {
      const LampSampleWeights w = clock_.block ? samples_[s].At(h) : fixed_[s];
      const LampVector spin = numbers(w.acceleration);
      force += part * InverseDynamics(lamp_, numbers(w.value), numbers(w.rate), spin);
      acceleration += part * spin;
    }
    Rows(force, acceleration.tail<3>(), roots, bound,
         [&](int row, double value) { values[row] = scaled(row, value); });
    return;
  }

  std::fill_n(values, rows(), 0.0);
  unknown = 0;
  for (const LampNodeMap& node : nodes_) {
    if (node.block == LampNodeMap::kGiven) continue;
    std::fill_n(jacobians[unknown++], rows() * node.block_size, 0.0);
  }
  if (clock_.block) std::fill_n(jacobians[clock_block], rows(), 0.0);
  articulated_lamp::InverseDynamicsJacobian dynamics;
  for (size_t s = 0; s < samples_.size(); ++s) {
    const LampSampleWeights w = clock_.block ? samples_[s].At(h) : fixed_[s];
    const LampVector spin = numbers(w.acceleration);
    InverseDynamics(lamp_, numbers(w.value), numbers(w.rate), spin, lamp_.gravity(), &dynamics);
    force += part * dynamics.force;
    acceleration += part * spin;
    unknown = 0;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      const LampNodeMap& node = nodes_[n];
      if (node.block == LampNodeMap::kGiven) continue;
      double* jacobian = jacobians[unknown++];
      for (int k = 0; k < LampNodeMap::kNumbers; ++k) {
        if (node.column[k] == LampNodeMap::kGiven) continue;
        const int of = k % kLampDof;
        const size_t i = 2 * n + k / kLampDof;
        const double factor = part * node.factor[k];
        const LampVector by_number =
            factor *
            (w.value[i] * dynamics.by_position.col(of) + w.rate[i] * dynamics.by_velocity.col(of) +
             w.acceleration[i] * dynamics.by_acceleration.col(of));
        LampAngles by_spin = LampAngles::Zero(), rates = by_spin;
        if (of >= 3) {
          by_spin[of - 3] = factor * w.acceleration[i];
          rates[of - 3] = factor * w.rate[i];
        }
        Rows(by_number, by_spin, roots_by(by_number, rates), 0.0, [&](int row, double value) {
          jacobian[row * node.block_size + node.column[k]] += scaled(row, value);
        });
      }
    }
    if (!clock_.block) continue;
    const LampSampleWeights slope = samples_[s].Slopes(h);
    const LampVector spin_by_h = part * numbers(slope.acceleration);
    const LampVector by_h = part * (dynamics.by_position * numbers(slope.value) +
                                    dynamics.by_velocity * numbers(slope.rate)) +
                            dynamics.by_acceleration * spin_by_h;
    const LampAngles rates_by_h = part * numbers(slope.rate).tail<3>();
    Rows(by_h, spin_by_h.tail<3>(), roots_by(by_h, rates_by_h), 0.0, [&](int row, double value) {
      jacobians[clock_block][row] += scaled(row, value) / clock_.intervals;
    });
  }
  Rows(force, acceleration.tail<3>(), roots, bound,
       [&](int row, double value) { values[row] = scaled(row, value); });
  if (!clock_.block) return;
  for (int row = 0; row < cost_rows_; ++row) {  // by √h
    jacobians[clock_block][row] += values[row] / (2.0 * h * clock_.intervals);
  }
}

}  // namespace pliant
