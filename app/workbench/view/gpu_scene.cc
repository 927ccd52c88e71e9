#include "app/workbench/view/gpu_scene.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "app/plots/scene_drawing.h"

namespace pliant {

GpuMesh GpuMeshes::Make() {
  GpuMesh mesh;
  glGenVertexArrays(1, &mesh.array);
  glGenBuffers(1, &mesh.vertices);
  glGenBuffers(1, &mesh.indices);
  glBindVertexArray(mesh.array);
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
  auto attribute = [this](GLuint place, GLint size, GLenum type, GLboolean normalised,
                          size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, type, normalised, sizeof(Vertex),
                          reinterpret_cast<const void*>(offset));
  };
  attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, position));
  attribute(1, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, normal));
  attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, colour));
  glBindVertexArray(0);
  return mesh;
}

void GpuMeshes::Fill(const GpuMesh& mesh, const std::vector<Vertex>& data) {
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(Vertex)), data.data(),
               GL_STREAM_DRAW);
}

GpuMesh GpuMeshes::Upload(const Mesh& data) {
  GpuMesh mesh = Make();
  Fill(mesh, data.vertices);
  std::vector<std::uint32_t> indices = data.triangles;
  indices.insert(indices.end(), data.lines.begin(), data.lines.end());
  glBindVertexArray(mesh.array);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER,
               static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)), indices.data(),
               GL_STATIC_DRAW);
  mesh.triangles = static_cast<GLsizei>(data.triangles.size());
  mesh.lines = static_cast<GLsizei>(data.lines.size());
  return mesh;
}

void GpuMeshes::Delete(GpuMesh* mesh) {
  if (mesh->array == 0) return;
  glDeleteVertexArrays(1, &mesh->array);
  glDeleteBuffers(1, &mesh->vertices);
  glDeleteBuffers(1, &mesh->indices);
  *mesh = {};
}

GpuScene MakeGpuScene(std::shared_ptr<const Scene> scene, GpuMeshes* gl) {
  GpuScene made;
  made.extent = ExtentOf(*scene);
  made.topology = TopologyOf(*scene);
  made.facets = std::find(made.topology.flat.begin(), made.topology.flat.end(), true) !=
                made.topology.flat.end();
  made.floor = FloorOf(*scene);
  const ScenePalette palette;
  for (size_t i = 0; i < scene->obstacles.size(); ++i) {
    const Obstacle& obstacle = scene->obstacles[i];
    if (PlaneOf(obstacle.shape) != nullptr) {
      const double reach = kGroundReach * made.extent.radius;
      made.grounds.push_back({gl->Upload(GroundMesh(obstacle, *scene, reach)), i});
    } else {
      made.obstacles.push_back({gl->Upload(MeshOf(obstacle, palette.obstacle)), i});
    }
  }
  Mesh indices;
  indices.triangles = made.topology.triangles;
  for (const auto* list :
       {&made.topology.edges, &made.topology.strands, &made.topology.strand_points}) {
    indices.lines.insert(indices.lines.end(), list->begin(), list->end());
  }
  made.body = gl->Upload(indices);
  made.edges = static_cast<GLsizei>(made.topology.edges.size());
  made.strands = static_cast<GLsizei>(made.topology.strands.size());
  made.strand_points = static_cast<GLsizei>(made.topology.strand_points.size());
  made.scene = std::move(scene);
  return made;
}

void DeleteGpuScene(GpuScene* scene, GpuMeshes* gl) {
  for (auto* list : {&scene->grounds, &scene->obstacles}) {
    for (ObstacleMesh& obstacle : *list) gl->Delete(&obstacle.mesh);
  }
  gl->Delete(&scene->body);
}

}  // namespace pliant
