// A body of tetrahedra and hexahedra.

#ifndef PLIANT_MODELS_SCENE_VOLUME_MESH_H_
#define PLIANT_MODELS_SCENE_VOLUME_MESH_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct VolumeCells {
  std::vector<std::array<int, 4>> tetrahedra;  // corners, as in Body
  std::vector<std::array<int, 8>> hexahedra;

  bool empty() const { return tetrahedra.empty() && hexahedra.empty(); }
};

// The points (3×n, body frame [m]) are the corners of the cells; the faces are those of one cell only, in
// triangles, and enclose it; the edges are those of the cells. The mass is spread evenly; a material spreads it by volume.
// Throws BadInput at "tetrahedra[3]", "hexahedra[3]" or "vertices[3]" for a corner that does not exist or appears twice, a
// cell that is flat or turned inside out, a face of more than two cells, a vertex of no cell, and a hanging one: in the
// middle of an edge or of a face that it is no corner of. O(n log n).
Body MakeVolumeMesh(const std::string& name, const Eigen::Matrix3Xd& points,
                    const VolumeCells& cells, double mass);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_VOLUME_MESH_H_
