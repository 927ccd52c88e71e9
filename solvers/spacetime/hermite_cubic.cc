#include "solvers/spacetime/hermite_cubic.h"

#include <algorithm>
#include <cmath>

namespace pliant {

HermiteWeights HermiteAt(double s, double h) {
  const double s2 = s * s, s3 = s2 * s;
  return {{1 - 3 * s2 + 2 * s3, h * (s - 2 * s2 + s3), 3 * s2 - 2 * s3, h * (s3 - s2)},
          {6 * (s2 - s) / h, 1 - 4 * s + 3 * s2, 6 * (s - s2) / h, 3 * s2 - 2 * s},
          {(12 * s - 6) / (h * h), (6 * s - 4) / h, (6 - 12 * s) / (h * h), (6 * s - 2) / h}};
}

MeshPlace PlaceInMesh(double steps, int intervals) {
  const int interval = std::clamp(static_cast<int>(std::floor(steps)), 0, intervals - 1);
  return {interval, std::clamp(steps - interval, 0.0, 1.0)};
}

}  // namespace pliant
