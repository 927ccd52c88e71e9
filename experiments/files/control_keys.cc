#include "experiments/files/control_keys.h"

namespace pliant {

EnumWords<Sensor::Kind> WordsOf(Sensor::Kind) {
  return {{"contact", Sensor::Kind::kContact},
          {"no-contact", Sensor::Kind::kNoContact},
          {"above", Sensor::Kind::kAbove},
          {"below", Sensor::Kind::kBelow},
          {"time", Sensor::Kind::kTime}};
}

void ServoKeys::Bind(KeyBinder& b) {
  b.Required("mode", &mode, "1", "the mode or hinge it drives");
  b.Required("stiffness", &stiffness, "J", "C in the force −C (γ − γ⁰) − D γ̇");
  b.Required("damping", &damping, "J s", "D in that force");
  b.Default("lower", &lower, "1", "least target");
  b.Default("upper", &upper, "1", "largest target");
}

void TransitionKeys::Bind(KeyBinder& b) {
  b.Required("to", &to, "1", "the pose it leads to");
  b.Optional("after", &after, "s", "how long its pose stays active at least");
  b.Optional("when", &when, "1", "the sensor that has to turn true");
}

void PoseKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "name, by which transitions refer to the pose");
  b.Required("targets", &targets, "1", "target of each servo; 0 for those left out");
  b.Optional("duration", &duration, "s",
             "how long it stays active; then the next pose of the list, after the last the first");
  b.Optional("next", &next, "",
             "instead of duration: where it leads; the first that is due is taken");
  b.Default("final", &is_final, "1", "true: it is kept for ever");
}

void SensorKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "name, by which transitions refer to the sensor");
  b.Required("kind", &kind, "1",
             "contact of any of the points, of none; centre of mass at a height; time");
  b.Optional("points", &points, "1", "for contact: indices of points of the body; else all");
  b.Optional("height", &height, "m", "for above and below: y of the centre of mass");
  b.Optional("time", &time, "s", "for time: from when on it reads true");
}

void ControlKeys::Bind(KeyBinder& b) {
  b.Optional("body", &body, "1", "the body it controls; needed where there are several");
  b.Optional("start", &start, "1", "the first pose; else the first of the list");
  b.Default("shortest", &shortest, "s", "least time of a transition that waits for no sensor");
  b.Default("longest", &longest, "s", "largest time of such a transition");
  b.Required("servo", &servo, "", "what drives the active modes: [[servo]]");
  b.Required("pose", &pose, "", "the poses: [[pose]]");
  b.Optional("sensor", &sensor, "", "what transitions may wait for: [[sensor]]");
}

void ControllersKeys::Bind(KeyBinder& b) {
  b.Required("controller", &controller, "",
             "[[controller]]: each with the keys of a pose graph, of another body");
}

void KeyFrameKeys::Bind(KeyBinder& b) {
  b.Required("time", &time, "s", "time of the key; the first is at 0");
  b.Default("pose", &pose, "1", "amplitude of each mode; 0 for those left out");
  b.Default("displacement", &displacement, "m",
            "of the centre of mass from where it starts; while a point is pinned it has no effect");
  b.Optional("turn", &turn, "rad", "from how the body starts turned; a bare number turns about z");
  b.Optional("pin", &pin, "1", "point of the body that stays where it is until the next key");
}

void KeyFramesKeys::Bind(KeyBinder& b) {
  b.Optional("body", &body, "1", "the body that is led; needed where there are several");
  b.Default("interpolation", &interpolation, "1",
            "cubic: C² spline, natural at both ends; linear: velocity jumps at the keys");
  b.Required("key", &key, "",
             "the key frames: [[key]], at least two; after the last one the body "
             "is free");
}

void MotionsKeys::Bind(KeyBinder& b) {
  b.Required("motion", &motion, "",
             "[[motion]]: each with the keys of key frames, of another body");
}

