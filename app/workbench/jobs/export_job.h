// An experiment run into bundles on a thread of its own, as the command line does, and the bundles
// in the format of another program or as a report: the functions of `pliant compare`, `pliant
// export` and `pliant report`. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_EXPORT_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_EXPORT_JOB_H_

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

struct ExportRequest {
  // What is exported: an experiment, which is run into `runs`/<experiment>, or bundles.
  std::shared_ptr<const Experiment> experiment;
  std::filesystem::path runs;
  std::vector<std::filesystem::path> bundles;
  std::string format;            // as ExportFormats() names them; empty: bundles alone
  std::filesystem::path out;     // gets a folder for each bundle
  std::filesystem::path report;  // the HTML file that the bundles are told in; empty: none
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
  // Plots of a report are drawn by the thread of the window: one of them, when the job waits for
  // it. False when it does not.
  bool Draw();
  // Once it has ended.
  std::optional<ExportResult> result() const;

 private:
  void Work(const ExportRequest& request, ExportResult* result, const std::stop_token& stop);

  void DrawByTheWindow(const std::function<void()>& drawing, const std::stop_token& stop);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any drawn_;
  const std::function<void()>* waits_for_ = nullptr;
  std::exception_ptr wrong_;  // in the last drawing
  double fraction_ = 0.0;
  std::optional<ExportResult> result_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_EXPORT_JOB_H_
