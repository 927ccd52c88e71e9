// The keys of a planned jump.

#include <algorithm>
#include <variant>

#include "solvers/articulated_lamp/planned_jump.h"
#include "solvers/spacetime/plan_keys.h"
#include "solvers/spacetime/transcription_words.h"

namespace pliant::articulated_lamp {

void JumpPlanOptions::Bind(ParameterBinder& b) {
  b.Real("jump_distance", &distance, "m", {}, "distance of the jump along x");
  b.Reals("jump_stops", &stops, "m", {},
          "where the lamp lands on the way and jumps off again, in the order of time: distances "
          "along x from the start, as jump_distance");
  b.Boolean("jump_loop", &loop,
            "a gait: the hinges end with the angles and rates with which they begin, which are "
            "planned, too; the lamp begins as planned, not as it stands in the scene, and repeats "
            "the plan until the run ends");
  const auto ends = [this](const Scene&) { return !loop; };
  b.OnlyWhen("jump_loop = false", ends, [&] {
    b.Reals("jump_end_pose", &end_pose, "rad", {},
            "angles of the base hinge, the mid hinge and the head hinge at the end; those at the "
            "start where none are given");
  });
  b.Real("jump_stance", &stance, "s", MoreThan(0.0),
         "time on the ground before the jump, or on the slope of a ski jump");
  b.Real("jump_flight", &flight, "s", MoreThan(0.0), "time in the air, to each stop, too");
  b.Real("jump_rest", &rest, "s", MoreThan(0.0), "time between landing and rest, or the end");
  BindLongest("jump_stance", &longest_stance, &b);
  BindLongest("jump_flight", &longest_flight, &b);
  BindLongest("jump_rest", &longest_rest, &b);
  b.OnlyWhen(
      "jump_stops is given", [this](const Scene&) { return !stops.empty(); },
      [&] {
        b.Real("jump_between", &between, "s", MoreThan(0.0), "time on each stop");
        BindLongest("jump_between", &longest_between, &b);
      });
  const auto boxes = [](const Scene& scene) {
    return std::ranges::any_of(scene.obstacles, [](const Obstacle& obstacle) {
      return std::holds_alternative<Box>(obstacle.shape);
    });
  };
  b.OnlyWhen("the scene has boxes", boxes, [&] {
    b.Real(
        "jump_clearance", &clearance, "m", AtLeast(0.0),
        "distance that the hinges of the arms and the far end of the head keep below what hangs: "
        "boxes whose underside is above the lamp as it stands at the start");
  });
  b.Choice(
      "jump_landing", &landing,
      {{"plastic", LampJumpProblem::Landing::kPlastic}, {"soft", LampJumpProblem::Landing::kSoft}},
      "the base stops at once on landing, or arrives with zero velocity");
  b.Real("acceleration_weight", &acceleration_weight, "N2 m2 s4", MoreThan(0.0),
         "ε of the cost, the integral of κ Σ τ² + ε Σ φ̈² + π P + w, P the sum of the powers of "
         "the hinges, all counted as positive");
  b.Real("torque_weight", &torque_weight, "1", AtLeast(0.0), "κ of that cost");
  b.Real("work_weight", &work_weight, "N m s", AtLeast(0.0),
         "π of that cost: what a joule costs that a hinge does or takes");
  b.OnlyWhen(
      "work_weight > 0", [this](const Scene&) { return work_weight > 0.0; },
      [&] {
        b.Real("work_rounding", &rounded_power, "W", MoreThan(0.0),
               "P₀: the power P of a hinge counts as √(P² + P₀²) − P₀, which is smooth");
      });
  b.Real("time_weight", &time_weight, "N2 m2", AtLeast(0.0),
         "w of that cost: what a second costs, which matters where times are free");
  b.Choice("plan_transcription", &transcription, TranscriptionWords(),
           "how motion and physics are discretised on the mesh: cubics with physics at "
           "two Gauss points of each interval, the trapezoidal rule, or differences of positions");
  BindPlanSearch(&method, &step, &refinements, &b);
  b.Integer(
      "plan_starts", &starts, "1", Between(1, 1000),
      "number of initial guesses: the first and perturbed ones, of which the cheapest plan counts");
  b.Integer("plan_threads", &threads, "1", Between(1, 256),
            "number of threads that share the initial guesses; the results do not change");
  b.Real("plan_limit_margin", &limit_margin, "rad", AtLeast(0.0),
         "angle by which the plan stays away from the limits of the hinges, so that the stops do "
         "not touch them between the nodes");
  b.Real("plan_friction_margin", &friction_margin, "1", Between(0.0, 0.99),
         "share of the friction that the plan does not use");
  b.Real("plan_head_factor", &head_factor, "1", MoreThan(0.0),
         "mass of the head that the plan reckons with, divided by that of the scene: a plan for "
         "another lamp, to see what "
         "the tracking holds");
  b.OnlyWhen("jump_loop = false", ends, [&] {
    b.Real("replan_every", &replan_every, "s", AtLeast(0.0),
           "how often, until the lamp lands, what is left of the jump is planned again from where "
           "the lamp has come to; 0: never");
  });
  b.Choice("tracking", &tracking,
           {{"servo", PlanTracking::kServo}, {"lqr", PlanTracking::kRegulator}},
           "what keeps the lamp on the plan: a servo on each hinge, or the time-varying linear "
           "regulator of the motion about the plan, base included");
  b.Real("tracking_stiffness", &stiffness, "N m/rad", AtLeast(0.0),
         "stiffness C of the servo that keeps the hinges on the plan; the regulator weights angles "
         "by C²");
  b.Real("tracking_damping", &damping, "N m s/rad", AtLeast(0.0),
         "damping D of that servo; the regulator weights rates by D²");
}

}  // namespace pliant::articulated_lamp
