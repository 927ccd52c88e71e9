#include "solvers/translation.h"

#include <algorithm>

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
                                              "the backend does not support this element"});
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
  record->Say("notice.*", Fidelity::kIgnored, "gravity acts whether the body notices or not");
  record->Say("morph.*", Fidelity::kIgnored, "the rest shape does not change");
}

void SayBodiesPassThrough(const Scene& scene, const std::string& why, TranslationRecord* record) {
  for (const BodyContact& contact : scene.contacts) {
    if (contact.ignored) record->Say(ContactName(scene, contact), Fidelity::kExact, "");
  }
  record->Say("contact*", Fidelity::kIgnored, why);
}

void SayMaterialIgnored(const Scene& scene, TranslationRecord* record) {
  for (const Body& body : scene.bodies) {
    record->Say(
        "body." + body.name + ".material", Fidelity::kIgnored,
        "the masses follow from it; what the body resists and damps is set by the backend's "
        "own parameters");
  }
}

void SayMotionControlUnsupported(const Scene& scene, TranslationRecord* record) {
  for (const Obstacle& obstacle : scene.obstacles) {
    record->Say("obstacle." + obstacle.name + ".restitution", Fidelity::kIgnored,
                "the contact parameters determine the bounce");
  }
  const std::string always = "constraints of this backend hold for the whole run";
  for (const Nail& nail : scene.nails) {
    record->Say("nail." + nail.name + ".switch", Fidelity::kUnsupported, always);
  }
  for (const Attachment& attachment : scene.attachments) {
    record->Say("attachment." + attachment.name + ".switch", Fidelity::kUnsupported, always);
  }
  record->Say("slider.*", Fidelity::kUnsupported, "the method holds whole points, not directions");
  record->Say("limit.*", Fidelity::kUnsupported,
              "the method holds points exactly and has no ranges");
  record->Say("combination.*", Fidelity::kUnsupported,
              "the method holds single points, not combinations of them");
  record->Say("behaviour.*", Fidelity::kUnsupported,
              "the method has no points that a goal could move");
}

}  // namespace pliant
