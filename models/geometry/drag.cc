#include "models/geometry/drag.h"

#include <algorithm>
#include <cassert>

#include "models/geometry/path.h"

namespace pliant {
namespace {

DragKeys KeysOf(const std::vector<double>& times, const Eigen::Matrix3Xd& samples,
                const std::vector<int>& chosen) {
  DragKeys keys;
  keys.keys.resize(3, static_cast<Eigen::Index>(chosen.size()));
  for (size_t k = 0; k < chosen.size(); ++k) {
    keys.times.push_back(times[chosen[k]]);
    keys.keys.col(static_cast<Eigen::Index>(k)) = samples.col(chosen[k]);
  }
  return keys;
}

}  // namespace

DragKeys FitDrag(const std::vector<double>& times, const Eigen::Matrix3Xd& samples,
                 double tolerance) {
  assert(times.size() >= 2 && samples.cols() == static_cast<Eigen::Index>(times.size()));
  std::vector<int> chosen = {0, static_cast<int>(times.size()) - 1};
  for (;;) {
    const DragKeys keys = KeysOf(times, samples, chosen);
    if (chosen.size() == times.size()) return keys;
    const Path path(keys.times, keys.keys, Path::Interpolation::kCubic);
    double worst = tolerance;
    int missed = -1;
    for (int i = 0; i < static_cast<int>(times.size()); ++i) {
      const double miss = (path.At(times[i]).position - samples.col(i)).norm();
      if (miss <= worst || std::binary_search(chosen.begin(), chosen.end(), i)) continue;
      worst = miss;
      missed = i;
    }
    if (missed < 0) return keys;
    chosen.insert(std::upper_bound(chosen.begin(), chosen.end(), missed), missed);
  }
}

}  // namespace pliant
