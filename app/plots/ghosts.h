// The poses of a run over each other, as under a stroboscope: far apart where it is fast, from pale
// to the colour of the run in the order of time. A cell for each run, one camera for all.

#ifndef PLIANT_APP_PLOTS_GHOSTS_H_
#define PLIANT_APP_PLOTS_GHOSTS_H_

#include "app/plots/canvas.h"
#include "app/plots/filmstrip.h"

namespace pliant {

// The figure of the frames of a strip, which must outlive it. Obstacles and marks are those of the
// last frame.
Figure GhostsFigure(const Filmstrip& strip);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_GHOSTS_H_
