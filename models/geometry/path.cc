#include "models/geometry/path.h"

#include <algorithm>
#include <cmath>

#include "models/geometry/spline.h"
#include "models/problem.h"

namespace pliant {
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
    second_ = SplineSecondDerivatives(times_, keys_, SplineEnds::kClamped);
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
