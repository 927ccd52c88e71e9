#include "experiments/comparison/outside_bundle.h"

#include <algorithm>

#include "experiments/bundles/sha256.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

std::string SceneText(const Experiment& experiment) {
  FileValue scene = *experiment.document->root.Find("scene");
  for (const char* words : {"name", "title", "description"}) scene.Erase(words);
  return WriteToml(scene);
}

std::string Fact(const Bundle& bundle, const std::string& name) {
  const auto found = bundle.manifest().find(name);
  return found == bundle.manifest().end() ? "unknown" : found->second;
}

}  // namespace

Bundle OpenOutsideBundle(const std::vector<Bundle>& bundles, const std::string& reference) {
  std::vector<const Backend*> backends = Backends();
  for (const Bundle& bundle : bundles) {
    if (std::ranges::find(backends, &bundle.backend()) == backends.end()) {
      backends.push_back(&bundle.backend());
    }
  }
  Bundle opened = Bundle::Open(reference, backends);
  const std::string scene = SceneText(opened.experiment());
  for (const Bundle& bundle : bundles) {
    if (IsOfVariant(bundle) || SceneText(bundle.experiment()) == scene) continue;
    throw FileError("the reference " + reference + " is a run of another scene than " +
                    bundle.path().string() +
                    "; run the reference again on this scene, or name one that was");
  }
  return opened;
}

std::string ProvenanceOf(const Bundle& bundle) {
  return bundle.path().string() + ": run '" + bundle.label() + "' (" +
         bundle.backend().info().name + ") of experiment " + bundle.experiment().name + ", " +
         std::string(ToString(bundle.outcome().kind)) + ", made " + Fact(bundle, "started") +
         " by version " + Fact(bundle, "version") + ", commit " + Fact(bundle, "commit");
}

std::string ProvenanceOfTable(const std::string& path, size_t lines) {
  return path + ": " + std::to_string(lines) + " lines of measured values, SHA-256 " +
         Sha256OfFile(path);
}

}  // namespace pliant
