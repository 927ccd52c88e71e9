// Does the planned motion obey physics? Its hinge torques drive a forward simulation of the lamp
// through the same contact phases, without any feedback from the plan, and the difference is
// measured. It goes to zero with the mesh of the plan.

#ifndef PLIANT_TESTS_REFERENCE_REPLAY_H_
#define PLIANT_TESTS_REFERENCE_REPLAY_H_

#include <vector>

#include "solvers/spacetime/lamp_trajectory.h"

namespace pliant {

struct ReplayOptions {
  double max_step = 0.001;  // s, of Runge–Kutta 4 within an interval of the plan, > 0
  // A servo on top of the planned torques, τ += k (φ_plan − φ) + d (φ̇_plan − φ̇); 0: none.
  double servo_stiffness = 0.0;  // N·m/rad, ≥ 0
  double servo_damping = 0.0;    // N·m·s/rad, ≥ 0

  void Validate() const;
};

struct LampReplay {
  struct Frame {
    double time;  // s
    articulated_lamp::LampVector q, v;
  };
  std::vector<Frame> frames;   // at the nodes of the plan; v after the impact at touchdown
  double hinge_error = 0.0;    // rad, largest difference of an angle from the plan at a node
  double base_error = 0.0;     // m, largest distance of (x, y) from the plan at a node
  double touchdown_gap = 0.0;  // m, height of an end of the base over where it lands, worst, ±
  // N·s, the amount missing to F_y ≥ |F_x|/μ and F_y ≥ |M_c|/w, whichever is worse, over the
  // stances: the plan satisfies them at its Gauss points only.
  double contact_lack = 0.0;
  double servo_effort = 0.0;  // (N·m)² s, ∫ Σ τ² of the servo
};

// The plan gives the phases: the base stands still during stance wherever it is, slides down the
// in-run of the problem with its friction, and at the start of a stance after flight it stops in a
// plastic impact. Throws BadInput for wrong options.
LampReplay Replay(const LampJumpProblem& problem, const LampTrajectory& plan,
                  const ReplayOptions& options = {});

}  // namespace pliant

#endif  // PLIANT_TESTS_REFERENCE_REPLAY_H_
