#include "solvers/displacement_constraints/options.h"

#include <cmath>
#include <string>

#include "models/scene/problem.h"

namespace pliant::displacement_constraints {

void DisplacementConstraintsOptions::Bind(ParameterBinder& binder) {
  binder.Choice("inertia", &inertia,
                {{"lumped", SegmentInertia::kLumped},
                 {"rod", SegmentInertia::kRod},
                 {"identity", SegmentInertia::kIdentity}},
                "where a segment has its mass: at its ends, along it, or the source's unit "
                "inertia; rigid bodies "
                "have that of their points, or unit inertia");
  binder.Choice("correction", &correction,
                {{"source", CorrectionRule::kSource},
                 {"unweighted", CorrectionRule::kUnweighted},
                 {"corrected", CorrectionRule::kCorrected}},
                "how much a gap translates and rotates: by the source's factors, with or without "
                "masses, or so that it closes");
  binder.Real("translation_factor", &translation_factor, "1", Between(0.0, 2.0),
              "factor of translations, for correction = source or unweighted");
  binder.Real("rotation_factor", &rotation_factor, "1", Between(0.0, 2.0),
              "factor of rotations, for correction = source or unweighted");
  binder.Real("warm_start", &warm_start, "1", Between(0.0, 1.0),
              "share of the last step's joint forces with which sweeps begin");
  binder.Reals("force_fractions", &force_fractions, "1", Between(0.0, 1.0),
               "share of every force that acts on each level, finest first; the sum is 1");
  binder.Choice("prolongation", &prolongation,
                {{"source", GridProlongation::kSource}, {"balanced", GridProlongation::kBalanced}},
                "how coarse levels carry finer ones: source lets offsets turn, and mass with them, "
                "so that linear momentum drifts; balanced takes back what they move of the mass");
  binder.Real("filter_fraction", &filter_fraction, "1", Between(0.0, 1.0),
              "part of a point's force that is spread over its neighbours, on every level");
  BindShared(binder);
}

void DisplacementConstraintsOptions::RequireConsistent() const {
  ProjectionOptions::RequireConsistent();
  const auto refuse = [](const char* parameter, const std::string& what, const std::string& mend) {
    throw BadInput({parameter, what, mend});
  };
  if (correction == CorrectionRule::kUnweighted && std::isfinite(break_force)) {
    refuse("break_force", "correction = unweighted knows no masses and so no forces",
           "give another correction, or break_force = inf");
  }
  if (inertia != SegmentInertia::kLumped && std::isfinite(break_force)) {
    refuse("break_force", "only mass that is lumped at points is left there by a broken segment",
           "give inertia = lumped, or break_force = inf");
  }
  if (!rigid_bodies.empty() && force_fractions.size() > 1) {
    refuse("rigid_bodies", "a rigid body has one level that forces act on",
           "give force_fractions = [1], or no rigid_bodies");
  }
  if (warm_start > 0.0 && solver_levels > 1) {
    refuse("warm_start", "what coarse levels displace shows no joint what it bears",
           "give solver_levels = 1, or warm_start = 0");
  }
}

RigidPieceOptions DisplacementConstraintsOptions::pieces() const {
  RigidPieceOptions pieces;
  pieces.bodies = rigid_bodies;
  pieces.update = velocity_update;
  if (inertia == SegmentInertia::kIdentity) pieces.inertia = PieceInertia::kUnit;
  pieces.knows_mobility = correction == CorrectionRule::kCorrected;
  if (!pieces.knows_mobility) {
    pieces.translating = translation_factor;
    pieces.turning = rotation_factor;
  }
  return pieces;
}

}  // namespace pliant::displacement_constraints
