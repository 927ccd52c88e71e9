#include "models/geometry/path.h"

#include <algorithm>
#include <cmath>

#include "models/scene/problem.h"

namespace pliant {
namespace {

// Second derivatives of the C² cubic spline through (t_i, x_i) with zero velocity at both ends,
// by the tridiagonal system  h₋ s₋ + 2(h₋+h₊) s + h₊ s₊ = 6 (Δ₊ − Δ₋),  Δ = slope of a segment;
// the clamped ends take Δ = 0 outside and h = 0 there.
Eigen::Matrix3Xd ClampedSecondDerivatives(const std::vector<double>& t, const Eigen::Matrix3Xd& x) {
  const int n = static_cast<int>(t.size());
  std::vector<double> diagonal(n), upper(n);
  Eigen::Matrix3Xd rhs(3, n);
  auto slope = [&](int i) -> Eigen::Vector3d {
    if (i < 0 || i >= n - 1) return Eigen::Vector3d::Zero();
    return (x.col(i + 1) - x.col(i)) / (t[i + 1] - t[i]);
  };
  for (int i = 0; i < n; ++i) {
    const double before = i > 0 ? t[i] - t[i - 1] : 0.0;
    const double after = i < n - 1 ? t[i + 1] - t[i] : 0.0;
    diagonal[i] = 2.0 * (before + after);
    upper[i] = after;
    rhs.col(i) = 6.0 * (slope(i) - slope(i - 1));
  }
  for (int i = 1; i < n; ++i) {  // Thomas algorithm; lower[i] == upper[i-1], diagonally dominant
    const double factor = upper[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    rhs.col(i) -= factor * rhs.col(i - 1);
  }
  Eigen::Matrix3Xd s(3, n);
  s.col(n - 1) = rhs.col(n - 1) / diagonal[n - 1];
  for (int i = n - 2; i >= 0; --i) s.col(i) = (rhs.col(i) - upper[i] * s.col(i + 1)) / diagonal[i];
  return s;
}

}  // namespace

Path::Path(std::vector<double> times, Eigen::Matrix3Xd keys, Interpolation interpolation)
    : times_(std::move(times)), keys_(std::move(keys)), interpolation_(interpolation) {
  if (times_.empty()) throw BadInput({"times", "a path needs at least one key", ""});
  if (keys_.cols() != static_cast<Eigen::Index>(times_.size())) {
    throw BadInput({"keys",
                    "a path has " + std::to_string(times_.size()) + " times but " +
                        std::to_string(keys_.cols()) + " keys",
                    "give one key for each time"});
  }
  if (!keys_.allFinite()) throw BadInput({"keys", "a key of the path is not a finite number", ""});
  for (size_t i = 0; i < times_.size(); ++i) {
    if (!std::isfinite(times_[i])) {
      throw BadInput({"times", "a time of the path is not a finite number", ""});
    }
    if (i > 0 && times_[i] <= times_[i - 1]) {
      throw BadInput({"times", "the times of a path must increase", "sort the keys by time"});
    }
  }
  second_ = Eigen::Matrix3Xd::Zero(3, keys_.cols());
  if (interpolation_ == Interpolation::kCubic && times_.size() > 1) {
    second_ = ClampedSecondDerivatives(times_, keys_);
  }
}

Path Path::Still(const Eigen::Vector3d& position) {
  return Path({0.0}, position, Interpolation::kCubic);
}

PathPoint Path::At(double time) const {
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  if (time < times_.front() || times_.size() == 1) return {keys_.col(0), zero, zero};
  if (time >= times_.back()) return {keys_.col(keys_.cols() - 1), zero, zero};
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  const int i = static_cast<int>(next - times_.begin()) - 1;
  const double h = times_[i + 1] - times_[i];
  const double b = (time - times_[i]) / h, a = 1.0 - b;
  const auto x0 = keys_.col(i), x1 = keys_.col(i + 1);
  const auto s0 = second_.col(i), s1 = second_.col(i + 1);
  PathPoint point;
  point.position = a * x0 + b * x1 + (h * h / 6.0) * ((a * a * a - a) * s0 + (b * b * b - b) * s1);
  point.velocity =
      (x1 - x0) / h + (h / 6.0) * ((1.0 - 3.0 * a * a) * s0 + (3.0 * b * b - 1.0) * s1);
  point.acceleration = a * s0 + b * s1;
  return point;
}

}  // namespace pliant
