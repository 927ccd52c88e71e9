#include "solvers/motion_problem.h"

#include <cmath>

#include "models/scene/problem.h"

namespace pliant {
namespace {

void Require(bool holds, const char* name, const char* rule) {
  if (!holds) throw BadInput({name, std::string(name) + " must be " + rule, ""});
}

bool Positive(double value) { return value > 0.0 && std::isfinite(value); }

}  // namespace

void ParticleProblem::Validate() const {
  Require(Positive(mass), "mass", "finite and positive");
  Require(Positive(duration), "duration", "finite and positive");
  Require(gravity.allFinite(), "gravity", "finite");
  Require(start.allFinite(), "start", "finite");
  Require(goal.allFinite(), "goal", "finite");
}

double ParticleProblem::LeastCost() const {
  const double t = duration;
  return mass * mass *
         (12.0 * (goal - start).squaredNorm() / (t * t * t) + gravity.squaredNorm() * t);
}

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
  Require(!torque_limit || Positive(*torque_limit), "torque_limit", "finite and positive");
  Require(cost.torque >= 0.0 && std::isfinite(cost.torque), "cost.torque",
          "finite and not negative");
  Require(Positive(cost.acceleration), "cost.acceleration", "finite and positive");
}

void MotionNumbers::Validate() const {
  const auto count = static_cast<Eigen::Index>(names.size());
  Require(count > 0, "numbers", "at least one");
  Require(lower.size() == count && upper.size() == count && start.size() == count, "numbers",
          "as many as their names, bounds and starts");
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::string& name = names[static_cast<size_t>(i)];
    const bool ordered = std::isfinite(lower[i]) && std::isfinite(upper[i]) && lower[i] < upper[i];
    if (!ordered)
      throw BadInput({name, "the bounds of " + name + " must be finite, lower < upper", ""});
    if (!(start[i] >= lower[i] && start[i] <= upper[i])) {
      throw BadInput({name, name + " starts outside its bounds", "widen them, or start within"});
    }
  }
}

}  // namespace pliant
