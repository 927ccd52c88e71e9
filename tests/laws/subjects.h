// What the laws are tried on: every backend with parameters under which it runs, and small scenes
// that say which of the laws they can show.

#ifndef PLIANT_TESTS_LAWS_SUBJECTS_H_
#define PLIANT_TESTS_LAWS_SUBJECTS_H_

#include <Eigen/Geometry>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/simulation.h"

namespace pliant::laws {

struct Subject {
  std::string backend;         // as in the table of backends
  std::string variant;         // what the parameters choose: "rk4", "two_levels", …
  ParameterValues parameters;  // small rigid-enough materials, so that laws show within few steps
  int order = 1;               // of the time integration
  bool has_inertia = true;     // moves by itself; false for the kinematic response
  bool conserves_spin = true;  // angular momentum about the centre of mass
};

// "dynamic_ffd_rk4", in test names and in their messages.
std::string Name(const Subject& subject);
void PrintTo(const Subject& subject, std::ostream* out);

const std::vector<Subject>& Subjects();
std::vector<Subject> SubjectsWithInertia();

// A 5×5 sheet in the xy-plane, at rest, nothing around it, no gravity.
Scene RestingSheet();
// The same moving, turning about its normal and a little stretched.
Scene FlyingSheet();
// FlyingSheet falling under gravity.
Scene FallingSheet();
// RestingSheet on soft springs with a sphere that moves into it and away again.
Scene PressedSheet();

// The scene seen from another place: everything in it carried by `motion`.
Scene Carried(const Scene& scene, const Eigen::Isometry3d& motion);

// Translates; fails the test when the backend refuses.
std::unique_ptr<Simulation> Start(const Subject& subject, const Scene& scene);

// Runs n steps of h and observes the end. Steps that do not converge are tolerated (the methods
// that iterate report them); divergence fails the test.
Observation RunFor(Simulation* simulation, double h, int steps);

}  // namespace pliant::laws

#endif  // PLIANT_TESTS_LAWS_SUBJECTS_H_
