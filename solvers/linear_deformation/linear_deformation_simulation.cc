#include "solvers/linear_deformation/linear_deformation_simulation.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/linear_deformation/flush_subnormals.h"
#include "solvers/linear_deformation/translation_record.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::VectorXd;

// Beyond this [m, m/s] a run has diverged: nothing in a scene is at the scale of planets.
constexpr double kLargestValue = 1e9;

}  // namespace

LinearDeformationSimulation::LinearDeformationSimulation(
    std::shared_ptr<const Scene> scene, std::unique_ptr<LinearDeformationSystem> system,
    const IntegratorOptions& integrator, std::vector<StepLimit> limits)
    : Simulation(scene),
      system_(std::move(system)),
      integrator_(integrator),
      limits_(std::move(limits)),
      scheme_(integrator),
      counts_iterations_(integrator.scheme == Scheme::kImplicitMidpoint ||
                         integrator.scheme == Scheme::kBogackiShampine),
      affine_step_(integrator.scheme == Scheme::kSemiImplicitEuler && system_->has_affine_step()),
      tally_(this->scene()),
      switches_(std::move(scene)),
      collapsed_(VectorXd::Zero(static_cast<Eigen::Index>(this->scene().bodies.size()))) {
  for (size_t b = 0; b < system_->bodies().size(); ++b) {
    if (system_->bodies()[b].has_volume()) with_volume_.push_back(static_cast<int>(b));
  }
  for (size_t b = 0; b < system_->bodies().size(); ++b) {
    const LinearMaterial& material = system_->materials()[b];
    if (material.source_damping == 0.0) continue;
    source_damped_.emplace_back(static_cast<int>(b),
                                FindStiffestMotion(system_->bodies()[b], material));
  }
  constexpr double kEver = std::numeric_limits<double>::infinity();
  velocities_jump_ = !switches_.idle() || !this->scene().impulses.empty() ||
                     system_->constraints().HasCorner(-kEver, kEver);
  system_->InitialState(this->scene(), &q_, &v_);
  system_->UpdateContact(0.0, q_, v_);
}

StepOutcome LinearDeformationSimulation::DoAdvance(double step) {
  const FlushSubnormals flush;
  last_step_ = step;
  const bool bumps = system_->bumps();
  if (bumps) system_->BeginTally();
  bool met = true;  // Did all impulses of contact converge?
  if ((!started_ || velocities_jump_) && ApplyImpulses() && bumps) {
    met = system_->Bounce(time(), step, q_, &v_, &work_);
  }
  if (bumps) met = Support(step) && met;
  StepOutcome stepped;
  if (SurfaceBarrier* barrier = system_->barrier(); barrier != nullptr) {
    stepped = barrier_step_.Step(
        time(), step, [this](double t, double h) { return Integrate(t, h, &q_, &v_, &work_); },
        [this](const VectorXd& q, Eigen::Matrix3Xd* x) { system_->Points(q, x); }, barrier, &q_,
        &v_, &work_);
    const std::string news = barrier_step_.News(*barrier, scene());
    if (!news.empty()) Happened(StepEnd(), news);
  } else {
    stepped = Integrate(time(), step, &q_, &v_, &work_);
  }
  system_->EndSupport();
  if (stepped.kind == StepOutcome::Kind::kDiverged) return stepped;
  if (!with_volume_.empty()) WatchForCollapse();
  if (!source_damped_.empty()) WatchSourceDamping(step);
  if (contradicts_ || system_->constraints().redundant() > 0) WatchForContradiction();
  if (bumps) {
    met = system_->Bounce(StepEnd(), step, q_, &v_, &work_) && met;
    system_->EndTally(step);
  }
  work_[WorkClass::kContact] += system_->UpdateContact(StepEnd(), q_, v_);
  if (!met) return {StepOutcome::Kind::kNotConverged, "impulses of contact"};
  return stepped;
}

// The step is tried without these forces and with them until it ends as they are to make it. Where its forces are those
// of its beginning, velocities are linear in them, and the first trial says all.
bool LinearDeformationSimulation::Support(double step) {
  if (!system_->BeginSupport(time(), step, q_)) return true;
  constexpr int kMostTrials = 30;
  const bool linear = scheme_.scheme == Scheme::kSemiImplicitEuler;
  const double substep = integrator_.substep();
  for (int trial = 0; trial < kMostTrials; ++trial) {
    trial_q_ = q_;
    trial_v_ = v_;
    Exchange unused;
    if (Integrate(time(), step, &trial_q_, &trial_v_, &unused).kind ==
        StepOutcome::Kind::kDiverged) {
      return true;  // as the step will
    }
    integrator_.set_substep(substep);
    const auto supported = system_->AdjustSupport(q_, trial_v_);
    if (supported == LinearDeformationSystem::Supported::kNotConverged) return false;
    if (linear || supported == LinearDeformationSystem::Supported::kYes) return true;
  }
  return false;
}

StepOutcome LinearDeformationSimulation::Integrate(double t, double step, VectorXd* q, VectorXd* v,
                                                   Exchange* work) {
  if (affine_step_) {
    if (!system_->Step(t, step, kLargestValue, q, v, work)) return CheckState(*q, *v);
    if (system_->step_converged()) return {};
    return {StepOutcome::Kind::kNotConverged, "strain at the end of a step"};
  }
  system_->set_step(step);
  const StepOutcome stepped = integrator_.Step(*system_, t, step, q, v, work);
  StepOutcome bounded = CheckState(*q, *v);
  return bounded.kind == StepOutcome::Kind::kDiverged ? bounded : stepped;
}

