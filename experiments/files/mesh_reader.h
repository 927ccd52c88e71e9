// Polygon meshes of scene files and of the OBJ files they name.

#ifndef PLIANT_EXPERIMENTS_FILES_MESH_READER_H_
#define PLIANT_EXPERIMENTS_FILES_MESH_READER_H_

#include <Eigen/Core>

#include "experiments/files/keys.h"
#include "models/geometry/subdivision.h"

namespace pliant {

// Reads the OBJ file that `table` names under "file" and puts its "vertices" and "faces" in place
// of the name, so that a resolved experiment needs no other file. Bodies may have "lines" where it has no
// faces, and "tetrahedra" and "hexahedra" of a .msh or .vtk file (volume_mesh_reader.h). Throws FileError at the line and column of a bad statement.
// Of OBJ it reads v, f and l; materials, normals and groups do not change a shape and are
// ignored; free-form geometry (curv, surf, …) is refused. Lines next to faces are marks on a
// surface and are skipped.
void InlineMeshFile(FileValue* table, bool is_body);

// Throws FileError for a `problem` of the mesh in `table`: at the line of the OBJ file where it
// comes from one, and then also says where that file is named.
[[noreturn]] void FailInMesh(const FileValue& table, const Problem& problem);

struct Polygons {
  Eigen::Matrix3Xd vertices;  // m
  PolygonMesh mesh;
};
// The keys vertices and faces; then the key scale, a factor on the vertices.
void BindPolygons(KeyBinder& b, Polygons* polygons);
void BindScale(KeyBinder& b, Polygons* polygons);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_MESH_READER_H_
