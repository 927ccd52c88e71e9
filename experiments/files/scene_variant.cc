#include "experiments/files/scene_variant.h"

#include <algorithm>
#include <utility>

#include "experiments/files/codec.h"
#include "experiments/files/overrides.h"
#include "experiments/files/scene_file.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

// Of a table that came from a file: it is a whole scene, and the name of that file.
constexpr char kInstead[] = "instead_of_the_scene";
constexpr char kScene[] = "scene.";
constexpr size_t kLongest = 60;  // bytes of a value that is told as it is

// A line for each value, at the key by which --set reaches it.
void Tell(const FileValue& value, const std::string& key, std::vector<std::string>* changes) {
  if (const FileValue::Table* table = value.table()) {
    for (const FileValue::Entry& entry : *table) Tell(entry.value, key + "." + entry.key, changes);
    return;
  }
  const std::string text = WriteInline(value);
  changes->push_back(key + (text.size() <= kLongest ? " = " + text : " is another"));
}

FileValue TableOfChanges(const FileValue& given) {
  if (given.table() != nullptr) return given;
  if (given.text() != nullptr) throw Consequence();  // the file could not be read
  FailAt(given.place, "'scene' is " + KindInWords(given),
         "expected a table with what is otherwise, or the name of a scene file");
}

// The keys that the backend does without.
void RemoveFrom(FileValue* scene, FileValue given, std::vector<std::string>* changes) {
  ReadValue<std::vector<std::string>>(&given, {"'unset'"});  // refuses what is no list of texts
  FileValue root{FileValue::Table(), scene->place};
  FileValue& inside = *root.Set("scene", std::move(scene->data));
  inside.place = scene->place;
  for (const FileValue& entry : *given.array()) {
    const std::string& key = *entry.text();
    if (!key.starts_with(kScene)) {
      FailAt(entry.place, "'" + key + "' is no key of the scene",
             "a backend does without parts of the scene alone, such as scene.nail.hook");
    }
    Remove(&root, key, entry.place);
    changes->push_back("without " + key);
  }
  scene->data = std::move(root.Find("scene")->data);
}

}  // namespace

void KeepOtherScene(const FileValue& read, FileValue* backend) {
  FileValue* scene = backend->Find("scene");
  const FileValue* file = scene == nullptr ? nullptr : scene->Find(kInstead);
  if (file == nullptr) return;
  FileValue kept = read;
  kept.Set(kInstead, file->data);
  scene->data = std::move(kept.data);
}

void InlineSceneOfBackend(FileValue* backend) {
  FileValue* scene = backend->Find("scene");
  if (scene == nullptr || scene->text() == nullptr) return;
  const std::string file = *scene->text();
  InlineSceneFile(scene);
  scene->Set(kInstead, file);
}

std::optional<SceneVariant> VariantOf(const FileValue& scene, const FileValue& backend) {
  const FileValue *given = backend.Find("scene"), *unset = backend.Find("unset");
  SceneVariant variant{scene, {}};
  if (given != nullptr) {
    FileValue changes = TableOfChanges(*given);
    if (const FileValue* file = changes.Find(kInstead)) {
      variant.changes.push_back("the scene file " + (file->text() ? *file->text() : ""));
      changes.Erase(kInstead);
      variant.scene = std::move(changes);
    } else {
      for (const FileValue::Entry& entry : *changes.table())
        Tell(entry.value, kScene + entry.key, &variant.changes);
      Merge(&variant.scene, std::move(changes));
    }
  }
  if (unset != nullptr) RemoveFrom(&variant.scene, *unset, &variant.changes);
  if (variant.changes.empty()) return std::nullopt;
  return variant;
}

}  // namespace pliant
