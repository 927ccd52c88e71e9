#include "experiments/searches/controller_problem.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "experiments/files/experiment_document.h"
#include "experiments/runs/run.h"
#include "solvers/retunable.h"

namespace pliant {
namespace {

Experiment OfOneBackend(Experiment experiment, size_t index) {
  experiment.backends = {experiment.backends.at(index)};
  experiment.reference.clear();
  return experiment;
}

bool LooksAlong(const MotionCostFunction& cost) {
  const std::vector<Measure> measures = cost.Reads();
  return std::any_of(measures.begin(), measures.end(), [](Measure measure) {
    return MeasureInfos()[static_cast<size_t>(measure)].along;
  });
}

const FileValue& TableOf(const Experiment& experiment) {
  return *experiment.document->root.Find("backends")->Find(experiment.backends[0].label);
}

}  // namespace

MotionScore ScoreRun(const Experiment& experiment, int body, const MotionCostFunction& cost,
                     Simulation* simulation) {
  MotionMeter meter(*experiment.scene, body, experiment.backends[0].backend->info(),
                    LooksAlong(cost));
  MotionMeasures measures;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) {
    if (frame.observation.time == 0.0) {
      meter.Begin(frame.observation);
    } else {
      meter.Add(frame.observation);
    }
    measures = meter.End(frame.observation, simulation->mode_energies());
  };
  const RunOutcome outcome = Run(experiment, 0, simulation, hooks);
  if (outcome.kind != OutcomeKind::kDiverged) return ScoreMotion(cost, measures);
  MotionScore failed;
  failed.terms.assign(TermsOf(cost).size(), std::numeric_limits<double>::quiet_NaN());
  failed.failure = outcome.reason;
  return failed;
}

ControllerProblem::ControllerProblem(const Experiment& experiment, size_t index, int body,
                                     const std::vector<Varied>& varied,
                                     const MotionCostFunction& cost)
    : experiment_(OfOneBackend(experiment, index)),
      trial_(experiment_),
      cost_(cost),
      body_(body),
      varied_(TableOf(experiment_), experiment_.backends[0], varied),
      terms_(TermsOf(cost)) {
  // Only frames that are read cost time.
  if (!LooksAlong(cost)) trial_.plan.record_every = trial_.plan.duration;
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
  MotionScore failed;
  failed.terms.assign(terms_.size(), std::numeric_limits<double>::quiet_NaN());
  failed.failure = Prepare(numbers);
  return failed.failure.empty() ? ScoreRun(trial_, body_, cost_, simulation_.get()) : failed;
}

Experiment ControllerProblem::With(const Eigen::VectorXd& numbers, const std::string& label) {
  Experiment experiment = experiment_;
  experiment.backends[0].parameters = varied_.Apply(numbers);
  experiment.backends[0].label = label;
  return experiment;
}

}  // namespace pliant
