#include "app/workbench/search_job.h"

#include <algorithm>
#include <exception>
#include <variant>

#include "app/workbench/experiment_edit.h"
#include "experiments/experiment/experiment_document.h"
#include "experiments/experiment/parameter_values.h"
#include "experiments/optimize/optimization.h"

namespace pliant {
namespace {

// One core is left to the window.
int ThreadsOfSearch() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

// Takes the numbers of `from` where `into` has some, in the order of `into`: searches go by it.
void TakeNumbers(const FileValue& from, FileValue* into) {
  if (into->table() != nullptr && from.table() != nullptr) {
    for (FileValue::Entry& entry : *into->table()) {
      if (const FileValue* found = from.Find(entry.key)) TakeNumbers(*found, &entry.value);
    }
  } else if (into->array() != nullptr && from.array() != nullptr) {
    for (size_t i = 0; i < std::min(into->array()->size(), from.array()->size()); ++i) {
      TakeNumbers((*from.array())[i], &(*into->array())[i]);
    }
  } else if (const double* number = std::get_if<double>(&from.data)) {
    into->data = *number;
  }
}

}  // namespace

SearchJob::SearchJob(std::shared_ptr<const Experiment> experiment, std::filesystem::path out)
    : thread_([this, experiment = std::move(experiment),
               out = std::move(out)](const std::stop_token& stop) {
        std::string failure;
        try {
          Search(*experiment, out, stop);
        } catch (const std::exception& thrown) {
          failure = thrown.what();
        }
        const std::lock_guard lock(mutex_);
        if (!failure.empty()) news_.end = failure;
        finished_ = true;
      }) {}

SearchJob::~SearchJob() = default;

void SearchJob::SetPaused(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  unpaused_.notify_all();
}

void SearchJob::Stop() { thread_.request_stop(); }

SearchNews SearchJob::Collect() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

bool SearchJob::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

void SearchJob::TakeTrial(size_t search, const Trial& trial, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  news_.trials.emplace_back(search, trial);
  unpaused_.wait(lock, stop, [this] { return !paused_; });
}

void SearchJob::Search(const Experiment& experiment, const std::filesystem::path& out,
                       const std::stop_token& stop) {
  const Optimization optimization = ReadOptimization(experiment);
  {
    OptimizationRecord record = MakeRecord(optimization, *optimization.Problem());
    const std::lock_guard lock(mutex_);
    news_.start = std::move(record);
  }
  OptimizationHooks hooks;
  hooks.stop = stop;
  hooks.on_trial = [&](size_t search, const Trial& trial) { TakeTrial(search, trial, stop); };
  const OptimizationResult result =
      RunOptimization(optimization, out, ThreadsOfSearch(), /*resume=*/false, hooks);
  const std::lock_guard lock(mutex_);
  news_.folder = result.folder;
  news_.end = ToString(result.outcome);
  if (result.outcome == OptimizationResult::Outcome::kFailed) {
    *news_.end += ": no trial made a motion";
  }
}

std::shared_ptr<const Experiment> WithNumbers(const Experiment& experiment,
                                              const Eigen::VectorXd& numbers) {
  const Optimization optimization = ReadOptimization(experiment);
  const BackendChoice& before = experiment.backends[optimization.backend];
  const Experiment searched = optimization.Problem()->With(numbers, before.label);
  FileValue root = experiment.document->root;
  FileValue* table = root.Find("backends")->Find(before.label);
  for (const auto& [name, value] : searched.backends.front().parameters) {
    if (FileValue* given = table->Find(name)) TakeNumbers(ToFileValue(value), given);
  }
  return Reread(experiment, std::move(root));
}

}  // namespace pliant
