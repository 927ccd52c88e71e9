#include <nlohmann/json.hpp>

#include "app/cli/checked.h"
#include "experiments/comparison/ignored_material.h"
#include "experiments/files/scene_summary.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/sweep_cost.h"

namespace pliant {
namespace {

using nlohmann::ordered_json;

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

}  // namespace

std::vector<FindingTable> TablesOf(const Scene& scene, const std::vector<Probe>& probes) {
  std::vector<FindingTable> tables = SummaryOf(scene);
  if (!probes.empty()) tables.push_back(TableOfProbes(scene, probes));
  return tables;
}

std::vector<FindingTable> TablesOfVariant(const Experiment& experiment, size_t index) {
  if (experiment.backends[index].scene == nullptr) return {};
  return RowsNotIn(TablesOf(*experiment.scene, experiment.probes),
                   TablesOf(*SceneOf(experiment, index), ProbesOf(experiment, index)));
}

std::string CheckedJson(const Scene* scene, const Checked& checked,
                        const std::vector<Mistake>& mistakes) {
  ordered_json json = {
      {"ok", mistakes.empty()}, {"mistakes", JsonOf(mistakes)}, {"notes", JsonOf(checked.notes)}};
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
    if (checked.experiment.scene != nullptr) {
      const std::string ignored = WarnOfIgnoredMaterials(checked.experiment, checked.backends);
      json["warnings"] = ordered_json::array();
      for (const std::string& warning : {ignored, checked.no_yardstick}) {
        if (!warning.empty()) json["warnings"].push_back(warning);
      }
    }
    if (checked.yardstick) {
      const auto& [least, most] = *checked.yardstick;
      json["yardstick"] = {{"least_cpu_s", least.seconds},
                           {"least_runs", least.runs},
                           {"most_cpu_s", most.seconds},
                           {"most_runs", most.runs}};
    }
    json["memory_bytes"] = checked.memory;
    if (checked.search) json["search"] = {{"warnings", checked.search->warnings}};
    if (checked.sweep) {
      json["sweep"] = {{"points", checked.sweep->points.size()},
                       {"warnings", WarningsOf(*checked.sweep)}};
      if (const auto seconds = SweepSeconds(*checked.sweep, checked.costs)) {
        json["sweep"]["cpu_s"] = *seconds;
      }
    }
  }
  return json.dump(2);
}

}  // namespace pliant
