// What a body in its lattice is to the plan of a jump: a base on which it stands, and a deformable character upon it
// (solvers/spacetime/deformable_character.h).

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_JUMP_CHARACTER_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_JUMP_CHARACTER_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/spacetime/deformable_character.h"

namespace pliant::dynamic_ffd {

// All of these throw BadInput (planned_jump, or jump_modes) for what no plan of a jump is for.

// Level ground that does not move, with friction, the only obstacle.
const Obstacle& JumpGroundOf(const Scene& scene);

// The lowest points of the body.
struct JumpBase {
  std::vector<int> points;
  int left, right;         // of them, its ends
  double half_width;       // m
  Eigen::Vector2d middle;  // m, in the world
};
JumpBase JumpBaseOf(const FfdPart& part, const VectorRef& q, const Obstacle& ground);

// The only body of `scene`, which is `part` at (q, v), standing on `base`; `acts`: names of the modes that act, all where it is empty.
DeformableCharacter JumpCharacterOf(const Scene& scene, const FfdPart& part, const VectorRef& q,
                                    const VectorRef& v, const JumpBase& base,
                                    const std::vector<std::string>& acts);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_JUMP_CHARACTER_H_
