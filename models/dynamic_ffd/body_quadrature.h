// Where the continuum of a body is sampled: ∫ f dV ≈ Σ volumes_g f(places_g).
//
//   block, and what its cells  Gauss–Legendre over its box: between the borders of lattices and
//   fill like a block          the spans of their bases n + 1 points along an axis of degree n,
//                              which integrate masses, products of two functions, exactly
//   other cells, and faces     the points of quadratic finite elements (EnergyRule) in each cell
//   of a planar body           or triangle, which is divided until there are enough for the modes

#ifndef PLIANT_MODELS_DYNAMIC_FFD_BODY_QUADRATURE_H_
#define PLIANT_MODELS_DYNAMIC_FFD_BODY_QUADRATURE_H_

#include <Eigen/Core>
#include <string>

#include "models/dynamic_ffd/modes.h"
#include "models/geometry/quadrature.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

struct BodyQuadrature {
  Eigen::Matrix3Xd places;  // in the body frame [m]
  Eigen::VectorXd volumes;  // > 0 [m³]; of a planar body area × thickness
};

// Why the body has no continuum that modes of a scene of this dimension could deform; empty when it
// has: a block or cells in space, faces in the plane.
std::string WhyNoContinuum(const Body& body, int dimension);

// Of a body with a material and a continuum, fine enough for `modes` modes of the table's lattices.
BodyQuadrature QuadratureOf(const Body& body, int dimension, const ModeTable& table, int modes);

// The rule along one axis of the box of a body, 0 … 1.
QuadratureRule RuleAlong(int axis, const ModeTable& table);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_BODY_QUADRATURE_H_
