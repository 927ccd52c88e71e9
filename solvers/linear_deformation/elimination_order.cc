#include "solvers/linear_deformation/elimination_order.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace pliant::linear_deformation {

std::vector<int> PathOrder(int size, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::vector<int>> neighbours(size);
  for (const auto& [i, j] : pairs) {
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
    if (neighbours[i].size() > 2 || neighbours[j].size() > 2) return {};
  }
  std::vector<int> order;
  std::vector<bool> seen(size, false);
  for (int start = 0; start < size; ++start) {
    if (seen[start] || neighbours[start].size() == 2) continue;
    for (int at = start; at >= 0;) {
      seen[at] = true;
      order.push_back(at);
      int next = -1;
      for (int n : neighbours[at]) {
        if (!seen[n]) next = n;
      }
      at = next;
    }
  }
  if (static_cast<int>(order.size()) < size) return {};  // a ring
  return order;
}

std::vector<int> MinimumDegreeOrder(int size, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : pairs) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(pattern.selfadjointView<Eigen::Lower>(), inverse);
  return {inverse.indices().begin(), inverse.indices().end()};
}

}  // namespace pliant::linear_deformation
