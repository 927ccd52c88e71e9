#include <cassert>

#include "experiments/files/chosen_value.h"
#include "experiments/files/experiment.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

FileValue EmptyTable() { return {FileValue::Table(), {}}; }

// A step only where the backend has one of its own, so that a change of run.step has effect.
FileValue WriteBackend(const BackendChoice& choice, const RunPlan& plan) {
  FileValue table = EmptyTable();
  table.Set("formulation", choice.backend->info().name);
  if (choice.step != plan.step) table.Set("step", choice.step);
  for (const ParameterInfo& info : choice.backend->Parameters()) {
    table.Set(info.name, ToFileValue(ChosenValue(choice, info)).data);
  }
  if (!choice.variant.empty()) {
    FileValue::Array words;
    for (const std::string& change : choice.variant) words.push_back({change, {}});
    table.Set("variant", std::move(words));
  }
  return table;
}

}  // namespace

std::string Experiment::Resolved(size_t index) const {
  assert(document != nullptr && index < backends.size());
  const BackendChoice& choice = backends[index];
  const FileValue& own = choice.tables == nullptr ? document->root : *choice.tables;
  FileValue root = EmptyTable();
  root.Set("name", name);
  root.Set("title", title);
  root.Set("description", description);
  if (reference == choice.label) root.Set("reference", reference);
  root.Set("run", WriteKeys(plan).data);
  root.Set("scene", own.Find("scene")->data);
  if (const FileValue* probes = own.Find("probe")) root.Set("probe", probes->data);
  FileValue only = EmptyTable();
  only.Set(choice.label, WriteBackend(choice, plan).data);
  root.Set("backends", std::move(only.data));
  return WriteToml(root);
}

}  // namespace pliant
