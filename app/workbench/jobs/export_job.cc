#include "app/workbench/jobs/export_job.h"

#include <stdexcept>
#include <utility>

#include "app/report/report.h"
#include "app/workbench/jobs/thread_priority.h"
#include "experiments/bundles/export.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/kept_run.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

ExportJob::ExportJob(ExportRequest request)
    : thread_([this, request = std::move(request)](const std::stop_token& stop) {
        LowerThreadPriority();
        ExportResult result;
        try {
          Work(request, &result, stop);
        } catch (const std::exception& thrown) {
          result.failure = thrown.what();
        }
        result.stopped = stop.stop_requested();
        const std::lock_guard lock(mutex_);
        result_ = std::move(result);
      }) {}

ExportJob::~ExportJob() = default;

double ExportJob::fraction() const {
  const std::lock_guard lock(mutex_);
  return fraction_;
}

std::optional<ExportResult> ExportJob::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

bool ExportJob::Draw() {
  const std::function<void()>* drawing = nullptr;
  {
    const std::lock_guard lock(mutex_);
    drawing = waits_for_;
  }
  if (drawing == nullptr) return false;
  std::exception_ptr wrong;
  try {
    (*drawing)();
  } catch (...) {
    wrong = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    waits_for_ = nullptr;
    wrong_ = wrong;
  }
  drawn_.notify_all();
  return true;
}

// One thread calls Stop() and Draw(): nothing is being drawn when the wait is cancelled.
void ExportJob::DrawByTheWindow(const std::function<void()>& drawing, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  waits_for_ = &drawing;
  const bool drawn = drawn_.wait(lock, stop, [this] { return waits_for_ == nullptr; });
  waits_for_ = nullptr;
  if (!drawn) throw std::runtime_error("the export was stopped");
  if (wrong_ != nullptr) std::rethrow_exception(std::exchange(wrong_, nullptr));
}

void ExportJob::Work(const ExportRequest& request, ExportResult* result,
                     const std::stop_token& stop) {
  const auto set = [this](double fraction) {
    const std::lock_guard lock(mutex_);
    fraction_ = fraction;
  };
  result->bundles = request.bundles;
  if (request.experiment != nullptr) {
    const auto count = static_cast<double>(request.experiment->backends.size());
    double done = 0.0;
    ComparisonHooks hooks;
    hooks.stop = stop;
    hooks.on_progress = [&](const std::string&, double part, double) {
      set((done + part) / count);
    };
    hooks.on_end = [&](const BackendRun& run) {
      done += 1.0;
      if (!run.bundle.empty()) result->bundles.push_back(run.bundle);
    };
    Experiment experiment = *request.experiment;
    experiment.name = NameForRuns(experiment, request.runs);
    RunComparison(experiment, request.runs, hooks, Existing::kKeep);
  }
  if (!request.report.empty() && !stop.stop_requested()) {
    std::vector<Bundle> bundles;
    for (const std::filesystem::path& path : result->bundles) bundles.push_back(Bundle::Open(path));
    WriteReport(CollectReport(bundles), request.report, {},
                [&](const std::function<void()>& drawing) { DrawByTheWindow(drawing, stop); });
    result->files.push_back(request.report);
  }
  if (request.format.empty()) return;
  for (const std::filesystem::path& path : result->bundles) {
    if (stop.stop_requested()) return;
    const Bundle bundle = Bundle::Open(path);
    if (bundle.frame_count() == 0) continue;  // an unsupported scene has no motion
    const std::string name = FirstFreeName(bundle.label(), [&](const std::string& tried) {
      std::error_code error;
      return !std::filesystem::exists(std::filesystem::symlink_status(request.out / tried, error));
    });
    const CancelScope cancel(stop);
    try {
      result->files.push_back(ExportBundle(bundle, request.format, request.out / name).file);
    } catch (const Cancelled&) {
      return;
    }
  }
}

}  // namespace pliant
