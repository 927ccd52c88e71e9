#include "solvers/linear_deformation/constraint_ends.h"

#include <algorithm>

namespace pliant::linear_deformation {
namespace {

// Calls use(i, j, p_iᵀ W p_j) for all pairs of `ends` at one body.
template <typename Use>
void ForPairsAtOneBody(const ConstraintEnds& all, std::vector<ConstraintEnd> ends, Use use) {
  std::stable_sort(ends.begin(), ends.end(), [](const ConstraintEnd& a, const ConstraintEnd& b) {
    return a.first < b.first;
  });
  for (size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
    while (end < ends.size() && ends[end].first == ends[begin].first) ++end;
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = begin; j < end; ++j) {
        double value = 0.0;
        for (int s = 0; s < ends[i].columns; ++s) {
          value += all.rows[ends[i].term + s] * all.impulses[ends[j].term + s];
        }
        use(ends[i].constraint, ends[j].constraint, value);
      }
    }
  }
}

}  // namespace

void ConstraintEnds::Add(int constraint, int first, int columns, const double* row,
                         const double* impulse) {
  ends.push_back({constraint, first, columns, rows.size()});
  rows.insert(rows.end(), row, row + columns);
  impulses.insert(impulses.end(), impulse, impulse + columns);
}

Eigen::SparseMatrix<double> ConstraintEnds::Matrix(int size) const {
  std::vector<Eigen::Triplet<double>> entries;
  ForPairsAtOneBody(*this, ends,
                    [&](int i, int j, double value) { entries.emplace_back(i, j, value); });
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::VectorXd ConstraintEnds::Diagonal(int size) const {
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(size);
  // Ends of one constraint come one after the other.
  for (size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
    while (end < ends.size() && ends[end].constraint == ends[begin].constraint) ++end;
    ForPairsAtOneBody(*this, {ends.begin() + begin, ends.begin() + end},
                      [&](int i, int, double value) { diagonal[i] += value; });
  }
  return diagonal;
}

}  // namespace pliant::linear_deformation
