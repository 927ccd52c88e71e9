#include "experiments/comparison/chosen_figures.h"

#include <algorithm>
#include <numeric>

#include "models/problem.h"

namespace pliant {
namespace {

// Keeps these columns, in this order.
void TakeColumns(const std::vector<size_t>& taken, ComparisonTable* table) {
  ComparisonTable of = *table;
  of.columns.clear();
  for (ComparisonRow& row : of.rows) row.values.clear();
  for (const size_t c : taken) {
    of.columns.push_back(table->columns[c]);
    for (size_t r = 0; r < of.rows.size(); ++r)
      of.rows[r].values.push_back(table->rows[r].values[c]);
  }
  *table = std::move(of);
}

}  // namespace

bool IsChosen(const std::string& name, const std::vector<std::string>& texts) {
  return texts.empty() || std::ranges::any_of(texts, [&](const std::string& text) {
           return name.find(text) != std::string::npos;
         });
}

void KeepChosen(const std::vector<std::string>& texts, ComparisonTable* table) {
  std::vector<std::string> names = {"outcome"}, found;  // which is in every table
  for (const SeriesColumn& column : table->columns) names.push_back(column.name);
  for (const std::string& text : texts) {
    if (std::ranges::any_of(names, [&](const auto& name) { return IsChosen(name, {text}); })) {
      found.push_back(text);
      continue;
    }
    const std::string mend = DidYouMean(text, names);
    table->problems.push_back("no figure has '" + text + "' in its name" +
                              (mend.size() < 120 ? "; " + mend : ""));
  }
  if (found.empty()) return;
  std::vector<size_t> kept;
  for (size_t c = 0; c < table->columns.size(); ++c) {
    if (IsChosen(table->columns[c].name, found)) kept.push_back(c);
  }
  TakeColumns(kept, table);
}

void PutFirst(const std::vector<std::string>& names, ComparisonTable* table) {
  std::vector<size_t> order(table->columns.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](size_t c) {
    return std::ranges::find(names, table->columns[c].name) != names.end();
  });
  TakeColumns(order, table);
}

}  // namespace pliant
