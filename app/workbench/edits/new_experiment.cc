#include "app/workbench/edits/new_experiment.h"

#include <algorithm>
#include <utility>

#include "experiments/files/experiment_document.h"

namespace pliant {

Experiment MakeExperiment(const ExperimentTemplate& from) {
  const FilePlace place = ReadToml(from.scene).place;
  const std::string name = from.scene.stem().string();
  FileValue root{FileValue::Table(), place};
  root.Set("title",
           "The scene " + name + (from.formulations.empty() ? " in every formulation" : ""));
  root.Set("description", LeadingComment(from.scene));
  root.Set("scene", std::filesystem::absolute(from.scene).string());
  FileValue run{FileValue::Table(), place};
  run.Set("duration", from.duration);
  run.Set("step", from.step);
  run.Set("record_every", from.record_every);
  root.Set("run", std::move(run.data));
  FileValue backends{FileValue::Table(), place};
  for (const Backend* backend : Backends()) {
    const std::string& label = backend->info().name;
    const auto& wanted = from.formulations;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), label) != wanted.end()) {
      backends.Set(label, FileValue::Table());
    }
  }
  root.Set("backends", std::move(backends.data));
  return ReadExperimentTree(std::move(root), name, {}, {}, Backends());
}

}  // namespace pliant
