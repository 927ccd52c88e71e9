#include "models/geometry/lattice_basis.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/geometry/bernstein.h"

namespace pliant {
namespace {

using Eigen::Vector4d;
using Eigen::VectorXd;

// Where s lies among the m spans of a cubic B-spline: functions span … span + 3 are not 0.
struct SpanPlace {
  int span;
  double w;  // u − span
};

SpanPlace Locate(double s, int spans) {
  const double u = s * spans;
  const int span = std::clamp(static_cast<int>(std::floor(u)), 0, spans - 1);
  return {span, u - span};
}

}  // namespace

LatticeBasis LatticeBasis::Bernstein(int degree) {
  assert(degree >= 0);
  return {BasisKind::kBernstein, degree + 1};
}

LatticeBasis LatticeBasis::CubicBSpline(int count) {
  assert(count >= 4);
  return {BasisKind::kBSpline, count};
}

VectorXd LatticeBasis::Values(double s) const {
  if (kind_ == BasisKind::kBernstein) return pliant::Bernstein(degree(), s);
  const auto [span, w] = Locate(s, count_ - 3);
  const double v = 1.0 - w;
  VectorXd values = VectorXd::Zero(count_);
  values.segment<4>(span) = Vector4d(v * v * v, (3.0 * w - 6.0) * w * w + 4.0,
                                     ((-3.0 * w + 3.0) * w + 3.0) * w + 1.0, w * w * w) /
                            6.0;
  return values;
}

VectorXd LatticeBasis::Derivatives(double s) const {
  if (kind_ == BasisKind::kBernstein) {
    // B_i′ = n (B_{i−1}^{n−1} − B_i^{n−1}).
    const int n = degree();
    VectorXd derivatives = VectorXd::Zero(n + 1);
    if (n == 0) return derivatives;
    const VectorXd lower = n * pliant::Bernstein(n - 1, s);
    derivatives.tail(n) = lower;
    derivatives.head(n) -= lower;
    return derivatives;
  }
  const int spans = count_ - 3;
  const auto [span, w] = Locate(s, spans);
  const double v = 1.0 - w;
  VectorXd derivatives = VectorXd::Zero(count_);
  derivatives.segment<4>(span) =
      0.5 * spans * Vector4d(-v * v, (3.0 * w - 4.0) * w, (-3.0 * w + 2.0) * w + 1.0, w * w);
  return derivatives;
}

double LatticeBasis::Node(int i) const {
  if (count_ == 1) return 0.5;
  if (kind_ == BasisKind::kBernstein) return static_cast<double>(i) / degree();
  return static_cast<double>(i - 1) / (count_ - 3);
}

double LatticeBasis::Square(int i) const {
  assert(degree() >= 2);
  if (kind_ == BasisKind::kBernstein) {
    const double n = degree();
    return i * (i - 1.0) / (n * (n - 1.0));
  }
  // Mean product of two of the knots i − 2, i − 1, i.
  const double c = i - 1.0, m = count_ - 3;
  return (c * c - 1.0 / 3.0) / (m * m);
}

LatticeBases BernsteinBases(const std::array<int, 3>& degree) {
  return {LatticeBasis::Bernstein(degree[0]), LatticeBasis::Bernstein(degree[1]),
          LatticeBasis::Bernstein(degree[2])};
}

}  // namespace pliant
