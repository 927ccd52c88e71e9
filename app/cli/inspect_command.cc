// inspect: the matrices and vectors of a formulation at one recorded time of a run.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/commands.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/points_file.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// As many as a reader takes in.
constexpr Eigen::Index kMostRows = 24, kMostColumns = 12;

size_t NearestFrame(const Bundle& bundle, std::optional<double> time) {
  if (!time) return bundle.frame_count() - 1;
  size_t nearest = 0;
  for (size_t i = 1; i < bundle.frame_count(); ++i) {
    if (std::abs(bundle.Time(i) - *time) < std::abs(bundle.Time(nearest) - *time)) nearest = i;
  }
  return nearest;
}

std::string Label(const std::vector<std::string>& labels, Eigen::Index i) {
  const auto at = static_cast<size_t>(i);
  return at < labels.size() ? labels[at] : std::to_string(i + 1);
}

void Print(const NamedArray& array) {
  const Eigen::Index rows = array.values.rows(), columns = array.values.cols();
  fmt::print("{}/{} [{}], {}×{}: {}\n", array.group, array.name, array.unit, rows, columns,
             array.meaning);
  for (Eigen::Index i = 0; i < std::min(rows, kMostRows); ++i) {
    std::string line = fmt::format("  {:<20}", Label(array.rows, i));
    for (Eigen::Index j = 0; j < std::min(columns, kMostColumns); ++j) {
      line += fmt::format(" {:>10}", fmt::format("{:.4g}", array.values(i, j)));
    }
    fmt::print("{}\n", line);
  }
  if (rows > kMostRows || columns > kMostColumns) {
    fmt::print("  … the first {} rows and {} columns; --out FILE writes all\n",
               std::min(rows, kMostRows), std::min(columns, kMostColumns));
  }
  fmt::print("\n");
}

// The state of `frame`. What a method knows of its last step only is no state: the steps from the frame
// before are made again. Where they lead elsewhere, as after a change by hand or on another processor,
// such arrays are NaN.
void GoTo(const Bundle& bundle, size_t frame, double step, Simulation* simulation) {
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

}  // namespace

int InspectCommand(const std::filesystem::path& path, std::optional<double> time,
                   const std::filesystem::path& out) {
  const Bundle bundle = Bundle::Open(path);
  if (bundle.frame_count() == 0) {
    throw BadInput({"", path.string() + " has no frames", "inspect a run that began"});
  }
  const size_t frame = NearestFrame(bundle, time);
  const Translation translation = TranslateFor(bundle.experiment(), 0);
  Simulation& simulation = *translation.simulation;
  GoTo(bundle, frame, bundle.experiment().backends[0].step, &simulation);
  const std::vector<NamedArray> arrays = simulation.Arrays("");
  fmt::print("{} of {} at {} s{}\n\n", bundle.label(), bundle.experiment().name,
             RoundTrip(bundle.Time(frame)),
             time && bundle.Time(frame) != *time ? ", the nearest record" : "");
  for (const NamedArray& array : arrays) Print(array);
  if (arrays.empty()) fmt::print("{} shows no arrays\n", bundle.backend().info().name);
  if (out.empty()) return kDone;
  PointsWriter writer(out, bundle.experiment().scene->PointCount(), simulation.StateLayout());
  writer.Write(bundle.Time(frame), bundle.Points(frame), bundle.Velocities(frame),
               bundle.State(frame), arrays);
  writer.Close();
  fmt::print("{}\n", out.string());
  return kDone;
}

}  // namespace pliant
