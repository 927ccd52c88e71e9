#include "models/scene/body_strain.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "models/scene/material.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

// A cell without extent: its size over that of a cell of the same longest side.
constexpr double kNoExtent = 1e-12;

using Gradient = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3>;  // 3×d

// Σ x_i ∂N_i/∂ξ. On a simplex N_i = ξ_i and N_0 = 1 − Σ ξ; on a hexahedron, in its middle,
// ∂N_a/∂ξ_c = ±¼, with the sign of corner a along c.
Gradient GradientOf(const BodyCell& cell, const PointsRef& x) {
  if (cell.size == 8) {
    Gradient g = Gradient::Zero(3, 3);
    for (int a = 0; a < 8; ++a) {
      for (int c = 0; c < 3; ++c) {
        g.col(c) += ((a >> c & 1) != 0 ? 0.25 : -0.25) * x.col(cell.corners[a]);
      }
    }
    return g;
  }
  Gradient g(3, cell.size - 1);
  for (int i = 1; i < cell.size; ++i) {
    g.col(i - 1) = x.col(cell.corners[i]) - x.col(cell.corners[0]);
  }
  return g;
}

// √det(dXᵀ dX): length, area or volume, but for a factor that all cells of a kind share.
double SizeOf(const Gradient& rest) {
  return std::sqrt(std::max(0.0, MatrixXd(rest.transpose() * rest).determinant()));
}

// What a size counts for next to those of another kind: a triangle is half of its parallelogram.
double ShareOf(const BodyCell& cell) {
  return cell.size == 3 ? 1.0 / 2.0 : cell.size == 4 ? 1.0 / 6.0 : 1.0;
}

bool HasExtent(const Gradient& rest) {
  const double side = rest.colwise().norm().maxCoeff();
  return SizeOf(rest) > kNoExtent * std::pow(side, static_cast<double>(rest.cols()));
}

}  // namespace

std::vector<BodyCell> CellsOf(const Body& body) {
  std::vector<BodyCell> cells;
  const auto add = [&cells](const auto& corners) {
    BodyCell& cell = cells.emplace_back();
    cell.size = static_cast<int>(corners.size());
    std::copy(corners.begin(), corners.end(), cell.corners.begin());
  };
  for (const auto& corners : body.tetrahedra) add(corners);
  for (const auto& corners : Hexahedra(body)) add(corners);
  if (cells.empty()) {
    for (const auto& corners : body.faces) add(corners);
  }
  if (cells.empty()) {
    for (const auto& corners : body.edges) add(corners);
  }
  return cells;
}

Matrix3d DeformationOf(const Body& body, const BodyCell& cell, const PointsRef& x) {
  const Gradient rest = GradientOf(cell, body.rest);
  if (!HasExtent(rest)) return Matrix3d::Constant(kNotDefined);
  return Matrix3d(GradientOf(cell, x)) * Matrix3d(rest).inverse();
}

MatrixXd CellStrains(const Body& body, const std::vector<BodyCell>& cells, const PointsRef& x) {
  MatrixXd strains(6, static_cast<Eigen::Index>(cells.size()));
  for (size_t i = 0; i < cells.size(); ++i) {
    auto column = strains.col(static_cast<Eigen::Index>(i));
    const Gradient rest = GradientOf(cells[i], body.rest), now = GradientOf(cells[i], x);
    if (!HasExtent(rest)) {
      column.setConstant(kNotDefined);
      continue;
    }
    const MatrixXd metric = rest.transpose() * rest;                 // d×d
    const MatrixXd inverse = metric.inverse() * rest.transpose();    // d×3
    const MatrixXd change = 0.5 * (now.transpose() * now - metric);  // d×d
    const Matrix3d strain = inverse.transpose() * change * inverse;
    column << strain(0, 0), strain(1, 1), strain(2, 2), strain(0, 1), strain(1, 2), strain(0, 2);
  }
  return strains;
}

MatrixXd PointStrains(const Body& body, const std::vector<BodyCell>& cells,
                      const MatrixXd& strains) {
  MatrixXd sums = MatrixXd::Zero(6, body.size());
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(body.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    const Gradient rest = GradientOf(cells[i], body.rest);
    if (!HasExtent(rest)) continue;
    const double size = ShareOf(cells[i]) * SizeOf(rest);
    for (int c = 0; c < cells[i].size; ++c) {
      sums.col(cells[i].corners[c]) += size * strains.col(static_cast<Eigen::Index>(i));
      sizes[cells[i].corners[c]] += size;
    }
  }
  for (int p = 0; p < body.size(); ++p) {
    if (sizes[p] > 0.0) {
      sums.col(p) /= sizes[p];
    } else {
      sums.col(p).setConstant(kNotDefined);
    }
  }
  return sums;
}

}  // namespace pliant
