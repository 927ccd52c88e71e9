// Pose control of a body in its lattice [Faloutsos 1995, Ch. 5]: a pose graph sets the targets of
// servos that drive the amplitudes of the active modes. Modes without a servo are passive; the
// potential and the damping of a mode act on active ones too.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CONTROL_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CONTROL_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"
#include "solvers/control/pd_controller.h"
#include "solvers/control/pose_graph.h"
#include "solvers/control/sensors.h"

namespace pliant::dynamic_ffd {

class ModeControl {
 public:
  // For body `body` of the scene. The coordinates of the servos are modes of that body, one servo
  // for each channel of the graph, one sensor for each of its sensors.
  ModeControl(int body, PoseGraph graph, PdController servos, Sensors sensors);

  int body() const { return body_; }
  bool feels() const { return sensors_.size() > 0; }  // does it need points?
  const PdController& servos() const { return servos_; }
  const PoseGraph& graph() const { return graph_; }
  // Callers that change its numbers must restore the initial state afterwards.
  PoseGraph& graph() { return graph_; }

  const PoseGraph::State& state() const { return state_; }
  const Eigen::VectorXd& targets() const { return graph_.Targets(state_); }

  // Resets the graph to its start, for the points x (3×n, the whole scene) at `time`.
  void Start(double time, const PointsRef& x);
  // At the end of a step of `step` seconds, at `time`; true when the pose changes.
  bool Update(double time, double step, const PointsRef& x);

  // Q_γ += the forces of the servos; returns their power [W]. O(servos).
  double AddForces(const VectorRef& gamma, const VectorRef& gamma_dot, MutableVectorRef Q) const {
    return servos_.AddForces(targets(), gamma, gamma_dot, Q);
  }

  // Power of the same forces at other rates [W].
  double PowerAt(const VectorRef& gamma, const VectorRef& gamma_dot, const VectorRef& other) const {
    return servos_.PowerAt(targets(), gamma, gamma_dot, other);
  }

  int StateSize() const { return graph_.StateSize(); }
  void Save(MutableVectorRef state) const { graph_.Save(state_, state); }
  void Restore(const VectorRef& state) { state_ = graph_.Restored(state); }

 private:
  int body_;
  PoseGraph graph_;
  PdController servos_;
  Sensors sensors_;
  PoseGraph::State state_;
  std::vector<bool> readings_;  // scratch
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CONTROL_H_
