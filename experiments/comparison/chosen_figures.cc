#include "experiments/comparison/chosen_figures.h"

#include <algorithm>

#include "models/problem.h"

namespace pliant {

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
  ComparisonTable kept = *table;
  kept.columns.clear();
  for (ComparisonRow& row : kept.rows) row.values.clear();
  for (size_t c = 0; c < table->columns.size(); ++c) {
    if (!IsChosen(table->columns[c].name, found)) continue;
    kept.columns.push_back(table->columns[c]);
    for (size_t r = 0; r < kept.rows.size(); ++r)
      kept.rows[r].values.push_back(table->rows[r].values[c]);
  }
  *table = std::move(kept);
}

}  // namespace pliant
