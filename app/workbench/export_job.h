// An experiment run into bundles on a thread of its own, as the command line does, and the bundles
// in the format of another program: the functions of `pliant compare` and `pliant export`. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EXPORT_JOB_H_
#define PLIANT_APP_WORKBENCH_EXPORT_JOB_H_

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "experiments/experiment/experiment.h"

namespace pliant {

struct ExportRequest {
  // What is exported: an experiment, which is run into `runs`/<experiment>, or bundles.
  std::shared_ptr<const Experiment> experiment;
  std::filesystem::path runs;
  std::vector<std::filesystem::path> bundles;
  std::string format;         // as ExportFormats() names them; empty: bundles alone
  std::filesystem::path out;  // gets a folder for each bundle
};

struct ExportResult {
  std::vector<std::filesystem::path> bundles;
  std::vector<std::filesystem::path> files;  // to open, one for each bundle
  std::string failure;                       // what was thrown; empty when nothing was
  bool stopped = false;
};

class ExportJob {
 public:
  explicit ExportJob(ExportRequest request);
  ~ExportJob();  // waits for the present step or bundle
  ExportJob(const ExportJob&) = delete;
  ExportJob& operator=(const ExportJob&) = delete;

  void Stop() { thread_.request_stop(); }
  double fraction() const;  // 0 … 1
  // Once it has ended.
  std::optional<ExportResult> result() const;

 private:
  void Work(const ExportRequest& request, ExportResult* result, const std::stop_token& stop);

  mutable std::mutex mutex_;  // of the next two
  double fraction_ = 0.0;
  std::optional<ExportResult> result_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EXPORT_JOB_H_
