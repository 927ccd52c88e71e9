#include "experiments/searches/number_table.h"

#include <string>

#include "experiments/searches/run_searches.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kAtBound = 1e-9;  // of the distance between the bounds

std::string BoundWord(double value, double lower, double upper) {
  const double near = kAtBound * (upper - lower);
  return value - lower <= near ? "lower" : upper - value <= near ? "upper" : "";
}

}  // namespace

FindingTable TableOfNumbers(const SearchRecord& record) {
  FindingTable table;
  table.title = "Numbers that the search varied";
  table.columns = {"number", "start", "best", "lower bound", "upper bound", "at bound"};
  const auto found = BestOf(record.histories);
  if (!found) return table;
  const std::vector<Trial>& trials = record.histories[found->search].trials;
  const Eigen::VectorXd &start = trials.front().numbers, &best = trials[found->trial].numbers;
  const bool has_bounds = record.lower.size() == record.numbers.size();
  bool any_at_bound = false;
  for (size_t i = 0; i < record.numbers.size(); ++i) {
    const auto n = static_cast<Eigen::Index>(i);
    std::vector<std::string> row = {
        record.numbers[i], Digits(start[n], 5), Digits(best[n], 5), "–", "–", ""};
    if (has_bounds) {
      row[3] = Digits(record.lower[i], 5);
      row[4] = Digits(record.upper[i], 5);
      row[5] = BoundWord(best[n], record.lower[i], record.upper[i]);
      any_at_bound |= !row[5].empty();
    }
    table.rows.push_back(std::move(row));
  }
  table.remark =
      "best/experiment.toml is an experiment of its own with the best numbers: run it, sweep it, "
      "and `pliant refine` it before you believe it, because a search finds what is best at its "
      "own "
      "step.";
  if (any_at_bound) table.remark += " Beyond a bound that a number is at may be a better motion.";
  return table;
}

}  // namespace pliant
