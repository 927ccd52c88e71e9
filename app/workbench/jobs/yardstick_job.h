// The kept yardstick of an experiment, looked for in the background. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_YARDSTICK_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_YARDSTICK_JOB_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/background_job.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct FoundYardstick {
  std::filesystem::path bundle;
  std::map<std::string, std::vector<double>> errors;  // by column, of each of its rows
};

struct YardstickNews {
  std::shared_ptr<const FoundYardstick> found;
  std::optional<std::string> end;  // why none was found; empty words when one was
};
using YardstickJob = BackgroundJob<YardstickNews>;

// In the nearest folder of yardsticks at or above `near`.
std::unique_ptr<YardstickJob> LookForYardstick(std::shared_ptr<const Experiment> experiment,
                                               std::filesystem::path near);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_YARDSTICK_JOB_H_
