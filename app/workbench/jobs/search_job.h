// The search of an experiment's [optimize] table in the background, as `pliant optimize` runs it:
// it reports each trial and writes the same folder, so that nothing is lost: a search that is there
// already is resumed when it is of the same file; otherwise the new one gets a folder of its own
// (FindPlaceForSearch). No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/jobs/background_job.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/search_record.h"

namespace pliant {

struct SearchNews {
  // Before the first trial, with the trials of an earlier run of the search, which it resumes.
  std::optional<SearchRecord> start;
  std::string name;  // with `start`: of the folder of the results in the folder of all runs
  std::vector<std::pair<size_t, Trial>> trials;  // by place of their search
  // How the search ended: completed, cancelled, failed, or the message of an exception.
  std::optional<std::string> end;
  // Of the results, with `end` or shortly before it; empty: nothing was written, or not yet.
  std::filesystem::path folder;
  std::vector<std::string> warnings;  // with `folder`: of what was found
};
using SearchJob = BackgroundJob<SearchNews>;

// The experiment must have an [optimize] table. The job can be paused between trials.
std::unique_ptr<SearchJob> BeginSearch(std::shared_ptr<const Experiment> experiment,
                                       std::filesystem::path out);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_SEARCH_JOB_H_
