#include "solvers/spacetime/jump_problem.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "models/problem.h"

namespace pliant {
namespace {

void Require(bool holds, const char* name, const char* rule) {
  if (!holds) throw BadInput({name, std::string(name) + " must be " + rule, ""});
}

bool Positive(double value) { return value > 0.0 && std::isfinite(value); }

}  // namespace

void LampJumpProblem::Validate() const {
  lamp.Validate();
  Require(gravity >= 0.0 && std::isfinite(gravity), "gravity", "finite and not negative");
  Require(Positive(friction), "friction", "finite and positive");
  Require(start_pose.allFinite(), "start_pose", "finite");
  Require(end_pose.allFinite(), "end_pose", "finite");
  Require(std::isfinite(distance), "distance", "finite");
  Require(std::isfinite(stance_duration), "stance_duration", "finite");
  Require(std::isfinite(flight_duration), "flight_duration", "finite");
  Require(std::isfinite(landing_duration), "landing_duration", "finite");
  Require(!landing_friction || Positive(*landing_friction), "landing_friction",
          "finite and positive");
  Require(std::isfinite(end_height), "end_height", "finite");
  Require(std::isfinite(floor_height), "floor_height", "finite");
  for (const Rise& rise : rises) {
    Require(rise.left < rise.right, "rises", "in order: left < right");
    Require(std::isfinite(rise.height) && std::isfinite(rise.incline), "rises", "of finite height");
  }
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
    Require(begin->flying || !in_run, "begin", "in the flight where there is an in-run");
  }
  for (const auto& [name, longest] :
       {std::pair("longest_stance", longest_stance), std::pair("longest_flight", longest_flight),
        std::pair("longest_landing", longest_landing)}) {
    Require(longest >= 0.0 && std::isfinite(longest), name, "finite and not negative");
  }
  Require(!torque_limit || Positive(*torque_limit), "torque_limit", "finite and positive");
  Require(cost.torque >= 0.0 && std::isfinite(cost.torque), "cost.torque",
          "finite and not negative");
  Require(Positive(cost.acceleration), "cost.acceleration", "finite and positive");
}

}  // namespace pliant
