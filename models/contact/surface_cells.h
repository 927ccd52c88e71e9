// The edges and faces of a scene as places that meet obstacles, besides its points.
//
// A place on an edge or a face is a weighted point (models/holds/weighted_point.h): it is at Σ w_i x_i
// and moves with Σ w_i v_i, so that a force on it acts on its points with their weights. Which cells
// count:
//   in space    faces, their sides, and edges of no face
//   in a plane  edges of no face and the outline of faces
// A place of a face that lies on its side belongs to the side, and one at a corner is the point's own:
// each place counts once.

#ifndef PLIANT_MODELS_CONTACT_SURFACE_CELLS_H_
#define PLIANT_MODELS_CONTACT_SURFACE_CELLS_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/contact/clearance.h"
#include "models/holds/weighted_point.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

// The deepest place of a cell in an obstacle, or the nearest one outside.
struct SurfacePlace {
  int obstacle, cell;
  WeightedPoint at;
  Eigen::Vector3d normal;  // unit, outwards; of the plane that supports the cell
  double distance;         // along it [m], < 0 inside
};

class SurfaceCells {
 public:
  explicit SurfaceCells(const Scene& scene);

  struct Cell {
    std::array<int, 3> points;  // of the scene
    int count;                  // 2: an edge, 3: a face
    std::array<int, 3> sides;   // of a face: the cells of its sides, side k opposite corner k
    int faces = 0;              // of an edge: of how many faces it is a side
  };
  // Edges first, then faces.
  const std::vector<Cell>& cells() const { return cells_; }
  int size() const { return static_cast<int>(cells_.size()); }
  int edges() const { return edges_; }

  // The columns of x are all points. To be called before the next two. O(cells).
  void Place(const PointsRef& x);
  PartCorners CornersOf(int cell, const PointsRef& x) const;

  // Numbers of the cells whose boxes come within `reach` [m] of that of a bounded obstacle, ascending;
  // none for a plane.
  const std::vector<int>& Near(const Obstacle& obstacle, const Eigen::Vector3d& origin,
                               double reach);

  // The places inside their cells that are deepest, below `reach` [m] of an obstacle: those of faces
  // in their inside, and of edges where no face at them is deeper. Appended in ascending order of
  // cells. They hold a body as inequalities do; for forces see excess.h.
  void Find(const Obstacle& obstacle, int number, const Eigen::Vector3d& origin, const PointsRef& x,
            double reach, std::vector<SurfacePlace>* places);

 private:
  std::vector<Cell> cells_;
  int edges_ = 0;
  BoxTree tree_;
  std::vector<int> near_;
  std::vector<SurfacePlace> of_faces_;  // scratch
  std::vector<int> faces_on_;           // of each edge: faces whose place is on it; 0 between calls
};

// Mean of columns of x (3×n) with the weights of a place.
inline Eigen::Vector3d At(const WeightedPoint& place, const PointsRef& x) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int i = 0; i < place.count; ++i) sum += place.weight[i] * x.col(place.point[i]);
  return sum;
}

// The first pair of a body and a bounded obstacle that can pass between the points of the body, since
// its smallest extent is below the longest edge: in words, or empty.
std::string WhatPassesBetweenPoints(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_SURFACE_CELLS_H_
