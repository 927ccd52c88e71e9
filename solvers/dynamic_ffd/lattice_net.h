// The control points of the lattices that deform a body, and the lines between them, for
// display.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_NET_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_NET_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/dynamic_ffd/modes.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

struct LatticeNet {
  std::vector<std::array<int, 2>> lines;  // pairs of control points
  // 3P×(D+1), as FfdBody::shapes() of the P control points: at rest, then by each mode [m]. Driven
  // modes move no control point.
  Eigen::MatrixXd shapes;

  // Combines the modes as FfdBody::Recombined() does.
  void Recombine(const Eigen::MatrixXd& combinations);
  // Moves the origin as FfdBody::ShiftShapes() does.
  void Shift(const Eigen::Matrix3Xd& by);
};

// The lattices of body `b`, as Embed() makes them for the same modes and driven shapes. Lattices
// that no mode deforms are omitted.
LatticeNet NetOf(const Scene& scene, size_t b, const ModeTable& table,
                 const std::vector<int>& modes, const std::vector<Eigen::Matrix3Xd>& driven,
                 const FfdBody& body);

// Its control points in the world, 3×P [m]: t + R Σ γ_k shapes_k. O(P D).
Eigen::Matrix3Xd ControlPointsOf(const LatticeNet& net, const FfdBody& body, const VectorRef& q);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_NET_H_
