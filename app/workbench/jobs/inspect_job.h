// The matrices and vectors of a pane at one time, computed in the background. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_INSPECT_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_INSPECT_JOB_H_

#include <memory>
#include <optional>
#include <string>

#include "app/workbench/jobs/background_job.h"
#include "experiments/bundles/inspection.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct InspectNews {
  std::shared_ptr<const Inspection> seen;
  std::optional<std::string> end;  // empty words when all went well
};
using InspectJob = BackgroundJob<InspectNews>;

// Of the run of the backend at `index`, at a recorded time [s]; `from` is its state at an earlier time, null for the
// start.
std::unique_ptr<InspectJob> BeginInspection(std::shared_ptr<const Experiment> experiment,
                                            size_t index, double time,
                                            std::shared_ptr<const Eigen::VectorXd> from);

// Of a bundle, at the recorded time nearest to `time` [s].
std::unique_ptr<InspectJob> BeginInspection(std::filesystem::path bundle, double time);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_INSPECT_JOB_H_
