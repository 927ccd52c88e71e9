#include "solvers/spacetime/constraint_record.h"

namespace pliant {

std::vector<ConstraintRecord> RecordConstraints(const SpacetimeProgram& program,
                                                const Eigen::VectorXd& x,
                                                const Eigen::VectorXd& row_multipliers,
                                                const PlanUnits& units,
                                                const std::function<double(int)>& row_time) {
  Eigen::VectorXd values;
  program.Evaluate(x, &values);
  std::vector<ConstraintRecord> constraints;
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (group.kind == RowKind::kCost) continue;
    const double unit = units.Of(group.unit);
    constraints.push_back({group.name, group.unit, group.kind, units.time * row_time(row),
                           unit * values[row], units.cost() / unit * row_multipliers[row],
                           group.scale / unit});
  }
  return constraints;
}

}  // namespace pliant
