// The functions p of a linear deformation x = R p(r) [Witkin & Welch 1990, Sec. 2.2–2.3], and the
// material coordinates they are written in.
//
// Material coordinates u are our choice: the principal directions of the body's masses, centred at
// its centre of mass, each in units of the body's root mean square extent along it,
//
//   u_a = axisₐ·(r − centre) / extentₐ,      so that  Σ m u = 0  and  Σ m u uᵀ = (Σ m) 1 .
//
// The polynomials of a degree span the same space in all affine coordinates, so the choice changes
// no motion. It makes M_b the mass times the identity for an affine body and keeps it well
// conditioned for a second-order one; all columns of R have the unit metre.
//
// Only directions in which the masses differ have a coordinate: a straight chain has one, a flat
// sheet two, a solid three. A coordinate without extent would make M_b singular.
//
// Two families of functions, both of any degree n:
//
//   polynomial   the monomials up to total degree n; 1 is affine, 2 the source's second order
//   bernstein    B_i^n(s) B_j^n(t) B_k^n(u) over the box of the masses along the axes: free-form
//                deformation, whose columns of R are control points. Degree 1 is the trilinear map.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant::linear_deformation {

struct MaterialFrame {
  Eigen::Vector3d centre;  // centre of mass, body frame [m]
  Eigen::Matrix3Xd axes;   // 3×μ, orthonormal, longest extent first
  Eigen::VectorXd extent;  // μ [m]

  // Affine rank μ of the rest points: 0 point, 1 line, 2 plane, 3 solid.
  int dimension() const { return static_cast<int>(extent.size()); }
  Eigen::VectorXd Coordinates(const Eigen::Vector3d& rest) const;  // u, μ
};

// Principal axes of the masses; axes of equal moment (all of a cube, two of a square) are those nearest to the coordinate
// axes of the body, whatever rounding says: the columns of a tensor product depend on them. `world_dimension` 2 or 3. If the body has the dimension of the world (μ = d), the axes are
// right-handed, so that det(∂x/∂r) = 1 at rest.
MaterialFrame FindMaterialFrame(const Body& body, int world_dimension);

// Polynomials: number k of terms up to a total degree `order` ≥ 1, binomial(order + μ, μ).
int TermCount(int material_dimension, int order);

// p(u) = [1, x, y, z, xy, xz, yz, x², y², z², x³, x²y, …] without the coordinates beyond μ.
Eigen::VectorXd Terms(const Eigen::VectorXd& u, int order);             // k
Eigen::MatrixXd TermGradients(const Eigen::VectorXd& u, int order);     // k×μ, ∂p/∂u
std::vector<std::string> TermNames(int material_dimension, int order);  // "1", "x", "xy", "x²", …

enum class BasisFamily { kPolynomial, kBernstein };

// A family and a degree on the material coordinates of one body.
class DeformationBasis {
 public:
  // `lower`, `upper`: the box of the masses in material coordinates (μ each), lower < upper.
  DeformationBasis(BasisFamily family, int order, Eigen::VectorXd lower, Eigen::VectorXd upper);

  BasisFamily family() const { return family_; }
  int order() const { return order_; }
  int dimension() const { return static_cast<int>(lower_.size()); }  // μ
  int size() const;                                                  // k
  const Eigen::VectorXd& lower() const { return lower_; }
  const Eigen::VectorXd& upper() const { return upper_; }

  Eigen::VectorXd At(const Eigen::VectorXd& u) const;          // p, k
  Eigen::MatrixXd GradientAt(const Eigen::VectorXd& u) const;  // ∂p/∂u, k×μ
  std::vector<std::string> Names() const;

  // The functions reproduce 1 and u: pᵀ constant = 1 and pᵀ linear = uᵀ.
  Eigen::VectorXd Constant() const;  // k
  Eigen::MatrixXd Linear() const;    // k×μ
  // How many of the first functions do not vary over the body: the 1 of the polynomials.
  int constant_terms() const { return family_ == BasisFamily::kPolynomial ? 1 : 0; }

 private:
  BasisFamily family_;
  int order_;
  Eigen::VectorXd lower_, upper_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_
