// [[spring]], [[force]], [[impulse]], [[notice]] and [[morph]].

#include "experiments/files/scene_keys.h"
#include "models/scene/cell_shares.h"

namespace pliant {

using Eigen::Vector3d;

namespace {

// What part of a load each point gets; `points` are of one body.
Eigen::VectorXd PartsOf(KeyBinder& b, const std::vector<PointRef>& points, bool shared) {
  if (!shared || points.empty()) return Eigen::VectorXd::Ones(points.size());
  std::vector<int> of_body;
  for (const PointRef& point : points) of_body.push_back(point.point);
  return PartsOfLoad(b.context().scene->scene.bodies[points.front().body], of_body);
}

// Shared by [[force]] and [[impulse]].
void BindShared(KeyBinder& b, bool* shared) {
  b.Default("shared", shared, "",
            "true: what is given is that of all points together; each has its share of the faces "
            "between them (of a whole body its volume, of an edge its length), so that it acts "
            "evenly on them");
}

}  // namespace

void Bind(KeyBinder& b, std::vector<Spring>& springs) {
  b.Title("[[spring]]");
  Spring spring;
  std::optional<std::variant<std::string, Vector3d>> anchor;
  const std::vector<PointRef> points = BindPoints(b, &spring.name);
  b.Optional("anchor", &anchor, "m",
             "fixed end: a position, or \"start\" for the initial position of each point");
  b.Optional("to", &spring.b, "", "instead of anchor: a point at the other end of the spring");
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
             "increasing times: the beginning of each force, and the end");
  b.Required("forces", &history.forces, "N",
             "force on each point, or all where it is shared, from its time until the next");
  if (!b.reads()) return;
  const size_t times = history.times.size(), forces = history.forces.size();
  if (forces == 0 || times != forces + 1) {
    b.Fail("times",
           "the history has " + std::to_string(forces) + " forces and " + std::to_string(times) +
               " times",
           "give one time for each force (at least one), and the end");
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
  bool shared = false;
  const std::vector<PointRef> points = BindPoints(b, &force.name);
  b.Optional("force", &constant, "N", "force on each point, or on all where it is shared");
  b.Optional("history", &history, "",
             "instead of force, from and until: a sequence of forces, such as those of a hand");
  b.Optional("from", &from, "s", "time at which it begins; default: the start");
  b.Optional("until", &force.until, "s", "time at which it ends; default: never");
  BindShared(b, &shared);
  b.ExactlyOne({"force", "history"}, "force '" + force.name + "'", "add force = [x, y, z]");
  for (const char* key : {"from", "until"}) {
    if (!history || !b.Has(key)) continue;
    b.Fail(key, std::string("a force with a history has no '") + key + "'",
           "its times determine when it acts");
  }
  const Eigen::VectorXd parts = PartsOf(b, points, shared);
  for (size_t p = 0; p < points.size(); ++p) {
    const double part = parts[static_cast<Eigen::Index>(p)];
    if (constant) {
      forces.push_back({force.name, points[p], part * *constant, from.value_or(0.0), force.until});
    }
    for (size_t i = 0; history && i < history->forces.size(); ++i) {
      forces.push_back({force.name, points[p], part * history->forces[i], history->times[i],
                        history->times[i + 1]});
    }
  }
}

void Bind(KeyBinder& b, std::vector<Impulse>& impulses) {
  b.Title("[[impulse]]");
  Impulse impulse;
  const std::vector<PointRef> points = BindPoints(b, &impulse.name);
  Vector3d given = Vector3d::Zero();
  bool shared = false;
  b.Required("impulse", &given, "N s", "impulse on each point, or on all where it is shared");
  b.Default("time", &impulse.time, "s", "when");
  BindShared(b, &shared);
  const Eigen::VectorXd parts = PartsOf(b, points, shared);
  for (size_t p = 0; p < points.size(); ++p) {
    impulse.point = points[p];
    impulse.impulse = parts[static_cast<Eigen::Index>(p)] * given;
    impulses.push_back(impulse);
  }
}

void Bind(KeyBinder& b, std::vector<Notice>& notices) {
  b.Title("[[notice]]");
  Notice notice;
  Direction gaze{notice.gaze};
  b.Required("name", &notice.name, "1", "name of the element in the translation record");
  BindBody(b, &notice.body);
  b.Optional("delay", &notice.delay, "s",
             "the body notices after this time without contact; delay or looks_down is required");
  b.Optional("looks_down", &notice.looks_down, "rad",
             "the body notices when its gaze is this angle below the horizontal");
  b.Default("gaze", &gaze, "1", "direction of its gaze, in the body's frame");
  notice.gaze = gaze.unit;
  if (b.reads()) notices.push_back(notice);
}

void Bind(KeyBinder& b, std::vector<Morph>& morphs) {
  b.Title("[[morph]]");
  Morph morph;
  std::optional<Eigen::Matrix3Xd> points;
  std::optional<Stretch> stretch;
  b.Required("name", &morph.name, "1", "name of the element in the translation record");
  BindBody(b, &morph.body);
  b.Optional("points", &points, "m", "the other rest shape: all points in the body's frame");
  b.Optional("stretch", &stretch, "1",
             "instead of points: factors along x, y, z about the centre of mass");
  b.Default("from", &morph.from, "s", "time at which the rest shape begins to change");
  b.Required("until", &morph.until, "s", "time at which it reaches the other shape");
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
