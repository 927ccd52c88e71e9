// Cubic splines through timed values of any number of components.

#ifndef PLIANT_MODELS_GEOMETRY_SPLINE_H_
#define PLIANT_MODELS_GEOMETRY_SPLINE_H_

#include <Eigen/Core>
#include <vector>

namespace pliant {

enum class SplineEnds {
  kClamped,  // at rest at both ends
  kNatural,  // without acceleration at both ends
};

// Second derivatives at the keys of the C² cubic spline through (times, columns of keys); at least
// one key, increasing times. O(components · keys).
Eigen::MatrixXd SplineSecondDerivatives(const std::vector<double>& times,
                                        const Eigen::MatrixXd& keys, SplineEnds ends);

// Values, rates and accelerations of a curve at one time.
struct CurveSample {
  Eigen::VectorXd value, rate, acceleration;
};

// Immutable. A C² natural cubic spline through columns of keys, or straight lines between them,
// along which the rates jump at the keys.
class KeyedCurve {
 public:
  // At least two keys at increasing times [s].
  KeyedCurve(std::vector<double> times, Eigen::MatrixXd keys, bool cubic);

  const std::vector<double>& times() const { return times_; }
  // Number of the segment that `time` is in; a key belongs to the segment that begins there, the
  // last one to the last segment. Times outside belong to the first and the last segment.
  int Segment(double time) const;
  // Samples the polynomial of `segment`. No allocation after the first call.
  void At(double time, int segment, CurveSample* sample) const;

 private:
  std::vector<double> times_;
  Eigen::MatrixXd keys_, second_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_SPLINE_H_
