#include "solvers/displacement_constraints/options.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/problem.h"
#include "solvers/projection/rigid_pieces.h"

namespace pliant::displacement_constraints {

void DisplacementConstraintsOptions::Bind(ParameterBinder& binder) {
  binder.Choice("inertia", &inertia,
                {{"lumped", SegmentInertia::kLumped},
                 {"rod", SegmentInertia::kRod},
                 {"identity", SegmentInertia::kIdentity}},
                "mass distribution of a segment: at its ends, along it, or the unit inertia of the "
                "source; rigid bodies have that of their points, or unit inertia");
  binder.Choice("correction", &correction,
                {{"source", CorrectionRule::kSource},
                 {"unweighted", CorrectionRule::kUnweighted},
                 {"corrected", CorrectionRule::kCorrected}},
                "rule that translates and rotates segments to close a gap: the factors of the "
                "source, with or without masses, or the corrected rule, which closes it");
  const auto by_factors = [this](const Scene&) { return correction != CorrectionRule::kCorrected; };
  binder.OnlyWhen("correction = source or unweighted", by_factors, [&] {
    binder.Real("translation_factor", &translation_factor, "1", Between(0.0, 2.0),
                "factor on translations, for correction = source or unweighted");
    binder.Real("rotation_factor", &rotation_factor, "1", Between(0.0, 2.0),
                "factor on rotations, for correction = source or unweighted");
  });
  const auto has_joints = [this](const Scene& scene) {
    const std::vector<bool> rigid = RigidBodiesOf(scene, rigid_bodies);
    return std::count(rigid.begin(), rigid.end(), false) > 0 || !scene.nails.empty() ||
           !scene.attachments.empty() || !scene.sliders.empty() || !scene.combinations.empty() ||
           !scene.limits.empty();
  };
  binder.OnlyWhen("a body is not rigid, or points are held", has_joints, [&] {
    binder.Real("warm_start", &warm_start, "1", Between(0.0, 1.0),
                "fraction of the last step's joint forces with which sweeps begin");
    binder.Integer("threads", &threads, "1", Between(1, kMostThreads),
                   "number of threads that share a sweep, where bodies are many or the order is "
                   "coloured; the results do not change");
  });
  binder.Reals("force_fractions", &force_fractions, "1", Between(0.0, 1.0),
               "share of every force that acts on each level, the finest first; the sum is 1");
  const auto has_levels = [this](const Scene&) { return force_fractions.size() > 1; };
  binder.OnlyWhen("force_fractions has several levels", has_levels, [&] {
    binder.Choice(
        "prolongation", &prolongation,
        {{"source", GridProlongation::kSource}, {"balanced", GridProlongation::kBalanced}},
        "how coarse levels carry finer ones: with source, turning offsets move mass and "
        "linear momentum drifts; balanced compensates this");
  });
  const auto acts = [this](const Scene& scene) {
    return ActsOnPoints(scene) || shape_stiffness > 0.0;
  };
  binder.OnlyWhen("forces, impulses, springs or shape_stiffness act", acts, [&] {
    binder.Real(
        "filter_fraction", &filter_fraction, "1", Between(0.0, 1.0),
        "fraction of the force on a point that is spread over its neighbours, on every level");
  });
  BindShared(binder);
}

void DisplacementConstraintsOptions::RequireConsistent(const Scene& scene) const {
  ProjectionOptions::RequireConsistent(scene);
  const auto refuse = [](const char* parameter, const std::string& what, const std::string& mend) {
    throw BadInput({parameter, what, mend});
  };
  if (correction == CorrectionRule::kUnweighted && std::isfinite(break_force)) {
    refuse("break_force", "correction = unweighted uses no masses and so has no forces",
           "give another correction, or break_force = inf");
  }
  if (inertia != SegmentInertia::kLumped && std::isfinite(break_force)) {
    refuse("break_force",
           "a broken segment can leave its mass at its points only if the mass is lumped there",
           "give inertia = lumped, or break_force = inf");
  }
  const std::vector<bool> rigid = RigidBodiesOf(scene, rigid_bodies);
  if (std::count(rigid.begin(), rigid.end(), true) > 0 && force_fractions.size() > 1) {
    refuse("force_fractions", "a rigid body has only one level on which forces act",
           "give force_fractions = [1], or no rigid bodies");
  }
  if (warm_start > 0.0 && solver_levels > 1) {
    refuse("warm_start", "with coarse levels the force of single joints is not defined",
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
