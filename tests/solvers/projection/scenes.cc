#include "tests/solvers/projection/scenes.h"

#include <gtest/gtest.h>

#include <memory>

#include "models/scene/forces.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"

namespace pliant {

using Eigen::Vector3d;

Translation TranslateBy(const std::string& formulation, const Scene& scene,
                        const ParameterValues& parameters) {
  Validate(scene);
  return FindBackend(formulation)->Translate(std::make_shared<const Scene>(scene), parameters);
}

Body Sheet(int points_per_side) {
  return MakeSheet("sheet", {1.0, 1.0}, {points_per_side, points_per_side}, 1.0);
}

Obstacle Floor(const std::string& name, const Vector3d& normal, double friction) {
  return {name, Plane{normal.normalized()}, Path::Still(Vector3d::Zero()), friction};
}

void ExpectTearsAreState(Simulation* one, Simulation* two) {
  const auto run = [](Simulation* simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation->Advance(0.01);
    return simulation->Save();
  };
  const Eigen::VectorXd whole = one->Save(), torn = run(one, 20), end = run(one, 20);
  ASSERT_FALSE(one->events().empty()) << "it tears";
  EXPECT_TRUE(end.allFinite());
  two->Restore(torn);
  EXPECT_EQ(run(two, 20), end);
  two->Restore(whole);
  EXPECT_EQ(run(two, 40), end);
}

double EnergyOf(const Scene& scene, const Observation& seen) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), *seen.velocities) +
         forces.GravitationalEnergy(seen.points) + seen.elastic_energy.value_or(0.0) +
         seen.spring_energy.value_or(0.0);
}

Observation RunFor(Simulation* simulation, int steps, double h) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kAdvanced) << outcome.quantity << ", step " << i;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) break;
  }
  return Observed(*simulation);
}

}  // namespace pliant
