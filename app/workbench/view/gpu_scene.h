// The buffers of a scene on the graphics card, for the renderer.

#ifndef PLIANT_APP_WORKBENCH_VIEW_GPU_SCENE_H_
#define PLIANT_APP_WORKBENCH_VIEW_GPU_SCENE_H_

#include <QOpenGLExtraFunctions>
#include <memory>
#include <optional>
#include <vector>

#include "app/workbench/view/scene_mesh.h"

namespace pliant {

// A vertex buffer with two lists of indices, triangles before lines.
struct GpuMesh {
  GLuint array = 0, vertices = 0, indices = 0;
  GLsizei triangles = 0, lines = 0;  // indices
};

// Makes and fills meshes; the context must be current.
class GpuMeshes : public QOpenGLExtraFunctions {
 public:
  GpuMesh Make();
  GpuMesh Upload(const Mesh& mesh);
  void Fill(const GpuMesh& mesh, const std::vector<Vertex>& vertices);
  void Delete(GpuMesh* mesh);
};

struct ObstacleMesh {
  GpuMesh mesh;
  size_t obstacle = 0;
};

// What does not change from frame to frame.
struct GpuScene {
  std::shared_ptr<const Scene> scene;
  Extent extent;
  BodyTopology topology;
  bool facets = false;  // true if a body has sharp edges
  std::optional<size_t> floor;
  GpuMesh body;  // its vertices are filled for each frame; its lines: edges, strands, then the
                 // points of strands
  GLsizei edges = 0, strands = 0, strand_points = 0;
  std::vector<ObstacleMesh> grounds, obstacles;
};
GpuScene MakeGpuScene(std::shared_ptr<const Scene> scene, GpuMeshes* gl);
void DeleteGpuScene(GpuScene* scene, GpuMeshes* gl);

// How far the ground reaches, in radii of the scene.
inline constexpr double kGroundReach = 4.0;

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_GPU_SCENE_H_
