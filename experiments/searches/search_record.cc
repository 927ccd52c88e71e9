#include "experiments/searches/search_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/bundles/build_info.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/json_text.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/distribution.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/trial_rows.h"

namespace pliant {
namespace {

void WriteHistory(const std::filesystem::path& path, const SearchRecord& record) {
  CsvWriter csv(path, TrialColumns(record));
  for (size_t s = 0; s < record.histories.size(); ++s) {
    std::int64_t evaluation = 0;
    for (const Trial& trial : record.histories[s].trials) csv.Row(RowOf(s, ++evaluation, trial));
  }
  csv.Close();
}

// null where there is none or it is infinite.
Json NumberToJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// null where it is not known.
Json DirtyToJson(const std::string& dirty) {
  return dirty == "true" || dirty == "false" ? Json(dirty == "true") : Json(nullptr);
}

// How many trials were decided how.
Json DecisionsToJson(const SearchHistory& history) {
  constexpr const char* kWords[kDecisions] = {"start", "not_worse", "by_chance",
                                              "worse", "no_chance", "failed"};
  Json json = Json::object();
  for (int d = 0; d < kDecisions; ++d) {
    json[kWords[d]] = std::count_if(
        history.trials.begin(), history.trials.end(),
        [d](const Trial& trial) { return trial.decision == static_cast<Decision>(d); });
  }
  return json;
}

Json SearchToJson(const RecordedSearch& search, const SearchHistory& history, size_t number) {
  const auto count = [&](auto holds) {
    return std::count_if(history.trials.begin(), history.trials.end(), holds);
  };
  Json json;
  json["search"] = number;
  json["label"] = search.label;
  json["method"] = search.method;
  json["seed"] = search.seed;
  json["evaluations"] = history.trials.size();
  json["accepted"] = count([](const Trial& trial) { return trial.accepted; });
  json["failed"] = count([](const Trial& trial) { return !trial.score.failure.empty(); });
  json["cancelled"] = history.cancelled;
  json["decisions"] = DecisionsToJson(history);
  json["first_temperature"] = nullptr;
  json["last_temperature"] = nullptr;
  for (const Trial& trial : history.trials) {
    if (!trial.temperature) continue;
    if (json["first_temperature"].is_null()) json["first_temperature"] = *trial.temperature;
    json["last_temperature"] = *trial.temperature;
  }
  json["start_cost"] =
      NumberToJson(history.trials.empty() ? INFINITY : RecordedCost(history.trials.front()));
  const Trial* best = history.Best();
  json["best_cost"] = NumberToJson(best == nullptr ? INFINITY : RecordedCost(*best));
  json["best_evaluation"] =
      best == nullptr ? Json(nullptr) : Json(best - history.trials.data() + 1);
  if (search.best_sunk) json["best_sunk_m"] = *search.best_sunk;
  return json;
}

Json MotionToJson(const SearchRecord& record, const Trial& trial) {
  Json json;
  json["cost"] = NumberToJson(RecordedCost(trial));
  Json measures = Json::object(), numbers = Json::object();
  for (size_t i = 0; i < record.terms.size(); ++i) {
    measures[record.terms[i]] = NumberToJson(trial.score.terms[i]);
  }
  for (size_t i = 0; i < record.numbers.size(); ++i) {
    numbers[record.numbers[i]] = trial.numbers[static_cast<Eigen::Index>(i)];
  }
  json["measures"] = std::move(measures);
  json["numbers"] = std::move(numbers);
  return json;
}

Json DistributionToJson(const MethodDistribution& distribution) {
  return {{"label", distribution.label},
          {"searches", distribution.searches},
          {"planned", distribution.planned},
          {"cut_short", distribution.cut_short},
          {"succeeded", distribution.succeeded},
          {"success_rate", distribution.success_rate()},
          {"success_interval",
           {distribution.success_interval().lower, distribution.success_interval().upper}},
          {"best", NumberToJson(distribution.best)},
          {"lower_quartile", NumberToJson(distribution.lower_quartile)},
          {"median", NumberToJson(distribution.median)},
          {"upper_quartile", NumberToJson(distribution.upper_quartile)},
          {"worst", NumberToJson(distribution.worst)},
          {"median_violation", NumberToJson(distribution.median_violation)},
          {"median_evaluations", distribution.median_trials},
          {"median_seconds", distribution.median_seconds}};
}

Json OtherToJson(const SearchRecord& record, const RecordedOther& other) {
  Json measures = Json::object();
  for (size_t i = 0; i < record.terms.size() && i < other.score.terms.size(); ++i) {
    measures[record.terms[i]] = NumberToJson(other.score.terms[i]);
  }
  return {{"label", other.label},
          {"cost", NumberToJson(other.score.cost)},
          {"violation", NumberToJson(other.score.violation)},
          {"worst", other.score.worst},
          {"failure", other.score.failure},
          {"seconds", other.seconds},
          {"measures", std::move(measures)}};
}

RecordedOther OtherOf(const Json& json, const std::vector<std::string>& terms) {
  const auto number = [&](const char* key) {
    return json.at(key).is_null() ? INFINITY : json.at(key).get<double>();
  };
  RecordedOther other;
  other.label = json.at("label").get<std::string>();
  other.score.cost = number("cost");
  other.score.violation = number("violation");
  other.score.worst = json.at("worst").get<std::string>();
  other.score.failure = json.at("failure").get<std::string>();
  other.seconds = number("seconds");
  const Json& measures = json.at("measures");
  for (const std::string& term : terms) {
    const bool defined = measures.contains(term) && !measures.at(term).is_null();
    other.score.terms.push_back(defined ? measures.at(term).get<double>()
                                        : std::numeric_limits<double>::quiet_NaN());
  }
  return other;
}

Json FailuresToJson(const SearchRecord& record) {
  Json failures = Json::array();
  for (size_t s = 0; s < record.histories.size(); ++s) {
    const std::vector<Trial>& trials = record.histories[s].trials;
    for (size_t t = 0; t < trials.size(); ++t) {
      if (trials[t].score.failure.empty()) continue;
      failures.push_back(
          {{"search", s + 1}, {"evaluation", t + 1}, {"why", trials[t].score.failure}});
    }
  }
  return failures;
}

void RequireBounds(const SearchRecord& record, const std::filesystem::path& path) {
  if (record.lower.size() == record.numbers.size() && record.upper.size() == record.numbers.size())
    return;
  throw FileError(path.string() + ": damaged: its numbers and their bounds are not as many");
}

void ReadHistory(const std::filesystem::path& path, SearchRecord* record) {
  const CsvTable table = ReadCsv(path);
  if (table.names != TrialColumns(*record)) {
    throw FileError(path.string() + ":1: the columns are not those of " + kSearchFile);
  }
  for (const TrialRow& row : table.rows) AddTrialOf(row, path.string(), record);
}

void ReadFailures(const Json& failures, SearchRecord* record) {
  for (const Json& failure : failures) {
    auto& trials = record->histories.at(WholeFromJson<size_t>(failure.at("search")) - 1).trials;
    trials.at(WholeFromJson<size_t>(failure.at("evaluation")) - 1).score.failure =
        failure.at("why").get<std::string>();
  }
}

}  // namespace

void WriteSearchRecord(const std::filesystem::path& folder, const SearchRecord& record) {
  WriteHistory(folder / kHistoryFile, record);
  size_t evaluations = 0;
  for (const SearchHistory& history : record.histories) evaluations += history.trials.size();
  Json json;
  json["experiment"] = record.experiment;
  json["title"] = record.title;
  json["outcome"] = record.outcome;
  json["version"] = ThisBuild().version;
  json["commit"] = ThisBuild().commit;
  json["dirty"] = DirtyToJson(ThisBuild().dirty);
  json["started"] = record.started;
  json["finished"] = record.finished;
  json["wall_seconds"] = record.wall_seconds;
  json["threads"] = record.threads;
  json["evaluations"] = evaluations;
  json["measures"] = record.terms;
  json["numbers"] = record.numbers;
  if (!record.lower.empty()) {
    json["lower_bounds"] = record.lower;
    json["upper_bounds"] = record.upper;
  }
  json["has_conditions"] = record.has_conditions;
  Json searches = Json::array();
  for (size_t s = 0; s < record.searches.size(); ++s) {
    searches.push_back(SearchToJson(record.searches[s], record.histories[s], s + 1));
  }
  json["searches"] = std::move(searches);
  const auto best = BestOf(record.histories);
  json["start"] = nullptr;
  for (const SearchHistory& history : record.histories) {
    if (history.trials.empty()) continue;
    json["start"] = MotionToJson(record, history.trials.front());
    break;
  }
  json["best"] = nullptr;
  if (best) {
    json["best"] = MotionToJson(record, record.histories[best->search].trials[best->trial]);
    json["best"]["search"] = best->search + 1;
    json["best"]["evaluation"] = best->trial + 1;
  }
  json["distributions"] = Json::array();
  for (const MethodDistribution& distribution : Distributions(record)) {
    json["distributions"].push_back(DistributionToJson(distribution));
  }
  json["against"] = Json::array();
  for (const RecordedOther& other : record.others) {
    json["against"].push_back(OtherToJson(record, other));
  }
  json["failures"] = FailuresToJson(record);
  WriteFile(folder / kSearchFile, json.dump(2) + "\n");
}

SearchRecord ReadSearchRecord(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kSearchFile;
  SearchRecord record;
  try {
    const Json json = ParseJson(ReadFile(path), path);
    record.experiment = json.at("experiment").get<std::string>();
    record.title = json.at("title").get<std::string>();
    record.outcome = json.at("outcome").get<std::string>();
    record.started = json.at("started").get<std::string>();
    record.finished = json.at("finished").get<std::string>();
    record.wall_seconds = json.at("wall_seconds").get<double>();
    record.threads = WholeFromJson<int>(json.at("threads"));
    record.terms = json.at("measures").get<std::vector<std::string>>();
    record.numbers = json.at("numbers").get<std::vector<std::string>>();
    if (json.contains("lower_bounds")) {
      record.lower = json.at("lower_bounds").get<std::vector<double>>();
      record.upper = json.at("upper_bounds").get<std::vector<double>>();
      RequireBounds(record, path);
    }
    record.has_conditions = json.value("has_conditions", true);  // older ones do not say
    for (const Json& search : json.at("searches")) {
      record.searches.push_back({search.at("label").get<std::string>(),
                                 search.at("method").get<std::string>(),
                                 WholeFromJson<std::uint64_t>(search.at("seed"))});
      if (search.contains("best_sunk_m"))
        record.searches.back().best_sunk = search.at("best_sunk_m").get<double>();
      record.histories.emplace_back().cancelled = search.at("cancelled").get<bool>();
    }
    for (const Json& other : json.at("against"))
      record.others.push_back(OtherOf(other, record.terms));
    ReadHistory(folder / kHistoryFile, &record);
    ReadFailures(json.at("failures"), &record);
  } catch (const nlohmann::json::exception& error) {
    throw FileError(path.string() + ": damaged: " + error.what());
  } catch (const std::out_of_range&) {
    throw FileError(path.string() + ": damaged: it lists a failed trial that " + kHistoryFile +
                    " does not contain");
  }
  return record;
}

}  // namespace pliant
