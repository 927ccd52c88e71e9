#include "models/finite_elements/rod.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

}  // namespace

RodSection RodSection::Square(double density, double youngs_modulus, double side) {
  const double area = side * side;
  return {density * area, youngs_modulus * area, youngs_modulus * area * area / 12.0};
}

CentreLine StraightLine(const Vector3d& from, const Vector3d& to, int spans) {
  return {BSplineAxis::Open(spans), [=](double s) -> Vector3d { return from + s * (to - from); }};
}

CentreLine CircularLine(double radius, int spans) {
  return {BSplineAxis::Periodic(spans), [=](double s) {
            const double angle = -2.0 * std::numbers::pi * s;
            return Vector3d(radius * std::cos(angle), radius * std::sin(angle), 0.0);
          }};
}

Rod::Rod(const CentreLine& line, const RodSection& section, Kind kind)
    : axis_(line.axis), table_(axis_, kGauss), section_(section), kind_(kind) {
  axes_.setIdentity();
  turn_.setIdentity();
  if (planar()) {
    axes_(2, 2) = 0.0;
    turn_ << 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  }
  Eigen::Matrix3Xd values(3, axis_.size());
  for (int i = 0; i < axis_.size(); ++i) values.col(i) = line.at(axis_.Greville(i));
  rest_ = values * axis_.Interpolation().transpose();
  embedding_ = Functions(line.points);
  // Ends and middles of the spans; as wide as a square section.
  const int places = 2 * axis_.spans() + (axis_.periodic() ? 0 : 1);
  const Eigen::SparseMatrix<double> functions =
      Functions(Eigen::VectorXd::LinSpaced(places, 0.0, 0.5 * (places - 1) / axis_.spans()));
  surface_ = SurfaceOfGrid(functions, rest_ * functions.transpose(), {places, 1},
                           {axis_.periodic(), false},
                           std::sqrt(12.0 * section.bending / section.stretching));

  std::vector<Eigen::Triplet<double>> masses;
  for (int e = 0; e < axis_.spans(); ++e) {
    nodes_.push_back(axis_.Functions(e));
    Positions x;
    for (int a = 0; a < 4; ++a) x.col(a) = rest_.col(nodes_[e][a]);
    Eigen::Matrix4d mass = Eigen::Matrix4d::Zero();
    for (int g = kGauss * e; g < kGauss * (e + 1); ++g) {
      const Vector3d y = Invariants(DerivativesAt(g, x));
      const double speed = std::sqrt(y(0));
      points_.push_back({speed, planar() ? y(1) / (y(0) * speed) : 0.0, speed * table_.weights[g]});
      const Eigen::Vector4d& values_there = table_.values[g].value;
      mass +=
          section.mass_per_length * points_.back().length * values_there * values_there.transpose();
    }
    for (int b = 0; b < 4; ++b) {
      for (int a = 0; a < 4; ++a) masses.emplace_back(nodes_[e][a], nodes_[e][b], mass(a, b));
    }
  }
  mass_.resize(node_count(), node_count());
  mass_.setFromTriplets(masses.begin(), masses.end());
}

Eigen::SparseMatrix<double> Rod::Functions(const Eigen::VectorXd& parameters) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < parameters.size(); ++p) {
    const int span = axis_.Span(parameters(p));
    const std::array<int, 4> functions = axis_.Functions(span);
    const Eigen::Vector4d values = axis_.At(span, parameters(p)).value;
    for (int a = 0; a < 4; ++a) entries.emplace_back(p, functions[a], values(a));
  }
  Eigen::SparseMatrix<double> functions(parameters.size(), node_count());
  functions.setFromTriplets(entries.begin(), entries.end());
  return functions;
}

Rod::Positions Rod::Gathered(const PointsRef& x) const { return axes_ * x; }

Rod::LineDerivatives Rod::DerivativesAt(int number, const Positions& x) const {
  LineDerivatives z;
  z << x * table_.values[number].first, x * table_.values[number].second;
  return z;
}

// A, then B and C in space, D in the plane.
Vector3d Rod::Invariants(const LineDerivatives& z) const {
  return {z.col(0).squaredNorm(), z.col(0).dot(turn_ * z.col(1)),
          planar() ? 0.0 : z.col(1).squaredNorm()};
}

double Rod::EnergyOf(const Point& point, const Vector3d& y) const {
  const double S = point.speed, strain = std::sqrt(y(0)) / S - 1.0;
  double bending;
  if (planar()) {
    bending = std::pow(y(1) / (y(0) * S) - point.curvature, 2);
  } else {
    bending = (y(0) * y(2) - y(1) * y(1)) / (y(0) * y(0) * S * S);
  }
  return 0.5 * point.length * (section_.stretching * strain * strain + section_.bending * bending);
}

