#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/checked.h"
#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/kept_yardstick.h"
#include "experiments/claims/verify.h"
#include "experiments/comparison/ignored_material.h"
#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/mistakes.h"
#include "experiments/files/scene_notes.h"
#include "experiments/files/scene_summary.h"
#include "experiments/runs/run_cost.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/sweep.h"
#include "experiments/sweeps/sweep_cost.h"
#include "models/scene/number_text.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/step_limit.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

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
  for (const std::string& warning : plan.warnings) fmt::print("  warning: {}\n", warning);
}

void PrintSweep(const Sweep& sweep) {
  fmt::print("\nsweep: {} points, {} runs\n", sweep.points.size(),
             sweep.points.size() * sweep.base.backends.size());
  for (const VariedKey& varied : sweep.plan().vary) {
    std::string values;
    for (const FileValue& value : varied.values) values += " " + ValueText(value);
    fmt::print("  {} ={}\n", varied.key, values);
  }
  for (const std::string& note : sweep.notes) fmt::print("  note: {}\n", note);
  for (const std::string& warning : WarningsOf(sweep)) fmt::print("  warning: {}\n", warning);
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

// What a preparation of this backend is at, in a line where it takes long.
PreparationListener Shown(const Experiment& experiment, size_t index, Progress* progress) {
  return [label = experiment.backends[index].label, progress](std::string_view what, size_t done,
                                                              size_t of) {
    progress->Prepare(label, what, done, of);
  };
}

// Everything that needs no run; `mistakes` gets what is wrong.
Checked Check(const RunRequest& request, const std::filesystem::path& file, Mistakes* mistakes,
              Progress* progress) {
  const std::vector<std::string>& overrides = request.overrides;
  Checked checked;
  checked.experiment = ReadSoundPartsOf(file, overrides, request.backends, mistakes);
  const Experiment& experiment = checked.experiment;
  if (experiment.scene == nullptr) return checked;
  checked.is_sound = !mistakes->any();
  checked.notes = NotesOf(experiment, experiment.document->root);
  mistakes->Try([&] { RequireMeasurable(experiment); });
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    const CancelScope prepares({}, Shown(experiment, index, progress));
    checked.backends.emplace_back();
    mistakes->Try([&] { checked.backends.back() = TranslateFor(experiment, index); });
    progress->EndPreparation();
  }
  if (mistakes->any()) return checked;
  mistakes->Try([&] {
    if (request.backends.empty() && HasSearchPlan(experiment))
      checked.search = ReadSearchPlan(experiment);
  });
  mistakes->Try([&] {
    if (experiment.sweep == nullptr) return;
    checked.sweep = ReadSweep(file, overrides, request.backends);
    RequireTranslatable(*checked.sweep);
  });
  checked.memory = MemoryInUse();
  return checked;
}

// What may not be meant, though it is no mistake.
void PrintNotes(const std::vector<Mistake>& notes) {
  for (const Mistake& note : notes) fmt::print("note: {}\n", ToString(note));
}

void PrintScene(const Scene& scene) {
  fmt::print("scene {}: {} bodies, {} points, {} obstacles, dimension {}\n", scene.name,
             scene.bodies.size(), scene.PointCount(), scene.obstacles.size(), scene.dimension);
}

// Where the file gives it: what is refused has to be changed there or in the scene.
std::string PlaceOfBackend(const Experiment& experiment, const BackendChoice& choice) {
  return "[backends." + choice.label + "] at " +
         ToString(PlaceOf(experiment.document->root, "backends." + choice.label));
}

