// Forces at the points of the scene: springs, obstacles and timed forces, with potentials and, for
// steps that keep energy, discrete gradients.
//
//   spring    U = ½ k (ℓ − ℓ_r)²; force along d̄ = ½ (d₀ + d₁) with k (1 − 2 ℓ_r/(ℓ₀ + ℓ₁)), which times
//             Δd is ΔU exactly; damping along d̄ with the rate d̄·Δd/(|d̄| h)
//   obstacle  U = ½ K e², e = min(0, distance), of each point. With the place ξ in the obstacle's frame
//             and the normal n̄ at its mean, the force is φ n̄ + φ (Δs − n̄·Δξ)/|Δξ|² Δξ, where s is the
//             distance and φ = ΔU/Δs: times Δξ it is ΔU exactly, and for planes the second term is 0

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/finite_elements/reduced_matrix.h"

namespace pliant::finite_elements {

// Two places of all points of the scene, 3×n [m], at times t₀ and t₁ [s].
struct PointMotion {
  const Eigen::Matrix3Xd &x0, &x1;
  double t0, t1;
};

class PointForces {
 public:
  // Contact stiffness K in N/m per point. `embedding` is n×m.
  PointForces(const Scene& scene, const Eigen::SparseMatrix<double>& embedding,
              double contact_stiffness);

  bool empty() const { return springs_.empty() && obstacles_.empty(); }
  bool has_springs() const { return !springs_.empty(); }
  bool has_obstacles() const { return !obstacles_.empty(); }
  // For ReducedMatrix: of springs, then of points where there are obstacles.
  const std::vector<NodeCombination>& links() const { return links_; }

  double SpringEnergy(const Eigen::Matrix3Xd& x) const;                // J
  double ContactEnergy(double time, const Eigen::Matrix3Xd& x) const;  // J

  // Add to `forces` on the points, 3×n [N].
  void AddForces(double time, const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  void AddSpringDamping(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  // Work of obstacles that move between t₀ and t₁ [J]: of the forces of AddDiscreteForces(), or of
  // those of AddForces() at one time.
  double ObstacleWork(const PointMotion& motion) const;
  double ObstacleWork(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x) const;

  // Add −∂force/∂x₁, or a symmetric, positive semidefinite approximation of it.
  void AddTangent(double time, const Eigen::Matrix3Xd& x, double factor,
                  ReducedMatrix* matrix) const;
  void AddDiscreteTangent(const PointMotion& motion, ReducedMatrix* matrix) const;
  void AddDampingTangent(const PointMotion& motion, ReducedMatrix* matrix) const;

 private:
  struct PointSpring {
    int a, b;  // columns; b < 0: the anchor
    Eigen::Vector3d anchor;
    double stiffness, damping, rest_length;
  };
  Eigen::Vector3d Span(const PointSpring& spring, const Eigen::Matrix3Xd& x) const;
  // Calls visit(obstacle, point, n̄, φ, ∂φ/∂s₁, Δξ, correction) for each that touches at t₀ or t₁.
  template <typename Visit>
  void ForEachContact(const PointMotion& motion, const Visit& visit) const;

  std::vector<PointSpring> springs_;
  std::vector<Obstacle> obstacles_;
  double contact_stiffness_;
  std::vector<NodeCombination> links_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_FORCES_H_
