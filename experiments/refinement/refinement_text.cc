// The results of a ladder for a terminal and as JSON.

#include <algorithm>
#include <set>

#include "experiments/bundles/json_numbers.h"
#include "experiments/bundles/json_text.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/chosen_figures.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/refinement/record_spacing.h"
#include "experiments/refinement/refinement.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string Short(const std::optional<double>& value) { return value ? Digits(*value, 4) : "–"; }

Json ConvergenceJson(const Convergence& c) {
  Json pairwise = Json::array();
  for (const auto& order : c.pairwise_orders) pairwise.push_back(NumberToJson(order));
  return {{"trend", ToString(c.trend)},
          {"limit", NumberToJson(c.value)},
          {"band", NumberToJson(c.band)},
          {"order", NumberToJson(c.order)},
          {"pairwise_orders", pairwise},
          {"monotone", c.monotone()},
          {"asymptotic", c.asymptotic ? Json(*c.asymptotic) : Json(nullptr)}};
}

std::vector<std::optional<double>> FigureOnRungs(const RefinedRun& run, size_t figure) {
  std::vector<std::optional<double>> values;
  for (const auto& of_rung : run.figures) values.push_back(of_rung[figure]);
  return values;
}

Json ValuesJson(const std::vector<std::optional<double>>& values) {
  Json json = Json::array();
  for (const auto& value : values) json.push_back(NumberToJson(value));
  return json;
}

// The outcome at the file's size, and how it was on the rungs, coarsest first.
std::vector<std::string> OutcomeLine(const Refinement& refinement, const RefinedRun& run) {
  std::string on_rungs;
  bool same = true;
  for (const RunOutcome& outcome : run.outcomes) {
    on_rungs += (on_rungs.empty() ? "" : ", ") + std::string(ToString(outcome.kind));
    same = same && outcome.kind == run.outcomes.front().kind;
  }
  return {run.label, "outcome", std::string(ToString(run.outcomes[refinement.file_rung].kind)), "–",
          "–",       "–",       same ? "on every rung" : "coarsest first: " + on_rungs};
}

// Do all rungs that count have the same numbers, bit for bit? Then the axis changes nothing that is recorded.
bool SameOnAllRungs(const Refinement& refinement, const RefinedRun& run) {
  for (size_t rung = run.first; rung + 1 < run.rungs(); ++rung) {
    const std::vector<SeriesRow>&coarse = run.rows[rung], &fine = run.rows[rung + 1];
    if (coarse.size() != fine.size()) return false;
    for (size_t c = 0; c < run.columns.size(); ++c) {
      if (IsCost(run.columns[c].name)) continue;
      for (size_t i = 0; i < coarse.size(); ++i) {
        if (coarse[i][c] != fine[i][c]) return false;
      }
    }
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      if (IsCost(refinement.figures[f].name)) continue;
      if (run.figures[rung][f] != run.figures[rung + 1][f]) return false;
    }
  }
  return run.first + 1 < run.rungs();
}

Json RunJson(const Refinement& refinement, const RefinedRun& run) {
  Json of_records = Json::object();
  for (const FigureOfRecords& figure : FiguresOfRecords(refinement, run))
    of_records[figure.name] = NumberToJson(figure.sparse);
  Json outcomes = Json::array(), bundles = Json::array(), figures = Json::array(),
       columns = Json::array();
  for (const RunOutcome& outcome : run.outcomes) outcomes.push_back(ToString(outcome.kind));
  for (const std::filesystem::path& bundle : run.bundles) {
    // Relative to the folder of the ladder, so that it can be moved.
    bundles.push_back(
        bundle.empty() ? "" : (bundle.parent_path().filename() / bundle.filename()).string());
  }
  for (size_t f = 0; f < refinement.figures.size(); ++f) {
    const SeriesColumn& figure = refinement.figures[f];
    if (IsCost(figure.name)) continue;
    const auto values = FigureOnRungs(run, f);
    const auto convergence = ConvergenceOf(refinement, run, values, figure.unit);
    if (std::none_of(values.begin(), values.end(), [](const auto& v) { return v.has_value(); }))
      continue;
    Json json = {{"name", figure.name}, {"unit", figure.unit}, {"values", ValuesJson(values)}};
    if (convergence) json.update(ConvergenceJson(*convergence));
    figures.push_back(json);
  }
  for (size_t c = 1; c < run.columns.size(); ++c) {
    const SeriesColumn& column = run.columns[c];
    const std::vector<double> changes = ChangesOf(run, c);
    if (IsCost(column.name) || changes.empty()) continue;
    const auto order =
        RegressedOrder(changes, refinement.rules.ratio, RoundOffOf(run, column.unit));
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"rms_changes", changes},
                       {"order", NumberToJson(order)}});
  }
  return {{"label", run.label},
          {"formulation", run.backend},
          {"outcomes", outcomes},
          {"bundles", bundles},
          {"first_rung_that_counts", run.first},
          {"left_out", run.left_out},
          {"same_on_all_rungs", SameOnAllRungs(refinement, run)},
          {"without_every_second_record", of_records},
          {"figures", figures},
          {"columns", columns}};
}

}  // namespace

