#include "experiments/bundles/documents.h"

#include <array>
#include <string_view>
#include <unordered_set>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/json_text.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"

namespace pliant {
namespace {

constexpr std::array kFidelities = {Fidelity::kExact, Fidelity::kApproximated, Fidelity::kIgnored,
                                    Fidelity::kUnsupported};

std::optional<double> NumberFromJson(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json.is_string()) {
    if (const auto value = ParseNumber(json.get<std::string>())) return value;
  }
  return json.get<double>();
}

// The enumerator that is spelled `word`.
template <typename Enum, size_t n>
Enum FromWord(const std::array<Enum, n>& all, const std::string& word,
              const std::filesystem::path& path) {
  for (Enum value : all) {
    if (ToString(value) == word) return value;
  }
  throw FileError(path.string() + ": damaged: unknown word '" + word + "'");
}

// Reads `path` as JSON and passes it to `read`; any mismatch is an error of the file.
template <typename Read>
auto FromJsonFile(const std::filesystem::path& path, const Read& read) {
  try {
    return read(ParseJson(ReadFile(path), path));
  } catch (const nlohmann::json::exception& error) {
    throw FileError(path.string() + ": damaged: " + error.what());
  }
}

}  // namespace

void WriteTranslation(const std::filesystem::path& path, const TranslationDocument& document) {
  Json elements = Json::array();
  for (const TranslatedElement& entry : document.elements) {
    elements.push_back({{"element", entry.element},
                        {"fidelity", ToString(entry.fidelity)},
                        {"reason", entry.reason}});
  }
  Json findings = Json::array();
  for (const FindingTable& table : document.findings) {
    findings.push_back({{"title", table.title},
                        {"columns", table.columns},
                        {"rows", table.rows},
                        {"remark", table.remark}});
  }
  WriteFile(path,
            Json({{"elements", elements}, {"warnings", document.warnings}, {"findings", findings}})
                    .dump(2) +
                "\n");
}

TranslationDocument ReadTranslation(const std::filesystem::path& path) {
  return FromJsonFile(path, [&](const Json& json) {
    TranslationDocument document;
    for (const Json& entry : json.at("elements")) {
      document.elements.push_back({entry.at("element"),
                                   FromWord(kFidelities, entry.at("fidelity"), path),
                                   entry.at("reason")});
    }
    document.warnings = json.at("warnings");
    for (const Json& table : json.value("findings", Json::array())) {
      document.findings.push_back(
          {table.at("title"), table.at("columns"), table.at("rows"), table.at("remark")});
    }
    return document;
  });
}

void WriteSummary(const std::filesystem::path& path, const RunOutcome& outcome,
                  const std::vector<HeadlineFigure>& figures) {
  Json json = {{"outcome",
                {{"kind", ToString(outcome.kind)},
                 {"step", outcome.step},
                 {"time_s", NumberToJson(outcome.time)},
                 {"quantity", outcome.quantity},
                 {"reason", outcome.reason},
                 {"not_converged_steps", outcome.not_converged_steps},
                 {"unmet_constraints", outcome.unmet_count},
                 {"energy_at_stake_J", NumberToJson(outcome.energy_at_stake)},
                 {"steps_wall_s", NumberToJson(outcome.wall_seconds)},
                 {"steps_cpu_s", NumberToJson(outcome.cpu_seconds)},
                 {"preparation_cpu_s", NumberToJson(outcome.preparation_seconds)},
                 {"preparation_wall_s", NumberToJson(outcome.preparation_wall_seconds)}}},
               {"events", Json::array()},
               {"unmet_constraints", Json::array()},
               {"figures", Json::object()}};
  if (outcome.sunk) {
    json["outcome"]["sunk"] = {{"body", outcome.sunk->body},
                               {"obstacle", outcome.sunk->obstacle},
                               {"other_body", outcome.sunk->other},
                               {"depth_m", NumberToJson(outcome.sunk->depth)},
                               {"share_of_size", NumberToJson(outcome.sunk->share)},
                               {"time_s", NumberToJson(outcome.sunk->time)}};
  }
  for (const SimulationEvent& event : outcome.events) {
    json["events"].push_back({{"time_s", NumberToJson(event.time)}, {"what", event.what}});
  }
  for (const UnmetConstraint& unmet : outcome.unmet) {
    json["unmet_constraints"].push_back(
        {{"name", unmet.name}, {"size", NumberToJson(unmet.size)}, {"unit", unmet.unit}});
  }
  // Without the search of every name among those before it.
  auto& table = json["figures"].get_ref<Json::object_t&>();
  std::unordered_set<std::string_view> written;
  for (const HeadlineFigure& figure : figures) {
    if (written.insert(figure.name).second) {
      table.push_back({figure.name, NumberToJson(figure.value)});
    }
  }
  WriteFile(path, json.dump(2) + "\n");
}

SummaryDocument ReadSummary(const std::filesystem::path& path) {
  return FromJsonFile(path, [&](const Json& json) {
    SummaryDocument document;
    const Json& outcome = json.at("outcome");
    document.outcome.kind = FromWord(kAllOutcomes, outcome.at("kind"), path);
    document.outcome.step = WholeFromJson<std::int64_t>(outcome.at("step"));
    document.outcome.time = NumberFromJson(outcome.at("time_s")).value_or(0.0);
    document.outcome.quantity = outcome.at("quantity");
    document.outcome.reason = outcome.at("reason");
    document.outcome.not_converged_steps =
        WholeFromJson<std::int64_t>(outcome.at("not_converged_steps"));
    const auto number = [&outcome](const char* key) { return NumberFromJson(outcome.at(key)); };
    document.outcome.energy_at_stake = number("energy_at_stake_J");
    document.outcome.wall_seconds = number("steps_wall_s").value_or(0.0);
    document.outcome.cpu_seconds = number("steps_cpu_s").value_or(0.0);
    document.outcome.preparation_seconds = number("preparation_cpu_s").value_or(0.0);
    if (outcome.contains("preparation_wall_s")) {  // not in earlier bundles
      document.outcome.preparation_wall_seconds = number("preparation_wall_s").value_or(0.0);
    }
    if (outcome.contains("sunk")) {
      const Json& sunk = outcome.at("sunk");
      const auto of = [&sunk](const char* key) {
        return NumberFromJson(sunk.at(key)).value_or(0.0);
      };
      document.outcome.sunk =
          Sunk{sunk.at("body"), sunk.at("obstacle"), sunk.value("other_body", std::string()),
               of("depth_m"),   of("share_of_size"), of("time_s")};
    }
    for (const Json& event : json.value("events", Json::array())) {
      document.outcome.events.push_back(
          {NumberFromJson(event.at("time_s")).value_or(0.0), event.at("what")});
    }
    if (outcome.contains("unmet_constraints"))  // not in earlier bundles
      document.outcome.unmet_count = WholeFromJson<std::int64_t>(outcome.at("unmet_constraints"));
    for (const Json& unmet : json.value("unmet_constraints", Json::array())) {
      document.outcome.unmet.push_back(
          {unmet.at("name"), NumberFromJson(unmet.at("size")).value_or(0.0), unmet.at("unit")});
    }
    for (const auto& [name, value] : json.at("figures").items()) {
      document.figures[name] = NumberFromJson(value);
    }
    return document;
  });
}

}  // namespace pliant
