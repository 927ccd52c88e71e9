#include "solvers/articulated_lamp/plan_regulator.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "models/problem.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostLaps = 50;  // of a loop, until S repeats itself
constexpr double kSameLap = 1e-9;
constexpr double kSlow =
    1e-6;  // m/s: who arrives that slowly arrives softly, and when is of no consequence

// (q̇, q̈) of a sample: the rates of the state.
VectorXd RatesOf(const LampSample& sample) {
  VectorXd rates(2 * kLampDof);
  rates << sample.v, sample.acceleration;
  return rates;
}

// Ξ of the map D at an event where `value`·x passes 0, from the rates of x on both sides.
MatrixXd Saltation(const MatrixXd& d, const VectorXd& before, const VectorXd& after,
                   const VectorXd& value) {
  return d + (after - d * before) * value.transpose() / value.dot(before);
}

// Two of a matrix: of coordinates and of rates.
MatrixXd Twice(const MatrixXd& m) {
  MatrixXd both = MatrixXd::Zero(2 * m.rows(), 2 * m.cols());
  both.topLeftCorner(m.rows(), m.cols()) = m;
  both.bottomRightCorner(m.rows(), m.cols()) = m;
  return both;
}

// Q of (y, ẏ).
MatrixXd WeightOf(const RegulatorWeights& weights, const PhaseCoordinates& coordinates) {
  LampVector scale = LampVector::Ones();
  scale.head<2>() /= weights.length * weights.length;
  const MatrixXd one = coordinates.basis.transpose() * scale.asDiagonal() * coordinates.basis;
  const Eigen::Index k = one.rows();
  MatrixXd q = MatrixXd::Zero(2 * k, 2 * k);
  q.topLeftCorner(k, k) = weights.angle * one;
  q.bottomRightCorner(k, k) = weights.rate * one;
  return q;
}

// A base that stands keeps its place x, which no torque moves and the next flight counts: the state of a stance is (y, ẏ, x).
MatrixXd Grown(const MatrixXd& m, bool rows, bool columns) {
  MatrixXd grown = MatrixXd::Zero(m.rows() + rows, m.cols() + columns);
  grown.topLeftCorner(m.rows(), m.cols()) = m;
  return grown;
}

// (δq, δq̇) of the state of a phase.
MatrixXd DeviationsOf(const PhaseCoordinates& coordinates, bool stands) {
  MatrixXd deviations = Grown(Twice(coordinates.basis), false, stands);
  if (stands) deviations(0, deviations.cols() - 1) = 1.0;
  return deviations;
}

// Of states, what TouchdownMap() and TakeoffMap() are of (y, ẏ).
MatrixXd TouchdownOfStates(const Lamp& lamp, const LampSample& before, const LampSample& after) {
  MatrixXd map = Grown(TouchdownMap(lamp, before, after), true, false);
  map(map.rows() - 1, 0) = 1.0;
  // Who comes down earlier has gone less far.
  if (std::abs(before.v[1]) >= kSlow) map(map.rows() - 1, 1) = -before.v[0] / before.v[1];
  return map;
}
MatrixXd TakeoffOfStates(const PhaseCoordinates& coordinates, bool slides, const LampSample& before,
                         const LampSample& after) {
  MatrixXd map = Grown(TakeoffMap(coordinates, slides, before, after), false, !slides);
  if (!slides) map(0, map.cols() - 1) = 1.0;
  return map;
}

}  // namespace

PhaseCoordinates CoordinatesOf(const LampJumpProblem& problem, LampContact contact) {
  const LampMatrix all = LampMatrix::Identity();
  if (contact == LampContact::kFlight) return {all, all};
  const MatrixXd hinges = all.rightCols<kLampHinges>();
  if (contact == LampContact::kStance) return {hinges, hinges.transpose()};
  // The force of the slope is along n − μ d: friction is uphill.
  const double slope = problem.in_run->slope, friction = problem.in_run->friction;
  const Eigen::Vector2d down(std::cos(slope), -std::sin(slope)), normal(-down.y(), down.x());
  PhaseCoordinates sliding{MatrixXd::Zero(kLampDof, 1 + kLampHinges),
                           MatrixXd::Zero(1 + kLampHinges, kLampDof)};
  sliding.basis.block<2, 1>(0, 0) = down;
  sliding.basis.rightCols<kLampHinges>() = hinges;
  sliding.test.block<1, 2>(0, 0) = (down + friction * normal).transpose();
  sliding.test.bottomRows<kLampHinges>() = hinges.transpose();
  return sliding;
}

