#include "models/scene/validate.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>

#include "models/problem.h"
#include "models/scene/agreement.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "models/scene/validate_parts.h"

namespace pliant {

std::string At(const char* table, size_t index, const char* key) {
  std::string path = std::string(table) + "[" + std::to_string(index) + "]";
  if (*key != '\0') path += std::string(".") + key;
  return path;
}

void RequireNotNegative(double value, const std::string& where, const std::string& what) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw BadInput({where, what + " must be finite and not negative, not " + Digits(value), ""});
  }
}

void RequireEndsLater(double from, double until, const std::string& where,
                      const std::string& what) {
  if (until > from) return;
  throw BadInput({where,
                  what + " must end after it begins: it begins at " + Digits(from) +
                      " s and ends at " + Digits(until) + " s",
                  "write a later 'until' or an earlier 'from'"});
}

void RequireBody(const Scene& scene, int body, const std::string& where) {
  if (body >= 0 && body < static_cast<int>(scene.bodies.size())) return;
  throw BadInput({where, "there is no body number " + std::to_string(body), ""});
}

void RequirePoint(const Scene& scene, const PointRef& ref, const std::string& where) {
  if (ref.body < 0 || ref.body >= static_cast<int>(scene.bodies.size())) {
    throw BadInput({where, "there is no body number " + std::to_string(ref.body), ""});
  }
  const Body& body = scene.bodies[ref.body];
  if (ref.point < 0 || ref.point >= body.size()) {
    throw BadInput(
        {where,
         "point " + std::to_string(ref.point) + " is out of range for body '" + body.name + "'",
         "its points are 0 to " + std::to_string(body.size() - 1)});
  }
}

void RequirePlanar(const Scene& scene, const Eigen::Vector3d& vector, const std::string& where) {
  if (scene.dimension == 2 && vector.z() != 0.0) {
    throw BadInput({where, "a planar scene lives in z = 0, but this has a z component",
                    "set it to 0 or use dimension = 3"});
  }
}

void RequirePlanarPath(const Scene& scene, const Path& path, const std::string& where) {
  for (int k = 0; k < path.keys().cols(); ++k) RequirePlanar(scene, path.keys().col(k), where);
}

