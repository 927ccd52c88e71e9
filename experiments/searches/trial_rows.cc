#include "experiments/searches/trial_rows.h"

#include <cmath>
#include <limits>

#include "experiments/bundles/csv.h"
#include "experiments/files/experiment.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// Columns before the terms.
enum Column {
  kSearch,
  kEvaluation,
  kCost,
  kViolation,
  kFailed,
  kAccepted,
  kCurrentCost,
  kBestCost,
  kTemperature,
  kAcceptance,
  kDecision,
  kSeconds,
  kColumns
};

Trial TrialOf(const TrialRow& row, size_t terms) {
  const auto number = [&row](size_t column) {
    return row[column].value_or(std::numeric_limits<double>::quiet_NaN());
  };
  Trial trial;
  trial.score.cost = number(kCost);
  trial.score.violation = number(kViolation);
  if (number(kFailed) != 0.0) trial.score.failure = "failed";
  trial.accepted = number(kAccepted) != 0.0;
  trial.current_cost = number(kCurrentCost);
  trial.best_cost = number(kBestCost);
  trial.temperature = row[kTemperature];
  trial.acceptance = row[kAcceptance];
  trial.decision = static_cast<Decision>(static_cast<int>(number(kDecision)));
  trial.seconds = number(kSeconds);
  for (size_t i = 0; i < terms; ++i) trial.score.terms.push_back(number(kColumns + i));
  const size_t first = kColumns + terms;
  trial.numbers.resize(static_cast<Eigen::Index>(row.size() - first));
  for (size_t i = first; i < row.size(); ++i) {
    trial.numbers[static_cast<Eigen::Index>(i - first)] = number(i);
  }
  return trial;
}

}  // namespace

std::vector<std::string> TrialColumns(const SearchRecord& record) {
  std::vector<std::string> names = {"search",      "evaluation", "cost",         "violation",
                                    "failed",      "accepted",   "current_cost", "best_cost",
                                    "temperature", "acceptance", "decision",     "seconds"};
  names.insert(names.end(), record.terms.begin(), record.terms.end());
  names.insert(names.end(), record.numbers.begin(), record.numbers.end());
  return names;
}

double RecordedCost(const Trial& trial) {
  return trial.score.failure.empty() && std::isfinite(trial.score.cost) ? trial.score.cost
                                                                        : INFINITY;
}

TrialRow RowOf(size_t search, std::int64_t evaluation, const Trial& trial) {
  TrialRow row = {static_cast<double>(search + 1),
                  static_cast<double>(evaluation),
                  RecordedCost(trial),
                  trial.score.violation,
                  trial.score.failure.empty() ? 0.0 : 1.0,
                  trial.accepted ? 1.0 : 0.0,
                  trial.current_cost,
                  trial.best_cost,
                  trial.temperature,
                  trial.acceptance,
                  static_cast<double>(trial.decision),
                  trial.seconds};
  for (double term : trial.score.terms) {
    row.push_back(std::isnan(term) ? std::nullopt : std::optional(term));
  }
  for (double number : trial.numbers) row.emplace_back(number);
  return row;
}

Trial& AddTrialOf(const TrialRow& row, const std::string& path, SearchRecord* record) {
  const double decision = row[kDecision].value_or(-1.0);
  if (!(decision >= 0.0 && decision < kDecisions && decision == std::floor(decision))) {
    throw FileError(path + ": damaged: decision " + RoundTrip(decision));
  }
  const double search = row[kSearch].value_or(0.0), evaluation = row[kEvaluation].value_or(0.0);
  if (!(search >= 1.0 && search <= static_cast<double>(record->searches.size()))) {
    throw FileError(path + ": damaged: a trial of search " + RoundTrip(search));
  }
  auto& trials = record->histories[static_cast<size_t>(search) - 1].trials;
  if (evaluation != static_cast<double>(trials.size() + 1)) {
    throw FileError(path + ": damaged: trial " + RoundTrip(evaluation) + " of search " +
                    RoundTrip(search) + " where trial " + std::to_string(trials.size() + 1) +
                    " comes next");
  }
  return trials.emplace_back(TrialOf(row, record->terms.size()));
}

}  // namespace pliant
