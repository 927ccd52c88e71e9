#include "solvers/search/random_search.h"

#include <utility>

namespace pliant {

RandomSearch::RandomSearch(MotionNumbers numbers, std::uint64_t seed)
    : Search(std::move(numbers)), random_(seed) {}

void RandomSearch::DoAsk(Eigen::VectorXd* next) {
  for (Eigen::Index i = 0; i < next->size(); ++i) {
    const double lower = numbers().lower[i], upper = numbers().upper[i];
    (*next)[i] = lower + random_.Uniform() * (upper - lower);
  }
}

bool RandomSearch::DoAccept(double cost, bool /*feasible*/) { return cost <= current_cost(); }

}  // namespace pliant
