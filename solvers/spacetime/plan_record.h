// A planned jump as plain data at full precision: what the files of a plan hold (docs/bundles.md),
// and what another tool needs to check the plan or to start from it.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_RECORD_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_RECORD_H_

#include <optional>
#include <string>
#include <vector>

#include "solvers/spacetime/constraint_record.h"
#include "solvers/spacetime/deformable_jump.h"
#include "solvers/spacetime/jump_starts.h"
#include "solvers/spacetime/lamp_jump.h"

namespace pliant {

struct PlanRecord {
  using Constraint = ConstraintRecord;
  // What a regulator adds to the torques of the hinges: −K (δq; δq̇) of the deviation from the plan.
  struct Feedback {
    struct Step {
      int phase;    // its number, from 0
      double time;  // s; K is linear between the times of a phase, and stays after the last
      Eigen::Matrix<double, articulated_lamp::kLampHinges, 2 * articulated_lamp::kLampDof> gains;
    };
    double angle, rate, length;  // weights (solvers/articulated_lamp/plan_regulator.h)
    std::vector<Step> steps;     // in the order of time
  };
  struct Iteration {
    double mesh_step;  // s, of the mesh that it belongs to
    SpacetimeIteration result;
  };

  LampJumpProblem problem;
  LampTranscription transcription = LampTranscription::kHermite;
  SpacetimeMethod method = SpacetimeMethod::kAugmentedLagrangian;  // that found the plan
  double mesh_step = 0.0;                                          // s, of the mesh of the plan
  Eigen::Vector2d origin = Eigen::Vector2d::Zero();    // m, of the plan's coordinates, in the world
  LampTrajectory motion;                               // its nodes
  std::vector<LampJumpProgram::Sample> samples;        // where physics holds, with all forces
  std::vector<Constraint> constraints;                 // in the order of the program
  std::vector<Iteration> iterations;                   // outer ones, of all meshes
  double cost = 0.0;                                   // J [N² m² s]
  std::vector<SpacetimeSummary::CostTerm> cost_terms;  // of which J is the sum
  OptimalityResiduals residuals;
  size_t start = 0;                          // of whose initial guess it comes
  std::vector<JumpStartResult> starts = {};  // how all ended, in order
  std::optional<Feedback> feedback = {};     // absent without a regulator
};

// `motion` has a program; `problem` and `transcription` are those it was found for.
PlanRecord RecordOf(const LampJumpProblem& problem, LampTranscription transcription,
                    const LampJumpMotion& motion);

// The plan of a deformable character; its coordinates begin at `origin` in the world.
struct DeformablePlanRecord {
  DeformableJumpProblem problem;
  DeformableJumpPlan plan;
  Eigen::Vector2d origin;  // m
};

// What follows a plan, of one of the two kinds. A simulation that does is also one of these.
class PlanFollower {
 public:
  virtual ~PlanFollower() = default;
  virtual std::optional<PlanRecord> plan_record() const { return std::nullopt; }
  virtual std::optional<DeformablePlanRecord> deformable_plan() const { return std::nullopt; }
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_RECORD_H_
