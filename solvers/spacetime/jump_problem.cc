#include "solvers/spacetime/jump_problem.h"

#include <cmath>
#include <numbers>

#include "models/problem.h"

namespace pliant {
namespace {

void Require(bool holds, const std::string& name, const char* rule) {
  if (!holds) throw BadInput({name, name + " must be " + rule, ""});
}

bool Positive(double value) { return value > 0.0 && std::isfinite(value); }

}  // namespace

std::vector<LampJumpProblem::Phase> LampJumpProblem::Phases() const {
  std::vector<Phase> phases = {
      {"stance", stance_duration, longest_stance, Eigen::Vector2d::Zero(), friction}};
  for (size_t i = 0; i < stops.size(); ++i) {
    const Stop& stop = stops[i];
    const std::string number = std::to_string(i + 1);
    const Eigen::Vector2d base(stop.distance, stop.height);
    const double friction_there = stop.friction.value_or(friction);
    phases.push_back({"flight to stop " + number, stop.flight_duration, stop.longest_flight, base,
                      friction_there});
    phases.push_back({"stance on stop " + number, stop.stance_duration, stop.longest_stance, base,
                      friction_there});
  }
  const Eigen::Vector2d goal(distance, end_height);
  const double friction_there = landing_friction.value_or(friction);
  phases.push_back({"flight", flight_duration, longest_flight, goal, friction_there});
  phases.push_back({"landing", landing_duration, longest_landing, goal, friction_there});
  if (begin && !IsFlight(begin->phase)) phases[begin->phase].base = begin->q.head<2>();
  return phases;
}

void LampJumpProblem::SetDuration(size_t phase, double duration) {
  const size_t goal = 2 * stops.size() + 1;  // the flight to it
  const auto set = [duration](double* shortest, double* longest) {
    *shortest = duration;
    *longest = 0.0;
  };
  if (phase == 0) return set(&stance_duration, &longest_stance);
  if (phase == goal) return set(&flight_duration, &longest_flight);
  if (phase > goal) return set(&landing_duration, &longest_landing);
  Stop& stop = stops[(phase - 1) / 2];
  if (IsFlight(phase)) return set(&stop.flight_duration, &stop.longest_flight);
  set(&stop.stance_duration, &stop.longest_stance);
}

void LampJumpProblem::Validate() const {
  lamp.Validate();
  Require(gravity >= 0.0 && std::isfinite(gravity), "gravity", "finite and not negative");
  Require(Positive(friction), "friction", "finite and positive");
  Require(start_pose.allFinite(), "start_pose", "finite");
  Require(end_pose.allFinite(), "end_pose", "finite");
  Require(std::isfinite(distance), "distance", "finite");
  Require(!landing_friction || Positive(*landing_friction), "landing_friction",
          "finite and positive");
  Require(std::isfinite(end_height), "end_height", "finite");
  Require(std::isfinite(floor_height), "floor_height", "finite");
  for (const Rise& rise : rises) {
    Require(rise.left < rise.right, "rises", "in order: left < right");
    Require(std::isfinite(rise.height) && std::isfinite(rise.incline), "rises", "of finite height");
  }
  for (const Beam& beam : beams) {
    Require(beam.left < beam.right, "beams", "in order: left < right");
    Require(std::isfinite(beam.bottom), "beams", "of finite height");
  }
  Require(beam_clearance >= 0.0 && std::isfinite(beam_clearance), "beam_clearance",
          "finite and not negative");
  if (in_run) {
    Require(in_run->slope > 0.0 && in_run->slope < 0.5 * std::numbers::pi, "in_run.slope",
            "above 0 and below π/2");
    Require(Positive(in_run->length), "in_run.length", "finite and positive");
    Require(in_run->friction >= 0.0 && std::isfinite(in_run->friction), "in_run.friction",
            "finite and not negative");
  }
  if (begin) {
    Require(begin->q.allFinite() && begin->v.allFinite(), "begin", "finite");
    Require(begin->elapsed >= 0.0 && std::isfinite(begin->elapsed), "begin.elapsed",
            "finite and not negative");
    Require(begin->phase < 2 * stops.size() + 2, "begin.phase", "before the landing");
    Require(begin->phase > 0 || !in_run, "begin", "in the flight where there is an in-run");
  }
  if (loop) {
    Require(!in_run && !begin, "loop", "without in-run, and whole");
    Require(end_height == 0.0 && landing_friction.value_or(friction) == friction, "loop",
            "on ground of one height and friction");
  }
  for (const Stop& stop : stops) {
    Require(std::isfinite(stop.distance) && std::isfinite(stop.height), "stops",
            "at finite places");
    Require(!stop.friction || Positive(*stop.friction), "stops", "of finite and positive friction");
  }
  for (const Phase& phase : Phases()) {
    Require(std::isfinite(phase.shortest), phase.name + "_duration", "finite");
    Require(phase.longest >= 0.0 && std::isfinite(phase.longest), "longest_" + phase.name,
            "finite and not negative");
  }
  Require(!torque_limit || Positive(*torque_limit), "torque_limit", "finite and positive");
  Require(cost.torque >= 0.0 && std::isfinite(cost.torque), "cost.torque",
          "finite and not negative");
  Require(Positive(cost.acceleration), "cost.acceleration", "finite and positive");
  Require(cost.work >= 0.0 && std::isfinite(cost.work), "cost.work", "finite and not negative");
  Require(Positive(cost.rounded_power), "cost.rounded_power", "finite and positive");
  Require(cost.time >= 0.0 && std::isfinite(cost.time), "cost.time", "finite and not negative");
}

}  // namespace pliant
