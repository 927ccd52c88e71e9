#include "app/workbench/edits/trial_edit.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "app/workbench/edits/experiment_edit.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "experiments/searches/run_searches.h"

namespace pliant {
namespace {

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

std::shared_ptr<const Experiment> WithNumbers(const Experiment& experiment,
                                              const Eigen::VectorXd& numbers) {
  const SearchPlan plan = ReadSearchPlan(experiment);
  const BackendChoice& before = experiment.backends[plan.backend];
  const Experiment searched = plan.Problem()->With(numbers, before.label);
  FileValue root = experiment.document->root;
  FileValue* table = root.Find("backends")->Find(before.label);
  for (const auto& [name, value] : searched.backends.front().parameters) {
    if (FileValue* given = table->Find(name)) TakeNumbers(ToFileValue(value), given);
  }
  return Reread(experiment, std::move(root));
}

}  // namespace pliant
