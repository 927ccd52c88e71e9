// [[spring]], [[force]], [[impulse]], [[notice]] and [[morph]].

#include "experiments/files/scene_keys.h"

namespace pliant {

using Eigen::Vector3d;

void Bind(KeyBinder& b, std::vector<Spring>& springs) {
  b.Title("[[spring]]");
  Spring spring;
  std::optional<std::variant<std::string, Vector3d>> anchor;
  const std::vector<PointRef> points = BindPoints(b, &spring.name);
  b.Optional("anchor", &anchor, "m",
             "fixed end: a place, or \"start\" for where each point starts");
  b.Optional("to", &spring.b, "", "instead of anchor: a point the spring leads to");
  b.Required("stiffness", &spring.stiffness, "N/m", "force per elongation, of each spring");
  b.Default("damping", &spring.damping, "N s/m", "force per rate of elongation, of each spring");
  b.Default("rest_length", &spring.rest_length, "m", "length without force");
  b.ExactlyOne({"anchor", "to"}, "spring '" + spring.name + "'",
               "add anchor = \"start\", or to = {body = …, point = …}");
  const auto* word = anchor ? std::get_if<std::string>(&*anchor) : nullptr;
  if (word != nullptr && *word != "start") {
    b.Fail("anchor", "a spring cannot be anchored to '" + *word + "'",
           "give \"start\" or [x, y, z]");
  }
  if (anchor && word == nullptr) spring.anchor = std::get<Vector3d>(*anchor);
  for (const PointRef& point : points) {
    spring.a = point;
    if (word != nullptr) spring.anchor = b.context().scene->Start(point);
    springs.push_back(spring);
  }
}

void Bind(KeyBinder& b, ForceHistory& history) {
  b.Title("{times, forces}");
  b.Required("times", &history.times, "s",
             "increasing: one for each force, when it begins, and the end");
  b.Required("forces", &history.forces, "N",
             "force on each point, from its time until the next one");
  if (!b.reads()) return;
  const size_t times = history.times.size(), forces = history.forces.size();
  if (forces == 0 || times != forces + 1) {
    b.Fail("times",
           "the history has " + std::to_string(forces) + " forces and " + std::to_string(times) +
               " times",
           "give one time for each force, at least one, and the end");
  }
  for (size_t i = 0; i < forces; ++i) {
    if (history.times[i + 1] > history.times[i]) continue;
    b.Fail("times", "the times of a history must increase", "sort the forces by time");
  }
}

void Bind(KeyBinder& b, std::vector<TimedForce>& forces) {
  b.Title("[[force]]");
  TimedForce force;
  std::optional<Vector3d> constant;
  std::optional<ForceHistory> history;
  std::optional<double> from;
  const std::vector<PointRef> points = BindPoints(b, &force.name);
  b.Optional("force", &constant, "N", "force on each point");
  b.Optional("history", &history, "",
             "instead of force, from and until: forces one after the other, as of a hand");
  b.Optional("from", &from, "s", "when it begins; without it at the start");
  b.Optional("until", &force.until, "s", "when it ends; without it the force never ends");
  b.ExactlyOne({"force", "history"}, "force '" + force.name + "'", "add force = [x, y, z]");
  for (const char* key : {"from", "until"}) {
    if (!history || !b.Has(key)) continue;
    b.Fail(key, std::string("a force with a history has no '") + key + "'",
           "its times say when it acts");
  }
  for (const PointRef& point : points) {
    if (constant) forces.push_back({force.name, point, *constant, from.value_or(0.0), force.until});
    for (size_t i = 0; history && i < history->forces.size(); ++i) {
      forces.push_back(
          {force.name, point, history->forces[i], history->times[i], history->times[i + 1]});
    }
  }
}

void Bind(KeyBinder& b, std::vector<Impulse>& impulses) {
  b.Title("[[impulse]]");
  Impulse impulse;
  const std::vector<PointRef> points = BindPoints(b, &impulse.name);
  b.Required("impulse", &impulse.impulse, "N s", "impulse on each point");
  b.Default("time", &impulse.time, "s", "when");
  for (const PointRef& point : points) {
    impulse.point = point;
    impulses.push_back(impulse);
  }
}

void Bind(KeyBinder& b, std::vector<Notice>& notices) {
  b.Title("[[notice]]");
  Notice notice;
  Direction gaze{notice.gaze};
  b.Required("name", &notice.name, "1", "what the translation record calls it");
  BindBody(b, &notice.body);
  b.Optional("delay", &notice.delay, "s",
             "it notices when it has touched no obstacle for so long; at least one of the two");
  b.Optional("looks_down", &notice.looks_down, "rad",
             "it notices when its gaze points so far below the horizontal");
  b.Default("gaze", &gaze, "1", "where it looks, a direction of the body's frame");
  notice.gaze = gaze.unit;
  if (b.reads()) notices.push_back(notice);
}

void Bind(KeyBinder& b, std::vector<Morph>& morphs) {
  b.Title("[[morph]]");
  Morph morph;
  std::optional<Eigen::Matrix3Xd> points;
  std::optional<Stretch> stretch;
  b.Required("name", &morph.name, "1", "what the translation record calls it");
  BindBody(b, &morph.body);
  b.Optional("points", &points, "m", "the other rest shape: every point in the body's frame");
  b.Optional("stretch", &stretch, "1",
             "instead of points: factors along x, y, z about the centre of mass");
  b.Default("from", &morph.from, "s", "when the rest shape begins to change");
  b.Required("until", &morph.until, "s", "when it is the other one");
  b.ExactlyOne({"points", "stretch"}, "morph '" + morph.name + "'", "add one");
  if (!b.reads()) return;
  if (points) morph.target = *points;
  if (stretch) {
    if (!(stretch->factors.minCoeff() > 0.0)) {
      b.Fail("stretch", "the stretch of a morph collapses or mirrors the body",
             "give positive factors");
    }
    const Body& body = b.context().scene->scene.bodies[morph.body];
    const Vector3d centre = body.rest * body.mass / body.mass.sum();
    morph.target =
        (stretch->factors.asDiagonal() * (body.rest.colwise() - centre)).colwise() + centre;
  }
  morphs.push_back(std::move(morph));
}

}  // namespace pliant
