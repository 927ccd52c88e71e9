#include "models/scene/cell_shares.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

#include "models/scene/material.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kGauss = 0.57735026918962576;  // 1/√3: two points are exact to degree 3

// ∫ N_a dA of the bilinear quadrilateral of four corners, in order around it.
std::array<double, 4> BilinearShares(const Body& body, const std::array<int, 4>& corners) {
  std::array<double, 4> shares = {};
  for (const double u : {-kGauss, kGauss}) {
    for (const double v : {-kGauss, kGauss}) {
      const std::array<double, 4> n = {0.25 * (1 - u) * (1 - v), 0.25 * (1 + u) * (1 - v),
                                       0.25 * (1 + u) * (1 + v), 0.25 * (1 - u) * (1 + v)};
      const auto x = [&](int a) -> Vector3d { return body.rest.col(corners[a]); };
      const Vector3d xu = 0.25 * ((1 - v) * (x(1) - x(0)) + (1 + v) * (x(2) - x(3)));
      const Vector3d xv = 0.25 * ((1 - u) * (x(3) - x(0)) + (1 + u) * (x(2) - x(1)));
      const double area = xu.cross(xv).norm();
      for (int a = 0; a < 4; ++a) shares[a] += area * n[a];
    }
  }
  return shares;
}

// ∫ N_a dV of the trilinear hexahedron; a negative Jacobian makes its shares NaN.
std::array<double, 8> TrilinearShares(const Body& body, const std::array<int, 8>& corners) {
  std::array<double, 8> shares = {};
  for (int g = 0; g < 8; ++g) {
    const Vector3d at = {g & 1 ? kGauss : -kGauss, g & 2 ? kGauss : -kGauss,
                         g & 4 ? kGauss : -kGauss};
    std::array<double, 8> n;
    Matrix3d jacobian = Matrix3d::Zero();
    for (int a = 0; a < 8; ++a) {
      const Vector3d sign = {a & 1 ? 1.0 : -1.0, a & 2 ? 1.0 : -1.0, a & 4 ? 1.0 : -1.0};
      const Vector3d f = 0.5 * (Vector3d::Ones() + sign.cwiseProduct(at));
      n[a] = f.prod();
      const Vector3d slope = 0.5 * Vector3d(sign.x() * f.y() * f.z(), f.x() * sign.y() * f.z(),
                                            f.x() * f.y() * sign.z());
      jacobian += body.rest.col(corners[a]) * slope.transpose();
    }
    const double volume = jacobian.determinant();
    for (int a = 0; a < 8; ++a) shares[a] += volume > 0.0 ? volume * n[a] : std::nan("");
  }
  return shares;
}

template <size_t n>
void AddEvenly(const std::array<int, n>& corners, double volume, Eigen::VectorXd* shares) {
  for (const int point : corners) (*shares)[point] += volume / n;
}

bool HasGridOfSurfaces(const Body& body) {
  return body.shape == ShapeKind::kSheet || body.shape == ShapeKind::kTube ||
         body.shape == ShapeKind::kTorus;
}

std::vector<std::array<int, 4>> GridCells(const Body& body) {
  const auto [nx, ny, nz] = body.grid;
  const int nu = body.shape == ShapeKind::kSheet ? nx - 1 : nx;
  const int nv = body.shape == ShapeKind::kTorus ? ny : ny - 1;
  const auto index = [nx = nx, ny = ny](int i, int j) { return i % nx + nx * (j % ny); };
  std::vector<std::array<int, 4>> cells;
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      cells.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return cells;
}

// Each set of corners once, in the order in which it is met first.
template <size_t n>
void KeepOnce(std::vector<std::array<int, n>>* cells) {
  std::map<std::array<int, n>, bool> met;
  std::erase_if(*cells, [&met](std::array<int, n> corners) {
    std::sort(corners.begin(), corners.end());
    return !met.emplace(corners, true).second;
  });
}

template <size_t n>
void AddEdgesAround(const std::array<int, n>& corners, CellList* sides) {
  for (size_t i = 0; i < n; ++i) sides->edges.push_back({corners[i], corners[(i + 1) % n]});
}

