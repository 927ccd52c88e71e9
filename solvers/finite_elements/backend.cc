#include "solvers/finite_elements/backend.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/disjoint_sets.h"
#include "models/scene/number_text.h"
#include "solvers/backend_with.h"
#include "solvers/contact/rounded_down.h"
#include "solvers/effective_material.h"
#include "solvers/finite_elements/finite_element_simulation.h"
#include "solvers/finite_elements/options.h"
#include "solvers/finite_elements/scene_parts.h"
#include "solvers/held_throughout.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/rigid_facts.h"

namespace pliant::finite_elements {
namespace {

// Gaps [m] below this at the start are rounding of the scene's numbers.
constexpr double kClosed = 1e-9;
// Surfaces nearer than this part of the barrier's thickness at the start count as touching.
constexpr double kTouching = 0.05;
// Nodes of all elements of a body whose constants are measured, which costs about 70 evaluations of its
// energy: the constants of finer ones are the same.
constexpr int kMostMeasured = 4000;
// From this Poisson's ratio on elements lock noticeably.
constexpr double kNearlyIncompressible = 0.45;
// models/finite_elements/rigid_part.h; its strain is measured in tests/models/finite_elements.
constexpr char kHowRigid[] =
    "an affine motion that an energy of 3e4 rad/s keeps rigid: accelerations a leave a strain of "
    "about a/(size (3e4 rad/s)²), 1e-8 of gravity in a body of 1 m";
constexpr double kSmall = 1e-5;  // strain by which their damping is measured

void SayConstraints(const Scene& scene, TranslationRecord* record) {
  const std::string patch =
      "eliminated, so that it holds exactly: of a solid or a profile the mean of the patch that "
      "the point stands for, the same at every refinement";
  record->Say("combination.*", Fidelity::kExact, patch);
  record->Say("slider.*", Fidelity::kExact, patch + ", or the whole side between its points");
  record->Say("attachment.*", Fidelity::kExact,
              patch + ", or the whole sides between its points, where both have the same nodes");
  const auto refuse_switch = [&](const std::string& name, const HoldTime& hold, double preroll) {
    if (hold.always() && preroll == 0.0) return;
    record->Say(name + ".switch", Fidelity::kUnsupported, kHeldThroughout);
  };
  for (const Nail& nail : scene.nails) {
    record->Say(
        "nail." + nail.name, Fidelity::kExact,
        "eliminated, so that it holds exactly; of a solid or a profile the side or cell between "
        "nails of one name, else the mean of the patch that the point stands for, the same at "
        "every refinement");
    record->Say("nail." + nail.name + ".motion", Fidelity::kExact,
                nail.path.interpolation() == Path::Interpolation::kLinear
                    ? "impulses change its velocity at the keys"
                    : "");
    refuse_switch("nail." + nail.name, nail.hold, nail.preroll);
  }
  for (const Attachment& attachment : scene.attachments) {
    refuse_switch("attachment." + attachment.name, attachment.hold, 0.0);
  }
  for (const Combination& combination : scene.combinations) {
    record->Say("combination." + combination.name, Fidelity::kExact, patch);
    record->Say("combination." + combination.name + ".motion", Fidelity::kExact, "");
    refuse_switch("combination." + combination.name, combination.hold, 0.0);
  }
  for (const Slider& slider : scene.sliders) {
    refuse_switch("slider." + slider.name, slider.hold, 0.0);
    if (slider.kind == Slider::Kind::kLine || slider.kind == Slider::Kind::kPlane) continue;
    record->Say("slider." + slider.name, Fidelity::kUnsupported,
                "elimination holds points on lines and planes only");
  }
  record->Say("limit.*", Fidelity::kUnsupported, "elimination knows equations, not ranges");
  record->Say("behaviour.*", Fidelity::kUnsupported,
              "constraints of this backend hold for the whole run");
}

// Bodies that gravity takes away, since nothing can hold them: no nail, slider, combination or anchored spring, and through
// attachments, springs and contact no other body that is held. An obstacle may stop any of them. Linear in the elements, for each
// body that is not held in the bodies.
std::vector<int> FreeToFall(const Scene& scene) {
  if (scene.gravity.isZero() || !scene.obstacles.empty()) return {};
  const int world = static_cast<int>(scene.bodies.size());
  DisjointSets sets(world + 1);
  const auto hold = [&](const PointRef& point) { sets.Join(point.body, world); };
  for (const Nail& nail : scene.nails) hold(nail.point);
  for (const Slider& slider : scene.sliders) hold(slider.point);
  for (const Combination& combination : scene.combinations) {
    for (const Combination::Term& term : combination.terms) hold(term.point);
  }
  for (const Attachment& attachment : scene.attachments) {
    sets.Join(attachment.a.body, attachment.b.body);
  }
  for (const Spring& spring : scene.springs) {
    sets.Join(spring.a.body, spring.b ? spring.b->body : world);
  }
  const auto held = [&](int body) { return sets.Root(body) == sets.Root(world); };
  for (int a = 0; a < world; ++a) {
    for (int b = 0; b < world && !held(a); ++b) {
      if (a != b && !ContactOf(scene, a, b).ignored) sets.Join(a, b);
    }
  }
  std::vector<int> free;
  for (int body = 0; body < world; ++body) {
    if (!held(body)) free.push_back(body);
  }
  return free;
}

// Equilibria know no inertia, no way that led to them, and no time but that of paths.
void SayStatics(const Scene& scene, TranslationRecord* record) {
  record->Say("impulse.*", Fidelity::kUnsupported, "equilibria have no momentum");
  for (const TimedForce& force : scene.forces) {
    if (force.from <= 0.0 && std::isinf(force.until)) continue;
    record->Say("force." + force.name, Fidelity::kUnsupported,
                "equilibria have no time at which a force begins or ends; leave it out "
                "(--unset scene.force." +
                    force.name + "), or its 'from' and 'until'");
  }
  for (const int body : FreeToFall(scene)) {
    const std::string& name = scene.bodies[body].name;
    record->Say("body." + name, Fidelity::kUnsupported,
                "nothing holds it, so that under gravity it has no equilibrium; nail it, or leave "
                "it out (--unset scene.body." +
                    name + ")");
  }
  const std::string none = "equilibria have no velocity";
  for (const Body& body : scene.bodies) {
    record->Say("body." + body.name + ".velocity", Fidelity::kIgnored, none);
  }
}

void SayElements(const Scene& scene, const Options& options, TranslationRecord* record) {
  record->Say("gravity", Fidelity::kExact, "");
  const std::string thin = ThreeDigits(options.contact.thickness) + " m, an axis of refinement";
  const bool statics = options.time.scheme == TimeScheme::kStatic;
  const std::string friction =
      statics ? "in the limit of short load steps: Coulomb friction against the way of each, "
                "regularised "
                "on ways below " +
                    ThreeDigits(options.contact.friction_length) + " m"
              : "in the limit: Coulomb friction, regularised below a sliding speed of " +
                    ThreeDigits(options.contact.friction_speed) + " m/s";
  const std::string restitution = "the rebound of a continuum follows from its elastic waves";
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    const bool surface = options.contact.obstacles == ObstaclesMeet::kSurface;
    const std::string where = PlaneOf(obstacle.shape) != nullptr ? ""
                              : surface ? "; faces and edges between them meet it too"
                                        : "; smaller obstacles pass between them";
    record->Say(
        name, Fidelity::kExact,
        "in the limit: a barrier at all places of the surface, thinner than " + thin + where);
    record->Say(name + ".motion", Fidelity::kExact, "");
    record->Say(name + ".friction", Fidelity::kExact, friction);
    record->Say(name + ".restitution", Fidelity::kIgnored, restitution);
  }
  const std::string between = "in the limit: a barrier between the surfaces, thinner than " + thin;
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    record->Say(name, Fidelity::kExact, contact.ignored ? "" : between);
    record->Say(name + ".friction", Fidelity::kExact, friction);
    record->Say(name + ".restitution", Fidelity::kIgnored, restitution);
  }
  record->Say("contact", Fidelity::kExact, between);
  record->Say("spring.*", Fidelity::kExact,
              "between points; of a solid or a profile the means of the patches that they stand "
              "for, the same at every refinement");
  if (statics) SayStatics(scene, record);
  const std::string patch =
      "on the patches that its points stand for, the same at every refinement";
  record->Say("force.*", Fidelity::kExact, patch);
  record->Say("impulse.*", Fidelity::kExact, patch);
  SayCartoonEffectsIgnored(record);
  SayConstraints(scene, record);
}

