#include "solvers/search/pagmo_evolution.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de1220.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/simulated_annealing.hpp>
#include <pagmo/algorithms/xnes.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <utility>
#include <variant>

namespace pliant {
namespace {

// A cost function as pagmo asks for it; copies ask the same.
struct PagmoProblem {
  const InvertedLoop::Cost* cost = nullptr;
  pagmo::vector_double lower = {0.0}, upper = {1.0};

  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return {(*cost)(x)}; }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {lower, upper};
  }
};

// An algorithm for a budget, and the size of the population that it begins with.
struct Chosen {
  pagmo::algorithm algorithm;
  int population;
};

class Chooser {
 public:
  Chooser(std::int64_t budget, std::int64_t numbers, unsigned seed)
      : budget_(budget), numbers_(numbers), seed_(seed) {}

  Chosen operator()(const PagmoSade& o) const {
    return {
        pagmo::algorithm(pagmo::sade(Generations(o.population), static_cast<unsigned>(o.variant),
                                     static_cast<unsigned>(o.adaptation), 0.0, 0.0,
                                     /*memory=*/false, seed_)),
        o.population};
  }
  Chosen operator()(const PagmoDe1220& o) const {
    return {pagmo::algorithm(pagmo::de1220(Generations(o.population),
                                           pagmo::de1220_statics<void>::allowed_variants,
                                           static_cast<unsigned>(o.adaptation), 0.0, 0.0,
                                           /*memory=*/false, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoCmaes& o) const {
    return {
        pagmo::algorithm(pagmo::cmaes(Generations(o.population), -1, -1, -1, -1, o.step_size, 0.0,
                                      0.0, /*memory=*/false, /*force_bounds=*/true, seed_)),
        o.population};
  }
  Chosen operator()(const PagmoXnes& o) const {
    return {pagmo::algorithm(pagmo::xnes(Generations(o.population), -1, -1, -1, o.step_size, 0.0,
                                         0.0, /*memory=*/false, /*force_bounds=*/true, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoSwarm& o) const {
    constexpr unsigned kConstricted = 5, kRing = 2, kNeighbours = 4;  // pagmo's defaults
    return {pagmo::algorithm(pagmo::pso_gen(Generations(o.population), o.constriction, o.cognitive,
                                            o.social, o.largest_velocity, kConstricted, kRing,
                                            kNeighbours, /*memory=*/false, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoAnnealing& o) const {
    const std::int64_t bins = std::int64_t{o.temperatures} * o.ranges * numbers_;
    const std::int64_t bin =
        o.bin_size > 0 ? o.bin_size : std::max<std::int64_t>(1, (budget_ - 2 + bins) / bins);
    return {pagmo::algorithm(pagmo::simulated_annealing(
                o.start_temperature, o.end_temperature, static_cast<unsigned>(o.temperatures),
                static_cast<unsigned>(o.ranges), static_cast<unsigned>(bin), o.start_range, seed_)),
            1};
  }

 private:
  static unsigned Unsigned(std::int64_t count) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(count, 1, std::numeric_limits<unsigned>::max()));
  }
  // So many that the budget ends within the last one at the latest.
  unsigned Generations(int population) const { return Unsigned(budget_ / population + 1); }

  std::int64_t budget_;
  std::int64_t numbers_;
  unsigned seed_;
};

}  // namespace
}  // namespace pliant

void PliantEvolveWithPagmo(const pliant::PagmoTask& task, const pliant::InvertedLoop::Cost& cost) {
  using namespace pliant;
  const auto numbers = static_cast<std::int64_t>(task.start.size());
  const Chosen chosen =
      std::visit(Chooser(task.budget, numbers, task.algorithm_seed), task.algorithm);
  pagmo::population population{PagmoProblem{&cost, task.lower, task.upper}, 0U,
                               task.population_seed};
  population.push_back(task.start, {task.start_cost});
  while (population.size() < static_cast<size_t>(chosen.population)) {
    population.push_back(population.random_decision_vector());
  }
  chosen.algorithm.evolve(population);
}
