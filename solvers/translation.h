// What a backend did with each element of a scene, with reasons for a researcher to judge.

#ifndef PLIANT_SOLVERS_TRANSLATION_H_
#define PLIANT_SOLVERS_TRANSLATION_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

enum class Fidelity {
  kExact,         // the element is in the model as the scene states it
  kApproximated,  // the model replaces it: the reason says by what and how well
  kIgnored,       // has no effect on this run
  kUnsupported,   // the formulation cannot represent it: the scene is refused
};
std::string_view ToString(Fidelity fidelity);

struct TranslatedElement {
  std::string element;  // canonical name, see Elements(scene)
  Fidelity fidelity;
  std::string reason;  // why, or how; never empty unless exact
};

// Findings for the reader of a translation, such as the similarity of the modes of a body.
struct FindingTable {
  std::string title;
  std::vector<std::string> columns;            // with units in brackets
  std::vector<std::vector<std::string>> rows;  // as many entries as columns
  std::string remark;                          // one line below it; may be empty
  bool operator==(const FindingTable&) const = default;
};

// The record of one translation: one entry for every element of the scene, in its order.
class TranslationRecord {
 public:
  explicit TranslationRecord(const Scene& scene);

  // Says what became of `element` (or, with a trailing '*', of all elements with that beginning
  // that have no entry yet, such as "nail.*"). Elements that the scene does not have are skipped,
  // so that a backend states its rules once for every scene. A second entry for an element replaces
  // the first.
  void Say(const std::string& element, Fidelity fidelity, const std::string& reason);

  bool Has(const std::string& element) const;  // is it in the scene?

  // In the order of the scene. Elements without an entry are reported as ignored, with a reason
  // that says so; the laws suite forbids them.
  std::vector<TranslatedElement> Entries() const;

  bool supported() const;              // no element is unsupported
  std::string WhyUnsupported() const;  // the first three reasons and how many more, in one line

 private:
  struct Entry {
    std::string element;
    std::optional<TranslatedElement> said;
  };
  std::vector<Entry> entries_;  // in the order of the scene
  std::unordered_map<std::string, size_t> numbers_;
};

// The record of a backend without cartoon effects: bodies fall from the start and keep their rest
// shape.
void SayCartoonEffectsIgnored(TranslationRecord* record);

// The record of a backend whose bodies pass through each other, and `why`.
void SayBodiesPassThrough(const Scene& scene, const std::string& why, TranslationRecord* record);

// The record of a backend whose elasticity comes from its own parameters.
void SayMaterialIgnored(const Scene& scene, TranslationRecord* record);

// The record of a backend whose constraints cannot begin or end: refuses such constraints and the
// elements that need them. Replaces earlier entries.
void SayMotionControlUnsupported(const Scene& scene, TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_TRANSLATION_H_
