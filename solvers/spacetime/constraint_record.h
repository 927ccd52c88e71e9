// Rows of a plan that are no cost, as plain data in SI units.

#ifndef PLIANT_SOLVERS_SPACETIME_CONSTRAINT_RECORD_H_
#define PLIANT_SOLVERS_SPACETIME_CONSTRAINT_RECORD_H_

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "solvers/spacetime/plan_units.h"
#include "solvers/spacetime/program.h"

namespace pliant {

struct ConstraintRecord {
  std::string name;  // in words; rows of one name at one time are in the order of their term
  std::string unit;
  RowKind kind;
  double time;        // s
  double value;       // c or g, in `unit`
  double multiplier;  // y or z of optimality.h, unit of J per `unit`
  double scale;       // s, of the scaled violation
};

// Of a program in `units` at x, with y and z of its rows, in the order of the program; `row_time`: when a row holds, in the units of
// the program.
std::vector<ConstraintRecord> RecordConstraints(const SpacetimeProgram& program,
                                                const Eigen::VectorXd& x,
                                                const Eigen::VectorXd& row_multipliers,
                                                const PlanUnits& units,
                                                const std::function<double(int)>& row_time);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_CONSTRAINT_RECORD_H_
