// The units in which a jump is planned: those in which the lamp has the size of the one that scales, weights and tolerances
// of the program were chosen for (lamp_terms.cc, solve.h; Ceres scales columns by 1 + their norm). In these units a search takes
// the same steps whatever the units of the scene, and a lamp of another size is searched as well as that one.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_

#include <string>

#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

struct LampUnits {
  double length = 1.0, mass = 1.0, time = 1.0;  // m, kg, s

  bool operator==(const LampUnits&) const = default;
  bool are_si() const { return length == 1.0 && mass == 1.0 && time == 1.0; }
  double force() const { return mass * length / (time * time); }  // N
  // One of a unit of rows, "N·m", in SI. Throws std::logic_error for one that no row has.
  double Of(const std::string& unit) const;
  double cost() const;  // N² m² s, of J
};

// Those of a lamp of which the lower arm is 0.3 m long and the base has 1 kg, under 9.81 m/s²; where there is no gravity, with
// 0.6 s in the stance. `problem` is valid.
LampUnits UnitsOf(const LampJumpProblem& problem);

LampJumpProblem InUnits(const LampJumpProblem& problem, const LampUnits& units);
LampTrajectory InUnits(const LampTrajectory& motion, const LampUnits& units);

// Back to SI.
LampTrajectory FromUnits(const LampTrajectory& motion, const LampUnits& units);
LampSample FromUnits(const LampSample& sample, const LampUnits& units);
SpacetimeIteration FromUnits(const SpacetimeIteration& iteration, const LampUnits& units);
SpacetimeSummary FromUnits(const SpacetimeSummary& summary, const LampUnits& units);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_
