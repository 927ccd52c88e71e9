// Export in the background: runs an experiment into bundles as `pliant compare` does, and writes
// the bundles in the format of another program (`pliant export`) or as a report (`pliant report`).
// No bundle is replaced: complete ones of the same experiment are taken as they are, and where others
// have its name the runs get the name `<experiment>`-2 (NameForRuns). No Qt.

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
  // What is exported: an experiment, which is run into `runs`/NameForRuns(), or bundles.
  std::shared_ptr<const Experiment> experiment = {};
  std::filesystem::path runs = {};
  std::vector<std::filesystem::path> bundles = {};
  std::string format = {};            // as ExportFormats() names them; empty: bundles alone
  std::filesystem::path out = {};     // folder; each bundle gets a new folder in it
  std::filesystem::path report = {};  // HTML file of the report; empty: none
};

struct ExportResult {
  std::vector<std::filesystem::path> bundles;
  std::vector<std::filesystem::path> files;  // to open, one for each bundle
  std::string failure;                       // message of an exception; else empty
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
  // Only the thread of the window can draw the plots of a report. Draws one plot if the job waits
  // for it; false otherwise.
  bool Draw();
  // Present when the job has ended.
  std::optional<ExportResult> result() const;

 private:
  void Work(const ExportRequest& request, ExportResult* result, const std::stop_token& stop);

  void DrawByTheWindow(const std::function<void()>& drawing, const std::stop_token& stop);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any drawn_;
  const std::function<void()>* waits_for_ = nullptr;
  std::exception_ptr wrong_;  // thrown by the last drawing
  double fraction_ = 0.0;
  std::optional<ExportResult> result_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_EXPORT_JOB_H_
