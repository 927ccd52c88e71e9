// The display of the phases of displacement constraints.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASE_PICTURES_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASE_PICTURES_H_

#include "solvers/displacement_constraints/phases.h"
#include "solvers/step_pictures.h"

namespace pliant::displacement_constraints {

// Of the segments that are whole, in twos [m].
Eigen::Matrix3Xd EndsOf(const SegmentSystem& segments);

// The pieces are the segments of the level, apart where they do not meet; vectors are the forces on
// its points, or their velocities. `finest`: of level 0.
StepPicture PictureOf(const PhaseView& view, const SegmentSystem& finest);

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASE_PICTURES_H_
