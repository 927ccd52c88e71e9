// How a test starts a scene, runs it on, and asks why not.

#ifndef PLIANT_TESTS_REFERENCE_RUNS_H_
#define PLIANT_TESTS_REFERENCE_RUNS_H_

#include <memory>
#include <string>

#include "models/scene/scene.h"
#include "solvers/simulation.h"

namespace pliant::reference {

// Validates the scene and translates it; fails the test when the backend refuses.
Translation Translated(const Backend& backend, const Scene& scene,
                       const ParameterValues& parameters = {});
std::unique_ptr<Simulation> Started(const Backend& backend, const Scene& scene,
                                    const ParameterValues& parameters = {});

Observation Observed(const Simulation& simulation);

// Advances `steps` steps of h, each of which must advance, and observes.
Observation After(Simulation* simulation, double h, int steps);

// What became of an element of the scene; fails the test when the record does not mention it.
TranslatedElement EntryOf(const Translation& translation, const std::string& element);

// Kinetic, gravitational, elastic and spring energy [J].
double MechanicalEnergy(const Scene& scene, const Observation& o);
// The same less all work: what the ledger says must stay [J].
double Balance(const Scene& scene, const Observation& o);

// log2 of an error over that of half the step.
double ObservedOrder(double coarse, double fine);

}  // namespace pliant::reference

#endif  // PLIANT_TESTS_REFERENCE_RUNS_H_
