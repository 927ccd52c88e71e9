// The surface of a body that takes up space, and how deep a place is inside.

#ifndef PLIANT_MODELS_CONTACT_SOLID_SURFACE_H_
#define PLIANT_MODELS_CONTACT_SOLID_SURFACE_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/contact/scene_parts.h"

namespace pliant {

// Triangles that enclose a volume, or segments that enclose an area of the plane z = 0. The distance
// is that to the nearest of them. It is negative inside: behind the pseudonormal of the nearest
// face, side or corner [Bærentzen & Aanæs 2005], which decides rightly for every surface that does
// not cross itself, however it is bent. A surface that is turned inside out counts by the side where
// its volume is.
class SolidSurface {
 public:
  SolidSurface(const SceneParts& parts, int body, const PointColumns& x);

  // Follows the points. O(faces), no allocation.
  void Refit(const PointColumns& x);
  Bounds bounds() const { return tree_.bounds(); }

  // The signed distance of p [m]; outside of the box of the body, the distance from the box. O(log
  // facets) where they are of like size.
  double DistanceAt(const Eigen::Vector3d& p) const;

 private:
  // Segments have their second corner twice.
  using Facet = std::array<int, 3>;
  Eigen::Vector3d WeightsOn(int facet, const Eigen::Vector3d& p) const;
  Eigen::Vector3d PlaceOn(int facet, const Eigen::Vector3d& weights) const;

  bool planar_;
  std::vector<Facet> facets_;                 // points of `points_`
  std::vector<std::array<int, 3>> across_;    // the facet beyond each side; −1: none
  std::vector<int> columns_;                  // of x, by point
  Eigen::Matrix3Xd points_;                   // m
  Eigen::Matrix3Xd normals_, point_normals_;  // outwards, unit by facet, any length by point
  BoxTree tree_;
};

// The depth of the deepest point, middle of an edge or middle of a face of one body inside another,
// whose depth there is the distance to the nearest facet [m]; 0 where none is inside. Between these
// places the depth is larger by at most half of an edge.
double DeepestInside(const SolidSurface& solid, const SceneParts& parts, int body,
                     const PointColumns& x);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_SOLID_SURFACE_H_
