#include "solvers/spacetime/plan_record.h"

#include <cassert>

namespace pliant {
namespace {

std::vector<PlanRecord::Constraint> ConstraintsOf(const LampJumpMotion& motion) {
  const SpacetimeProgram& program = motion.program->program();
  Eigen::VectorXd values;
  program.Evaluate(motion.unknowns, &values);
  std::vector<PlanRecord::Constraint> constraints;
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (group.kind == RowKind::kCost) continue;
    const double unit = motion.units.Of(group.unit);
    constraints.push_back(
        {group.name, group.unit, group.kind,
         motion.units.time * motion.program->RowTime(motion.unknowns, row), unit * values[row],
         motion.units.cost() / unit * motion.row_multipliers[row], group.scale / unit});
  }
  return constraints;
}

}  // namespace

PlanRecord RecordOf(const LampJumpProblem& problem, LampTranscription transcription,
                    const LampJumpMotion& motion) {
  assert(motion.program != nullptr);
  PlanRecord record;
  record.problem = problem;
  record.transcription = transcription;
  record.motion = motion.trajectory;
  record.samples = motion.program->Samples(motion.unknowns);
  for (LampJumpProgram::Sample& sample : record.samples) {
    sample.time *= motion.units.time;
    sample.span *= motion.units.time;
    sample.motion = FromUnits(sample.motion, motion.units);
  }
  record.constraints = ConstraintsOf(motion);
  for (const LampJumpMotion::Level& level : motion.levels) {
    for (const SpacetimeIteration& iteration : level.summary.history) {
      record.iterations.push_back({level.step, iteration});
    }
  }
  record.mesh_step = motion.levels[motion.level].step;
  record.method = motion.summary().method;
  record.cost = motion.summary().final_cost;
  record.cost_terms = motion.summary().costs;
  record.residuals = motion.summary().residuals;
  return record;
}

}  // namespace pliant
