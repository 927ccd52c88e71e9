// A spacetime program as solvers of sparse general programs take it:
//
//   minimise J(x)   subject to   s c(x) = 0,   s g(x) ≥ 0,   l ≤ x ≤ u
//
// with the scales s of program.h. Inequalities that bound one unknown (RowGroup::bounds) are l and u, the other
// constraints are rows. First derivatives are those of the terms. The Hessian of
//
//   σ J + Σ_j λ_j s_j c_j + Σ_k λ_k s_k g_k
//
// has 2 σ ∇r ∇rᵀ of the cost rows as it is, and of all curvatures the differences of first derivatives,
// term by term, a step of kStep away from x.

#ifndef PLIANT_SOLVERS_SPACETIME_STANDARD_FORM_H_
#define PLIANT_SOLVERS_SPACETIME_STANDARD_FORM_H_

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solvers/spacetime/program.h"

namespace pliant {

class StandardForm {
 public:
  static constexpr double kStep = 1e-6;

  struct Entry {
    int row, column;
  };

  // `program` outlives this. `near`: anywhere; entries of equalities that are 0 at two places beside it are left out of the
  // Jacobian, as equalities are analytic.
  StandardForm(const SpacetimeProgram& program, const Eigen::VectorXd& near);

  int variables() const { return program_.variables(); }
  int rows() const { return static_cast<int>(rows_.size()); }
  bool is_equality(int row) const {
    return program_.group(rows_[row].row).kind == RowKind::kEquality;
  }
  const Eigen::VectorXd& lower() const { return lower_; }  // l; −∞ where there is none
  const Eigen::VectorXd& upper() const { return upper_; }  // u; ∞
  const std::vector<Entry>& jacobian_entries() const { return jacobian_entries_; }
  const std::vector<Entry>& hessian_entries() const { return hessian_entries_; }  // row ≥ column

  // Evaluates all terms at x, unless they have been at the same x.
  void MoveTo(const double* x, bool derivatives);
  // At the x of the last MoveTo(), with derivatives where they need them.
  const Eigen::VectorXd& x() const { return x_; }
  const Eigen::VectorXd& values() const { return values_; }  // all rows of the program, unscaled
  double Cost() const { return program_.Cost(values_); }
  void CostGradient(double* gradient) const;
  void Rows(double* values) const;
  void Jacobian(double* values) const;  // in the order of jacobian_entries()
  void Hessian(double cost_factor, const double* multipliers, double* values);

  // y and z of each row of the program (optimality.h) from λ and the multipliers ≥ 0 of l and u.
  Eigen::VectorXd RowMultipliers(const double* multipliers, const double* of_lower,
                                 const double* of_upper) const;

  std::int64_t evaluations() const {
    return evaluations_;
  }  // of all rows, with or without derivatives

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // A term with unknowns.
  struct Part {
    int term, first_row;        // of the program
    std::vector<int> unknowns;  // of all its blocks, in the order of the blocks
    std::vector<int> first;     // unknown of each block, among those
    std::vector<RowMajor> by_block;
    RowMajor jacobian;        // rows of the term by its unknowns
    std::vector<int> row_of;  // of each row of the term: the row here, or kNone
    std::vector<int>
        places;  // of each pair of unknowns in the Hessian, column by column of the lower triangle
  };
  struct Row {
    int part, place;  // within the term
    int row;          // of the program
    double scale;
  };
  // A row of the program that is a bound of `unknown`: g = slope (x − bound).
  struct Bound {
    int row, unknown;
    double slope;
  };
  static constexpr int kNone = -1;

  void AddParts();
  void FindRows(const Eigen::VectorXd& near);
  void AddRow(int part, int place, const Eigen::RowVectorXd& elsewhere);
  bool AddBound(int part, int place);
  void FindPairs();
  // Values and derivatives of one term at `x`, into `values` and its `jacobian`.
  void EvaluatePart(const double* x, bool derivatives, double* values, Part* part) const;
  // Σ weight ∇² of the rows of a term, added to `hessian`.
  void AddCurvature(const Eigen::RowVectorXd& weights, Part* part, Eigen::MatrixXd* hessian);

  const SpacetimeProgram& program_;
  std::vector<Part> parts_;
  std::vector<Row> rows_;
  std::vector<Bound> bounds_;             // the tightest of each unknown and side
  std::vector<int> at_lower_, at_upper_;  // bound of each unknown, or kNone
  Eigen::VectorXd lower_, upper_;
  std::vector<Entry> jacobian_entries_, hessian_entries_;
  std::vector<int>
      entry_unknown_;  // of each entry of the Jacobian: its unknown among those of the term
  Eigen::VectorXd x_, values_, moved_;
  Eigen::VectorXd scratch_;  // rows of one term
  bool has_values_ = false, has_derivatives_ = false;
  std::int64_t evaluations_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_STANDARD_FORM_H_