void PrintTranslation(const Experiment& experiment, size_t index, const Translation& translation) {
  const BackendChoice& choice = experiment.backends[index];
  fmt::print(
      "\n{} ({}), step {} s: {}\n", choice.label, choice.backend->info().title, choice.step,
      translation.simulation ? "runs" : "refused (" + PlaceOfBackend(experiment, choice) + ")");
  const std::vector<TranslatedElement> entries = translation.record.Entries();
  size_t width = 0;
  for (const TranslatedElement& entry : entries) width = std::max(width, entry.element.size());
  for (const TranslatedElement& entry : entries) {
    fmt::print("  {:<{}}  {:<12}  {}\n", entry.element, width, ToString(entry.fidelity),
               entry.reason);
  }
  for (const std::string& warning : translation.warnings) fmt::print("  warning: {}\n", warning);
  for (FindingTable table : TablesOfVariant(experiment, index)) {
    table.title += ", where its variant differs";
    PrintTable(table);
  }
  PrintStepLimits(translation);
  for (const FindingTable& table : translation.findings) PrintTable(table);
  fmt::print("  loses: {}\n", choice.backend->info().losses);
  // Planning a motion is part of it.
  fmt::print("  preparation: {} s of CPU time, {} s\n", ThreeDigits(translation.cpu_seconds),
             ThreeDigits(translation.wall_seconds));
}

// The first steps change the simulations: after everything that is said of their start.
void EstimateCosts(Checked* checked, Progress* progress) {
  for (size_t index = 0; index < checked->backends.size(); ++index) {
    Simulation* simulation = checked->backends[index]->simulation.get();
    checked->costs.emplace_back();
    if (simulation != nullptr) {
      const CancelScope prepares({}, Shown(checked->experiment, index, progress));
      checked->costs.back() = EstimateCost(checked->experiment, index, simulation);
      progress->EndPreparation();
    }
  }
}

// Where the reference is a yardstick that no earlier command has made.
void EstimateYardstick(const std::filesystem::path& out, Checked* checked) {
  const Experiment& experiment = checked->experiment;
  if (experiment.reference != kYardstick) return;
  try {
    FindYardstick(out / experiment.name, YardstickAddress(experiment));
    return;
  } catch (const FileError&) {  // none, or a damaged one
  }
  try {
    checked->yardstick = EstimateYardstickCost(experiment, checked->costs);
  } catch (const FileError& refused) {
    checked->no_yardstick = refused.what();
  }
}

void PrintYardstick(const Checked& checked, const std::filesystem::path& file) {
  if (checked.yardstick) {
    const auto& [least, most] = *checked.yardstick;
    const std::string of_most = most.runs == least.runs
                                    ? ""
                                    : fmt::format(", or with all levels {} in {} runs",
                                                  DurationText(most.seconds), most.runs);
    fmt::print(
        "estimate: yardstick: none of this scene is kept; `pliant yardstick {}` makes the "
        "reference "
        "first: {} of CPU time in {} runs{}\n",
        file.string(), DurationText(least.seconds), least.runs, of_most);
  }
  if (!checked.no_yardstick.empty()) fmt::print("warning: {}\n", checked.no_yardstick);
}

void PrintCosts(const Checked& checked, const std::filesystem::path& file) {
  fmt::print("\n");
  for (size_t index = 0; index < checked.costs.size(); ++index) {
    const std::optional<RunCost>& cost = checked.costs[index];
    if (!cost) continue;
    const std::string& label = checked.experiment.backends[index].label;
    if (!cost->step_seconds) {
      fmt::print("estimate: {}: none, its first steps do not advance: a run ends there\n", label);
      continue;
    }
    fmt::print(
        "estimate: {}: {} of CPU time in {} steps like the last ones tried, {} records of at most "
        "{}\n",
        label, DurationText(*cost->step_seconds), cost->steps, cost->records,
        BytesText(cost->record_bytes));
  }
  if (checked.sweep) {
    const std::optional<double> seconds = SweepSeconds(*checked.sweep, checked.costs);
    fmt::print(
        "estimate: these are times of the file's own point; the sweep has {}{}\n",
        checked.sweep->points.size(),
        seconds ? fmt::format(": {} of CPU time in {} runs, if every step costs as much; their {} "
                              "records, the table and the report come on top, 0.1 ms a record of "
                              "a few points to 1 ms of some hundreds",
                              DurationText(*seconds),
                              checked.sweep->points.size() * checked.sweep->base.backends.size(),
                              SweepRecords(*checked.sweep))
                : "");
  }
  PrintYardstick(checked, file);
  const Scene& scene = *checked.experiment.scene;
  const bool may_touch = scene.bodies.size() > 1 || !scene.obstacles.empty();
  const bool has_times = std::ranges::any_of(
      checked.costs, [](const auto& cost) { return cost && cost->step_seconds; });
  if (may_touch && has_times) {
    fmt::print(
        "estimate: a contact that begins later is not in these times; a step with contacts can "
        "take "
        "a hundred times as long or more\n");
  }
  fmt::print("estimate: memory: {} with everything prepared\n", BytesText(checked.memory));
}

