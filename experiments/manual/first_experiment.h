// A first experiment to change: a body, what holds it and what lies below, commented, ready to run.

#ifndef PLIANT_EXPERIMENTS_MANUAL_FIRST_EXPERIMENT_H_
#define PLIANT_EXPERIMENTS_MANUAL_FIRST_EXPERIMENT_H_

#include <string>
#include <vector>

namespace pliant {

struct FirstChoice {
  std::string shape = "block";    // one of FirstShapes()
  std::string held = "one-side";  // one of FirstHolds()
  std::string below = "floor";    // one of FirstObstacles()
};

const std::vector<std::string>& FirstShapes();     // block, sheet, chain
const std::vector<std::string>& FirstHolds();      // nothing, one-side, both-sides
const std::vector<std::string>& FirstObstacles();  // nothing, floor, ball

// The shipped mode table (in data/modes) that dynamic-ffd needs for the shape; empty where the experiment has its
// lattice in itself.
std::string ModeTableOf(const std::string& shape);

// The text of the experiment file. `modes` names the copy of ModeTableOf() relative to the file. Penalties let each point
// sink in by a millimetre under its own weight; the step is below the limits of all backends. What lies below is met
// within the duration in every formulation; one that would not stay within its energy is left out, and the text says why. Throws BadInput for a
// word that is not in its list.
std::string FirstExperimentText(const FirstChoice& choice, const std::string& modes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_MANUAL_FIRST_EXPERIMENT_H_
