#include "solvers/finite_elements/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/scene/extent.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

constexpr double kProbe = 1e-6;

// Where bodies fall and find their places in contact, iterations cost less than load steps that are halved in vain.
constexpr int kMoreInContact = 10;

// What rows move less than this part of the extent of the scene is rounding of their sums.
constexpr double kSameRows = 1e-12;

// What does not converge in so many whole steps is searched.
constexpr int kMostWholeSteps = 12;

// What has moved by so many times the extent of the scene since contact first pushed, and is not held yet, slides off; and
// what has moved by so many times when the iterations are used up.
constexpr double kSlidOff = 20.0, kSlides = 2.0;
constexpr int kMostSlides = 2;  // load steps that fail so before the run does

// Stiffness that is added where a step is too long, of the largest diagonal of the matrix, and how often it is raised tenfold.
constexpr double kLeastAdded = 1e-12;
constexpr int kMostAdded = 12;

double Largest(const VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

Matrix3Xd DeadForce(const StaticLoad& load, double part) {
  if (load.constant.size() == 0) return part * load.force;
  return load.constant + part * load.force;
}

// All of ∂Π/∂q but elasticity.
Matrix3Xd GradientOfLoads(const StaticLoad& load, double part, const Matrix3Xd& q) {
  Matrix3Xd gradient = -DeadForce(load, part);
  if (load.springs != nullptr && !load.springs->empty()) {
    const Matrix3Xd x = q * load.springs->places().transpose();
    Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
    load.springs->AddForces(x, &forces);
    gradient -= forces * load.springs->places();
  }
  if (load.contact != nullptr && !load.contact->empty()) {
    Matrix3Xd forces = Matrix3Xd::Zero(3, q.cols());
    load.contact->AddForces(load.time, q, &forces);
    if (load.start != nullptr) load.contact->AddFriction(load.MotionTo(q), false, &forces);
    gradient -= forces;
  }
  return gradient;
}

}  // namespace

Matrix3Xd StaticGradient(const Discretisation& bodies, const StaticLoad& load, double part,
                         const Matrix3Xd& q) {
  Matrix3Xd gradient = GradientOfLoads(load, part, q);
  bodies.AddGradient(q, gradient);
  return gradient;
}

Equilibrium::Equilibrium(const Discretisation& bodies, const Reduction& reduction,
                         const StaticLoad& load, const StaticOptions& options)
    : bodies_(bodies), reduction_(reduction), load_(load), options_(options) {}

void Equilibrium::Assemble(const Matrix3Xd& q) {
  std::vector<NodeCombination> links;
  if (load_.springs != nullptr) links = load_.springs->links();
  const auto first_of_contact = static_cast<int>(links.size());
  if (has_contact()) {
    const auto more = load_.contact->Links();
    links.insert(links.end(), more.begin(), more.end());
    near_contact_ = !more.empty();
  }
  if (!matrix_ || links != links_) {
    links_ = links;
    matrix_ = std::make_unique<ReducedMatrix>(bodies_, reduction_, std::move(links));
  }
  matrix_->SetZero();
  matrix_->AddTangent(1.0, q);
  if (has_springs()) {
    load_.springs->AddTangent(q * load_.springs->places().transpose(), 1.0, matrix_.get());
  }
  if (has_contact()) {
    load_.contact->AddTangent(load_.MotionTo(q), false, 1.0, first_of_contact, matrix_.get());
  }
  largest_diagonal_ = matrix_->LargestDiagonal();
}

// From q, an equilibrium under another part of the load. Where a body bends far, its first linear step stretches it, and a search
// that never lets the potential rise takes many short steps; whole ones reach the same place in a third of the iterations.
bool Equilibrium::Solve(double part, Matrix3Xd* q, StaticSolution* solution) {
  if (!has_contact() && Iterate(part, Steps::kWhole, q, solution)) return true;
  return Iterate(part, Steps::kSearched, q, solution);
}

