// Nails and attachments of a scene, measured on its points, and points by their names.

#ifndef PLIANT_SOLVERS_HOLDS_HELD_POINTS_H_
#define PLIANT_SOLVERS_HOLDS_HELD_POINTS_H_

#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/holds/hold.h"
#include "solvers/simulation.h"

namespace pliant {

struct HeldGaps {
  double gap = 0.0;   // largest distance of a nailed or attached point from its target [m]
  double rate = 0.0;  // largest relative velocity [m/s]
};
// Largest gap and rate of the nails and attachments active during the whole step that ends at
// `time`; x, v 3×n.
HeldGaps MeasureHeldGaps(const Scene& scene, double time, const PointsRef& x, const PointsRef& v);

// Nails and attachments that hold at `time`, as above, and points inside obstacles that miss by
// more than `tolerance` [m].
void AddUnmetHolds(const Scene& scene, double time, const PointsRef& x, double tolerance,
                   std::vector<UnmetConstraint>* unmet);

// Angles count by their magnitude, as lengths do.
void SortWorstFirst(std::vector<UnmetConstraint>* unmet);

// "nail 'hook'", "attachment 'knee'".
std::string NameOfHold(const Scene& scene, const Hold& hold);

// "point 3 of rope".
std::string NameOfPoint(const Scene& scene, int point);

// "the edge from point 3 of rope to point 4 of rope breaks"; of several, the first.
std::string NameOfBreak(const Scene& scene, size_t edges, int a, int b);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_HELD_POINTS_H_
