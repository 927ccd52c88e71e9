// Descent by random steps whose size adapts: the (1+1) evolution strategy with the rule that one
// trial in five should succeed [Rechenberg 1973]. The gradient-free replacement for the descent
// that [Faloutsos 1995, Sec. 5.1] calls often sufficient, and the baseline for annealing.

#ifndef PLIANT_SOLVERS_SEARCH_HILL_CLIMBING_H_
#define PLIANT_SOLVERS_SEARCH_HILL_CLIMBING_H_

#include <cstdint>

#include "solvers/parameters.h"
#include "solvers/search/random_stream.h"
#include "solvers/search/search.h"

namespace pliant {

struct HillClimbingOptions {
  double step_size = 0.1;  // first standard deviation over the width of the bounds, in (0, 1]

  void Bind(ParameterBinder& b);
};

class HillClimbing final : public Search {
 public:
  HillClimbing(MotionNumbers numbers, std::uint64_t seed, const HillClimbingOptions& options);

  double step_size() const { return step_size_; }

 protected:
  void DoAsk(Eigen::VectorXd* next) override;
  bool DoAccept(double cost, bool feasible) override;

 private:
  RandomStream random_;
  double step_size_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_HILL_CLIMBING_H_
