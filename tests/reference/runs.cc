#include "tests/reference/runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/validate.h"

namespace pliant::reference {

Translation Translated(const Backend& backend, const Scene& scene,
                       const ParameterValues& parameters) {
  Validate(scene);
  Translation translation = backend.Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return translation;
}

std::unique_ptr<Simulation> Started(const Backend& backend, const Scene& scene,
                                    const ParameterValues& parameters) {
  return Translated(backend, scene, parameters).simulation;
}

Observation Observed(const Simulation& simulation) {
  Observation o;
  simulation.Observe(&o);
  return o;
}

Observation After(Simulation* simulation, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kAdvanced) << outcome.quantity << ", step " << i;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) break;
  }
  return Observed(*simulation);
}

TranslatedElement EntryOf(const Translation& translation, const std::string& element) {
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.element == element) return entry;
  }
  ADD_FAILURE() << "no element " << element;
  return {};
}

double MechanicalEnergy(const Scene& scene, const Observation& o) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), o.velocities.value()) +
         forces.GravitationalEnergy(o.points) + o.elastic_energy.value_or(0.0) +
         o.spring_energy.value_or(0.0);
}

double Balance(const Scene& scene, const Observation& o) {
  return MechanicalEnergy(scene, o) - o.work->Sum();
}

double ObservedOrder(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace pliant::reference
