// A drag: sampled positions of a hand or a mouse, uneven in time and with some tremor, turned into
// a path that a nail can follow.
//
// A spline through every sample would follow the tremor and have its accelerations. Instead, few
// samples become keys: first the two ends, then repeatedly the sample that is farthest from the
// path, until none is farther than the tolerance.

#ifndef PLIANT_MODELS_GEOMETRY_DRAG_H_
#define PLIANT_MODELS_GEOMETRY_DRAG_H_

#include <Eigen/Core>
#include <vector>

namespace pliant {

struct DragKeys {
  std::vector<double> times;  // s
  Eigen::Matrix3Xd keys;      // 3×times.size() [m], each of them a sample
};

// `times` increasing, at least two; `samples` 3×times.size() [m]; tolerance [m] > 0. The C² path
// through the keys, at rest at both ends, is within `tolerance` of every sample. O(keys · samples).
DragKeys FitDrag(const std::vector<double>& times, const Eigen::Matrix3Xd& samples,
                 double tolerance);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_DRAG_H_
