// The protocol of every search over the numbers of a motion problem: the caller asks for numbers,
// reports their score, and asks again.
//
//   x = Ask()             the start first, then what the method chooses
//   Tell(Evaluate(x))     taken as the current one or not; the best one is remembered in any case
//
// A search contains neither the problem nor a clock, so its trials depend only on its options, its
// seed and the reported scores. This makes it repeatable and resumable: given the scores of a
// recorded history again, it continues bit for bit.

#ifndef PLIANT_SOLVERS_SEARCH_SEARCH_H_
#define PLIANT_SOLVERS_SEARCH_SEARCH_H_

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solvers/search/motion_problem.h"

namespace pliant {

// Why a trial became the current one, or not.
enum class Decision {
  kStart,     // the first one always does
  kNotWorse,  // Δ ≤ 0
  kByChance,  // worse, accepted by chance at the temperature
  kWorse,     // worse, not accepted
  kNoChance,  // worse, while the temperature is still being estimated
  kFailed,    // its motion has no cost
};

inline constexpr int kDecisions = 6;

class Search {
 public:
  // `numbers` has passed Validate().
  explicit Search(MotionNumbers numbers);
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // The next numbers to try, within the bounds. Returns the same until Tell() is called.
  const Eigen::VectorXd& Ask();
  // Reports the score of the last trial. A failed motion, or a cost that is not finite, is
  // infinitely bad.
  void Tell(const MotionScore& score);
  // The method has ended before its budget; there are no more trials.
  virtual bool finished() const { return false; }

  std::int64_t trials() const { return trials_; }  // number of evaluated trials
  bool accepted() const { return accepted_; }      // was the last one taken as the current one?
  const Eigen::VectorXd& current() const { return current_; }
  double current_cost() const { return current_cost_; }  // +∞ as long as all failed
  const Eigen::VectorXd& best() const { return best_; }
  double best_cost() const { return best_cost_; }
  // Temperature of the last decision; absent for a method without one.
  virtual std::optional<double> temperature() const { return std::nullopt; }
  // Probability with which that decision was to accept, 0 to 1; absent for a method without chance.
  virtual std::optional<double> acceptance() const { return std::nullopt; }
  Decision decision() const { return decision_; }  // the last one
  // CPU time that it has taken on other threads than that of its caller [s].
  virtual double other_seconds() const { return 0.0; }

 protected:
  const MotionNumbers& numbers() const { return numbers_; }

  // Chooses the next numbers, for example from the current ones; the bounds are applied afterwards.
  virtual void DoAsk(Eigen::VectorXd* next) = 0;
  // Does the trial replace the current one? `cost` is finite or +∞; `feasible`: without violation.
  // The start is always accepted.
  virtual bool DoAccept(double cost, bool feasible) = 0;
  virtual void DoBegin(double /*cost*/, bool /*feasible*/) {}  // after the start was evaluated
  // Does the last decision depend on a temperature that is still being estimated?
  virtual bool estimates() const { return false; }

 private:
  Decision DecisionOn(double cost, bool not_worse) const;

  MotionNumbers numbers_;
  Eigen::VectorXd asked_, current_, best_;
  double current_cost_, best_cost_;
  std::int64_t trials_ = 0;
  bool has_asked_ = false, accepted_ = false;
  Decision decision_ = Decision::kStart;
};

// `value` reflected at the bounds as often as needed, so that a step keeps its length and no value
// is more likely than another.
double Reflect(double value, double lower, double upper);

// One evaluation, as it is recorded.
struct Trial {
  Eigen::VectorXd numbers;
  MotionScore score;
  bool accepted = false;
  double current_cost = 0.0, best_cost = 0.0;  // after it
  std::optional<double> temperature;
  double seconds = 0.0;              // of computing, since the search began
  std::optional<double> acceptance;  // probability with which it was to be accepted
  Decision decision = Decision::kStart;
};

struct SearchHistory {
  std::vector<Trial> trials;
  bool cancelled = false;  // by the stop token, before the end of the budget

  // The first of the lowest cost; null when every trial failed.
  const Trial* Best() const;
};

struct SearchHooks {
  std::function<void(const Trial&)> on_trial;  // after each evaluation, not after remembered ones
  // No trial begins when the search has taken this long, remembered ones included. With this limit
  // the same seed no longer gives the same number of trials.
  double seconds = std::numeric_limits<double>::infinity();
  std::stop_token stop;  // tested between trials
};

// Tries until the search has had `budget` trials, is finished, or is stopped. `past` are trials of
// the same search that need not be evaluated again. Throws BadInput when the search would not have
// tried them: other options, another seed, or another problem.
SearchHistory RunSearch(Search* search, MotionProblem* problem, std::int64_t budget,
                        std::span<const Trial> past, const SearchHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_SEARCH_H_
