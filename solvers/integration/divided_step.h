// A step taken in pieces. Each piece is judged: a rejected one, or one that diverges, is undone and halved; after an
// accepted one the next is twice as long.
//
// The first piece is the whole step, so that the division depends only on the state at its start. After kMostTrials
// trials, or below 2⁻⁴⁶ of the step, pieces are accepted unjudged and the step reports that it has not converged.

#ifndef PLIANT_SOLVERS_INTEGRATION_DIVIDED_STEP_H_
#define PLIANT_SOLVERS_INTEGRATION_DIVIDED_STEP_H_

#include <algorithm>

#include "solvers/simulation.h"

namespace pliant {

struct DividedStep {
  StepOutcome outcome;   // of the last piece that did not converge, if any
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
    const bool diverged = outcome.kind == StepOutcome::Kind::kDiverged;
    const bool accepted = !diverged && owner->AcceptsPiece(t + done + h);
    const bool spent = taken.trials >= kMostTrials;
    if (!accepted && !spent && h > kShortest * step) {
      owner->TakeBack();
      piece = 0.5 * h;
      continue;
    }
    if (diverged) {
      taken.outcome = outcome;
      return taken;
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