namespace {

bool IsEmpty(const FileValue& table) { return table.table()->empty(); }

Sensor ReadSensor(FileValue* table) {
  const auto keys = ReadKeys<SensorKeys>(table);
  Sensor sensor{keys.name, keys.kind, keys.points.value_or(std::vector<int>()), 0.0};
  const bool contact = keys.kind == Sensor::Kind::kContact || keys.kind == Sensor::Kind::kNoContact;
  const bool timed = keys.kind == Sensor::Kind::kTime;
  const bool height = !contact && !timed;
  const std::string kind = "sensor '" + keys.name + "'";
  if (keys.points && !contact) FailAt(PlaceOf(*table, "points"), kind + " does not feel points");
  if (keys.height && !height) FailAt(PlaceOf(*table, "height"), kind + " does not feel a height");
  if (keys.time && !timed) FailAt(PlaceOf(*table, "time"), kind + " does not feel the time");
  if (height && !keys.height) FailAt(table->place, kind + " lacks the key 'height'", "add height");
  if (timed && !keys.time) FailAt(table->place, kind + " lacks the key 'time'", "add time");
  sensor.threshold = keys.height.value_or(keys.time.value_or(0.0));
  return sensor;
}

KeyFrameTable::Key ReadKey(FileValue* table) {
  const auto keys = ReadKeys<KeyFrameKeys>(table, 2);
  KeyFrameTable::Key key;
  key.time = keys.time;
  key.pose = keys.pose;
  key.displacement = keys.displacement;
  key.pin = keys.pin;
  if (!keys.turn) return key;
  const Eigen::AngleAxisd turn = ToRotation(*keys.turn, PlaceOf(*table, "turn"));
  key.turn = turn.angle();
  key.axis = turn.axis();
  return key;
}

FileValue NewTable() { return {FileValue::Table(), {}}; }

ControlTable ReadController(FileValue* table) {
  ControlTable result;
  const auto keys = ReadKeys<ControlKeys>(table);
  result.body = keys.body.value_or("");
  result.start = keys.start.value_or("");
  result.times = {keys.shortest, keys.longest};
  for (const ServoKeys& servo : keys.servo) {
    result.servos.push_back({servo.mode, servo.stiffness, servo.damping, servo.lower, servo.upper});
  }
  for (const PoseKeys& pose : keys.pose) {
    ControlTable::Entry entry{pose.name, pose.targets, pose.duration, {}, pose.is_final};
    for (const TransitionKeys& next : pose.next.value_or(std::vector<TransitionKeys>())) {
      entry.next.push_back({next.to, next.after, next.when});
    }
    result.poses.push_back(std::move(entry));
  }
  if (keys.sensor) {
    for (FileValue* sensor : *keys.sensor) result.sensors.push_back(ReadSensor(sensor));
  }
  return result;
}

KeyFrameTable ReadMotion(FileValue* table) {
  KeyFrameTable result;
  const auto keys = ReadKeys<KeyFramesKeys>(table);
  result.body = keys.body.value_or("");
  result.interpolation = keys.interpolation;
  for (FileValue* key : keys.key) result.keys.push_back(ReadKey(key));
  return result;
}

// Reads the one that `table` is, or the several of its key `element`.
template <typename Several, typename Table>
Table ReadOneOrSeveral(FileValue* table, const std::string& element,
                       std::vector<FileValue*> Several::*of, Table (*read)(FileValue*)) {
  if (IsEmpty(*table)) return {};
  if (table->Find(element) == nullptr) return read(table);
  Table result;
  const auto keys = ReadKeys<Several>(table);
  for (FileValue* one : keys.*of) result.several.push_back(read(one));
  if (result.several.empty()) {
    FailAt(PlaceOf(*table, element), "there is no [[" + element + "]]", "leave out the empty list");
  }
  return result;
}

template <typename Table>
FileValue WriteSeveral(const Table& table, const std::string& element,
                       FileValue (*write)(const Table&)) {
  FileValue::Array several;
  for (const Table& one : table.several) several.push_back(write(one));
  FileValue written = NewTable();
  written.Set(element, std::move(several));
  return written;
}

}  // namespace

