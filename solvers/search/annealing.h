// Simulated annealing over the numbers of a controller [Faloutsos 1995, Fig. 3.4, 5.2].
//
//   (a) pick a random neighbour P′ of P
//   (b) run it: Cost(P′)
//   (c) Δ = Cost(P′) − Cost(P)
//   (d) Δ ≤ 0: P = P′
//   (e) Δ > 0: P = P′ with probability e^(−Δ/T)
//   (f) T = r T
//
// The source prints "Set T = rT", returns the last P, and leaves open what a neighbour is
// and where T comes from. Here the best one is kept as well; a neighbour moves some or all
// numbers by a part of the width of their bounds, reflected there; and T may be estimated
// from trials, so that it need not be guessed in the unit of a new cost function:
//
//   T = −s / ln p, s the median |Δ| of a number of first trials, which only go downhill
//
// s is that of pairs of motions without violation. Where there is none among them, the start is
// penalised, s is that of all motions at first, and the cooling starts once more as soon as as
// many differences without a penalty are known: those show the scale of the cost itself.

#ifndef PLIANT_SOLVERS_SEARCH_ANNEALING_H_
#define PLIANT_SOLVERS_SEARCH_ANNEALING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solvers/parameters.h"
#include "solvers/search/random_stream.h"
#include "solvers/search/search.h"

namespace pliant {

// min(1, e^(−Δ/T)); with T = 0 nothing is accepted uphill. Δ may be ±∞.
double AcceptanceProbability(double delta, double temperature);

struct AnnealingOptions {
  enum class Cooling {
    kGeometric,  // T = r T, the source's
    kLinear,     // T falls by equal parts to 0 at the end of the budget
  };
  enum class Steps { kUniform, kNormal };

  double initial_temperature = 0.0;  // in the unit of the cost, ≥ 0; 0: estimated
  int estimation_trials = 10;        // that an estimate is made from, ≥ 1
  double initial_acceptance = 0.3;   // of the typical uphill move, in (0, 1): sets the estimate
  Cooling cooling = Cooling::kGeometric;
  double cooling_rate = 0.95;       // r of each trial, in (0, 1]
  double frozen_temperature = 0.0;  // ends the search, ≥ 0
  int moved_numbers = 0;            // in each trial, chosen at random; 0: all
  Steps steps = Steps::kNormal;
  double step_size = 0.1;  // half width (uniform) or standard deviation (normal) over the width of
                           // the bounds, in (0, 1]

  void Bind(ParameterBinder& b);
};

class Annealing final : public Search {
 public:
  // Linear cooling ends after `budget` trials.
  Annealing(MotionNumbers numbers, std::int64_t budget, std::uint64_t seed,
            const AnnealingOptions& options);

  bool finished() const override;
  std::optional<double> temperature() const override { return temperature_; }
  std::optional<double> acceptance() const override { return acceptance_; }

 protected:
  void DoAsk(Eigen::VectorXd* next) override;
  bool DoAccept(double cost, bool feasible) override;
  void DoBegin(double cost, bool feasible) override;
  bool estimates() const override { return !temperature_; }

 private:
  // What the scale of the cost is known from.
  enum class Scale { kNone, kPenalised, kFeasible };

  void Measure(double cost, bool feasible);
  void Estimate();
  void StartCooling(std::vector<double>* differences, Scale scale);
  void Cool();

  AnnealingOptions options_;
  std::int64_t budget_;
  RandomStream random_;
  std::vector<int> order_;             // of the numbers, shuffled as far as needed
  std::optional<double> temperature_;  // of the last decision; absent while it is being estimated
  std::optional<double> next_temperature_;
  std::optional<double> acceptance_;  // of the last decision
  double initial_temperature_ = 0.0;
  Scale scale_ = Scale::kNone;
  std::int64_t decided_ = 0;        // decisions so far
  std::int64_t cooling_since_ = 0;  // the number of those before the cooling started
  std::vector<double> differences_, feasible_differences_;  // |Δ| of all pairs, without violation
  bool current_feasible_ = false;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_ANNEALING_H_
