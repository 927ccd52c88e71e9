#include "solvers/kinematic_response/backend.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/scene/touch.h"
#include "solvers/backend_with.h"
#include "solvers/contact/obstacles_meet.h"
#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/brush.h"
#include "solvers/kinematic_response/kinematic_response_simulation.h"
#include "solvers/kinematic_response/riders.h"
#include "solvers/kinematic_response/warnings.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/rigid_facts.h"

namespace pliant::kinematic_response {
namespace {

// Why a body cannot be a surface of this method; empty when it can.
std::string WhyUnsupported(const Scene& scene, const Body& body, bool rides,
                           const KinematicResponseOptions& options) {
  if (body.rigid) return "";
  if (!rides && Patch::Fits(body, scene.dimension)) {
    return Patch::WhyNot(body, scene.dimension, options.patch);
  }
  const bool outline = body.shape == ShapeKind::kProfile && scene.dimension == 2;
  std::string why = outline ? "" : WhyNoSurface(body, scene.dimension);
  if (why.empty() && rides && options.proxy.kind == ProxyKind::kAffine) {
    why = AffineProxy::WhyNot(body, scene.dimension);
  }
  return why;
}

// Has its own surface: neither a lattice nor a patch.
bool IsOwnSurface(const Scene& scene, const Body& body, bool rides) {
  return !body.rigid && body.shape != ShapeKind::kProfile &&
         (rides || !Patch::Fits(body, scene.dimension));
}

// Is there anything to which held surfaces would ever respond? Obstacles that neither move nor
// touch never meet a held surface.
bool SomethingPresses(const Scene& scene) {
  bool presses = std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                             [](const Obstacle& obstacle) { return obstacle.motion.moves(); });
  ForEachTouch(scene.obstacles, 0.0, scene.InitialPoints(), 0.0,
               [&presses](const Touch&) { presses = true; });
  return presses;
}

// Translates a scene with riding and held surfaces.
class Recorder {
 public:
  Recorder(const Scene& scene, const KinematicResponseOptions& options,
           const std::vector<bool>& rides)
      : scene_(scene),
        options_(options),
        rides_(rides),
        proxy_(options.proxy.InWords()),
        rigid_(options.proxy.kind == ProxyKind::kRigid),
        any_rides_(std::count(rides.begin(), rides.end(), true) > 0),
        any_held_(std::count(rides.begin(), rides.end(), false) > 0) {}

  void RecordAll(TranslationRecord* record) const {
    Bodies(record);
    Obstacles(record);
    Gravity(record);
    Springs(record);
    Contacts(record);
    // Elements may share a name; the record keeps the last entry, so the worst one comes last.
    for (const bool ride : {true, false}) {
      for (const TimedForce& force : scene_.forces) {
        if (rides_[force.point.body] == ride) Acting(record, "force." + force.name, ride);
      }
      for (const Impulse& impulse : scene_.impulses) {
        if (rides_[impulse.point.body] == ride) Acting(record, "impulse." + impulse.name, ride);
      }
    }
    record->Say("nail.*", Fidelity::kUnsupported, "the method has no pinned points");
    record->Say("attachment.*", Fidelity::kUnsupported, "the method has no ties between surfaces");
    SayCartoonEffectsIgnored(record);
    SayMaterialIgnored(scene_, record);
    SayRigid(scene_, Fidelity::kExact,
             "rides on a rigid proxy, and its surface does not respond: a point in an obstacle "
             "pushes like a spring of contact_stiffness",
             record);
    SayMotionControlUnsupported(scene_, record);
  }

 private:
  static constexpr const char* kNoForces = "the method has no forces and no inertia";

  void Acting(TranslationRecord* record, const std::string& element, bool rides) const {
    record->Say(element, rides ? Fidelity::kApproximated : Fidelity::kUnsupported,
                rides ? "acts on the " + proxy_ + ", at the position of the undeformed point" +
                            (rigid_ ? ": moves the body as a whole" : "")
                      : kNoForces);
  }

  std::string OfWhat() const {
    if (rigid_) return "";
    return options_.proxy.kind == ProxyKind::kAffine
               ? "that is a body of linear-deformation, of order 1; "
               : "that is a body of dynamic-ffd, in the modes of proxy_modes; ";
  }

