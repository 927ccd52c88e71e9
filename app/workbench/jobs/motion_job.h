// One motion of a search, to look at: the run of an experiment with the numbers of a trial, on a
// thread of its own. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/watched_job.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct MotionNews {
  std::vector<Eigen::Matrix3Xd> poses;  // points of the scene at equal times, 3×n each [m]
  std::optional<std::string> end;       // how the run ended, in words
};
using MotionJob = WatchedJob<MotionNews>;

// Of `experiment`, which has an [optimize] table, the searched backend with these numbers.
std::unique_ptr<MotionJob> BeginMotion(std::shared_ptr<const Experiment> experiment,
                                       const Eigen::VectorXd& numbers);

// At most `count` of them, the first and the last among them, at equal distances but for rounding.
std::vector<Eigen::Matrix3Xd> SomeOf(const std::vector<Eigen::Matrix3Xd>& poses, int count);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_MOTION_JOB_H_
