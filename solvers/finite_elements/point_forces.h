// Springs between points of the scene, where PointPlaces puts them, with potentials and, for steps that keep energy, discrete
// gradients.
//
//   spring    U = ½ k (ℓ − ℓ_r)²; force along d̄ = ½ (d₀ + d₁) with k (1 − 2 ℓ_r/(ℓ₀ + ℓ₁)), which times
//             Δd is ΔU exactly; damping along d̄ with the rate d̄·Δd/(|d̄| h)

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/finite_elements/reduced_matrix.h"

namespace pliant::finite_elements {

// Two places of all points of the scene by PointPlaces, 3×n [m], at times t₀ and t₁ [s].
struct PointMotion {
  const Eigen::Matrix3Xd &x0, &x1;
  double t0, t1;
};

class PointForces {
 public:
  // `places` is n×m, PointPlaces::rows().
  PointForces(const Scene& scene, const Eigen::SparseMatrix<double, Eigen::RowMajor>& places);

  bool empty() const { return springs_.empty(); }
  // x = q · placesᵀ; forces on nodes = forces on points · places.
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& places() const { return places_; }
  const std::vector<NodeCombination>& links() const { return links_; }  // for ReducedMatrix

  double SpringEnergy(const Eigen::Matrix3Xd& x) const;  // J

  // Add to `forces` on the points, 3×n [N].
  void AddForces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  void AddSpringDamping(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;

  // Add −∂force/∂x₁, or a symmetric, positive semidefinite approximation of it.
  void AddTangent(const Eigen::Matrix3Xd& x, double factor, ReducedMatrix* matrix) const;
  void AddDiscreteTangent(const PointMotion& motion, ReducedMatrix* matrix) const;
  void AddDampingTangent(const PointMotion& motion, ReducedMatrix* matrix) const;

 private:
  struct PointSpring {
    int a, b;  // columns; b < 0: the anchor
    Eigen::Vector3d anchor;
    double stiffness, damping, rest_length;
  };
  Eigen::Vector3d Span(const PointSpring& spring, const Eigen::Matrix3Xd& x) const;

  Eigen::SparseMatrix<double, Eigen::RowMajor> places_;
  std::vector<PointSpring> springs_;
  std::vector<NodeCombination> links_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_
