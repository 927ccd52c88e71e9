#include "experiments/files/variant_reader.h"

#include <memory>
#include <utility>

#include "experiments/files/codec.h"
#include "experiments/files/probe_keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"

namespace pliant {
namespace {

// A mistake may be in a line of the scene that only this variant turns into one.
void AddOf(const std::string& label, const Mistakes& of_scene, Mistakes* mistakes) {
  std::vector<Mistake> named = of_scene.list();
  for (Mistake& mistake : named) mistake.what += " (in the scene of the backend '" + label + "')";
  mistakes->Add(FileError(std::move(named)));
}

// Those that can be measured in the scene; `kept` gets their tables, `variant` says why not of the others.
std::vector<Probe> ReadProbesOf(const std::vector<FileValue*>& tables, const SceneSoFar& scene,
                                FileValue::Array* kept, std::vector<std::string>* variant) {
  std::vector<Probe> probes;
  for (const FileValue* table : tables) {
    FileValue copy = *table;
    Mistakes missing;
    const bool measured = missing.Try([&] {
      probes.push_back(ReadKeys<Probe>(&copy, {"", scene.scene.dimension, &scene}));
    });
    if (measured) {
      kept->push_back(std::move(copy));
      continue;
    }
    const FileValue* name = table->Find("name");
    variant->push_back("without the probe '" + (name && name->text() ? *name->text() : "") +
                       "': " + (missing.list().empty() ? "" : missing.list().front().what));
  }
  return probes;
}

void ReadVariant(const SceneVariant& variant, const std::vector<FileValue*>& probes,
                 FileValue* backend, BackendChoice* choice, Mistakes* mistakes) {
  FileValue scene = variant.scene;
  Mistakes of_scene;
  SceneSoFar read = ReadSceneTable(&scene, &of_scene);
  if (of_scene.any()) return AddOf(choice->label, of_scene, mistakes);
  choice->variant = variant.changes;
  FileValue::Array kept;
  choice->probes = ReadProbesOf(probes, read, &kept, &choice->variant);
  choice->scene = std::make_shared<Scene>(std::move(read.scene));
  KeepOtherScene(scene, backend);
  FileValue resolved{FileValue::Table(), scene.place};
  resolved.Set("scene", std::move(scene.data));
  if (!kept.empty()) resolved.Set("probe", std::move(kept));
  choice->tables = std::make_shared<const FileValue>(std::move(resolved));
}

}  // namespace

VariantTables VariantsIn(const FileValue& root, Mistakes* mistakes) {
  VariantTables variants;
  const FileValue *scene = root.Find("scene"), *backends = root.Find("backends");
  if (scene == nullptr || scene->table() == nullptr || backends == nullptr) return variants;
  if (backends->table() == nullptr) return variants;
  for (const FileValue::Entry& entry : *backends->table()) {
    mistakes->Try([&] {
      if (auto variant = VariantOf(*scene, entry.value))
        variants.emplace(entry.key, std::move(*variant));
    });
  }
  return variants;
}

void ReadVariants(const VariantTables& variants, const std::vector<FileValue*>& probes,
                  FileValue* root, Experiment* experiment, Mistakes* mistakes) {
  for (BackendChoice& choice : experiment->backends) {
    const auto found = variants.find(choice.label);
    FileValue* backend = root->Find("backends")->Find(choice.label);
    if (found != variants.end()) {
      ReadVariant(found->second, probes, backend, &choice, mistakes);
      continue;
    }
    FileValue* words = backend->Find("variant");
    if (words == nullptr) continue;
    mistakes->Try(
        [&] { choice.variant = ReadValue<std::vector<std::string>>(words, {"'variant'"}); });
  }
}

}  // namespace pliant
