#include "models/geometry/spline.h"

#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

// A time this much before a key, relative to the segment, counts as at the key.
constexpr double kAtKey = 1e-9;

}  // namespace

// The tridiagonal system  h₋ s₋ + 2(h₋+h₊) s + h₊ s₊ = 6 (Δ₊ − Δ₋),  Δ = slope of a segment. The
// clamped ends take Δ = 0 outside and h = 0 there; at the natural ends s = 0.
Eigen::MatrixXd SplineSecondDerivatives(const std::vector<double>& t, const Eigen::MatrixXd& x,
                                        SplineEnds ends) {
  const int n = static_cast<int>(t.size());
  const int first = ends == SplineEnds::kNatural ? 1 : 0;
  const int last = ends == SplineEnds::kNatural ? n - 2 : n - 1;
  std::vector<double> diagonal(n), upper(n);
  Eigen::MatrixXd rhs(x.rows(), n);
  auto slope = [&](int i) -> Eigen::VectorXd {
    if (i < 0 || i >= n - 1) return Eigen::VectorXd::Zero(x.rows());
    return (x.col(i + 1) - x.col(i)) / (t[i + 1] - t[i]);
  };
  for (int i = first; i <= last; ++i) {
    const double before = i > 0 ? t[i] - t[i - 1] : 0.0;
    const double after = i < n - 1 ? t[i + 1] - t[i] : 0.0;
    diagonal[i] = 2.0 * (before + after);
    upper[i] = after;
    rhs.col(i) = 6.0 * (slope(i) - slope(i - 1));
  }
  for (int i = first + 1; i <= last; ++i) {  // Thomas; lower[i] == upper[i-1], diagonally dominant
    const double factor = upper[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    rhs.col(i) -= factor * rhs.col(i - 1);
  }
  Eigen::MatrixXd s = Eigen::MatrixXd::Zero(x.rows(), n);
  if (last >= first) s.col(last) = rhs.col(last) / diagonal[last];
  for (int i = last - 1; i >= first; --i) {
    s.col(i) = (rhs.col(i) - upper[i] * s.col(i + 1)) / diagonal[i];
  }
  return s;
}

KeyedCurve::KeyedCurve(std::vector<double> times, Eigen::MatrixXd keys, bool cubic)
    : times_(std::move(times)), keys_(std::move(keys)) {
  assert(times_.size() >= 2 && keys_.cols() == static_cast<Eigen::Index>(times_.size()));
  second_ = cubic ? SplineSecondDerivatives(times_, keys_, SplineEnds::kNatural)
                  : Eigen::MatrixXd(Eigen::MatrixXd::Zero(keys_.rows(), keys_.cols()));
}

int KeyedCurve::Segment(double time) const {
  const int segments = static_cast<int>(times_.size()) - 1;
  int i = static_cast<int>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  i = std::clamp(i - 1, 0, segments - 1);
  const double left = times_[i + 1] - time;
  if (i + 1 < segments && left <= kAtKey * (times_[i + 1] - times_[i])) ++i;
  return i;
}

void KeyedCurve::At(double time, int i, CurveSample* sample) const {
  const double h = times_[i + 1] - times_[i];
  const double b = (time - times_[i]) / h, a = 1.0 - b;
  const auto x0 = keys_.col(i), x1 = keys_.col(i + 1);
  const auto s0 = second_.col(i), s1 = second_.col(i + 1);
  sample->value = a * x0 + b * x1 + (h * h / 6.0) * ((a * a * a - a) * s0 + (b * b * b - b) * s1);
  sample->rate = (x1 - x0) / h + (h / 6.0) * ((1.0 - 3.0 * a * a) * s0 + (3.0 * b * b - 1.0) * s1);
  sample->acceleration = a * s0 + b * s1;
}

}  // namespace pliant
