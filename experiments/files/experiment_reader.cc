#include <algorithm>
#include <cctype>
#include <optional>

#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment.h"
#include "experiments/files/experiment_changes.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/outside_reference.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/probe_keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"
#include "experiments/files/sweep_plan.h"
#include "experiments/files/variant_reader.h"
#include "experiments/files/whole_steps.h"

namespace pliant {
namespace {

// More steps than any run could take: a typing error in a file must not run for ever.
constexpr double kMostSteps = 1e9;

// A requested step that no backend would use.
void RequireHeardStep(const FileValue& backends, const FilePlace& place) {
  std::string owners;
  for (const FileValue::Entry& entry : *backends.table()) {
    if (entry.value.Find("step") == nullptr) return;
    if (!owners.empty()) owners += ", ";
    owners += "backends." + entry.key + ".step";
  }
  FailAt(place, "'run.step' has no effect: every backend has a step of its own", "set " + owners);
}

void RequirePositive(const FileValue& table, const char* key, double value) {
  if (value > 0.0) return;
  FailAt(PlaceOf(table, key),
         std::string(key) + " must be more than 0 s, not " + WriteInline({value, {}}));
}

// `place` is the place of the step.
void RequireFewSteps(const RunPlan& plan, double step, const FilePlace& place) {
  if (plan.duration / step > kMostSteps) {
    FailAt(place, "the run would take more than 10⁹ steps", "give a longer step");
  }
}

// Shares of something, and a time if there is one.
void RequireShares(const FileValue& run, const RunPlan& plan) {
  for (const auto& [key, share] :
       {std::pair("made_energy_share", plan.made_energy_share),
        std::pair("not_converged_share", plan.not_converged_share),
        std::pair("lost_energy_share", plan.lost_energy_share.value_or(0.0))}) {
    if (share >= 0.0) continue;
    FailAt(PlaceOf(run, key), std::string(key) + " must not be negative", "0.01 is a hundredth");
  }
  if (plan.max_wall_seconds) RequirePositive(run, "max_wall_seconds", *plan.max_wall_seconds);
}

void RequireKnownGroups(const FileValue& run, const RunPlan& plan,
                        const std::vector<const Backend*>& backends) {
  std::vector<std::string> known;
  for (const Backend* backend : backends) {
    for (const ArrayGroup& group : backend->info().arrays) known.push_back(group.name);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& group : plan.record) {
    if (std::find(known.begin(), known.end(), group) != known.end()) continue;
    FailAt(PlaceOf(run, "record"), "no formulation has arrays '" + group + "'",
           known.empty() ? "leave record out" : DidYouMean(group, known));
  }
}

void RequirePositivePlan(const RunPlan& plan, const FileValue& run) {
  RequirePositive(run, "duration", plan.duration);
  RequirePositive(run, "step", plan.step);
  RequirePositive(run, "record_every", plan.record_every);
  RequireShares(run, plan);
}

// Labels and names become names of folders of bundles.
void RequireFolderName(const std::string& name, const FilePlace& place) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (plain && !name.empty() && name.front() != '.') return;
  FailAt(place, "'" + name + "' cannot be the name of a folder",
         "use letters, digits, '-', '_' and '.'");
}

// What files once said of a formulation, and what they say now.
struct RetiredWord {
  const char *formulation, *key, *word;
  const char *why, *now;
};
constexpr RetiredWord kRetiredWords[] = {
    {"displacement-constraints", "correction", "lengths",
     "correction = \"lengths\" has become a formulation of its own",
     "write formulation = \"position-based\" and leave correction out"},
};

// Before any other complaint: what else such a table says may be unknown by now.
void RefuseRetiredWords(const std::string& formulation, const FileValue& table) {
  for (const RetiredWord& retired : kRetiredWords) {
    const FileValue* value = table.Find(retired.key);
    if (formulation != retired.formulation || value == nullptr || value->text() == nullptr)
      continue;
    if (*value->text() == retired.word) FailAt(value->place, retired.why, retired.now);
  }
}

// `plan`, of the table `run`, is null when it has a mistake.
BackendChoice ReadBackend(FileValue::Entry* entry, const RunPlan* plan, const FileValue* run,
                          const std::vector<const Backend*>& backends) {
  RequireFolderName(entry->key, entry->place);
  if (entry->key.find('.') != std::string::npos) {
    FailAt(entry->place,
           "the label '" + entry->key + "' contains a dot, which separates the keys of --set",
           "use '-'");
  }
  FileValue* table = ReadValue<FileValue*>(&entry->value, {"'" + entry->key + "'"});
  BackendChoice choice;
  choice.label = entry->key;
  const FileValue* formulation = table->Find("formulation");
  const std::string name =
      formulation == nullptr
          ? entry->key
          : ReadValue<std::string>(table->Find("formulation"), {"'formulation'"});
  std::vector<std::string> names;
  for (const Backend* backend : backends) {
    names.push_back(backend->info().name);
    if (names.back() == name) choice.backend = backend;
  }
  if (choice.backend == nullptr) {
    std::string mend = DidYouMean(name, names);
    if (formulation == nullptr) mend += " (or add formulation = … to use a label of your own)";
    FailAt(formulation == nullptr ? entry->place : formulation->place,
           "there is no formulation '" + name + "'", mend);
  }
  RefuseRetiredWords(name, *table);
  const std::string title = "[backends." + choice.label + "]";
  Mistakes mistakes;
  mistakes.Try([&] { choice.parameters = ReadParameters(table, *choice.backend, title); });
  mistakes.Try([&] {
    FileValue* step = table->Find("step");
    if (step != nullptr) {
      choice.step = ReadValue<double>(step, {"'step'"});
      RequirePositive(*table, "step", choice.step);
    }
    if (plan == nullptr) return;
    if (step == nullptr) choice.step = plan->step;
    RequireFewSteps(*plan, choice.step, step == nullptr ? PlaceOf(*run, "step") : step->place);
  });
  mistakes.ThrowIfAny();
  return choice;
}

// Those without a mistake; `plan` is null when that has one. Only the steps of `chosen` have to fit (of all when empty).
void ReadBackends(FileValue* root, const RunPlan* plan, const std::vector<const Backend*>& backends,
                  const std::vector<std::string>& labels_of_file,
                  const std::vector<std::string>& chosen, Experiment* experiment,
                  Mistakes* mistakes) {
  FileValue* table = root->Find("backends");
  if (table->table()->empty()) {
    mistakes->Try(
        [&] { FailAt(table->place, "the experiment has no backend", "add [backends.NAME]"); });
  }
  const FileValue* run = root->Find("run");
  std::vector<OwnedStep> steps;
  for (FileValue::Entry& entry : *table->table()) {
    mistakes->Try([&] {
      if (entry.place.source->is_override) {
        FailAt(entry.place, "the experiment has no backend '" + entry.key + "'",
               DidYouMean(entry.key, labels_of_file));
      }
      const bool counts = chosen.empty() || std::ranges::find(chosen, entry.key) != chosen.end();
      experiment->backends.push_back(ReadBackend(&entry, counts ? plan : nullptr, run, backends));
      const double step = experiment->backends.back().step;
      if (plan == nullptr || !counts || std::ranges::count(steps, step, &OwnedStep::step) > 0)
        return;
      const bool own = entry.value.Find("step") != nullptr;
      steps.push_back({step, own ? "backends." + entry.key + ".step" : "run.step",
                       own ? ", the step of backend '" + entry.key + "'" : ""});
    });
  }
  if (steps.empty()) return;
  // A step that fits neither time is one mistake.
  mistakes->Try([&] {
    for (const auto& [key, span] :
         {std::pair("duration", plan->duration), std::pair("record_every", plan->record_every)}) {
      RequireWholeSteps(PlaceOf(*run, key), key, span, steps);
    }
  });
}

// The labels of the methods of [optimize]; those of annealing alone where it names none.
std::vector<std::string> SearchLabels(const FileValue& root) {
  const FileValue* optimize = root.Find("optimize");
  if (optimize == nullptr) return {};
  const FileValue* methods = optimize->Find("methods");
  if (methods == nullptr || methods->table() == nullptr) return {"annealing"};
  std::vector<std::string> labels;
  for (const FileValue::Entry& entry : *methods->table()) labels.push_back(entry.key);
  return labels;
}

void ReadPlan(const FileValue& run, const RunPlan& plan,
              const std::vector<const Backend*>& backends) {
  RequirePositivePlan(plan, run);
  RequireKnownGroups(run, plan, backends);
}

// A label, kYardstick, or the absolute path of a bundle or a table.
std::string ReadReference(const FileValue& root, const std::string& reference,
                          const std::vector<std::string>& labels) {
  if (reference.empty() || reference == kYardstick) return reference;
  if (std::find(labels.begin(), labels.end(), reference) != labels.end()) return reference;
  const FilePlace place = PlaceOf(root, "reference");
  const std::filesystem::path folder = place.source ? place.source->folder : "";
  if (const auto path = OutsideReference(folder, reference)) return *path;
  const bool is_path = reference.find('/') != std::string::npos || reference.ends_with(".csv");
  if (!is_path) {
    FailAt(place, "the experiment has no backend '" + reference + "'",
           DidYouMean(reference, labels));
  }
  FailAt(place, "the reference '" + reference + "' is neither a run bundle nor a table",
         "name the folder of a run, which has a manifest.json, or a .csv file; paths begin at " +
             (folder.empty() ? "the present folder" : folder.string()));
}

// The labels in the file, also of backends with a mistake.
std::vector<std::string> LabelsIn(const FileValue& root) {
  std::vector<std::string> labels;
  const FileValue* table = root.Find("backends");
  if (table == nullptr || table->table() == nullptr) return labels;
  for (const FileValue::Entry& entry : *table->table()) labels.push_back(entry.key);
  return labels;
}

// Whether the value of this key, of this kind, has been read into ExperimentKeys.
bool IsTable(const FileValue& root, const char* key) {
  const FileValue* value = root.Find(key);
  return value != nullptr && value->table() != nullptr;
}

Experiment ReadTree(FileValue tree, const std::string& name,
                    const std::vector<std::string>& overrides, std::vector<FileValue> changes,
                    const std::vector<const Backend*>& backends, Mistakes* mistakes,
                    const std::vector<std::string>& chosen = {}) {
  auto document = std::make_shared<ExperimentDocument>();
  FileValue& root = document->root;
  root = std::move(tree);
  const std::vector<std::string> labels = LabelsIn(root);
  const auto step_changed = ApplyChanges(&root, overrides, std::move(changes), mistakes);

  Mistakes of_keys;
  const auto keys = ReadKeys<ExperimentKeys>(&root, {}, &of_keys);
  if (of_keys.any()) mistakes->Add(FileError(of_keys.list()));
  Experiment experiment;
  experiment.name = keys.name.value_or(name);
  mistakes->Try([&] { RequireFolderName(experiment.name, PlaceOf(root, "name")); });
  experiment.title = keys.title.value_or(experiment.name);
  experiment.description = keys.description;
  const VariantTables variants = VariantsIn(root, mistakes);  // before the scene is read
  if (IsTable(root, "scene")) {
    Mistakes of_scene;
    SceneSoFar read = ReadSceneTable(root.Find("scene"), &of_scene);
    if (of_scene.any()) mistakes->Add(FileError(of_scene.list()));
    experiment.probes = ReadProbes(keys.probes, read, mistakes);
    if (!of_scene.any()) experiment.scene = std::make_shared<Scene>(std::move(read.scene));
  }
  experiment.plan = keys.run;
  // A plan that could not be read has no duration.
  const bool has_plan = keys.run.duration != 0.0 || !of_keys.any();
  const bool plans =
      has_plan && mistakes->Try([&] { ReadPlan(*root.Find("run"), keys.run, backends); });
  if (IsTable(root, "backends")) {
    ReadBackends(&root, plans ? &keys.run : nullptr, backends, labels, chosen, &experiment,
                 mistakes);
    if (experiment.scene != nullptr)
      ReadVariants(variants, keys.probes, &root, &experiment, mistakes);
    if (step_changed && plans)
      mistakes->Try([&] { RequireHeardStep(*root.Find("backends"), *step_changed); });
    mistakes->Try([&] {
      experiment.reference = ReadReference(root, keys.reference.value_or(""), LabelsIn(root));
    });
  }
  if (keys.sweep) {
    mistakes->Try(
        [&] { experiment.sweep = std::make_shared<SweepPlan>(ReadKeys<SweepPlan>(*keys.sweep)); });
  }
  if (keys.refine) experiment.refine = *keys.refine;
  if (keys.yardstick) experiment.yardstick = *keys.yardstick;
  mistakes->Try([&] { RequireConsistent(keys.claims, LabelsIn(root), SearchLabels(root)); });
  experiment.claims = keys.claims;
  experiment.document = std::move(document);
  return experiment;
}

}  // namespace

