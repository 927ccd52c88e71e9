#include "solvers/spacetime/free_flight.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "models/scene/problem.h"

namespace pliant {
namespace {

constexpr double kGolden = std::numbers::phi - 1.0;  // 0.618…

// Jumps of different durations, and the best of them.
class Flights {
 public:
  Flights(const LampJumpProblem& problem, const LampJumpOptions& options)
      : problem_(problem), options_(options) {
    options_.refinements = 0;
  }

  // Cost of the jump with this flight [s]; infinite when there is none.
  double Cost(double duration) {
    LampJumpMotion motion = Solve(duration, options_);
    const SpacetimeSummary& summary = motion.summary();
    if (!summary.converged()) return std::numeric_limits<double>::infinity();
    if (!best_ || summary.final_cost < best_cost_) {
      best_ = std::move(motion.trajectory);
      best_cost_ = motion.summary().final_cost;
      best_duration_ = duration;
    }
    return motion.summary().final_cost;
  }

  // Refined as asked for; `otherwise` is the duration to tell of when there is no jump.
  FreeFlight Finish(const LampJumpOptions& options, double otherwise) {
    const double duration = best_ ? best_duration_ : otherwise;
    LampJumpMotion motion = Solve(duration, options);
    return {duration, std::move(motion), jumps_, evaluations_};
  }

 private:
  LampJumpMotion Solve(double duration, const LampJumpOptions& options) {
    problem_.flight_duration = duration;
    std::optional<LampTrajectory> guess;
    if (best_) guess = Stretched(*best_, problem_);
    LampJumpMotion motion = SolveLampJump(problem_, options, guess ? &*guess : nullptr);
    ++jumps_;
    for (const LampJumpMotion::Level& level : motion.levels) {
      evaluations_ += level.summary.evaluations;
    }
    return motion;
  }

  LampJumpProblem problem_;
  LampJumpOptions options_;
  std::optional<LampTrajectory> best_;
  double best_cost_ = 0.0, best_duration_ = 0.0;
  int jumps_ = 0;
  std::int64_t evaluations_ = 0;
};

}  // namespace

void FreeFlightOptions::Validate() const {
  const auto require = [](bool holds, const char* name, const char* rule) {
    if (!holds) throw BadInput({name, std::string(name) + " must be " + rule, ""});
  };
  require(shortest > 0.0, "shortest", "> 0");
  require(longest > shortest && std::isfinite(longest), "longest", "finite and more than shortest");
  require(tolerance > 0.0, "tolerance", "> 0");
}

LampTrajectory Stretched(const LampTrajectory& trajectory, const LampJumpProblem& problem) {
  LampTrajectory stretched = trajectory;
  const double durations[] = {problem.stance_duration, problem.flight_duration,
                              problem.landing_duration};
  double start = 0.0;
  for (size_t p = 0; p < stretched.phases.size(); ++p) {
    LampPhase& phase = stretched.phases[p];
    for (LampNode& node : phase.nodes) node.v *= phase.duration / durations[p];
    phase.start = start;
    phase.duration = durations[p];
    start += durations[p];
  }
  return stretched;
}

FreeFlight SolveFreeFlight(const LampJumpProblem& problem, const FreeFlightOptions& flight,
                           const LampJumpOptions& options) {
  flight.Validate();
  Flights flights(problem, options);
  double lower = flight.shortest, upper = flight.longest;
  double left = upper - kGolden * (upper - lower), right = lower + kGolden * (upper - lower);
  double left_cost = flights.Cost(left), right_cost = flights.Cost(right);
  while (upper - lower > flight.tolerance) {
    // Where neither has a jump, more time is the better guess.
    if (left_cost < right_cost) {
      upper = right;
      right = left;
      right_cost = left_cost;
      left = upper - kGolden * (upper - lower);
      left_cost = flights.Cost(left);
    } else {
      lower = left;
      left = right;
      left_cost = right_cost;
      right = lower + kGolden * (upper - lower);
      right_cost = flights.Cost(right);
    }
  }
  return flights.Finish(options, right);
}

}  // namespace pliant
