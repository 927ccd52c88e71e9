// What a backend did with each element of a scene, in words a researcher can weigh.

#ifndef PLIANT_SOLVERS_TRANSLATION_H_
#define PLIANT_SOLVERS_TRANSLATION_H_

#include <string>
#include <string_view>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

enum class Fidelity {
  kExact,         // the element is in the model as the scene states it
  kApproximated,  // stands in for it: the reason says what and how well
  kIgnored,       // has no effect on this run
  kUnsupported,   // the formulation cannot represent it: the scene is refused
};
std::string_view ToString(Fidelity fidelity);

struct TranslatedElement {
  std::string element;  // canonical name, see Elements(scene)
  Fidelity fidelity;
  std::string reason;  // why, or how; never empty unless exact
};

// Numbers that a reader of a translation wants to weigh: how alike the modes of a body are.
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
  explicit TranslationRecord(const Scene& scene) : names_(Elements(scene)) {}

  // Says what became of `element` (or, with a trailing '*', of all elements with that beginning
  // that have no entry yet, such as "nail.*"). Elements that the scene lacks are passed over, so
  // that a backend states its rules once for every scene. A second word on an element replaces the
  // first.
  void Say(const std::string& element, Fidelity fidelity, const std::string& reason);

  bool Has(const std::string& element) const;  // is it in the scene?

  // In the order of the scene. Elements nobody spoke of are reported as ignored, with a reason that
  // admits it; the laws suite forbids them.
  std::vector<TranslatedElement> Entries() const;

  bool supported() const;              // no element is unsupported
  std::string WhyUnsupported() const;  // all reasons, in one line

 private:
  std::vector<std::string> names_;
  std::vector<TranslatedElement> said_;
};

// A number as records and warnings say it: three significant digits, 4500 and not 4.5e+03; a power
// of ten from 1e5 on and below 1e-4.
std::string ThreeDigits(double value);

// What a backend without cartoon effects says of them: bodies fall from the start and keep their
// rest shape.
void SayCartoonEffectsIgnored(TranslationRecord* record);

// What a backend without constraints that come and go says of them, and of what they are for.
// Replaces what was said of them.
void SayMotionControlUnsupported(const Scene& scene, TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_TRANSLATION_H_
