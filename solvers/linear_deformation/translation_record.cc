#include "solvers/linear_deformation/translation_record.h"

#include <algorithm>
#include <limits>
#include <map>

#include "models/scene/number_text.h"
#include "solvers/contact/onset.h"
#include "solvers/contact/sinking.h"
#include "solvers/rigid_facts.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::VectorXd;

// Gaps [m] and rates of gaps [m/s] below this at the start are rounding of the scene's numbers.
constexpr double kClosed = 1e-9;

std::string MotionOf(const LinearBody& body) {
  if (body.basis().family() == BasisFamily::kBernstein) {
    return "free-form (Bernstein, degree " + std::to_string(body.order()) + ")";
  }
  if (body.order() <= 2) return body.order() == 1 ? "affine" : "second-order";
  return "polynomial (degree " + std::to_string(body.order()) + ")";
}

std::string BodyReason(const LinearBody& body, const LinearMaterial& material, double step) {
  const std::string points = std::to_string(body.points());
  std::string reason;
  if (body.points() <= body.columns()) {
    reason = "its " + points + " points move independently";
  } else {
    reason = "its " + points + " points move together, in " + MotionOf(body) + " motion only (" +
             std::to_string(body.coordinates()) + " coordinates)";
  }
  if (body.inertia() == Inertia::kBox) {
    reason +=
        "; its inertia is that of a uniform box, and so are its energies and momenta in the "
        "series, "
        "not sums over its points";
  }
  if (!body.has_volume() && body.material_dimension() > 0 && material.volume_stiffness > 0.0 &&
      material.law == MaterialLaw::kWitkinWelch) {
    reason += std::string("; volume_stiffness has no effect, a ") +
              (body.material_dimension() == 1 ? "line" : "plane") + " in " +
              std::to_string(body.world_dimension()) + "-D has no volume";
  }
  if (step < std::numeric_limits<double>::infinity()) {
    reason += "; its stiffest motion needs steps below about " + ThreeDigits(step) + " s";
  }
  return reason;
}

// Names of the constraints whose row is longer than `rounding`, and the largest length.
std::vector<std::string> Open(const ConstraintVectors& rows, const std::vector<std::string>& names,
                              double rounding, double* largest) {
  std::vector<std::string> open;
  *largest = 0.0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (length <= rounding) continue;
    open.push_back(names[i]);
    *largest = std::max(*largest, length);
  }
  return open;
}

