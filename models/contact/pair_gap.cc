#include "models/contact/pair_gap.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Below this part of the product of two squared lengths, the squared sine of their angle is rounding.
constexpr double kParallel = 1e-14;

constexpr int kMostAdvances = 50;

double At(const Matrix3d& gram, double u, double v) {
  const Vector3d z(1.0, -u, -v);
  return z.dot(gram * z);
}

}  // namespace

PairGap GapOf(PairKind kind, const Matrix3d& gram) {
  // Both kinds as |r₀ − u r₁ − v r₂|, v of the other sign for edges.
  Matrix3d C = gram;
  if (kind == PairKind::kEdgeEdge) {
    C.row(2) *= -1.0;
    C.col(2) *= -1.0;
  }
  const double a = C(1, 1), b = C(1, 2), c = C(2, 2), f = C(0, 1), g = C(0, 2);
  double u = 0.0, v = 0.0, least = C(0, 0);
  const auto take = [&](double at_u, double at_v) {
    const double there = At(C, at_u, at_v);
    if (there < least) {
      least = there;
      u = at_u;
      v = at_v;
    }
  };
  const auto part = [](double numerator, double denominator) {
    return denominator > 0.0 ? std::clamp(numerator / denominator, 0.0, 1.0) : 0.0;
  };
  take(part(f, a), 0.0);
  if (kind != PairKind::kPointEdge) {
    take(0.0, part(g, c));
    const double determinant = a * c - b * b;
    const bool inside = determinant > kParallel * a * c;
    const double in_u = inside ? (c * f - b * g) / determinant : -1.0;
    const double in_v = inside ? (a * g - b * f) / determinant : -1.0;
    if (kind == PairKind::kPointFace) {
      // The side from b to c: u = 1 − v.
      const double v_there = part(g - f + a - b, a - 2.0 * b + c);
      take(1.0 - v_there, v_there);
      if (in_u >= 0.0 && in_v >= 0.0 && in_u + in_v <= 1.0) take(in_u, in_v);
    } else {
      take(part(f - b, a), 1.0);
      take(1.0, part(g - b, c));
      if (in_u >= 0.0 && in_u <= 1.0 && in_v >= 0.0 && in_v <= 1.0) take(in_u, in_v);
    }
  }
  return {std::max(least, 0.0), Vector3d(1.0, -u, kind == PairKind::kEdgeEdge ? v : -v)};
}

Eigen::Matrix<double, 4, 3> PairVectors(PairKind kind) {
  Eigen::Matrix<double, 4, 3> r = Eigen::Matrix<double, 4, 3>::Zero();
  if (kind == PairKind::kEdgeEdge) {
    r.col(0) << -1.0, 0.0, 1.0, 0.0;
    r.col(1) << -1.0, 1.0, 0.0, 0.0;
    r.col(2) << 0.0, 0.0, -1.0, 1.0;
    return r;
  }
  r.col(0) << 1.0, -1.0, 0.0, 0.0;
  r.col(1) << 0.0, -1.0, 1.0, 0.0;
  if (kind == PairKind::kPointFace) r.col(2) << 0.0, -1.0, 0.0, 1.0;
  return r;
}

double FreeWay(PairKind kind, const Eigen::Matrix<double, 3, 4>& from,
               const Eigen::Matrix<double, 3, 4>& to, double left, double most) {
  const int corners = kind == PairKind::kPointEdge ? 3 : 4;
  const int of_first = kind == PairKind::kEdgeEdge ? 2 : 1;
  Eigen::Matrix<double, 3, 4> change = to - from;
  const Vector3d mean = change.leftCols(corners).rowwise().mean();
  change.colwise() -= mean;
  const double speed = change.leftCols(of_first).colwise().norm().maxCoeff() +
                       change.middleCols(of_first, corners - of_first).colwise().norm().maxCoeff();
  const Eigen::Matrix<double, 4, 3> vectors = PairVectors(kind);
  const auto gap_at = [&](double way) {
    const Matrix3d r = (from + way * change) * vectors;
    return std::sqrt(GapOf(kind, r.transpose() * r).squared);
  };
  double gap = gap_at(0.0), way = 0.0;
  const double least = left * gap;
  for (int advance = 0; advance < kMostAdvances; ++advance) {
    const double room = gap - least;
    if (!(room < speed * (most - way))) return most;
    way += room / speed;
    gap = gap_at(way);
    if (gap <= 1.5 * least) break;
  }
  return way;
}

}  // namespace pliant
