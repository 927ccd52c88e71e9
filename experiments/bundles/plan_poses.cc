#include "experiments/bundles/plan_poses.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "models/articulated_lamp/dynamics.h"
#include "solvers/articulated_lamp/hinge_control.h"

namespace pliant {
namespace {

using articulated_lamp::kHingeNames;
using articulated_lamp::kLampHinges;
using articulated_lamp::Lamp;
using articulated_lamp::LampAngles;
using articulated_lamp::LampVector;

// Stiffness [N·m/rad] and damping [N·m·s/rad] of the servos, by the weight that each carries.
constexpr double kStiffness[kLampHinges] = {100.0, 100.0, 20.0};
constexpr double kDamping[kLampHinges] = {4.0, 4.0, 0.6};

// The planned torque without what balances gravity on the ground.
LampAngles TorqueBeyond(const Lamp& lamp, const LampPhase& phase, double time) {
  LampAngles torque = LampTrajectory::Torques(lamp, phase, time);
  if (phase.contact != LampContact::kFlight) {
    const LampVector q = LampTrajectory::NodeAt(phase, time).q, rest = LampVector::Zero();
    torque -= articulated_lamp::InverseDynamics(lamp, q, rest, rest).tail<3>();
  }
  return torque;
}

ControlTable::Entry PoseOf(const Lamp& lamp, const LampVector& q, const LampAngles& torque) {
  ControlTable::Entry pose;
  for (int i = 0; i < kLampHinges; ++i) {
    const articulated_lamp::AngleLimits& limits = lamp.parameters().hinge_limits[i];
    pose.targets[std::string(kHingeNames[i])] =
        std::clamp(q[3 + i] + torque[i] / kStiffness[i], limits.lower, limits.upper);
  }
  return pose;
}

}  // namespace

ControlTable PosesOf(const PlanRecord& plan) {
  const Lamp lamp(plan.problem.lamp, plan.problem.gravity);
  ControlTable table;
  for (int i = 0; i < kLampHinges; ++i) {
    // A search may press a hinge against its stop.
    table.servos.push_back({std::string(kHingeNames[i]), kStiffness[i], kDamping[i],
                            -std::numbers::pi, std::numbers::pi});
  }
  for (const LampPhase& phase : plan.motion.phases) {
    const int knots = std::max(1, static_cast<int>(std::ceil(phase.duration / kMostApart - 1e-9)));
    for (int k = 1; k <= knots; ++k) {
      const double time = phase.start + phase.duration * k / knots;
      ControlTable::Entry& pose = table.poses.emplace_back(
          PoseOf(lamp, LampTrajectory::NodeAt(phase, time).q, TorqueBeyond(lamp, phase, time)));
      pose.name = "knot " + std::to_string(table.poses.size());
      pose.duration = phase.duration / knots;
      table.times.shortest = std::min(table.times.shortest, *pose.duration);
    }
  }
  ControlTable::Entry end =
      PoseOf(lamp, plan.motion.phases.back().nodes.back().q, LampAngles::Zero());
  table.poses.back().targets = end.targets;  // it arrives at rest
  end.name = "end";
  end.is_final = true;
  table.poses.push_back(end);
  return table;
}

}  // namespace pliant
