// One body, discretised: nodes (or control points) with positions q, 3×m, world [m], elements
// that store energy, and the points of the scene's body embedded in them.
//
// Space: x(X) = Σ_i N_i(X) q_i, the total Lagrangian form: every integral is over the body at rest.
// An element sees only the positions of its own nodes. It provides
//   - its energy E(x), gradient ∂E/∂x and tangent ∂²E/∂x² (exact, symmetric), and
//   - its discrete gradient ∇̄E(x₀, x₁), a force of a whole step with [Gonzalez 2000]
//       ∇̄E · (x₁ − x₀) = E(x₁) − E(x₀),         so that the step keeps energy,
//       Σ_i ∇̄_i E = 0 and Σ_i (x₀ + x₁)_i/2 × ∇̄_i E = 0,    momenta,
//       ∇̄E(x₀, x₁) = ∂E/∂x((x₀ + x₁)/2) + O(|x₁ − x₀|²),       and is of second order.
// The sparse matrices are assembled for every kind of part alike
// (solvers/finite_elements/assembly.h).
//
// Bending of shells and rods belongs to their elements: nodes have positions only.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_ELASTIC_PART_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_ELASTIC_PART_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "models/finite_elements/boundary.h"
#include "models/finite_elements/contact_surface.h"
#include "models/scene/forces.h"

namespace pliant::finite_elements {

using MutableMatrixRef = Eigen::Ref<Eigen::MatrixXd>;

// Immutable after its construction, so that threads may share it.
class ElasticPart {
 public:
  virtual ~ElasticPart() = default;
  ElasticPart(const ElasticPart&) = delete;
  ElasticPart& operator=(const ElasticPart&) = delete;

  int node_count() const { return static_cast<int>(rest_.cols()); }
  // 3×m, body frame [m]. Where the body starts without strain, q = position + orientation · rest.
  const Eigen::Matrix3Xd& rest() const { return rest_; }
  // m×m, consistent, ∫ ρ N_i N_j dV [kg], the same for each axis; symmetric, positive definite.
  // The sum of all entries is the mass of the body.
  const Eigen::SparseMatrix<double>& mass() const { return mass_; }
  // n×m, one row for each point of the scene's body: points = q · embeddingᵀ. Each row sums to one.
  const Eigen::SparseMatrix<double>& embedding() const { return embedding_; }
  // m×n, where nodes lie between points at rest: row i holds the weights > 0, sum 1, of the corners of
  // the smallest edge, face or cell that node i lies in. 0×0 for parts whose unknowns are no places.
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& between() const { return between_; }
  // Of solids and profiles; empty for shells and rods.
  const std::vector<BoundarySide>& boundary() const { return boundary_; }
  // The same of sides between cells. Made when it is called: O(elements log elements).
  virtual std::vector<BoundarySide> SidesInside() const { return {}; }
  // Where it touches others.
  const ContactSurface& surface() const { return surface_; }
  // Do the energies ignore the third coordinate? Then nodes stay in z = 0.
  virtual bool planar() const { return false; }

  // Elements. `x` is 3×a, the positions of nodes(e) in this order [m]; gradients are 3×a [N];
  // tangents 3a×3a [N/m], with row and column 3 i + axis for the i-th node of the element.
  // `Add…` adds to what is there. None of them allocates.
  virtual int element_count() const = 0;
  virtual std::span<const int> nodes(int e) const = 0;
  virtual int most_nodes() const = 0;  // of an element
  virtual double Energy(int e,
                        const PointsRef& x) const = 0;  // J; NaN or ∞ where it is not defined
  virtual void AddGradient(int e, const PointsRef& x, MutablePointsRef g) const = 0;
  virtual void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const = 0;
  virtual void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                                   MutablePointsRef g) const = 0;
  // A symmetric approximation of ∂∇̄E/∂x₁, equal to it, ½ ∂²E/∂x², where x₁ = x₀. The exact one is
  // not symmetric in general; Newton's iteration with this one converges at a rate O(|x₁ − x₀|).
  virtual void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                                  MutableMatrixRef k) const = 0;
  // Objective viscosity, proportional to the stiffness at rest: no rigid motion is damped. With
  // factor = (damping [s])/(step [s]) the force g has g · (x₁ − x₀) ≥ 0, the energy lost in the step
  // [J]. The tangent is a symmetric, positive semidefinite approximation of ∂g/∂x₁.
  virtual bool viscous() const { return false; }  // does the part have it?
  virtual void AddViscousForce(int /*e*/, const PointsRef& /*x0*/, const PointsRef& /*x1*/,
                               double /*factor*/, MutablePointsRef /*g*/) const {}
  virtual void AddViscousTangent(int /*e*/, const PointsRef& /*x0*/, const PointsRef& /*x1*/,
                                 double /*factor*/, MutableMatrixRef /*k*/) const {}
  // The tangents of a step, discrete and viscous, in one.
  virtual void AddStepTangent(int e, const PointsRef& x0, const PointsRef& x1, double viscosity,
                              MutableMatrixRef k) const {
    AddDiscreteTangent(e, x0, x1, k);
    if (viscosity > 0.0) AddViscousTangent(e, x0, x1, viscosity, k);
  }
  // The smallest det F over the quadrature points; of shells and rods the ratio of areas or
  // lengths, which is never negative.
  virtual double SmallestDeterminant(int e, const PointsRef& x) const = 0;

 protected:
  ElasticPart() = default;

  // Filled by the constructors of the parts.
  Eigen::Matrix3Xd rest_;
  Eigen::SparseMatrix<double> mass_, embedding_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> between_;
  std::vector<BoundarySide> boundary_;
  ContactSurface surface_;
};

// Sums over all elements of a part, for positions q of all its nodes. Free of matrices; O(elements).
double Energy(const ElasticPart& part, const PointsRef& q);                         // J
void AddGradient(const ElasticPart& part, const PointsRef& q, MutablePointsRef g);  // 3×m [N]
double SmallestDeterminant(const ElasticPart& part, const PointsRef& q);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_ELASTIC_PART_H_
