#include "solvers/displacement_constraints/backend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/scene/number_text.h"
#include "solvers/backend_with.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/displacement_constraints/length_simulation.h"
#include "solvers/displacement_constraints/step_ledger.h"

namespace pliant::displacement_constraints {
namespace {

// Why a body cannot be made of segments; empty when it can.
std::string WhyNotSegments(const Body& body) {
  std::vector<bool> joined(body.size(), false);
  for (const auto& [a, b] : body.edges) {
    if (a == b || body.rest.col(a) == body.rest.col(b)) {
      return "the edge from point " + std::to_string(a) + " to point " + std::to_string(b) +
             " has no length, and a segment without length has no direction";
    }
    joined[a] = joined[b] = true;
  }
  for (int i = 0; i < body.size(); ++i) {
    if (!joined[i]) {
      return "point " + std::to_string(i) + " has no edge, and only edges become segments";
    }
  }
  return "";
}

// What stands for a body, by its shape.
std::string WhatIsKept(const Body& body) {
  switch (body.shape) {
    case ShapeKind::kChain:
      return "a chain of rigid segments with free joints";
    case ShapeKind::kSheet:
      return "a net of rigid segments with free joints: lengths along rows and columns are kept, "
             "shear and bending are free";
    case ShapeKind::kBlock:
      return "the block's edges as rigid segments with free joints: lengths along its three axes "
             "are kept, shear and bending are free";
    case ShapeKind::kProfile:
    case ShapeKind::kRing:
      break;
    case ShapeKind::kTube:
    case ShapeKind::kTorus:
    case ShapeKind::kMesh:
      if (body.faces.empty()) return "its lines as rigid segments with free joints";
      return "the edges of its surface as rigid segments with free joints: it bends freely and, as "
             "far as its faces are no triangles, shears; what it encloses has no pressure";
  }
  return "its edges as rigid segments with free joints: only edge lengths are kept, an outline "
         "without inner edges can fold";
}

// What surfaces do to each other, to be said of a body.
std::string WhatSurfacesDo(const Scene& scene, int b, bool rigid,
                           const DisplacementConstraintsOptions& options) {
  if (scene.bodies[b].faces.empty() || scene.dimension == 2) return "";
  if (options.surface_thickness == 0.0) return rigid ? "" : "; its surface passes through itself";
  return "; its points keep " + ThreeDigits(options.surface_thickness) + " m from " +
         (rigid ? "" : "its own faces and ") + "those of other bodies" +
         (options.force_fractions.size() > 1 ? ", by the finest level alone" : "");
}

// What turned offsets do, to be said of a body.
std::string WhatLevelsDo(const DisplacementConstraintsOptions& options) {
  if (options.force_fractions.size() == 1) return "";
  return options.prolongation == GridProlongation::kSource
             ? "; carried along by its levels, which lets its momentum drift where it bends"
             : "; carried along by its levels, which keep its linear momentum and lose angular "
               "momentum";
}

// What becomes of `from` and `until`.
void SaySwitches(const Scene& scene, TranslationRecord* record) {
  const auto say = [record](const std::string& name, const HoldTime& hold) {
    const bool begins = hold.from > 0.0;
    record->Say(name + ".switch", begins ? Fidelity::kApproximated : Fidelity::kExact,
                begins ? "what is apart when it begins to hold is brought together in one step, "
                         "and with the speed of that"
                       : "lets go at the beginning of the step that contains its time");
  };
  for (const Nail& nail : scene.nails) {
    const std::string name = "nail." + nail.name;
    say(name, nail.hold);
    if (nail.preroll > 0.0) {
      record->Say(name + ".switch", Fidelity::kExact, "a cubic leads the point to the path");
    }
  }
  for (const Attachment& held : scene.attachments) say("attachment." + held.name, held.hold);
  for (const Slider& slider : scene.sliders) say("slider." + slider.name, slider.hold);
}

TranslationRecord Record(const Scene& scene, const DisplacementConstraintsOptions& options) {
  TranslationRecord record(scene);
  const bool spread = options.force_fractions.size() > 1 || options.filter_fraction > 0.0;
  const std::string on_levels =
      "the whole force, but spread over neighbouring points by the levels and the filter";
  record.Say("gravity", Fidelity::kExact, "");
  const std::vector<bool> rigid = RigidBodiesOf(scene, options);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const std::string name = "body." + body.name;
    const std::string surfaces = WhatSurfacesDo(scene, static_cast<int>(b), rigid[b], options);
    const std::string why_not = rigid[b] ? "" : WhyNotSegments(body);
    if (rigid[b]) {
      record.Say(name, Fidelity::kApproximated,
                 options.inertia == SegmentInertia::kIdentity
                     ? "one rigid piece with unit inertia, the source's; no deformation" + surfaces
                     : "one rigid piece with the inertia of its points; no deformation" + surfaces);
    } else if (!why_not.empty()) {
      record.Say(name, Fidelity::kUnsupported, why_not);
    } else {
      record.Say(name, Fidelity::kApproximated,
                 (options.compliance > 0.0 ? "its points, with edges that resist stretch alone"
                                           : WhatIsKept(body)) +
                     (options.shape_stiffness > 0.0 ? "; springs back to a rigid copy of its shape"
                      : options.compliance > 0.0    ? ""
                                                    : "; no elasticity") +
                     surfaces + WhatLevelsDo(options));
    }
    record.Say(name + ".velocity", Fidelity::kExact, "");
    record.Say(name + ".stretch", Fidelity::kIgnored,
               "rigid pieces cannot stretch: the body starts with its rest lengths");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record.Say(name, Fidelity::kApproximated,
               "points found inside are displaced to the surface; they leave with " +
                   Digits(options.bounce) + " of the speed they hit with");
    record.Say(name + ".friction", Fidelity::kApproximated,
               "Coulomb's bound on the displacements that hold a point where it touched");
    record.Say(name + ".motion", Fidelity::kExact, "");
  }
  record.Say("nail.*", Fidelity::kExact, "to the tolerance of the sweeps");
  record.Say("attachment.*", Fidelity::kExact, "to the tolerance of the sweeps");
  for (const char* acting : {"spring.*", "force.*"}) {
    record.Say(acting, spread ? Fidelity::kApproximated : Fidelity::kExact,
               spread ? on_levels : "");
  }
  const std::string closely = "to the tolerance of the sweeps";
  for (const char* guide : {"slider.*", "limit.*"}) {
    record.Say(
        guide, options.force_fractions.size() > 1 ? Fidelity::kApproximated : Fidelity::kExact,
        options.force_fractions.size() > 1 ? closely + ", by the finest level alone" : closely);
  }
  SayCartoonEffectsIgnored(&record);
  SayMotionControlUnsupported(scene, &record);
  SaySwitches(scene, &record);
  record.Say("impulse.*", spread ? Fidelity::kApproximated : Fidelity::kExact,
             spread ? on_levels + "; lasts for the step that contains its time"
                    : "lasts for the step that contains its time, as in the source");
  return record;
}

// Points whose distances are kept have no segments, and one level that forces act on.
void RequireFitsLengths(const DisplacementConstraintsOptions& options) {
  const bool lengths = options.correction == CorrectionRule::kLengths;
  const auto refuse = [](const char* parameter, const std::string& what, const std::string& mend) {
    throw BadInput({parameter, what, mend});
  };
  if (lengths && options.force_fractions.size() > 1) {
    refuse("force_fractions", "correction = lengths has one level that forces act on",
           "give force_fractions = [1]; solver_levels lets its sweeps go through levels");
  }
  if (lengths && options.filter_fraction > 0.0) {
    refuse("filter_fraction", "correction = lengths spreads no forces", "give filter_fraction = 0");
  }
  if (lengths && options.inertia != SegmentInertia::kLumped) {
    refuse("inertia", "correction = lengths has points and no segments, so that all mass is lumped",
           "give inertia = lumped");
  }
  if (lengths && options.warm_start > 0.0) {
    refuse("warm_start", "correction = lengths begins every step anew",
           "give warm_start = 0; solver_levels is what spares sweeps");
  }
  if (!lengths && options.compliance > 0.0) {
    refuse("compliance", "only edges whose lengths are kept can give",
           "give correction = lengths, or compliance = 0");
  }
  if (options.compliance > 0.0 && options.solver_levels > 1) {
    refuse("compliance", "coarse levels know rigid edges only",
           "give solver_levels = 1, or compliance = 0");
  }
  if (options.correction == CorrectionRule::kUnweighted && std::isfinite(options.break_force)) {
    refuse("break_force", "correction = unweighted knows no masses and so no forces",
           "give another correction, or break_force = inf");
  }
  if (options.inertia != SegmentInertia::kLumped && std::isfinite(options.break_force)) {
    refuse("break_force", "only mass that is lumped at points is left there by a broken segment",
           "give inertia = lumped, or break_force = inf");
  }
  if (std::isfinite(options.break_force) && options.solver_levels > 1) {
    refuse("break_force", "what coarse levels displace shows no edge what it bears",
           "give solver_levels = 1, or break_force = inf");
  }
  if (!options.rigid_bodies.empty() && options.force_fractions.size() > 1) {
    refuse("rigid_bodies", "a rigid body has one level that forces act on",
           "give force_fractions = [1], or no rigid_bodies");
  }
  if (!options.rigid_bodies.empty() && options.solver_levels > 1) {
    refuse("rigid_bodies", "a rigid body has no coarse levels",
           "give solver_levels = 1, or no rigid_bodies");
  }
  if (options.min_sweeps > options.max_sweeps) {
    refuse("min_sweeps",
           "min_sweeps is " + std::to_string(options.min_sweeps) + ", but max_sweeps " +
               std::to_string(options.max_sweeps),
           "give a min_sweeps of at most max_sweeps");
  }
  if (options.warm_start > 0.0 && options.solver_levels > 1) {
    refuse("warm_start", "what coarse levels displace shows no joint what it bears",
           "give solver_levels = 1, or warm_start = 0");
  }
}

// The source's rule multiplies a gap at right angles to two segments by
// 1 − t_f − r_f μ (r₁²/J₁ + r₂²/J₂), without masses by 1 − t_f − r_f; from ±1 on sweeps do not
// converge.
double WorstGapFactor(const SegmentSystem& segments,
                      const DisplacementConstraintsOptions& options) {
  if (options.correction == CorrectionRule::kUnweighted) {
    return 1.0 - options.translation_factor - options.rotation_factor;
  }
  const SegmentNet& net = segments.net();
  const SegmentGeometry& geometry = segments.geometry();
  const auto turn = [&](int e) {
    return geometry.arms[e] * geometry.arms[e] * geometry.inverse_inertias[e / 2];
  };
  double worst = 0.0;
  for (int p = 0; p < net.points(); ++p) {
    const auto incident = net.Incident(p);
    for (size_t i = 1; i < incident.size(); ++i) {
      const int a = incident[i - 1], b = incident[i];
      const double reduced_mass = 1.0 / (net.inverse_masses()[a / 2] + net.inverse_masses()[b / 2]);
      const double factor = 1.0 - options.translation_factor -
                            options.rotation_factor * reduced_mass * (turn(a) + turn(b));
      if (std::abs(factor) > std::abs(worst)) worst = factor;
    }
  }
  return worst;
}

// Parts of a body that no edge joins.
int PartsOf(const Body& body) {
  std::vector<int> part(body.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&part](int point) {
    while (part[point] != point) point = part[point] = part[part[point]];
    return point;
  };
  int parts = body.size();
  for (const auto& [a, b] : body.edges) {
    const int first = root(a), second = root(b);
    if (first == second) continue;
    part[second] = first;
    --parts;
  }
  return parts;
}

void WarnOfParts(const Scene& scene, const std::vector<bool>& rigid, Translation* translation) {
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int parts = rigid[b] ? 1 : PartsOf(body);
    if (parts == 1) continue;
    translation->warnings.push_back("body '" + body.name + "' has " + std::to_string(parts) +
                                    " parts that no edge joins: each moves by itself");
  }
}

