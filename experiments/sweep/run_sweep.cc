#include "experiments/sweep/run_sweep.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "experiments/record/bundle.h"
#include "experiments/record/storage.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTellEvery{100};

// The run that left a whole bundle of this very experiment at `path`; nothing when there is none.
std::optional<BackendRun> KeptRun(const Experiment& experiment, size_t index,
                                  const std::filesystem::path& path,
                                  const std::vector<const Backend*>& backends) {
  try {
    if (ReadFile(path / "experiment.toml") != experiment.Resolved(index)) return std::nullopt;
    const Bundle bundle = Bundle::Open(path, backends);
    if (bundle.outcome().kind == OutcomeKind::kCancelled) return std::nullopt;
    return BackendRun{bundle.label(), bundle.outcome(), path, bundle.warnings()};
  } catch (const FileError&) {
  } catch (const StorageError&) {
  }
  return std::nullopt;  // missing, damaged, or of another version: to be run
}

// One sweep under way: a list of runs, from which each worker takes the next.
class SweepRunner {
 public:
  SweepRunner(const Sweep& sweep, std::filesystem::path out, const SweepOptions& options,
              const SweepHooks& hooks)
      : sweep_(sweep),
        out_(std::move(out)),
        options_(options),
        hooks_(hooks),
        forward_(hooks.stop, [this] { stop_.request_stop(); }),
        fractions_(static_cast<size_t>(options.jobs)) {
    for (size_t point = 0; point < sweep.points.size(); ++point) {
      for (size_t index = 0; index < sweep.base.backends.size(); ++index) {
        runs_.push_back({point, {}, false});
        indices_.push_back(index);
      }
    }
  }

  std::vector<SweepRun> Run() {
    {
      std::vector<std::jthread> workers;
      for (size_t worker = 1; worker < fractions_.size(); ++worker) {
        workers.emplace_back([this, worker] { Work(worker); });
      }
      Work(0);
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(runs_);
  }

 private:
  void Work(size_t worker) {
    try {
      while (true) {
        const size_t next = next_++;
        if (next >= runs_.size()) return;
        RunOne(next, worker);
      }
    } catch (...) {
      const std::lock_guard lock(telling_);
      if (!failure_) failure_ = std::current_exception();
      stop_.request_stop();
    }
  }

  void RunOne(size_t number, size_t worker) {
    SweepRun& result = runs_[number];
    const SweepPoint& point = sweep_.points[result.point];
    const size_t index = indices_[number];
    const std::string& label = point.experiment.backends[index].label;
    const std::filesystem::path folder = out_ / sweep_.base.name / point.name;
    if (stop_.stop_requested()) {
      result.run.label = label;
      result.run.outcome.kind = OutcomeKind::kCancelled;
      result.run.outcome.reason = "cancelled before it began";
      return;
    }
    std::optional<BackendRun> kept;
    if (options_.resume) kept = KeptRun(point.experiment, index, folder / label, sweep_.backends);
    result.kept = kept.has_value();
    result.run = kept
                     ? std::move(*kept)
                     : RunIntoBundle(point.experiment, index, TranslateFor(point.experiment, index),
                                     folder, HooksOf(worker));
    const std::lock_guard lock(telling_);
    fractions_[worker] = 0.0;
    ++done_;
    if (hooks_.on_end) hooks_.on_end(result);
    Tell();
  }

  RunHooks HooksOf(size_t worker) {
    RunHooks hooks;
    hooks.stop = stop_.get_token();
    hooks.on_step = [this, worker, told = Clock::now()](double time, double duration) mutable {
      fractions_[worker] = time / duration;
      const Clock::time_point now = Clock::now();
      if (now - told < kTellEvery) return;
      told = now;
      const std::lock_guard lock(telling_);
      Tell();
    };
    return hooks;
  }

  // With `telling_` locked.
  void Tell() {
    if (!hooks_.on_progress) return;
    double done = static_cast<double>(done_);
    for (const std::atomic<double>& fraction : fractions_) done += fraction;
    hooks_.on_progress(done / static_cast<double>(runs_.size()));
  }

  const Sweep& sweep_;
  const std::filesystem::path out_;
  const SweepOptions options_;
  const SweepHooks& hooks_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  std::vector<SweepRun> runs_;
  std::vector<size_t> indices_;  // of the backend of each run
  std::atomic<size_t> next_ = 0;
  std::vector<std::atomic<double>> fractions_;  // of the run that each worker is at
  std::mutex telling_;
  size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<SweepRun> RunSweep(const Sweep& sweep, const std::filesystem::path& out,
                               const SweepOptions& options, const SweepHooks& hooks) {
  assert(options.jobs >= 1);
  return SweepRunner(sweep, out, options, hooks).Run();
}

}  // namespace pliant
