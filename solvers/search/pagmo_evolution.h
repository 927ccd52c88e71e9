// A search of pagmo from its start to its end: what the module libpliant_pagmo contains. It is a module, loaded by the first
// search that asks for it, since libpagmo fills 20 MB of tables when it is loaded, which on a slow machine takes
// longer than all else that a program does at its start.

#ifndef PLIANT_SOLVERS_SEARCH_PAGMO_EVOLUTION_H_
#define PLIANT_SOLVERS_SEARCH_PAGMO_EVOLUTION_H_

#include <cstdint>
#include <vector>

#include "solvers/search/inverted_loop.h"
#include "solvers/search/pagmo_search.h"

namespace pliant {

struct PagmoTask {
  PagmoAlgorithm algorithm;
  std::int64_t budget;                      // evaluations that pay for its generations
  std::vector<double> start, lower, upper;  // of the numbers
  double start_cost;
  unsigned population_seed, algorithm_seed;
};

// `cost` is asked on the thread that calls, and may end it by an exception.
using PagmoEvolution = void(const PagmoTask& task, const InvertedLoop::Cost& cost);

}  // namespace pliant

// The one name that the module shows.
extern "C" __attribute__((visibility("default"))) pliant::PagmoEvolution PliantEvolveWithPagmo;

#endif  // PLIANT_SOLVERS_SEARCH_PAGMO_EVOLUTION_H_
