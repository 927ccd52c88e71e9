#include "tests/solvers/displacement_constraints/scenes.h"

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"

namespace pliant::displacement_constraints {

using Eigen::Vector3d;

Scene Alone(const Body& body) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {body};
  return scene;
}

Body Sheet(int points_per_side) {
  return MakeSheet("sheet", {1.0, 1.0}, {points_per_side, points_per_side}, 1.0);
}

Nail NailWhereItStarts(const Scene& scene, const std::string& name, PointRef point) {
  return {name, point, Path::Still(scene.InitialPoints().col(scene.Index(point)))};
}

Obstacle Floor(const std::string& name, const Vector3d& normal, double friction) {
  return {name, Plane{normal.normalized()}, Path::Still(Vector3d::Zero()), friction};
}

std::unique_ptr<DisplacementConstraintsSimulation> Start(
    const Scene& scene, const DisplacementConstraintsOptions& options) {
  Validate(scene);
  return std::make_unique<DisplacementConstraintsSimulation>(
      std::make_shared<const Scene>(scene), options,
      MakeGridLevels(scene, options.force_fractions).get(),
      MakeSolverLevels(scene, options.solver_levels).get());
}

Observation RunFor(Simulation* simulation, int steps, double h) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kAdvanced) << outcome.quantity << ", step " << i;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) break;
  }
  Observation observation;
  simulation->Observe(&observation);
  return observation;
}

Vector3d Momentum(const SegmentSystem& segments) {
  return segments.velocities * segments.net().masses();
}

}  // namespace pliant::displacement_constraints
