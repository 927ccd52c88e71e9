// The jump of the lamp as a motion problem: a goal, with a cost and limits, that trajectory
// optimisation (lamp_jump.h) and a search over controllers (search/) are both asked to reach.
//
// Trajectory optimisation solves, for the motion q(t) and what moves it,
//
//   minimise    J = ∫ κ Σ τ² + ε Σ φ̈² + π Σ |τ φ̇| + w dt   effort, a little against jerky hinges, work, and time
//   subject to  M(q) q̈ + h(q, q̇) = (contact; τ)   physics, at all times
//               contact in the friction cone       while the base stands
//               contact = 0                        in flight
//               M (v⁺ − v⁻) = (Λ; 0), v_base⁺ = 0  at touchdown
//               limits of hinges, tilt, torque; no part of the base below the ground
//               q, q̇ given at both ends; of a loop the same at both ends
//
// and a search chooses the numbers of a controller, runs it, and reads the same J and the same
// violations off the motion it makes: the interface MotionProblem in search/motion_problem.h.

#ifndef PLIANT_SOLVERS_SPACETIME_JUMP_PROBLEM_H_
#define PLIANT_SOLVERS_SPACETIME_JUMP_PROBLEM_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/articulated_lamp/lamp.h"

namespace pliant {

struct MotionCost {
  double torque = 1.0;         // κ, weight of ∫ Σ τ² dt [1]
  double acceleration = 1e-5;  // ε, weight of ∫ Σ φ̈² dt [(N·m)² s⁴/rad² relative to torque]
  // π, weight of the work that hinges do and take, ∫ Σ |P| dt of their powers P = τ φ̇ [N m s], ≥ 0. |P| is rounded at 0,
  // √(P² + P₀²) − P₀ (lamp_terms.h).
  double work = 0.0;
  double rounded_power = 0.5;  // P₀ [W], > 0
  double time = 0.0;           // w, weight of the time that the motion takes [(N·m)²], ≥ 0
};

// The lamp stands, flies, and stands again `distance` further on, from rest to rest; on the way it may stand on stops, and jump off
// again. The origin is the initial position of the middle of its base.
struct LampJumpProblem {
  enum class Landing {
    kPlastic,  // the flat base stops at once; the impulse is limited by the friction cone
    kSoft,     // the base arrives with zero velocity: no impulse, much harder
  };
  // Ground above the floor, of which the flying base keeps clear: the top is the line
  // y = height + incline x between two walls.
  struct Rise {
    std::string name;
    double left, right;    // m, left < right; may be infinite
    double height;         // m, of the line at x = 0
    double incline = 0.0;  // dy/dx
  };
  // What hangs above the head of the lamp where it begins: the hinges of the arms and the far end of the head keep below it.
  struct Beam {
    std::string name;
    double left, right;  // m, left < right; may be infinite
    double bottom;       // m, y of its underside
  };
  // A ski jump: instead of the stance, the flat base slides down a slope from rest and leaves it
  // after `length`.
  struct InRun {
    double slope;     // rad, downhill along x, in (0, π/2)
    double length;    // m, along the slope, > 0
    double friction;  // μ of the sliding base, ≥ 0
  };

  // Where the lamp lands and jumps off again before it reaches its goal.
  struct Stop {
    double distance;                                       // m, along x, of the middle of the base
    double height = 0.0;                                   // m, of the ground
    std::optional<double> friction = {};                   // μ, > 0; else the same
    double flight_duration = 0.28, stance_duration = 0.5;  // s, in the air before it, and on it
    double longest_flight = 0.0, longest_stance = 0.0;     // s, as below
  };
  // A part of the jump with one kind of contact. Stances have even numbers, flights odd ones.
  struct Phase {
    std::string name;          // in words
    double shortest, longest;  // s; the duration is free where the second is more
    Eigen::Vector2d base;      // m, (x, y) where the base stands, or to which it flies
    double friction;           // μ where it stands, or to which it flies

    bool is_free() const { return longest > shortest; }
    double first_duration() const { return is_free() ? 0.5 * (shortest + longest) : shortest; }
  };

  // On the way: the jump does not begin at rest, but where it has come to.
  struct Begin {
    size_t phase;          // with which it begins, not the last; those before are over
    double elapsed = 0.0;  // s, since that phase began, ≥ 0; the durations are those that are left
    // In a stance the base stands at (x, y), flat and still, whatever else they say.
    articulated_lamp::LampVector q, v;
  };

  articulated_lamp::LampParameters lamp;
  double gravity = 9.81;                   // m/s², ≥ 0
  double friction = 0.8;                   // μ between base and floor, > 0
  std::optional<double> landing_friction;  // μ where it lands, > 0; else the same
  articulated_lamp::LampAngles start_pose = {Radians(-25), Radians(50), 0.0};  // rad
  articulated_lamp::LampAngles end_pose = {Radians(-25), Radians(50), 0.0};    // rad
  double distance = 0.3;                                                       // m, along x
  double end_height = 0.0;    // m, of where it lands: a step, a fall
  double floor_height = 0.0;  // m, of the level floor under it all
  std::vector<Rise> rises;
  std::vector<Beam> beams;
  double beam_clearance = 0.0;  // m, that is kept below them, ≥ 0
  std::vector<Stop> stops;      // in the order of time
  // A gait: the hinges end as they have begun, moving, and what pose and rates these are is part of the problem; start_pose is that of
  // the first guess. It stands where it lands as it stood where it began.
  bool loop = false;
  std::optional<InRun> in_run;
  std::optional<Begin> begin;
  double stance_duration = 0.6;   // s
  double flight_duration = 0.28;  // s
  double landing_duration = 0.5;  // s
  // s; a phase for which this is more than its duration takes the time between the two that
  // costs least.
  double longest_stance = 0.0, longest_flight = 0.0, longest_landing = 0.0;
  Landing landing = Landing::kPlastic;
  std::optional<double> torque_limit;  // N·m, of each hinge, > 0; none when absent
  MotionCost cost;

  // Stance or in-run, then a flight and a stance for each stop, the last flight, and the landing. The friction of a flight is
  // that of where it ends.
  std::vector<Phase> Phases() const;
  // The phase that is solved first.
  size_t first_phase() const { return begin ? begin->phase : 0; }
  static bool IsFlight(size_t phase) { return phase % 2 == 1; }
  // Gives a phase this duration [s], which is not free.
  void SetDuration(size_t phase, double duration);

  // Throws BadInput naming an invalid value. Goals that cannot be reached (too far, an initial pose
  // outside the limits, no time) are not invalid input but infeasible problems.
  void Validate() const;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_JUMP_PROBLEM_H_
