// The course of a drag while runs follow it: a growing list of forces or positions. One thread
// appends, the others read. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_TRAIL_H_
#define PLIANT_APP_WORKBENCH_EDITS_TRAIL_H_

#include <Eigen/Core>
#include <mutex>
#include <vector>

namespace pliant {

class Trail {
 public:
  struct Samples {
    std::vector<double> times;            // s, increasing, one more than values
    std::vector<Eigen::Vector3d> values;  // force [N] between two times, or position [m] at the
                                          // later one
  };

  explicit Trail(double begin) : samples_{{begin}, {}} {}

  // `time` is later than all others.
  void Append(double time, const Eigen::Vector3d& value) {
    const std::lock_guard lock(mutex_);
    samples_.times.push_back(time);
    samples_.values.push_back(value);
  }
  Samples samples() const {
    const std::lock_guard lock(mutex_);
    return samples_;
  }
  double End() const {  // s
    const std::lock_guard lock(mutex_);
    return samples_.times.back();
  }

 private:
  mutable std::mutex mutex_;
  Samples samples_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_TRAIL_H_
