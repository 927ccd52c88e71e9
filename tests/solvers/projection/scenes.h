// Scenes that the tests of formulations with sweeps of positions share, and one way to run them.

#ifndef PLIANT_TESTS_SOLVERS_PROJECTION_SCENES_H_
#define PLIANT_TESTS_SOLVERS_PROJECTION_SCENES_H_

#include <Eigen/Core>
#include <string>

#include "tests/observed.h"
#include "tests/random_numbers.h"
#include "tests/scenes.h"

namespace pliant {

inline constexpr double kG = 9.81;  // m/s²

// Every formulation whose positions are corrected in sweeps.
inline constexpr const char* kSweepingFormulations[] = {"displacement-constraints",
                                                        "position-based"};

// Validates and translates.
Translation TranslateBy(const std::string& formulation, const Scene& scene,
                        const ParameterValues& parameters = {});

// A square sheet of side 1 m and 1 kg, flat in the plane z = 0.
Body Sheet(int points_per_side);

// A still plane through the origin with this outward normal.
Obstacle Floor(const std::string& name, const Eigen::Vector3d& normal, double friction = 0.0);

// Runs the first of two of a scene that tears within 20 steps of 10 ms: restored from it, the other
// continues torn as it was, bit for bit; restored to before it tore, it is whole.
void ExpectTearsAreState(Simulation* one, Simulation* two);

// Kinetic, gravitational, elastic and spring energy [J].
double EnergyOf(const Scene& scene, const Observation& seen);

// Advances by n steps of h; every step must converge.
Observation RunFor(Simulation* simulation, int steps, double h);

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_PROJECTION_SCENES_H_
