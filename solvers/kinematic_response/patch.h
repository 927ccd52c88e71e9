// A surface as a patch that drives a free-form lattice around an otherwise rigid object
// [Harrison 1994, Ch. 6]: a sheet, of a planar object a curve, on one side of the box around the
// object is the outermost layer of control points of the lattice; all other layers stay.
//
//   x = X + h^m Σ N_k(s, t) (c_k − C_k)
//
// h = 0 … 1 across the box towards that side, C_k where the vertices of the patch start and c_k
// where they are. N are linear from vertex to vertex and Bernstein polynomials of degree m lie
// across, of which only the last moves. The patch has a volume behind it: what is pressed in, the
// object loses, for any m.
//
// The points of the object are cast out of an obstacle, along the normal of the patch, and the
// displacement of each, divided by its weight, goes to the vertices that carry it. Points that
// follow the patch by less than half belong to the rigid part and do not respond.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_H_

#include <Eigen/Core>
#include <span>
#include <string>

#include "models/kinematic_response/carried_points.h"
#include "models/scene/scene.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/patch_options.h"

namespace pliant::kinematic_response {

class Patch {
 public:
  // True if the body has no surface of its own but can have a patch: a block in 3-D, or an outline
  // in the plane.
  static bool Fits(const Body& body, int dimension);
  // Why it has no patch nevertheless; empty when it has one.
  static std::string WhyNot(const Body& body, int dimension, const PatchOptions& options);

  // `level`: the patch has 2^level cells a side.
  Patch(const Body& body, int dimension, const PatchOptions& options, int level);

  // The sheet or chain, at the position of the body.
  const Body& surface() const { return surface_; }

  // Positions of the points of the body under the patch (vertices×3, world [m]), 3×n [m]. O(n).
  void Place(const GridVectors& patch, Eigen::Matrix3Xd* points) const;

  // Displacement vectors of the vertices, from response->relaxed(). O(points · obstacles).
  void Cast(std::span<const CastObstacle> obstacles, KinematicResponse* response);

 private:
  Body surface_;
  Eigen::Matrix3Xd fixed_;          // X − h^m Σ N C, per point, world [m]
  Eigen::VectorXd weight_;          // h^m, per point
  CarriedPoints carried_;           // by N
  std::vector<int> nearest_;        // the vertex that carries a point most
  Eigen::Matrix3Xd points_, ways_;  // room to work in
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_H_
