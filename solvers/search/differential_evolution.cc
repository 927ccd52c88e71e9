#include "solvers/search/differential_evolution.h"

#include <utility>

namespace pliant {

void DifferentialEvolutionOptions::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(4), "size of the population");
  b.Real("weight", &weight, "1", Between(1e-12, 2.0),
         "factor on the difference of two members that is added to a third");
  b.Real("crossover", &crossover, "1", Between(0.0, 1.0),
         "probability that a challenger takes a number from the new combination");
}

DifferentialEvolution::DifferentialEvolution(MotionNumbers numbers, std::uint64_t seed,
                                             const DifferentialEvolutionOptions& options)
    : Search(std::move(numbers)), random_(seed), options_(options) {}

void DifferentialEvolution::DoAsk(Eigen::VectorXd* next) {
  const Eigen::VectorXd& lower = numbers().lower;
  const Eigen::VectorXd& upper = numbers().upper;
  // The start has been evaluated: it is the first member.
  if (members_.empty()) members_.push_back({current(), current_cost()});
  challenger_.resize(lower.size());
  const int size = options_.population;
  if (static_cast<int>(members_.size()) < size) {
    for (Eigen::Index i = 0; i < lower.size(); ++i) {
      challenger_[i] = lower[i] + random_.Uniform() * (upper[i] - lower[i]);
    }
    *next = challenger_;
    return;
  }
  int others[3];
  for (int k = 0; k < 3; ++k) {
    const auto taken = [&](int member) {
      if (member == static_cast<int>(challenged_)) return true;
      for (int j = 0; j < k; ++j) {
        if (others[j] == member) return true;
      }
      return false;
    };
    do {
      others[k] = random_.Below(size);
    } while (taken(others[k]));
  }
  const Eigen::VectorXd mutant =
      members_[others[0]].numbers +
      options_.weight * (members_[others[1]].numbers - members_[others[2]].numbers);
  challenger_ = members_[challenged_].numbers;
  const auto always = static_cast<Eigen::Index>(random_.Below(static_cast<int>(lower.size())));
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    const bool crosses = random_.Uniform() < options_.crossover;
    if (crosses || i == always) challenger_[i] = Reflect(mutant[i], lower[i], upper[i]);
  }
  *next = challenger_;
}

bool DifferentialEvolution::DoAccept(double cost, bool /*feasible*/) {
  if (static_cast<int>(members_.size()) < options_.population) {
    members_.push_back({challenger_, cost});
  } else {
    if (cost <= members_[challenged_].cost) members_[challenged_] = {challenger_, cost};
    challenged_ = (challenged_ + 1) % members_.size();
  }
  return cost <= current_cost();
}

}  // namespace pliant
