#include "solvers/kinematic_response/measures.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// Half of each edge of a curve and a quarter of each cell of a sheet to each of its vertices.
GridVectors SharesOfArea(const GridSize& grid, const GridVectors& points) {
  GridVectors shares = GridVectors::Zero(grid.size(), 3);
  const auto at = [&](int u, int v) -> Vector3d { return points.row(grid.Index(u, v)); };
  const auto add = [&](int u, int v, const Vector3d& share) {
    shares.row(grid.Index(u, v)) += share.transpose();
  };
  for (int u = 0; u + 1 < grid.nu; ++u) {
    if (grid.curve()) {
      const Vector3d half = 0.5 * Vector3d::UnitZ().cross(at(u + 1, 0) - at(u, 0));
      add(u, 0, half);
      add(u + 1, 0, half);
    }
    for (int v = 0; v + 1 < grid.nv; ++v) {
      const Vector3d quarter =
          0.125 * (at(u + 1, v + 1) - at(u, v)).cross(at(u, v + 1) - at(u + 1, v));
      for (const int i : {0, 1}) {
        for (const int j : {0, 1}) add(u + i, v + j, quarter);
      }
    }
  }
  return shares;
}

}  // namespace

SurfaceMeasures::SurfaceMeasures(const GridSize& grid, GridVectors start)
    : start_(std::move(start)),
      normals_(SharesOfArea(grid, start_)),
      area_(normals_.rowwise().norm().sum()) {}

Answer SurfaceMeasures::Measure(const GridVectors& surface) const {
  Answer answer;
  for (Eigen::Index i = 0; i < surface.rows(); ++i) {
    const Vector3d u = surface.row(i) - start_.row(i);
    answer.largest = std::max(answer.largest, u.norm());
    answer.volume += u.dot(normals_.row(i));
  }
  for (Eigen::Index i = 0; i < surface.rows(); ++i) {
    const double moved = (surface.row(i) - start_.row(i)).norm();
    if (moved > 0.01 * answer.largest) answer.area += normals_.row(i).norm();
  }
  return answer;
}

Vector3d SurfaceMeasures::Integrate(const GridVectors& vectors) const {
  return vectors.transpose() * normals_.rowwise().norm();
}

}  // namespace pliant::kinematic_response