ControlTable ReadControlTable(FileValue* table) {
  return ReadOneOrSeveral(table, "controller", &ControllersKeys::controller, ReadController);
}

KeyFrameTable ReadKeyFrameTable(FileValue* table) {
  return ReadOneOrSeveral(table, "motion", &MotionsKeys::motion, ReadMotion);
}

FileValue WriteControlTable(const ControlTable& table) {
  if (!table.several.empty()) return WriteSeveral(table, "controller", WriteControlTable);
  FileValue written = NewTable();
  if (table.empty()) return written;
  if (!table.body.empty()) written.Set("body", table.body);
  if (!table.start.empty()) written.Set("start", table.start);
  written.Set("shortest", table.times.shortest);
  written.Set("longest", table.times.longest);
  FileValue::Array servos, poses, sensors;
  for (const ControlTable::Servo& servo : table.servos) {
    FileValue entry = NewTable();
    entry.Set("mode", servo.name);
    entry.Set("stiffness", servo.stiffness);
    entry.Set("damping", servo.damping);
    entry.Set("lower", servo.lower);
    entry.Set("upper", servo.upper);
    servos.push_back(std::move(entry));
  }
  for (const ControlTable::Entry& pose : table.poses) {
    FileValue entry = NewTable();
    entry.Set("name", pose.name);
    if (pose.duration) entry.Set("duration", *pose.duration);
    entry.Set("final", pose.is_final);
    entry.Set("targets", Codec<std::map<std::string, double>>::Write(pose.targets));
    FileValue::Array transitions;
    for (const ControlTable::Transition& next : pose.next) {
      FileValue transition = NewTable();
      transition.Set("to", next.to);
      if (next.after) transition.Set("after", *next.after);
      if (next.when) transition.Set("when", *next.when);
      transitions.push_back(std::move(transition));
    }
    if (!transitions.empty()) entry.Set("next", std::move(transitions));
    poses.push_back(std::move(entry));
  }
  for (const Sensor& sensor : table.sensors) {
    FileValue entry = NewTable();
    entry.Set("name", sensor.name);
    entry.Set("kind", Codec<Sensor::Kind>::Write(sensor.kind));
    if (!sensor.points.empty()) entry.Set("points", Codec<std::vector<int>>::Write(sensor.points));
    const bool height = sensor.kind == Sensor::Kind::kAbove || sensor.kind == Sensor::Kind::kBelow;
    if (height) entry.Set("height", sensor.threshold);
    if (sensor.kind == Sensor::Kind::kTime) entry.Set("time", sensor.threshold);
    sensors.push_back(std::move(entry));
  }
  written.Set("servo", std::move(servos));
  written.Set("pose", std::move(poses));
  if (!sensors.empty()) written.Set("sensor", std::move(sensors));
  return written;
}

FileValue WriteKeyFrameTable(const KeyFrameTable& table) {
  if (!table.several.empty()) return WriteSeveral(table, "motion", WriteKeyFrameTable);
  FileValue written = NewTable();
  if (table.empty()) return written;
  if (!table.body.empty()) written.Set("body", table.body);
  written.Set("interpolation", Codec<Path::Interpolation>::Write(table.interpolation));
  FileValue::Array keys;
  for (const KeyFrameTable::Key& key : table.keys) {
    FileValue entry = NewTable();
    entry.Set("time", key.time);
    entry.Set("displacement", Codec<Eigen::Vector3d>::Write(key.displacement));
    FileValue turn = NewTable();
    turn.Set("axis", Codec<Eigen::Vector3d>::Write(key.axis));
    turn.Set("angle", key.turn);
    entry.Set("turn", std::move(turn.data));
    if (key.pin) entry.Set("pin", std::int64_t{*key.pin});
    entry.Set("pose", Codec<std::map<std::string, double>>::Write(key.pose));
    keys.push_back(std::move(entry));
  }
  written.Set("key", std::move(keys));
  return written;
}

}  // namespace pliant