void RefuseTouchingSurfaces(const Scene& scene, double gap, double thickness,
                            TranslationRecord* record) {
  std::string why = "surfaces that meet touch at the start; leave a gap of more than " +
                    ThreeDigits(kTouching * thickness) + " m between them";
  if (gap > 0.0) {
    why = "surfaces that meet start " + ThreeDigits(gap) +
          " m apart, less than a twentieth of contact_thickness = " + ThreeDigits(thickness) +
          " m; use contact_thickness = " + ThreeDigits(RoundedDown(gap / kTouching)) +
          " or less, or move them apart";
  }
  record->Say("contact", Fidelity::kUnsupported, why);
  for (const BodyContact& contact : scene.contacts) {
    if (!contact.ignored) record->Say(ContactName(scene, contact), Fidelity::kUnsupported, why);
  }
}

// The nodes of the body are strained, which strains its elements evenly. The probe reads the part.
MaterialProbe Probe(const Body& body, int dimension, const ElasticPart& part) {
  MaterialProbe probe = ProbeOf(body, dimension);
  probe.mass = part.mass().sum();
  probe.mass_damping = body.material->mass_damping;
  const auto of_element = [&part](int e, const Eigen::Matrix3Xd& q) {
    const std::span<const int> nodes = part.nodes(e);
    Eigen::Matrix3Xd x(3, nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      x.col(static_cast<Eigen::Index>(i)) = q.col(nodes[i]);
    }
    return x;
  };
  probe.energy = [&part, of_element](const Eigen::Matrix3d& F) {
    const Eigen::Matrix3Xd q = F * part.rest();
    double energy = 0.0;
    for (int e = 0; e < part.element_count(); ++e) energy += part.Energy(e, of_element(e, q));
    return std::optional(energy);
  };
  if (!part.viscous()) return probe;
  // What a small strain in one second loses, with β = factor · 1 s, is of second order in it.
  const double damping = body.material->stiffness_damping;
  probe.loss = [&part, of_element, damping](const Eigen::Matrix3d& rate) {
    double lost = 0.0;
    for (int e = 0; e < part.element_count(); ++e) {
      const Eigen::Matrix3Xd before = of_element(e, part.rest());
      const Eigen::Matrix3Xd change = kSmall * rate * before;
      Eigen::Matrix3Xd force = Eigen::Matrix3Xd::Zero(3, before.cols());
      part.AddViscousForce(e, before, before + change, damping, force);
      lost += force.cwiseProduct(change).sum();
    }
    return lost / (kSmall * kSmall);
  };
  return probe;
}

