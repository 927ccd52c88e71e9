// inspect: the matrices and vectors of a formulation at one recorded time of a run.

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "experiments/bundles/inspection.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// As many as a reader takes in.
constexpr Eigen::Index kShownRows = 24, kShownColumns = 12;

}  // namespace

int InspectCommand(const std::filesystem::path& path, std::optional<double> time,
                   const std::filesystem::path& out) {
  const Bundle bundle = Bundle::Open(path);
  if (time) RequireRecorded(bundle, *time);
  const Inspection seen = Inspect(bundle, NearestFrame(bundle, time));
  fmt::print("{} of {} at {} s{}\n\n", seen.label, seen.experiment, RoundTrip(seen.time),
             time && seen.time != *time ? ", the nearest record" : "");
  for (const NamedArray& array : seen.arrays) {
    fmt::print("{}\n", TextOf(array, kShownRows, kShownColumns));
  }
  if (seen.arrays.empty()) fmt::print("{} shows no arrays\n", seen.backend);
  if (out.empty()) return kDone;
  WriteInspection(out, seen);
  fmt::print("{}\n", out.string());
  return kDone;
}

}  // namespace pliant