  void Bodies(TranslationRecord* record) const {
    for (size_t i = 0; i < scene_.bodies.size(); ++i) {
      AtPreparation("body", i, scene_.bodies.size());
      const Body& body = scene_.bodies[i];
      const std::string name = "body." + body.name;
      const std::string why_not = WhyUnsupported(scene_, body, rides_[i], options_);
      if (!why_not.empty()) {
        record->Say(name, Fidelity::kUnsupported, why_not);
      } else if (body.rigid) {
        record->Say(name, Fidelity::kExact, "its points, as one rigid body");
      } else if (rides_[i]) {
        std::string how = "a surface";
        if (body.shape == ShapeKind::kProfile) {
          const std::string cells = std::to_string(1 << options_.lattice_level);
          how =
              "its points are embedded in a planar lattice of " + cells + " by " + cells + " cells";
        }
        record->Say(name, Fidelity::kApproximated,
                    how + " that rides on " + (proxy_[0] == 'a' ? "an " : "a ") + proxy_ +
                        ", which the reaction of the pressed surface moves; " + OfWhat() +
                        "the deformation of the surface has no inertia of its own");
      } else if (Patch::Fits(body, scene_.dimension)) {
        record->Say(name, Fidelity::kApproximated,
                    "a patch on one side of the box around the body drives a free-form lattice; "
                    "the opposite side is rigid and held; masses have no effect");
      } else {
        record->Say(name, Fidelity::kExact,
                    options_.extensions.has_skeleton()
                        ? "a skeleton carries its coarse levels; its masses have no effect"
                        : "held at its initial position; its masses have no effect");
      }
      record->Say(name + ".velocity", rides_[i] ? Fidelity::kExact : Fidelity::kUnsupported,
                  rides_[i] ? "" : "a surface has no inertia and cannot have a velocity");
      const bool rides_on_modes = rides_[i] && options_.proxy.kind == ProxyKind::kFreeForm;
      const bool springs_back = rides_[i] && options_.proxy.kind == ProxyKind::kAffine;
      std::string stretch;
      if (rides_on_modes) {
        stretch = "the proxy starts in the nearest shape of its modes";
      } else if (!springs_back) {
        stretch = "the stretched shape becomes the rest shape, so the body does not spring back";
      }
      record->Say(name + ".stretch", springs_back ? Fidelity::kExact : Fidelity::kApproximated,
                  stretch);
    }
  }

  void Obstacles(TranslationRecord* record) const {
    for (const Obstacle& obstacle : scene_.obstacles) {
      const std::string name = "obstacle." + obstacle.name;
      const bool nearest = options_.casting == CastingRule::kNearest;
      const std::string held_pressed =
          nearest ? "displaces the surface out of the obstacle by the shortest way"
                  : "displaces the surface along its inward normal; from behind it pulls the "
                    "surface through";
      std::string held_friction = "has no effect: vertices move out by the shortest way";
      if (!nearest) {
        held_friction =
            "turns the direction of displacement from the normal (0) to the motion of the obstacle "
            "(1); this is not Coulomb's law";
        if (obstacle.friction > 1.0) held_friction += "; a coefficient above 1 counts as 1";
      }
      if (any_rides_) {
        record->Say(name, Fidelity::kApproximated,
                    "points inside move out by the shortest way; their displacement pushes the " +
                        proxy_ + " like a spring of contact_stiffness" +
                        "; contact begins and ends within steps, where the motion is of first "
                        "order" +
                        (any_held_ ? "; a held body: " + held_pressed : ""));
        record->Say(name + ".friction", Fidelity::kApproximated,
                    "Coulomb's limit on springs to the first contact position of pressed points; "
                    "these springs act on the " +
                        proxy_ + " and do not deform the surface" +
                        (any_held_ ? "; on a held body it " + held_friction : ""));
      } else {
        record->Say(name, Fidelity::kExact, held_pressed);
        record->Say(name + ".friction", nearest ? Fidelity::kIgnored : Fidelity::kApproximated,
                    held_friction);
      }
      record->Say(name + ".motion", Fidelity::kExact, "");
    }
  }

