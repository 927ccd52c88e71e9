// Crossings of rays with a surface: the edges of a curve in z = 0, whose front is on their left, or
// the triangles of anything else, counter-clockwise seen from the front. A tree of boxes around
// them [Möller & Trumbore 1997 for the triangle itself] finds the crossings of a ray in O(log
// elements + crossings).

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_RAYS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_RAYS_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/scene/scene.h"

namespace pliant::kinematic_response {

class SurfaceRays {
 public:
  struct Crossing {
    double distance;  // from where the ray begins, > 0 [m]
    int side;         // +1: the ray leaves through the front; −1: it enters there
    int element;
  };

  // The edges of a curve or the faces of a surface, at their initial positions.
  SurfaceRays(const Body& body, const GridVectors& start);

  // Updates the positions of the surface (vertices×3, world [m]). O(elements); allocates nothing.
  void Follow(const GridVectors& surface);

  // All crossings of the ray from `x` along the unit vector `direction`, the nearest first; one
  // through a common edge of two elements is one crossing.
  void Cross(const Eigen::Vector3d& x, const Eigen::Vector3d& direction,
             std::vector<Crossing>* crossings) const;

  // Vertices of an element; of an edge the second one twice.
  const std::array<int, 3>& element(int index) const { return elements_[index]; }
  const Eigen::Vector3d& lower() const { return nodes_[0].lower; }  // of a box around all [m]
  const Eigen::Vector3d& upper() const { return nodes_[0].upper; }

 private:
  // A box around elements [begin, end); `children` is the first of two, −1 for a leaf.
  struct Node {
    int begin, end, children;
    Eigen::Vector3d lower, upper;
  };

  void Divide(int node, const GridVectors& start);

  bool curve_;
  std::vector<std::array<int, 3>> elements_;  // in the order of the leaves
  std::vector<Node> nodes_;                   // children after their parent
  GridVectors points_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_RAYS_H_