bool Equilibrium::Iterate(double part, Steps steps, Matrix3Xd* q, StaticSolution* solution) {
  const VectorXd b = (1.0 - part) * load_.begin + part * load_.end;
  Matrix3Xd trial = *q;
  if (has_contact()) load_.contact->Begin({trial, trial, load_.time, load_.time});
  // The first step follows the rows as the linearised body does; then y alone moves.
  const VectorXd shift = reduction_.S() * b - Particular(*q);
  const bool led = Largest(shift) > kSameRows * ExtentOf(trial);
  if (!led) trial.reshaped() += shift;  // rounding
  subspace_.Clear();
  first_met_.resize(3, 0);
  for (int iteration = 0; iteration < MostIterations(steps); ++iteration) {
    Matrix3Xd unbalanced = Matrix3Xd::Zero(3, q->cols());
    bodies_.AddGradient(trial, unbalanced);
    const double scale =
        std::max(unbalanced.cwiseAbs().maxCoeff(), DeadForce(load_, part).cwiseAbs().maxCoeff());
    unbalanced += GradientOfLoads(load_, part, trial);
    VectorXd residual = reduction_.T().transpose() * unbalanced.reshaped();
    if (!residual.allFinite()) return false;
    if (has_contact() && load_.start != nullptr) {
      rubs_ = load_.contact->Rubs(load_.MotionTo(trial), load_.time, trial);
    }
    solution->unbalanced = Largest(residual);
    const bool moved = iteration == 0 && led;
    // The matrix of the last iteration tells well enough how rounding of places becomes force.
    const auto converged = [&] {
      const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * largest_diagonal_ *
                              trial.cwiseAbs().maxCoeff();
      return !moved && solution->unbalanced <= options_.tolerance * scale + rounding;
    };
    if (!converged()) Assemble(trial);
    if (converged()) {
      if (steps == Steps::kWhole && !IsNearby(trial, *q, part, led)) return false;
      *q = trial;
      return true;
    }
    ++solution->iterations;
    if (moved) {
      // Tᵀ (g + K S Δb): the force of the displaced rows, by a difference along the shift.
      Matrix3Xd there = trial;
      there.reshaped() += kProbe * shift;
      const Matrix3Xd ahead = StaticGradient(bodies_, load_, part, there);
      residual += reduction_.T().transpose() * ((ahead - unbalanced) / kProbe).reshaped();
    }
    VectorXd step;
    if (!(steps == Steps::kWhole ? WholeStep(residual, &step)
                                 : StepDownwards(residual, ExtentOf(trial), &step))) {
      return false;
    }
    if (moved) step += shift;
    if (moved || steps == Steps::kWhole) {
      trial.reshaped() += step;
      if (has_contact()) load_.contact->Include(trial);
      if (moved && !std::isfinite(Potential(trial, part))) return false;
      continue;
    }
    const bool quick = has_contact() && Accelerate(residual, ExtentOf(trial), &step);
    const double taken = Search(step, unbalanced, solution->unbalanced, part, &trial);
    if (taken == 0.0) return false;
    if (quick) subspace_.Moved(taken);
    if (has_contact() && first_met_.cols() == 0 && load_.contact->Energy(load_.time, trial) > 0.0) {
      first_met_ = trial;
    }
    if (HasMoved(trial, kSlidOff)) break;
  }
  solution->slides_off = HasMoved(trial, kSlides);
  return false;
}

int Equilibrium::MostIterations(Steps steps) const {
  if (steps == Steps::kWhole) return std::min(kMostWholeSteps, options_.most_iterations);
  return near_contact_ ? kMoreInContact * options_.most_iterations : options_.most_iterations;
}

bool Equilibrium::WholeStep(const VectorXd& residual, VectorXd* step) {
  if (matrix_->Factorise(0) < 0.0) return false;
  *step = reduction_.T() * -matrix_->Solve(residual);
  return step->allFinite();
}

// The tangent of contact leaves out how its normals turn, so that by it alone each iteration can leave nearly all of the unbalanced
// force. True: the step is that of the subspace of the last steps (krylov_subspace.h); it has to lead downwards, too.
bool Equilibrium::Accelerate(const VectorXd& residual, double extent, VectorXd* step) {
  const VectorXd y = subspace_.Step(y_);
  const VectorXd quick = reduction_.T() * -y;
  if (y.allFinite() && y.dot(residual) > 0.0 && Largest(quick) <= extent) {
    *step = quick;
    return true;
  }
  subspace_.Clear();
  return false;
}

// A body that nothing holds yet has no stiffness against its fall: rounding decides whether its matrix can be factorised, and where
// the solution points. What stiffness is added then lets it fall by no more than the extent of the scene at once, so that
// contact is met.
bool Equilibrium::StepDownwards(const VectorXd& residual, double extent, VectorXd* step) {
  double added = 0.0;  // of the largest diagonal
  for (int attempt = 0; attempt <= kMostAdded; ++attempt) {
    if (matrix_->Factorise() < 0.0) return false;
    y_ = matrix_->Solve(residual);
    *step = reduction_.T() * -y_;
    if (step->allFinite() && y_.dot(residual) >= 0.0 && Largest(*step) <= extent) return true;
    const double next = added == 0.0 ? kLeastAdded : 10.0 * added;
    matrix_->AddDiagonal((next - added) * largest_diagonal_);
    added = next;
  }
  return false;
}

// Would a search from `before` have come here, too? The last tangent was positive definite, nothing is inside out, and dead loads
// have brought the potential down.
bool Equilibrium::IsNearby(const Matrix3Xd& q, const Matrix3Xd& before, double part,
                           bool led) const {
  if (!(bodies_.SmallestDeterminant(q) > 0.0)) return false;
  return led || Potential(q, part) <= Potential(before, part);
}

