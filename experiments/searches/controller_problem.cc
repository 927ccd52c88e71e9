#include "experiments/searches/controller_problem.h"

#include <utility>

#include "experiments/files/experiment_document.h"
#include "experiments/runs/run.h"
#include "experiments/searches/scored_motion.h"
#include "solvers/retunable.h"

namespace pliant {
namespace {

Experiment WithoutReference(Experiment experiment) {
  experiment.reference.clear();
  return experiment;
}

const FileValue& TableOf(const Experiment& experiment) {
  return *experiment.document->root.Find("backends")->Find(experiment.backends[0].label);
}

}  // namespace

MotionScore ScoreRun(const Experiment& experiment, int body, const MotionCostFunction& cost,
                     Simulation* simulation) {
  ScoredMotion motion(*experiment.scene, body, experiment.backends[0].backend->info(), cost,
                      ProbesOf(experiment, 0));
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) {
    motion.Add(frame.observation, simulation->mode_energies(), frame.probes);
  };
  return motion.Score(Run(experiment, 0, simulation, hooks));
}

ControllerProblem::ControllerProblem(const Experiment& experiment, size_t index, int body,
                                     const std::vector<Varied>& varied,
                                     const MotionCostFunction& cost)
    : experiment_(WithoutReference(OfOneBackend(experiment, index))),
      trial_(experiment_),
      cost_(cost),
      body_(body),
      varied_(TableOf(experiment_), experiment_.backends[0], varied),
      terms_(TermsOf(cost)) {
  // Only frames that are read cost time.
  if (!ReadsAlong(cost)) trial_.plan.record_every = trial_.plan.duration;
}

bool ControllerProblem::Retuned(const ParameterValues& changed) {
  if (simulation_ == nullptr) return false;
  Retunable* retunable = simulation_->AsRetunable();
  if (retunable == nullptr) return false;
  simulation_->Restore(start_);
  try {
    return retunable->Retune(changed);
  } catch (const BadInput&) {
    return false;  // the translation reports it with its place
  }
}

std::string ControllerProblem::Prepare(const Eigen::VectorXd& numbers) {
  try {
    if (Retuned(varied_.Changed(numbers))) return "";
    trial_.backends[0].parameters = varied_.Apply(numbers);
    Translation translation = TranslateFor(trial_, 0);
    if (translation.simulation == nullptr) return translation.record.WhyUnsupported();
    simulation_ = std::move(translation.simulation);
    start_ = simulation_->Save();
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

MotionScore ControllerProblem::Evaluate(const Eigen::VectorXd& numbers) {
  const std::string failure = Prepare(numbers);
  return failure.empty() ? ScoreRun(trial_, body_, cost_, simulation_.get())
                         : FailedScore(cost_, failure);
}

Experiment ControllerProblem::With(const Eigen::VectorXd& numbers, const std::string& label) {
  Experiment experiment = experiment_;
  experiment.backends[0].parameters = varied_.Apply(numbers);
  experiment.backends[0].label = label;
  return experiment;
}

}  // namespace pliant
