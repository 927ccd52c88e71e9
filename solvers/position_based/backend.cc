#include "solvers/position_based/backend.h"

#include <string>

#include "solvers/backend_with.h"
#include "solvers/contact/overlap_at_start.h"
#include "solvers/effective_material.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/position_based/options.h"
#include "solvers/position_based/position_based_simulation.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/projection/scene_edges.h"
#include "solvers/projection/translation_record.h"
#include "solvers/rigid_facts.h"

namespace pliant::position_based {
namespace {

// The constraints of a body, by its shape.
std::string WhatIsKept(const Body& body) {
  switch (body.shape) {
    case ShapeKind::kChain:
      return "its points, with constant distances along the chain: it bends freely";
    case ShapeKind::kSheet:
      return "its points, with constant distances along rows and columns: shear and bending are "
             "free";
    case ShapeKind::kBlock:
      return "its points, with constant distances along the three axes: shear and bending are free";
    case ShapeKind::kProfile:
    case ShapeKind::kRing:
      break;
    case ShapeKind::kTube:
    case ShapeKind::kTorus:
    case ShapeKind::kMesh:
      if (body.faces.empty()) return "its points, with constant distances along its lines";
      if (const std::string cells = WhatCellsKeep(body); !cells.empty()) {
        return "its points, with constant distances along the edges of all its cells, inner ones "
               "too: " +
               cells;
      }
      return "its points, with constant distances along the edges of its surface: it bends freely, "
             "faces other than triangles shear, and the enclosed volume has no pressure";
  }
  return "its points, with constant distances along its edges: an outline without inner edges can "
         "fold";
}

TranslationRecord Record(const Scene& scene, const PositionBasedOptions& options) {
  TranslationRecord record(scene);
  SayWhatSweepsKeep(scene, options, false, &record);
  const std::vector<bool> rigid = RigidBodiesOf(scene, options.rigid_bodies);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    AtPreparation("body", b, scene.bodies.size());
    const Body& body = scene.bodies[b];
    const std::string name = "body." + body.name;
    const std::string surfaces =
        WhatSurfacesDo(scene, static_cast<int>(b), rigid[b], options.surface_thickness, false);
    const std::string why_not = rigid[b] ? "" : WhyNotJoined(body);
    if (rigid[b]) {
      record.Say(name, body.rigid ? Fidelity::kExact : Fidelity::kApproximated,
                 "one rigid body with the inertia of its points; no deformation" + surfaces);
    } else if (!why_not.empty()) {
      record.Say(name, Fidelity::kUnsupported, why_not);
    } else {
      record.Say(
          name, Fidelity::kApproximated,
          WhatIsKept(body) +
              (options.compliance > 0.0        ? "; edges stretch by their compliance"
               : options.shape_stiffness > 0.0 ? ""
                                               : "; no elasticity") +
              (options.shape_stiffness > 0.0 ? "; springs back to a rigid copy of its shape" : "") +
              surfaces);
    }
    record.Say(
        name + ".stretch", Fidelity::kIgnored,
        "edges start with their rest lengths, because an initial stretch would act as a blow");
  }
  SayRigid(scene, Fidelity::kExact, "one piece, which sweeps displace whole", &record);
  record.Say("spring.*", Fidelity::kExact, "");
  record.Say("force.*", Fidelity::kExact, "");
  record.Say("impulse.*", Fidelity::kExact, "lasts for the step that contains its time");
  return record;
}

class PositionBased final : public BackendWith<PositionBasedOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "position-based",
        .title = "position-based dynamics",
        .source = "Müller 2007",
        .summary =
            "points move freely and are then displaced until every edge has its rest length again",
        .losses =
            "only edge lengths resist, shear and bending are free; corrections remove energy, more "
            "with longer steps; with too few sweeps edges stay stretched; linear momentum is "
            "conserved to rounding, angular momentum is not; gaps up to the tolerance remain; "
            "sweeps correct one gap after the other, so that the result depends on the numbering "
            "of points and holds",
        .condition_of = "",
        .extras = StepLedger::Extras(),
        .arrays = ArrayGroups(),
    };
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const PositionBasedOptions& options) const override {
    options.RequireConsistent(*scene);
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
      AddMeasured(body, NetProbe(body, scene->dimension, options.compliance), &translation);
    }
    auto simulation = std::make_unique<PositionBasedSimulation>(scene, options);
    WarnOfGap(simulation->assembly_gap(), simulation->tolerance(), *simulation, &translation);
    WarnOfOverlap(*scene, simulation->tolerance(), &translation.warnings);
    SayContactOfSurfaces(*scene, options, simulation->surfaces(), &translation.record);
    translation.simulation = std::move(simulation);
    return translation;
  }
};

}  // namespace

const Backend& TheBackend() {
  static const PositionBased backend;
  return backend;
}

}  // namespace pliant::position_based
