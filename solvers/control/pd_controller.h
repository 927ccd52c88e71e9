// Proportional and derivative servos, one for each driven coordinate [Faloutsos 1995, Ch. 5]:
//
//   Q = −C (x − x⁰) − D ẋ
//
// (5.1) of the source prints f = k (x − x₀) + d ẋ, which would push away from x₀; its Q_r has the
// minus. Active coordinates are stiff and well damped, so they do not ring; passive ones are soft
// and do ring.

#ifndef PLIANT_SOLVERS_CONTROL_PD_CONTROLLER_H_
#define PLIANT_SOLVERS_CONTROL_PD_CONTROLLER_H_

#include <Eigen/Core>
#include <vector>

namespace pliant {

struct PdServo {
  int coordinate = 0;      // which of the coordinates it drives
  double stiffness = 0.0;  // C, energy per x²: J for an amplitude, N m for an angle
  double damping = 0.0;    // D, the same times s
};

class PdController {
 public:
  explicit PdController(std::vector<PdServo> servos) : servos_(std::move(servos)) {}

  const std::vector<PdServo>& servos() const { return servos_; }

  // Force of each servo for its target at coordinates x and rates ẋ, into `forces` (one for each
  // servo). O(servos).
  void Forces(const Eigen::VectorXd& targets, const Eigen::Ref<const Eigen::VectorXd>& x,
              const Eigen::Ref<const Eigen::VectorXd>& x_dot, Eigen::VectorXd* forces) const;

  // Q += the forces at their coordinates; returns their power Σ Q ẋ [W].
  double AddForces(const Eigen::VectorXd& targets, const Eigen::Ref<const Eigen::VectorXd>& x,
                   const Eigen::Ref<const Eigen::VectorXd>& x_dot,
                   Eigen::Ref<Eigen::VectorXd> Q) const;

  // Power Σ Q ẋ′ [W] of the same forces at other rates ẋ′.
  double PowerAt(const Eigen::VectorXd& targets, const Eigen::Ref<const Eigen::VectorXd>& x,
                 const Eigen::Ref<const Eigen::VectorXd>& x_dot,
                 const Eigen::Ref<const Eigen::VectorXd>& other) const;

 private:
  std::vector<PdServo> servos_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_PD_CONTROLLER_H_
