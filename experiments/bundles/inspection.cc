#include "experiments/bundles/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/bundles/points_file.h"
#include "experiments/bundles/storage.h"
#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

// Brings a simulation to `frame` of the bundle of its own experiment.
void GoToFrame(const Bundle& bundle, size_t frame, Simulation* simulation) {
  const double step = bundle.experiment().backends[0].step;
  const Eigen::VectorXd state = bundle.State(frame);
  simulation->KeepConstraintForces();
  if (frame > 0) {
    simulation->Restore(bundle.State(frame - 1));
    const double left = bundle.Time(frame) - simulation->time();
    const std::int64_t steps = std::llround(left / step);
    for (std::int64_t i = 0; i < steps; ++i) {
      if (simulation->Advance(step).kind == StepOutcome::Kind::kDiverged) break;
    }
    if (simulation->Save() == state) return;
  }
  simulation->Restore(state);
}

Inspection Begin(const Experiment& experiment, size_t index, const Simulation& simulation) {
  Inspection seen;
  const BackendChoice& choice = experiment.backends[index];
  seen.label = choice.label;
  seen.experiment = experiment.name;
  seen.backend = choice.backend->info().name;
  seen.layout = simulation.StateLayout();
  seen.arrays = simulation.Arrays("");
  return seen;
}

std::string TextOf(const Inspection& seen) {
  std::string text =
      fmt::format("{} of {} at {} s\n\n", seen.label, seen.experiment, RoundTrip(seen.time));
  for (const NamedArray& array : seen.arrays) {
    text += fmt::format("{}\n", TitleOf(array));
    for (Eigen::Index i = 0; i < array.values.rows(); ++i) {
      text += LabelOf(array.rows, i);
      for (Eigen::Index j = 0; j < array.values.cols(); ++j) {
        text += "\t" + RoundTrip(array.values(i, j));
      }
      text += "\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

size_t NearestFrame(const Bundle& bundle, std::optional<double> time) {
  if (bundle.frame_count() == 0) {
    throw BadInput({"", bundle.path().string() + " has no frames", "inspect a run that began"});
  }
  if (!time) return bundle.frame_count() - 1;
  size_t nearest = 0;
  for (size_t i = 1; i < bundle.frame_count(); ++i) {
    if (std::abs(bundle.Time(i) - *time) < std::abs(bundle.Time(nearest) - *time)) nearest = i;
  }
  return nearest;
}

void RequireRecorded(const Bundle& bundle, double time) {
  if (bundle.frame_count() == 0) return;  // NearestFrame() says that there is none
  constexpr double kRounding = 1e-9;
  const double first = bundle.Time(0), last = bundle.Time(bundle.frame_count() - 1);
  const double slack = kRounding * std::max(last, 1.0);
  if (time >= first - slack && time <= last + slack) return;
  throw BadInput({"",
                  "--time " + RoundTrip(time) +
                      " s is not within the run, whose records are from " + Digits(first) + " to " +
                      Digits(last) + " s",
                  "give a time between them, or none for the last record"});
}

Inspection Inspect(const Bundle& bundle, size_t frame) {
  const Translation translation = TranslateFor(bundle.experiment(), 0);
  GoToFrame(bundle, frame, translation.simulation.get());
  Inspection seen = Begin(bundle.experiment(), 0, *translation.simulation);
  seen.label = bundle.label();
  seen.time = bundle.Time(frame);
  seen.points = bundle.Points(frame);
  seen.velocities = bundle.Velocities(frame);
  seen.state = bundle.State(frame);
  return seen;
}

Inspection Inspect(const Experiment& experiment, size_t index, double time,
                   const Eigen::VectorXd* from, const std::stop_token& stop) {
  const CancelScope cancel(stop);
  const Translation translation = TranslateFor(experiment, index);
  if (translation.simulation == nullptr) {
    throw BadInput({"", translation.record.WhyUnsupported(), "inspect a run that began"});
  }
  Simulation& simulation = *translation.simulation;
  simulation.KeepConstraintForces();
  if (from != nullptr) simulation.Restore(*from);
  const double step = experiment.backends[index].step;
  while (simulation.time() < time - 0.5 * step) {
    ThrowIfCancelled();
    if (simulation.Advance(step).kind == StepOutcome::Kind::kDiverged) break;
  }
  Inspection seen = Begin(experiment, index, simulation);
  Observation observation;
  simulation.Observe(&observation);
  seen.time = observation.time;
  seen.points = observation.points;
  seen.velocities = observation.velocities;
  seen.state = simulation.Save();
  return seen;
}

std::string LabelOf(const std::vector<std::string>& labels, Eigen::Index i) {
  const auto at = static_cast<size_t>(i);
  return at < labels.size() ? labels[at] : std::to_string(i + 1);
}

std::string TitleOf(const NamedArray& array) {
  return fmt::format("{}/{} [{}], {}×{}: {}", array.group, array.name, array.unit,
                     array.values.rows(), array.values.cols(), array.meaning);
}

std::string TextOf(const NamedArray& array, Eigen::Index most_rows, Eigen::Index most_columns) {
  const Eigen::Index rows = std::min(array.values.rows(), most_rows),
                     columns = std::min(array.values.cols(), most_columns);
  std::string text = TitleOf(array) + "\n";
  for (Eigen::Index i = 0; i < rows; ++i) {
    text += fmt::format("  {:<20}", LabelOf(array.rows, i));
    for (Eigen::Index j = 0; j < columns; ++j) {
      text += fmt::format(" {:>10}", fmt::format("{:.4g}", array.values(i, j)));
    }
    text += "\n";
  }
  if (rows < array.values.rows() || columns < array.values.cols()) {
    text +=
        fmt::format("  … the first {} rows and {} columns; --out FILE writes all\n", rows, columns);
  }
  return text;
}

void WriteInspection(const std::filesystem::path& path, const Inspection& seen) {
  if (path.extension() == ".txt") {
    WriteFile(path, TextOf(seen));
    return;
  }
  PointsWriter writer(path, static_cast<int>(seen.points.cols()), seen.layout);
  writer.Write(seen.time, seen.points, seen.velocities, seen.state, seen.arrays);
  writer.Close();
}

}  // namespace pliant