Vector3d Rod::Slopes(const Point& point, const Vector3d& y) const {
  const double S = point.speed, A = y(0);
  Vector3d slopes(section_.stretching / (2.0 * S) * (1.0 / S - 1.0 / std::sqrt(A)), 0.0, 0.0);
  if (planar()) {
    const double D = y(1), moment = section_.bending * (D / (A * S) - point.curvature);
    slopes(0) -= moment * D / (A * A * S);
    slopes(1) = moment / (A * S);
  } else {
    const double B = y(1), C = y(2), factor = section_.bending / (2.0 * S * S);
    slopes(0) += factor * (2.0 * B * B / A - C) / (A * A);
    slopes(1) = -factor * 2.0 * B / (A * A);
    slopes(2) = factor / A;
  }
  return point.length * slopes;
}

Matrix3d Rod::Curvatures(const Point& point, const Vector3d& y) const {
  const double S = point.speed, A = y(0);
  Matrix3d h = Matrix3d::Zero();
  h(0, 0) = section_.stretching / (4.0 * S * A * std::sqrt(A));
  if (planar()) {
    const double D = y(1), moment = section_.bending * (D / (A * S) - point.curvature);
    const Vector3d of_k(-D / (A * A * S), 1.0 / (A * S), 0.0);
    h += section_.bending * of_k * of_k.transpose();
    h(0, 0) += moment * 2.0 * D / (A * A * A * S);
    h(0, 1) -= moment / (A * A * S);
    h(1, 0) = h(0, 1);
  } else {
    const double B = y(1), C = y(2), factor = section_.bending / (2.0 * S * S);
    h(0, 0) += factor * (2.0 * C - 6.0 * B * B / A) / (A * A * A);
    h(0, 1) = h(1, 0) = factor * 4.0 * B / (A * A * A);
    h(0, 2) = h(2, 0) = -factor / (A * A);
    h(1, 1) = -factor * 2.0 / (A * A);
  }
  return point.length * h;
}

Rod::Measures Rod::MeasuresOf(const Point& point, const Vector3d& y0, const Vector3d& y1) const {
  const double S = point.speed, A0 = y0(0), A1 = y1(0);
  // Δ√A = ΔA/(√A₀ + √A₁).
  Measures measures{Vector3d(1.0 / (S * (std::sqrt(A0) + std::sqrt(A1))), 0.0, 0.0),
                    Vector3d::Zero(), point.length * section_.stretching, 0.0};
  if (planar()) {
    // Δ(D/A) with Δ(1/A) = −ΔA/(A₀ A₁).
    measures.of_curvature << -0.5 * (y0(1) + y1(1)) / (A0 * A1 * S),
        0.5 * (1.0 / A0 + 1.0 / A1) / S, 0.0;
    measures.bending = point.length * section_.bending;
  }
  return measures;
}

Vector3d Rod::DiscreteSlopes(const Point& point, const Vector3d& y0, const Vector3d& y1) const {
  const double S = point.speed, A0 = y0(0), A1 = y1(0);
  const Measures measures = MeasuresOf(point, y0, y1);
  const double strain = 0.5 * (std::sqrt(A0) + std::sqrt(A1)) / S - 1.0;
  Vector3d slopes = measures.stretching * strain * measures.of_strain;
  if (planar()) {
    const double k = 0.5 * (y0(1) / A0 + y1(1) / A1) / S;
    slopes += measures.bending * (k - point.curvature) * measures.of_curvature;
  } else {
    const Vector3d mean = 0.5 * (y0 + y1);
    // Δ(G/A²), G = A C − B².
    const double factor = point.length * section_.bending / (2.0 * S * S);
    const double inverse = 0.5 * (1.0 / (A0 * A0) + 1.0 / (A1 * A1));
    const double G = 0.5 * (A0 * y0(2) - y0(1) * y0(1) + A1 * y1(2) - y1(1) * y1(1));
    slopes(0) += factor * (inverse * mean(2) - G * (A0 + A1) / (A0 * A0 * A1 * A1));
    slopes(1) = -factor * inverse * 2.0 * mean(1);
    slopes(2) = factor * inverse * mean(0);
  }
  return slopes;
}

void Rod::AddNodalForces(int number, const LineDerivatives& z, const Vector3d& slopes,
                         MutablePointsRef g) const {
  const Vector3d of_a = 2.0 * slopes(0) * z.col(0) + slopes(1) * turn_ * z.col(1);
  const Vector3d of_c = slopes(1) * turn_.transpose() * z.col(0) + 2.0 * slopes(2) * z.col(1);
  const BSplineValues& values = table_.values[number];
  for (int i = 0; i < 4; ++i) g.col(i) += values.first(i) * of_a + values.second(i) * of_c;
}

