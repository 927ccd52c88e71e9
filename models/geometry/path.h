// Paths through timed keys: the motion of a nail or of an obstacle.
//
// A C² cubic spline is the default: with a merely C¹ path the second derivative jumps, and with it
// the multiplier of a nail that follows it [Witkin & Welch 1990, Sec. 4].

#ifndef PLIANT_MODELS_GEOMETRY_PATH_H_
#define PLIANT_MODELS_GEOMETRY_PATH_H_

#include <Eigen/Core>
#include <vector>

namespace pliant {

struct PathPoint {
  Eigen::Vector3d position;      // m
  Eigen::Vector3d velocity;      // m/s
  Eigen::Vector3d acceleration;  // m/s²
};

// Immutable. Before the first key the path rests at the first key, after the last key at the last.
class Path {
 public:
  enum class Interpolation {
    kCubic,   // C² cubic spline, at rest at both ends
    kLinear,  // velocity jumps at the keys
  };

  // `times` [s], strictly increasing, at least one; `keys` 3×times.size() [m]. One key is a path
  // that stays. Throws BadInput (paths "times", "keys") otherwise.
  Path(std::vector<double> times, Eigen::Matrix3Xd keys, Interpolation interpolation);

  // A constant path at `position`.
  static Path Still(const Eigen::Vector3d& position);

  // O(log keys).
  PathPoint At(double time) const;

  bool moves() const { return times_.size() > 1; }
  const std::vector<double>& times() const { return times_; }
  const Eigen::Matrix3Xd& keys() const { return keys_; }
  Interpolation interpolation() const { return interpolation_; }

 private:
  std::vector<double> times_;
  Eigen::Matrix3Xd keys_;
  Eigen::Matrix3Xd second_;  // 3×keys, acceleration at each key; zero when linear
  Interpolation interpolation_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_PATH_H_
