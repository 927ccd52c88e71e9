#include "experiments/files/control_keys.h"

#include "experiments/files/scene_keys.h"

namespace pliant {

EnumWords<Sensor::Kind> WordsOf(Sensor::Kind) {
  return {{"contact", Sensor::Kind::kContact},
          {"no-contact", Sensor::Kind::kNoContact},
          {"above", Sensor::Kind::kAbove},
          {"below", Sensor::Kind::kBelow},
          {"time", Sensor::Kind::kTime}};
}

void Bind(KeyBinder& b, ControlTable::Servo& servo) {
  b.Title("[[servo]]");
  b.Required("mode", &servo.name, "1", "the mode or hinge that it drives");
  b.Required("stiffness", &servo.stiffness, "J", "C in the force −C (γ − γ⁰) − D γ̇");
  b.Required("damping", &servo.damping, "J s", "D in the same force");
  b.Default("lower", &servo.lower, "1", "least target");
  b.Default("upper", &servo.upper, "1", "largest target");
}

void Bind(KeyBinder& b, ControlTable::Transition& transition) {
  b.Title("[[pose.next]]");
  b.Required("to", &transition.to, "1", "the next pose");
  b.Optional("after", &transition.after, "s", "minimum time for which its pose stays active");
  b.Optional("when", &transition.when, "1", "the sensor that must become true");
}

void Bind(KeyBinder& b, ControlTable::Entry& pose) {
  b.Title("[[pose]]");
  b.Required("name", &pose.name, "1", "name of the pose, used by transitions");
  b.Required("targets", &pose.targets, "1", "target of each servo; 0 for omitted ones");
  b.Optional("duration", &pose.duration, "s",
             "time for which it stays active; then the next pose of the list follows, after the "
             "last one the first");
  b.Optional("next", &pose.next, "",
             "instead of duration: transitions; the first that is due is taken");
  b.Default("final", &pose.is_final, "1", "true: the pose is kept for ever");
}

void Bind(KeyBinder& b, Sensor& sensor) {
  b.Title("[[sensor]]");
  std::optional<double> height, time;
  const auto is = [&](Sensor::Kind x, Sensor::Kind y) {
    return sensor.kind == x || sensor.kind == y;
  };
  if (b.writes() && is(Sensor::Kind::kAbove, Sensor::Kind::kBelow)) height = sensor.threshold;
  if (b.writes() && sensor.kind == Sensor::Kind::kTime) time = sensor.threshold;
  b.Required("name", &sensor.name, "1", "name of the sensor, used by transitions");
  b.Required("kind", &sensor.kind, "1",
             "contact of any point; contact of no point; centre of mass at a height; time");
  b.Optional("points", &sensor.points, "1",
             "for contact: indices of points of the body; default: all");
  b.Optional("height", &height, "m", "for above and below: y of the centre of mass");
  b.Optional("time", &time, "s", "for time: time from which it is true");
  if (!b.reads()) return;
  const std::string what = "sensor '" + sensor.name + "'";
  const auto check = [&](const char* key, bool feels, const char* thing, bool needed) {
    if (b.Has(key) && !feels) b.Fail(key, what + " does not feel " + thing);
    if (!b.Has(key) && feels && needed) {
      b.Fail("", what + " lacks the key '" + key + "'", std::string("add ") + key);
    }
  };
  check("points", is(Sensor::Kind::kContact, Sensor::Kind::kNoContact), "points", false);
  check("height", is(Sensor::Kind::kAbove, Sensor::Kind::kBelow), "a height", true);
  check("time", sensor.kind == Sensor::Kind::kTime, "the time", true);
  sensor.threshold = height.value_or(time.value_or(0.0));
}

namespace {

// The list `key` of tables, at least one, each of one body.
template <typename Table>
void BindSeveral(KeyBinder& b, const std::string& key, std::vector<Table>* several,
                 const std::string& what) {
  b.Title(what + " of several bodies");
  b.Required(key, several, "", "[[" + key + "]]: " + what + ", each table of another body");
  if (!b.reads()) return;
  if (several->empty()) b.Fail(key, "there is no [[" + key + "]]", "remove the empty list");
  for (size_t i = 0; i < several->size(); ++i) {
    const std::string inner = key + "[" + std::to_string(i) + "]." + key;
    if (!(*several)[i].several.empty()) b.Fail(inner, "[[" + key + "]] stands in [[" + key + "]]");
  }
}

}  // namespace

void BindSeveral(KeyBinder& b, ControlTable& control) {
  BindSeveral(b, "controller", &control.several, "pose graphs");
}
void BindSeveral(KeyBinder& b, KeyFrameTable& motion) {
  BindSeveral(b, "motion", &motion.several, "key frames");
}

void Bind(KeyBinder& b, ControlTable& control) {
  if (!control.several.empty() || b.Has("controller")) {
    BindSeveral(b, control);
    return;
  }
  b.Title("a pose graph");
  b.Optional("body", &control.body, "1", "the controlled body; required if there are several");
  b.Optional("start", &control.start, "1", "the initial pose; default: the first of the list");
  b.Default("shortest", &control.times.shortest, "s",
            "minimum time of a transition without a sensor");
  b.Default("longest", &control.times.longest, "s", "maximum time of such a transition");
  b.Required("servo", &control.servos, "", "the servos of the active modes: [[servo]]");
  b.Required("pose", &control.poses, "", "the poses: [[pose]]");
  b.Optional("sensor", &control.sensors, "", "sensors for transitions: [[sensor]]");
}

void Bind(KeyBinder& b, KeyFrameTable::Key& key) {
  b.Title("[[key]]");
  std::optional<RotationValue> turn;
  if (b.writes()) turn = Eigen::AngleAxisd(key.turn, key.axis);
  b.Required("time", &key.time, "s", "time of the key; the first is at 0");
  b.Default("pose", &key.pose, "1", "amplitude of each mode; 0 for omitted ones");
  b.Default("displacement", &key.displacement, "m",
            "displacement of the centre of mass from its initial position; no effect while a point "
            "is pinned");
  b.Optional("turn", &turn, "rad",
             "rotation relative to the initial orientation; a single number turns about z");
  b.Optional("pin", &key.pin, "1", "point of the body that stays in place until the next key");
  if (!b.reads() || !turn) return;
  key.turn = ToRotation(*turn).angle();
  key.axis = ToRotation(*turn).axis();
}

void Bind(KeyBinder& b, KeyFrameTable& motion) {
  if (!motion.several.empty() || b.Has("motion")) {
    BindSeveral(b, motion);
    return;
  }
  b.Title("key frames");
  b.Optional("body", &motion.body, "1", "the body that moves; required if there are several");
  b.Default("interpolation", &motion.interpolation, "1",
            "cubic: C² spline, natural at both ends; linear: velocity jumps at the keys");
  b.Required("key", &motion.keys, "",
             "the key frames: [[key]], at least two; after the last one the body is free");
}

}  // namespace pliant
