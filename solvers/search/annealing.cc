#include "solvers/search/annealing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pliant {

double AcceptanceProbability(double delta, double temperature) {
  if (delta <= 0.0) return 1.0;
  if (!(temperature > 0.0)) return 0.0;
  return std::exp(-delta / temperature);
}

void AnnealingOptions::Bind(ParameterBinder& b) {
  b.Real("initial_temperature", &initial_temperature, "cost", AtLeast(0),
         "initial temperature T; 0: estimated from trials");
  b.Integer(
      "estimation_trials", &estimation_trials, "1", AtLeast(1),
      "number of first trials, which only go downhill and from which T is estimated; where they "
      "are penalised, T is estimated once more from as many without a penalty");
  b.Real("initial_acceptance", &initial_acceptance, "1", Between(1e-12, 1.0 - 1e-12),
         "probability with which a move uphill of the median size is accepted at the estimated T");
  b.Choice(
      "cooling", &cooling, {{"geometric", Cooling::kGeometric}, {"linear", Cooling::kLinear}},
      "geometric: T = r T in each trial; linear: T falls evenly to 0 at the end of the budget");
  b.Real("cooling_rate", &cooling_rate, "1", Between(1e-12, 1.0), "r of geometric cooling");
  b.Real("frozen_temperature", &frozen_temperature, "cost", AtLeast(0),
         "T at which the search ends before its budget");
  b.Integer("moved_numbers", &moved_numbers, "1", AtLeast(0),
            "how many numbers, chosen at random, a trial changes; 0: all");
  b.Choice("steps", &steps, {{"uniform", Steps::kUniform}, {"normal", Steps::kNormal}},
           "distribution of the moves");
  b.Real("step_size", &step_size, "1", Between(1e-12, 1.0),
         "half width (uniform) or standard deviation (normal) of a move, divided by the width of "
         "the bounds");
}

Annealing::Annealing(MotionNumbers numbers, std::int64_t budget, std::uint64_t seed,
                     const AnnealingOptions& options)
    : Search(std::move(numbers)),
      options_(options),
      budget_(budget),
      random_(seed),
      order_(this->numbers().names.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (options_.initial_temperature > 0.0) {
    initial_temperature_ = options_.initial_temperature;
    next_temperature_ = initial_temperature_;
    scale_ = Scale::kFeasible;
  }
}

bool Annealing::finished() const {
  return options_.frozen_temperature > 0.0 && next_temperature_ &&
         *next_temperature_ <= options_.frozen_temperature;
}

// (a)
void Annealing::DoAsk(Eigen::VectorXd* next) {
  const int count = static_cast<int>(order_.size());
  const int moved = options_.moved_numbers == 0 ? count : std::min(options_.moved_numbers, count);
  for (int i = 0; i < moved; ++i) {
    if (moved < count) std::swap(order_[i], order_[i + random_.Below(count - i)]);
    const int k = order_[i];
    const double step = options_.steps == AnnealingOptions::Steps::kNormal
                            ? random_.Normal()
                            : 2.0 * random_.Uniform() - 1.0;
    (*next)[k] += step * options_.step_size * (numbers().upper[k] - numbers().lower[k]);
  }
}

void Annealing::DoBegin(double /*cost*/, bool feasible) { current_feasible_ = feasible; }

// (c) to (f)
bool Annealing::DoAccept(double cost, bool feasible) {
  temperature_ = next_temperature_;
  const double delta = cost - current_cost();  // NaN when both have failed: not accepted
  bool accepted = delta <= 0.0;
  acceptance_ = accepted ? 1.0 : 0.0;
  if (temperature_ && delta > 0.0) {
    acceptance_ = AcceptanceProbability(delta, *temperature_);
    accepted = random_.Uniform() < *acceptance_;
  }
  ++decided_;
  Measure(cost, feasible);
  if (temperature_) Cool();
  if (scale_ != Scale::kFeasible) Estimate();
  if (accepted) current_feasible_ = feasible;
  return accepted;
}

// Plateaus and failures have no scale.
void Annealing::Measure(double cost, bool feasible) {
  const double difference = std::abs(cost - current_cost());
  if (scale_ == Scale::kFeasible || !std::isfinite(difference) || difference == 0.0) return;
  if (scale_ == Scale::kNone) differences_.push_back(difference);
  if (feasible && current_feasible_) feasible_differences_.push_back(difference);
}

void Annealing::Estimate() {
  if (scale_ == Scale::kNone && decided_ >= options_.estimation_trials) {
    if (!feasible_differences_.empty()) {
      StartCooling(&feasible_differences_, Scale::kFeasible);
    } else if (!differences_.empty()) {
      StartCooling(&differences_, Scale::kPenalised);
    }
  } else if (scale_ == Scale::kPenalised &&
             std::ssize(feasible_differences_) >= options_.estimation_trials) {
    StartCooling(&feasible_differences_, Scale::kFeasible);
  }
}

void Annealing::StartCooling(std::vector<double>* differences, Scale scale) {
  const auto middle = differences->begin() + static_cast<long>(differences->size() / 2);
  std::nth_element(differences->begin(), middle, differences->end());
  initial_temperature_ = -*middle / std::log(options_.initial_acceptance);
  next_temperature_ = initial_temperature_;
  cooling_since_ = decided_;
  scale_ = scale;
}

void Annealing::Cool() {
  if (options_.cooling == AnnealingOptions::Cooling::kGeometric) {
    next_temperature_ = options_.cooling_rate * *next_temperature_;
  } else {
    // All trials except the start and those of the estimate are decided at a temperature.
    const auto all = static_cast<double>(budget_ - 1 - cooling_since_);
    const auto done = static_cast<double>(decided_ - cooling_since_);
    next_temperature_ = initial_temperature_ * std::max(0.0, 1.0 - done / all);
  }
}

}  // namespace pliant
