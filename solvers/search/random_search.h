// Independent trials, uniformly distributed between the bounds: the baseline for all searches.

#ifndef PLIANT_SOLVERS_SEARCH_RANDOM_SEARCH_H_
#define PLIANT_SOLVERS_SEARCH_RANDOM_SEARCH_H_

#include <cstdint>

#include "solvers/search/random_stream.h"
#include "solvers/search/search.h"

namespace pliant {

class RandomSearch final : public Search {
 public:
  RandomSearch(MotionNumbers numbers, std::uint64_t seed);

 protected:
  void DoAsk(Eigen::VectorXd* next) override;
  bool DoAccept(double cost, bool feasible) override;

 private:
  RandomStream random_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_RANDOM_SEARCH_H_