LinearSystem LinearMotion(const Lamp& lamp, const PhaseCoordinates& coordinates,
                          const LampSample& sample) {
  InverseDynamicsJacobian force;
  InverseDynamics(lamp, sample.q, sample.v, sample.acceleration, lamp.gravity(), &force);
  const MatrixXd &n = coordinates.basis, &w = coordinates.test;
  const Eigen::Index k = n.cols();
  const Eigen::PartialPivLU<MatrixXd> mass(w * force.by_acceleration * n);
  LinearSystem system{MatrixXd::Zero(2 * k, 2 * k), MatrixXd::Zero(2 * k, kLampHinges)};
  system.a.topRightCorner(k, k).setIdentity();
  system.a.bottomLeftCorner(k, k) = -mass.solve(w * force.by_position * n);
  system.a.bottomRightCorner(k, k) = -mass.solve(w * force.by_velocity * n);
  system.b.bottomRows(k) = mass.solve(w.rightCols<kLampHinges>());
  return system;
}

MatrixXd TouchdownMap(const Lamp& lamp, const LampSample& before, const LampSample& after) {
  // The hinge rows of M(q) (q̇⁺ − q̇⁻) = (Λ; 0), by q̇⁻, by φ̇⁺ and by q.
  InverseDynamicsJacobian impulse;
  InverseDynamics(lamp, before.q, LampVector::Zero(), after.v - before.v, 0.0, &impulse);
  const Eigen::Matrix<double, kLampHinges, kLampDof> rows =
      impulse.by_acceleration.bottomRows<kLampHinges>();
  const Eigen::PartialPivLU<Eigen::Matrix3d> mass(rows.rightCols<kLampHinges>());
  MatrixXd d = MatrixXd::Zero(2 * kLampHinges, 2 * kLampDof);
  d.topLeftCorner(kLampHinges, kLampDof).rightCols<kLampHinges>().setIdentity();
  d.bottomLeftCorner(kLampHinges, kLampDof) =
      -mass.solve(impulse.by_position.bottomRows<kLampHinges>());
  d.bottomRightCorner(kLampHinges, kLampDof) = mass.solve(rows);
  if (std::abs(before.v[1]) < kSlow) return d;
  VectorXd after_rates(2 * kLampHinges);
  after_rates << after.v.tail<3>(), after.acceleration.tail<3>();
  return Saltation(d, RatesOf(before), after_rates, VectorXd::Unit(2 * kLampDof, 1));
}

MatrixXd TakeoffMap(const PhaseCoordinates& coordinates, bool from_slope, const LampSample& before,
                    const LampSample& after) {
  const MatrixXd d = Twice(coordinates.basis);
  if (!from_slope) return d;
  const VectorXd rates = d.transpose() * RatesOf(before);
  return Saltation(d, rates, RatesOf(after), VectorXd::Unit(rates.size(), 0));
}

PlanRegulator::PlanRegulator(const LampJumpProblem& problem, const LampTrajectory& plan,
                             const RegulatorWeights& weights, double step)
    : weights_(weights) {
  const Lamp lamp(problem.lamp, problem.gravity);
  MatrixXd end = AtRest(lamp, problem, plan, weights);
  Pass(lamp, problem, plan, step, end);
  // Laps ahead matter less and less: a few, and the S with which the loop begins is that with which it ends.
  for (int lap = 1; problem.loop; ++lap) {
    const MatrixXd first = phases_.front().first;
    if ((first - end).norm() <= kSameLap * first.norm()) break;
    if (lap == kMostLaps) {
      throw BadInput({"tracking_stiffness",
                      "tracking = \"lqr\": no linear regulator of the gait repeats itself",
                      "choose another tracking_stiffness or tracking_damping, or tracking = "
                      "\"servo\""});
    }
    end = first;
    Pass(lamp, problem, plan, step, end);
  }
}

