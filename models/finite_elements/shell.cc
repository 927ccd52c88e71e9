#include "models/finite_elements/shell.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double kCircle = 2.0 * std::numbers::pi;

using Positions = Eigen::Matrix<double, 3, 16>;
using ElementTangent = Eigen::Matrix<double, 48, 48>;

// Adds `factor` Bᵀ H B for z = x B: blocks of nodes a ≤ b.
void AddNodalTangent(const Eigen::Matrix<double, 16, 5>& of_nodes, const SurfaceTangent& h,
                     ElementTangent* k) {
  for (int b = 0; b < 16; ++b) {
    Eigen::Matrix<double, 15, 3> hb = of_nodes(b, 0) * h.leftCols<3>();
    for (int c = 1; c < 5; ++c) hb += of_nodes(b, c) * h.middleCols<3>(3 * c);
    for (int a = 0; a <= b; ++a) {
      Matrix3d block = of_nodes(a, 0) * hb.topRows<3>();
      for (int c = 1; c < 5; ++c) block += of_nodes(a, c) * hb.middleRows<3>(3 * c);
      k->block<3, 3>(3 * a, 3 * b) += block;
    }
  }
}

void AddSymmetric(double factor, const ElementTangent& upper, MutableMatrixRef k) {
  for (int b = 0; b < 16; ++b) {
    for (int a = 0; a <= b; ++a) {
      const Matrix3d block = factor * upper.block<3, 3>(3 * a, 3 * b);
      k.block<3, 3>(3 * a, 3 * b) += block;
      if (a < b) k.block<3, 3>(3 * b, 3 * a) += block.transpose();
    }
  }
}

// Of `count` points evenly along 0 … 1, the one at s, or the two around it, with their linear weights.
std::vector<std::pair<int, double>> PointsAround(double s, int count) {
  constexpr double kRounding = 1e-9;
  const double place = s * (count - 1), before = std::floor(place + kRounding);
  const int first = static_cast<int>(before);
  if (place - before <= kRounding) return {{first, 1.0}};
  return {{first, 1.0 - (place - before)}, {first + 1, place - before}};
}

}  // namespace

MiddleSurface FlatSurface(const Vector3d& origin, const Vector3d& side_u, const Vector3d& side_v,
                          std::array<int, 2> spans) {
  return {BSplineAxis::Open(spans[0]), BSplineAxis::Open(spans[1]),
          [=](double u, double v) -> Vector3d { return origin + u * side_u + v * side_v; }};
}

MiddleSurface TubeSurface(double radius, double length, std::array<int, 2> spans) {
  return {BSplineAxis::Periodic(spans[0]), BSplineAxis::Open(spans[1]), [=](double u, double v) {
            return Vector3d(radius * std::cos(kCircle * u), radius * std::sin(kCircle * u),
                            length * (v - 0.5));
          }};
}

MiddleSurface TorusSurface(double radius, double tube_radius, std::array<int, 2> spans) {
  return {BSplineAxis::Periodic(spans[0]), BSplineAxis::Periodic(spans[1]),
          [=](double u, double v) {
            const double out = radius + tube_radius * std::cos(kCircle * v);
            return Vector3d(out * std::cos(kCircle * u), out * std::sin(kCircle * u),
                            tube_radius * std::sin(kCircle * v));
          }};
}

Shell::Shell(const MiddleSurface& surface, const ShellSection& section)
    : u_(surface.u), v_(surface.v), table_u_(u_, kGauss), table_v_(v_, kGauss) {
  // Interpolation along u, then along v.
  const MatrixXd fit_u = u_.Interpolation(), fit_v = v_.Interpolation();
  std::array<MatrixXd, 3> values;
  for (MatrixXd& of_axis : values) of_axis.resize(u_.size(), v_.size());
  for (int j = 0; j < v_.size(); ++j) {
    for (int i = 0; i < u_.size(); ++i) {
      const Vector3d x = surface.at(u_.Greville(i), v_.Greville(j));
      for (int axis = 0; axis < 3; ++axis) values[axis](i, j) = x(axis);
    }
  }
  rest_.resize(3, u_.size() * v_.size());
  for (int axis = 0; axis < 3; ++axis) {
    const MatrixXd control = fit_u * values[axis] * fit_v.transpose();
    rest_.row(axis) = Eigen::Map<const Eigen::RowVectorXd>(control.data(), control.size());
  }
  embedding_ = Functions(surface.points);
  FillMassAndNodes(section);
  if (surface.grid[0] > 0) PlaceBetween(surface.grid);
  // Corners and middles of the spans.
  const int nu = 2 * u_.spans() + (u_.periodic() ? 0 : 1);
  const int nv = 2 * v_.spans() + (v_.periodic() ? 0 : 1);
  Eigen::Matrix2Xd places(2, nu * nv);
  for (int p = 0; p < nu * nv; ++p) {
    const int column = p % nu, row = p / nu;
    places.col(p) << 0.5 * column / u_.spans(), 0.5 * row / v_.spans();
  }
  const Eigen::SparseMatrix<double> functions = Functions(places);
  surface_ = SurfaceOfGrid(functions, rest_ * functions.transpose(), {nu, nv},
                           {u_.periodic(), v_.periodic()}, 0.0);
}

