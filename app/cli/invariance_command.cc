// verify --invariance: the same scene, seen otherwise.

#include <fmt/format.h>

#include <cstdio>

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

// One line for each view; returns whether none differs.
bool Print(const Invariance& invariance) {
  if (!invariance.refused.empty()) {
    fmt::print("{}: unsupported: {}\n", invariance.label, invariance.refused);
    return true;
  }
  fmt::print("{}:\n", invariance.label);
  bool good = true;
  for (const SeenOtherwise& seen : invariance.views) {
    std::string words(ToString(seen.sameness));
    if (seen.sameness == Sameness::kNotSeen) {
      words += ": " + seen.why;
    } else {
      words += ", " + ThreeDigits(seen.distance) + " m";
    }
    const bool by_tolerance = seen.sameness == Sameness::kByTolerance;
    if (by_tolerance) words += ", " + ThreeDigits(seen.finer) + " m with a quarter of it";
    if (by_tolerance || seen.sameness == Sameness::kDiffers ||
        seen.sameness == Sameness::kChaotic) {
      words += " at most, more than rounding since " + ThreeDigits(seen.since) + " s";
    }
    fmt::print("  {:<46}{}\n", seen.view, words);
    good = good && seen.sameness != Sameness::kDiffers;
  }
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
      Invariance invariance = CheckInvariance(experiment, i, interrupt.token(),
                                              [&](double fraction) { progress.Update(fraction); });
      ExplainByTolerance(experiment, i, interrupt.token(), &invariance);
      if (interrupt.token().stop_requested()) return kRunFailed;
      progress.End("checked");
      good = Print(invariance) && good;
      std::fflush(stdout);
    }
  }
  return good ? kDone : kRunFailed;
}

}  // namespace pliant