// Adds the requirements of the paths of nails that a body cannot meet, at times around their keys.
void WarnOfContradictions(const Scene& scene, LinearDeformationSystem* system,
                          std::vector<std::string>* warnings) {
  std::vector<double> times = {0.0};
  auto add = [&times](const Path& path) {
    for (size_t k = 0; path.moves() && k + 1 < path.times().size(); ++k) {
      for (double part : {0.25, 0.5, 0.75, 1.0}) {
        times.push_back((1.0 - part) * path.times()[k] + part * path.times()[k + 1]);
      }
    }
  };
  for (const Nail& nail : scene.nails) add(nail.path);
  for (const Combination& combination : scene.combinations) add(combination.path);
  std::vector<std::string> names;
  double largest = 0.0;
  for (double time : times) {
    const double gap = system->Contradiction(time);
    if (gap <= kAgreed) continue;
    largest = std::max(largest, gap);
    for (const std::string& name : ContradictoryNames(*system)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (names.empty()) return;
  warnings->push_back("contradictory constraints: " + ListedNames(names) +
                      " require positions that the bodies cannot all reach; gaps of up to " +
                      ThreeDigits(largest) + " m remain");
}

}  // namespace

std::string ListedNames(const std::vector<std::string>& names) {
  std::vector<std::string> order;
  std::map<std::string, int> count;
  for (const std::string& name : names) {
    if (count[name]++ == 0) order.push_back(name);
  }
  std::string listed;
  for (const std::string& name : order) {
    listed += (listed.empty() ? "" : ", ") + name;
    if (count[name] > 1) listed += " (" + std::to_string(count[name]) + " points)";
  }
  return listed;
}

std::vector<std::string> ContradictoryNames(const LinearDeformationSystem& system) {
  double largest = 0.0;
  return Open(system.constraint_state().gap, system.constraints().names(), kAgreed, &largest);
}

void RecordMaterial(const Body& body, const LinearBody& linear, const HeldMaterial& held,
                    TranslationRecord* record) {
  const std::string name = "body." + body.name + ".material";
  if (!held.from_scene) {
    record->Say(name, Fidelity::kIgnored, held.differs);
    return;
  }
  // A deformation with few coordinates is stiffer than the material, but the law is the material's.
  std::string reason = held.differs;
  const auto add = [&reason](const std::string& more) {
    reason += (reason.empty() ? "" : "; ") + more;
  };
  const double volume = VolumeShares(body, held.material.thickness).sum();
  const double filled =
      linear.content() * std::pow(held.material.thickness, 3 - linear.material_dimension());
  if (std::abs(filled - volume) > 1e-9 * volume) {
    add("it fills " + ThreeDigits(filled) + " m³ where the body has " + ThreeDigits(volume) +
        " m³");
  }
  if (linear.material_dimension() < linear.world_dimension()) add("bending has no stiffness");
  if (held.material.rayleigh_stiffness > 0.0) {
    add("damping by stiffness is that of the body at rest, turned with it");
  }
  record->Say(name, reason.empty() ? Fidelity::kExact : Fidelity::kApproximated, reason);
}

namespace {

void RecordRigid(const Scene& scene, int b, const LinearBody& body, const FeedbackOptions& feedback,
                 TranslationRecord* record) {
  const bool exact = body.inertia() == Inertia::kPoints;
  const Fidelity fidelity = exact ? Fidelity::kExact : Fidelity::kApproximated;
  record->Say("body." + scene.bodies[b].name, fidelity,
              exact ? "moves rigidly" : "moves rigidly, with the inertia of a uniform box");
  SayRigid(scene.bodies[b], scene.dimension, fidelity,
           "an affine motion that Lagrange multipliers keep rigid; " +
               (feedback.frequency > 0.0
                    ? "the strain that a step leaves closes at " + ThreeDigits(feedback.frequency) +
                          " rad/s"
                    : std::string("without feedback, so that the strain of steps adds up")),
           record);
}

}  // namespace

StableBodyStep RecordBodies(const Scene& scene, const LinearDeformationSystem& system,
                            const std::vector<LinearMaterial>& materials,
                            const ContactOptions& contact, const IntegratorOptions& integrator,
                            const FeedbackOptions& feedback, InternalEnergy treatment,
                            TranslationRecord* record) {
  StableBodyStep least{std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::infinity()};
  // Impulses are not stiff.
  const bool stiff_contact = contact.by == ContactBy::kPenalty;
  const PenaltyOptions with_obstacles = stiff_contact && !scene.obstacles.empty()
                                            ? contact.penalty
                                            : PenaltyOptions{0.0, 0.0, 0.0, 0.0};
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const std::string name = "body." + scene.bodies[b].name;
    const LinearBody& body = system.bodies()[b];
    PenaltyOptions in_contact = with_obstacles;
    if (stiff_contact) {
      const PointHold met = HoldByBodies(system.body_contact(), b);
      in_contact.stiffness = std::max(in_contact.stiffness, met.stiffness);
      in_contact.damping = std::max(in_contact.damping, met.damping);
    }
    const StableBodyStep step =
        EstimateStableStep(scene, b, body, materials[b], in_contact, integrator);
    least.free = std::min(least.free, step.free);
    least.all_contacts = std::min(least.all_contacts, step.all_contacts);
    const bool exact = body.points() <= body.columns() && body.inertia() == Inertia::kPoints;
    record->Say(name, exact ? Fidelity::kExact : Fidelity::kApproximated,
                BodyReason(body, materials[b],
                           treatment == InternalEnergy::kExplicit
                               ? step.free
                               : std::numeric_limits<double>::infinity()));
    record->Say(name + ".velocity", Fidelity::kExact, "");
    record->Say(name + ".stretch", Fidelity::kExact, "");
    if (scene.bodies[b].rigid) RecordRigid(scene, b, body, feedback, record);
  }
  return least;
}

