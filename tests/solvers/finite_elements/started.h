// A scene in finite elements, started and observed.

#ifndef PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_STARTED_H_
#define PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_STARTED_H_

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "models/scene/validate.h"
#include "solvers/finite_elements/backend.h"

namespace pliant::finite_elements {

inline std::unique_ptr<Simulation> Start(const Scene& scene,
                                         const ParameterValues& parameters = {}) {
  Validate(scene);
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

inline Observation Observe(const Simulation& simulation) {
  Observation o;
  simulation.Observe(&o);
  return o;
}

inline double TotalEnergy(const Observation& o) {
  return o.sums->kinetic_energy + o.sums->gravitational_energy + StoredEnergy(o);
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_STARTED_H_
