// The arrays of the lamp: coordinates, the matrices and forces of M(q) q̈ + h(q, q̇) = Q
// (models/articulated_lamp/dynamics.h), and what the floor and the servos gave in the last step.

#include <string>

#include "models/articulated_lamp/dynamics.h"
#include "solvers/array_blocks.h"
#include "solvers/articulated_lamp/lamp_simulation.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector3d;

constexpr char kCoordinates[] = "coordinates";
constexpr char kEquations[] = "equations";
constexpr char kMultipliers[] = "multipliers";

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {{kCoordinates, "q = (x, y, θ, φ₁, φ₂, φ₃) and its rates"},
          {kMultipliers,
           "mean force of the floor on the base and torques of the servos in the last step"},
          {kEquations, "M(q), h, Q and q̈ of M(q) q̈ + h(q, q̇) = Q [Witkin & Kass 1988, Sec. 4]"}};
}

std::vector<NamedArray> ArticulatedLampSimulation::Arrays(std::string_view group) const {
  const std::vector<std::string> names = {"x",          "y",         "base angle",
                                          "base hinge", "mid hinge", "head hinge"};
  const std::vector<std::string> hinges(names.begin() + 3, names.end());
  std::vector<NamedArray> arrays;
  const auto add = [&](const char* of, const char* name, const char* unit, const char* meaning,
                       const std::vector<std::string>& rows, const Eigen::MatrixXd& values) {
    if (group.empty() || group == of) arrays.push_back({of, name, unit, meaning, rows, {}, values});
  };
  add(kCoordinates, "q", "m, m, rad, rad, rad, rad", "generalized coordinates", names, q_);
  add(kCoordinates, "q_dot", "m/s, m/s, rad/s, rad/s, rad/s, rad/s", "their rates", names, v_);
  const Vector3d floor = impulse_ / last_step_;
  add(kMultipliers, "floor", "N, N, N m",
      "F_x, F_y and clockwise moment about the middle of the base's underside",
      {"F_x", "F_y", "M_c"}, floor);
  add(kMultipliers, "servos", "N m", "torque of each servo", hinges, torques_);
  if (!group.empty() && group != kEquations) return arrays;
  const Lamp& lamp = stepper_.lamp();
  const LampMatrix M = MassMatrix(lamp, q_);
  const LampVector h = InverseDynamics(lamp, q_, v_, LampVector::Zero());
  LampVector Q;
  Q << floor, torques_;
  arrays.push_back(
      {kEquations, "M", "kg, kg m, kg m² by row and column", "mass matrix M(q)", names, names, M});
  add(kEquations, "h", "N, N m", "velocity-dependent inertial forces, and weight", names, h);
  add(kEquations, "Q", "N, N m",
      "forces of the floor and of the servos in the last step; stops of "
      "hinges are not among them",
      names, Q);
  add(kEquations, "q_ddot", "m/s², rad/s²", "q̈ of M(q) q̈ + h = Q", names,
      ForwardDynamics(lamp, q_, v_, Q));
  return arrays;
}

std::vector<StateBlock> ArticulatedLampSimulation::DoStateLayout() const {
  StateBlocks layout;
  layout.Add("coordinates x, y, base angle, hinges", kLampDof, "m, rad");
  layout.Add("their rates", kLampDof, "m/s, rad/s");
  layout.Add("impulse of the floor in the last step, its moment clockwise", 3, "N s, N m s");
  layout.Add("last step", 1, "s");
  layout.Add("torques of the servos in the last step", kLampHinges, "N m");
  layout.Add("integrals of squared torques, accelerations of hinges, torques that track a plan", 3,
             "N² m² s, rad²/s³, N² m² s");
  layout.AddExchange();
  layout.Add("effort and work of each servo", 2 * kLampHinges, "J");
  if (links_) {
    layout.Add("entry points of links in contact, whether there is one, and normals there",
               links_->StateSize(), "m, 1");
  }
  if (control_) control_->AddTo(&layout);
  if (const int numbers = ReplanNumbers(); numbers > 0) {
    layout.Add("plans made on the way: how many; time, coordinates, rates of each, whether tried",
               numbers, "1, s, m, rad, m/s, rad/s, 1");
  }
  return layout.Take();
}

}  // namespace pliant::articulated_lamp
