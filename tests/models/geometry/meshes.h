// Small meshes that tests share.

#ifndef PLIANT_TESTS_MODELS_GEOMETRY_MESHES_H_
#define PLIANT_TESTS_MODELS_GEOMETRY_MESHES_H_

#include <Eigen/Core>

#include "models/geometry/subdivision.h"

namespace pliant::meshes {

struct Shape {
  Eigen::Matrix3Xd vertices;
  PolygonMesh mesh;
};

// Cube of half size `half` around `centre`, six quads.
inline Shape Cube(double half = 1.0, const Eigen::Vector3d& centre = Eigen::Vector3d::Zero()) {
  Shape cube;
  cube.vertices.resize(3, 8);
  for (int i = 0; i < 8; ++i) {
    cube.vertices.col(i) =
        centre + half * Eigen::Vector3d((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
  }
  cube.mesh = {
      8, {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  return cube;
}

// Octahedron of radius 1.
inline Shape Octahedron() {
  Shape shape;
  shape.vertices.resize(3, 6);
  shape.vertices << 1, -1, 0, 0, 0, 0,  //
      0, 0, 1, -1, 0, 0,                //
      0, 0, 0, 0, 1, -1;
  shape.mesh = {
      6, {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  return shape;
}

// n×n quads in the plane z = 0 over [0, n]², facing +z; vertex (i, j) has index i + (n + 1) j.
inline Shape QuadGrid(int n) {
  Shape grid;
  grid.mesh.vertices = (n + 1) * (n + 1);
  grid.vertices.resize(3, grid.mesh.vertices);
  auto index = [n](int i, int j) { return i + (n + 1) * j; };
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      grid.vertices.col(index(i, j)) << i, j, 0;
      if (i < n && j < n) {
        grid.mesh.faces.push_back(
            {index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)});
      }
    }
  }
  return grid;
}

// Both meshes as one, sharing nothing.
inline Shape Together(const Shape& a, const Shape& b) {
  Shape both = a;
  both.vertices.conservativeResize(3, a.vertices.cols() + b.vertices.cols());
  both.vertices.rightCols(b.vertices.cols()) = b.vertices;
  for (std::vector<int> face : b.mesh.faces) {
    for (int& v : face) v += a.mesh.vertices;
    both.mesh.faces.push_back(face);
  }
  both.mesh.vertices += b.mesh.vertices;
  return both;
}

}  // namespace pliant::meshes

#endif  // PLIANT_TESTS_MODELS_GEOMETRY_MESHES_H_
