// What makes the motion of a formulation depend on how its scene is seen: a parameter with which it does not, and the
// reason. A cause is shown, not assumed: invariance.h runs the views that differ once more without it.
//
// A difference is put down to a cause where it vanishes up to rounding once the parameter has its other value; to a
// tolerance, a number of sweeps or a step where it is at most half as large once they are refined; and to gaps that
// remain where rest points that are displaced once by the largest of them lead a quarter as far or further: a sheet
// that folds magnifies what sweeps leave over.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_VIEW_CAUSES_H_
#define PLIANT_EXPERIMENTS_CLAIMS_VIEW_CAUSES_H_

#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

struct ViewCause {
  std::string name;        // "the tolerance"
  std::string why;         // one line
  std::string otherwise;   // what is changed, in words: "casting = nearest"
  ParameterValues values;  // that the changed choice has
  double step = 1.0;       // by which the step is multiplied
  bool falls = false;      // it falls, since what is changed is refined, and need not be gone
  bool by_gaps = false;    // rest points are displaced by the largest gap of the run instead
};

// Those that act in this choice, the likeliest first; none where its parameters are already those without.
std::vector<ViewCause> CausesIn(const BackendChoice& choice);

// All parameters of them at once.
ViewCause Together(const std::vector<ViewCause>& causes);

// The experiment with the parameters of the cause in the choice at `index`.
Experiment Without(const ViewCause& cause, const Experiment& experiment, size_t index);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_VIEW_CAUSES_H_
