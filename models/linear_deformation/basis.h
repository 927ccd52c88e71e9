// The polynomial p of a linear deformation x = R p(r) [Witkin & Welch 1990, Sec. 2.2–2.3], and the
// material coordinates it is written in.
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

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct MaterialFrame {
  Eigen::Vector3d centre;  // centre of mass, body frame [m]
  Eigen::Matrix3Xd axes;   // 3×μ, orthonormal, longest extent first
  Eigen::VectorXd extent;  // μ [m]

  // Affine rank μ of the rest points: 0 point, 1 line, 2 plane, 3 solid.
  int dimension() const { return static_cast<int>(extent.size()); }
  Eigen::VectorXd Coordinates(const Eigen::Vector3d& rest) const;  // u, μ
};

// `world_dimension` 2 or 3. Where the body fills the world (μ = d) the axes are right-handed, so
// that det(∂x/∂r) = 1 at rest.
MaterialFrame FindMaterialFrame(const Body& body, int world_dimension);

// Number k of terms: order 1: 1 + μ; order 2: 1 + μ + μ(μ+1)/2.
int TermCount(int material_dimension, int order);

// p(u) = [1, x, y, z, xy, xz, yz, x², y², z²] up to `order`, without the coordinates beyond μ.
Eigen::VectorXd Terms(const Eigen::VectorXd& u, int order);             // k
Eigen::MatrixXd TermGradients(const Eigen::VectorXd& u, int order);     // k×μ, ∂p/∂u
std::vector<std::string> TermNames(int material_dimension, int order);  // "1", "x", "xy", "x²", …

}  // namespace pliant

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_BASIS_H_
