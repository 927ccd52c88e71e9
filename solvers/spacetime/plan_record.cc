#include "solvers/spacetime/plan_record.h"

#include <cassert>

namespace pliant {
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
  record.constraints = RecordConstraints(
      motion.program->program(), motion.unknowns, motion.row_multipliers, motion.units,
      [&motion](int row) { return motion.program->RowTime(motion.unknowns, row); });
  for (const PlanLevel& level : motion.levels) {
    for (const SpacetimeIteration& iteration : level.summary.history) {
      record.iterations.push_back({level.step, iteration});
    }
  }
  record.mesh_step = motion.best().step;
  record.method = motion.summary().method;
  record.cost = motion.summary().final_cost;
  record.cost_terms = motion.summary().costs;
  record.residuals = motion.summary().residuals;
  return record;
}

}  // namespace pliant
