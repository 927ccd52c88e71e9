// A jump from several initial guesses. A program of this kind has several optima, and the guess decides at which one a method
// ends: here each of N guesses is solved on its own, on all meshes, and the cheapest plan counts.
//
// Start 0 is the guess itself. Start k > 0 adds to it a smooth displacement, drawn from the seed k:
//
//   postures    at the middle and the end of each stance and flight, and at the middle of the rest each hinge moves by the share
//               σ of the way to an angle between its limits, uniform; between these times by 3s² − 2s³
//   arc         in flight the base rises by 4 s (1 − s) a g T²/8, a uniform in (0, 2): a = 1 is the arc of a body in free flight
//   tilt        in flight the base turns by 4 s (1 − s) σ times an angle between the limits of the tilt, uniform
//   durations   those that are free are uniform between their bounds
//
// where σ, one for each start, is uniform in (0, 1): some guesses are near the first, some are not.

#ifndef PLIANT_SOLVERS_SPACETIME_JUMP_STARTS_H_
#define PLIANT_SOLVERS_SPACETIME_JUMP_STARTS_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {

// The guess of start `start`, of `guess`, which has the phases of the problem. The same everywhere.
LampTrajectory PerturbedGuess(const LampJumpProblem& problem, const LampTrajectory& guess,
                              unsigned start);

// As LampJumpWatch, of one of the starts. Called by one thread at a time, not always the same one.
using JumpStartsWatch = std::function<bool(
    size_t start, double step, const SpacetimeIteration& iteration, const LampTrajectory& motion)>;

struct JumpStartsOptions {
  int starts = 1;  // ≥ 1
  int threads =
      1;  // ≥ 1; the result does not depend on it. The interior-point method solves one at a time
  JumpStartsWatch watch = {};

  void Validate() const;
};

// How one start ended, on the finest mesh from which it has a motion.
struct JumpStartResult {
  double mesh_step;  // s
  SpacetimeTermination termination;
  SpacetimeMethod method;  // that found its motion
  bool feasible;           // it violates nothing
  double cost;             // J [N² m² s]
  double violation;        // scaled, worst row
  double momentum_defect;  // of its flights (flight_momentum.h)
};

struct BestOfStarts {
  // Costs that differ by less than this share are one optimum: of these plans that of the first start counts, so that rounding does not
  // decide.
  static constexpr double kSameCost = 1e-6;

  LampJumpMotion motion;
  size_t from = 0;                      // the start of `motion`
  std::vector<JumpStartResult> starts;  // in order

  int converged() const;  // how many did
};

// `guess` and errors as SolveLampJump(); options.watch is not called. Of plans that converged that of the finest of the meshes asked for counts, of those the cheapest;
// else one that violates nothing, likewise; all of them before those that are too fast for their mesh (flight_momentum.h); else the first that has no certificate of infeasibility (no motion is a proof
// against another), or the first. A stop by `watch` ends all.
BestOfStarts SolveFromStarts(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const JumpStartsOptions& starts,
                             const LampTrajectory* guess = nullptr);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_JUMP_STARTS_H_
