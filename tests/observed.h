// What a simulation shows, what the record of its translation says, and that what it saves is all
// that it goes on from.

#ifndef PLIANT_TESTS_OBSERVED_H_
#define PLIANT_TESTS_OBSERVED_H_

#include <gtest/gtest.h>

#include <string>

#include "solvers/simulation.h"

namespace pliant {

inline Observation Observed(const Simulation& simulation) {
  Observation observation;
  simulation.Observe(&observation);
  return observation;
}

// The first step of h that does not succeed, or the last of so many.
inline StepOutcome AdvanceUntilItStops(Simulation* simulation, double h, int most) {
  StepOutcome outcome;
  for (int i = 0; i < most && outcome.kind == StepOutcome::Kind::kAdvanced; ++i) {
    outcome = simulation->Advance(h);
  }
  return outcome;
}

// What the record says of an element; the test fails when it is not spoken of.
inline TranslatedElement EntryOf(const Translation& translation, const std::string& element) {
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.element == element) return entry;
  }
  ADD_FAILURE() << "no element " << element;
  return {};
}

// Runs `simulation` for n steps of h, restores its state into `other`, another one of the same scene
// and parameters, and runs both for `more` steps: they end in the same bits.
inline void ExpectContinuesBitForBit(Simulation* simulation, Simulation* other, double h, int n,
                                     int more) {
  for (int i = 0; i < n; ++i) simulation->Advance(h);
  other->Restore(simulation->Save());
  for (int i = 0; i < more; ++i) {
    simulation->Advance(h);
    other->Advance(h);
  }
  EXPECT_EQ(Observed(*simulation).points, Observed(*other).points);
  EXPECT_EQ(simulation->Save(), other->Save());
}

}  // namespace pliant

#endif  // PLIANT_TESTS_OBSERVED_H_
