// What the tests of whole strips have in common: starting a scene, running it on, asking why not.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_RUNS_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_RUNS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/problem.h"
#include "models/scene/scene.h"
#include "solvers/kinematic_response/backend.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"

namespace pliant::kinematic_response {

using Numbers = std::vector<double>;

inline constexpr double kGravity = 9.81;  // m/s²

inline ParameterValues With(ParameterValues values, const std::string& name, ParameterValue value) {
  values[name] = std::move(value);
  return values;
}

inline Translation Translated(const Scene& scene, const ParameterValues& parameters = {}) {
  return TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
}

inline std::unique_ptr<Simulation> Started(const Scene& scene,
                                           const ParameterValues& parameters = {}) {
  Translation translation = Translated(scene, parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

inline Observation After(Simulation* simulation, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
  }
  return Observed(*simulation);
}

// What becomes of an element of the scene.
inline TranslatedElement Entry(const Scene& scene, const std::string& element,
                               const ParameterValues& parameters = {}) {
  return EntryOf(Translated(scene, parameters), element);
}

// What bad input is said to be, with its place; empty when it is none.
inline std::string Complaint(const Scene& scene, const ParameterValues& parameters) {
  return reference::PlacedComplaintOf([&] { Translated(scene, parameters); });
}

}  // namespace pliant::kinematic_response

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_RUNS_H_