void Shell::FillMassAndNodes(const ShellSection& section) {
  nodes_.resize(element_count());
  points_.reserve(static_cast<size_t>(element_count()) * kPoints);
  std::vector<Eigen::Triplet<double>> masses;
  masses.reserve(static_cast<size_t>(element_count()) * 256);
  for (int e = 0; e < element_count(); ++e) {
    const int span_u = e % u_.spans(), span_v = e / u_.spans();
    const std::array<int, 4> along_u = u_.Functions(span_u), along_v = v_.Functions(span_v);
    Positions x;
    for (int a = 0; a < 16; ++a) {
      nodes_[e][a] = ControlPoint(along_u[a % 4], along_v[a / 4]);
      x.col(a) = rest_.col(nodes_[e][a]);
    }
    Eigen::Matrix<double, 16, 16> mass = Eigen::Matrix<double, 16, 16>::Zero();
    for (int g = 0; g < kPoints; ++g) {
      const int gu = span_u * kGauss + g % kGauss, gv = span_v * kGauss + g / kGauss;
      const SurfaceDerivatives z = x * DerivativesAt(e, g);
      const double weight = table_u_.weights[gu] * table_v_.weights[gv];
      points_.emplace_back(z, weight, section.youngs_modulus, section.poisson_ratio,
                           section.thickness);
      const Eigen::Matrix4d products =
          table_u_.values[gu].value * table_v_.values[gv].value.transpose();
      const Eigen::Map<const Eigen::Matrix<double, 16, 1>> values(products.data());
      const double area = z.col(0).cross(z.col(1)).norm() * weight;
      mass += section.density * section.thickness * area * values * values.transpose();
    }
    for (int b = 0; b < 16; ++b) {
      for (int a = 0; a < 16; ++a) masses.emplace_back(nodes_[e][a], nodes_[e][b], mass(a, b));
    }
  }
  mass_.resize(node_count(), node_count());
  mass_.setFromTriplets(masses.begin(), masses.end());
}

void Shell::PlaceBetween(const std::array<int, 2>& grid) {
  std::vector<Eigen::Triplet<double>> weights;
  for (int j = 0; j < v_.size(); ++j) {
    const auto rows = PointsAround(v_.Greville(j), grid[1]);
    for (int i = 0; i < u_.size(); ++i) {
      for (const auto& [row, of_row] : rows) {
        for (const auto& [column, of_column] : PointsAround(u_.Greville(i), grid[0]))
          weights.emplace_back(ControlPoint(i, j), column + grid[0] * row, of_column * of_row);
      }
    }
  }
  between_.resize(node_count(), grid[0] * grid[1]);
  between_.setFromTriplets(weights.begin(), weights.end());
}

std::vector<int> Shell::EdgeRow(Edge edge, int row) const {
  const bool across_u = edge == Edge::kUBegin || edge == Edge::kUEnd;
  const BSplineAxis& across = across_u ? u_ : v_;
  const BSplineAxis& along = across_u ? v_ : u_;
  std::vector<int> points;
  if (across.periodic()) return points;
  const bool begin = edge == Edge::kUBegin || edge == Edge::kVBegin;
  const int at = begin ? row : across.size() - 1 - row;
  for (int i = 0; i < along.size(); ++i) {
    points.push_back(across_u ? ControlPoint(at, i) : ControlPoint(i, at));
  }
  return points;
}