namespace {

void ValidateGoal(const Scene& scene, const Goal& goal, const std::string& where) {
  if (const auto* point = std::get_if<PointRef>(&goal)) {
    RequirePoint(scene, *point, where);
  } else {
    const auto& place = std::get<Eigen::Vector3d>(goal);
    RequireFinite(place, where, "a place of the behaviour");
    RequirePlanar(scene, place, where);
  }
}

void ValidateAction(const Scene& scene, const Action& action, const std::string& where) {
  switch (action.kind) {
    case Action::Kind::kChase:
    case Action::Kind::kConnect:
    case Action::Kind::kDisconnect: {
      RequirePoint(scene, action.point, where);
      if (action.goal) ValidateGoal(scene, *action.goal, where);
      if (action.kind == Action::Kind::kDisconnect) break;
      if (!action.goal) throw BadInput({where, "a chase or connection needs a goal", ""});
      const auto* goal = std::get_if<PointRef>(&*action.goal);
      if (goal != nullptr && *goal == action.point) {
        throw BadInput({where, "a point cannot chase itself or be connected to itself", ""});
      }
      if (action.kind == Action::Kind::kConnect) {
        if (goal == nullptr || goal->body != action.point.body) break;
        throw BadInput({where,
                        "a connection would join body '" + scene.bodies[action.point.body].name +
                            "' to itself",
                        "connect points of two bodies"});
      }
      if (!(action.duration > 0.0) || !std::isfinite(action.duration)) {
        throw BadInput({where, "a chase must last longer than 0 s", ""});
      }
      if (action.final_velocity) {
        RequireFinite(*action.final_velocity, where, "a final velocity");
        RequirePlanar(scene, *action.final_velocity, where);
      }
      break;
    }
    case Action::Kind::kWait:
      RequireNotNegative(action.duration, where, "a wait");
      break;
    case Action::Kind::kWaitFor: {
      const Condition& condition = action.condition;
      RequireNotNegative(condition.value, where, "a distance or a time to wait for");
      if (condition.kind == Condition::Kind::kTime) break;
      RequirePoint(scene, condition.point, where);
      ValidateGoal(scene, condition.goal, where);
      if (!(condition.upper.array() >= condition.lower.array()).all()) {
        throw BadInput(
            {where, "the first corner of a box must be the lower one",
             "swap coordinates so that each of the first corner is at most that of the second"});
      }
      break;
    }
    case Action::Kind::kSequence:
    case Action::Kind::kParallel:
    case Action::Kind::kRepeat:
      if (action.actions.empty()) throw BadInput({where, "the block is empty", ""});
      RequireNotNegative(action.count, where, "a number of repetitions");
      for (const Action& inner : action.actions) ValidateAction(scene, inner, where);
      break;
  }
}

void ValidateNotice(const Scene& scene, size_t i) {
  const Notice& notice = scene.notices[i];
  RequireBody(scene, notice.body, At("notice", i, "body"));
  if (!notice.delay && !notice.looks_down) {
    throw BadInput({At("notice", i), "'" + notice.name + "' does not say when the body notices",
                    "add delay, or looks_down"});
  }
  if (notice.delay) RequireNotNegative(*notice.delay, At("notice", i, "delay"), "delay");
  if (notice.looks_down && !(std::abs(*notice.looks_down) <= 0.5 * std::numbers::pi)) {
    throw BadInput(
        {At("notice", i, "looks_down"), "looks_down must be an angle between −π/2 and π/2", ""});
  }
  if (!(std::abs(notice.gaze.norm() - 1.0) < 1e-9)) {
    throw BadInput({At("notice", i, "gaze"), "the gaze must have length 1", ""});
  }
  if (!Gravity(scene).acts()) {
    throw BadInput(
        {At("notice", i), "the scene has no gravity that the body could notice", "remove it"});
  }
}

void ValidateMorph(const Scene& scene, size_t i) {
  const Morph& morph = scene.morphs[i];
  RequireBody(scene, morph.body, At("morph", i, "body"));
  const Body& body = scene.bodies[morph.body];
  if (morph.target.cols() != body.size()) {
    throw BadInput({At("morph", i, "points"),
                    "morph '" + morph.name + "' has " + std::to_string(morph.target.cols()) +
                        " points, but body '" + body.name + "' has " + std::to_string(body.size()),
                    "give one for each"});
  }
  RequireFinite(morph.target, At("morph", i, "points"), "a point of the morph");
  for (int n = 0; n < body.size(); ++n) {
    RequirePlanar(scene, morph.target.col(n), At("morph", i, "points"));
  }
  RequireNotNegative(morph.from, At("morph", i, "from"), "from");
  RequireNotNegative(morph.until, At("morph", i, "until"), "until");
  RequireEndsLater(morph.from, morph.until, At("morph", i, "until"), "morph '" + morph.name + "'");
}

void ValidateContact(const Scene& scene, size_t i) {
  const BodyContact& contact = scene.contacts[i];
  RequireBody(scene, contact.a, At("contact", i));
  RequireBody(scene, contact.b, At("contact", i));
  for (size_t k = 0; k < i; ++k) {
    if (!contact.joins(scene.contacts[k].a, scene.contacts[k].b)) continue;
    throw BadInput({At("contact", i),
                    "the contact of bodies '" + scene.bodies[contact.a].name + "' and '" +
                        scene.bodies[contact.b].name + "' is stated twice",
                    "remove one; the order of the bodies has no meaning"});
  }
  const std::string between = " between bodies '" + scene.bodies[contact.a].name + "' and '" +
                              scene.bodies[contact.b].name + "'";
  RequireNotNegative(contact.friction, At("contact", i, "friction"), "friction" + between);
  RequireNotNegative(contact.restitution, At("contact", i, "restitution"), "restitution" + between);
  if (contact.restitution > 1.0) {
    throw BadInput({At("contact", i, "restitution"),
                    "a restitution of " + Digits(contact.restitution) +
                        " would make bounces higher and higher",
                    "write 0 to 1"});
  }
  if (contact.ignored && (contact.friction > 0.0 || contact.restitution > 0.0)) {
    throw BadInput({At("contact", i, "ignore"),
                    "bodies that ignore each other have neither friction nor restitution",
                    "remove these, or ignore = true"});
  }
}

// At most one of a kind for each body.
template <typename T>
void RequireOneForEachBody(const Scene& scene, const std::vector<T>& elements, const char* kind) {
  std::set<int> bodies;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (bodies.insert(elements[i].body).second) continue;
    throw BadInput(
        {At(kind, i, "body"),
         "body '" + scene.bodies[elements[i].body].name + "' has two of [[" + kind + "]]",
         "remove one"});
  }
}

