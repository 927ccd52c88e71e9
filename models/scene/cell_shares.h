// What each point of a body stands for: integrals of its shape function over cells of the body at
// rest, linear on tetrahedra, triangles and edges, bilinear on quadrilaterals and trilinear on
// hexahedra. The shares of a cell sum to its content.

#ifndef PLIANT_MODELS_SCENE_CELL_SHARES_H_
#define PLIANT_MODELS_SCENE_CELL_SHARES_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Cells of one dimension, as numbers of points.
struct CellList {
  std::vector<std::array<int, 8>> hexahedra;  // in the order of Body::hexahedra
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<std::array<int, 4>> quadrilaterals;  // corners around it
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
};

// The cells of the dimension of the material: of a solid the volumes, of a surface the cells of
// its grid or its faces, of a line its edges.
CellList MaterialCells(const Body& body);

// The sides of cells, each once: faces of volumes, edges of surfaces, nothing of edges. O(n log n).
CellList SidesOf(const CellList& cells);

// Adds factor · ∫ N dV [m³ factor], ∫ N dA [m²] or ∫ N dL [m] of each cell to the shares of its
// corners. A volume that is flat or turned inside out adds NaN.
void AddShares(const Body& body, const CellList& cells, double factor, Eigen::VectorXd* shares);

// How a load on some points of a body, as a whole, is divided among them: by what they stand for in
// the cells between them, those with all of their corners among `points`, of the highest dimension
// that there is: the volume of a block, the area of its face, the length of its edge. Points with no
// cell between them have the same part each. As long as `points`, sum 1.
Eigen::VectorXd PartsOfLoad(const Body& body, const std::vector<int>& points);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_CELL_SHARES_H_
