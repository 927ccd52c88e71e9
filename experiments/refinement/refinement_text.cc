// The results of a ladder for a terminal and as JSON.

#include <algorithm>
#include <set>

#include "experiments/bundles/json_numbers.h"
#include "experiments/comparison/comparison_table.h"
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
          {"figures", figures},
          {"columns", columns}};
}

}  // namespace

std::string RefinementText(const Refinement& refinement) {
  std::vector<std::vector<std::string>> lines = {
      {"backend", "figure", "at the file's", "limit", "± band", "order", "trend"}};
  std::string notes;
  for (const RefinedRun& run : refinement.runs) {
    if (!run.left_out.empty()) notes += run.label + ": left out " + run.left_out + "\n";
    if (SameOnAllRungs(refinement, run))
      notes += run.label + ": the same on all rungs: nothing depends on the " + refinement.axis +
               " here\n";
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      const SeriesColumn& figure = refinement.figures[f];
      if (IsCost(figure.name)) continue;
      const auto values = FigureOnRungs(run, f);
      const auto c = ConvergenceOf(refinement, run, values, figure.unit);
      if (!c) continue;
      std::string trend(ToString(c->trend));
      if (c->asymptotic) trend += *c->asymptotic ? ", asymptotic" : ", not asymptotic";
      lines.push_back({run.label, figure.name, Short(values[refinement.file_rung]),
                       LimitText(*c, 4), Short(c->band), c->order ? Fixed(*c->order, 2) : "–",
                       trend});
    }
  }
  return AlignedText(lines) + notes;
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
