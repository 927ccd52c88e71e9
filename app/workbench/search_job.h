// The search of an experiment's [optimize] table on a thread of its own, through the path of
// `pliant optimize`: what it finds is told trial by trial and left in the same folder. No Qt.

#ifndef PLIANT_APP_WORKBENCH_SEARCH_JOB_H_
#define PLIANT_APP_WORKBENCH_SEARCH_JOB_H_

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "experiments/experiment/experiment.h"
#include "experiments/optimize/optimization_record.h"

namespace pliant {

struct SearchNews {
  std::optional<OptimizationRecord> start;       // without trials
  std::vector<std::pair<size_t, Trial>> trials;  // by place of their search
  // How it ended: completed, cancelled, failed, or what was thrown; and where it is left.
  std::optional<std::string> end;
  std::filesystem::path folder;  // empty: nothing is left
};

class SearchJob {
 public:
  // The file must have an [optimize] table.
  SearchJob(std::shared_ptr<const Experiment> experiment, std::filesystem::path out);
  ~SearchJob();  // waits for the present trials
  SearchJob(const SearchJob&) = delete;
  SearchJob& operator=(const SearchJob&) = delete;

  // Halts after the present trials, and goes on.
  void SetPaused(bool paused);
  void Stop();           // ends after the present trials; never waits
  SearchNews Collect();  // what is new since the last call; never waits for a trial
  bool finished() const;

 private:
  void Search(const Experiment& experiment, const std::filesystem::path& out,
              const std::stop_token& stop);
  void TakeTrial(size_t search, const Trial& trial, const std::stop_token& stop);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any unpaused_;
  SearchNews news_;
  bool paused_ = false, finished_ = false;
  std::jthread thread_;  // last: it uses the others
};

// The experiment with the numbers of a trial in the backend that is searched. Throws FileError.
std::shared_ptr<const Experiment> WithNumbers(const Experiment& experiment,
                                              const Eigen::VectorXd& numbers);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SEARCH_JOB_H_
