#include "solvers/projection/options.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/problem.h"
#include "models/scene/forces.h"
#include "solvers/contact/penalty.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/rigid_facts.h"

namespace pliant {

bool ActsOnPoints(const Scene& scene) {
  return !scene.forces.empty() || !scene.impulses.empty() || !scene.springs.empty();
}

void ProjectionOptions::BindShared(ParameterBinder& binder) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto has_edges = [this](const Scene& scene) {
    const std::vector<bool> rigid = RigidBodiesOf(scene, rigid_bodies);
    return std::count(rigid.begin(), rigid.end(), false) > 0;
  };
  binder.OnlyWhen("a body is not rigid", has_edges, [&] {
    binder.Choice(
        "order", &order,
        {{"sequential", SweepOrder::kSequential},
         {"symmetric", SweepOrder::kSymmetric},
         {"coloured", SweepOrder::kColoured}},
        "order of a sweep: row by row, forwards and backwards in turn, or coloured so that "
        "neighbours have different colours (on grids red and black)");
    binder.Real("relaxation", &relaxation, "1", Range{0.0, 2.0, true},
                "factor on every correction inside a body; above 1 is over-relaxation");
  });
  binder.Integer("solver_levels", &solver_levels, "1", AtLeast(1),
                 "number of levels that each sweep visits, coarsest first, so that corrections "
                 "travel far; 1 is the finest level only");
  binder.Real("break_force", &break_force, "N", Range{0.0, inf, true, true},
              "an edge breaks when its tension over a step exceeds this value; inf: never");
  const auto breaks = [this](const Scene&) { return std::isfinite(break_force); };
  binder.OnlyWhen("break_force is finite", breaks, [&] {
    binder.Real("break_resolution", &break_resolution, "1", Range{0.0, inf, true, true},
                "sweeps continue until tensions are known to this fraction of break_force; inf: "
                "gaps within the tolerance suffice, and edges may break by what those leave over");
  });
  const auto accelerates = [this](const Scene& scene) {
    return Gravity(scene).acts() || ActsOnPoints(scene) || shape_stiffness > 0.0;
  };
  binder.OnlyWhen("gravity, forces, impulses, springs or shape_stiffness act", accelerates, [&] {
    binder.Choice("velocity_update", &velocity_update,
                  {{"verlet", VelocityUpdate::kVerlet},
                   {"corrected", VelocityUpdate::kCorrected},
                   {"euler-cromer", VelocityUpdate::kEulerCromer},
                   {"printed", VelocityUpdate::kPrinted}},
                  "rule for velocities after the sweeps; with corrected every spring gains energy; "
                  "printed is that of [Palazzi 1993] and halves accelerations");
  });
  binder.Real("tolerance", &tolerance, "1", MoreThan(0.0),
              "sweeps end when the largest gap, divided by the length of the shortest edge, is "
              "below this value");
  binder.Integer("min_sweeps", &min_sweeps, "1", AtLeast(0),
                 "minimum number of sweeps, even when every gap is within the tolerance; with 0 "
                 "gaps grow and then close in jerks");
  binder.Integer("max_sweeps", &max_sweeps, "1", AtLeast(1), "maximum number of sweeps of a step");
  const auto some_bend = [](const Scene& scene) { return !AllRigid(scene); };
  binder.OnlyWhen("a body is not `rigid` in the scene", some_bend, [&] {
    binder.Texts("rigid_bodies", &rigid_bodies,
                 "bodies that are rigid here, besides those that are `rigid` in the scene; "
                 "[\"*\"]: all");
  });
  binder.OnlyWhen("the scene has obstacles", HasObstacles, [&] {
    binder.Real("bounce", &bounce, "1", Between(0.0, 1.0),
                "speed at which a point leaves an obstacle, divided by its impact speed");
  });
  BindObstacleContact(&obstacle_contact, binder);
  const auto has_surfaces = [](const Scene& scene) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                       [](const Body& body) { return !body.faces.empty() || !body.edges.empty(); });
  };
  binder.OnlyWhen("a body has faces or edges", has_surfaces, [&] {
    binder.Real("surface_thickness", &surface_thickness, "m", AtLeast(0.0),
                "distance that surfaces of bodies that meet keep from each other; above 0 bodies "
                "also meet themselves and what they are attached to, unless the scene says ignore; "
                "0: a twentieth of the narrowest face or edge, or their distance at the start");
    binder.Real("surface_friction", &surface_friction, "1", AtLeast(0.0),
                "Coulomb coefficient between surfaces of which the scene states no contact");
  });
  binder.Real("shape_stiffness", &shape_stiffness, "1/s2", AtLeast(0.0),
              "acceleration of a point towards its place in a rigid copy of the rest shape, per "
              "distance; 0: none");
}

void ProjectionOptions::RequireConsistent(const Scene& scene) const {
  if (std::isfinite(break_force) && solver_levels > 1) {
    throw BadInput({"break_force", "with coarse levels the tension of single edges is not defined",
                    "give solver_levels = 1, or break_force = inf"});
  }
  const std::vector<bool> rigid = RigidBodiesOf(scene, rigid_bodies);
  if (std::count(rigid.begin(), rigid.end(), true) > 0 && solver_levels > 1) {
    throw BadInput({"solver_levels", "a rigid body has no coarse levels",
                    "give solver_levels = 1, or no rigid bodies"});
  }
  if (min_sweeps > max_sweeps) {
    throw BadInput({"min_sweeps",
                    "min_sweeps is " + std::to_string(min_sweeps) + ", but max_sweeps " +
                        std::to_string(max_sweeps),
                    "give a min_sweeps of at most max_sweeps"});
  }
}

}  // namespace pliant
