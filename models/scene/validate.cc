#include "models/scene/validate.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "models/problem.h"
#include "models/scene/agreement.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string At(const char* table, size_t index, const char* key = "") {
  std::string path = std::string(table) + "[" + std::to_string(index) + "]";
  if (*key != '\0') path += std::string(".") + key;
  return path;
}

template <typename Derived>
void RequireFinite(const Eigen::DenseBase<Derived>& values, const std::string& where,
                   const std::string& what) {
  if (!values.derived().allFinite()) {
    throw BadInput({where, what + " is not a finite number", ""});
  }
}

void RequireNotNegative(double value, const std::string& where, const std::string& what) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw BadInput({where, what + " must be finite and not negative", ""});
  }
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

// A planar scene keeps every vector in z = 0.
void RequirePlanar(const Scene& scene, const Eigen::Vector3d& vector, const std::string& where) {
  if (scene.dimension == 2 && vector.z() != 0.0) {
    throw BadInput({where, "a planar scene lives in z = 0, but this has a z component",
                    "set it to 0 or use dimension = 3"});
  }
}

// Inertias are masses times squares of sizes, and stiffnesses divide by both: beyond these bounds such numbers
// are zero or infinite in floating point, and decompositions of them mean nothing.
void RequireRepresentable(const Body& body, size_t b) {
  constexpr double kLeastSize = 1e-60, kMostSize = 1e60;    // m
  constexpr double kLeastMass = 1e-100, kMostMass = 1e100;  // kg
  const double size = (body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff()).maxCoeff();
  if (size > 0.0 && !(size >= kLeastSize && size <= kMostSize)) {
    throw BadInput({At("body", b),
                    "body '" + body.name + "' is " + RoundTrip(size) +
                        " m large, and squares of this do not fit into floating-point numbers",
                    "give a size between 1e-60 and 1e60 m"});
  }
  if (body.mass.minCoeff() < kLeastMass || body.mass.maxCoeff() > kMostMass) {
    throw BadInput({At("body", b, "mass"),
                    "the masses of the points of body '" + body.name + "', from " +
                        RoundTrip(body.mass.minCoeff()) + " to " + RoundTrip(body.mass.maxCoeff()) +
                        " kg, do not fit into floating-point numbers when multiplied",
                    "give masses between 1e-100 and 1e100 kg"});
  }
}

void ValidateBody(const Scene& scene, size_t b) {
  const Body& body = scene.bodies[b];
  if (body.size() == 0) throw BadInput({At("body", b), "body '" + body.name + "' is empty", ""});
  RequireFinite(body.rest, At("body", b), "a rest position of body '" + body.name + "'");
  if (body.mass.size() != body.size()) {
    throw BadInput({At("body", b, "mass"),
                    "body '" + body.name + "' has " + std::to_string(body.size()) + " points but " +
                        std::to_string(body.mass.size()) + " masses",
                    ""});
  }
  for (double mass : body.mass) {
    if (!(mass > 0.0) || !std::isfinite(mass)) {
      throw BadInput({At("body", b, "mass"),
                      "every mass of body '" + body.name + "' must be positive and finite", ""});
    }
  }
  RequireRepresentable(body, b);
  for (const auto& edge : body.edges) {
    for (int point : edge)
      RequirePoint(scene, {static_cast<int>(b), point}, At("body", b, "edges"));
  }
  for (const auto& face : body.faces) {
    for (int point : face)
      RequirePoint(scene, {static_cast<int>(b), point}, At("body", b, "faces"));
  }
  try {
    CheckMaterial(body);
  } catch (const BadInput& bad) {
    throw BadInput(
        {At("body", b, bad.problem().where.c_str()), bad.problem().what, bad.problem().mend});
  }
  for (const auto& cell : body.tetrahedra) {
    for (int point : cell) RequirePoint(scene, {static_cast<int>(b), point}, At("body", b));
  }
  for (const auto& cell : body.hexahedra) {
    for (int point : cell) RequirePoint(scene, {static_cast<int>(b), point}, At("body", b));
  }
  RequireFinite(body.position, At("body", b, "position"), "position");
  RequireFinite(body.velocity, At("body", b, "velocity"), "velocity");
  RequireFinite(body.angular_velocity, At("body", b, "angular_velocity"), "angular velocity");
  RequireFinite(body.stretch, At("body", b, "stretch"), "stretch");
  if (!(body.stretch.determinant() > 0.0)) {
    throw BadInput({At("body", b, "stretch"),
                    "the initial stretch of body '" + body.name + "' collapses or mirrors it",
                    "give positive factors"});
  }
  RequirePlanar(scene, body.position, At("body", b, "position"));
  RequirePlanar(scene, body.velocity, At("body", b, "velocity"));
  if (scene.dimension == 2) {
    if (body.angular_velocity.x() != 0.0 || body.angular_velocity.y() != 0.0) {
      throw BadInput({At("body", b, "angular_velocity"), "a planar scene turns about z only",
                      "give [0, 0, rate]"});
    }
    const Eigen::Vector3d z = body.orientation * Eigen::Vector3d::UnitZ();
    if ((z - Eigen::Vector3d::UnitZ()).norm() > 1e-12) {
      throw BadInput({At("body", b, "rotation"), "a planar scene turns about z only", ""});
    }
    if (body.rest.row(2).cwiseAbs().maxCoeff() > 0.0) {
      throw BadInput(
          {At("body", b), "body '" + body.name + "' leaves the plane z = 0", "use dimension = 3"});
    }
  }
}