MatrixXd PlanRegulator::AtRest(const Lamp& lamp, const LampJumpProblem& problem,
                               const LampTrajectory& plan, const RegulatorWeights& weights) {
  const LampPhase& last = plan.phases.back();
  const PhaseCoordinates coordinates = CoordinatesOf(problem, last.contact);
  LampSample rest = LampTrajectory::At(lamp, last, last.start + last.duration);
  rest.v.setZero();
  rest.acceleration.setZero();
  const std::optional<MatrixXd> stays =
      StationaryRiccati(LinearMotion(lamp, coordinates, rest), WeightOf(weights, coordinates));
  if (!stays) {
    throw BadInput({"tracking_stiffness",
                    "tracking = \"lqr\": no linear regulator holds the last pose of the plan, as "
                    "far as rounding tells",
                    "choose another tracking_stiffness or tracking_damping, or tracking = "
                    "\"servo\""});
  }
  return Grown(*stays, true, true);
}

void PlanRegulator::Pass(const Lamp& lamp, const LampJumpProblem& problem,
                         const LampTrajectory& plan, double step, MatrixXd s) {
  phases_.assign(plan.phases.size(), {});
  for (size_t p = phases_.size(); p-- > 0;) {
    ThrowIfCancelled();
    const LampPhase& phase = plan.phases[p];
    const PhaseCoordinates coordinates = CoordinatesOf(problem, phase.contact);
    const bool flies = phase.contact == LampContact::kFlight;
    const bool slides = phase.contact == LampContact::kSlide, stands = !flies && !slides;
    const MatrixXd q = Grown(WeightOf(weights_, coordinates), stands, stands);
    const MatrixXd back = DeviationsOf(coordinates, stands).transpose();
    const auto linear = [&](const LampSample& sample) {
      LinearSystem system = LinearMotion(lamp, coordinates, sample);
      return LinearSystem{Grown(system.a, stands, stands), Grown(system.b, stands, false)};
    };
    const auto at = [&](double time) { return LampTrajectory::At(lamp, phase, time); };
    const double end = phase.start + phase.duration;
    if (p + 1 < phases_.size()) {
      const LampSample after = LampTrajectory::At(lamp, plan.phases[p + 1], end);
      const MatrixXd map = flies ? TouchdownOfStates(lamp, at(end), after)
                                 : TakeoffOfStates(coordinates, slides, at(end), after);
      s = map.transpose() * s * map;
    }
    // As many steps in every interval of the plan, whose accelerations jump between intervals.
    const int within = std::max(1, static_cast<int>(std::ceil(phase.step() / step - 1e-9)));
    const int steps = within * phase.intervals();
    Phase& found = phases_[p];
    found.start = phase.start;
    found.step = phase.duration / steps;
    found.gains.resize(static_cast<size_t>(steps) + 1);
    for (int i = steps; i >= 0; --i) {
      const double time = phase.start + i * found.step;
      found.gains[static_cast<size_t>(i)] = linear(at(time)).b.transpose() * s * back;
      if (i == 0) break;
      s = RiccatiBefore(linear(at(time - 0.5 * found.step)), q, s, found.step);
    }
    found.first = s;
  }
}

PlanRegulator::Gains PlanRegulator::At(size_t phase, double time) const {
  const Phase& of = phases_[phase];
  const auto last = static_cast<double>(of.gains.size() - 1);
  const double place = std::clamp((time - of.start) / of.step, 0.0, last);
  const auto before = static_cast<size_t>(std::min(std::floor(place), last - 1.0));
  const double share = place - static_cast<double>(before);
  return of.gains[before] + share * (of.gains[before + 1] - of.gains[before]);
}

PlanRecord::Feedback PlanRegulator::Record() const {
  PlanRecord::Feedback feedback{weights_.angle, weights_.rate, weights_.length, {}};
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    for (size_t i = 0; i < phase.gains.size(); ++i) {
      feedback.steps.push_back(
          {static_cast<int>(p), phase.start + static_cast<double>(i) * phase.step, phase.gains[i]});
    }
  }
  return feedback;
}

}  // namespace pliant::articulated_lamp
