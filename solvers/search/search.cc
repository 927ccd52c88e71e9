#include "solvers/search/search.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "models/problem.h"
#include "solvers/cpu_clock.h"

namespace pliant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double CostOf(const MotionScore& score) {
  return score.failure.empty() && std::isfinite(score.cost) ? score.cost : kInfinity;
}

Trial MakeTrial(const Search& search, const Eigen::VectorXd& numbers, const MotionScore& score,
                double seconds) {
  return {numbers,
          score,
          search.accepted(),
          search.current_cost(),
          search.best_cost(),
          search.temperature(),
          seconds,
          search.acceptance(),
          search.decision()};
}

}  // namespace

Search::Search(MotionNumbers numbers)
    : numbers_(std::move(numbers)),
      asked_(numbers_.start),
      current_(numbers_.start),
      best_(numbers_.start),
      current_cost_(kInfinity),
      best_cost_(kInfinity) {
  has_asked_ = true;  // for the start
}

const Eigen::VectorXd& Search::Ask() {
  if (!has_asked_) {
    asked_ = current_;
    DoAsk(&asked_);
    for (Eigen::Index i = 0; i < asked_.size(); ++i) {
      asked_[i] = Reflect(asked_[i], numbers_.lower[i], numbers_.upper[i]);
    }
    has_asked_ = true;
  }
  return asked_;
}

void Search::Tell(const MotionScore& score) {
  assert(has_asked_);
  has_asked_ = false;
  const double cost = CostOf(score);
  const bool feasible = cost < kInfinity && score.violation == 0.0;
  if (trials_++ == 0) {
    accepted_ = true;
    decision_ = Decision::kStart;
    DoBegin(cost, feasible);
  } else {
    const bool not_worse = cost <= current_cost_;
    accepted_ = DoAccept(cost, feasible);
    decision_ = DecisionOn(cost, not_worse);
  }
  if (accepted_) {
    current_ = asked_;
    current_cost_ = cost;
  }
  if (cost < best_cost_) {
    best_ = asked_;
    best_cost_ = cost;
  }
}

Decision Search::DecisionOn(double cost, bool not_worse) const {
  if (accepted_) return not_worse ? Decision::kNotWorse : Decision::kByChance;
  if (cost == kInfinity) return Decision::kFailed;
  return estimates() ? Decision::kNoChance : Decision::kWorse;
}

double Reflect(double value, double lower, double upper) {
  if (value >= lower && value <= upper) return value;
  const double span = upper - lower;
  double along = std::fmod(value - lower, 2.0 * span);
  if (along < 0.0) along += 2.0 * span;
  const double folded = lower + (along <= span ? along : 2.0 * span - along);
  return folded < lower ? lower : folded > upper ? upper : folded;  // rounding
}

const Trial* SearchHistory::Best() const {
  const Trial* best = nullptr;
  for (const Trial& trial : trials) {
    const double cost = CostOf(trial.score);
    if (cost < (best == nullptr ? kInfinity : CostOf(best->score))) best = &trial;
  }
  return best;
}

SearchHistory RunSearch(Search* search, MotionProblem* problem, std::int64_t budget,
                        std::span<const Trial> past, const SearchHooks& hooks) {
  SearchHistory history;
  for (const Trial& trial : past) {
    if (search->finished() || search->Ask() != trial.numbers) {
      throw BadInput({"",
                      "the recorded trials belong to another search, from trial " +
                          std::to_string(history.trials.size() + 1),
                      "resume with the same options, seed and problem"});
    }
    const Eigen::VectorXd numbers = search->Ask();
    search->Tell(trial.score);
    history.trials.push_back(MakeTrial(*search, numbers, trial.score, trial.seconds));
  }
  // When the search would have begun, by the clock of this thread and the others that it takes.
  const auto seconds = [search] { return CpuSeconds() + search->other_seconds(); };
  double used = past.empty() ? 0.0 : past.back().seconds;
  const double start = seconds() - used;
  // Ends by the time that the last trial records, so that a resumed search ends there, too.
  while (search->trials() < budget && !search->finished() && used < hooks.seconds) {
    if (hooks.stop.stop_requested()) {
      history.cancelled = true;
      break;
    }
    const Eigen::VectorXd numbers = search->Ask();
    const MotionScore score = problem->Evaluate(numbers);
    search->Tell(score);
    used = seconds() - start;
    history.trials.push_back(MakeTrial(*search, numbers, score, used));
    if (hooks.on_trial) hooks.on_trial(history.trials.back());
  }
  return history;
}

}  // namespace pliant