void ValidateObstacle(const Scene& scene, size_t o) {
  const Obstacle& obstacle = scene.obstacles[o];
  RequireNotNegative(obstacle.friction, At("obstacle", o, "friction"), "friction");
  RequireNotNegative(obstacle.restitution, At("obstacle", o, "restitution"), "restitution");
  if (obstacle.restitution > 1.0) {
    throw BadInput({At("obstacle", o, "restitution"),
                    "a restitution above 1 would make bounces higher and higher", ""});
  }
  for (int k = 0; k < obstacle.motion.keys().cols(); ++k) {
    RequirePlanar(scene, obstacle.motion.keys().col(k), At("obstacle", o, "path"));
  }
  auto positive = [&](double value, const char* key) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw BadInput({At("obstacle", o, key),
                      std::string(key) + " of obstacle '" + obstacle.name + "' must be positive",
                      ""});
    }
  };
  std::visit(Overloaded{
                 [&](const Plane& plane) {
                   if (!(std::abs(plane.normal.norm() - 1.0) < 1e-9)) {
                     throw BadInput({At("obstacle", o, "normal"),
                                     "the normal of a plane must have length 1", ""});
                   }
                   RequirePlanar(scene, plane.normal, At("obstacle", o, "normal"));
                 },
                 [&](const Sphere& sphere) { positive(sphere.radius, "radius"); },
                 [&](const Box& box) { positive(box.half_size.minCoeff(), "half_size"); },
                 [&](const Capsule& capsule) {
                   positive(capsule.radius, "radius");
                   RequireFinite(capsule.half_axis, At("obstacle", o, "half_axis"), "half axis");
                 },
                 [&](const Solid& solid) {
                   if (!solid.pieces.empty()) return;
                   throw BadInput(
                       {At("obstacle", o), "obstacle '" + obstacle.name + "' has no pieces", ""});
                 },
             },
             obstacle.shape);
}

void RequirePlanarPath(const Scene& scene, const Path& path, const std::string& where) {
  for (int k = 0; k < path.keys().cols(); ++k) RequirePlanar(scene, path.keys().col(k), where);
}

void ValidateHold(const HoldTime& hold, const char* kind, size_t i) {
  RequireNotNegative(hold.from, At(kind, i, "from"), "from");
  if (!(hold.until > hold.from)) {
    throw BadInput({At(kind, i, "until"), "it must end after it begins", ""});
  }
}

void ValidateNail(const Scene& scene, size_t i) {
  const Nail& nail = scene.nails[i];
  RequirePoint(scene, nail.point, At("nail", i, "point"));
  RequirePlanarPath(scene, nail.path, At("nail", i, "path"));
  ValidateHold(nail.hold, "nail", i);
  RequireNotNegative(nail.preroll, At("nail", i, "preroll"), "preroll");
  if (nail.preroll > nail.hold.from) {
    throw BadInput({At("nail", i, "preroll"), "the preroll would begin before the run",
                    "let the nail begin later: set 'from' to at least " +
                        std::to_string(nail.preroll) + " s"});
  }
  for (size_t j = 0; j < i; ++j) {
    const Nail& other = scene.nails[j];
    if (!(other.point == nail.point) || nail.hold.from >= other.hold.until ||
        other.hold.from >= nail.hold.until) {
      continue;
    }
    throw BadInput({At("nail", i, "point"),
                    "point " + std::to_string(nail.point.point) + " of body '" +
                        scene.bodies[nail.point.body].name +
                        "' is nailed twice: the constraints are redundant or contradict",
                    "remove one nail, or let it hold at another time"});
  }
}

void ValidateAttachment(const Scene& scene, size_t i) {
  const Attachment& attachment = scene.attachments[i];
  RequirePoint(scene, attachment.a, At("attachment", i, "a"));
  RequirePoint(scene, attachment.b, At("attachment", i, "b"));
  ValidateHold(attachment.hold, "attachment", i);
  if (attachment.a.body == attachment.b.body) {
    throw BadInput({At("attachment", i, "b"),
                    "attachment '" + attachment.name + "' joins body '" +
                        scene.bodies[attachment.a.body].name + "' to itself",
                    "attach points of two bodies"});
  }
}

