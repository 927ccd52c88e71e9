#include "solvers/translation.h"

#include <algorithm>

#include "solvers/held_throughout.h"

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

TranslationRecord::TranslationRecord(const Scene& scene) {
  for (std::string& name : Elements(scene)) {
    numbers_.emplace(name, entries_.size());
    entries_.push_back({std::move(name), std::nullopt});
  }
}

bool TranslationRecord::Has(const std::string& element) const { return numbers_.contains(element); }

void TranslationRecord::Say(const std::string& element, Fidelity fidelity,
                            const std::string& reason) {
  if (!element.empty() && element.back() == '*') {
    const std::string_view beginning = std::string_view(element).substr(0, element.size() - 1);
    for (Entry& entry : entries_) {
      if (entry.said || !entry.element.starts_with(beginning)) continue;
      entry.said = {entry.element, fidelity, reason};
    }
    return;
  }
  const auto number = numbers_.find(element);
  if (number != numbers_.end()) entries_[number->second].said = {element, fidelity, reason};
}

// In a refused scene what has no entry, and what belongs to an unsupported body ("body.rope.material"), was not reached,
// whatever the rules of the backend say of it.
std::vector<TranslatedElement> TranslationRecord::Entries() const {
  const bool refused = !supported();
  const std::string unsaid = refused ? "not reached: the scene was refused before"
                                     : "the backend does not support this element";
  const auto is_of_refused_body = [&](const std::string& element) {
    if (!refused || !element.starts_with("body.")) return false;
    const auto number = numbers_.find(element.substr(0, element.rfind('.')));
    if (number == numbers_.end()) return false;
    const std::optional<TranslatedElement>& body = entries_[number->second].said;
    return body && body->fidelity == Fidelity::kUnsupported;
  };
  std::vector<TranslatedElement> entries;
  for (const Entry& entry : entries_) {
    TranslatedElement one =
        entry.said.value_or(TranslatedElement{entry.element, Fidelity::kIgnored, unsaid});
    if (one.fidelity != Fidelity::kUnsupported && is_of_refused_body(entry.element))
      one = {entry.element, Fidelity::kIgnored, unsaid};
    entries.push_back(std::move(one));
  }
  return entries;
}

bool TranslationRecord::supported() const {
  return std::none_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.said && entry.said->fidelity == Fidelity::kUnsupported;
  });
}

std::string TranslationRecord::WhyUnsupported() const {
  constexpr int kNamed = 3;
  std::string why;
  int count = 0;
  for (const Entry& entry : entries_) {
    if (!entry.said || entry.said->fidelity != Fidelity::kUnsupported) continue;
    if (++count > kNamed) continue;
    why += (count == 1 ? "" : "; ") + entry.element + ": " + entry.said->reason;
  }
  if (count > kNamed) why += "; and " + std::to_string(count - kNamed) + " more";
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
  const std::string always = kHeldThroughout;
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
