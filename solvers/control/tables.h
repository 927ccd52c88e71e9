// Pose control and key frames as stored in data files: by names, not yet bound to a body.

#ifndef PLIANT_SOLVERS_CONTROL_TABLES_H_
#define PLIANT_SOLVERS_CONTROL_TABLES_H_

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/geometry/path.h"
#include "solvers/control/pd_controller.h"
#include "solvers/control/pose_graph.h"
#include "solvers/control/sensors.h"
#include "solvers/data_table.h"

namespace pliant {

// A pose graph with the servos that follow it, or several of them, each of one body. Empty: no
// control.
struct ControlTable : DataTable {
  struct Servo {
    std::string name;                  // of the channel: the mode, the hinge
    double stiffness = 0.0;            // C [J]
    double damping = 0.0;              // D [J s]
    double lower = -1.0, upper = 1.0;  // limits of its targets
  };
  struct Transition {
    std::string to;
    std::optional<double> after;      // s
    std::optional<std::string> when;  // name of a sensor
  };
  struct Entry {
    std::string name;
    std::map<std::string, double> targets;  // by channel; 0 for those it leaves out
    std::optional<double> duration;         // s, then the next pose of the list, or the first
    std::vector<Transition> next;
    bool is_final = false;
  };
  std::string body;   // empty: the only one
  std::string start;  // empty: the first pose
  PoseTimes times;
  std::vector<Servo> servos;
  std::vector<Entry> poses;
  std::vector<Sensor> sensors;
  std::vector<ControlTable> several;  // of one body each; then nothing stands above

  bool empty() const {
    return servos.empty() && poses.empty() && sensors.empty() && several.empty();
  }
};

// The pose graph of a table: its channels are the servos, in their order. Throws BadInput with
// paths below the table such as "pose[1].next[0].to" for names that are unknown or given twice,
// poses with both a duration and transitions, and what PoseGraph refuses.
// `unit`: of the targets, for messages.
PoseGraph MakePoseGraph(const ControlTable& table, const std::string& unit = "");

// The key frames of one body, or of several bodies, one motion each. Empty: no key frames.
struct KeyFrameTable : DataTable {
  struct Key {
    double time = 0.0;                                       // s
    std::map<std::string, double> pose;                      // by mode; 0 for those it leaves out
    Eigen::Vector3d displacement = Eigen::Vector3d::Zero();  // m, of the centre of mass from where
                                                             // it starts
    double turn = 0.0;                                       // rad, from how it starts turned
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();         // unit, world, of the turn
    std::optional<int> pin;  // point that stays put until the next key
  };
  std::string body;
  Path::Interpolation interpolation = Path::Interpolation::kCubic;
  std::vector<Key> keys;
  std::vector<KeyFrameTable> several;  // of one body each; then there are no keys

  bool empty() const { return keys.empty() && several.empty(); }
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_TABLES_H_
