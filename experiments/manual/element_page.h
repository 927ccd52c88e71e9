// What each formulation makes of each kind of element: the translation records of small scenes, one for each element, in a
// table. Printed by `pliant list elements`; docs/elements.md is the same with --markdown.

#ifndef PLIANT_EXPERIMENTS_MANUAL_ELEMENT_PAGE_H_
#define PLIANT_EXPERIMENTS_MANUAL_ELEMENT_PAGE_H_

#include <string>
#include <vector>

namespace pliant {

// What one formulation makes of the element of a sample.
struct SampledFidelity {
  std::string formulation;
  std::string
      word;  // "exact", "approximated", "ignored", or "refuses" where the scene cannot run for it
  std::string reason;  // may be empty
};

struct SampledElement {
  std::string name;   // "nail that moves"
  std::string entry;  // in a translation record: "nail.hook.motion"
  bool is_shape = false;
  std::string toml;                         // how a scene file writes it
  std::string scene;                        // the sample, with all backends
  std::vector<SampledFidelity> made_of_it;  // in the order of Backends()
};

// Translates all samples, with default parameters.
std::vector<SampledElement> SampleElements();

// A line for each element, a column for each formulation.
std::string ElementTable(const std::vector<SampledElement>& elements);

// The page: tables of shapes and of other elements, then each element with how it is written and the reasons.
std::string ElementPage(const std::vector<SampledElement>& elements);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_MANUAL_ELEMENT_PAGE_H_
