#include "tests/solvers/finite_elements/meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/scene/scene.h"

namespace pliant::finite_elements {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

SolidMesh MappedRectangle(int nx, int ny, const std::function<Vector3d(double, double)>& map) {
  Matrix3Xd points(3, (nx + 1) * (ny + 1));
  std::vector<std::array<int, 3>> cells;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      const int p = i + (nx + 1) * j;
      points.col(p) << static_cast<double>(i) / nx, static_cast<double>(j) / ny, 0.0;
      if (i == nx || j == ny) continue;
      cells.push_back({p, p + 1, p + nx + 2});
      cells.push_back({p, p + nx + 2, p + nx + 1});
    }
  }
  SolidMesh mesh = MeshOfCells(points, cells, 1);
  for (int n = 0; n < mesh.nodes.cols(); ++n) {
    mesh.nodes.col(n) = map(mesh.nodes(0, n), mesh.nodes(1, n));
  }
  return mesh;
}

SolidMesh BoxMesh(const Vector3d& size, int nx, int ny, int nz) {
  const std::array<int, 3> grid = {nx + 1, ny + 1, nz + 1};
  Matrix3Xd points(3, grid[0] * grid[1] * grid[2]);
  for (int p = 0; p < points.cols(); ++p) {
    const Vector3d at(static_cast<double>(p % grid[0]) / nx,
                      static_cast<double>(p / grid[0] % grid[1]) / ny,
                      static_cast<double>(p / grid[0] / grid[1]) / nz);
    points.col(p) = size.cwiseProduct(at);
  }
  Body block;
  block.shape = ShapeKind::kBlock;
  block.grid = grid;
  block.rest = points;
  return MeshOfCells(points, Hexahedra(block), 1);
}

double GradedByElement(double s, int n) {
  const double element = std::min(std::floor(s * n + 1e-9), n - 1.0), along = s * n - element;
  return (element * element + along * (2.0 * element + 1.0)) / (static_cast<double>(n) * n);
}

Discretisation Single(const SolidMesh& mesh, const Law& law, double density, double thickness,
                      Damping damping) {
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  parts.push_back(MakeSolidPart(mesh, law, density, thickness));
  return Discretisation(std::move(parts), {damping});
}

std::vector<int> NodesWhere(const Discretisation& bodies,
                            const std::function<bool(const Vector3d&)>& chosen) {
  std::vector<int> nodes;
  for (int p = 0; p < bodies.part_count(); ++p) {
    const Matrix3Xd& rest = bodies.part(p).rest();
    for (int n = 0; n < rest.cols(); ++n) {
      if (chosen(rest.col(n))) nodes.push_back(bodies.first(p) + n);
    }
  }
  return nodes;
}

int NodeAt(const Discretisation& bodies, const Vector3d& place) {
  Eigen::Index nearest;
  (bodies.part(0).rest().colwise() - place).colwise().squaredNorm().minCoeff(&nearest);
  return static_cast<int>(nearest);
}

std::vector<LinearRow> Clamp(const Discretisation& bodies, const std::vector<int>& nodes) {
  std::vector<LinearRow> rows;
  std::vector<bool> held(3 * bodies.node_count(), false);
  const auto hold = [&](int unknown) {
    if (held[unknown]) return;
    held[unknown] = true;
    rows.push_back({{unknown, 1.0}});
  };
  for (const int node : nodes) {
    for (int axis = 0; axis < 3; ++axis) hold(3 * node + axis);
  }
  for (int p = 0; p < bodies.part_count(); ++p) {
    if (!bodies.part(p).planar()) continue;
    for (int n = 0; n < bodies.part(p).node_count(); ++n) hold(3 * (bodies.first(p) + n) + 2);
  }
  return rows;
}

Eigen::VectorXd RowsAt(const std::vector<LinearRow>& rows, const Matrix3Xd& q) {
  Eigen::VectorXd b = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rows.size()));
  for (size_t r = 0; r < rows.size(); ++r) {
    for (const auto& [unknown, coefficient] : rows[r]) {
      b[static_cast<Eigen::Index>(r)] += coefficient * q.reshaped()[unknown];
    }
  }
  return b;
}

}  // namespace pliant::finite_elements
