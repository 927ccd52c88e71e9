// What two triangles of the plane z = 0, or two tetrahedra, have in common, and how it changes with
// their corners.
//
// The content V (area [m²], volume [m³]) of a ∩ b is a continuous function of the corners. Where the
// boundary moves by δx, δV = ∮ n·δx over the boundary of a ∩ b. On a piece of it that belongs to a
// side (face) of a or b, δx is linear in the corners of that side, so that
//
//   ∂V/∂x_p = λ_p(c) N     λ_p: weight of corner p of the side at the centroid c of the piece
//                          N: normal of the piece, outwards, as long (large) as the piece
//
// exactly. The common part is a polygon (polyhedron) that is closed by the order of its corners,
// whatever rounding does: the gradients have the sum 0 and, about any point, no moment.
//
// A side of a and one of b in one plane, both with the common part on the same side of it, both bound it: V then depends
// on the side that goes on less far, and has two slopes. Summed over the cells b of a body, V of one cell a
// is bounded by the side of a alone (the next cell of that body goes on from there), and the other way round. So
// there are two gradients. What is nearer to a plane than kInOnePlane times the size of its side
// is in it: rounding must not decide, for each pair of cells anew, which of them bounds.

#ifndef PLIANT_MODELS_CONTACT_SIMPLEX_OVERLAP_H_
#define PLIANT_MODELS_CONTACT_SIMPLEX_OVERLAP_H_

#include <Eigen/Core>
#include <array>

namespace pliant {

using TriangleCorners = std::array<Eigen::Vector3d, 3>;     // z = 0 [m]
using TetrahedronCorners = std::array<Eigen::Vector3d, 4>;  // m

constexpr double kInOnePlane = 1e-11;

struct OverlapGradient {
  Eigen::Vector3d surface =
      Eigen::Vector3d::Zero();  // ∫ n over the part of the boundary that is b's
  // ∫ n over the part that is the side opposite the last corner: of a in by_a, of b in by_b. A cell
  // that has a side on the surface of its body has it there (body_cells.h).
  Eigen::Vector3d own = Eigen::Vector3d::Zero();
  // ∂V/∂x of the corners of a and of b; a triangle uses three.
  std::array<Eigen::Vector3d, 4> of_a = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(),
                                         Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  std::array<Eigen::Vector3d, 4> of_b = of_a;
};

struct SimplexOverlap {
  double content = 0.0;                              // V, ≥ 0
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // ∫ x dV
  // Where sides are in one plane, those of a bound in by_a, those of b in by_b. Otherwise they are the same.
  OverlapGradient by_a, by_b;
};

// False where they have nothing in common, or one of them is turned inside out; *overlap is then
// undefined. Positive are triangles whose corners go round anticlockwise, and tetrahedra of which
// the first three corners do so seen from the fourth. Without allocation.
bool FindOverlap(const TriangleCorners& a, const TriangleCorners& b, SimplexOverlap* overlap);
bool FindOverlap(const TetrahedronCorners& a, const TetrahedronCorners& b, SimplexOverlap* overlap);

// Weights of the corners, with the sum 1, at x: also outside.
Eigen::Vector4d WeightsAt(const TriangleCorners& corners, const Eigen::Vector3d& x);
Eigen::Vector4d WeightsAt(const TetrahedronCorners& corners, const Eigen::Vector3d& x);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_SIMPLEX_OVERLAP_H_
