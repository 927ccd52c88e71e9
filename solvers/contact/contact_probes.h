// Probes of contact (models/scene/probe.h) that a formulation cannot measure, in words.

#ifndef PLIANT_SOLVERS_CONTACT_CONTACT_PROBES_H_
#define PLIANT_SOLVERS_CONTACT_CONTACT_PROBES_H_

#include <string>
#include <vector>

#include "models/scene/probe.h"
#include "solvers/simulation.h"

namespace pliant {

// A line for each of them that says why.
std::vector<std::string> ContactProbesNotDefined(const std::vector<Probe>& probes,
                                                 const BackendInfo& info,
                                                 const Simulation& simulation);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_CONTACT_PROBES_H_
