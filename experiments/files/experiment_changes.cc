#include "experiments/files/experiment_changes.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "experiments/files/data_file.h"
#include "experiments/files/overrides.h"
#include "experiments/files/scene_file.h"
#include "experiments/files/scene_variant.h"

namespace pliant {
namespace {

bool NamesAFile(const FileValue& change) {
  const FileValue* scene = change.Find("scene");
  return scene != nullptr && scene->text() != nullptr;
}

struct Change {
  FileValue merged;
  std::string removed;  // instead: the key of what goes
};

void InlineScenesOfBackends(FileValue* root) {
  FileValue* backends = root->Find("backends");
  if (backends == nullptr || backends->table() == nullptr) return;
  for (FileValue::Entry& entry : *backends->table()) InlineSceneOfBackend(&entry.value);
}

}  // namespace

void InlineSceneFile(FileValue* scene) {
  if (scene->text() == nullptr) return;
  const std::filesystem::path file = DataFileNamed(*scene->text(), DataKind::kScene, scene->place);
  FileValue table = ReadToml(file, scene->place);
  if (table.Find("description") == nullptr) table.Set("description", LeadingComment(file));
  *scene = std::move(table);
}

std::optional<FilePlace> ApplyChanges(FileValue* root, const std::vector<std::string>& overrides,
                                      std::vector<FileValue> further, Mistakes* mistakes) {
  std::vector<Change> changes;
  if (FileValue* set = root->Find("set")) {
    mistakes->Try([&] {
      if (set->table() == nullptr)
        FailAt(set->place, "'set' is " + KindInWords(*set), "it is a table");
      changes.push_back({std::move(*set), ""});
    });
    root->Erase("set");
  }
  const std::filesystem::path& folder = root->place.source->folder;
  for (const std::string& text : overrides) {
    if (const auto removed = RemovedKey(text)) {
      const FilePlace place{std::make_shared<FileSource>(FileSource{text, folder, true})};
      changes.push_back({{FileValue::Table(), place}, *removed});
    } else {
      mistakes->Try([&] { changes.push_back({ParseOverride(text, folder), ""}); });
    }
  }
  for (FileValue& change : further) changes.push_back({std::move(change), ""});
  for (Change& change : changes) {
    if (NamesAFile(change.merged)) {
      Merge(root, std::exchange(change.merged, {FileValue::Table(), {}}));
    }
  }
  const bool has_scene = mistakes->Try([&] {
    if (FileValue* scene = root->Find("scene")) InlineSceneFile(scene);
  });
  std::optional<FilePlace> step_changed;
  for (Change& change : changes) {
    const FileValue* run = change.merged.Find("run");
    const FileValue* step = run == nullptr ? nullptr : run->Find("step");
    if (step != nullptr) step_changed = step->place;
    if (!has_scene) change.merged.Erase("scene");
    mistakes->Try([&] {
      InlineScenesOfBackends(root);
      if (!change.removed.empty()) {
        if (!has_scene && change.removed.starts_with("scene")) return;
        Remove(root, change.removed, change.merged.place);
      } else {
        Merge(root, std::move(change.merged));
      }
    });
  }
  mistakes->Try([&] { InlineScenesOfBackends(root); });
  return step_changed;
}

}  // namespace pliant
