#include "experiments/files/experiment.h"

#include <algorithm>

#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/outside_reference.h"

namespace pliant {

std::vector<std::string> LabelsOf(const Experiment& experiment) {
  std::vector<std::string> labels;
  for (const BackendChoice& choice : experiment.backends) labels.push_back(choice.label);
  return labels;
}

bool MeasuresAgainstYardstick(const Experiment& experiment) {
  const std::vector<std::string> labels = LabelsOf(experiment);
  return experiment.reference == kYardstick &&
         std::find(labels.begin(), labels.end(), kYardstick) == labels.end();
}

const std::shared_ptr<const Scene>& SceneOf(const Experiment& experiment, size_t index) {
  const std::shared_ptr<const Scene>& own = experiment.backends[index].scene;
  return own == nullptr ? experiment.scene : own;
}

const std::vector<Probe>& ProbesOf(const Experiment& experiment, size_t index) {
  const BackendChoice& choice = experiment.backends[index];
  return choice.scene == nullptr ? experiment.probes : choice.probes;
}

std::string VariantInWords(const BackendChoice& choice) {
  std::string words;
  for (const std::string& change : choice.variant)
    words += (words.empty() ? "runs a variant of the scene: " : "; ") + change;
  return words;
}

Experiment WithSceneOf(const Experiment& experiment, size_t index) {
  Experiment with = experiment;
  with.scene = SceneOf(experiment, index);
  with.probes = ProbesOf(experiment, index);
  with.backends[index].scene = nullptr;
  return with;
}

Experiment OfOneBackend(const Experiment& experiment, size_t index) {
  Experiment one = WithSceneOf(experiment, index);
  one.backends = {BackendChoice(one.backends[index])};
  return one;
}

void KeepBackends(Experiment* experiment, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  const std::vector<std::string> known = LabelsOf(*experiment);
  for (const std::string& label : labels) {
    if (std::find(known.begin(), known.end(), label) == known.end()) {
      throw BadInput(
          {"backend", "the experiment has no backend '" + label + "'", DidYouMean(label, known)});
    }
  }
  auto dropped = [&labels](const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) == labels.end();
  };
  const bool keeps_reference =
      MeasuresAgainstYardstick(*experiment) || IsOutsideReference(experiment->reference);
  std::erase_if(experiment->backends,
                [&](const BackendChoice& choice) { return dropped(choice.label); });
  if (!keeps_reference && dropped(experiment->reference)) experiment->reference.clear();
}

std::string WhyNoDistances(const Experiment& experiment) {
  if (!experiment.reference.empty() || experiment.document == nullptr) return "";
  const FileValue* named = experiment.document->root.Find("reference");
  const std::string* label = named == nullptr ? nullptr : named->text();
  if (label == nullptr || label->empty()) return "";
  return "the reference '" + *label +
         "' is not among the chosen backends: no distances; choose it too, or give reference = "
         "\"…/" +
         *label + "\", the folder of a run of it";
}

}  // namespace pliant
