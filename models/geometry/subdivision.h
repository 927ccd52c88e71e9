// Polygon meshes and their refinement by the subdivision schemes of Catmull & Clark (any polygons)
// and Loop (triangles), with the usual rules at borders.
//
// A refined mesh keeps the vertices of the coarser one in their order, then has one vertex for each
// edge and, with Catmull & Clark, one for each face: vertex v of a level is vertex v of all finer
// levels.

#ifndef PLIANT_MODELS_GEOMETRY_SUBDIVISION_H_
#define PLIANT_MODELS_GEOMETRY_SUBDIVISION_H_

#include <Eigen/Core>
#include <array>
#include <vector>

namespace pliant {

struct PolygonMesh {
  int vertices = 0;
  std::vector<std::vector<int>> faces;  // counter-clockwise seen from outside
};

enum class SubdivisionScheme { kCatmullClark, kLoop };

// How fine vertices are made from coarse ones: row i holds the weights of fine vertex i, which sum
// to 1.
struct VertexMasks {
  std::vector<int> start = {0};  // rows + 1
  std::vector<int> column;
  std::vector<double> weight;

  int rows() const { return static_cast<int>(start.size()) - 1; }
};

// Throws BadInput unless the faces are simple polygons of vertices in range, all vertices are used,
// each edge borders one face or two that turn alike, and the faces at a vertex form one fan.
void RequireManifold(const PolygonMesh& mesh);

// True if the mesh is closed (has no border).
bool IsClosed(const PolygonMesh& mesh);

// Pairs of vertices, each edge once, in order of appearance in the faces.
std::vector<std::array<int, 2>> EdgesOf(const PolygonMesh& mesh);

// Each polygon as a fan around its first vertex.
std::vector<std::array<int, 3>> TrianglesOf(const PolygonMesh& mesh);

struct RefinedMesh {
  PolygonMesh mesh;
  VertexMasks smooth;  // the scheme's own masks: B-splines of degree 3 (box splines of degree 4)
                       // where the mesh is regular; borders are cubic B-splines, vertices of one
                       // face stay
  VertexMasks linear;  // vertices stay; middles of edges and faces
};

// `mesh` is manifold; Loop's scheme needs triangles, else throws BadInput. O(vertices).
RefinedMesh Refine(const PolygonMesh& mesh, SubdivisionScheme scheme);

// Columns of `points` (3×n) taken through the masks: 3×rows.
Eigen::Matrix3Xd Apply(const VertexMasks& masks, const Eigen::Matrix3Xd& points);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_SUBDIVISION_H_
