// The lattice that a mode table describes, at its top level or in a [[lattice]].

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_PLAN_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_PLAN_H_

#include "models/dynamic_ffd/modes.h"
#include "solvers/dynamic_ffd/mode_entry.h"
#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

// Names of the numbers and texts that describe a lattice.
const std::vector<std::string>& LatticeNumbers();
const std::vector<std::string>& LatticeTexts();

// `layers`: rows of the matrices of displacements, 2 for one layer along z unless said otherwise.
// Numbers and texts that do not belong to a lattice are ignored.
LatticePlan ReadLatticePlan(const NamedMatrix& entry, int layers,
                            const ModeTableProblems& problems);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_LATTICE_PLAN_H_
