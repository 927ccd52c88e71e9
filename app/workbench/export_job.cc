#include "app/workbench/export_job.h"

#include <exception>
#include <utility>

#include "experiments/record/export.h"
#include "experiments/run/comparison.h"

namespace pliant {

ExportJob::ExportJob(ExportRequest request)
    : thread_([this, request = std::move(request)](const std::stop_token& stop) {
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
    RunComparison(*request.experiment, request.runs, hooks);
  }
  if (request.format.empty()) return;
  for (const std::filesystem::path& path : result->bundles) {
    if (stop.stop_requested()) return;
    const Bundle bundle = Bundle::Open(path);
    if (bundle.frame_count() == 0) continue;  // refused: it has no motion
    result->files.push_back(ExportBundle(bundle, request.format, request.out / bundle.label()));
  }
}

}  // namespace pliant
