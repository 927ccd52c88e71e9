// verify --invariance: the same scene, seen otherwise.

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/claims/invariance.h"
#include "experiments/files/listing.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string InWords(const SeenOtherwise& seen) {
  if (seen.sameness == Sameness::kNotSeen) return "not seen: " + seen.why;
  const std::string distance = ThreeDigits(seen.distance) + " m";
  if (seen.sameness == Sameness::kSame) return "same, " + distance;
  const std::string since = " at most, more than rounding since " + ThreeDigits(seen.since) + " s";
  if (seen.sameness == Sameness::kExplained) {
    return fmt::format("explained by {}, {}{}; {} m with {}", seen.cause.name, distance, since,
                       ThreeDigits(seen.without), seen.cause.otherwise);
  }
  return fmt::format("{}, {}{}", ToString(seen.sameness), distance, since);
}

// One line for each view, then the causes; returns whether none differs without a cause.
bool Print(const Invariance& invariance) {
  if (!invariance.refused.empty()) {
    fmt::print("{}: unsupported: {}\n", invariance.label, invariance.refused);
    return true;
  }
  fmt::print("{}:\n", invariance.label);
  bool good = true;
  std::map<std::string, std::string> causes;
  for (const SeenOtherwise& seen : invariance.views) {
    fmt::print("  {:<46}{}\n", seen.view, InWords(seen));
    if (seen.sameness == Sameness::kExplained) causes[seen.cause.name] = seen.cause.why;
    good = good && seen.sameness != Sameness::kDiffers;
  }
  for (const auto& [cause, why] : causes) fmt::print("  {}: {}\n", cause, why);
  if (!good) {
    fmt::print("  loses: {}\n", invariance.losses);
    for (const std::string& warning : invariance.warnings) fmt::print("  warning: {}\n", warning);
  }
  return good;
}

}  // namespace

int InvarianceCommand(const std::vector<std::filesystem::path>& files, bool all, bool shortly,
                      const RunRequest& request) {
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::path& file : files) paths.push_back(ExperimentNamed(file));
  if (all) {
    for (const ListedFile& listed : ListExperiments(Home() / "experiments"))
      paths.push_back(listed.file);
  }
  if (paths.empty()) throw BadInput({"FILE", "nothing to verify", "name experiment files"});
  std::vector<Experiment> experiments;
  for (const std::filesystem::path& path : paths) {
    experiments.push_back(ReadExperiment(path, OverridesOf(request)));
    if (shortly) Shorten(&experiments.back().plan);
    KeepBackends(&experiments.back(), request.backends);
    for (size_t i = 0; i < experiments.back().backends.size(); ++i)
      TranslateFor(experiments.back(), i);
  }
  const InterruptWatch interrupt;
  size_t parts = 0;
  for (const Experiment& experiment : experiments) parts += experiment.backends.size();
  Progress progress(static_cast<int>(parts));
  bool good = true;
  for (const Experiment& experiment : experiments) {
    fmt::print("{}: {}\n", experiment.name, experiment.title);
    for (size_t i = 0; i < experiment.backends.size(); ++i) {
      progress.Begin(experiment.name + " " + experiment.backends[i].label);
      const Invariance invariance = CheckInvariance(
          experiment, i, interrupt.token(), [&](double fraction) { progress.Update(fraction); });
      if (interrupt.token().stop_requested()) return kRunFailed;
      progress.End("checked");
      good = Print(invariance) && good;
      std::fflush(stdout);
    }
  }
  return good ? kDone : kRunFailed;
}

}  // namespace pliant