// What the initial assembly leaves open, in a line and in a table of the worst.
void WarnOfGap(double gap, const Simulation& simulation, double tolerance,
               Translation* translation) {
  if (gap <= tolerance) return;
  const std::vector<UnmetConstraint> unmet = simulation.UnmetConstraints();
  translation->warnings.push_back(
      "the initial assembly leaves a gap of " + Digits(gap) + " m" +
      (unmet.empty() ? "" : " (" + unmet[0].name + ")") +
      ": what the scene holds may be too far apart for rigid pieces, or contradict itself");
  translation->findings.push_back(TableOfUnmet("What the initial assembly leaves open", unmet,
                                               static_cast<std::int64_t>(unmet.size())));
}

class DisplacementConstraints final : public BackendWith<DisplacementConstraintsOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "displacement-constraints",
        .title = "displacement constraints",
        .source = "Palazzi 1993",
        .summary = "rigid segments move freely and are then displaced until their ends meet again",
        .losses =
            "no elasticity; linear momentum is conserved on one level of forces and with "
            "prolongation = balanced, drifts on several with prolongation = source; angular "
            "momentum is not conserved; "
            "corrections take energy; gaps up to the tolerance remain",
        .condition_of = "",
        .extras = StepLedger::Extras(),
    };
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const DisplacementConstraintsOptions& options) const override {
    RequireFitsLengths(options);
    const std::shared_ptr<const GridLevels> grids = MakeGridLevels(*scene, options.force_fractions);
    Translation translation{Record(*scene, options), nullptr, {}};
    if (!translation.record.supported()) return translation;
    WarnOfParts(*scene, RigidBodiesOf(*scene, options), &translation);

    if (options.correction == CorrectionRule::kLengths) {
      auto simulation = std::make_unique<LengthSimulation>(
          scene, options, MakeSolverLevels(*scene, options.solver_levels).get());
      WarnOfGap(simulation->assembly_gap(), *simulation, simulation->tolerance(), &translation);
      translation.simulation = std::move(simulation);
      return translation;
    }
    auto simulation = std::make_unique<DisplacementConstraintsSimulation>(
        scene, options, grids.get(), MakeSolverLevels(*scene, options.solver_levels).get());
    const Level& finest = simulation->levels()[0];
    WarnOfGap(simulation->assembly_gap(), *simulation, finest.tolerance, &translation);
    if (options.correction != CorrectionRule::kCorrected) {  // one of the source's
      const double factor = WorstGapFactor(finest.segments, options);
      if (std::abs(factor) >= 1.0) {
        const bool weighted = options.correction == CorrectionRule::kSource;
        translation.warnings.push_back(
            std::string("correction = ") + (weighted ? "source" : "unweighted") +
            " multiplies some gaps by " + Digits(factor) +
            " per correction, so that sweeps do not converge; lower rotation_factor, or use " +
            (weighted ? "inertia = identity or " : "") + "correction = corrected");
      }
    }
    translation.simulation = std::move(simulation);
    return translation;
  }
};

}  // namespace

const Backend& TheBackend() {
  static const DisplacementConstraints backend;
  return backend;
}

}  // namespace pliant::displacement_constraints