// Instantaneous changes of velocities at the beginning of the step: constraints that begin to hold,
// impulses of the scene, corners in the paths of nails, and at the start velocities that the
// constraints do not allow.
bool LinearDeformationSimulation::ApplyImpulses() {
  const double begin = time(), end = StepEnd();
  bool jump = !switches_.idle() && SwitchConstraints(begin, end);
  jump = jump || !started_ || system_->constraints().HasCorner(begin, end);
  started_ = true;
  bool kick = false;
  if (!scene().impulses.empty()) {
    impulses_.setZero(3, system_->forces().masses().size());
    kick = system_->forces().AddImpulses(begin, end, impulses_);
  }
  if (jump || kick) {
    Exchange matching;
    system_->MatchVelocities(begin, end, q_, &v_, &matching);
    work_.Add(1.0, matching);
    matching_work_ += matching.TotalWork();
  }
  if (kick) system_->ApplyImpulses(begin, impulses_, q_, &v_, &work_);
  if (switches_.leads()) LeadPoints(begin, end);
  return jump || kick;
}

bool LinearDeformationSimulation::SwitchConstraints(double begin, double end) {
  system_->Points(q_, &points_);
  system_->Points(v_, &velocities_);
  const bool changed = switches_.Decide(begin, end, points_, velocities_);
  for (const std::string& news : switches_.TakeNews()) Happened(begin, news);
  if (changed) HoldRows();
  return changed;
}

void LinearDeformationSimulation::LeadPoints(double begin, double end) {
  system_->Points(q_, &points_);
  system_->Points(v_, &velocities_);
  if (switches_.Lead(begin, end, points_, velocities_)) {
    HoldRows();
  } else {
    system_->UpdateSegments(switches_.Holding());
  }
}

void LinearDeformationSimulation::HoldRows() {
  const std::vector<std::string> before = system_->constraints().RedundantNames();
  system_->SetConstraints(switches_.Holding());
  const std::vector<std::string> now = system_->constraints().RedundantNames();
  const bool any_new = std::any_of(now.begin(), now.end(), [&](const std::string& name) {
    return std::find(before.begin(), before.end(), name) == before.end();
  });
  if (any_new) Happened(time(), "redundant constraints: " + ListedNames(now));
}

// A body that is flattened or turned inside out is still a solution of the equations; without
// volume stiffness it may stay so.
void LinearDeformationSimulation::WatchForCollapse() {
  for (int body : with_volume_) {
    const LinearBody& of_body = system_->bodies()[body];
    const auto determinant =
        SmallestDeterminant(of_body, q_.segment(system_->first(body), of_body.coordinates()));
    const double collapsed = determinant && *determinant <= 0.0 ? 1.0 : 0.0;
    if (collapsed == collapsed_[body]) continue;
    collapsed_[body] = collapsed;
    Happened(StepEnd(), "body '" + scene().bodies[body].name +
                            (collapsed == 0.0 ? "' has a positive volume everywhere again"
                                              : "' collapsed or turned inside out: det m ≤ 0"));
  }
}

// Its limit is that of the state: no step is safe at every strain.
void LinearDeformationSimulation::WatchSourceDamping(double step) {
  std::erase_if(source_damped_, [&](const std::pair<int, StiffestMotion>& of) {
    const auto& [b, own] = of;
    const LinearBody& body = system_->bodies()[b];
    const auto q = q_.segment(system_->first(b), body.coordinates());
    rates_.resize(q_.size());
    const double decay = SourceDecay(body, system_->materials()[b], q,
                                     rates_.segment(system_->first(b), body.coordinates()));
    const double longest =
        LargestStableStep(scheme_, own.frequency * own.frequency, own.decay + decay);
    if (step <= longest) return false;
    Happened(StepEnd(), "source_damping of body '" + scene().bodies[b].name +
                            "' slows its strain at " + ThreeDigits(decay) + " per s: " +
                            std::string(NameOf(scheme_.scheme)) + " is stable there below " +
                            ThreeDigits(longest) + " s, the step is " + ThreeDigits(step) + " s");
    return true;
  });
}

void LinearDeformationSimulation::WatchForContradiction() {
  const bool contradicts = system_->Contradiction(StepEnd()) > kAgreed;
  if (contradicts == contradicts_) return;
  contradicts_ = contradicts;
  Happened(StepEnd(),
           contradicts ? "contradictory constraints: " + ListedNames(ContradictoryNames(*system_)) +
                             " require positions that the bodies cannot all reach; gaps remain"
                       : "constraints no longer contradict each other");
}

StepOutcome LinearDeformationSimulation::CheckState(const VectorXd& q, const VectorXd& v) const {
  const std::vector<LinearBody>& bodies = system_->bodies();
  for (size_t b = 0; b < bodies.size(); ++b) {
    const int first = system_->first(static_cast<int>(b)), size = bodies[b].coordinates();
    const bool position = q.segment(first, size).cwiseAbs().maxCoeff() <= kLargestValue;
    const bool velocity = v.segment(first, size).cwiseAbs().maxCoeff() <= kLargestValue;
    if (position && velocity) continue;
    return {StepOutcome::Kind::kDiverged, std::string(position ? "velocity" : "deformation") +
                                              " of body '" + scene().bodies[b].name + "'"};
  }
  return {};
}

}  // namespace pliant::linear_deformation
