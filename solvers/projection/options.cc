#include "solvers/projection/options.h"

#include <cmath>

#include "models/scene/problem.h"

namespace pliant {

void ProjectionOptions::BindShared(ParameterBinder& binder) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  binder.Choice("order", &order,
                {{"sequential", SweepOrder::kSequential},
                 {"symmetric", SweepOrder::kSymmetric},
                 {"coloured", SweepOrder::kColoured}},
                "order of a sweep: row by row, forwards and backwards by turns, or so that "
                "neighbours are of different colours (on grids red and black)");
  binder.Real("relaxation", &relaxation, "1", Range{0.0, 2.0, true},
              "factor of every correction inside a body; above 1 over-relaxed");
  binder.Integer(
      "solver_levels", &solver_levels, "1", AtLeast(1),
      "levels that each sweep of the finest one goes through before, coarsest first, so that "
      "corrections travel in long strides; 1 is the finest alone");
  binder.Real("break_force", &break_force, "N", Range{0.0, inf, true, true},
              "an edge that bears more than this tension over a step breaks; inf: none does");
  binder.Choice("velocity_update", &velocity_update,
                {{"corrected", VelocityUpdate::kCorrected},
                 {"euler-cromer", VelocityUpdate::kEulerCromer},
                 {"printed", VelocityUpdate::kPrinted}},
                "velocities after the sweeps; printed is that of [Palazzi 1993] and halves "
                "accelerations");
  binder.Real("tolerance", &tolerance, "1", MoreThan(0.0),
              "largest gap at which sweeps end, over the length of the shortest edge");
  binder.Integer("min_sweeps", &min_sweeps, "1", AtLeast(0),
                 "sweeps made even when every gap is within the tolerance; 0 lets gaps build up "
                 "and closes them in jerks");
  binder.Integer("max_sweeps", &max_sweeps, "1", AtLeast(1), "most sweeps of a step");
  binder.Texts("rigid_bodies", &rigid_bodies,
               "bodies that are rigid as a whole, with the inertia of their points; [\"*\"]: all");
  binder.Real("bounce", &bounce, "1", Between(0.0, 1.0),
              "speed with which a point leaves an obstacle, over the speed with which it came");
  binder.Real("surface_thickness", &surface_thickness, "m", AtLeast(0.0),
              "distance that points keep from faces, of their own body and of others; 0: surfaces "
              "pass through themselves and one another");
  binder.Real("surface_friction", &surface_friction, "1", AtLeast(0.0),
              "Coulomb's coefficient between surfaces");
  binder.Real(
      "shape_stiffness", &shape_stiffness, "1/s2", AtLeast(0.0),
      "acceleration of a point towards its place in a rigid copy of the rest shape, over its "
      "way there; 0: none");
}

void ProjectionOptions::RequireConsistent() const {
  if (std::isfinite(break_force) && solver_levels > 1) {
    throw BadInput({"break_force", "what coarse levels displace shows no edge what it bears",
                    "give solver_levels = 1, or break_force = inf"});
  }
  if (!rigid_bodies.empty() && solver_levels > 1) {
    throw BadInput({"rigid_bodies", "a rigid body has no coarse levels",
                    "give solver_levels = 1, or no rigid_bodies"});
  }
  if (min_sweeps > max_sweeps) {
    throw BadInput({"min_sweeps",
                    "min_sweeps is " + std::to_string(min_sweeps) + ", but max_sweeps " +
                        std::to_string(max_sweeps),
                    "give a min_sweeps of at most max_sweeps"});
  }
}

}  // namespace pliant