void ValidateSlider(const Scene& scene, size_t i) {
  const Slider& slider = scene.sliders[i];
  RequirePoint(scene, slider.point, At("slider", i, "point"));
  ValidateHold(slider.hold, "slider", i);
  switch (slider.kind) {
    case Slider::Kind::kLine:
    case Slider::Kind::kPlane: {
      const char* key = slider.kind == Slider::Kind::kLine ? "direction" : "normal";
      if (!(std::abs(slider.direction.norm() - 1.0) < 1e-9)) {
        throw BadInput(
            {At("slider", i, key), std::string("the ") + key + " must have length 1", ""});
      }
      RequirePlanar(scene, slider.direction, At("slider", i, key));
      break;
    }
    case Slider::Kind::kCurve:
      if (slider.corners.cols() < 2) {
        throw BadInput({At("slider", i, "along"), "a curve has at least two corners",
                        "give its first and last corner"});
      }
      RequireFinite(slider.corners, At("slider", i, "along"), "a corner of the curve");
      for (Eigen::Index k = 0; k < slider.corners.cols(); ++k) {
        RequirePlanar(scene, slider.corners.col(k), At("slider", i, "along"));
        if (k == 0 && !slider.closed) continue;
        const Eigen::Index before = k == 0 ? slider.corners.cols() - 1 : k - 1;
        if (slider.corners.col(k) != slider.corners.col(before)) continue;
        throw BadInput({At("slider", i, "along"), "a piece of the curve has no length",
                        "remove repeated corners"});
      }
      break;
    case Slider::Kind::kSurface:
      if (slider.obstacle < 0 || slider.obstacle >= static_cast<int>(scene.obstacles.size())) {
        throw BadInput({At("slider", i, "on"), "there is no such obstacle", ""});
      }
      break;
    case Slider::Kind::kBall:
      if (!(slider.radius > 0.0) || !std::isfinite(slider.radius)) {
        throw BadInput(
            {At("slider", i, "within"), "the radius of a ball must be more than 0 m", ""});
      }
      break;
  }
  RequireFinite(slider.through, At("slider", i, "through"), "through");
  RequirePlanar(scene, slider.through, At("slider", i, "through"));
}

void ValidateLimit(const Scene& scene, size_t i) {
  const Limit& limit = scene.limits[i];
  for (int k = 0; k < limit.size(); ++k) {
    RequirePoint(scene, limit.points[k], At("limit", i, "points"));
    for (int j = 0; j < k; ++j) {
      if (!(limit.points[j] == limit.points[k])) continue;
      throw BadInput({At("limit", i, "points"),
                      "limit '" + limit.name + "' names point " +
                          std::to_string(limit.points[k].point) + " of body '" +
                          scene.bodies[limit.points[k].body].name + "' twice",
                      "give different points"});
    }
  }
  constexpr double kPi = std::numbers::pi, kInf = std::numeric_limits<double>::infinity();
  const bool length = limit.kind == Limit::Kind::kLength;
  const double lowest = limit.kind == Limit::Kind::kTwist ? -kPi : 0.0;
  const double highest = length ? kInf : kPi;
  const std::string range =
      length ? "at least 0 m"
             : std::string("between ") + (lowest < 0.0 ? "-pi" : "0") + " and pi rad";
  const auto require = [&](double bound, const char* key) {
    if (std::isinf(bound) && (bound < 0.0) == (std::string(key) == "at_least")) return;  // none
    if (bound >= lowest && bound <= highest && std::isfinite(bound)) return;
    throw BadInput(
        {At("limit", i, key), std::string("the bound '") + key + "' must be " + range, ""});
  };
  require(limit.least, "at_least");
  require(limit.most, "at_most");
  if (!(limit.least <= limit.most)) {
    throw BadInput({At("limit", i, "at_least"), "the lower bound is above the upper one",
                    "swap at_least and at_most"});
  }
}

void ValidateCombination(const Scene& scene, size_t i) {
  const Combination& combination = scene.combinations[i];
  if (combination.terms.empty()) {
    throw BadInput({At("combination", i, "terms"), "a combination needs at least one term", ""});
  }
  for (const Combination::Term& term : combination.terms) {
    RequirePoint(scene, term.point, At("combination", i, "terms"));
    if (!std::isfinite(term.weight) || term.weight == 0.0) {
      throw BadInput({At("combination", i, "terms"), "a weight must be finite and not 0", ""});
    }
  }
  RequirePlanarPath(scene, combination.path, At("combination", i, "path"));
  ValidateHold(combination.hold, "combination", i);
}

