// How the tests of displacement constraints start and measure a simulation of segments.

#ifndef PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_
#define PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_

#include <Eigen/Core>
#include <memory>

#include "models/scene/scene.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "tests/random_numbers.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant::displacement_constraints {

std::unique_ptr<DisplacementConstraintsSimulation> Start(
    const Scene& scene, const DisplacementConstraintsOptions& options = {});

// With sweeps until no gap exceeds this share of an edge, but no more than so many.
DisplacementConstraintsOptions SweptTo(double tolerance, int max_sweeps,
                                       DisplacementConstraintsOptions options = {});

// Σ m v over the segments of one level [kg m/s].
Eigen::Vector3d Momentum(const SegmentSystem& segments);

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_
