// What pagmo tries by its own loop, evolve() of a population, without Pliant's searches.

#ifndef PLIANT_TESTS_SOLVERS_SEARCH_PAGMO_LOOP_H_
#define PLIANT_TESTS_SOLVERS_SEARCH_PAGMO_LOOP_H_

#include <string>
#include <vector>

#include "tests/solvers/search/valleys.h"

namespace pliant {

// The points in order, the start first: at least `budget`. `method` as Pliant names it, with pagmo's own defaults, populations
// of 20; annealing with one range of 16 moves at each of ten temperatures or as many as the budget needs. Empty without pagmo.
std::vector<Eigen::VectorXd> PagmoLoop(const std::string& method, const MotionNumbers& numbers,
                                       const FunctionProblem::Function& function, unsigned budget,
                                       std::uint64_t seed);

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_SEARCH_PAGMO_LOOP_H_
