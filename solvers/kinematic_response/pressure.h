// The reaction of a surface per area [Harrison 1994, Sec. 5.6]: "the reaction forces can be
// prolongated from the coarser levels upwards to calculate the per-surface area reaction forces
// (pressure)". Each level is a bed of springs under the one below:
//
//   f_0 = −k(|o_0|) o_0/|o_0|,   f_j = P(f_{j−1}) − F_j k(|o_j|) o_j/|o_j|     [Pa], world
//
// with the law of reaction.h per area, k(x) = k_f x up to the knee, and the frames of the surface.
// With Hooke's law the finest f is k_f times the elastic displacement (where frames do not turn),
// whatever level absorbed it; with a knee it is less where levels share. Plastic offsets do not
// press.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESSURE_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESSURE_H_

#include "models/kinematic_response/surface.h"
#include "solvers/kinematic_response/reaction.h"

namespace pliant::kinematic_response {

// f of every vertex of the finest level [Pa]; `surface` is placed by `offsets` on every level.
// O(vertices); allocates.
GridVectors PressureOn(const MultiresolutionSurface& model, const LevelVectors& surface,
                       const SurfaceOffsets& offsets, const ReactionOptions& law);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESSURE_H_
