// The [yardstick] table of an experiment file: how sure `pliant yardstick` is to be of the converged solution.

#ifndef PLIANT_EXPERIMENTS_FILES_YARDSTICK_PLAN_H_
#define PLIANT_EXPERIMENTS_FILES_YARDSTICK_PLAN_H_

namespace pliant {

// The word that `reference` may have instead of the label of a backend.
inline constexpr char kYardstick[] = "yardstick";

struct YardstickPlan {
  double tolerance = 0.005;  // 1, estimated error of each observable, of its range; > 0
  int levels = 4;            // most meshes and most steps that are tried, ≥ 3
};

class KeyBinder;
void Bind(KeyBinder& b, YardstickPlan& plan);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_YARDSTICK_PLAN_H_
