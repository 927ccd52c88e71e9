#include "solvers/displacement_constraints/options.h"

namespace pliant::displacement_constraints {

void DisplacementConstraintsOptions::Bind(ParameterBinder& binder) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  binder.Choice("inertia", &inertia,
                {{"lumped", SegmentInertia::kLumped},
                 {"rod", SegmentInertia::kRod},
                 {"identity", SegmentInertia::kIdentity}},
                "where a segment has its mass: at its ends, along it, or the source's unit "
                "inertia; rigid bodies "
                "have theirs at their points, or unit inertia");
  binder.Choice(
      "correction", &correction,
      {{"source", CorrectionRule::kSource},
       {"unweighted", CorrectionRule::kUnweighted},
       {"corrected", CorrectionRule::kCorrected},
       {"lengths", CorrectionRule::kLengths}},
      "how much a gap translates and rotates: by the source's factors, with or without masses, or "
      "so that it closes; lengths: points whose distances are kept in the place of segments");
  binder.Real("translation_factor", &translation_factor, "1", Between(0.0, 2.0),
              "factor of translations, for correction = source or unweighted");
  binder.Real("rotation_factor", &rotation_factor, "1", Between(0.0, 2.0),
              "factor of rotations, for correction = source or unweighted");
  binder.Choice("order", &order,
                {{"sequential", SweepOrder::kSequential},
                 {"symmetric", SweepOrder::kSymmetric},
                 {"coloured", SweepOrder::kColoured}},
                "order of the points in a sweep: row by row, to and fro, or so that neighbours are "
                "of different colours (on grids red and black)");
  binder.Real("relaxation", &relaxation, "1", Range{0.0, 2.0, true},
              "factor of every correction of a joint; above 1 over-relaxed");
  binder.Real("warm_start", &warm_start, "1", Between(0.0, 1.0),
              "share of the last step's joint forces with which sweeps begin");
  binder.Real("compliance", &compliance, "m/N", AtLeast(0.0),
              "for correction = lengths: stretch of an edge per force; 0 is rigid");
  binder.Integer(
      "solver_levels", &solver_levels, "1", AtLeast(1),
      "levels that each sweep of the finest one goes through before, coarsest first, so that "
      "corrections travel in long strides; 1 is the finest alone");
  binder.Real(
      "break_force", &break_force, "N", Range{0.0, inf, true, true},
      "an edge that bears more than this tension over a step, on all levels together, breaks; inf: "
      "none does");
  binder.Choice("velocity_update", &velocity_update,
                {{"corrected", VelocityUpdate::kCorrected},
                 {"euler-cromer", VelocityUpdate::kEulerCromer},
                 {"printed", VelocityUpdate::kPrinted}},
                "velocities after the sweeps; printed is the source's and halves accelerations");
  binder.Real("tolerance", &tolerance, "1", MoreThan(0.0),
              "largest gap at which sweeps end, over the length of the shortest segment");
  binder.Integer("min_sweeps", &min_sweeps, "1", AtLeast(0),
                 "sweeps made even when every gap is within the tolerance; 0 lets gaps build up "
                 "and closes them in jerks");
  binder.Integer("max_sweeps", &max_sweeps, "1", AtLeast(1), "most sweeps of a step");
  binder.Texts(
      "rigid_bodies", &rigid_bodies,
      "bodies that are rigid as a whole, with the inertia of their points, in the place of a "
      "segment for each edge; [\"*\"]: all");
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
  binder.Reals("force_fractions", &force_fractions, "1", Between(0.0, 1.0),
               "share of every force that acts on each level, finest first; the sum is 1");
  binder.Choice("prolongation", &prolongation,
                {{"source", GridProlongation::kSource}, {"balanced", GridProlongation::kBalanced}},
                "how coarse levels carry finer ones: source lets offsets turn, and mass with them, "
                "so that linear momentum drifts; balanced takes back what they move of the mass");
  binder.Real("filter_fraction", &filter_fraction, "1", Between(0.0, 1.0),
              "part of a point's force that is spread over its neighbours, on every level");
}

}  // namespace pliant::displacement_constraints
