// Pose control: a finite state machine whose states are poses [Faloutsos 1995, Ch. 5].
//
// A pose is a target for each channel; a channel is what a servo drives: the amplitude of a mode,
// the angle of a hinge. The graph says how long a pose stays active and which one comes next. It
// depends neither on bodies nor on forces, only on numbers, times and the readings of sensors.
//
// A transition is taken at the end of a step, the first in the list of its pose that is due:
//
//   after    its pose has been active for `after` seconds
//   sensor   and, if it has a sensor, that sensor has turned true since its pose became active: one
//            that reads true all along has to turn false first, so that it fires once
//
// so that targets never change within a step. At most one is taken in a step. A timed transition is
// taken at the first end of a step that is not before its time, and the next pose counts its time
// from when the transition was due: a cycle keeps its period for any step, and each of its switches
// is late by less than a step. The next pose of a sensor's transition counts from the end of the
// step. If transition times are whole numbers of steps, nothing is late.

#ifndef PLIANT_SOLVERS_CONTROL_POSE_GRAPH_H_
#define PLIANT_SOLVERS_CONTROL_POSE_GRAPH_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct Pose {
  std::string name;
  Eigen::VectorXd targets;  // one for each channel
};

struct PoseTransition {
  int to = 0;                 // pose it leads to
  double after = 0.0;         // s; > 0 without a sensor, ≥ 0 with one
  std::optional<int> sensor;  // number of the sensor that has to fire
};

// A pose and its transitions.
struct PoseNode {
  Pose pose;
  std::vector<PoseTransition> next;
  bool is_final = false;  // kept for ever: the end of an acyclic graph
};

// Limits of the targets of a channel.
struct PoseChannel {
  std::string name;
  double lower = -1.0;
  double upper = 1.0;
  std::string unit = "";  // for messages
};

// Limits of the time of a timed transition [s].
struct PoseTimes {
  double shortest = 0.01;
  double longest = 10.0;
};

class PoseGraph {
 public:
  // Starts in pose `start`. Throws BadInput, with the document paths "pose[2].targets",
  // "pose[2].next[0].after", "channel[1]", "start": targets out of the limits of their channel,
  // times that are not positive or out of their limits, transitions to nowhere, poses that are
  // never reached, or never left without being final.
  PoseGraph(std::vector<PoseChannel> channels, std::vector<PoseNode> nodes, int sensors = 0,
            int start = 0, PoseTimes times = {});

  // The cyclic graph of the source: each pose for its duration [s], then the next, then from the
  // first again.
  static PoseGraph Cycle(std::vector<PoseChannel> channels, const std::vector<Pose>& poses,
                         const std::vector<double>& durations, PoseTimes times = {});

  int channels() const { return static_cast<int>(channels_.size()); }
  int sensors() const { return sensors_; }
  const std::vector<PoseNode>& nodes() const { return nodes_; }

  // Everything besides the graph that influences the future.
  struct State {
    int pose = 0;
    double since = 0.0;       // s, from when the pose counts its time
    std::vector<bool> armed;  // by sensor: has it read false since the pose became active?
  };
  State Start(double time, const std::vector<bool>& readings) const;
  // At the end of a step of `step` seconds, at `time`, with the readings of the sensors there. True
  // when another pose became active. O(transitions of the pose + sensors).
  bool Advance(double time, double step, const std::vector<bool>& readings, State* state) const;
  const Eigen::VectorXd& Targets(const State& state) const {
    return nodes_[state.pose].pose.targets;
  }
  // A state as numbers, for Save() and Restore() of a simulation.
  int StateSize() const { return 2 + sensors_; }
  void Save(const State& state, Eigen::Ref<Eigen::VectorXd> numbers) const;
  State Restored(const Eigen::Ref<const Eigen::VectorXd>& numbers) const;

  // The numbers a search may change: the times of all transitions without a sensor, in the order of
  // the poses, then the targets, pose by pose.
  struct Number {
    std::string name;  // "crouch → leap [s]", "crouch: vertical shear"
    double lower, upper;
    bool is_time;
  };
  std::vector<Number> DescribeNumbers() const;
  Eigen::VectorXd Numbers() const;
  // Throws BadInput naming the number that is out of its limits; then nothing has changed.
  void SetNumbers(const Eigen::VectorXd& numbers);

 private:
  void RequireValid(int start) const;
  void RequireValidPose(size_t p) const;
  void RequireValidTransition(size_t p, size_t i) const;
  void RequireReachable(int start) const;

  std::vector<PoseChannel> channels_;
  std::vector<PoseNode> nodes_;
  int sensors_;
  int start_;
  PoseTimes times_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_POSE_GRAPH_H_
