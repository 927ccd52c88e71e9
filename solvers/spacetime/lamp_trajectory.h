// A motion of the lamp in phases: between two nodes every coordinate is the cubic with the given
// values and rates at both ends (Hermite).

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_TRAJECTORY_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_TRAJECTORY_H_

#include <cstddef>
#include <vector>

#include "models/articulated_lamp/dynamics.h"
#include "solvers/spacetime/hermite_cubic.h"
#include "solvers/spacetime/jump_problem.h"

namespace pliant {

enum class LampContact { kStance, kSlide, kFlight };

struct LampNode {
  articulated_lamp::LampVector q;
  articulated_lamp::LampVector v;
};

struct LampPhase {
  LampContact contact;
  double start;                 // s
  double duration;              // s
  std::vector<LampNode> nodes;  // at equal distances in time, at least 2

  int intervals() const { return static_cast<int>(nodes.size()) - 1; }
  double step() const { return duration / intervals(); }  // s
};

struct LampSample {
  articulated_lamp::LampVector q, v, acceleration;
  articulated_lamp::LampVector
      force;  // (F_x, F_y, M_c, τ) that this motion takes, by inverse dynamics
};

// Velocities may jump between phases (impact), positions do not.
struct LampTrajectory {
  std::vector<LampPhase> phases;

  double duration() const;
  // The phase that holds `time`; at a border the later one. Clamped to the ends.
  size_t PhaseAt(double time) const;
  // In that phase.
  LampSample At(const articulated_lamp::Lamp& lamp, double time) const;
  // The motion of one phase at `time` within it, ends included: one-sided rates at the ends.
  static LampSample At(const articulated_lamp::Lamp& lamp, const LampPhase& phase, double time);
  static LampNode NodeAt(const LampPhase& phase, double time);
  // Hinge torques [N·m] at `time` within a phase: linear on each interval through the values at its
  // Gauss points, the only ones that the optimisation has balanced with the motion.
  static articulated_lamp::LampAngles Torques(const articulated_lamp::Lamp& lamp,
                                              const LampPhase& phase, double time);
};

// Straight line: hinges turn evenly from the start pose to the end pose over the whole time, the
// base goes straight to where it lands during each flight. It obeys no physics. Of a jump that begins on the way the phases that are left
// of that line.
LampTrajectory StraightLine(const LampJumpProblem& problem);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_TRAJECTORY_H_
