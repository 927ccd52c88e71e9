#include "app/workbench/jobs/motion_job.h"

#include <cmath>
#include <utility>

#include "app/workbench/edits/trial_edit.h"
#include "app/workbench/jobs/plan_job.h"
#include "experiments/comparison/comparison.h"
#include "experiments/searches/run_searches.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

std::unique_ptr<MotionJob> BeginMotion(std::shared_ptr<const Experiment> experiment,
                                       const Eigen::VectorXd& numbers) {
  return std::make_unique<MotionJob>(
      [experiment = std::move(experiment), numbers](MotionJob* job, const std::stop_token& stop) {
        const CancelScope cancel(stop);
        const std::shared_ptr<const Experiment> moved = WithNumbers(*experiment, numbers);
        const size_t backend = ReadSearchPlan(*moved).backend;
        const Translation translation = TranslateFor(*moved, backend);
        if (translation.simulation == nullptr) return translation.record.WhyUnsupported();
        std::vector<Eigen::Matrix3Xd> poses;
        RunHooks hooks;
        hooks.stop = stop;
        hooks.on_frame = [&](const Frame& frame) { poses.push_back(frame.observation.points); };
        const RunOutcome outcome = Run(*moved, backend, translation.simulation.get(), hooks);
        job->Report([&](MotionNews* news) { news->poses = SomeOf(poses, kGhosts); });
        return std::string(ToString(outcome.kind));
      });
}

std::vector<Eigen::Matrix3Xd> SomeOf(const std::vector<Eigen::Matrix3Xd>& poses, int count) {
  if (static_cast<int>(poses.size()) <= count) return poses;
  std::vector<Eigen::Matrix3Xd> some;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    some.push_back(
        poses[static_cast<size_t>(std::lround(share * static_cast<double>(poses.size() - 1)))]);
  }
  return some;
}

}  // namespace pliant
