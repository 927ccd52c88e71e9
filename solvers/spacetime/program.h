// The nonlinear program that a motion problem becomes on a time mesh:
//
//   minimise    J(x) = Σᵢ rᵢ(x)²            cost rows
//   subject to  c_j(x) = 0                  equality rows: physics, contact modes
//               g_k(x) ≥ 0                  inequality rows: friction cones, limits, clearance
//
// x is a sequence of blocks in order of time (the unknowns of one mesh node each), and every row
// belongs to a term that touches few neighbouring blocks. That is all the structure there is, and
// what makes the Jacobian block-banded.

#ifndef PLIANT_SOLVERS_SPACETIME_PROGRAM_H_
#define PLIANT_SOLVERS_SPACETIME_PROGRAM_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

enum class RowKind { kCost, kEquality, kInequality };

// Consecutive rows of a term with the same meaning.
struct RowGroup {
  std::string name;  // in words, such as "friction cone"; rows of one name are reported together
  std::string unit;  // of the rows
  RowKind kind;
  int rows;
  // Constraints only. The scaled violation s|c| is what tolerances are measured in.
  double scale = 1.0;   // s, per unit of the row
  double weight = 1.0;  // ω > 0, of its square in the augmented Lagrangian
  double share = 0.0;   // s, how much of the time the row stands for; 0 for a single event
  bool bounds = false;  // each row is an inequality, linear in one unknown at most
};

// A few rows of the program and their derivatives. Immutable.
class SpacetimeTerm {
 public:
  virtual ~SpacetimeTerm() = default;

  const std::vector<int>& blocks() const { return blocks_; }
  const std::vector<RowGroup>& groups() const { return groups_; }
  int rows() const { return rows_; }
  double time() const { return time_; }  // s, where in the motion the rows hold

  // `x[i]`: values of block blocks()[i]. Writes rows() values, unscaled and in the order of
  // groups(). `jacobians` may be null; else jacobians[i], rows() × size of that block, row-major,
  // is overwritten.
  virtual void Evaluate(const double* const* x, double* values, double* const* jacobians) const = 0;

 protected:
  SpacetimeTerm(double time, std::vector<int> blocks, std::vector<RowGroup> groups);

 private:
  double time_;
  std::vector<int> blocks_;
  std::vector<RowGroup> groups_;
  int rows_ = 0;
};

class SpacetimeProgram {
 public:
  struct Block {
    int offset;  // of its first value in x
    int size;
  };

  // Blocks are added in order of time; the number of the new block is returned.
  int AddBlock(int size);
  // A term without blocks concerns fixed values only: it counts as cost or violation, and no x can
  // change it.
  void AddTerm(std::unique_ptr<SpacetimeTerm> term);

  const std::vector<Block>& blocks() const { return blocks_; }
  int variables() const { return variables_; }
  int rows() const { return static_cast<int>(row_group_.size()); }
  int terms() const { return static_cast<int>(terms_.size()); }
  const SpacetimeTerm& term(int i) const { return *terms_[i]; }
  int first_row(int term) const { return first_row_[term]; }

  // All rows at x, unscaled. `values` gets size rows().
  void Evaluate(const Eigen::VectorXd& x, Eigen::VectorXd* values) const;

  // J = Σ r² of rows as Evaluate() gives them.
  double Cost(const Eigen::VectorXd& values) const;
  // Scaled violation of one row: s|c|, s·max(0, −g), 0 for cost.
  double Violation(int row, double value) const;
  const RowGroup& group(int row) const { return *row_group_[row]; }
  double row_time(int row) const { return row_time_[row]; }

  // Multipliers (one per row) of this program from those of the same problem on another mesh. A row
  // takes them from the rows of its name that are nearest in time, scaled so that ω λ per unit of
  // time stays the same. A row that the other mesh does not have gets 0. The time 0 of this program is `begin` [s]
  // of the other one, of which it may be what is left.
  Eigen::VectorXd TransferMultipliers(const SpacetimeProgram& from,
                                      const Eigen::VectorXd& multipliers, double begin = 0.0) const;

  // Pointers to the values of the blocks of a term within x, for SpacetimeTerm::Evaluate.
  // At most kMaxBlocks.
  static constexpr int kMaxBlocks = 4;
  void Gather(int term, const double* x, const double** pointers) const;

 private:
  std::vector<Block> blocks_;
  std::vector<std::unique_ptr<SpacetimeTerm>> terms_;
  std::vector<int> first_row_;              // of each term
  std::vector<const RowGroup*> row_group_;  // of each row
  std::vector<double> row_time_;            // of each row [s]
  int variables_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PROGRAM_H_