void Rod::AddNodalTangent(int number, const LineDerivatives& z, const Vector3d& slopes,
                          const Matrix3d& curvatures, double factor, MutableMatrixRef k) const {
  Eigen::Matrix<double, 3, 6> of_y;                                // ∂y/∂(a, c)
  of_y << 2.0 * z.col(0).transpose(), Eigen::RowVector3d::Zero(),  //
      (turn_ * z.col(1)).transpose(), (turn_.transpose() * z.col(0)).transpose(),
      Eigen::RowVector3d::Zero(), 2.0 * z.col(1).transpose();
  Eigen::Matrix<double, 6, 6> h = of_y.transpose() * curvatures * of_y;
  h.topLeftCorner<3, 3>() += 2.0 * slopes(0) * axes_;
  h.topRightCorner<3, 3>() += slopes(1) * turn_;
  h.bottomLeftCorner<3, 3>() += slopes(1) * turn_.transpose();
  h.bottomRightCorner<3, 3>() += 2.0 * slopes(2) * axes_;
  const BSplineValues& values = table_.values[number];
  for (int j = 0; j < 4; ++j) {
    const Eigen::Matrix<double, 6, 3> hj =
        factor * (values.first(j) * h.leftCols<3>() + values.second(j) * h.rightCols<3>());
    for (int i = 0; i < 4; ++i) {
      k.block<3, 3>(3 * i, 3 * j) +=
          values.first(i) * hj.topRows<3>() + values.second(i) * hj.bottomRows<3>();
    }
  }
}

double Rod::Energy(int e, const PointsRef& x) const {
  const Positions nodes = Gathered(x);
  double energy = 0.0;
  for (int g = kGauss * e; g < kGauss * (e + 1); ++g) {
    energy += EnergyOf(points_[g], Invariants(DerivativesAt(g, nodes)));
  }
  return energy;
}

void Rod::AddGradient(int e, const PointsRef& x, MutablePointsRef g) const {
  const Positions nodes = Gathered(x);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z = DerivativesAt(p, nodes);
    AddNodalForces(p, z, Slopes(points_[p], Invariants(z)), g);
  }
}

void Rod::AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const {
  const Positions nodes = Gathered(x);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z = DerivativesAt(p, nodes);
    const Vector3d y = Invariants(z);
    AddNodalTangent(p, z, Slopes(points_[p], y), Curvatures(points_[p], y), 1.0, k);
  }
}

void Rod::AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                              MutablePointsRef g) const {
  const Positions nodes0 = Gathered(x0), nodes1 = Gathered(x1);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z0 = DerivativesAt(p, nodes0), z1 = DerivativesAt(p, nodes1);
    AddNodalForces(p, 0.5 * (z0 + z1), DiscreteSlopes(points_[p], Invariants(z0), Invariants(z1)),
                   g);
  }
}

void Rod::AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                             MutableMatrixRef k) const {
  const Positions nodes0 = Gathered(x0), nodes1 = Gathered(x1);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z0 = DerivativesAt(p, nodes0), z1 = DerivativesAt(p, nodes1);
    const Vector3d y0 = Invariants(z0), y1 = Invariants(z1);
    AddNodalTangent(p, 0.5 * (z0 + z1), DiscreteSlopes(points_[p], y0, y1),
                    Curvatures(points_[p], 0.5 * (y0 + y1)), 0.5, k);
  }
}

void Rod::AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                          MutablePointsRef g) const {
  const Positions nodes0 = Gathered(x0), nodes1 = Gathered(x1);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z0 = DerivativesAt(p, nodes0), z1 = DerivativesAt(p, nodes1);
    const Vector3d y0 = Invariants(z0), y1 = Invariants(z1), change = y1 - y0;
    const Measures m = MeasuresOf(points_[p], y0, y1);
    const Vector3d slopes = factor * (m.stretching * m.of_strain.dot(change) * m.of_strain +
                                      m.bending * m.of_curvature.dot(change) * m.of_curvature);
    AddNodalForces(p, 0.5 * (z0 + z1), slopes, g);
  }
}

void Rod::AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                            MutableMatrixRef k) const {
  const Positions nodes0 = Gathered(x0), nodes1 = Gathered(x1);
  for (int p = kGauss * e; p < kGauss * (e + 1); ++p) {
    const LineDerivatives z0 = DerivativesAt(p, nodes0), z1 = DerivativesAt(p, nodes1);
    const Measures m = MeasuresOf(points_[p], Invariants(z0), Invariants(z1));
    AddNodalTangent(p, 0.5 * (z0 + z1), Vector3d::Zero(),
                    m.stretching * m.of_strain * m.of_strain.transpose() +
                        m.bending * m.of_curvature * m.of_curvature.transpose(),
                    factor, k);
  }
}

double Rod::SmallestDeterminant(int e, const PointsRef& x) const {
  const Positions nodes = Gathered(x);
  double least = std::numeric_limits<double>::infinity();
  for (int g = kGauss * e; g < kGauss * (e + 1); ++g) {
    least = std::min(least, DerivativesAt(g, nodes).col(0).norm() / points_[g].speed);
  }
  return least;
}

}  // namespace pliant::finite_elements
