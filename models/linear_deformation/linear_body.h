// A body under a linear deformation x = R p(r) [Witkin & Welch 1990, Sec. 2.2–2.3].
//
//   R ∈ ℝ^{d×k}    the generalized coordinates, flattened by rows: q[r k + s] = R_rs [m]
//   M_b = Σ m p pᵀ  constant, and so is its inverse W_b [Eqs. 3–5]
//   T = ½ tr(Ṙ M_b Ṙᵀ),   R̈ = Q W_b,   Q = f pᵀ for a force f at a point
//   m = ∂x/∂r = R ∂p/∂r    the deformation gradient, d×μ; the source's m for affine bodies
//
// The print of Sec. 2.3 has R transposed (4×3, row vectors); with x = R p it is [t | m], 3×4 (here
// the constant term comes first at all orders; the source has it last for affine bodies).
//
// M_b is singular where the masses do not distinguish the terms: with eight corners the ten terms
// of second order have rank seven. The inertia of a uniform box around the masses, integrated by
// Gauss–Legendre quadrature, is regular at any degree; it then differs from that of the points.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_

#include <Eigen/Core>
#include <vector>

#include "models/linear_deformation/basis.h"
#include "models/scene/scene.h"

namespace pliant::linear_deformation {

// d×k view of coordinates (or rates, or generalized forces) flattened by rows.
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class Inertia {
  kPoints,  // M_b = Σ m p pᵀ
  kBox,     // M_b = m/V ∫ p pᵀ dV over the box of the points along the principal axes
};

// Immutable; everything here is computed once.
class LinearBody {
 public:
  // `order` ≥ 1, the degree of the basis. Throws BadInput (where = "order") when the masses do not
  // determine all terms of p, so that M_b is singular. O(n k²).
  LinearBody(const Body& body, int world_dimension, int order,
             BasisFamily family = BasisFamily::kPolynomial, Inertia inertia = Inertia::kPoints);

  int world_dimension() const { return world_dimension_; }          // d
  int material_dimension() const { return frame_.dimension(); }     // μ
  int columns() const { return static_cast<int>(terms_.rows()); }   // k
  int coordinates() const { return world_dimension_ * columns(); }  // d k
  int points() const { return static_cast<int>(terms_.cols()); }    // n
  int order() const { return basis_.order(); }
  const DeformationBasis& basis() const { return basis_; }
  Inertia inertia() const { return inertia_; }
  // Is p = [1, u], so that m is the same everywhere?
  bool is_affine() const { return order() == 1 && basis_.family() == BasisFamily::kPolynomial; }
  // Is the volume energy defined, that is, is m square?
  bool has_volume() const { return world_dimension_ == material_dimension(); }

  const MaterialFrame& frame() const { return frame_; }
  const Eigen::MatrixXd& terms() const { return terms_; }                // k×n, p of each point
  const Eigen::MatrixXd& mass_matrix() const { return mass_matrix_; }    // M_b, k×k [kg]
  const Eigen::MatrixXd& inverse_mass() const { return inverse_mass_; }  // W_b, k×k [1/kg]
  double mass() const { return mass_; }                                  // Σ m [kg]
  double second_moment() const { return second_moment_; }  // Σ m |r − centre|² [kg m²]
  // Content of the body: length, area or volume by μ [m, m², m³]. Computed from the faces if the
  // body has any (they enclose a solid), else from the box of its points.
  double content() const { return content_; }

  // pᵀ constant = 1: gravity gives R̈ = g constantᵀ, since W_b Σ m p = constant.
  const Eigen::VectorXd& constant() const { return constant_; }  // k

  // Where the deformation gradient is sampled: once for an affine body, whose m is the same
  // everywhere; else at each material point, or at the quadrature points of the box where the
  // inertia is the box's. The energy is the weighted mean (the source does not define one).
  int samples() const { return static_cast<int>(sample_weights_.size()); }
  const Eigen::VectorXd& sample_weights() const { return sample_weights_; }  // sum 1
  // ∂p/∂r of the terms that vary, side by side: (k − constant_terms)×(μ samples) [1/m].
  const Eigen::MatrixXd& gradient_terms() const { return gradient_terms_; }
  int varying() const { return static_cast<int>(gradient_terms_.rows()); }

  // Coordinates of the affine map r ↦ map r + offset of the body frame to the world. O(k).
  Eigen::VectorXd AffineCoordinates(const Eigen::Matrix3d& map,
                                    const Eigen::Vector3d& offset) const;
  // Initial coordinates and rates of the body: both are exact, because both are affine in r.
  Eigen::VectorXd InitialCoordinates(const Body& body) const;
  Eigen::VectorXd InitialRates(const Body& body) const;

 private:
  void Integrate(const Body& body);
  void SampleGradients(const std::vector<Eigen::VectorXd>& at);

  int world_dimension_;
  Inertia inertia_;
  MaterialFrame frame_;
  DeformationBasis basis_;
  double mass_, second_moment_, content_;
  Eigen::MatrixXd terms_, gradient_terms_, mass_matrix_, inverse_mass_;
  Eigen::VectorXd constant_, sample_weights_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_
