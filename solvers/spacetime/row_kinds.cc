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

std::string MessageOf(const SpacetimeSummary& summary, bool stopped) {
  std::string message = stopped ? "stopped" : std::string(ToString(summary.termination));
  if (summary.termination == SpacetimeTermination::kNoConvergence && summary.feasible) {
    return message + ": no constraint is violated, but the cost has not converged";
  }
  if (summary.converged()) return message;
  return message + ": worst is '" + summary.worst.name + "', " + Digits(summary.worst.value, 3) +
         " " + summary.worst.unit + " at t = " + Fixed(summary.worst.time, 3) + " s";
}

}  // namespace pliant
