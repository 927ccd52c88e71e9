// Material points carried by a surface: each is a fixed weighted mean of up to four vertices of the
// finest level. A sheet or a curve carries its own vertices; a planar lattice around a body carries
// the points in its cells, which the bilinear mean of a cell's corners moves, as in a free-form
// deformation of degree one.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_CARRIED_POINTS_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_CARRIED_POINTS_H_

#include <Eigen/Core>

#include "models/geometry/grid_hierarchy.h"

namespace pliant::kinematic_response {

class CarriedPoints {
 public:
  // Point i is vertex i.
  static CarriedPoints Vertices(int count);

  // Points (3×n [m]) between the corners `lower` and `upper` of the lattice that EvenLattice()
  // makes of them.
  static CarriedPoints InLattice(const GridSize& grid, const Eigen::Vector2d& lower,
                                 const Eigen::Vector2d& upper, const Eigen::Matrix3Xd& points);

  // Points between vertices of a curve: `along` = 0 … 1 from its first to its last of `vertices`.
  static CarriedPoints OnCurve(int vertices, const Eigen::RowVectorXd& along);

  int size() const { return static_cast<int>(vertices_.cols()); }

  // The vertex that carries a point most.
  int Nearest(int point) const;

  // Positions of the points that `surface` (vertices×3 [m]) carries, 3×n [m]. O(n).
  void Place(const GridVectors& surface, Eigen::Matrix3Xd* points) const;

  // Interpolates numbers of the vertices to the points. O(n).
  Eigen::VectorXd Mean(const Eigen::VectorXd& of_vertices) const;

  // Transfers displacement vectors of points (3×n [m]) to the vertices that carry them: a vertex
  // takes the longest, as in the source's maximum; the others are zero. O(n + vertices).
  void Distribute(const Eigen::Matrix3Xd& displacements, GridVectors* of_vertices) const;

 private:
  explicit CarriedPoints(int points) : vertices_(4, points), weights_(4, points) {}
  Eigen::Matrix4Xi vertices_;  // per point
  Eigen::Matrix4Xd weights_;   // of these vertices, ≥ 0, sum 1
};

// The vertices, even between the two corners: u along x, v along y, z = 0. vertices×3 [m].
GridVectors EvenLattice(const GridSize& grid, const Eigen::Vector2d& lower,
                        const Eigen::Vector2d& upper);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_CARRIED_POINTS_H_
