// An experiment in other units, and shifted in time: the same numbers of another system of units, whose motion is
// the same one measured otherwise.
//
// Every length is multiplied by `length`, every mass by `mass`, every time by `time`, and every other quantity by
// what its unit says: a stiffness in N/m = kg/s² by mass / time². Parameters say their units themselves
// (solvers/parameters.h), also those that have their defaults.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_UNITS_H_
#define PLIANT_EXPERIMENTS_CLAIMS_UNITS_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

// Powers of two scale floating-point numbers without rounding.
struct UnitFactors {
  double length = 4.0;
  double mass = 0.125;
  double time = 2.0;
};

// By what a quantity of this unit is multiplied: "N s/m", "1/s", "m/(kg s)", "J", "1"; absent for a unit that is not
// known.
std::optional<double> FactorOf(const std::string& unit, const UnitFactors& factors);

// With the backend at `index` only. Throws BadInput for what has no such view: behaviours, whose scripts are texts;
// data tables whose numbers have no known units.
Experiment InUnits(const Experiment& experiment, size_t index, const UnitFactors& factors);

// Names of the data tables that the choice gives, but these.
std::vector<std::string> TablesOf(const BackendChoice& choice, const std::set<std::string>& but);

// Everything in the scene that happens, later by `shift` [s], and the end of the run too. Throws BadInput for
// behaviours, and for motions whose times are counted from 0 s: key frames, poses, strokes, bones, plans.
Experiment ShiftedInTime(const Experiment& experiment, size_t index, double shift);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_UNITS_H_
