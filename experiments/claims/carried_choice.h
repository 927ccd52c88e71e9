// What the parameters of a backend say of places, directions and frames, carried with a scene that is seen otherwise
// (views.h): modes, poses and key frames, the limits of hinges, bones, strokes, and lists with a value for each body
// or along a grid.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_CARRIED_CHOICE_H_
#define PLIANT_EXPERIMENTS_CLAIMS_CARRIED_CHOICE_H_

#include "experiments/claims/views.h"
#include "experiments/files/experiment.h"

namespace pliant {

// The choice for `view`, made of `scene`. Throws BadInput for what cannot be carried, with the reason: one table for
// bodies whose frames are carried differently, maps over a surface whose numbering changes, sensors of heights in a
// scene that is turned, plans that jump along x.
BackendChoice CarriedChoice(const BackendChoice& choice, const Scene& scene, const View& view);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_CARRIED_CHOICE_H_
