#include "experiments/sweeps/run_sweep.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <mutex>
#include <optional>

#include "experiments/comparison/kept_run.h"
#include "solvers/parallel/work_queue.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportEvery{100};

// A running sweep.
class SweepRunner {
 public:
  SweepRunner(const Sweep& sweep, std::filesystem::path out, const SweepOptions& options,
              const SweepHooks& hooks)
      : sweep_(sweep), out_(std::move(out)), options_(options), hooks_(hooks) {
    for (size_t point = 0; point < sweep.points.size(); ++point) {
      for (size_t index = 0; index < sweep.base.backends.size(); ++index) {
        runs_.push_back({point, {}, false});
        indices_.push_back(index);
        to_do_ += sweep.points[point].cost;
      }
    }
    fractions_.assign(WorkersFor(runs_.size(), options.jobs), 0.0);
  }

  std::vector<SweepRun> Run() {
    RunWorkQueue(runs_.size(), options_.jobs, hooks_.stop,
                 [this](const WorkItem& item) { RunOne(item); });
    return std::move(runs_);
  }

 private:
  void RunOne(const WorkItem& item) {
    SweepRun& result = runs_[item.number];
    const SweepPoint& point = sweep_.points[result.point];
    const size_t index = indices_[item.number];
    const std::string& label = point.experiment.backends[index].label;
    const std::filesystem::path folder = out_ / sweep_.base.name / point.name;
    if (item.stop.stop_requested()) {
      result.run.label = label;
      result.run.outcome.kind = OutcomeKind::kCancelled;
      result.run.outcome.reason = "cancelled before it began";
      return;
    }
    std::optional<BackendRun> kept;
    if (options_.resume) {
      kept = KeptRun(point.experiment, index, folder / label, options_.same_program);
    }
    result.kept = kept.has_value();
    result.run = kept ? std::move(*kept)
                      : RunIntoBundle(point.experiment, index,
                                      TranslateFor(point.experiment, index), folder, HooksOf(item));
    const std::lock_guard lock(telling_);
    // What is kept costs no time and says nothing of what is left.
    fractions_[item.worker] = 0.0;
    (result.kept ? to_do_ : done_) += result.kept ? -point.cost : point.cost;
    if (hooks_.on_end) hooks_.on_end(result);
    Tell();
  }

  RunHooks HooksOf(const WorkItem& item) {
    RunHooks hooks;
    hooks.stop = item.stop;
    const double cost = sweep_.points[runs_[item.number].point].cost;
    hooks.on_step = [this, cost, worker = item.worker, last_report = Clock::now()](
                        double time, double duration) mutable {
      const Clock::time_point now = Clock::now();
      if (now - last_report < kReportEvery) return;
      last_report = now;
      const std::lock_guard lock(telling_);
      fractions_[worker] = cost * time / duration;
      Tell();
    };
    return hooks;
  }

  // With `telling_` locked.
  void Tell() {
    if (!hooks_.on_progress) return;
    double done = done_;
    for (const double fraction : fractions_) done += fraction;
    hooks_.on_progress(to_do_ > 0.0 ? std::min(1.0, done / to_do_) : 1.0);
  }

  const Sweep& sweep_;
  const std::filesystem::path out_;
  const SweepOptions options_;
  const SweepHooks& hooks_;
  std::vector<SweepRun> runs_;
  std::vector<size_t> indices_;  // of the backend of each run
  std::mutex telling_;
  std::vector<double> fractions_;    // of the run of each worker, as last reported, by its cost
  double done_ = 0.0, to_do_ = 0.0;  // costs of the runs, without those that are kept
};

}  // namespace

std::vector<SweepRun> RunSweep(const Sweep& sweep, const std::filesystem::path& out,
                               const SweepOptions& options, const SweepHooks& hooks) {
  assert(options.jobs >= 1);
  return SweepRunner(sweep, out, options, hooks).Run();
}

}  // namespace pliant
