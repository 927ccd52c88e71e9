#include "tests/solvers/search/pagmo_loop.h"

#ifdef PLIANT_TEST_PAGMO

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de1220.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/simulated_annealing.hpp>
#include <pagmo/algorithms/xnes.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <stdexcept>

namespace pliant {
namespace {

struct Recorded {
  const MotionNumbers* numbers = nullptr;
  const FunctionProblem::Function* function = nullptr;
  std::vector<Eigen::VectorXd>* tried = nullptr;

  pagmo::vector_double fitness(const pagmo::vector_double& x) const {
    tried->push_back(Eigen::VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size())));
    return {(*function)(tried->back()).cost};
  }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    if (numbers == nullptr) return {{0.0}, {1.0}};
    return {{numbers->lower.begin(), numbers->lower.end()},
            {numbers->upper.begin(), numbers->upper.end()}};
  }
};

pagmo::algorithm AlgorithmOf(const std::string& method, unsigned generations, unsigned dimension,
                             unsigned budget, unsigned seed) {
  if (method == "pagmo-sade") {
    return pagmo::algorithm(pagmo::sade(generations, 2, 1, 0.0, 0.0, false, seed));
  }
  if (method == "pagmo-de1220") {
    const std::vector<unsigned> allowed = {2, 3, 7, 10, 13, 14, 15, 16};
    return pagmo::algorithm(pagmo::de1220(generations, allowed, 1, 0.0, 0.0, false, seed));
  }
  if (method == "pagmo-cmaes") {
    return pagmo::algorithm(
        pagmo::cmaes(generations, -1, -1, -1, -1, 0.5, 0.0, 0.0, false, true, seed));
  }
  if (method == "pagmo-xnes") {
    return pagmo::algorithm(pagmo::xnes(generations, -1, -1, -1, 0.5, 0.0, 0.0, false, true, seed));
  }
  if (method == "pagmo-pso-gen") {
    return pagmo::algorithm(
        pagmo::pso_gen(generations, 0.7298, 2.05, 2.05, 0.5, 5, 2, 4, false, seed));
  }
  if (method == "pagmo-simulated-annealing") {
    unsigned bin = 1;
    while (10 * dimension * bin + 1 < budget) ++bin;
    return pagmo::algorithm(pagmo::simulated_annealing(10.0, 0.1, 10, 1, bin, 1.0, seed));
  }
  throw std::invalid_argument(method);
}

}  // namespace

std::vector<Eigen::VectorXd> PagmoLoop(const std::string& method, const MotionNumbers& numbers,
                                       const FunctionProblem::Function& function, unsigned budget,
                                       std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto of_population = static_cast<unsigned>(generator() >> 32);
  const auto of_algorithm = static_cast<unsigned>(generator() >> 32);
  std::vector<Eigen::VectorXd> tried;
  pagmo::population population{pagmo::problem(Recorded{&numbers, &function, &tried}), 0U,
                               of_population};
  population.push_back({numbers.start.begin(), numbers.start.end()});
  const bool one = method == "pagmo-simulated-annealing";
  for (int i = 1; i < 20 && !one; ++i) population.push_back(population.random_decision_vector());
  AlgorithmOf(method, budget, static_cast<unsigned>(numbers.start.size()), budget, of_algorithm)
      .evolve(population);
  return tried;
}

}  // namespace pliant

#else

namespace pliant {

std::vector<Eigen::VectorXd> PagmoLoop(const std::string& /*method*/,
                                       const MotionNumbers& /*numbers*/,
                                       const FunctionProblem::Function& /*function*/,
                                       unsigned /*budget*/, std::uint64_t /*seed*/) {
  return {};
}

}  // namespace pliant

#endif
