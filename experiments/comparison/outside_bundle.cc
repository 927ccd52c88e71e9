#include "experiments/comparison/outside_bundle.h"

#include <algorithm>
#include <optional>

#include "experiments/bundles/scene_that_moves.h"
#include "experiments/bundles/sha256.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr size_t kMostCharacters = 60;  // of a value in a message

std::string Shown(const FileValue& value) {
  const std::string text = WriteInline(value);
  if (text.size() <= kMostCharacters) return text;
  size_t end = kMostCharacters;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// The first value that is not the same, and what it is in both.
struct SceneDifference {
  std::string key, there, here;
};

// The name of an element of a list: its own, else its number.
std::string ElementOf(const std::string& key, const FileValue& element, size_t index) {
  const FileValue* name = element.Find("name");
  if (name != nullptr && name->text() != nullptr) return key + "." + *name->text();
  return key + "[" + std::to_string(index) + "]";
}

std::optional<SceneDifference> FirstDifference(const std::string& key, const FileValue& there,
                                               const FileValue& here) {
  if (WriteInline(there) == WriteInline(here)) return std::nullopt;
  if (there.table() != nullptr && here.table() != nullptr) {
    for (const FileValue::Entry& entry : *there.table()) {
      const std::string inside = key + "." + entry.key;
      const FileValue* other = here.Find(entry.key);
      if (other == nullptr) return SceneDifference{inside, Shown(entry.value), "absent"};
      if (auto found = FirstDifference(inside, entry.value, *other)) return found;
    }
    for (const FileValue::Entry& entry : *here.table()) {
      if (there.Find(entry.key) == nullptr)
        return SceneDifference{key + "." + entry.key, "absent", Shown(entry.value)};
    }
    return std::nullopt;  // the same keys in another order
  }
  if (there.array() != nullptr && here.array() != nullptr) {
    const FileValue::Array &a = *there.array(), &b = *here.array();
    const bool is_short =
        WriteInline(there).size() <= kMostCharacters && WriteInline(here).size() <= kMostCharacters;
    const bool of_tables = !a.empty() && a.front().table() != nullptr;
    if (a.size() != b.size() && (of_tables || !is_short)) {
      return SceneDifference{key, std::to_string(a.size()) + " elements",
                             std::to_string(b.size()) + " elements"};
    }
    if (of_tables || !is_short) {
      for (size_t i = 0; i < a.size(); ++i) {
        if (auto found = FirstDifference(ElementOf(key, a[i], i), a[i], b[i])) return found;
      }
      return std::nullopt;
    }
  }
  return SceneDifference{key, Shown(there), Shown(here)};
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
  const FileValue scene = SceneThatMoves(opened.experiment());
  for (const Bundle& bundle : bundles) {
    if (IsOfVariant(bundle)) continue;
    const auto differs = FirstDifference("scene", scene, SceneThatMoves(bundle.experiment()));
    if (!differs) continue;
    throw FileError("the reference " + reference + " is a run of another scene than " +
                    bundle.path().string() + ": " + differs->key + " is " + differs->there +
                    " there, " + differs->here +
                    " here; run the reference again on this scene, or name one that was");
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
