// A body under a linear deformation x = R p(r) [Witkin & Welch 1990, Sec. 2.2–2.3].
//
//   R ∈ ℝ^{d×k}    the generalized coordinates, flattened by rows: q[r k + s] = R_rs [m]
//   M_b = Σ m p pᵀ  constant, and so is its inverse W_b [Eqs. 3–5]
//   T = ½ tr(Ṙ M_b Ṙᵀ),   R̈ = Q W_b,   Q = f pᵀ for a force f at a point
//   m = ∂x/∂r = R ∂p/∂r    the deformation gradient, d×μ; the source's m for affine bodies
//
// The print of Sec. 2.3 has R transposed (4×3, row vectors); with x = R p it is [t | m], 3×4 (here
// the constant term comes first at both orders; the source has it last for affine bodies).

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_

#include <Eigen/Core>

#include "models/linear_deformation/basis.h"
#include "models/scene/scene.h"

namespace pliant {

// d×k view of coordinates (or rates, or generalized forces) flattened by rows.
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Immutable; everything here is computed once.
class LinearBody {
 public:
  // `order` 1 (affine) or 2. Throws BadInput (where = "order") when the masses do not determine all
  // terms of p, so that M_b is singular. O(n k²).
  LinearBody(const Body& body, int world_dimension, int order);

  int world_dimension() const { return world_dimension_; }          // d
  int material_dimension() const { return frame_.dimension(); }     // μ
  int columns() const { return static_cast<int>(terms_.rows()); }   // k
  int coordinates() const { return world_dimension_ * columns(); }  // d k
  int points() const { return static_cast<int>(terms_.cols()); }    // n
  int order() const { return order_; }
  // Does the volume energy have a meaning, that is, is m square?
  bool has_volume() const { return world_dimension_ == material_dimension(); }

  const MaterialFrame& frame() const { return frame_; }
  const Eigen::MatrixXd& terms() const { return terms_; }                // k×n, p of each point
  const Eigen::MatrixXd& mass_matrix() const { return mass_matrix_; }    // M_b, k×k [kg]
  const Eigen::MatrixXd& inverse_mass() const { return inverse_mass_; }  // W_b, k×k [1/kg]
  double second_moment() const { return second_moment_; }  // Σ m |r − centre|² [kg m²]

  // Where the deformation gradient is sampled: once for an affine body, whose m is the same
  // everywhere; at each material point for order 2, whose energy is their mean (the source gives
  // none).
  int samples() const { return samples_; }
  // ∂p/∂r without the row of the constant term, side by side: (k−1)×(μ samples) [1/m].
  const Eigen::MatrixXd& gradient_terms() const { return gradient_terms_; }

  // Coordinates of the affine map r ↦ map r + offset of the body frame to the world. O(k).
  Eigen::VectorXd AffineCoordinates(const Eigen::Matrix3d& map,
                                    const Eigen::Vector3d& offset) const;
  // Where the scene starts the body, and how fast: both exact, since both are affine in r.
  Eigen::VectorXd InitialCoordinates(const Body& body) const;
  Eigen::VectorXd InitialRates(const Body& body) const;

 private:
  int world_dimension_, order_, samples_;
  MaterialFrame frame_;
  Eigen::MatrixXd terms_, gradient_terms_, mass_matrix_, inverse_mass_;
  double second_moment_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_LINEAR_BODY_H_
