// The tables of the data files of control: pose graphs and key frames, each with its keys.

#ifndef PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/keys.h"
#include "experiments/files/scene_keys.h"
#include "solvers/control/tables.h"

namespace pliant {

EnumWords<Sensor::Kind> WordsOf(Sensor::Kind);

struct ServoKeys {
  static constexpr char kTitle[] = "[[servo]]";
  std::string mode;
  double stiffness = 0.0, damping = 0.0, lower = -1.0, upper = 1.0;
  void Bind(KeyBinder& b);
};

struct TransitionKeys {
  static constexpr char kTitle[] = "[[pose.next]]";
  std::string to;
  std::optional<double> after;
  std::optional<std::string> when;
  void Bind(KeyBinder& b);
};

struct PoseKeys {
  static constexpr char kTitle[] = "[[pose]]";
  std::string name;
  std::map<std::string, double> targets;
  std::optional<double> duration;
  std::optional<std::vector<TransitionKeys>> next;
  bool is_final = false;
  void Bind(KeyBinder& b);
};

struct SensorKeys {
  static constexpr char kTitle[] = "[[sensor]]";
  std::string name;
  Sensor::Kind kind = Sensor::Kind::kContact;
  std::optional<std::vector<int>> points;
  std::optional<double> height, time;
  void Bind(KeyBinder& b);
};

struct ControlKeys {
  static constexpr char kTitle[] = "a pose graph";
  std::optional<std::string> body, start;
  double shortest = PoseTimes().shortest, longest = PoseTimes().longest;
  std::vector<ServoKeys> servo;
  std::vector<PoseKeys> pose;
  std::optional<std::vector<FileValue*>> sensor;
  void Bind(KeyBinder& b);
};

// Several pose graphs, in place of the keys of one.
struct ControllersKeys {
  static constexpr char kTitle[] = "pose graphs of several bodies";
  std::vector<FileValue*> controller;
  void Bind(KeyBinder& b);
};

struct KeyFrameKeys {
  static constexpr char kTitle[] = "[[key]]";
  double time = 0.0;
  std::map<std::string, double> pose;
  Eigen::Vector3d displacement = Eigen::Vector3d::Zero();
  std::optional<RotationValue> turn;
  std::optional<int> pin;
  void Bind(KeyBinder& b);
};

struct KeyFramesKeys {
  static constexpr char kTitle[] = "key frames";
  std::optional<std::string> body;
  Path::Interpolation interpolation = Path::Interpolation::kCubic;
  std::vector<FileValue*> key;
  void Bind(KeyBinder& b);
};

// Key frames of several bodies, in place of the keys of one.
struct MotionsKeys {
  static constexpr char kTitle[] = "key frames of several bodies";
  std::vector<FileValue*> motion;
  void Bind(KeyBinder& b);
};

// Throws FileError. An empty table is no control, or no key frames. `file` of the result is left to
// the caller.
ControlTable ReadControlTable(FileValue* table);
KeyFrameTable ReadKeyFrameTable(FileValue* table);

FileValue WriteControlTable(const ControlTable& table);
FileValue WriteKeyFrameTable(const KeyFrameTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_
