// A step in as many pieces as something asks for that is judged after each: a piece that is not
// accepted is taken back and halved, the one after an accepted piece is twice as long.
//
// The first piece is the whole step, so that the pieces depend on the state at its start alone. The cost is
// bounded: after kMostTrials pieces, or below 2⁻⁴⁶ of the step, what comes is taken as it is, and the step has not
// converged.

#ifndef PLIANT_SOLVERS_INTEGRATION_DIVIDED_STEP_H_
#define PLIANT_SOLVERS_INTEGRATION_DIVIDED_STEP_H_

#include <algorithm>

#include "solvers/simulation.h"

namespace pliant {

struct DividedStep {
  StepOutcome outcome;   // of the last piece; of the first that did not converge
  int pieces = 0;        // that were accepted
  int trials = 0;        // all of them
  bool gave_up = false;  // was one taken that was not acceptable?
};

// Owner:
//   void Keep()                                     remembers the state
//   void TakeBack()                                 returns to the one last remembered
//   StepOutcome TakePiece(double t, double h)       advances by h from t
//   bool AcceptsPiece(double end)                   judges what happened since Keep(), ending at `end`
template <typename Owner>
DividedStep TakeDividedStep(double t, double step, Owner* owner) {
  constexpr int kMostTrials = 5000;
  constexpr double kShortest = 0x1p-46;  // of the step
  DividedStep taken;
  double done = 0.0, piece = step;
  while (done < step) {
    const double left = step - done;
    const bool last = piece >= left * (1.0 - 1e-9);
    const double h = last ? left : piece;
    owner->Keep();
    const StepOutcome outcome = owner->TakePiece(t + done, h);
    ++taken.trials;
    if (outcome.kind == StepOutcome::Kind::kDiverged) {
      taken.outcome = outcome;
      return taken;
    }
    const bool accepted = owner->AcceptsPiece(t + done + h);
    const bool spent = taken.trials >= kMostTrials;
    if (!accepted && !spent && h > kShortest * step) {
      owner->TakeBack();
      piece = 0.5 * h;
      continue;
    }
    taken.gave_up = taken.gave_up || !accepted;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) taken.outcome = outcome;
    ++taken.pieces;
    done = last ? step : done + h;
    piece = spent ? step : 2.0 * h;
  }
  return taken;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_INTEGRATION_DIVIDED_STEP_H_