Eigen::SparseMatrix<double> Shell::Functions(const Eigen::Matrix2Xd& parameters) const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(16 * parameters.cols());
  for (int p = 0; p < parameters.cols(); ++p) {
    const double s = parameters(0, p), t = parameters(1, p);
    const int span_u = u_.Span(s), span_v = v_.Span(t);
    const std::array<int, 4> along_u = u_.Functions(span_u), along_v = v_.Functions(span_v);
    const Eigen::Vector4d of_u = u_.At(span_u, s).value, of_v = v_.At(span_v, t).value;
    for (int a = 0; a < 16; ++a) {
      entries.emplace_back(p, ControlPoint(along_u[a % 4], along_v[a / 4]),
                           of_u(a % 4) * of_v(a / 4));
    }
  }
  Eigen::SparseMatrix<double> functions(parameters.cols(), node_count());
  functions.setFromTriplets(entries.begin(), entries.end());
  return functions;
}

Shell::Derivatives Shell::DerivativesAt(int e, int g) const {
  const BSplineValues& u = table_u_.values[(e % u_.spans()) * kGauss + g % kGauss];
  const BSplineValues& v = table_v_.values[(e / u_.spans()) * kGauss + g / kGauss];
  Derivatives d;
  for (int j = 0; j < 4; ++j) {
    d.block<4, 1>(4 * j, 0) = u.first * v.value(j);
    d.block<4, 1>(4 * j, 1) = u.value * v.first(j);
    d.block<4, 1>(4 * j, 2) = u.second * v.value(j);
    d.block<4, 1>(4 * j, 3) = u.value * v.second(j);
    d.block<4, 1>(4 * j, 4) = u.first * v.first(j);
  }
  return d;
}

double Shell::Energy(int e, const PointsRef& x) const {
  const Positions nodes = x;
  double energy = 0.0;
  for (int g = 0; g < kPoints; ++g) {
    energy += ShellEnergy(PointAt(e, g), nodes * DerivativesAt(e, g));
  }
  return energy;
}

void Shell::AddGradient(int e, const PointsRef& x, MutablePointsRef g) const {
  const Positions nodes = x;
  Positions sum = Positions::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    const SurfaceDerivatives z = nodes * d;
    sum += ShellGradient(z, StressOf(PointAt(e, p), z)) * d.transpose();
  }
  g += sum;
}

void Shell::AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const {
  const Positions nodes = x;
  ElementTangent upper = ElementTangent::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    const SurfaceDerivatives z = nodes * d;
    const ShellPoint& point = PointAt(e, p);
    AddNodalTangent(d, ShellTangent(point, z, StressOf(point, z)), &upper);
  }
  AddSymmetric(1.0, upper, k);
}

void Shell::AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                                MutablePointsRef g) const {
  const Positions nodes0 = x0, nodes1 = x1;
  Positions sum = Positions::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    sum += ShellDiscreteGradient(PointAt(e, p), nodes0 * d, nodes1 * d) * d.transpose();
  }
  g += sum;
}

void Shell::AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                               MutableMatrixRef k) const {
  const Positions nodes0 = x0, nodes1 = x1;
  ElementTangent upper = ElementTangent::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    const SurfaceDerivatives z0 = nodes0 * d, z1 = nodes1 * d;
    const ShellPoint& point = PointAt(e, p);
    const ShellStress stress = Mean(StressOf(point, z0), StressOf(point, z1));
    AddNodalTangent(d, ShellTangent(point, 0.5 * (z0 + z1), stress), &upper);
  }
  AddSymmetric(0.5, upper, k);
}

void Shell::AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                            MutablePointsRef g) const {
  const Positions nodes0 = x0, nodes1 = x1;
  Positions sum = Positions::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    sum += ShellViscousForce(PointAt(e, p), nodes0 * d, nodes1 * d, factor) * d.transpose();
  }
  g += sum;
}

void Shell::AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                              MutableMatrixRef k) const {
  const Positions middle = 0.5 * (x0 + x1);
  const ShellStress no_stress = {Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(),
                                 Vector3d::Zero()};
  ElementTangent upper = ElementTangent::Zero();
  for (int p = 0; p < kPoints; ++p) {
    const Derivatives d = DerivativesAt(e, p);
    AddNodalTangent(d, ShellTangent(PointAt(e, p), middle * d, no_stress), &upper);
  }
  AddSymmetric(factor, upper, k);
}

double Shell::SmallestDeterminant(int e, const PointsRef& x) const {
  const Positions nodes = x;
  double least = std::numeric_limits<double>::infinity();
  for (int g = 0; g < kPoints; ++g) {
    least = std::min(least, AreaRatio(PointAt(e, g), nodes * DerivativesAt(e, g)));
  }
  return least;
}

}  // namespace pliant::finite_elements
