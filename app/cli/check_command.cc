#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/claims/verify.h"
#include "experiments/comparison/ignored_material.h"
#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"
#include "experiments/files/scene_summary.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/runs/run_cost.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/sweep.h"
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
}

void PrintSweep(const Sweep& sweep) {
  fmt::print("\nsweep: {} points, {} runs\n", sweep.points.size(),
             sweep.points.size() * sweep.base.backends.size());
  for (const VariedKey& varied : sweep.plan().vary) {
    std::string values;
    for (const FileValue& value : varied.values) values += " " + ValueText(value);
    fmt::print("  {} ={}\n", varied.key, values);
  }
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

// What a check found.
struct Checked {
  Experiment experiment;
  bool is_sound = false;  // the file alone; what is wrong is so for some backend
  std::vector<std::optional<Translation>> backends;  // of each that can be translated
  std::vector<std::optional<RunCost>> costs;         // of each backend that runs
  double memory = 0.0;                               // of all of them together, prepared [bytes]
  std::optional<SearchPlan> search;
  std::optional<Sweep> sweep;
};

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

// The tables that describe a scene and what is measured of it.
std::vector<FindingTable> TablesOf(const Scene& scene, const std::vector<Probe>& probes) {
  std::vector<FindingTable> tables = SummaryOf(scene);
  if (!probes.empty()) tables.push_back(TableOfProbes(scene, probes));
  return tables;
}

// What of these is otherwise in the variant that the backend at `index` runs.
std::vector<FindingTable> TablesOfVariant(const Experiment& experiment, size_t index) {
  if (experiment.backends[index].scene == nullptr) return {};
  return RowsNotIn(TablesOf(*experiment.scene, experiment.probes),
                   TablesOf(*SceneOf(experiment, index), ProbesOf(experiment, index)));
}

void PrintScene(const Scene& scene) {
  fmt::print("scene {}: {} bodies, {} points, {} obstacles, dimension {}\n", scene.name,
             scene.bodies.size(), scene.PointCount(), scene.obstacles.size(), scene.dimension);
}

void PrintTranslation(const Experiment& experiment, size_t index, const Translation& translation) {
  const BackendChoice& choice = experiment.backends[index];
  fmt::print("\n{} ({}), step {} s: {}\n", choice.label, choice.backend->info().title, choice.step,
             translation.simulation ? "runs" : "refused");
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

void PrintCosts(const Checked& checked) {
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

using nlohmann::ordered_json;

// Whether a run of one of them would end where it begins.
bool AnyStops(const Checked& checked) {
  return std::ranges::any_of(checked.costs,
                             [](const auto& cost) { return cost && !cost->step_seconds; });
}

ordered_json JsonOf(const std::vector<FindingTable>& tables) {
  ordered_json json = ordered_json::array();
  for (const FindingTable& table : tables) {
    ordered_json rows = ordered_json::array();
    for (const auto& row : table.rows) {
      ordered_json cells;
      for (size_t i = 0; i < row.size(); ++i) cells[table.columns[i]] = row[i];
      rows.push_back(std::move(cells));
    }
    json.push_back({{"title", table.title}, {"rows", std::move(rows)}, {"remark", table.remark}});
  }
  return json;
}

ordered_json JsonOf(const BackendChoice& choice, const Translation& translation) {
  ordered_json elements = ordered_json::array();
  for (const TranslatedElement& entry : translation.record.Entries()) {
    elements.push_back({{"element", entry.element},
                        {"fidelity", ToString(entry.fidelity)},
                        {"reason", entry.reason}});
  }
  return {{"label", choice.label},
          {"formulation", choice.backend->info().name},
          {"step_s", choice.step},
          {"runs", translation.simulation != nullptr},
          {"elements", std::move(elements)},
          {"variant", choice.variant},
          {"warnings", translation.warnings},
          {"findings", JsonOf(translation.findings)},
          {"losses", choice.backend->info().losses},
          {"preparation_cpu_s", translation.cpu_seconds},
          {"preparation_wall_s", translation.wall_seconds}};
}

ordered_json JsonOf(const std::vector<Mistake>& mistakes) {
  ordered_json json = ordered_json::array();
  for (const Mistake& mistake : mistakes) {
    const FileSource* source = mistake.place.source.get();
    const bool has_line = source != nullptr && !source->is_override;
    json.push_back({{"file", source == nullptr ? "" : source->name},
                    {"line", has_line ? ordered_json(mistake.place.line) : ordered_json()},
                    {"column", has_line ? ordered_json(mistake.place.column) : ordered_json()},
                    {"what", mistake.what},
                    {"mend", mistake.mend}});
  }
  return json;
}

// One object; the program for which it is meant need not know that a check fails.
int PrintJson(const Scene* scene, const Checked& checked, const std::vector<Mistake>& mistakes) {
  ordered_json json = {{"ok", mistakes.empty()}, {"mistakes", JsonOf(mistakes)}};
  if (mistakes.empty()) {
    json["scene"] = {{"name", scene->name},
                     {"dimension", scene->dimension},
                     {"points", scene->PointCount()},
                     {"tables", JsonOf(TablesOf(*scene, checked.experiment.probes))}};
    ordered_json backends = ordered_json::array();
    for (size_t i = 0; i < checked.backends.size(); ++i) {
      backends.push_back(JsonOf(checked.experiment.backends[i], *checked.backends[i]));
      if (checked.experiment.backends[i].scene != nullptr)
        backends.back()["tables"] = JsonOf(TablesOfVariant(checked.experiment, i));
      const std::optional<RunCost>& cost = checked.costs[i];
      if (!cost) continue;
      ordered_json estimate = {
          {"steps", cost->steps}, {"records", cost->records}, {"record_bytes", cost->record_bytes}};
      if (cost->step_seconds) estimate["cpu_s"] = *cost->step_seconds;
      backends.back()["estimate"] = std::move(estimate);
    }
    json["backends"] = std::move(backends);
    json["memory_bytes"] = checked.memory;
    if (checked.sweep) {
      json["sweep"] = {{"points", checked.sweep->points.size()},
                       {"warnings", WarningsOf(*checked.sweep)}};
    }
  }
  fmt::print("{}\n", json.dump(2));
  if (!mistakes.empty()) return kBadUsage;
  return (checked.backends.empty() || AnyRuns(checked)) && !AnyStops(checked) ? kDone : kRunFailed;
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
    mistakes.Try([&] { scene = std::make_shared<Scene>(ReadScene(file)); });
  } else {
    checked = Check(request, file, &mistakes, &progress);
    scene = checked.experiment.scene;
  }
  const std::vector<Mistake> sorted = InOrder(mistakes.list(), file.string());
  if (json) {
    if (sorted.empty()) EstimateCosts(&checked, &progress);
    return PrintJson(scene.get(), checked, sorted);
  }
  if (!sorted.empty()) {
    if (checked.is_sound && AnyTranslated(checked)) Print(checked);
    throw FileError(sorted);
  }
  if (is_scene) {
    PrintScene(*scene);
    for (const FindingTable& table : SummaryOf(*scene)) PrintTable(table);
  } else {
    Print(checked);
    EstimateCosts(&checked, &progress);
    PrintCosts(checked);
    if (!AnyRuns(checked) || AnyStops(checked)) return kRunFailed;
  }
  return kDone;
}

}  // namespace pliant
