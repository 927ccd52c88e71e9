#include "solvers/displacement_constraints/backend.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/scene/number_text.h"
#include "solvers/backend_with.h"
#include "solvers/contact/overlap_at_start.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/effective_material.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/projection/scene_edges.h"
#include "solvers/projection/translation_record.h"
#include "solvers/rigid_facts.h"

namespace pliant::displacement_constraints {
namespace {

// The model of a body, by its shape.
std::string WhatIsKept(const Body& body) {
  switch (body.shape) {
    case ShapeKind::kChain:
      return "a chain of rigid segments with free joints";
    case ShapeKind::kSheet:
      return "a net of rigid segments with free joints: lengths along rows and columns are "
             "constant, shear and bending are free";
    case ShapeKind::kBlock:
      return "the block's edges as rigid segments with free joints: lengths along its three axes "
             "are constant, shear and bending are free";
    case ShapeKind::kProfile:
    case ShapeKind::kRing:
      break;
    case ShapeKind::kTube:
    case ShapeKind::kTorus:
    case ShapeKind::kMesh:
      if (body.faces.empty()) return "its lines as rigid segments with free joints";
      if (const std::string cells = WhatCellsKeep(body); !cells.empty()) {
        return "the edges of all its cells, inner ones too, as rigid segments with free joints: " +
               cells;
      }
      return "the edges of its surface as rigid segments with free joints: it bends freely, faces "
             "other than triangles shear, and the enclosed volume has no pressure";
  }
  return "its edges as rigid segments with free joints: only edge lengths are constant, so an "
         "outline without inner edges can fold";
}

// The effect of turned offsets, for the record of a body.
std::string WhatLevelsDo(const DisplacementConstraintsOptions& options) {
  if (options.force_fractions.size() == 1) return "";
  return options.prolongation == GridProlongation::kSource
             ? "; its levels carry it along, so its momentum drifts where it bends"
             : "; its levels carry it along, which conserves its linear momentum but not its "
               "angular momentum";
}

TranslationRecord Record(const Scene& scene, const DisplacementConstraintsOptions& options) {
  TranslationRecord record(scene);
  const bool levels = options.force_fractions.size() > 1;
  SayWhatSweepsKeep(scene, options, levels, &record);
  const std::vector<bool> rigid = RigidBodiesOf(scene, options.rigid_bodies);
  const bool unit_inertia = options.inertia == SegmentInertia::kIdentity;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    AtPreparation("body", b, scene.bodies.size());
    const Body& body = scene.bodies[b];
    const std::string name = "body." + body.name;
    const std::string surfaces =
        WhatSurfacesDo(scene, static_cast<int>(b), rigid[b], options.surface_thickness, levels);
    const std::string why_not = rigid[b] ? "" : WhyNotJoined(body);
    if (rigid[b]) {
      record.Say(
          name, body.rigid && !unit_inertia ? Fidelity::kExact : Fidelity::kApproximated,
          unit_inertia
              ? "one rigid body with the unit inertia of the source; no deformation" + surfaces
              : "one rigid body with the inertia of its points; no deformation" + surfaces);
    } else if (!why_not.empty()) {
      record.Say(name, Fidelity::kUnsupported, why_not);
    } else {
      record.Say(name, Fidelity::kApproximated,
                 WhatIsKept(body) +
                     (options.shape_stiffness > 0.0 ? "; springs back to a rigid copy of its shape"
                                                    : "; no elasticity") +
                     surfaces + WhatLevelsDo(options));
    }
    record.Say(name + ".stretch", Fidelity::kIgnored,
               "rigid segments cannot stretch: the body starts with its rest lengths");
  }
  SayRigid(scene, unit_inertia ? Fidelity::kApproximated : Fidelity::kExact,
           unit_inertia ? "one piece with the unit inertia of the source in place of its own"
                        : "one piece, which sweeps displace whole",
           &record);
  const bool spread = levels || options.filter_fraction > 0.0;
  const std::string on_levels =
      "the whole force, but the levels and the filter spread it over neighbouring points";
  for (const char* acting : {"spring.*", "force.*"}) {
    record.Say(acting, spread ? Fidelity::kApproximated : Fidelity::kExact,
               spread ? on_levels : "");
  }
  record.Say("impulse.*", spread ? Fidelity::kApproximated : Fidelity::kExact,
             spread ? on_levels + "; lasts for the step that contains its time"
                    : "lasts for the step that contains its time, as in the source");
  return record;
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

class DisplacementConstraints final : public BackendWith<DisplacementConstraintsOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "displacement-constraints",
        .title = "displacement constraints",
        .source = "Palazzi 1993",
        .summary = "rigid segments move freely and are then displaced until their ends meet again",
        .losses =
            "no elasticity; linear momentum is conserved with one level of forces or with "
            "prolongation = balanced, and drifts with several levels and prolongation = source; "
            "angular momentum is not conserved; corrections remove energy; with several levels or "
            "a filter of forces and with the source's corrections the ledger books that as the "
            "rest of the balance, so that residual_energy_J cannot show a wrong correction "
            "(made_energy_J and numerical_energy_J do); gaps up to the tolerance remain; sweeps "
            "correct one gap after the other, so that the result depends on the numbering of "
            "points and holds",
        .condition_of = "",
        .extras = StepLedger::Extras(),
        .arrays = ArrayGroups(),
    };
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const DisplacementConstraintsOptions& options) const override {
    options.RequireConsistent(*scene);
    const std::shared_ptr<const GridLevels> grids = MakeGridLevels(*scene, options.force_fractions);
    Translation translation{Record(*scene, options), nullptr, {}};
    if (!translation.record.supported()) {
      SayContactOfSurfaces(*scene, options, &translation.record);
      return translation;
    }
    WarnOfParts(*scene, RigidBodiesOf(*scene, options.rigid_bodies), &translation);
    WarnOfOldForms(*scene, options, &translation);
    WarnOfPassing(*scene, options.obstacle_contact, &translation.warnings);

    const std::vector<bool> rigid = RigidBodiesOf(*scene, options.rigid_bodies);
    for (size_t b = 0; b < scene->bodies.size(); ++b) {
      const Body& body = scene->bodies[b];
      if (!body.material || rigid[b]) continue;
      AddMeasured(body, NetProbe(body, scene->dimension, 0.0), &translation);
    }
    auto simulation =
        std::make_unique<DisplacementConstraintsSimulation>(scene, options, grids.get());
    const Level& finest = simulation->levels()[0];
    WarnOfGap(simulation->assembly_gap(), finest.tolerance, *simulation, &translation);
    if (options.correction != CorrectionRule::kCorrected) {  // one of the source's
      const double factor = WorstGapFactor(finest.segments, options);
      if (std::abs(factor) >= 1.0) {
        const bool weighted = options.correction == CorrectionRule::kSource;
        translation.warnings.push_back(
            std::string("correction = ") + (weighted ? "source" : "unweighted") +
            " multiplies some gaps by " + Digits(factor) +
            " per correction, so the sweeps do not converge; lower rotation_factor, or use " +
            (weighted ? "inertia = identity or " : "") + "correction = corrected");
      }
    }
    WarnOfOverlap(*scene, finest.tolerance, &translation.warnings);
    SayContactOfSurfaces(*scene, options, simulation->surfaces(), &translation.record);
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
