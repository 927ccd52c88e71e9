#include "experiments/comparison/ignored_material.h"

#include <algorithm>
#include <optional>

#include "experiments/files/first_names.h"

namespace pliant {
namespace {

// Whether the element is ignored in this record; absent where it is not in the scene, or the scene is refused.
std::optional<bool> IsIgnored(const TranslationRecord& record, const std::string& element) {
  if (!record.supported()) return std::nullopt;
  for (const TranslatedElement& entry : record.Entries()) {
    if (entry.element == element) return entry.fidelity == Fidelity::kIgnored;
  }
  return std::nullopt;
}

bool IsIgnoredByAll(const std::vector<std::optional<Translation>>& translations,
                    const std::string& element) {
  bool any = false;
  for (const std::optional<Translation>& translation : translations) {
    const std::optional<bool> ignored = IsIgnored(translation->record, element);
    if (ignored == false) return false;
    any = any || ignored.has_value();
  }
  return any;
}

}  // namespace

std::string WarnOfIgnoredMaterials(const Experiment& experiment,
                                   const std::vector<std::optional<Translation>>& translations) {
  if (!std::ranges::all_of(translations, [](const auto& t) { return t.has_value(); })) return "";
  std::vector<std::string> names;
  for (const Body& body : experiment.scene->bodies) {
    if (!body.material || body.rigid) continue;
    if (!IsIgnoredByAll(translations, "body." + body.name + ".material")) continue;
    names.push_back("'" + body.name + "'");
  }
  if (names.empty()) return "";
  return "no chosen backend holds the material of body " + FirstNames(names) +
         ": only masses follow from it; `pliant check` says why";
}

}  // namespace pliant
