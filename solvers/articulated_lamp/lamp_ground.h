// The ground under a lamp in a scene: one plane, and the tops of boxes on it. Also sets up the
// problem of a jump in the scene.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_GROUND_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_GROUND_H_

#include <optional>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/articulated_lamp/lamp_stepper.h"
#include "solvers/spacetime/jump_problem.h"

namespace pliant::articulated_lamp {

// The part of an obstacle on which the base can stand: a plane whose normal is in the plane of the
// scene, or the upmost side of a box that is turned in that plane. None for others.
std::optional<LampFloor> FloorOf(const Obstacle& obstacle);

// Of all obstacles, in their order.
std::vector<LampFloor> GroundOf(const Scene& scene);

// The lamp, and where it starts, stands, flies over and lands: ground, frictions and gravity of the
// problem of a jump `distance` further, back to the pose it starts in. What stands downhill begins
// with an in-run down to the edge; all boxes are to be cleared. Throws BadInput (where: a
// parameter) for a lamp that does not stand flat on the ground, at rest, and for a goal where it
// cannot stand. `stops` [m]: where it lands on the way, as `distance`; their times are left at their defaults.
LampJumpProblem JumpFrom(const Scene& scene, const LampBody& body, double distance,
                         const std::vector<double>& stops = {});

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_GROUND_H_
