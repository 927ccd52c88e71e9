#include "solvers/displacement/options.h"

namespace pliant {

void DisplacementOptions::Bind(ParameterBinder& binder) {
  binder.Choice(
      "inertia", &inertia,
      {{"lumped", SegmentInertia::kLumped},
       {"rod", SegmentInertia::kRod},
       {"identity", SegmentInertia::kIdentity}},
      "where a segment has its mass: at its ends, along it, or the source's unit inertia");
  binder.Choice(
      "correction", &correction,
      {{"source", CorrectionRule::kSource}, {"corrected", CorrectionRule::kCorrected}},
      "how much a gap translates and rotates: by the source's factors, or so that it closes");
  binder.Real("translation_factor", &translation_factor, "1", Between(0.0, 2.0),
              "factor of translations, for correction = source");
  binder.Real("rotation_factor", &rotation_factor, "1", Between(0.0, 2.0),
              "factor of rotations, for correction = source");
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
  binder.Real("bounce", &bounce, "1", Between(0.0, 1.0),
              "speed with which a point leaves an obstacle, over the speed with which it came");
  binder.Reals("force_fractions", &force_fractions, "1", Between(0.0, 1.0),
               "share of every force that acts on each level, finest first; the sum is 1");
  binder.Real("filter_fraction", &filter_fraction, "1", Between(0.0, 1.0),
              "part of a point's force that is spread over its neighbours, on every level");
}

}  // namespace pliant