void Print(const Checked& checked) {
  const Experiment& experiment = checked.experiment;
  fmt::print("{}: {}\n", experiment.name, experiment.title);
  PrintScene(*experiment.scene);
  PrintNotes(checked.notes);
  for (const FindingTable& table : TablesOf(*experiment.scene, experiment.probes))
    PrintTable(table);
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    if (checked.backends[index]) PrintTranslation(experiment, index, *checked.backends[index]);
  }
  const std::string ignored = WarnOfIgnoredMaterials(experiment, checked.backends);
  if (!ignored.empty()) fmt::print("\nwarning: {}\n", ignored);
  if (checked.search) PrintSearchPlan(*checked.search);
  if (checked.sweep) PrintSweep(*checked.sweep);
}

bool AnyTranslated(const Checked& checked) {
  return std::ranges::any_of(checked.backends, [](const auto& t) { return t.has_value(); });
}

// As of a run: the scene of which no backend can run.
bool AnyRuns(const Checked& checked) {
  return std::ranges::any_of(checked.backends,
                             [](const auto& t) { return t && t->simulation != nullptr; });
}

// Whether a run of one of them would end where it begins.
bool AnyStops(const Checked& checked) {
  return std::ranges::any_of(checked.costs,
                             [](const auto& cost) { return cost && !cost->step_seconds; });
}

// True if the file describes a scene (bodies) but no experiment that runs it.
bool IsSceneFile(const std::filesystem::path& file) {
  try {
    const FileValue root = ReadToml(file);
    return root.Find("body") != nullptr && root.Find("scene") == nullptr &&
           root.Find("backends") == nullptr;
  } catch (const FileError&) {
    return false;  // the caller that reads the file reports the error
  }
}

}  // namespace

int CheckCommand(const RunRequest& request, bool json) {
  const std::filesystem::path file = ExperimentNamed(request.file);
  InterruptWatch interrupt;
  interrupt.EndAtOnce(true);  // it writes nothing but its findings
  Progress progress(1);
  Mistakes mistakes;
  Checked checked;
  std::shared_ptr<const Scene> scene;
  const bool is_scene = IsSceneFile(file);
  if (is_scene) {
    if (!request.overrides.empty()) {
      throw BadInput({"", "a scene file is checked as it is", "--set changes an experiment"});
    }
    if (!request.backends.empty()) {
      throw BadInput({"", "a scene file has no backends", "check an experiment of this scene"});
    }
    mistakes.Try([&] {
      scene = std::make_shared<Scene>(ReadScene(file));
      checked.notes = NotesOf(*scene, ReadToml(file));
    });
  } else {
    checked = Check(request, file, &mistakes, &progress);
    scene = checked.experiment.scene;
  }
  const std::vector<Mistake> sorted = InOrder(mistakes.list(), file.string());
  if (json) {
    if (sorted.empty() && !is_scene) {
      EstimateCosts(&checked, &progress);
      EstimateYardstick(request.out, &checked);
    }
    fmt::print("{}\n", CheckedJson(scene.get(), checked, sorted));
    if (!sorted.empty()) return kBadUsage;
    return (checked.backends.empty() || AnyRuns(checked)) && !AnyStops(checked) ? kDone
                                                                                : kRunFailed;
  }
  if (!sorted.empty()) {
    if (checked.is_sound && AnyTranslated(checked)) Print(checked);
    throw FileError(sorted);
  }
  if (is_scene) {
    PrintScene(*scene);
    PrintNotes(checked.notes);
    for (const FindingTable& table : SummaryOf(*scene)) PrintTable(table);
  } else {
    Print(checked);
    EstimateCosts(&checked, &progress);
    EstimateYardstick(request.out, &checked);
    PrintCosts(checked, request.file);
    if (!AnyRuns(checked) || AnyStops(checked)) return kRunFailed;
  }
  return kDone;
}

}  // namespace pliant
