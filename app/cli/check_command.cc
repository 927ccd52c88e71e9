#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/output.h"
#include "experiments/claims/verify.h"
#include "experiments/files/experiment.h"
#include "experiments/files/scene_summary.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/sweep.h"
#include "models/scene/number_text.h"
#include "solvers/step_limit.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

void PrintSearchPlan(const SearchPlan& plan) {
  fmt::print("\noptimize: {} searches of {} trials by {}\n", plan.searches.size(), plan.trials,
             plan.experiment.backends[plan.backend].label);
  const auto problem = plan.Problem();
  const MotionNumbers& numbers = problem->numbers();
  for (size_t i = 0; i < numbers.names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    fmt::print("  {} = {}, between {} and {}\n", numbers.names[i], numbers.start[k],
               numbers.lower[k], numbers.upper[k]);
  }
}

void PrintSweep(const Sweep& sweep) {
  fmt::print("\nsweep: {} points, {} runs\n", sweep.points.size(),
             sweep.points.size() * sweep.base.backends.size());
  for (const VariedKey& varied : sweep.plan().vary) {
    std::string values;
    for (const FileValue& value : varied.values) values += " " + ValueText(value);
    fmt::print("  {} ={}\n", varied.key, values);
  }
}

void PrintStepLimits(const Translation& translation) {
  if (translation.simulation == nullptr) return;
  const StepLimited* limited = translation.simulation->AsStepLimited();
  if (limited == nullptr) return;
  for (const StepLimit& limit : limited->StepLimits()) {
    if (!std::isfinite(limit.step)) continue;  // no spring or damper that limits it
    fmt::print("  step: {} is stable below about {} s\n", limit.of, ThreeDigits(limit.step));
  }
}

}  // namespace

int CheckCommand(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const Experiment experiment = ReadExperiment(ExperimentNamed(file), overrides);
  RequireMeasurable(experiment);
  const Scene& scene = *experiment.scene;
  fmt::print("{}: {}\n", experiment.name, experiment.title);
  fmt::print("scene {}: {} bodies, {} points, {} obstacles, dimension {}\n", scene.name,
             scene.bodies.size(), scene.PointCount(), scene.obstacles.size(), scene.dimension);
  for (const FindingTable& table : SummaryOf(scene)) PrintTable(table);
  if (!experiment.probes.empty()) PrintTable(TableOfProbes(scene, experiment.probes));
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    const BackendChoice& choice = experiment.backends[index];
    const Clock::time_point began = Clock::now();
    const Translation translation = TranslateFor(experiment, index);
    const std::chrono::duration<double> prepared = Clock::now() - began;
    fmt::print("\n{} ({}), step {} s: {}\n", choice.label, choice.backend->info().title,
               choice.step, translation.simulation ? "runs" : "refused");
    const std::vector<TranslatedElement> entries = translation.record.Entries();
    size_t width = 0;
    for (const TranslatedElement& entry : entries) width = std::max(width, entry.element.size());
    for (const TranslatedElement& entry : entries) {
      fmt::print("  {:<{}}  {:<12}  {}\n", entry.element, width, ToString(entry.fidelity),
                 entry.reason);
    }
    for (const std::string& warning : translation.warnings) fmt::print("  warning: {}\n", warning);
    PrintStepLimits(translation);
    for (const FindingTable& table : translation.findings) PrintTable(table);
    fmt::print("  loses: {}\n", choice.backend->info().losses);
    // Planning a motion is part of it.
    fmt::print("  preparation: {} s of CPU time, {} s\n", ThreeDigits(translation.cpu_seconds),
               ThreeDigits(prepared.count()));
  }
  if (HasSearchPlan(experiment)) PrintSearchPlan(ReadSearchPlan(experiment));
  if (experiment.sweep != nullptr) {
    const Sweep sweep = ReadSweep(file, overrides);
    RequireTranslatable(sweep);
    PrintSweep(sweep);
  }
  return kDone;
}

}  // namespace pliant
