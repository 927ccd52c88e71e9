// The runs that invariance.h compares: of a scene as it is, and of each way in which the same scene is seen otherwise.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_VIEW_RUNS_H_
#define PLIANT_EXPERIMENTS_CLAIMS_VIEW_RUNS_H_

#include <Eigen/Core>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

// What a run records, in memory.
struct RecordedRun {
  std::vector<double> times;             // s
  std::vector<Eigen::Matrix3Xd> points;  // world positions at each time, 3×n [m]
  std::vector<Eigen::VectorXd> states;   // to restore from
  double gap = 0.0;                      // m, largest of the constraints at a recorded time
};

// Runs the backend at `index`, from `state` on if there is one, without a bundle. After a refusal it is empty, and the
// reason is in `why`.
RecordedRun RecordRun(const Experiment& experiment, size_t index, const Eigen::VectorXd* state,
                      const std::stop_token& stop, std::string* why);

// The largest distance of a point up to each time of `base` [m]; `other` may have fewer times unless `every_time`.
// Infinite where one is not a number, and from where `other` ends too early.
std::vector<double> DistancesSoFar(const RecordedRun& base, const RecordedRun& other,
                                   bool every_time);

// The experiment with every rest point displaced by `size` [m], each in another direction.
Experiment PerturbedBy(double size, const Experiment& experiment);

// A way to see the run `base` of an experiment: the motion carried back to it, or why there is none.
struct Sighting {
  RecordedRun run;      // times and points as in the base
  std::string missing;  // why the scene has no such view, or who refuses it; empty: it has
};
struct ViewRun {
  std::string name;    // "mirrored in x"
  bool exact = false;  // bit for bit: the run is cut or recorded otherwise
  bool every_time = true;
  std::function<Sighting(const Experiment& experiment, const RecordedRun& base)> see;
};

// All ways: the views of the scene (views.h), other units and another time (units.h), the run cut in two by save and
// restore, and recorded half as often. They refer to `experiment`, and are as good for one with other parameters.
std::vector<ViewRun> ViewRunsOf(const Experiment& experiment, size_t index,
                                const std::stop_token& stop);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_VIEW_RUNS_H_
