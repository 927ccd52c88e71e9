// The units in which a jump is planned: those in which the character has the size of the one that scales, weights and tolerances
// of the program were chosen for (plan_rows.h, solve.h; Ceres scales columns by 1 + their norm). In these units a search takes
// the same steps whatever the units of the scene, and a character of another size is searched as well as that one.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_UNITS_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_UNITS_H_

#include <string>

#include "solvers/spacetime/solve.h"

namespace pliant {

struct PlanUnits {
  double length = 1.0, mass = 1.0, time = 1.0;  // m, kg, s

  bool operator==(const PlanUnits&) const = default;
  bool are_si() const { return length == 1.0 && mass == 1.0 && time == 1.0; }
  double force() const { return mass * length / (time * time); }  // N
  // One of a unit of rows, "N·m", in SI. Throws std::logic_error for one that no row has.
  double Of(const std::string& unit) const;
  double cost() const;  // N² m² s, of J
};

// Back to SI.
SpacetimeIteration FromUnits(const SpacetimeIteration& iteration, const PlanUnits& units);
SpacetimeSummary FromUnits(const SpacetimeSummary& summary, const PlanUnits& units);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_UNITS_H_