class FiniteElements final : public BackendWith<Options> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "finite-elements",
        .title = "finite elements",
        .source = "Zienkiewicz, Taylor & Fox 2014",
        .summary =
            "bodies are continua of their material in quadratic elements, which converge to "
            "the solution under refinement",
        .losses =
            "contact is a barrier of some thickness; nails, springs and forces at points of solids "
            "act on patches; energy and momenta are kept to Newton's tolerance",
        .condition_of = "",
        .extras = FiniteElementExtras(),
        .arrays = FiniteElementArrays(),
    };
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const Options& options) const override {
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    TranslationRecord& record = translation.record;
    std::vector<std::unique_ptr<const ElasticPart>> parts;
    std::vector<Damping> damping;
    for (int b = 0; b < static_cast<int>(scene->bodies.size()); ++b) {
      AtPreparation("elements of body", static_cast<size_t>(b), scene->bodies.size());
      const Body& body = scene->bodies[b];
      BodyPart made = MakePart(*scene, b, options.refinement, options.locking_free);
      const std::string name = "body." + body.name;
      record.Say(name, made.part ? Fidelity::kApproximated : Fidelity::kUnsupported, made.words);
      record.Say(name + ".material", made.exact ? Fidelity::kExact : Fidelity::kApproximated,
                 made.material);
      record.Say(name + ".velocity", Fidelity::kExact, "");
      record.Say(name + ".stretch", Fidelity::kExact, "");
      if (!made.part) continue;
      if (body.rigid) {
        SayRigid(body, scene->dimension, Fidelity::kApproximated, kHowRigid, &record);
        damping.emplace_back();
        parts.push_back(std::move(made.part));
        continue;
      }
      WarnOfLocking(*scene, body, options, &translation);
      damping.push_back({body.material->mass_damping, body.material->stiffness_damping});
      if (body.material->stiffness_damping > 0.0 && !made.part->viscous()) {
        record.Say(name + ".material", Fidelity::kApproximated,
                   "its elements have no damping in proportion to their stiffness");
      }
      if (made.part->element_count() * made.part->most_nodes() <= kMostMeasured) {
        AddMeasured(body, Probe(body, scene->dimension, *made.part), &translation);
      }
      parts.push_back(std::move(made.part));
    }
    SayElements(*scene, options, &record);
    if (!record.supported()) return translation;
    auto simulation = std::make_unique<FiniteElementSimulation>(
        scene, Discretisation(std::move(parts), std::move(damping)), options);
    Warn(*simulation, &translation);
    if (simulation->smallest_gap() < kTouching * options.contact.thickness) {
      RefuseTouchingSurfaces(*scene, simulation->smallest_gap(), options.contact.thickness,
                             &record);
    }
    if (translation.record.supported()) translation.simulation = std::move(simulation);
    return translation;
  }

  // By how much: docs/finite-elements.md, "Bodies that keep their volume".
  static void WarnOfLocking(const Scene& scene, const Body& body, const Options& options,
                            Translation* translation) {
    if (options.locking_free || !CanLock(scene, body)) return;
    if (body.material->poisson_ratio < kNearlyIncompressible) return;
    translation->warnings.push_back(fmt::format(
        "body '{}' nearly keeps its volume (Poisson's ratio {:.6g}), and its elements are too "
        "stiff then: "
        "at 0.4999 a beam bends 25, 11 and 4 % too little with 1, 2 and 4 of them across; "
        "locking_free = true mends it",
        body.name, body.material->poisson_ratio));
  }

  static void Warn(const FiniteElementSimulation& simulation, Translation* translation) {
    std::set<std::string> redundant;
    for (const int row : simulation.reduction().redundant()) {
      redundant.insert(simulation.rows().name(row));
    }
    for (const std::string& name : redundant) {
      translation->record.Say(name, Fidelity::kApproximated,
                              "partly redundant: other constraints already imply part of it");
      translation->warnings.push_back(
          "redundant constraints: " + name +
          " follows from the other constraints; where it contradicts them, "
          "a gap remains");
    }
    if (!simulation.passes().empty()) {
      translation->warnings.push_back(
          simulation.passes() +
          ": write obstacle_contact = \"surface\" so that edges and faces meet it");
    }
    if (simulation.assembly_gap() <= kClosed) return;
    translation->warnings.push_back("constraints start apart by up to " +
                                    ThreeDigits(simulation.assembly_gap()) +
                                    " m; nodes of their elements are moved there at once");
  }
};

}  // namespace

const Backend& TheBackend() {
  static const FiniteElements backend;
  return backend;
}

}  // namespace pliant::finite_elements
