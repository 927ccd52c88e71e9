// A body that takes up space, cut into cells: triangles in the plane, tetrahedra in space.
//
// Each triangle of a planar body, each cell of the grid of a block and each element of a volumetric
// mesh that has sides on the surface is a fan around its middle; a closed surface without elements
// is one fan, which it fills where every place of it can be seen from the mean of its points. Sides
// on the surface are cut in two (in the plane), at their middle in three or four (in space): a body
// that stands on a face stands on several cells. Corners of cells are weighted sums of points of
// the body, and move with them.

#ifndef PLIANT_MODELS_CONTACT_BODY_CELLS_H_
#define PLIANT_MODELS_CONTACT_BODY_CELLS_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Why bodies cannot touch this one by its cells; empty where they can. Without making the cells,
// where the body is flat or open; O(points) else.
std::string WhyNoCells(const Scene& scene, int body);

struct BodyCells {
  // None where WhyNoCells() gives a reason.
  BodyCells(const Scene& scene, int body);

  int corners = 0;  // of a cell: 3 or 4
  // Corner i is Σ weights[k] x[points[k]], first[i] ≤ k < first[i + 1]; points of the body.
  std::vector<int> first, points;
  std::vector<double> weights;
  struct Cell {
    std::array<int, 4> at;  // corners
    double extent;  // of its side on the surface at rest; else of a side of its content [m, m²]
    bool at_surface;
  };
  std::vector<Cell> cells;

  int corner_count() const { return static_cast<int>(first.size()) - 1; }
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_BODY_CELLS_H_
