#include "models/finite_elements/bspline_axis.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/geometry/quadrature.h"

namespace pliant::finite_elements {

using Eigen::MatrixXd;
using Eigen::Vector4d;

BSplineAxis BSplineAxis::Open(int spans) {
  assert(spans >= 1);
  return {spans, false};
}

BSplineAxis BSplineAxis::Periodic(int spans) {
  assert(spans >= 4);
  return {spans, true};
}

double BSplineAxis::Knot(int i) const {
  const int k = periodic_ ? i - 3 : std::clamp(i - 3, 0, spans_);
  return static_cast<double>(k) / spans_;
}

int BSplineAxis::Span(double s) const {
  return std::clamp(static_cast<int>(std::floor(s * spans_)), 0, spans_ - 1);
}

std::array<int, 4> BSplineAxis::Functions(int span) const {
  std::array<int, 4> functions;
  for (int i = 0; i < 4; ++i) functions[i] = periodic_ ? (span + i) % spans_ : span + i;
  return functions;
}

BSplineValues BSplineAxis::At(int span, double s) const {
  // degree[p](i) is the i-th of the p + 1 functions of degree p that are not 0 in the span; it
  // lives between knots span + 3 − p + i and span + 4 + i.
  std::array<Vector4d, 4> degree;
  degree[0] = Vector4d::UnitX();
  const auto knot = [&](int i) { return Knot(span + i); };
  for (int p = 1; p <= 3; ++p) {
    degree[p].setZero();
    for (int i = 0; i < p; ++i) {  // the functions of degree p − 1
      const double begin = knot(4 - p + i), end = knot(4 + i);
      const double share = degree[p - 1](i) / (end - begin);
      degree[p](i) += (end - s) * share;
      degree[p](i + 1) += (s - begin) * share;
    }
  }
  // The derivative of Σ c_i N_i of degree p from that of degree p − 1: differences.
  const auto differences = [&](int p, const Vector4d& lower) {
    Vector4d derivative = Vector4d::Zero();
    for (int i = 0; i < p; ++i) {
      const double share = p * lower(i) / (knot(4 + i) - knot(4 - p + i));
      derivative(i) -= share;
      derivative(i + 1) += share;
    }
    return derivative;
  };
  return {degree[3], differences(3, degree[2]), differences(3, differences(2, degree[1]))};
}

double BSplineAxis::Greville(int i) const {
  const double mean = (Knot(i + 1) + Knot(i + 2) + Knot(i + 3)) / 3.0;
  return mean < 0.0 ? mean + 1.0 : mean;
}

MatrixXd BSplineAxis::Interpolation() const {
  MatrixXd values = MatrixXd::Zero(size(), size());  // row: place, column: function
  for (int i = 0; i < size(); ++i) {
    const double s = Greville(i);
    const int span = Span(s);
    const std::array<int, 4> functions = Functions(span);
    const Vector4d at = At(span, s).value;
    for (int a = 0; a < 4; ++a) values(i, functions[a]) += at(a);
  }
  return values.partialPivLu().inverse();
}

BSplineTable::BSplineTable(const BSplineAxis& axis, int points) : points(points) {
  const QuadratureRule rule = GaussLegendre(points);
  for (int span = 0; span < axis.spans(); ++span) {
    for (int g = 0; g < points; ++g) {
      s.push_back((span + rule.nodes(g)) / axis.spans());
      weights.push_back(rule.weights(g) / axis.spans());
      values.push_back(axis.At(span, s.back()));
    }
  }
}

}  // namespace pliant::finite_elements