// q − T y: what the rows give now.
VectorXd Equilibrium::Particular(const Matrix3Xd& q) const {
  VectorXd y(reduction_.size());
  for (int i = 0; i < y.size(); ++i) y[i] = q.reshaped()[reduction_.free()[i]];
  return q.reshaped() - reduction_.T() * y;
}

double Equilibrium::Potential(const Matrix3Xd& q, double part) const {
  double energy = bodies_.Energy(q) - DeadForce(load_, part).cwiseProduct(q).sum();
  if (has_springs()) {
    energy += load_.springs->SpringEnergy(q * load_.springs->places().transpose());
  }
  if (has_contact()) {
    energy += load_.contact->Energy(load_.time, q);
    if (load_.start != nullptr) {
      energy += load_.contact->RubbedBy(rubs_, load_.MotionTo(q)).potential;
    }
  }
  return energy;
}

bool Equilibrium::HasMoved(const Matrix3Xd& q, double extents) const {
  return first_met_.cols() > 0 &&
         (q - first_met_).cwiseAbs().maxCoeff() > extents * ExtentOf(first_met_);
}

void Equilibrium::BookContact(const Matrix3Xd& q, StaticSolution* solution) const {
  if (!has_contact() || load_.start == nullptr) return;
  const NodeMotion motion = load_.MotionTo(q);
  for (const auto& [time, pressed] : {std::pair(motion.t0, &motion.q0), {motion.t1, &q}}) {
    const auto rubbed =
        load_.contact->RubbedBy(load_.contact->Rubs(motion, time, *pressed), motion);
    solution->friction_work += 0.5 * rubbed.lost;
    solution->obstacle_work +=
        0.5 * (rubbed.from_obstacles + load_.contact->PushWorkAt(motion, time, *pressed));
  }
}

// Armijo's rule; near the solution, where Π is rounding, a smaller unbalanced force will do.
double Equilibrium::Search(const VectorXd& step, const Matrix3Xd& unbalanced, double largest,
                           double part, Matrix3Xd* q) const {
  const double before = Potential(*q, part);
  const double slope = unbalanced.reshaped().dot(step);
  double fraction = 1.0;
  if (has_contact()) {
    Matrix3Xd there = *q;
    there.reshaped() += step;
    fraction = load_.contact->LargestFraction(load_.time, *q, there);
  }
  for (int halving = 0; halving < 30; ++halving, fraction *= 0.5) {
    Matrix3Xd trial = *q;
    trial.reshaped() += fraction * step;
    if (has_contact()) load_.contact->Include(trial);
    const double there = Potential(trial, part);
    bool accepted = std::isfinite(there) && there <= before + 1e-4 * fraction * slope;
    if (!accepted && std::isfinite(there)) {
      const Matrix3Xd gradient = StaticGradient(bodies_, load_, part, trial);
      const VectorXd left = reduction_.T().transpose() * gradient.reshaped();
      accepted = Largest(left) < (1.0 - 1e-4 * fraction) * largest;
    }
    if (!accepted) continue;
    *q = trial;
    return fraction;
  }
  return 0.0;
}

bool Equilibrium::Reach(double from, double to, Matrix3Xd* q, StaticSolution* solution) {
  double reached = from, step = to - from;
  const double least = std::ldexp(step, -options_.most_halvings);
  LoadStepStart last;
  if (load_.start != nullptr) {
    last = *load_.start;
    *load_.start = {*q, load_.begin_time};
  }
  int slides = 0;
  while (reached < to) {
    solution->slides_off = false;
    const double next = reached + step > to - 1e-12 * (to - from) ? to : reached + step;
    if (Solve(next, q, solution)) {
      reached = next;
      if (load_.start != nullptr && reached < to) {
        BookContact(*q, solution);
        last = *load_.start;
        *load_.start = {*q, load_.time};
      }
      continue;
    }
    step *= 0.5;
    if (step < least || (solution->slides_off && ++slides == kMostSlides)) {
      if (load_.start != nullptr) *load_.start = last;
      return false;
    }
  }
  BookContact(*q, solution);
  return true;
}

StaticSolution SolveStatics(const Discretisation& bodies, const StaticLoad& load,
                            const StaticOptions& options, Matrix3Xd* q) {
  const Reduction reduction(3 * bodies.node_count(), load.rows, load.zero);
  Equilibrium equilibrium(bodies, reduction, load, options);
  StaticSolution solution;
  solution.converged = true;
  for (int step = 1; step <= options.load_steps && solution.converged; ++step) {
    solution.converged =
        equilibrium.Reach((step - 1.0) / options.load_steps,
                          static_cast<double>(step) / options.load_steps, q, &solution);
  }
  return solution;
}

}  // namespace pliant::finite_elements
