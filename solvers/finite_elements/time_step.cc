#include "solvers/finite_elements/time_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

// The tangent is kept while an iteration leaves less than this part of the residual. The first one with a tangent need
// not: the symmetric tangent of a step in contact can leave as much again and again, and what it lacks is found by the
// subspace of its steps, not by another tangent.
constexpr double kGoodContraction = 0.3;
constexpr double kProgress = 0.9;
constexpr double kStalled = 0.5;  // an iteration that leaves more than this is of rounding

// Shorter steps that are tried where contact makes an iteration worse.
constexpr int kMostContactHalvings = 6;

double Largest(const Matrix3Xd& forces) {
  return forces.size() > 0 ? forces.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace

TimeStep::TimeStep(const Discretisation& bodies, const PointForces& point_forces, Contact* contact,
                   const Reduction& reduction, const TimeOptions& options)
    : bodies_(bodies),
      point_forces_(point_forces),
      contact_(*contact),
      reduction_(reduction),
      options_(options),
      alpha_(options.spectral_radius),
      places_transposed_(point_forces.places().transpose()),
      gram_(reduction.C()) {
  if (options.scheme != TimeScheme::kStatic) MakeMatrix();
}

// The pattern of the matrix follows the pairs that are near.
void TimeStep::MakeMatrix() {
  std::vector<NodeCombination> links = contact_.Links();
  if (matrix_ && links == links_) return;
  std::vector<NodeCombination> all = point_forces_.links();
  all.insert(all.end(), links.begin(), links.end());
  matrix_ = std::make_unique<ReducedMatrix>(bodies_, reduction_, std::move(all));  // or Cancelled
  links_ = std::move(links);
}

TimeStep::Coefficients TimeStep::CoefficientsOf(double h) const {
  switch (options_.scheme) {
    case TimeScheme::kEnergyMomentum:
      return {2.0 / (h * h), 0.5};
    case TimeScheme::kGeneralisedAlpha:
      return {(1.0 - alpha_.alpha_m) / (alpha_.beta * h * h), 1.0 - alpha_.alpha_f};
    case TimeScheme::kImplicitEuler:
      return {1.0 / (h * h), 1.0};
    case TimeScheme::kStatic:
      break;
  }
  return {};
}

double TimeStep::Residual(double t, double h, const Matrix3Xd& constant, const MotionState& state,
                          const Matrix3Xd& change, Matrix3Xd* residual) {
  const Matrix3Xd& q0 = state.q;
  const Matrix3Xd q1 = q0 + change;
  // Inertia.
  if (options_.scheme == TimeScheme::kGeneralisedAlpha) {
    *residual = ((1.0 - alpha_.alpha_m) / (alpha_.beta * h * h) *
                     (change - h * state.v - h * h * (0.5 - alpha_.beta) * state.a) +
                 alpha_.alpha_m * state.a) *
                bodies_.mass();
  } else {
    *residual = CoefficientsOf(h).mass * (change - h * state.v) * bodies_.mass();
  }
  double scale = std::max(Largest(*residual), Largest(constant));
  // Elasticity.
  Matrix3Xd term = Matrix3Xd::Zero(3, q1.cols());
  switch (options_.scheme) {
    case TimeScheme::kEnergyMomentum:
      bodies_.AddDiscreteGradient(q0, q1, term);
      break;
    case TimeScheme::kGeneralisedAlpha:
      bodies_.AddGradient(q0, term);
      term *= alpha_.alpha_f / (1.0 - alpha_.alpha_f);
      bodies_.AddGradient(q1, term);
      term *= 1.0 - alpha_.alpha_f;
      break;
    case TimeScheme::kImplicitEuler:
    case TimeScheme::kStatic:
      bodies_.AddGradient(q1, term);
      break;
  }
  scale = std::max(scale, Largest(term));
  *residual += term - constant;
  // Damping of the material.
  forces_.damping.setZero(3, q1.cols());
  if (bodies_.damped()) {
    bodies_.AddDamping(h, q0, q1, forces_.damping);
    forces_.damping *= -1.0;
  }
  // Springs.
  forces_.points.setZero(3, q1.cols());
  const bool discrete = options_.scheme == TimeScheme::kEnergyMomentum;
  if (!point_forces_.empty()) {
    x0_ = Points(q0);
    x1_ = Points(q1);
    point_sum_.setZero(3, x1_.cols());
    const PointMotion motion{x0_, x1_, t, t + h};
    if (discrete) {
      point_forces_.AddDiscreteForces(motion, &point_sum_);
    } else {
      if (options_.scheme == TimeScheme::kGeneralisedAlpha) {
        point_forces_.AddForces(x0_, &point_sum_);
        point_sum_ *= alpha_.alpha_f / (1.0 - alpha_.alpha_f);
      }
      point_forces_.AddForces(x1_, &point_sum_);
      if (options_.scheme == TimeScheme::kGeneralisedAlpha) point_sum_ *= 1.0 - alpha_.alpha_f;
    }
    forces_.points = point_sum_ * point_forces_.places();
    point_sum_.setZero();
    point_forces_.AddSpringDamping(motion, &point_sum_);
    forces_.damping += point_sum_ * point_forces_.places();
  }
  AddContact({q0, q1, t, t + h});
  *residual -= forces_.points + forces_.damping + forces_.contact + forces_.friction;
  return std::max({scale, Largest(forces_.points), Largest(forces_.damping),
                   Largest(forces_.contact), Largest(forces_.friction)});
}

void TimeStep::AddContact(const NodeMotion& motion) {
  forces_.contact.setZero(3, motion.q1.cols());
  forces_.friction.setZero(3, motion.q1.cols());
  if (contact_.empty()) return;
  const bool discrete = options_.scheme == TimeScheme::kEnergyMomentum;
  if (discrete) {
    contact_.AddDiscreteForces(motion, &forces_.contact);
  } else {
    const bool alpha = options_.scheme == TimeScheme::kGeneralisedAlpha;
    if (alpha) {
      contact_.AddForces(motion.t0, motion.q0, &forces_.contact);
      forces_.contact *= alpha_.alpha_f / (1.0 - alpha_.alpha_f);
    }
    contact_.AddForces(motion.t1, motion.q1, &forces_.contact);
    if (alpha) forces_.contact *= 1.0 - alpha_.alpha_f;
  }
  contact_.AddFriction(motion, discrete, &forces_.friction);
}

void TimeStep::AssembleTangent(double t, double h, const Matrix3Xd& q0, const Matrix3Xd& q1) {
  const Coefficients coefficients = CoefficientsOf(h);
  const bool discrete = options_.scheme == TimeScheme::kEnergyMomentum;
  MakeMatrix();
  matrix_->SetZero();
  if (discrete) {
    matrix_->AddStepTangent(h, q0, q1);
  } else {
    matrix_->AddTangent(coefficients.tangent, q1);
    if (bodies_.damped()) matrix_->AddDamping(h, q0, q1);
  }
  if (!contact_.empty()) {
    contact_.AddTangent({q0, q1, t, t + h}, discrete, coefficients.tangent,
                        static_cast<int>(point_forces_.links().size()), matrix_.get());
  }
  if (!point_forces_.empty()) {
    x0_ = Points(q0);
    x1_ = Points(q1);
    const PointMotion motion{x0_, x1_, t, t + h};
    if (discrete) {
      point_forces_.AddDiscreteTangent(motion, matrix_.get());
    } else {
      point_forces_.AddTangent(x1_, coefficients.tangent, matrix_.get());
    }
    point_forces_.AddDampingTangent(motion, matrix_.get());
  }
  // Places are rounded, and with them every force that follows from places, in proportion to its stiffness: what
  // sticks has that of friction, which grows as steps become smaller. Inertia follows from the change alone.
  const double of_places = matrix_->LargestDiagonal();
  matrix_->AddMass(coefficients.mass);
  rounding_ = 16.0 * std::numeric_limits<double>::epsilon() *
              (of_places * q1.cwiseAbs().maxCoeff() +
               matrix_->LargestDiagonal() * (q1 - q0).cwiseAbs().maxCoeff());
}

// To where the rows demand, with the free unknowns as they are.
void TimeStep::MoveConstrained(const Matrix3Xd& q0, const VectorXd& b, Matrix3Xd* change) const {
  Matrix3Xd q1 = q0 + *change;
  const VectorXd free = (*change).reshaped()(reduction_.free());
  reduction_.Complete(b, q1.reshaped());
  *change = q1 - q0;
  change->reshaped()(reduction_.free()) = free;
}

TimeStep::Result TimeStep::Advance(double t, double h, const Matrix3Xd& constant, const VectorXd& b,
                                   MotionState* state) {
  // The unknown is the change Δq, so that inertia is not the difference of two places.
  Matrix3Xd change = h * state->v, residual;
  MoveConstrained(state->q, b, &change);
  // A predictor that turns elements inside out is no place to begin at.
  if (!(bodies_.SmallestDeterminant(state->q + change) > 0.0)) {
    change.setZero();
    MoveConstrained(state->q, b, &change);
  }
  if (!contact_.empty()) {
    // As far as surfaces let it.
    const double fraction = contact_.LargestFraction(t + h, state->q, state->q + change);
    if (fraction < 1.0) {
      change *= fraction;
      MoveConstrained(state->q, b, &change);
    }
    const Matrix3Xd there = state->q + change;
    contact_.Begin({state->q, there, t, t + h});
  }
  double scale = Residual(t, h, constant, *state, change, &residual);
  VectorXd unbalanced = reduction_.T().transpose() * residual.reshaped();
  const auto largest = [](const VectorXd& v) {
    return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
  };
  bool has_tangent = false;
  double before = std::numeric_limits<double>::infinity();
  // Rounding is what is left below its bound where an iteration no longer helps.
  const auto solved = [&](double now) {
    return now <= options_.tolerance * scale || (now <= rounding_ && now >= kStalled * before);
  };
  rounding_ = 0.0;
  Result result = Result::kNotConverged;
  for (int iteration = 0; iteration <= options_.most_iterations; ++iteration) {
    const double now = largest(unbalanced);
    if (!std::isfinite(now)) return Result::kFailed;
    if (solved(now)) {
      result = Result::kConverged;
      break;
    }
    if (iteration == options_.most_iterations) break;
    const bool fresh = !has_tangent;
    if (!has_tangent) {
      AssembleTangent(t, h, state->q, state->q + change);
      ++factorisations_;
      if (matrix_->Factorise() < 0.0) return Result::kFailed;
      has_tangent = true;
      subspace_.Clear();
      if (solved(now)) {
        result = Result::kConverged;
        break;
      }
    }
    ++iterations_;
    const VectorXd step = reduction_.T() * subspace_.Step(matrix_->Solve(unbalanced));
    // A step to where an energy is not defined is shortened, and one through a surface.
    Matrix3Xd trial = change;
    trial.reshaped() -= step;
    double fraction = contact_.LargestFraction(t + h, state->q + change, state->q + trial);
    const double size = unbalanced.norm();
    double least = std::numeric_limits<double>::infinity(), best = fraction;
    const auto take = [&](double part) {
      subspace_.Moved(part);
      trial = change;
      trial.reshaped() -= part * step;
      contact_.Include(state->q + trial);
      scale = Residual(t, h, constant, *state, trial, &residual);
      unbalanced = reduction_.T().transpose() * residual.reshaped();
    };
    for (int halving = 0; halving < 20; ++halving, fraction *= 0.5) {
      take(fraction);
      if (!residual.allFinite()) continue;
      if (contact_.empty() || now <= rounding_ || unbalanced.norm() < (1.0 - 0.1 * fraction) * size)
        break;
      // A barrier is steep, and friction turns: of shorter steps the best one.
      if (unbalanced.norm() < least) {
        least = unbalanced.norm();
        best = fraction;
      }
      if (halving < kMostContactHalvings) continue;
      take(best);
      break;
    }
    change = trial;
    before = now;
    has_tangent = largest(unbalanced) < (fresh ? kProgress : kGoodContraction) * now;
  }
  SplitConstraints(residual);
  Finish(h, change, state);
  return result;
}

ObstacleContact::Work TimeStep::ObstacleWork(double t, double h, const Matrix3Xd& q0,
                                             const Matrix3Xd& q1) const {
  if (contact_.empty()) return {};
  const NodeMotion motion{q0, q1, t, t + h};
  auto work = contact_.WorkOfObstacles(motion, options_.scheme == TimeScheme::kEnergyMomentum);
  if (options_.scheme == TimeScheme::kGeneralisedAlpha) {
    work.push = alpha_.alpha_f * contact_.PushWorkAt(motion, t, q0) +
                (1.0 - alpha_.alpha_f) * contact_.PushWorkAt(motion, t + h, q1);
  }
  return work;
}

// What is left unbalanced where the rows act is their force.
void TimeStep::SplitConstraints(const Matrix3Xd& residual) {
  const Eigen::SparseMatrix<double>& C = reduction_.C();
  forces_.multipliers.setZero(C.rows());
  forces_.constraints.setZero(3, residual.cols());
  if (C.rows() == 0) return;
  forces_.multipliers = gram_.Solve(C * residual.reshaped());
  forces_.constraints.reshaped() = C.transpose() * forces_.multipliers;
}

void TimeStep::Finish(double h, const Matrix3Xd& change, MotionState* state) const {
  switch (options_.scheme) {
    case TimeScheme::kEnergyMomentum:
      state->v = 2.0 / h * change - state->v;
      break;
    case TimeScheme::kGeneralisedAlpha: {
      const Matrix3Xd a1 =
          (change - h * state->v) / (alpha_.beta * h * h) - (0.5 / alpha_.beta - 1.0) * state->a;
      state->v += h * ((1.0 - alpha_.gamma) * state->a + alpha_.gamma * a1);
      state->a = a1;
      break;
    }
    case TimeScheme::kStatic:
    case TimeScheme::kImplicitEuler:
      state->v = change / h;
      break;
  }
  state->q += change;
}

Matrix3Xd TimeStep::ApplyImpulses(const Matrix3Xd& impulses, const VectorXd& rates, Matrix3Xd* v) {
  // v₁ = T w + S ċ with Tᵀ M (v₁ − v₀) = Tᵀ p.
  const Matrix3Xd v0 = *v;
  const VectorXd fixed = reduction_.S() * rates;
  Matrix3Xd right = v0;
  right.reshaped() -= fixed;
  right = right * bodies_.mass() + impulses;
  matrix_->SetZero();
  matrix_->AddMass(1.0);
  matrix_->Factorise();
  v->reshaped() =
      reduction_.T() * matrix_->Solve(reduction_.T().transpose() * right.reshaped()) + fixed;
  SplitConstraints((*v - v0) * bodies_.mass() - impulses);
  return forces_.constraints;
}

void TimeStep::InitialAccelerations(double t, const Matrix3Xd& constant, MotionState* state) {
  Matrix3Xd force = Matrix3Xd::Zero(3, state->q.cols());
  bodies_.AddGradient(state->q, force);
  force = constant - force;
  if (!point_forces_.empty()) {
    x0_ = Points(state->q);
    point_sum_.setZero(3, x0_.cols());
    point_forces_.AddForces(x0_, &point_sum_);
    force += point_sum_ * point_forces_.places();
  }
  if (!contact_.empty()) {
    contact_.Begin({state->q, state->q, t, t});
    contact_.AddForces(t, state->q, &force);
  }
  state->a.setZero(3, state->q.cols());
  ApplyImpulses(force, VectorXd::Zero(reduction_.C().rows()), &state->a);
}

}  // namespace pliant::finite_elements
