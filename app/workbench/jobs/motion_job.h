// The motion of one trial of a search: runs the experiment with the numbers of the trial in the
// background. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/background_job.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct MotionNews {
  std::vector<Eigen::Matrix3Xd> poses;  // points of the scene at equal times, 3×n each [m]
  std::optional<std::string> end;       // how the run ended, in words
};
using MotionJob = BackgroundJob<MotionNews>;

// Runs the searched backend of `experiment`, which has an [optimize] table, with these numbers.
std::unique_ptr<MotionJob> BeginMotion(std::shared_ptr<const Experiment> experiment,
                                       const Eigen::VectorXd& numbers);

// At most `count` of the poses, equally spaced up to rounding, the first and the last included.
std::vector<Eigen::Matrix3Xd> SomeOf(const std::vector<Eigen::Matrix3Xd>& poses, int count);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_