void ValidateConstraints(const Scene& scene) {
  for (size_t i = 0; i < scene.nails.size(); ++i) ValidateNail(scene, i);
  for (size_t i = 0; i < scene.attachments.size(); ++i) ValidateAttachment(scene, i);
  for (size_t i = 0; i < scene.sliders.size(); ++i) ValidateSlider(scene, i);
  for (size_t i = 0; i < scene.combinations.size(); ++i) ValidateCombination(scene, i);
  for (size_t i = 0; i < scene.limits.size(); ++i) ValidateLimit(scene, i);
  RequireAgreement(scene);
}

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
        throw BadInput({where, "the first corner of a box must be the lower one", ""});
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

void RequireBody(const Scene& scene, int body, const std::string& where) {
  if (body >= 0 && body < static_cast<int>(scene.bodies.size())) return;
  throw BadInput({where, "there is no body number " + std::to_string(body), ""});
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
  if (!(morph.until > morph.from) || !std::isfinite(morph.until)) {
    throw BadInput({At("morph", i, "until"), "a morph must end after it begins", ""});
  }
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
  RequireNotNegative(contact.friction, At("contact", i, "friction"), "friction");
  RequireNotNegative(contact.restitution, At("contact", i, "restitution"), "restitution");
  if (contact.restitution > 1.0) {
    throw BadInput({At("contact", i, "restitution"),
                    "a restitution above 1 would make bounces higher and higher", ""});
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

}  // namespace

void Validate(const Scene& scene) {
  if (scene.dimension != 2 && scene.dimension != 3) {
    throw BadInput({"dimension", "dimension must be 2 or 3", ""});
  }
  if (scene.bodies.empty()) {
    throw BadInput({"body", "the scene has no body", "add a [[body]]"});
  }
  RequireFinite(scene.gravity, "gravity", "gravity");
  RequirePlanar(scene, scene.gravity, "gravity");
  std::set<std::string> names;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    if (!names.insert(scene.bodies[b].name).second) {
      throw BadInput({At("body", b, "name"), "two bodies are named '" + scene.bodies[b].name + "'",
                      "rename one"});
    }
    ValidateBody(scene, b);
  }
  names.clear();
  for (size_t o = 0; o < scene.obstacles.size(); ++o) {
    if (!names.insert(scene.obstacles[o].name).second) {
      throw BadInput({At("obstacle", o, "name"),
                      "two obstacles are named '" + scene.obstacles[o].name + "'", "rename one"});
    }
    ValidateObstacle(scene, o);
  }
  ValidateConstraints(scene);
  for (size_t i = 0; i < scene.springs.size(); ++i) {
    const Spring& spring = scene.springs[i];
    RequirePoint(scene, spring.a, At("spring", i, "a"));
    if (spring.b) RequirePoint(scene, *spring.b, At("spring", i, "b"));
    RequireFinite(spring.anchor, At("spring", i, "anchor"), "anchor");
    RequirePlanar(scene, spring.anchor, At("spring", i, "anchor"));
    RequireNotNegative(spring.stiffness, At("spring", i, "stiffness"), "stiffness");
    RequireNotNegative(spring.damping, At("spring", i, "damping"), "damping");
    RequireNotNegative(spring.rest_length, At("spring", i, "rest_length"), "rest length");
  }
  for (size_t i = 0; i < scene.forces.size(); ++i) {
    const TimedForce& force = scene.forces[i];
    RequirePoint(scene, force.point, At("force", i, "point"));
    RequireFinite(force.force, At("force", i, "force"), "force");
    RequirePlanar(scene, force.force, At("force", i, "force"));
    if (!(force.until > force.from)) {
      throw BadInput({At("force", i, "until"), "a force must end after it begins", ""});
    }
  }
  for (size_t i = 0; i < scene.impulses.size(); ++i) {
    const Impulse& impulse = scene.impulses[i];
    RequirePoint(scene, impulse.point, At("impulse", i, "point"));
    RequireFinite(impulse.impulse, At("impulse", i, "impulse"), "impulse");
    RequirePlanar(scene, impulse.impulse, At("impulse", i, "impulse"));
    RequireNotNegative(impulse.time, At("impulse", i, "time"), "time");
  }
  for (size_t i = 0; i < scene.notices.size(); ++i) ValidateNotice(scene, i);
  for (size_t i = 0; i < scene.morphs.size(); ++i) ValidateMorph(scene, i);
  RequireOneForEachBody(scene, scene.notices, "notice");
  RequireOneForEachBody(scene, scene.morphs, "morph");
  for (size_t i = 0; i < scene.contacts.size(); ++i) ValidateContact(scene, i);
  for (size_t i = 0; i < scene.behaviours.size(); ++i) {
    for (const Action& action : scene.behaviours[i].actions) {
      ValidateAction(scene, action, At("behaviour", i, "script"));
    }
  }
}

}  // namespace pliant
