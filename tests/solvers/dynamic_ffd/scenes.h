// Scenes and modes in metres that the tests of the formulation run.

#ifndef PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SCENES_H_
#define PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SCENES_H_

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "models/scene/scene.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"

namespace pliant::dynamic_ffd {

// The table of the source at 1 : 200, 2 m × 1.5 m, 108 kg, in a planar scene.
Scene TableScene();
// Its four modes, drawn for 400 × 300 as in the source.
MatrixTable TableModes();
// The table thrown up under gravity, and spinning.
Scene SpinningTable();

// A mode by a shape of the library: its name, such texts as {"shape", "bend"}, and numbers.
NamedMatrix ShapedMode(const std::string& name, std::map<std::string, std::string> texts,
                       std::map<std::string, double> numbers = {});
// A shear, a bend and a squash of the library, damped and deformed at the start.
MatrixTable LibraryModes();

// A 3-D table of modes for a flat body in its xy plane: dome, twist and two squashes.
MatrixTable SheetModes();
// A 1×1×1 lattice with one mode that grows the body about the middle of its box: the stretch of a
// straight link whatever its direction.
MatrixTable LinkModes();

// With `modes` and a scheme: "semi-implicit-euler", "rk4", "implicit-midpoint".
ParameterValues With(const MatrixTable& modes, const std::string& scheme);

// Translates with the backend; fails the test when it refuses.
Translation Translated(const Scene& scene, const ParameterValues& parameters);

const DynamicFfdSimulation& AsFfd(const Translation& translation);

// Advances `steps` steps of h, failing the test unless every one advances, and observes.
Observation RunFor(Simulation* simulation, double h, int steps);
// True if a run of many steps stays within 100 m.
bool StaysBounded(const Scene& scene, const ParameterValues& parameters, double h);

// Total energy minus work (J): what the ledger says must stay.
double Balance(const Scene& scene, const Observation& o);
double MechanicalEnergy(const Scene& scene, const Observation& o);
Eigen::Vector3d CentreOf(const Scene& scene, const Observation& o);  // of mass [m]
Eigen::Vector3d SpinAboutCentre(const Scene& scene, const Observation& o);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SCENES_H_
