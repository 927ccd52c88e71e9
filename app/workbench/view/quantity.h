// What the colour of a point can show, and the colours themselves. No Qt.

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

// For each point of `frame`: the speed |ẋ|, the distance from its initial position, the largest
// relative change of length among its edges, or the distance to the same point of `reference`.
// Absent where not defined: without velocities, without a reference. O(points + edges).
std::optional<Eigen::VectorXf> ValuesOf(Quantity quantity, const Scene& scene,
                                        const PaneFrame& frame, const PaneFrame* reference);

// From dark blue over green to yellow with evenly rising lightness, so that it can be read with any
// colour vision and in grey (a fit to viridis [Smith & van der Walt 2015]). `share` in [0, 1].
Colour ColourOf(double share);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_QUANTITY_H_
