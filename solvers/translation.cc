#include "solvers/translation.h"

#include <algorithm>
#include <cstdio>

namespace pliant {

std::string_view ToString(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::kExact:
      return "exact";
    case Fidelity::kApproximated:
      return "approximated";
    case Fidelity::kIgnored:
      return "ignored";
    case Fidelity::kUnsupported:
      return "unsupported";
  }
  return "";
}

bool TranslationRecord::Has(const std::string& element) const {
  return std::find(names_.begin(), names_.end(), element) != names_.end();
}

void TranslationRecord::Say(const std::string& element, Fidelity fidelity,
                            const std::string& reason) {
  auto said = [&](const std::string& name) {
    return std::find_if(said_.begin(), said_.end(),
                        [&](const TranslatedElement& entry) { return entry.element == name; });
  };
  if (!element.empty() && element.back() == '*') {
    const std::string beginning = element.substr(0, element.size() - 1);
    for (const std::string& name : names_) {
      if (name.starts_with(beginning) && said(name) == said_.end()) {
        said_.push_back({name, fidelity, reason});
      }
    }
    return;
  }
  if (!Has(element)) return;
  if (auto entry = said(element); entry != said_.end()) {
    *entry = {element, fidelity, reason};
  } else {
    said_.push_back({element, fidelity, reason});
  }
}

std::vector<TranslatedElement> TranslationRecord::Entries() const {
  std::vector<TranslatedElement> entries;
  for (const std::string& name : names_) {
    const auto entry = std::find_if(said_.begin(), said_.end(), [&](const TranslatedElement& said) {
      return said.element == name;
    });
    entries.push_back(entry != said_.end()
                          ? *entry
                          : TranslatedElement{name, Fidelity::kIgnored,
                                              "the backend does not know this element"});
  }
  return entries;
}

bool TranslationRecord::supported() const {
  return std::none_of(said_.begin(), said_.end(), [](const TranslatedElement& entry) {
    return entry.fidelity == Fidelity::kUnsupported;
  });
}

std::string TranslationRecord::WhyUnsupported() const {
  std::string why;
  for (const TranslatedElement& entry : Entries()) {
    if (entry.fidelity != Fidelity::kUnsupported) continue;
    why += (why.empty() ? "" : "; ") + entry.element + ": " + entry.reason;
  }
  return why;
}

void SayCartoonEffectsIgnored(TranslationRecord* record) {
  record->Say("notice.*", Fidelity::kIgnored,
              "gravity, where it acts at all, acts whether the body notices or not");
  record->Say("morph.*", Fidelity::kIgnored, "the rest shape stays what it is at the start");
}

std::string ThreeDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace pliant