void ValidateSpring(const Scene& scene, size_t i) {
  const Spring& spring = scene.springs[i];
  RequirePoint(scene, spring.a, At("spring", i, "a"));
  if (spring.b) RequirePoint(scene, *spring.b, At("spring", i, "b"));
  RequireFinite(spring.anchor, At("spring", i, "anchor"), "anchor");
  RequirePlanar(scene, spring.anchor, At("spring", i, "anchor"));
  const std::string of_spring = " of spring '" + spring.name + "'";
  RequireNotNegative(spring.stiffness, At("spring", i, "stiffness"), "stiffness" + of_spring);
  RequireNotNegative(spring.damping, At("spring", i, "damping"), "damping" + of_spring);
  RequireNotNegative(spring.rest_length, At("spring", i, "rest_length"), "rest length" + of_spring);
}

void ValidateForce(const Scene& scene, size_t i) {
  const TimedForce& force = scene.forces[i];
  RequirePoint(scene, force.point, At("force", i, "point"));
  RequireFinite(force.force, At("force", i, "force"), "force");
  RequirePlanar(scene, force.force, At("force", i, "force"));
  RequireEndsLater(force.from, force.until, At("force", i, "until"), "force '" + force.name + "'");
}

void ValidateImpulse(const Scene& scene, size_t i) {
  const Impulse& impulse = scene.impulses[i];
  RequirePoint(scene, impulse.point, At("impulse", i, "point"));
  RequireFinite(impulse.impulse, At("impulse", i, "impulse"), "impulse");
  RequirePlanar(scene, impulse.impulse, At("impulse", i, "impulse"));
  RequireNotNegative(impulse.time, At("impulse", i, "time"), "time");
}

void ValidateBehaviour(const Scene& scene, size_t i) {
  for (const Action& action : scene.behaviours[i].actions) {
    ValidateAction(scene, action, At("behaviour", i, "script"));
  }
}

template <typename Elements>
void RequireDistinctNames(const Elements& elements, const char* kind, const char* kinds) {
  std::set<std::string> names;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (names.insert(elements[i].name).second) continue;
    throw BadInput({At(kind, i, "name"),
                    std::string("two ") + kinds + " are named '" + elements[i].name + "'",
                    "rename one"});
  }
}

}  // namespace

std::vector<Problem> BrokenRules(const Scene& scene, bool whole) {
  std::vector<Problem> broken;
  const Check check = [&broken](const std::function<void()>& rule) {
    try {
      rule();
    } catch (const BadInput& bad) {
      broken.push_back(bad.problem());
    }
  };
  const auto each = [&](const auto& elements, void (*validate)(const Scene&, size_t)) {
    for (size_t i = 0; i < elements.size(); ++i) check([&] { validate(scene, i); });
  };
  check([&] {
    if (scene.dimension == 2 || scene.dimension == 3) return;
    throw BadInput({"dimension", "dimension must be 2 or 3", ""});
  });
  check([&] {
    if (!whole || !scene.bodies.empty()) return;
    throw BadInput({"body", "the scene has no body", "add a [[body]]"});
  });
  if (!broken.empty()) return broken;
  check([&] {
    RequireFinite(scene.gravity, "gravity", "gravity");
    RequirePlanar(scene, scene.gravity, "gravity");
  });
  if (whole) check([&] { RequireDistinctNames(scene.bodies, "body", "bodies"); });
  each(scene.bodies, ValidateBody);
  if (whole) check([&] { RequireDistinctNames(scene.obstacles, "obstacle", "obstacles"); });
  each(scene.obstacles, ValidateObstacle);
  ValidateConstraints(scene, check);
  each(scene.springs, ValidateSpring);
  each(scene.forces, ValidateForce);
  each(scene.impulses, ValidateImpulse);
  each(scene.notices, ValidateNotice);
  each(scene.morphs, ValidateMorph);
  check([&] { RequireOneForEachBody(scene, scene.notices, "notice"); });
  check([&] { RequireOneForEachBody(scene, scene.morphs, "morph"); });
  each(scene.contacts, ValidateContact);
  each(scene.behaviours, ValidateBehaviour);
  if (whole && broken.empty()) check([&] { RequireAgreement(scene); });
  return broken;
}

void Validate(const Scene& scene) {
  const std::vector<Problem> broken = BrokenRules(scene);
  if (!broken.empty()) throw BadInput(broken.front());
}

}  // namespace pliant
