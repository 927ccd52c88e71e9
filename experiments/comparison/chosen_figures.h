// Tables narrowed to the figures that a reader asks for.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_CHOSEN_FIGURES_H_
#define PLIANT_EXPERIMENTS_COMPARISON_CHOSEN_FIGURES_H_

#include <string>
#include <vector>

#include "experiments/comparison/comparison_table.h"

namespace pliant {

// Whether one of the texts is a part of the name; any name is one of those chosen where there is no text.
bool IsChosen(const std::string& name, const std::vector<std::string>& texts);

// Removes the columns that are not chosen; the outcome stays always. A text that is in no name is a problem of the table, and does not count.
void KeepChosen(const std::vector<std::string>& texts, ComparisonTable* table);

// Puts the columns of these names before all others, in the order they have in the table.
void PutFirst(const std::vector<std::string>& names, ComparisonTable* table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_CHOSEN_FIGURES_H_