  void Gravity(TranslationRecord* record) const {
    if (any_rides_) {
      record->Say("gravity", Fidelity::kApproximated,
                  "moves the bodies that surfaces ride on, each on its " + proxy_ +
                      "; no surface sags under it");
    } else if (SomethingPresses(scene_) || !options_.strokes.entries.empty()) {
      record->Say("gravity", Fidelity::kIgnored, "held surfaces respond without forces");
    } else {
      record->Say("gravity", Fidelity::kUnsupported,
                  "held surfaces respond only to obstacles, and this scene has none");
    }
  }

  void Springs(TranslationRecord* record) const {
    const FoundationSprings foundation(scene_);
    const auto on_rider = [this](const Spring& spring) {
      return rides_[spring.a.body] || (spring.b && rides_[spring.b->body]);
    };
    for (const Spring& spring : scene_.springs) {
      if (on_rider(spring)) Acting(record, "spring." + spring.name, true);
    }
    for (const Spring& spring : scene_.springs) {
      if (on_rider(spring) || spring.stiffness == 0.0) continue;
      if (!foundation.Has(spring)) continue;
      record->Say("spring." + spring.name, Fidelity::kApproximated,
                  "elastic offsets and their relaxation replace the elastic foundation; its "
                  "stiffness has no effect");
    }
    for (const Spring& spring : scene_.springs) {
      if (on_rider(spring) || spring.stiffness == 0.0) continue;
      if (foundation.Has(spring)) continue;
      record->Say(
          "spring." + spring.name, Fidelity::kUnsupported,
          std::string(kNoForces) +
              "; only springs that hold points at their initial positions can be represented");
    }
    record->Say("spring.*", Fidelity::kIgnored,
                "a damper without stiffness has no effect: the method has no velocities");
  }

  void Contacts(TranslationRecord* record) const {
    const std::string pass = "bodies that ride pass through others";
    const std::string share =
        "held surfaces that have penetrated each other share the separating displacement by "
        "relative_stiffness" +
        (any_rides_ ? "; " + pass : "");
    const std::string apart = "held surfaces without relative_stiffness pass through each other";
    SayBodiesPassThrough(scene_,
                         !any_held_   ? pass
                         : any_rides_ ? apart + "; " + pass
                                      : apart,
                         record);
    const bool shares = !options_.relative_stiffness.empty() && any_held_;
    for (const BodyContact& contact : scene_.contacts) {
      const bool self = contact.a == contact.b;
      const bool held = !rides_[contact.a] && !rides_[contact.b];
      const bool acts = held && (self ? options_.extensions.self_contact_depth > 0.0 : shares);
      const std::string name = ContactName(scene_, contact);
      if (acts && contact.ignored) {
        record->Say(name, Fidelity::kIgnored,
                    std::string(self ? "self_contact_depth" : "relative_stiffness") +
                        " separates all held surfaces");
      } else if (acts) {
        record->Say(
            name, Fidelity::kApproximated,
            self ? "parts that have penetrated each other are pushed apart, each by half" : share);
      }
      record->Say(name + ".friction", Fidelity::kIgnored, "surfaces slide on each other freely");
      record->Say(name + ".restitution", Fidelity::kIgnored, kNoForces);
    }
    if (shares) record->Say("contact", Fidelity::kApproximated, share);
  }

