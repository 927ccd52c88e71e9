// The search of an experiment's [optimize] table on a thread of its own, through the path of
// `pliant optimize`: what it finds is told trial by trial and left in the same folder. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/jobs/watched_job.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/optimization_record.h"

namespace pliant {

struct SearchNews {
  std::optional<OptimizationRecord> start;       // without trials
  std::vector<std::pair<size_t, Trial>> trials;  // by place of their search
  // How it ended: completed, cancelled, failed, or what was thrown; and where it is left.
  std::optional<std::string> end;
  std::filesystem::path folder;  // empty: nothing is left
};
using SearchJob = WatchedJob<SearchNews>;

// The file must have an [optimize] table. It rests after its trials.
std::unique_ptr<SearchJob> BeginSearch(std::shared_ptr<const Experiment> experiment,
                                       std::filesystem::path out);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_
