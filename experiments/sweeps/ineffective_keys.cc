#include "experiments/sweeps/ineffective_keys.h"

#include <algorithm>
#include <optional>

#include "experiments/files/experiment_document.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr char kScene[] = "scene";
constexpr size_t kLongest = 60;  // bytes of a value that is told as it is

using KeyPath = std::vector<std::string>;

std::string Joined(const KeyPath& path) {
  std::string key;
  for (const std::string& part : path) key += (key.empty() ? "" : ".") + part;
  return key;
}

// The value at a path; null where there is none. In a list, `names` gets the names of elements in place of their numbers.
const FileValue* At(const FileValue& root, const KeyPath& path, KeyPath* names = nullptr) {
  const FileValue* value = &root;
  for (size_t i = 0; i < path.size() && value != nullptr; ++i) {
    const FileValue* list = value;
    value = value->table() != nullptr   ? value->Find(path[i])
            : value->array() != nullptr ? FindElement(*value, path[i])
                                        : nullptr;
    if (names == nullptr || value == nullptr || list->array() == nullptr) continue;
    (*names)[i] = ElementName(*value, static_cast<size_t>(value - list->array()->data()));
  }
  return value;
}

// The paths of what a value changes: a table changes its keys, anything else is replaced whole.
void AddLeaves(const FileValue& value, const KeyPath& path, std::vector<KeyPath>* leaves) {
  if (value.table() == nullptr) return leaves->push_back(path);
  for (const FileValue::Entry& entry : *value.table()) {
    KeyPath inside = path;
    inside.push_back(entry.key);
    AddLeaves(entry.value, inside, leaves);
  }
}

// Is `part` the path of `whole` or of something that holds it?
bool Holds(const KeyPath& part, const KeyPath& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// What is varied of the variant itself reaches it.
bool IsVariedToo(const SweepPlan& plan, const std::string& label, const KeyPath& asked,
                 const KeyPath& named) {
  const auto of_variant = [&](const KeyPath& path) {
    KeyPath whole = {"backends", label};
    whole.insert(whole.end(), path.begin(), path.end());
    return whole;
  };
  return std::ranges::any_of(plan.vary, [&](const VariedKey& other) {
    const KeyPath path = SplitPath(other.key);
    return Holds(path, of_variant(asked)) || Holds(path, of_variant(named));
  });
}

// One varied key and one backend, at all points.
class KeyOfBackend {
 public:
  KeyOfBackend(const Sweep& sweep, size_t key, size_t index)
      : sweep_(sweep), key_(key), index_(index), label_(sweep.base.backends[index].label) {}

  // Absent where it has an effect.
  std::optional<std::string> WhyWithout() const {
    const KeyPath path = SplitPath(sweep_.plan().vary[key_].key);
    for (const SweepPoint& point : sweep_.points) {
      if (point.experiment.backends[index_].tables == nullptr) continue;
      std::vector<KeyPath> leaves;
      AddLeaves(point.values[key_], path, &leaves);
      for (const KeyPath& leaf : leaves) {
        if (auto why = WhyWithoutAt(point.experiment, leaf)) return why;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> WhyWithoutAt(const Experiment& point, const KeyPath& path) const {
    KeyPath names = path;
    const FileValue* wanted = At(point.document->root, path, &names);
    if (wanted == nullptr || IsVariedToo(sweep_.plan(), label_, path, names)) return std::nullopt;
    const FileValue* own = At(*point.backends[index_].tables, names);
    const std::string begin = Joined(path) + " has no effect on the backend '" + label_ +
                              "', whose variant of the scene ";
    if (own == nullptr) {
      return begin + "does without it; leave '" + label_ +
             "' out by --backend, or give its variant the element";
    }
    const std::string has = WriteInline(*own);
    const bool reaches =
        wanted->table() == nullptr ? has == WriteInline(*wanted) : !IsTheSameAtAllPoints(names);
    if (reaches) return std::nullopt;
    const std::string what =
        names.size() == 1 ? "is another" : "has " + Joined({names.begin() + 1, names.end()});
    return begin + what + (names.size() > 1 && has.size() <= kLongest ? " = " + has : "") +
           "; vary backends." + label_ + "." + Joined(names) +
           " too (combine = \"zip\" pairs the values)";
  }

  // Of a value that came from a file, into which the variant may merge changes of its own.
  bool IsTheSameAtAllPoints(const KeyPath& names) const {
    std::optional<std::string> first;
    for (const SweepPoint& point : sweep_.points) {
      const auto& tables = point.experiment.backends[index_].tables;
      const FileValue* own = tables == nullptr ? nullptr : At(*tables, names);
      const std::string text = own == nullptr ? "" : WriteInline(*own);
      if (first && text != *first) return false;
      first = text;
    }
    return true;
  }

  const Sweep& sweep_;
  const size_t key_, index_;
  const std::string& label_;
};

// Of the step of the experiment: absent unless the backend has one of its own.
std::optional<std::string> WhyWithoutStep(const Sweep& sweep, const std::string& label) {
  const FileValue* own = At(sweep.base.document->root, {"backends", label, "step"});
  if (own == nullptr || IsVariedToo(sweep.plan(), label, {"step"}, {"step"})) return std::nullopt;
  return "run.step has no effect on the backend '" + label +
         "', which has step = " + WriteInline(*own) + " of its own; vary backends." + label +
         ".step too (combine = \"zip\" pairs the values)";
}

}  // namespace

std::vector<IneffectiveKey> IneffectiveKeysOf(const Sweep& sweep) {
  std::vector<IneffectiveKey> found;
  const std::vector<VariedKey>& vary = sweep.plan().vary;
  for (size_t key = 0; key < vary.size(); ++key) {
    for (const BackendChoice& choice : sweep.base.backends) {
      if (vary[key].key != "run.step") break;
      if (auto why = WhyWithoutStep(sweep, choice.label))
        found.push_back({key, choice.label, *why});
    }
    if (SplitPath(vary[key].key).front() != kScene) continue;
    for (size_t index = 0; index < sweep.base.backends.size(); ++index) {
      if (auto why = KeyOfBackend(sweep, key, index).WhyWithout())
        found.push_back({key, sweep.base.backends[index].label, *why});
    }
  }
  return found;
}

std::vector<std::string> WarningsOf(const Sweep& sweep) {
  std::vector<std::string> warnings;
  for (const IneffectiveKey& one : IneffectiveKeysOf(sweep)) warnings.push_back(one.warning);
  return warnings;
}

}  // namespace pliant
