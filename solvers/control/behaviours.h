// Runs the behaviours of a scene [Witkin & Welch 1990, Sec. 4.2] for any formulation that moves the
// points, through the interface PointControl.
//
// Everything happens at the beginnings of steps, in two passes:
//
//   Decide  walks through the actions that are under way, in the order of the scene: which chases
//           have arrived, which conditions are true, what connects and disconnects. The
//           formulation then changes its connections, all at once, and matches velocities.
//   Lead    gives every point that chases the cubic from where it is now to where its goal will
//           be, the goal's velocity taken as constant. Rebuilt at each step, but no longer when
//           fewer than kLastRebuilds steps remain, since it is singular at the end.
//
// A chase, a wait or a condition that ends at a time between two steps ends at the nearer one. Each
// pass of Repeat begins in a new step, so that a pass of zero duration does not hang. If several
// chases move one point at once, the later one in the scene applies, and an event says so.

#ifndef PLIANT_SOLVERS_CONTROL_BEHAVIOURS_H_
#define PLIANT_SOLVERS_CONTROL_BEHAVIOURS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/geometry/cubic_segment.h"
#include "models/scene/scene.h"

namespace pliant {

// How behaviours observe and control points.
class PointControl {
 public:
  virtual ~PointControl() = default;

  struct State {
    Eigen::Vector3d position, velocity;  // m, m/s
  };
  virtual State StateOf(const PointRef& point) const = 0;
  // From now on the point follows `segment`, until it is released and moves freely again.
  virtual void Lead(const PointRef& point, const CubicSegment& segment) = 0;
  virtual void Release(const PointRef& point) = 0;
  virtual void Connect(const PointRef& point, const Goal& goal) = 0;
  // Disconnects the point from `goal`, or from everything when `goal` is null.
  virtual void Disconnect(const PointRef& point, const Goal* goal) = 0;
  // Reports an event in words, for the record.
  virtual void Tell(const std::string& what) = 0;
};

// "hook.tip" or "hook[3]"; places as "(1, 2, 0)".
std::string NameOf(const Scene& scene, const PointRef& point);
std::string NameOf(const Scene& scene, const Goal& goal);

// Every action of the scene's behaviours, outer ones first.
std::vector<const Action*> AllActions(const Scene& scene);

class Behaviours {
 public:
  explicit Behaviours(const Scene& scene);

  bool empty() const { return roots_.empty(); }
  int done() const;  // number of behaviours that have ended

  // At the beginning of the step from `begin` to `end`; Lead after the connections have changed.
  void Decide(double begin, double end, PointControl* control);
  void Lead(double begin, double end, PointControl* control);

  static constexpr double kLastRebuilds = 3.0;  // steps

  int StateSize() const { return static_cast<int>(progress_.size()) * kNumbers; }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  enum class Phase { kIdle, kUnderWay, kDone };
  // How far an action is.
  struct Progress {
    Phase phase = Phase::kIdle;
    double until = 0.0;      // s, of chase and wait
    int next = 0;            // inner action of a sequence
    int passes = 0;          // of repeat, begun
    bool led = false;        // does the chase have a path?
    bool overtaken = false;  // did a later chase ever move its point?
    Eigen::Vector3d final_velocity = Eigen::Vector3d::Zero();  // of chase
  };
  static constexpr int kNumbers = 9;
  struct Node {
    Action action;           // without its inner actions
    std::vector<int> inner;  // nodes
    std::string behaviour;   // its name
  };

  int Add(const Action& action, const std::string& behaviour);
  bool Continue(int node, double begin, double end, PointControl* control);  // is it done?
  bool ContinueAll(int node, double begin, double end, PointControl* control);
  bool ContinueSequence(int node, double begin, double end, PointControl* control);
  bool ContinueRepeat(int node, double begin, double end, PointControl* control);
  bool Holds(const Condition& condition, double begin, double end,
             const PointControl& control) const;
  bool IsLedElsewhere(int node) const;  // by a chase beside that of `node`
  bool LeadsThePointOf(int node, int other) const;
  bool IsLedLater(int node) const;  // by one that is later in the scene, which applies
  void Reset(int node);

  Scene names_;  // bodies by name only, for messages
  std::vector<Node> nodes_;
  std::vector<int> roots_;
  std::vector<Progress> progress_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_BEHAVIOURS_H_