void RecordConstraints(const Scene& scene, LinearDeformationSystem* system,
                       const FeedbackOptions& feedback, TranslationRecord* record,
                       std::vector<std::string>* warnings) {
  const std::string held = feedback.frequency > 0.0
                               ? "by a Lagrange multiplier; a gap closes at " +
                                     ThreeDigits(feedback.frequency) + " rad/s"
                               : "by a Lagrange multiplier; without feedback, so that a gap stays";
  const std::string switched = "an impulse matches velocities when it begins to hold";
  for (const Nail& nail : scene.nails) {
    const std::string name = "nail." + nail.name;
    record->Say(name, Fidelity::kExact, held);
    record->Say(name + ".motion", Fidelity::kExact,
                nail.path.interpolation() == Path::Interpolation::kLinear
                    ? "impulses change its velocity at the keys"
                    : "");
    record->Say(name + ".switch", Fidelity::kExact,
                nail.preroll > 0.0 ? "a cubic moves the point to the path" : switched);
  }
  for (const Attachment& attachment : scene.attachments) {
    record->Say("attachment." + attachment.name + ".switch", Fidelity::kExact, switched);
  }
  for (const Slider& slider : scene.sliders) {
    record->Say("slider." + slider.name + ".switch", Fidelity::kExact, switched);
    if (slider.kind == Slider::Kind::kLine || slider.kind == Slider::Kind::kPlane) continue;
    record->Say("slider." + slider.name, Fidelity::kUnsupported,
                "multipliers hold points on lines and planes only");
  }
  for (const Combination& combination : scene.combinations) {
    record->Say("combination." + combination.name + ".switch", Fidelity::kExact, switched);
  }
  record->Say("attachment.*", Fidelity::kExact, held);
  record->Say("slider.*", Fidelity::kExact, held);
  record->Say("combination.*", Fidelity::kExact, held);
  record->Say("limit.*", Fidelity::kUnsupported,
              "multipliers only represent constraints that are always active, not ranges");
  record->Say("behaviour.*", Fidelity::kExact,
              "multipliers move the points; everything happens at the beginning of a step");

  const PointConstraints& constraints = system->constraints();
  if (constraints.empty()) return;
  if (constraints.redundant() > 0) {
    // Harmless where they agree, as the nails of a whole face do.
    const std::vector<std::string> involved = constraints.RedundantNames();
    const int more = constraints.redundant();
    for (const std::string& name : involved) {
      record->Say(name, Fidelity::kApproximated,
                  "redundant: these holds have " +
                      (more == 1 ? "one more equation" : std::to_string(more) + " more equations") +
                      " than the bodies can satisfy independently, and share the least force that "
                      "satisfies all");
    }
    WarnOfContradictions(scene, system, warnings);
  }

  VectorXd q, v;
  system->InitialState(scene, &q, &v);
  PointConstraints::Workspace workspace = constraints.MakeWorkspace();
  constraints.MeasureGaps(0.0, q, v, &workspace);
  double largest = 0.0;
  const auto apart = Open(workspace.gap, constraints.names(), kClosed, &largest);
  if (!apart.empty()) {
    warnings->push_back(
        ListedNames(apart) + " start apart by up to " + ThreeDigits(largest) +
        (feedback.frequency > 0.0
             ? " m; the feedback closes the gap with " + ThreeDigits(feedback.frequency) + " rad/s"
             : " m, and without feedback_frequency they stay apart"));
  }
  const auto parting = Open(workspace.rate, constraints.names(), kClosed, &largest);
  if (parting.empty()) return;
  Exchange matching;
  system->MatchVelocities(0.0, 0.0, q, &v, &matching);
  for (const std::string& name : parting) {
    record->Say(name, Fidelity::kExact,
                held + "; an impulse at the start removes the relative velocity");
  }
  warnings->push_back("initial velocities would open " + ListedNames(parting) + " at up to " +
                      ThreeDigits(largest) +
                      " m/s; an impulse at the start prevents it, its work is " +
                      ThreeDigits(matching.TotalWork()) + " J");
}

void RecordElements(const Scene& scene, const ContactOptions& contact, InternalEnergy treatment,
                    TranslationRecord* record) {
  const std::string within = treatment == InternalEnergy::kExplicit
                                 ? ", and within those in which they stay"
                                 : " or stay: weight acts for a step before it is carried";
  record->Say("gravity", Fidelity::kExact, "");
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(name + ".motion", Fidelity::kExact, "");
    if (contact.by == ContactBy::kImpulse) {
      record->Say(name, Fidelity::kApproximated,
                  "impulses at the end of the step in which material points enter" + within +
                      "; of first order in the step" +
                      WhatMeets(obstacle, contact.penalty.obstacles));
      record->Say(name + ".friction", Fidelity::kApproximated,
                  "impulses along the surface, limited by Coulomb's cone");
      record->Say(name + ".restitution", Fidelity::kExact, "");
      continue;
    }
    record->Say(name + ".restitution", Fidelity::kIgnored,
                "contact_stiffness and contact_damping determine the bounce");
    record->Say(
        name, Fidelity::kApproximated,
        "penalty springs at the material points, " + ThreeDigits(contact.penalty.stiffness) +
            " N/m and " + ThreeDigits(contact.penalty.damping) + " N s/m each" +
            SinkingInWords(scene, obstacle, contact.penalty.stiffness) +
            OnsetInWords(contact.penalty.damping) + WhatMeets(obstacle, contact.penalty.obstacles));
    record->Say(name + ".friction", Fidelity::kApproximated,
                "spring and damper to the entry point, limited by Coulomb's cone");
  }
  record->Say("spring.*", Fidelity::kExact, "");
  record->Say("force.*", Fidelity::kExact, "");
  record->Say("impulse.*", Fidelity::kExact, "");
  if (contact.penalty.between == BodiesMeetBy::kBarrier) {
    SaySurfacesMeet(scene, contact.penalty, record);
  } else if (contact.by == ContactBy::kImpulse) {
    SayBodiesMeet(
        scene, "impulses at the end of the step in which cells of bodies enter each other" + within,
        "impulses along the surface, limited by Coulomb's cone", Fidelity::kExact, "", record);
  } else {
    SayBodiesMeet(scene, BodiesByPenalty(contact.penalty),
                  "spring and damper to the entry place, limited by Coulomb's cone",
                  Fidelity::kIgnored, "contact_stiffness and contact_damping determine the bounce",
                  record);
  }
  SayCartoonEffectsIgnored(record);
}

}  // namespace pliant::linear_deformation
