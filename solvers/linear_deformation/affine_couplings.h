// Which blocks of the constraint matrix of the implicit step (affine_step.h) which bodies have a part in:
//
//   S'_ij = Σ_bodies (p_iᵀ ⊗ 1_d) (M + h D + h² K)⁻¹ (p_j ⊗ 1_d)
//
// over the bodies that the rows i and j share. The values change in every step, the pattern does not. The rows are
// those of the constraints, or those reduced to the rank of the bodies (row_reduction.h).

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_COUPLINGS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_COUPLINGS_H_

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "solvers/linear_deformation/affine_scene.h"
#include "solvers/linear_deformation/constraint_ends.h"
#include "solvers/linear_deformation/row_reduction.h"

namespace pliant::linear_deformation {

template <int D, int M>
struct AffineCouplings {
  struct RowEnd {  // of a row of the constraint matrix, at one body
    int row;
    std::array<double, M + 1> p;
  };
  struct Coupling {  // of two ends at one body
    int first, second;
    int pair;  // of the constraint matrix, first end's rows; −1: a diagonal block
  };

  // A `reduction` of no rows: not reduced.
  AffineCouplings(const AffineScene<D, M>& scene, const RowReduction& reduction);

  int rows = 0;                            // of the constraint matrix
  std::vector<std::pair<int, int>> pairs;  // its blocks off the diagonal: row, column
  std::vector<RowEnd> ends;                // body by body, in the order of their rows
  std::vector<int> first_end;              // bodies + 1
  std::vector<Coupling> couplings;         // body by body
  std::vector<int> first_coupling;         // bodies + 1

 private:
  void TakeRows(const AffineScene<D, M>& scene);
  void TakeRows(const RowReduction& reduction, int bodies);
  void FindCouplings(int bodies);
};

template <int D, int M>
AffineCouplings<D, M>::AffineCouplings(const AffineScene<D, M>& scene,
                                       const RowReduction& reduction) {
  if (reduction.size() == 0) {
    TakeRows(scene);
  } else {
    TakeRows(reduction, scene.bodies());
  }
  FindCouplings(scene.bodies());
}

template <int D, int M>
void AffineCouplings<D, M>::TakeRows(const AffineScene<D, M>& scene) {
  rows = scene.constraints();
  first_end = {0};
  for (int body = 0; body < scene.bodies(); ++body) {
    for (int e = scene.first_end(body); e < scene.first_end(body + 1); ++e) {
      ends.push_back({scene.end(e).constraint[0], scene.end(e).p});
    }
    first_end.push_back(static_cast<int>(ends.size()));
  }
}

// Their coordinates are those of q.
template <int D, int M>
void AffineCouplings<D, M>::TakeRows(const RowReduction& reduction, int bodies) {
  rows = reduction.reduced_size();
  first_end = {0};
  const ConstraintEnds& reduced = reduction.ends();
  std::vector<std::vector<RowEnd>> of_body(bodies);
  for (const ConstraintEnd& end : reduced.ends) {  // rows ascend
    RowEnd at_body{end.constraint, {}};
    for (int s = 0; s <= M; ++s) at_body.p[s] = reduced.rows[end.term + s];
    of_body[end.first / AffineScene<D, M>::kCoordinates].push_back(at_body);
  }
  for (const std::vector<RowEnd>& own : of_body) {
    ends.insert(ends.end(), own.begin(), own.end());
    first_end.push_back(static_cast<int>(ends.size()));
  }
}

template <int D, int M>
void AffineCouplings<D, M>::FindCouplings(int bodies) {
  std::vector<std::vector<int>> of_row(rows);  // pairs in which it is the row
  first_coupling = {0};
  for (int body = 0; body < bodies; ++body) {
    for (int i = first_end[body]; i < first_end[body + 1]; ++i) {
      couplings.push_back({i, i, -1});
      for (int j = first_end[body]; j < i; ++j) {
        Coupling coupling{i, j, -1};
        // Ends of a body come in the order of their constraints, and none joins it to itself.
        const int row = ends[i].row, column = ends[j].row;
        // Two bodies may couple the same two constraints.
        auto& known = of_row[row];
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&](int pair) { return pairs[pair].second == column; });
        coupling.pair = found == known.end() ? static_cast<int>(pairs.size()) : *found;
        if (found == known.end()) {
          known.push_back(coupling.pair);
          pairs.emplace_back(row, column);
        }
        couplings.push_back(coupling);
      }
    }
    first_coupling.push_back(static_cast<int>(couplings.size()));
  }
}

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_COUPLINGS_H_
