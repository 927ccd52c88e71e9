// Acceleration of an iteration x ← x − f(x), f = K⁻¹ r, with one factorised approximation K of the derivative of r
// [Carlson & Miller 1998; in structural dynamics Scott & Fenves 2010]. The steps that were taken tell how f changes:
// from x − V c, where V holds steps, f is about f − W c, where W holds the changes of f. With the c of least squares
//
//   x ← x − (V c + f − W c)
//
// is the step of the derivative on the span of V and that of K beside it. What K lacks is of low rank where few
// places touch, so that few steps find it; K alone would go on at its own rate.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_KRYLOV_SUBSPACE_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_KRYLOV_SUBSPACE_H_

#include <Eigen/Core>

namespace pliant::finite_elements {

class KrylovSubspace {
 public:
  void Clear() { count_ = 0, next_ = 0, moved_ = false; }
  // The step from x, where f is f(x). O(n m²) of n unknowns and the last m = 8 steps.
  const Eigen::VectorXd& Step(const Eigen::VectorXd& f);
  // x went by this part of the step.
  void Moved(double part) { part_ = part, moved_ = true; }

 private:
  static constexpr Eigen::Index kMost = 8;

  Eigen::MatrixXd steps_, changes_;  // n×m, V and W, scaled alike
  Eigen::VectorXd f_, step_;
  Eigen::Index count_ = 0, next_ = 0;  // of columns in use; the oldest is replaced
  double part_ = 0.0;
  bool moved_ = false;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_KRYLOV_SUBSPACE_H_
