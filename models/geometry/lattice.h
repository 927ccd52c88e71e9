// The control lattice of a free-form deformation: control points P_ijk with a tensor product of
// basis functions [Faloutsos 1995, Sec. 4.3]:
//
//   x(s, t, u) = Σ_ijk P_ijk N_i(s) N_j(t) N_k(u)
//
// Control point (i,j,k) has index i + n_x (j + n_y k). In a box the points lie at the nodes of the
// basis, corner + (Node(i) W, Node(j) H, Node(k) T), so that (s,t,u) = (x − corner)/(W, H, T). An
// extended lattice has its control points elsewhere [Coquillart 1990]: then (s,t,u) of a point is
// found by Newton's iteration.
//
// A planar lattice has degree 0 along z: one layer of control points, at half the thickness of the
// box, and nothing varies along z.

#ifndef PLIANT_MODELS_GEOMETRY_LATTICE_H_
#define PLIANT_MODELS_GEOMETRY_LATTICE_H_

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "models/geometry/lattice_basis.h"

namespace pliant {

class Lattice {
 public:
  // A box; `size` W, H, T [m] > 0.
  Lattice(const LatticeBases& bases, const Eigen::Vector3d& corner, const Eigen::Vector3d& size);
  // Bernstein of degree l, m, n ≥ 0: (l+1)(m+1)(n+1) control points.
  Lattice(const std::array<int, 3>& degree, const Eigen::Vector3d& corner,
          const Eigen::Vector3d& size)
      : Lattice(BernsteinBases(degree), corner, size) {}

  // The box of `points` (3×n, at least one). Along an axis in which they are thin (flat bodies,
  // straight lines) the box is as wide as along its longest axis, with the points in its middle, so
  // that lattice coordinates are defined; around a single point it is 1 m wide.
  static Lattice Around(const Eigen::Matrix3Xd& points, const LatticeBases& bases);
  static Lattice Around(const Eigen::Matrix3Xd& points, const std::array<int, 3>& degree) {
    return Around(points, BernsteinBases(degree));
  }

  // The same lattice with its control points at `points` (3×size() [m]): an extended lattice.
  Lattice Extended(const Eigen::Matrix3Xd& points) const;

  int size() const { return count_; }  // number of control points
  const LatticeBases& bases() const { return bases_; }
  const Eigen::Vector3d& corner() const { return corner_; }
  const Eigen::Vector3d& extent() const { return extent_; }
  bool extended() const { return points_.cols() > 0; }

  // Undeformed control points, 3×size() [m].
  Eigen::Matrix3Xd ControlPoints() const;
  // Pairs of control points that are neighbours along an axis.
  std::vector<std::array<int, 2>> Lines() const;

  // (s,t,u) of the point x. Always defined for a box. For an extended lattice, absent where x is
  // not inside or where the lattice is folded (the Jacobian of x(s,t,u) is not positive); accurate
  // to 1e-12 of its size. Along an axis of degree 0 the coordinate is ½, whatever x is.
  std::optional<Eigen::Vector3d> LocalCoordinates(const Eigen::Vector3d& x) const;

  // Weight of each control point at (s,t,u). They sum to one. O(size()).
  Eigen::VectorXd WeightsAt(const Eigen::Vector3d& local) const;
  // ∂/∂(s,t,u) of the weights, size()×3.
  Eigen::MatrixX3d WeightGradientsAt(const Eigen::Vector3d& local) const;
  // ∂x/∂(s,t,u) [m]; along an axis of degree 0 the extent of the box.
  Eigen::Matrix3d JacobianAt(const Eigen::Vector3d& local) const;

  // Weights at a point, which an extended lattice must contain.
  Eigen::VectorXd Weights(const Eigen::Vector3d& x) const;

 private:
  bool Converge(const Eigen::Vector3d& x, Eigen::Vector3d* local) const;

  LatticeBases bases_;
  Eigen::Vector3d corner_, extent_;
  int count_;
  Eigen::Matrix3Xd points_;  // of an extended lattice
};

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_LATTICE_H_
