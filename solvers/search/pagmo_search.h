// Searches by algorithms of the library pagmo [Biscani 2020], behind the protocol of search.h:
//
//   sade, de1220           differential evolution that adapts its parameters; de1220 also adapts its variant
//   cmaes, xnes            normal distributions that adapt [Hansen 2016; Glasmachers 2010]
//   pso_gen                particle swarm
//   simulated_annealing    with steps that adapt [Corana 1987]
//
// compass_search is left out: it is deterministic, so that all seeds would be the same search.
//
// A population contains the start; its other members are uniform between the bounds. An algorithm gets at least as many generations as
// the budget, which counts evaluations, can pay for: the budget ends the search. pagmo calls the cost function, so it runs on a thread of
// its own (inverted_loop.h). A trial that failed has the largest finite cost. pagmo's seeds have 32 bits: ours seeds a generator that draws
// two of them, for the population and for the algorithm. pagmo uses distributions of the C++ library, so that another library may give
// other trials.
//
// The searches are available where pagmo was installed when Pliant was built (libpagmo-dev). What calls pagmo is in a module of its
// own (pagmo_evolution.h).

#ifndef PLIANT_SOLVERS_SEARCH_PAGMO_SEARCH_H_
#define PLIANT_SOLVERS_SEARCH_PAGMO_SEARCH_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "solvers/parameters.h"
#include "solvers/search/search.h"

namespace pliant {

struct PagmoSade {
  int population = 20;  // ≥ 7
  int variant = 2;      // of the mutation, 1 to 18
  int adaptation = 1;   // of its parameters: 1 jDE, 2 iDE
  void Bind(ParameterBinder& b);
};

struct PagmoDe1220 {
  int population = 20;  // ≥ 7
  int adaptation = 1;   // as above
  void Bind(ParameterBinder& b);
};

struct PagmoCmaes {
  int population = 20;     // ≥ 5
  double step_size = 0.5;  // first standard deviation over the width of the bounds, > 0
  void Bind(ParameterBinder& b);
};

struct PagmoXnes {
  int population = 20;     // ≥ 4
  double step_size = 0.5;  // as above, in (0, 1]
  void Bind(ParameterBinder& b);
};

struct PagmoSwarm {
  int population = 20;            // ≥ 5
  double constriction = 0.7298;   // ω, in [0, 1]
  double cognitive = 2.05;        // η₁, in [0, 4]
  double social = 2.05;           // η₂, in [0, 4]
  double largest_velocity = 0.5;  // over the width of the bounds, in (0, 1]
  void Bind(ParameterBinder& b);
};

struct PagmoAnnealing {
  double start_temperature = 10.0, end_temperature = 0.1;  // > 0
  int temperatures = 10, ranges = 1;                       // adjustments of both, ≥ 1
  int bin_size =
      0;  // trials of each number for one range; 0: so many that they end with the budget
  double start_range = 1.0;  // over the width of the bounds, in (0, 1]
  void Bind(ParameterBinder& b);
};

using PagmoAlgorithm =
    std::variant<PagmoSade, PagmoDe1220, PagmoCmaes, PagmoXnes, PagmoSwarm, PagmoAnnealing>;

// Was Pliant built with pagmo?
bool HasPagmo();

// Throws BadInput where Pliant was built without pagmo, or its module is not found.
std::unique_ptr<Search> StartPagmo(const PagmoAlgorithm& algorithm, const MotionNumbers& numbers,
                                   std::int64_t budget, std::uint64_t seed);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_PAGMO_SEARCH_H_