Scene ReadScene(const std::filesystem::path& file) {
  FileValue table = ReadToml(file);
  if (table.Find("description") == nullptr) table.Set("description", LeadingComment(file));
  return ReadSceneTable(&table);
}

Experiment ReadExperiment(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides,
                          const std::vector<const Backend*>& backends) {
  return ReadChangedExperiment(file, overrides, {}, backends);
}

Experiment ReadChangedExperiment(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides,
                                 std::vector<FileValue> changes,
                                 const std::vector<const Backend*>& backends,
                                 const std::vector<std::string>& chosen) {
  FileValue root = ReadToml(file);
  if (root.Find("description") == nullptr) root.Set("description", LeadingComment(file));
  Mistakes mistakes;
  Experiment experiment = ReadTree(std::move(root), file.stem().string(), overrides,
                                   std::move(changes), backends, &mistakes, chosen);
  mistakes.ThrowIfAny();
  return experiment;
}

Experiment ReadExperimentTree(FileValue tree, const std::string& name,
                              const std::vector<std::string>& overrides,
                              std::vector<FileValue> changes,
                              const std::vector<const Backend*>& backends) {
  Mistakes mistakes;
  Experiment experiment =
      ReadTree(std::move(tree), name, overrides, std::move(changes), backends, &mistakes);
  mistakes.ThrowIfAny();
  return experiment;
}

