#include "solvers/dynamic_ffd/translation_record.h"

#include <string>

#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "solvers/contact/body_penalty.h"
#include "solvers/contact/onset.h"
#include "solvers/contact/sinking.h"
#include "solvers/contact/surface_barrier.h"
#include "solvers/control/binding.h"
#include "solvers/rigid_facts.h"

namespace pliant::dynamic_ffd {

void RecordFfdBody(const Body& body, const ModeTable& table, const std::vector<int>& modes,
                   const FfdPart& part, TranslationRecord* record) {
  std::string reason = "moves rigidly";
  std::string starts, rates;
  const double added_inertia = part.inertia->added_axis_inertia();
  const bool free_lattice = static_cast<size_t>(part.body.free_modes()) < modes.size();
  if (free_lattice) {
    reason += " and in all " + std::to_string(part.body.free_modes()) +
              " other displacements of a lattice of " +
              std::to_string(modes.size() / part.body.dimension()) + " free control points";
  }
  for (size_t i = 0; i < modes.size() && !free_lattice; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    reason +=
        (i == 0 ? " and in " + std::to_string(modes.size()) + " modes only: " : ", ") + mode.name;
    if (mode.initial != 0.0) starts += " " + mode.name + " at " + ThreeDigits(mode.initial);
    if (mode.initial_rate != 0.0)
      rates += " " + mode.name + " at " + ThreeDigits(mode.initial_rate) + "/s";
  }
  if (!starts.empty()) reason += "; starts deformed:" + starts;
  if (!rates.empty()) reason += "; starts deforming:" + rates;
  if (added_inertia > 0.0) {
    reason += "; a straight line has no inertia about its axis and is given " +
              ThreeDigits(added_inertia) + " kg m²";
  }
  const Fidelity fidelity =
      body.rigid && added_inertia == 0.0 ? Fidelity::kExact : Fidelity::kApproximated;
  record->Say("body." + body.name, fidelity, reason);
  SayRigid(body, part.body.dimension(), fidelity,
           "its lattice moves rigidly, without the modes of other bodies", record);
}

void RecordModeChange(const Body& body, const std::string& from, const TranslationRecord& later,
                      TranslationRecord* record) {
  if (body.rigid) return;
  const std::string element = "body." + body.name;
  auto reason = [&](const TranslationRecord& said) {
    for (const TranslatedElement& entry : said.Entries()) {
      if (entry.element == element) return entry.reason;
    }
    return std::string();
  };
  record->Say(element, Fidelity::kApproximated,
              reason(*record) + "; " + from + " it " + reason(later) +
                  ", and continues the motion as closely as these modes allow");
}

void RecordFfdElements(const Scene& scene, const DynamicFfdOptions& options,
                       TranslationRecord* record) {
  const std::string held = ThreeDigits(options.constraints.stiffness) + " N/m and " +
                           ThreeDigits(options.constraints.damping) + " N s/m";
  const double weight = Gravity(scene).Weight(scene.Masses().sum());
  const std::string gap =
      weight > 0.0
          ? "the weight of the scene opens its gap by " +
                ThreeDigits(weight / options.constraints.stiffness) + " m"
          : "1 N opens its gap by " + ThreeDigits(1.0 / options.constraints.stiffness) + " m";
  record->Say("gravity", Fidelity::kExact, "");
  SayMaterialIgnored(scene, record);  // until RecordMaterial() says more
  for (const Body& body : scene.bodies) {
    // Once the modes of the body are known, RecordFfdBody() says more.
    const std::string name = "body." + body.name;
    record->Say(name, Fidelity::kApproximated, "the body moves rigidly and in a few modes only");
    record->Say(name + ".stretch", Fidelity::kApproximated,
                "only as far as the modes can represent it");
    record->Say(name + ".velocity", Fidelity::kExact, "");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(
        name, Fidelity::kApproximated,
        options.contact.law == ContactLaw::kBarrier
            ? "a barrier around the obstacle, " + ThreeDigits(options.contact.barrier_energy) +
                  " J at its surface, smaller by a factor e every " +
                  ThreeDigits(options.contact.barrier_length) + " m outwards"
            : "penalty springs at the material points, " + ThreeDigits(options.contact.stiffness) +
                  " N/m and " + ThreeDigits(options.contact.damping) + " N s/m each" +
                  SinkingInWords(scene, obstacle, options.contact.stiffness) +
                  OnsetInWords(options.contact.damping) +
                  WhatMeets(obstacle, options.contact.obstacles));
    record->Say(name + ".friction", Fidelity::kApproximated,
                "spring and damper to the entry point, limited by Coulomb's cone");
    record->Say(name + ".motion", Fidelity::kExact, "");
  }
  for (const Nail& nail : scene.nails) {
    const std::string name = "nail." + nail.name;
    record->Say(name, Fidelity::kApproximated, "a stiff spring of " + held + ": " + gap);
    record->Say(name + ".motion", Fidelity::kApproximated,
                "the end of the spring follows the path; the point lags behind");
  }
  record->Say("attachment.*", Fidelity::kApproximated, "a stiff spring of " + held + ": " + gap);
  record->Say("spring.*", Fidelity::kExact, "");
  record->Say("force.*", Fidelity::kExact, "");
  record->Say("impulse.*", Fidelity::kExact, "");
  record->Say("notice.*", Fidelity::kExact, "");
  record->Say("morph.*", Fidelity::kExact, "");
  if (options.contact.between == BodiesMeetBy::kBarrier) {
    SaySurfacesMeet(scene, options.contact, record);
  } else {
    SayBodiesMeet(scene, BodiesByPenalty(options.contact),
                  "spring and damper to the entry place, limited by Coulomb's cone",
                  Fidelity::kIgnored, "contact_stiffness and contact_damping determine the bounce",
                  record);
  }
  SayMotionControlUnsupported(scene, record);
}

void RecordKeyFrames(const Scene& scene, const KeyFrameTable& table, TranslationRecord* record) {
  for (const KeyFrameTable& one : table.several) RecordKeyFrames(scene, one, record);
  if (table.keys.empty()) return;
  const int b = BodyOfTable(scene, table.body);
  const double end = table.keys.back().time;
  const std::string body = "body." + scene.bodies[b].name;
  const std::string until =
      "until " + ThreeDigits(end) + " s the motion of the body is prescribed by key frames";
  record->Say(body + ".velocity", Fidelity::kIgnored, until + ", whose velocity it has");
  record->Say(body + ".stretch", Fidelity::kIgnored, until + ", whose shape it has");
  for (const Impulse& impulse : scene.impulses) {
    if (impulse.point.body != b || impulse.time >= end) continue;
    record->Say("impulse." + impulse.name, Fidelity::kIgnored, until + ", which ignore impulses");
  }
  for (const TimedForce& force : scene.forces) {
    if (force.point.body != b || force.from >= end) continue;
    record->Say("force." + force.name, Fidelity::kApproximated,
                until + ": the force does work on the body but does not move it");
  }
}

}  // namespace pliant::dynamic_ffd
