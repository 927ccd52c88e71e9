// Triangles, lines and points of a scene in the form that graphics hardware reads. Plain data, no
// OpenGL.

#ifndef PLIANT_APP_WORKBENCH_VIEW_SCENE_MESH_H_
#define PLIANT_APP_WORKBENCH_VIEW_SCENE_MESH_H_

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/plots/style.h"
#include "models/scene/scene.h"

namespace pliant {

// The layout of a vertex buffer. A zero normal selects the flat normal of the face.
struct Vertex {
  std::array<float, 3> position;  // m
  std::array<float, 3> normal;    // unit, or 0
  std::array<std::uint8_t, 4> colour;
};

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> triangles, lines;  // indices in threes, in twos
};

// The mesh of an obstacle, relative to the origin of its shape.
Mesh MeshOf(const Obstacle& obstacle, const Colour& colour);

// The part of a plane near the bodies, with a grid in a 3-D scene and the edge of the ground in a
// planar scene; in world coordinates at time 0.
Mesh GroundMesh(const Obstacle& plane, const Scene& scene, double reach);

// A sphere that contains the bodies, springs, nails and obstacles (except planes) at the start.
struct Extent {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // m
  double radius = 1.0;                               // m
};
Extent ExtentOf(const Scene& scene);

// Indices into the points of a scene. Edges that border no face, and are not inside a body with a
// volume, are strands.
struct BodyTopology {
  std::vector<std::uint32_t> triangles, edges, strands;
  std::vector<std::uint32_t> strand_points;  // those that strands join
  std::vector<bool> flat;                    // n: is the point of a body with sharp edges?
};
BodyTopology TopologyOf(const Scene& scene);

// Smooth normals: those of the faces around each point, weighted by their area; 0 for flat points.
// `normals` 3×n is reused. O(points + faces).
void NormalsOf(const BodyTopology& topology, const Eigen::Matrix3Xf& points,
               Eigen::Matrix3Xf* normals);

// The plane that shadows fall on: the most level of the planes that face upwards. 3-D scenes only.
std::optional<size_t> FloorOf(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SCENE_MESH_H_
