#include "models/kinematic_response/carried_points.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pliant::kinematic_response {
namespace {

// A point this close to a line of the lattice, in cells, counts as on it; otherwise rounding would
// decide which vertices get its displacement.
constexpr double kOnALine = 1e-9;

}  // namespace

CarriedPoints CarriedPoints::Vertices(int count) {
  CarriedPoints carried(count);
  for (int i = 0; i < count; ++i) {
    carried.vertices_.col(i).setConstant(i);
    carried.weights_.col(i) << 1.0, 0.0, 0.0, 0.0;
  }
  return carried;
}

CarriedPoints CarriedPoints::InLattice(const GridSize& grid, const Eigen::Vector2d& lower,
                                       const Eigen::Vector2d& upper,
                                       const Eigen::Matrix3Xd& points) {
  assert(!grid.curve() && (upper.array() > lower.array()).all());
  CarriedPoints carried(static_cast<int>(points.cols()));
  const Eigen::Array2d cells(grid.nu - 1, grid.nv - 1);
  for (int i = 0; i < carried.size(); ++i) {
    const Eigen::Array2d at =
        (points.col(i).head<2>() - lower).array() / (upper - lower).array() * cells;
    const Eigen::Array2d cell = at.floor().min(cells - 1.0).max(0.0);
    Eigen::Array2d t = at - cell;
    t = (t < kOnALine).select(0.0, (t > 1.0 - kOnALine).select(1.0, t));
    const int corner = grid.Index(static_cast<int>(cell[0]), static_cast<int>(cell[1]));
    carried.vertices_.col(i) << corner, corner + 1, corner + grid.nu, corner + grid.nu + 1;
    carried.weights_.col(i) << (1 - t[0]) * (1 - t[1]), t[0] * (1 - t[1]), (1 - t[0]) * t[1],
        t[0] * t[1];
  }
  return carried;
}

CarriedPoints CarriedPoints::OnCurve(int vertices, const Eigen::RowVectorXd& along) {
  assert(vertices >= 2);
  CarriedPoints carried(static_cast<int>(along.size()));
  for (int i = 0; i < carried.size(); ++i) {
    const double at = along[i] * (vertices - 1);
    const int edge = std::clamp(static_cast<int>(std::floor(at)), 0, vertices - 2);
    double t = at - edge;
    if (t < kOnALine) t = 0.0;
    if (t > 1.0 - kOnALine) t = 1.0;
    carried.vertices_.col(i) << edge, edge + 1, edge, edge;
    carried.weights_.col(i) << 1.0 - t, t, 0.0, 0.0;
  }
  return carried;
}

int CarriedPoints::Nearest(int point) const {
  int most;
  weights_.col(point).maxCoeff(&most);
  return vertices_(most, point);
}

void CarriedPoints::Place(const GridVectors& surface, Eigen::Matrix3Xd* points) const {
  assert(points->cols() == size());
  points->setZero();
  for (int i = 0; i < size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      points->col(i) += weights_(k, i) * surface.row(vertices_(k, i)).transpose();
    }
  }
}

Eigen::VectorXd CarriedPoints::Mean(const Eigen::VectorXd& of_vertices) const {
  Eigen::VectorXd means(size());
  for (int i = 0; i < size(); ++i) {
    means[i] = 0.0;
    for (int k = 0; k < 4; ++k) means[i] += weights_(k, i) * of_vertices[vertices_(k, i)];
  }
  return means;
}

void CarriedPoints::Distribute(const Eigen::Matrix3Xd& displacements,
                               GridVectors* of_vertices) const {
  of_vertices->setZero();
  for (int i = 0; i < size(); ++i) {
    const double squared = displacements.col(i).squaredNorm();
    for (int k = 0; k < 4; ++k) {
      if (weights_(k, i) <= 0.0) continue;
      auto vertex = of_vertices->row(vertices_(k, i));
      if (squared > vertex.squaredNorm()) vertex = displacements.col(i).transpose();
    }
  }
}

GridVectors EvenLattice(const GridSize& grid, const Eigen::Vector2d& lower,
                        const Eigen::Vector2d& upper) {
  GridVectors lattice = GridVectors::Zero(grid.size(), 3);
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      const Eigen::Array2d t(static_cast<double>(u) / (grid.nu - 1),
                             static_cast<double>(v) / (grid.nv - 1));
      lattice.row(grid.Index(u, v)).head<2>() = lower.array() + t * (upper - lower).array();
    }
  }
  return lattice;
}

}  // namespace pliant::kinematic_response
