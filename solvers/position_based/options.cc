#include "solvers/position_based/options.h"

#include "models/problem.h"

namespace pliant::position_based {

void PositionBasedOptions::Bind(ParameterBinder& binder) {
  binder.Real("compliance", &compliance, "m/N", AtLeast(0.0),
              "stretch of an edge per force; 0 is rigid");
  BindShared(binder);
}

void PositionBasedOptions::RequireConsistent(const Scene& scene) const {
  ProjectionOptions::RequireConsistent(scene);
  if (compliance > 0.0 && solver_levels > 1) {
    throw BadInput({"compliance", "coarse levels support rigid edges only",
                    "give solver_levels = 1, or compliance = 0"});
  }
}

RigidPieceOptions PositionBasedOptions::pieces() const {
  RigidPieceOptions pieces;
  pieces.bodies = rigid_bodies;
  pieces.update = velocity_update;
  return pieces;
}

}  // namespace pliant::position_based
