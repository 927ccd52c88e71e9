// Differential evolution [Storn & Price 1997], rand/1/bin: a population of motions, each of which
// is challenged in turn by
//
//   x_a + F (x_b − x_c)   in some of its numbers (each with probability CR, one at least),
//
// a, b, c being others of the population; the better of the two stays. The first generation is the
// start and trials spread evenly between the bounds. No step size: the spread serves as one.

#ifndef PLIANT_SOLVERS_SEARCH_DIFFERENTIAL_EVOLUTION_H_
#define PLIANT_SOLVERS_SEARCH_DIFFERENTIAL_EVOLUTION_H_

#include <cstdint>
#include <vector>

#include "solvers/parameters.h"
#include "solvers/search/random_stream.h"
#include "solvers/search/search.h"

namespace pliant {

struct DifferentialEvolutionOptions {
  int population = 20;     // ≥ 4
  double weight = 0.6;     // F, in (0, 2]
  double crossover = 0.9;  // CR, in [0, 1]

  void Bind(ParameterBinder& b);
};

class DifferentialEvolution final : public Search {
 public:
  DifferentialEvolution(MotionNumbers numbers, std::uint64_t seed,
                        const DifferentialEvolutionOptions& options);

 protected:
  void DoAsk(Eigen::VectorXd* next) override;
  bool DoAccept(double cost, bool feasible) override;

 private:
  struct Member {
    Eigen::VectorXd numbers;
    double cost;
  };

  RandomStream random_;
  DifferentialEvolutionOptions options_;
  std::vector<Member> members_;
  size_t challenged_ = 0;       // once there is a whole population
  Eigen::VectorXd challenger_;  // that is being tried
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_DIFFERENTIAL_EVOLUTION_H_