namespace {

Experiment ReadParts(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                     const std::vector<std::string>& chosen,
                     const std::vector<const Backend*>& backends, Mistakes* mistakes) {
  Experiment experiment;
  mistakes->Try([&] {
    FileValue root = ReadToml(file);
    if (root.Find("description") == nullptr) root.Set("description", LeadingComment(file));
    experiment =
        ReadTree(std::move(root), file.stem().string(), overrides, {}, backends, mistakes, chosen);
  });
  return experiment;
}

}  // namespace

Experiment ReadSoundParts(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides, Mistakes* mistakes,
                          const std::vector<const Backend*>& backends) {
  return ReadParts(file, overrides, {}, backends, mistakes);
}

Experiment ReadSoundPartsOf(const std::filesystem::path& file,
                            const std::vector<std::string>& overrides,
                            const std::vector<std::string>& labels, Mistakes* mistakes) {
  Experiment experiment = ReadParts(file, overrides, labels, Backends(), mistakes);
  if (!mistakes->any()) KeepBackends(&experiment, labels);
  return experiment;
}

Experiment ReadExperimentOf(const std::filesystem::path& file,
                            const std::vector<std::string>& overrides,
                            const std::vector<std::string>& labels) {
  Mistakes mistakes;
  Experiment experiment = ReadSoundPartsOf(file, overrides, labels, &mistakes);
  mistakes.ThrowIfAny();
  return experiment;
}

}  // namespace pliant
