// inspect: the matrices and vectors of a formulation at one recorded time of a run.

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/commands.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/go_to_frame.h"
#include "experiments/bundles/points_file.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// As many as a reader takes in.
constexpr Eigen::Index kMostRows = 24, kMostColumns = 12;

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

}  // namespace

int InspectCommand(const std::filesystem::path& path, std::optional<double> time,
                   const std::filesystem::path& out) {
  const Bundle bundle = Bundle::Open(path);
  const size_t frame = NearestFrame(bundle, time);
  const Translation translation = TranslateFor(bundle.experiment(), 0);
  Simulation& simulation = *translation.simulation;
  GoToFrame(bundle, frame, &simulation);
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
