// A simulation at a recorded time of its bundle.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_GO_TO_FRAME_H_
#define PLIANT_EXPERIMENTS_BUNDLES_GO_TO_FRAME_H_

#include <cstddef>
#include <optional>

#include "experiments/bundles/bundle.h"
#include "solvers/simulation.h"

namespace pliant {

// The recorded time nearest to `time`; the last one when absent. Throws BadInput for a bundle without frames.
size_t NearestFrame(const Bundle& bundle, std::optional<double> time);

// The state of `frame` in a simulation of the bundle's own experiment. What a method knows of its last step only is no
// state: the steps from the frame before are made again. Where they lead elsewhere, as after a change by hand or on
// another processor, such arrays are NaN.
void GoToFrame(const Bundle& bundle, size_t frame, Simulation* simulation);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_GO_TO_FRAME_H_
