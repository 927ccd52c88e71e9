#include "tests/solvers/projection/scenes.h"

#include <gtest/gtest.h>

#include <memory>

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

}  // namespace pliant
