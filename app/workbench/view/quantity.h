// What the colour of a point can tell, and the colours themselves. No Qt.

#ifndef PLIANT_APP_WORKBENCH_VIEW_QUANTITY_H_
#define PLIANT_APP_WORKBENCH_VIEW_QUANTITY_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/style.h"
#include "app/workbench/session/recording.h"
#include "models/scene/scene.h"

namespace pliant {

enum class Quantity { kNone, kSpeed, kDisplacement, kStrain, kReferenceDistance };

struct QuantityInfo {
  Quantity quantity;
  const char* words;
  const char* unit;  // "" for a pure number
};
const std::vector<QuantityInfo>& Quantities();
const QuantityInfo& InfoOf(Quantity quantity);

// Of each point of `frame`: speed |ẋ|, distance from where it started, the largest relative change
// of length among the edges it ends, distance to the same point of `reference`. Absent where it is
// not defined: without velocities, without a reference. O(points + edges).
std::optional<Eigen::VectorXf> ValuesOf(Quantity quantity, const Scene& scene,
                                        const PaneFrame& frame, const PaneFrame* reference);

// From dark blue over green to yellow, its lightness rising evenly, so that it is read alike with
// any colour vision and in grey (a fit to viridis [Smith & van der Walt 2015]). `share` in [0, 1].
Colour ColourOf(double share);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_QUANTITY_H_
