// Orders in which the rows of a sparse symmetric matrix are eliminated; `pairs` are its entries off
// the diagonal, each once. An order lists the rows, first to last.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_ELIMINATION_ORDER_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_ELIMINATION_ORDER_H_

#include <utility>
#include <vector>

namespace pliant::linear_deformation {

// The rows path by path; empty if some part of the graph is not a path.
std::vector<int> PathOrder(int size, const std::vector<std::pair<int, int>>& pairs);
// Approximate minimum degree: no fill-in for a tree.
std::vector<int> MinimumDegreeOrder(int size, const std::vector<std::pair<int, int>>& pairs);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_ELIMINATION_ORDER_H_
