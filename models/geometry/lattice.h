// The control lattice of a free-form deformation: a box of (l+1)(m+1)(n+1) control points with a
// tensor product of Bernstein polynomials [Faloutsos 1995, Sec. 4.3].
//
// Control point (i,j,k) has index i + (l+1)(j + (m+1)k) and lies, undeformed, at
// corner + (i W/l, j H/m, k T/n). A planar lattice has degree 0 along z: one layer of control
// points, at half the thickness of the box, and nothing varies along z.

#ifndef PLIANT_MODELS_GEOMETRY_LATTICE_H_
#define PLIANT_MODELS_GEOMETRY_LATTICE_H_

#include <Eigen/Core>
#include <array>

namespace pliant {

class Lattice {
 public:
  // `degree` l, m, n ≥ 0; `size` W, H, T [m] > 0.
  Lattice(const std::array<int, 3>& degree, const Eigen::Vector3d& corner,
          const Eigen::Vector3d& size);

  // The box of `points` (3×n, at least one). Along an axis in which they are thin (flat bodies,
  // straight lines) the box is as wide as along its longest axis, with the points in its middle, so
  // that lattice coordinates are defined; around a single point it is 1 m wide.
  static Lattice Around(const Eigen::Matrix3Xd& points, const std::array<int, 3>& degree);

  int size() const { return count_; }  // number of control points
  const std::array<int, 3>& degree() const { return degree_; }
  const Eigen::Vector3d& corner() const { return corner_; }
  const Eigen::Vector3d& extent() const { return extent_; }

  // Undeformed control points, 3×size() [m].
  Eigen::Matrix3Xd ControlPoints() const;

  // Weight of each control point at x: B_i(s) B_j(t) B_k(u) with lattice coordinates
  // (s,t,u) = (x − corner)/extent. They sum to one. O(size()).
  Eigen::VectorXd Weights(const Eigen::Vector3d& x) const;

 private:
  std::array<int, 3> degree_;
  Eigen::Vector3d corner_, extent_;
  int count_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_LATTICE_H_
