// Bodies that keep their shape, by Lagrange multipliers as points are held [Witkin & Welch 1990,
// Sec. 3]. With m = ∂x/∂r of an affine body, of columns m_s along its axes,
//
//   c_su = ½ (m_s·m_u − δ_su),  s ≤ u     ċ = J Ṙ = ½ (ṁ_s·m_u + m_s·ṁ_u)     c̈ = J R̈ + ṁ_s·ṁ_u
//   A μ = −(J a + ṁ_s·ṁ_u + 2 ζ ω ċ + ω² c),   a ← a + W Jᵀ μ,   A = J P W Jᵀ
//
// so that c̈ + 2 ζ ω ċ + ω² c = 0: what is left of d k coordinates are the d of its place and those
// of its rotation, and its inertia is that of its masses, as W is. Unlike that of points, J changes
// with the motion. P = 1 − W J_nᵀ S⁻¹ J_n takes away what the points that are held do not allow: their
// multipliers, computed afterwards from the accelerations that μ has changed, then hold both. Where
// held points determine a shape themselves, A is singular, and the least μ is taken.
//
// The stress m·μ is symmetric: it changes no momentum, and works only as far as ċ ≠ 0.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_RIGID_SHAPES_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_RIGID_SHAPES_H_

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <vector>

#include "models/linear_deformation/linear_body.h"
#include "models/scene/scene.h"
#include "solvers/linear_deformation/point_constraints.h"

namespace pliant::linear_deformation {

class RigidShapes {
 public:
  // Those of the scene that are rigid, which are affine; `first[b]` is the first coordinate of body b.
  RigidShapes(const Scene& scene, const std::vector<LinearBody>& bodies,
              const std::vector<int>& first);

  bool empty() const { return shapes_.empty(); }
  // Other points are held from now on.
  void PointsChange() { factored_at_.resize(0); }

  // Adds W Jᵀ μ to the free accelerations a = W Q, before the points are held.
  void Constrain(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                 const FeedbackOptions& feedback, const PointConstraints& points,
                 PointConstraints::Workspace* workspace, Eigen::VectorXd* a);
  // The same for a change of velocities by impulses at q: that change then strains nothing.
  void ConstrainChange(const Eigen::VectorXd& q, const PointConstraints& points,
                       PointConstraints::Workspace* workspace, Eigen::VectorXd* change);
  // The velocities nearest in energy that strain nothing and move held points as v does.
  void MatchVelocities(const Eigen::VectorXd& q, const PointConstraints& points,
                       PointConstraints::Workspace* workspace, Eigen::VectorXd* v);

 private:
  struct Shape {
    int first, columns;            // of the coordinates of its body
    Eigen::VectorXd scale;         // of each axis, 1/extent [1/m]
    Eigen::MatrixXd inverse_mass;  // W_b, k×k [1/kg]
    int axes() const { return static_cast<int>(scale.size()); }
    int rows() const { return axes() * (axes() + 1) / 2; }
  };

  Eigen::Matrix3d GradientOf(const Shape& shape, const Eigen::VectorXd& z) const;  // its columns
  // J z at m into the next rows of `rates`.
  void Rates(const Shape& shape, const Eigen::Matrix3d& m, const Eigen::Matrix3d& m_dot,
             double* rates) const;
  // Adds W Jᵀ μ to z.
  void AddForce(const Shape& shape, const Eigen::Matrix3d& m, const double* multipliers,
                Eigen::VectorXd* z) const;
  // The spectrum of A at q, O(rows³); that of the last q is kept.
  void Factor(const Eigen::VectorXd& q, const PointConstraints& points,
              PointConstraints::Workspace* workspace);
  // Replaces the wanted change of the rates of all rows by the μ that makes it.
  void Solve(const Eigen::VectorXd& q, const PointConstraints& points,
             PointConstraints::Workspace* workspace, Eigen::VectorXd* wanted);
  void AddForces(const Eigen::VectorXd& q, const Eigen::VectorXd& multipliers, Eigen::VectorXd* z);
  void AllRates(const Eigen::VectorXd& q, const Eigen::VectorXd& z, Eigen::VectorXd* rates) const;

  int dimension_;
  int rows_ = 0;
  std::vector<Shape> shapes_;
  // Scratch.
  Eigen::VectorXd wanted_, rates_, column_, unit_, held_, scale_;
  Eigen::VectorXd factored_at_;  // q; empty: nowhere
  Eigen::MatrixXd matrix_;       // A, scaled
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_RIGID_SHAPES_H_
