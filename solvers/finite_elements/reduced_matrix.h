// The sparse symmetric matrix Tᵀ A T of the unknowns that constraints leave (reduction.h), with a
// fixed pattern: sums of dense blocks of elements go to places that are found once. Factorised by
// CHOLMOD, symbolically once [Davis 2006].

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCED_MATRIX_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCED_MATRIX_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/element_colours.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

// Σ weight · position of node: a point, or the difference of two.
using NodeCombination = std::vector<std::pair<int, double>>;

class ReducedMatrix {
 public:
  // `links` are the combinations of nodes whose stiffness AddLink() will add. Both references must
  // outlive it.
  ReducedMatrix(const Discretisation& bodies, const Reduction& reduction,
                std::vector<NodeCombination> links);
  ~ReducedMatrix();

  int size() const { return reduction_.size(); }

  void SetZero();
  void AddMass(double factor);
  void AddTangent(double factor, const PointsRef& q);
  void AddDamping(double h, const PointsRef& q0, const PointsRef& q1);  // ∂/∂q₁ of the forces
  // Of the discrete gradient and of damping.
  void AddStepTangent(double h, const PointsRef& q0, const PointsRef& q1);
  // stiffness ⊗ w wᵀ of a link, by its index.
  void AddLink(int link, const Eigen::Matrix3d& stiffness);
  // The same with other weights of its nodes, which may name each node several times.
  void AddLink(int link, const NodeCombination& weights, const Eigen::Matrix3d& stiffness);
  void AddDiagonal(double value);
  double LargestDiagonal() const;

  // Is the matrix positive definite? If not, `shift` times its largest diagonal entry is added, from
  // 1e-8 on and at most so often, until it is: returns that factor, 0 for none, or a negative number where none helps.
  static constexpr int kMostShifts = 9;
  double Factorise(int most_shifts = kMostShifts);
  // The last factors.
  Eigen::VectorXd Solve(const Eigen::VectorXd& right) const;

  const Eigen::SparseMatrix<double>& lower() const { return matrix_; }

 private:
  void AddMassDamping(double h);
  // How the dense block of some nodes enters the matrix.
  struct Block {
    int part = 0, element = 0;   // of elements
    std::vector<int> unknowns;   // of the matrix
    std::vector<int> local;      // rows of the block that are unknowns; empty where T is used
    Eigen::MatrixXd T;           // rows of the block × unknowns
    std::vector<int> positions;  // of the entries i ≥ j, column by column, in the values
  };
  Block MakeBlock(std::span<const int> nodes, int first) const;
  void FindPositions(Block* block) const;
  struct Scratch {  // of a thread
    Eigen::MatrixXd dense, product, reduced;
    Eigen::Matrix3Xd x0, x1;
  };
  void AddBlock(const Block& block, double factor, Scratch* scratch);
  // Calls fill(part, element, scratch) for each element and adds what it filled in.
  template <typename Fill>
  void AddElements(double factor, const Fill& fill);
  // Σ factor · Tᵀ M T of each part p, where matrix_ has its values.
  Eigen::VectorXd ReducedMasses(const std::function<double(int p)>& factor) const;

  const Discretisation& bodies_;
  const Reduction& reduction_;
  std::vector<NodeCombination> links_;
  std::vector<Block> blocks_;           // of all elements, part after part
  ElementColours colours_;              // of blocks_, by their unknowns
  std::vector<Block> link_blocks_;      // of the links
  Eigen::SparseMatrix<double> matrix_;  // lower triangle
  // Of Tᵀ M T, and with the damping of each part, where matrix_ has its values; made when they are asked for.
  Eigen::VectorXd mass_values_, mass_damping_values_;
  std::vector<int> diagonal_;  // positions

  class Factors;
  std::unique_ptr<Factors> factors_;
  std::vector<Scratch> scratch_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCED_MATRIX_H_
