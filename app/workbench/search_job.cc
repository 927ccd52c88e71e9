#include "app/workbench/search_job.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <variant>

#include "app/workbench/experiment_edit.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "experiments/searches/optimization.h"

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

std::string SearchAndTell(const Experiment& experiment, const std::filesystem::path& out,
                          SearchJob* job, const std::stop_token& stop) {
  const Optimization optimization = ReadOptimization(experiment);
  job->Tell([record = MakeRecord(optimization, *optimization.Problem())](SearchNews* news) mutable {
    news->start = std::move(record);
  });
  OptimizationHooks hooks;
  hooks.stop = stop;
  hooks.on_trial = [&](size_t search, const Trial& trial) {
    job->Tell([&](SearchNews* news) { news->trials.emplace_back(search, trial); });
    job->Rest(stop);
  };
  const OptimizationResult result =
      RunOptimization(optimization, out, ThreadsOfSearch(), /*resume=*/false, hooks);
  job->Tell([&](SearchNews* news) { news->folder = result.folder; });
  const std::string end(ToString(result.outcome));
  const bool failed = result.outcome == OptimizationResult::Outcome::kFailed;
  return failed ? end + ": no trial made a motion" : end;
}

}  // namespace

std::unique_ptr<SearchJob> BeginSearch(std::shared_ptr<const Experiment> experiment,
                                       std::filesystem::path out) {
  return std::make_unique<SearchJob>([experiment = std::move(experiment), out = std::move(out)](
                                         SearchJob* job, const std::stop_token& stop) {
    return SearchAndTell(*experiment, out, job, stop);
  });
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
