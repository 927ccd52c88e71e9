#include "experiments/searches/controller_problem.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "experiments/files/experiment_document.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/runs/run.h"
#include "solvers/retunable.h"

namespace pliant {
namespace {

Experiment OfOneBackend(Experiment experiment, size_t index) {
  experiment.backends = {experiment.backends.at(index)};
  experiment.reference.clear();
  return experiment;
}

// The curves of the probes of one run, from its rows.
class ProbeCurves {
 public:
  explicit ProbeCurves(const Experiment& experiment)
      : probes_(experiment.probes),
        first_(ColumnsOf(experiment, 0).size() - probes_.size()),
        curves_(probes_.size()) {}

  void Add(const SeriesRow& row) {
    for (size_t i = 0; i < probes_.size(); ++i) {
      if (!row[first_ + i]) continue;
      curves_[i].times.push_back(*row[0]);
      curves_[i].values.push_back(*row[first_ + i]);
    }
  }
  std::map<std::string, std::optional<double>> Figures() const {
    std::map<std::string, std::optional<double>> figures;
    for (size_t i = 0; i < probes_.size(); ++i) {
      for (const ProbeFigure& figure : ProbeFigures(probes_[i], curves_[i])) {
        figures[figure.is.name] = figure.value;
      }
    }
    return figures;
  }

 private:
  const std::vector<Probe>& probes_;
  const size_t first_;  // column of the first probe
  std::vector<Curve> curves_;
};

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
  ProbeCurves probes(experiment);
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) {
    if (frame.observation.time == 0.0) {
      meter.Begin(frame.observation);
    } else {
      meter.Add(frame.observation);
    }
    measures = meter.End(frame.observation, simulation->mode_energies());
    if (!cost.figure_weights.empty()) probes.Add(frame.row);
  };
  const RunOutcome outcome = Run(experiment, 0, simulation, hooks);
  if (!cost.figure_weights.empty()) measures.figures = probes.Figures();
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
  if (!LooksAlong(cost) && cost.figure_weights.empty())
    trial_.plan.record_every = trial_.plan.duration;
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
