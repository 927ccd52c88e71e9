// L D Lᵀ of a sparse symmetric positive semidefinite matrix of B×B blocks, row by row, after an
// order that keeps it sparse. The pattern is analysed once; the numbers may change every step.
//
// A graph that falls into paths (a chain of bodies) is ordered along them: one block below each
// pivot, none filled in. A row then depends only on the previous row: 2 products and a division to
// factorise, a product for either substitution. Any other graph uses the approximate minimum
// degree order, which has no fill-in for a tree. Either way a puppet costs O(number of
// constraints).
//
// A pivot that vanishes relative to its diagonal belongs to a row that depends on the previous
// rows. Its row and column are left out: Solve() then returns 0 there and satisfies the others.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_BLOCK_FACTOR_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_BLOCK_FACTOR_H_

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace pliant::linear_deformation {

template <int B>
class BlockFactor {
 public:
  using Block = Eigen::Matrix<double, B, B>;

  BlockFactor() = default;
  // `size` block rows; `pairs` are the blocks off the diagonal, each once as (row, column), without
  // repetition.
  BlockFactor(int size, const std::vector<std::pair<int, int>>& pairs);

  int size() const { return static_cast<int>(order_.size()); }
  bool is_chain() const { return chain_; }

  // Diagonal blocks in the caller's order, and those of `pairs` in theirs. Pivots below `singular`
  // of the diagonal entry, or of that of `reference`, are left out. Allocates nothing. O(entries of
  // L × their column lengths).
  void Factorise(const std::vector<Block>& diagonal, const std::vector<Block>& off_diagonal,
                 double singular, const std::vector<Block>* reference = nullptr);

  // Rows left out by the last Factorise, in the caller's order; for B > 1 a block counts when any
  // of its directions is.
  const std::vector<int>& dependent() const { return dependent_; }

  // For B = 1: the direction z, A z = 0, in which a dependent row depends on the rows kept before it;
  // z is 1 there. Parts below `rounding`, in units of 1/scale, count as 0. Where few rows depend on
  // each other the cost is that of these rows alone.
  using Direction = std::vector<std::pair<int, double>>;  // row in the caller's order, part of it
  Direction NullDirection(int dependent, const std::vector<double>& scale, double rounding) const;

  // x ← A⁻¹ x of `columns` right-hand sides, 1, 2 or 3 for B = 1, one else: `size`·B rows,
  // row-major. Allocates nothing.
  void Solve(double* x, int columns) const;

 private:
  struct Entry {  // of the matrix: where the block (row, column) of the permuted matrix comes from
    int column;   // permuted, < row
    int pair;
    bool transposed;
  };
  struct Link {  // of a row of L, in an order in which each column precedes those it changes
    int column;
    int place;  // of L_{row,column} in lower_
  };

  void Order(const std::vector<std::pair<int, int>>& pairs);
  void Analyse(const std::vector<std::pair<int, int>>& pairs);
  void FactoriseChain(const std::vector<Block>& diagonal, const std::vector<Block>& off_diagonal,
                      double singular, const std::vector<Block>& reference);
  // D⁻¹ of row k, without the directions in which the pivot vanishes.
  void Invert(int k, const Block& pivot, const Block& diagonal, double singular);
  template <int C>
  void SolveColumns(double* x) const;
  template <int C>
  void SolveChain(double* x) const;

  bool chain_ = false, apart_ = false;  // only paths; nothing off the diagonal
  std::vector<int> order_, place_;      // permuted → caller's, caller's → permuted
  std::vector<Entry> entries_;
  std::vector<int> entry_begin_;  // size + 1
  std::vector<Link> links_;
  std::vector<int> link_begin_;    // size + 1
  std::vector<int> column_begin_;  // size + 1, of the columns of L
  std::vector<int> row_of_;        // of each entry of L
  // L, of a chain a block for each row (0 where a path begins), D⁻¹, scratch: one row.
  std::vector<Block> lower_, inverse_, row_;
  std::vector<int> dependent_;
  mutable std::vector<double> permuted_;
};

extern template class BlockFactor<1>;
extern template class BlockFactor<2>;
extern template class BlockFactor<3>;

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_BLOCK_FACTOR_H_
