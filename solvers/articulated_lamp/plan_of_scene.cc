#include "solvers/articulated_lamp/plan_of_scene.h"

#include <optional>
#include <string>
#include <utility>

#include "models/scene/forces.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "solvers/articulated_lamp/posed_guess.h"

namespace pliant::articulated_lamp {
namespace {

void SetLimits(const ArticulatedLampOptions& options, LampParameters* lamp) {
  for (const auto& [name, values] : {std::pair("hinge_lower", &options.hinge_lower),
                                     std::pair("hinge_upper", &options.hinge_upper)}) {
    if (values->size() == kLampHinges) continue;
    throw BadInput({name, std::string(name) + " needs one angle for each of the three hinges", ""});
  }
  for (int i = 0; i < kLampHinges; ++i) {
    lamp->hinge_limits[i] = {options.hinge_lower[i], options.hinge_upper[i]};
    if (options.hinge_lower[i] < options.hinge_upper[i]) continue;
    throw BadInput({"hinge_lower",
                    "the limits of the " + std::string(kHingeNames[i]) + " are not in order",
                    "hinge_lower must be below hinge_upper"});
  }
}

}  // namespace

LampBody LampOf(const Scene& scene, const ArticulatedLampOptions& options) {
  LampBody body = ReadLampBody(scene.bodies[0]);
  SetLimits(options, &body.parameters);
  return body;
}

PlannedJump PlanOf(const std::shared_ptr<const Scene>& scene, const ArticulatedLampOptions& options,
                   const LampBody& body, const Lamp& lamp, const JumpStartsWatch& watch) {
  const LampJumpProblem problem = JumpFrom(*scene, body, options.jump.distance, options.jump.stops);
  std::optional<LampTrajectory> guess;
  if (!options.control.empty()) {
    if (options.jump.loop) {
      throw BadInput(
          {"control", "an initial guess by poses cannot be a loop", "remove control or jump_loop"});
    }
    if (!problem.stops.empty()) {
      throw BadInput({"control", "the poses of the initial guess of the plan know one jump only",
                      "remove control or jump_stops"});
    }
    HingeControlOptions hinges = options.hinges;
    hinges.law = HingeLaw::kConsistent;
    ArticulatedLampSimulation posed(scene, body, LampStepper(lamp, GroundOf(*scene)),
                                    HingeStops(body.parameters.hinge_limits, options.stops),
                                    BindHingeControl(scene, options.control, hinges), std::nullopt,
                                    std::nullopt, hinges);
    guess = PosedGuess(&posed, options.jump.stance + options.jump.flight + options.jump.rest);
  }
  return PlannedJump(problem, body.q, options.hinges.torque_limit, options.jump,
                     guess ? &*guess : nullptr, watch);
}

bool AsksForPlan(const ParameterValues& parameters) {
  const auto law = parameters.find("controller");
  const auto* word = law == parameters.end() ? nullptr : std::get_if<std::string>(&law->second);
  return word != nullptr && *word == "planned";
}

std::string WatchPlan(const std::shared_ptr<const Scene>& scene, const ParameterValues& parameters,
                      int poses, const PlanWatch& watch) {
  const auto options = BindParameters<ArticulatedLampOptions>(parameters);
  const LampBody body = LampOf(*scene, options);
  const Lamp lamp(body.parameters, Gravity(*scene).Downwards().value());
  const auto show = [&](size_t start, double step, const SpacetimeIteration& iteration,
                        const LampTrajectory& motion) {
    PlanSight sight{start, step, iteration, motion.duration(), {}};
    for (int i = 0; i < poses; ++i) {
      LampVector q = motion.At(lamp, motion.duration() * i / (poses - 1)).q;
      q.head<2>() += body.q.head<2>();
      Eigen::Matrix3Xd points(3, scene->bodies[0].size());
      body.Place(lamp, q, points);
      sight.poses.push_back(std::move(points));
    }
    return watch(sight);
  };
  return PlanOf(scene, options, body, lamp, show).motion().Message();
}

}  // namespace pliant::articulated_lamp