template <size_t n>
void KeepBetween(const std::vector<bool>& in, std::vector<std::array<int, n>>* cells) {
  std::erase_if(*cells, [&in](const std::array<int, n>& corners) {
    return !std::all_of(corners.begin(), corners.end(), [&in](int p) { return in[p]; });
  });
}

}  // namespace

CellList MaterialCells(const Body& body) {
  CellList cells;
  if (!NeedsThickness(body)) {
    cells.hexahedra = Hexahedra(body);
    cells.tetrahedra = body.tetrahedra;
  } else if (HasGridOfSurfaces(body)) {
    cells.quadrilaterals = GridCells(body);
  } else if (!body.faces.empty()) {
    cells.triangles = body.faces;
  } else {
    cells.edges = body.edges;
  }
  return cells;
}

CellList SidesOf(const CellList& cells) {
  constexpr std::array<std::array<int, 4>, 6> kOfHexahedron = {
      {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}};
  constexpr std::array<std::array<int, 3>, 4> kOfTetrahedron = {
      {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  CellList sides;
  for (const auto& cell : cells.hexahedra) {
    for (const auto& [a, b, c, d] : kOfHexahedron) {
      sides.quadrilaterals.push_back({cell[a], cell[b], cell[c], cell[d]});
    }
  }
  for (const auto& cell : cells.tetrahedra) {
    for (const auto& [a, b, c] : kOfTetrahedron) {
      sides.triangles.push_back({cell[a], cell[b], cell[c]});
    }
  }
  for (const auto& cell : cells.quadrilaterals) AddEdgesAround(cell, &sides);
  for (const auto& cell : cells.triangles) AddEdgesAround(cell, &sides);
  KeepOnce(&sides.quadrilaterals);
  KeepOnce(&sides.triangles);
  KeepOnce(&sides.edges);
  return sides;
}

void AddShares(const Body& body, const CellList& cells, double factor, Eigen::VectorXd* shares) {
  const auto x = [&](int point) -> Vector3d { return body.rest.col(point); };
  for (const auto& cell : cells.hexahedra) {
    const std::array<double, 8> volumes = TrilinearShares(body, cell);
    for (int a = 0; a < 8; ++a) (*shares)[cell[a]] += factor * volumes[a];
  }
  for (const auto& cell : cells.tetrahedra) {
    Matrix3d sides;
    sides << x(cell[1]) - x(cell[0]), x(cell[2]) - x(cell[0]), x(cell[3]) - x(cell[0]);
    const double volume = sides.determinant() / 6.0;
    AddEvenly(cell, volume > 0.0 ? factor * volume : std::nan(""), shares);
  }
  for (const auto& cell : cells.quadrilaterals) {
    const std::array<double, 4> areas = BilinearShares(body, cell);
    for (int a = 0; a < 4; ++a) (*shares)[cell[a]] += factor * areas[a];
  }
  for (const auto& cell : cells.triangles) {
    const double area = 0.5 * (x(cell[1]) - x(cell[0])).cross(x(cell[2]) - x(cell[0])).norm();
    AddEvenly(cell, factor * area, shares);
  }
  for (const auto& cell : cells.edges) {
    AddEvenly(cell, factor * (x(cell[1]) - x(cell[0])).norm(), shares);
  }
}

Eigen::VectorXd PartsOfLoad(const Body& body, const std::vector<int>& points) {
  std::vector<bool> in(body.size(), false);
  for (const int point : points) in[point] = true;
  Eigen::VectorXd parts = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(points.size()));
  CellList cells = MaterialCells(body);
  for (int lower = 0; lower < 3; ++lower, cells = SidesOf(cells)) {
    CellList between = cells;
    KeepBetween(in, &between.hexahedra);
    KeepBetween(in, &between.tetrahedra);
    KeepBetween(in, &between.quadrilaterals);
    KeepBetween(in, &between.triangles);
    KeepBetween(in, &between.edges);
    Eigen::VectorXd shares = Eigen::VectorXd::Zero(body.size());
    AddShares(body, between, 1.0, &shares);
    if (!(shares.sum() > 0.0)) continue;
    parts = shares(points);
    break;
  }
  return parts / parts.sum();
}

}  // namespace pliant