  const Scene& scene_;
  const KinematicResponseOptions& options_;
  const std::vector<bool>& rides_;
  std::string proxy_;
  bool rigid_;
  bool any_rides_, any_held_;
};

double WhenObstaclesStop(const Scene& scene) {
  double stop = 0.0;
  for (const Obstacle& obstacle : scene.obstacles) {
    if (obstacle.motion.moves()) stop = std::max(stop, obstacle.motion.times().back());
  }
  return stop;
}

void RequireBodies(const Scene& scene, const KinematicResponseOptions& options) {
  const size_t given = options.relative_stiffness.size(), bodies = scene.bodies.size();
  if (given == 0 || given == bodies) return;
  throw BadInput({"relative_stiffness",
                  "relative_stiffness has " + std::to_string(given) + " values, but there are " +
                      std::to_string(bodies) + " bodies",
                  "give one for each body, in the order of the scene"});
}

// The level that swells must exist.
void RequireVolumeLevel(const KinematicResponseOptions& options, int levels,
                        const std::string& body) {
  if (options.volume_kept == 0.0 || options.volume_level < levels) return;
  throw BadInput({"volume_level",
                  "there is no level " + std::to_string(options.volume_level) +
                      " in the surface of body '" + body + "'",
                  "give 1 to " + std::to_string(levels - 1)});
}

// Options that measure a surface or cross it from its border.
void RequireBorders(const Body& body, const KinematicResponseOptions& options) {
  if (HasBorders(body)) return;
  std::string option;
  if (options.volume_kept > 0.0) option = "volume_kept";
  if (options.has_layer()) option = "layer_thickness";
  if (option.empty()) return;
  throw BadInput(
      {option,
       option + " is for sheets and chains, and body '" + body.name + "' is closed or a mesh",
       "remove it, or remove the body from the scene"});
}

class ResponseBackend final : public BackendWith<KinematicResponseOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "kinematic-response",
        .title = "kinematic collision response",
        .source = "Harrison 1994",
        .summary =
            "a multiresolution surface moves out of the obstacles that penetrate it; each level "
            "takes its share of the displacement and recovers with its own time constant",
        .losses =
            "deformation has no inertia, no momentum and no energy; a held surface has no masses, "
            "forces or velocity, and moves only where an obstacle presses it; friction has no "
            "effect on it unless casting = ray; bodies that move ride on rigid proxies; how levels "
            "share a displacement depends on the step, to first order unless a coarse level is "
            "damped more than the finest; contact of bodies that ride begins and ends within "
            "steps, where their motion is of first order",
        .condition_of = "",
        .extras = KinematicResponseExtras(),
        .arrays = ArrayGroups()};
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const KinematicResponseOptions& chosen) const override {
    KinematicResponseOptions options = chosen;
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    options.Validate();
    const double brushed = EndOf(ReadStrokes(options.strokes, scene->dimension));
    options.SolveForRest(std::max(WhenObstaclesStop(*scene), brushed));
    RequireBodies(*scene, options);
    const std::vector<bool> rides = WhoRides(*scene, options.rides);
    const ExtensionOptions& extensions = options.extensions;
    Recorder(*scene, options, rides).RecordAll(&translation.record);
    if (!translation.record.supported()) return translation;
    std::vector<int> levels;
    for (size_t i = 0; i < rides.size(); ++i) {
      const Body& body = scene->bodies[i];
      if (IsOwnSurface(*scene, body, rides[i])) RequireHalves(body);
      levels.push_back(RidingBody::Levels(body, options));
    }
    extensions.RequireScene(*scene, rides, levels);
    translation.warnings = extensions.Warnings(*scene, options.prolongation);
    for (size_t i = 0; i < rides.size(); ++i) {
      const Body& body = scene->bodies[i];
      if (body.rigid) continue;
      options.RequireLevels(levels[i], body.name);
      RequireVolumeLevel(options, levels[i], body.name);
      RequireBorders(body, options);
    }
    if (options.proxy.kind == ProxyKind::kFreeForm &&
        std::count(rides.begin(), rides.end(), true) > 0) {
      if (!options.proxy.has_modes()) {
        throw BadInput({"proxy_modes", "a free-form proxy deforms by modes, but none are given",
                        "set proxy_modes = \"../data/modes/….toml\""});
      }
      options.proxy.free_form =
          ReadFreeFormModes(*scene, options.proxy.modes, &translation.warnings);
    }
    auto simulation = std::make_unique<KinematicResponseSimulation>(scene, options, rides);
    for (const RidingBody& rider : simulation->riders()) {
      WarnOfSinking(*scene, rider, options, &translation.warnings);
    }
    WarnOfPassingAnyPoints(*scene, &translation.warnings);
    WarnOfLateLevels(options, &translation.warnings);
    WarnOfRays(*scene, rides, options, &translation.warnings);
    translation.simulation = std::move(simulation);
    return translation;
  }
};

}  // namespace

const Backend& TheBackend() {
  static const ResponseBackend backend;
  return backend;
}

}  // namespace pliant::kinematic_response
