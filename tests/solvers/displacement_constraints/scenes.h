// Scenes and nets that the tests of displacement constraints share, and one way to run them.

#ifndef PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_
#define PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_

#include <Eigen/Core>
#include <memory>

#include "models/scene/scene.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "tests/random_numbers.h"

namespace pliant::displacement_constraints {

inline constexpr double kG = 9.81;  // m/s²

// One body that nothing acts on, not even gravity.
Scene Alone(const Body& body);

// A square sheet of side 1 m and 1 kg, flat in the plane z = 0.
Body Sheet(int points_per_side);

// A nail that holds a point of the scene where it starts.
Nail NailWhereItStarts(const Scene& scene, const std::string& name, PointRef point);

// A still plane through the origin with this outward normal.
Obstacle Floor(const std::string& name, const Eigen::Vector3d& normal, double friction = 0.0);

std::unique_ptr<DisplacementConstraintsSimulation> Start(
    const Scene& scene, const DisplacementConstraintsOptions& options = {});

// Advances by n steps of h; every step must converge.
Observation RunFor(Simulation* simulation, int steps, double h);

// Σ m v over the segments of one level [kg m/s].
Eigen::Vector3d Momentum(const SegmentSystem& segments);

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_SCENES_H_
