#include "experiments/refinement/record_spacing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "experiments/bundles/headline.h"
#include "experiments/files/first_names.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kLeastChange = 1e-3;  // of the figure
constexpr size_t kMostNamed = 5;       // in a line

// Without the records of one parity: 0 the even ones, 1 the odd ones.
std::map<std::string, double> FiguresWithout(size_t parity, const Bundle& bundle) {
  std::vector<SeriesRow> rows;
  const std::vector<SeriesRow>& all = bundle.rows();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || i + 1 == all.size() || i % 2 != parity) rows.push_back(all[i]);
  }
  std::map<std::string, double> figures;
  for (const HeadlineFigure& figure :
       HeadlineFigures(*bundle.experiment().scene, bundle.outcome(), bundle.columns(), rows,
                       bundle.experiment().probes)) {
    if (figure.value) figures[figure.name] = *figure.value;
  }
  return figures;
}

double ChangeOf(const FigureOfRecords& figure) {
  return std::abs(figure.sparse - figure.value) / std::abs(figure.value);
}

}  // namespace

std::vector<std::optional<double>> FiguresOfSparserRecords(
    const Bundle& bundle, const std::vector<SeriesColumn>& figures) {
  const auto all = FiguresWithout(2, bundle);  // none is left out
  const auto odd = FiguresWithout(0, bundle), even = FiguresWithout(1, bundle);
  std::vector<std::optional<double>> values;
  for (const SeriesColumn& figure : figures) {
    std::optional<double>& value = values.emplace_back();
    const auto of_all = all.find(figure.name);
    if (of_all == all.end()) continue;
    for (const auto* of : {&odd, &even}) {
      const auto found = of->find(figure.name);
      if (found == of->end()) continue;
      const auto off = [&](double sparse) { return std::abs(sparse - of_all->second); };
      if (!value || off(found->second) > off(*value)) value = found->second;
    }
  }
  return values;
}

std::vector<FigureOfRecords> FiguresOfRecords(const Refinement& refinement, const RefinedRun& run) {
  std::vector<FigureOfRecords> found;
  const bool refined = !refinement.record_spacings.empty() && run.decides() &&
                       refinement.record_spacings[run.first] != refinement.record_spacings.back();
  if (refined || !run.decides() || run.sparse_figures.empty()) return found;
  for (size_t f = 0; f < refinement.figures.size(); ++f) {
    const SeriesColumn& figure = refinement.figures[f];
    std::vector<std::optional<double>> values;
    for (const auto& of_rung : run.figures) values.push_back(of_rung[f]);
    const auto c = ConvergenceOf(refinement, run, values, figure.unit);
    const std::optional<double>& sparse = run.sparse_figures[f];
    if (IsCost(figure.name) || !c || !c->band || !sparse) continue;
    const double value = *values.back(), change = std::abs(*sparse - value);
    if (change > *c->band && change > kLeastChange * std::abs(value) &&
        change > RoundOffOf(run, figure.unit)) {
      found.push_back({figure.name, value, *sparse});
    }
  }
  std::ranges::stable_sort(found, std::greater<>(), ChangeOf);
  return found;
}

std::string RecordsText(const Refinement& refinement, const RefinedRun& run) {
  const std::vector<FigureOfRecords> figures = FiguresOfRecords(refinement, run);
  if (figures.empty()) return "";
  std::vector<std::string> changes;
  for (const FigureOfRecords& figure : figures) {
    changes.push_back(figure.name + " (" + Digits(figure.value, 4) + " → " +
                      Digits(figure.sparse, 4) + ")");
  }
  return run.label + ": records are " + Digits(refinement.record_spacings.back(), 4) +
         " s apart on every rung; without every second one more than the band changes: " +
         FirstNames(changes, kMostNamed) + "; to refine records see docs/claims.md";
}

}  // namespace pliant
