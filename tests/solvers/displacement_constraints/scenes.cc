#include "tests/solvers/displacement_constraints/scenes.h"

#include "models/scene/validate.h"

namespace pliant::displacement_constraints {

std::unique_ptr<DisplacementConstraintsSimulation> Start(
    const Scene& scene, const DisplacementConstraintsOptions& options) {
  Validate(scene);
  return std::make_unique<DisplacementConstraintsSimulation>(
      std::make_shared<const Scene>(scene), options,
      MakeGridLevels(scene, options.force_fractions).get());
}

DisplacementConstraintsOptions SweptTo(double tolerance, int max_sweeps,
                                       DisplacementConstraintsOptions options) {
  options.tolerance = tolerance;
  options.max_sweeps = max_sweeps;
  return options;
}

Eigen::Vector3d Momentum(const SegmentSystem& segments) {
  return segments.velocities * segments.net().masses();
}

}  // namespace pliant::displacement_constraints