std::string RefinementText(const Refinement& refinement, const std::vector<std::string>& only) {
  std::vector<std::vector<std::string>> lines = {
      {"backend", "figure", "at the file's", "limit", "± band", "order", "trend"}};
  std::string notes;
  for (const RefinedRun& run : refinement.runs) {
    if (!run.left_out.empty()) notes += run.label + ": left out " + run.left_out + "\n";
    if (SameOnAllRungs(refinement, run))
      notes += run.label + ": the same on all rungs: nothing depends on the " + refinement.axis +
               " here\n";
    if (const std::string records = RecordsText(refinement, run); !records.empty())
      notes += records + "\n";
    lines.push_back(OutcomeLine(refinement, run));
    std::string without_limit;
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      const SeriesColumn& figure = refinement.figures[f];
      if (IsCost(figure.name) || !IsChosen(figure.name, only)) continue;
      const auto values = FigureOnRungs(run, f);
      const auto c = ConvergenceOf(refinement, run, values, figure.unit);
      if (!c) {
        if (std::ranges::any_of(values, [](const auto& value) { return value.has_value(); }))
          without_limit += (without_limit.empty() ? "" : ", ") + figure.name;
        continue;
      }
      const std::optional<double>& at_file = values[refinement.file_rung];
      lines.push_back({run.label, figure.name, at_file ? TextBeside(c->band, *at_file, 4) : "–",
                       LimitText(*c, 4), Short(c->band), c->order ? Fixed(*c->order, 2) : "–",
                       TrendText(*c)});
    }
    if (!without_limit.empty()) {
      notes += run.label +
               ": no limit, because not defined on every rung that counts: " + without_limit + "\n";
    }
  }
  return AlignedText(lines) + notes;
}

bool HoldsOthers(const Refinement& refinement, const std::filesystem::path& json) {
  std::error_code error;
  if (!std::filesystem::exists(json, error)) return false;
  try {
    const Json old = ParseJson(ReadFile(json), json);
    for (const Json& run : old.at("runs")) {
      const std::string label = run.at("label").get<std::string>();
      if (std::ranges::find(refinement.runs, label, &RefinedRun::label) == refinement.runs.end())
        return true;
    }
    for (const double size : old.at("sizes").get<std::vector<double>>()) {
      if (std::ranges::find(refinement.sizes, size) == refinement.sizes.end()) return true;
    }
    return false;
  } catch (const FileError&) {
  } catch (const StorageError&) {
  } catch (const nlohmann::json::exception&) {
  }
  return true;
}

std::string RefinementJson(const Refinement& refinement, const std::string& experiment) {
  Json runs = Json::array();
  for (const RefinedRun& run : refinement.runs) runs.push_back(RunJson(refinement, run));
  return Json({{"experiment", experiment},
               {"axis", refinement.axis},
               {"ratio", refinement.rules.ratio},
               {"assumed_order", refinement.rules.assumed_order},
               {"sizes", refinement.sizes},
               {"file_rung", refinement.file_rung},
               {"runs", runs},
               {"problems", refinement.problems}})
             .dump(2) +
         "\n";
}

}  // namespace pliant
