#include "solvers/spacetime/row_kinds.h"

#include <algorithm>
#include <vector>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

// The rows of one name.
struct Kind {
  const RowGroup* group;
  double cost = 0.0;
  double scaled = 0.0;
  double value = 0.0;
  double time = 0.0;
};

// Cost and worst violation by name, in the order of the program.
std::vector<Kind> ByKind(const SpacetimeProgram& program, const Eigen::VectorXd& values) {
  std::vector<Kind> kinds;
  const RowGroup* last = nullptr;
  Kind* kind = nullptr;
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (&group != last) {
      auto found = std::find_if(kinds.begin(), kinds.end(),
                                [&](const Kind& k) { return k.group->name == group.name; });
      if (found == kinds.end()) {
        kinds.push_back({&group});
        kinds.back().value = values[row];
        kinds.back().time = program.row_time(row);
        found = kinds.end() - 1;
      }
      kind = &*found;
      last = &group;
    }
    if (group.kind == RowKind::kCost) {
      kind->cost += values[row] * values[row];
      continue;
    }
    const double scaled = program.Violation(row, values[row]);
    if (!(scaled <= kind->scaled)) {  // also when it is NaN
      kind->scaled = scaled;
      kind->value = values[row];
      kind->time = program.row_time(row);
    }
  }
  return kinds;
}

}  // namespace

void AddKinds(const SpacetimeProgram& program, const Eigen::VectorXd& values,
              SpacetimeSummary* summary) {
  for (const Kind& kind : ByKind(program, values)) {
    if (kind.group->kind == RowKind::kCost) {
      summary->costs.push_back({kind.group->name, kind.cost});
      continue;
    }
    summary->kinds.push_back(
        {kind.group->name, kind.group->unit, kind.scaled, kind.value, kind.time});
    if (!(kind.scaled <= summary->worst.scaled) || summary->worst.name.empty()) {
      summary->worst = summary->kinds.back();
    }
  }
}

double WorstViolation(const SpacetimeProgram& program, const Eigen::VectorXd& values) {
  double worst = 0.0;
  for (int row = 0; row < program.rows(); ++row) {
    const double violation = program.Violation(row, values[row]);
    if (!(violation <= worst)) worst = violation;
  }
  return worst;
}

std::optional<int> WorstFixedRow(const SpacetimeProgram& program, const Eigen::VectorXd& values,
                                 double tolerance) {
  std::optional<int> worst;
  double most = tolerance;
  for (int i = 0; i < program.terms(); ++i) {
    if (!program.term(i).blocks().empty()) continue;
    for (int k = 0; k < program.term(i).rows(); ++k) {
      const int row = program.first_row(i) + k;
      const double violation = program.Violation(row, values[row]);
      if (violation <= most) continue;
      most = violation;
      worst = row;
    }
  }
  return worst;
}

void ReportEnd(const SpacetimeProgram& program, const SpacetimeOptions& options,
               SpacetimeTermination termination, const Eigen::VectorXd& x,
               const Eigen::VectorXd& multipliers, const Eigen::VectorXd& values,
               SpacetimeSummary* summary) {
  summary->termination = termination;
  summary->final_cost = program.Cost(values);
  summary->violation = WorstViolation(program, values);
  summary->feasible = summary->violation <= options.acceptable_violation;
  summary->residuals = ResidualsAt(program, x, RowMultipliers(program, multipliers), values);
  summary->evaluations += 1;
  summary->variables = program.variables();
  for (int row = 0; row < program.rows(); ++row) {
    const RowKind kind = program.group(row).kind;
    summary->cost_rows += kind == RowKind::kCost;
    summary->equalities += kind == RowKind::kEquality;
    summary->inequalities += kind == RowKind::kInequality;
  }
  AddKinds(program, values, summary);
  // A fixed row that is broken; the others might be satisfied.
  if (const auto fixed = WorstFixedRow(program, values, options.violation_tolerance)) {
    const RowGroup& group = program.group(*fixed);
    summary->worst = {group.name, group.unit, program.Violation(*fixed, values[*fixed]),
                      values[*fixed], program.row_time(*fixed)};
  }
  summary->message = MessageOf(*summary);
}

std::string MessageOf(const SpacetimeSummary& summary) {
  std::string message = summary.stopped ? "stopped" : std::string(ToString(summary.termination));
  if (summary.termination == SpacetimeTermination::kNoConvergence && summary.feasible) {
    message += ": no constraint is violated, but the motion is no optimum";
  } else if (!summary.converged()) {
    message += ": worst is '" + summary.worst.name + "', " + Digits(summary.worst.value, 3) + " " +
               summary.worst.unit + " at t = " + Fixed(summary.worst.time, 3) + " s";
  }
  return summary.note.empty() ? message : message + "; " + summary.note;
}

}  // namespace pliant
