#include "solvers/articulated_lamp/backend.h"

#include <memory>
#include <utility>

#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "solvers/articulated_lamp/lamp_options.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "solvers/articulated_lamp/plan_of_scene.h"
#include "solvers/backend_with.h"
#include "solvers/control/binding.h"
#include "solvers/rigid_facts.h"

namespace pliant::articulated_lamp {
namespace {

constexpr std::string_view kFourLinks =
    "four rigid links on three hinges: base, lower arm, upper arm, head";

// A torque above this share of its limit counts as being at the limit.
constexpr double kBinding = 0.999;

std::vector<std::string> HingeNames() { return {std::begin(kHingeNames), std::end(kHingeNames)}; }

// Why the body cannot be a lamp; empty when it can.
std::string WhyNoLamp(const Scene& scene, size_t b) {
  if (scene.dimension != 2) return "the lamp moves in a plane: set dimension = 2 in the scene";
  if (scene.bodies.size() > 1) return "a scene holds exactly one lamp and no other body";
  try {
    ReadLampBody(scene.bodies[b]);
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}

// Of what the scene pushes, the part across the plane of the lamp is lost.
void SayOutOfPlane(const Scene& scene, TranslationRecord* record) {
  const auto say = [record](const std::string& name, const Eigen::Vector3d& push) {
    if (push.z() == 0.0) return;
    record->Say(name, Fidelity::kApproximated, "only its part in the plane of the lamp acts");
  };
  for (const TimedForce& force : scene.forces) say("force." + force.name, force.force);
  for (const Impulse& impulse : scene.impulses) say("impulse." + impulse.name, impulse.impulse);
}

void RecordLamp(const Scene& scene, bool link_contact, TranslationRecord* record) {
  const bool down = Gravity(scene).Downwards().has_value();
  record->Say("gravity", down ? Fidelity::kExact : Fidelity::kUnsupported,
              down ? "" : "the lamp supports gravity along −y only");
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::string name = "body." + scene.bodies[b].name;
    const std::string why_not = WhyNoLamp(scene, b);
    if (why_not.empty()) {
      record->Say(name, Fidelity::kApproximated, std::string(kFourLinks));
    } else {
      record->Say(name, Fidelity::kUnsupported, why_not);
    }
    record->Say(name + ".velocity", Fidelity::kExact, "");
    record->Say(name + ".stretch", Fidelity::kIgnored,
                "its links are rigid, so it starts without the initial stretch");
  }
  const std::string others =
      link_contact ? "the other points of its links meet all of it by penalty springs"
                   : "the other links pass through it (link_contact = true stops them)";
  bool floor = false;
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    const bool plane = PlaneOf(obstacle.shape) != nullptr;
    const bool fits = FloorOf(obstacle).has_value() && !(plane && floor);
    if (!fits) {
      record->Say(
          name, Fidelity::kUnsupported,
          "the lamp touches only one plane and boxes that are turned in the plane of the scene");
    } else if (plane) {
      record->Say(name, Fidelity::kApproximated,
                  "a floor under the two ends of the base; " + others);
    } else {
      record->Say(name, Fidelity::kApproximated,
                  "its top supports the two ends of the base; its walls do not stop these, its "
                  "edges do not touch "
                  "the base between them; " +
                      others);
    }
    record->Say(name + ".friction", Fidelity::kExact, "");
    record->Say(name + ".motion", Fidelity::kUnsupported, "the lamp stands on a floor at rest");
    floor = floor || plane;
  }
  const std::string hinges = "a lamp is held by its own hinges only";
  record->Say("nail.*", Fidelity::kUnsupported, hinges);
  record->Say("attachment.*", Fidelity::kUnsupported, hinges);
  record->Say("spring.*", Fidelity::kUnsupported, hinges);
  record->Say("force.*", Fidelity::kExact, "");
  record->Say("impulse.*", Fidelity::kExact, "");
  SayOutOfPlane(scene, record);
  SayBodiesPassThrough(
      scene, "the lamp touches a floor only, and its links pass through each other", record);
  SayCartoonEffectsIgnored(record);
  SayMaterialIgnored(scene, record);
  SayRigid(scene, Fidelity::kExact, "its links are rigid with or without it", record);
  SayMotionControlUnsupported(scene, record);
  for (const Obstacle& obstacle : scene.obstacles) {
    record->Say(
        "obstacle." + obstacle.name + ".restitution", Fidelity::kApproximated,
        "applies to each end of the base separately, by Newton's law; slow contacts do not bounce");
  }
}

// Target angles that the stops prevent.
void WarnOfLimits(const ArticulatedLampOptions& options, const LampBody& body,
                  std::vector<std::string>* warnings) {
  const auto warn = [&](int hinge, double angle, const std::string& who) {
    const AngleLimits& limits = body.parameters.hinge_limits[hinge];
    if (angle >= limits.lower && angle <= limits.upper) return;
    warnings->push_back(who + " has the " + std::string(kHingeNames[hinge]) + " at " +
                        ThreeDigits(angle) + " rad, beyond its limits " +
                        ThreeDigits(limits.lower) + " to " + ThreeDigits(limits.upper) + " rad");
  };
  for (int i = 0; i < kLampHinges; ++i) {
    warn(i, body.q[3 + i], "the start");
    for (const ControlTable::Entry& pose : options.control.poses) {
      const auto target = pose.targets.find(std::string(kHingeNames[i]));
      if (target != pose.targets.end()) warn(i, target->second, "pose '" + pose.name + "'");
    }
  }
}

std::string WordsOf(LampContact contact) {
  switch (contact) {
    case LampContact::kStance:
      return "on the ground";
    case LampContact::kSlide:
      return "sliding";
    case LampContact::kFlight:
      return "in the air";
  }
  return "";
}

// Costs are compared between meshes and with other solvers.
std::string CostDigits(double cost) { return Digits(cost, 10); }

// The cost of the plan, by term, how far it is from an optimum, and the effort of finding it.
FindingTable DescribePlan(const Lamp& lamp, const PlannedJump& plan) {
  const SpacetimeSummary& summary = plan.summary();
  FindingTable table;
  table.title = "Planned jump";
  table.columns = {"quantity", "value"};
  table.rows.push_back({"cost J", CostDigits(summary.final_cost)});
  for (const SpacetimeSummary::CostTerm& term : summary.costs) {
    table.rows.push_back({"of it " + term.name, CostDigits(term.value)});
  }
  for (const auto& level : plan.motion().levels) {
    table.rows.push_back({"cost J on a mesh of " + ThreeDigits(level.step) + " s",
                          CostDigits(level.summary.final_cost)});
  }
  if (plan.motion().observed_order) {
    table.rows.push_back({"observed order", ThreeDigits(*plan.motion().observed_order)});
  }
  for (const LampPhase& phase : plan.motion().trajectory.phases) {
    table.rows.push_back(
        {"time " + WordsOf(phase.contact) + ", from " + ThreeDigits(phase.start) + " s on [s]",
         ThreeDigits(phase.duration)});
  }
  const PlannedJump::Peak peak = plan.LargestTorque();
  table.rows.push_back({"largest torque", ThreeDigits(peak.torque) + " N m, " +
                                              std::string(kHingeNames[peak.hinge]) + " at " +
                                              ThreeDigits(peak.time) + " s"});
  const PlannedJump::Excess excess = plan.BetweenNodes(lamp);
  table.rows.push_back({"beyond the limits of hinges between nodes",
                        excess.hinge > 0.0 ? ThreeDigits(excess.hinge) + " rad, at " +
                                                 ThreeDigits(excess.hinge_time) + " s"
                                           : "0"});
  table.rows.push_back({"beyond the friction cone between nodes",
                        excess.cone > 0.0 ? ThreeDigits(excess.cone) + " N, at " +
                                                ThreeDigits(excess.cone_time) + " s"
                                          : "0"});
  if (plan.has_beams()) {
    table.rows.push_back({"into the clearance below beams between nodes",
                          excess.beam > 0.0 ? ThreeDigits(excess.beam) + " m, at " +
                                                  ThreeDigits(excess.beam_time) + " s"
                                            : "0"});
  }
  table.rows.push_back({"share of the momentum of a flight that comes from nowhere between samples",
                        ThreeDigits(plan.motion().momentum_defect())});
  table.rows.push_back({"found by", std::string(ToString(summary.method))});
  table.rows.push_back({"residual of stationarity", ThreeDigits(summary.residuals.stationarity)});
  table.rows.push_back(
      {"residual of complementarity", ThreeDigits(summary.residuals.complementarity)});
  table.rows.push_back({"worst scaled violation", ThreeDigits(summary.violation)});
  for (const SpacetimeSummary::Violation& kind : summary.kinds) {
    table.rows.push_back({"of it " + kind.name, ThreeDigits(kind.scaled)});
  }
  if (plan.starts().starts.size() > 1) {
    table.rows.push_back(
        {"starts that converged", std::to_string(plan.starts().converged()) + " of " +
                                      std::to_string(plan.starts().starts.size())});
    table.rows.push_back({"it comes from start", std::to_string(plan.starts().from)});
  }
  table.rows.push_back({"outer iterations", std::to_string(summary.outer_iterations)});
  table.rows.push_back({"inner iterations", std::to_string(summary.inner_iterations)});
  table.rows.push_back({"evaluations", std::to_string(summary.evaluations)});
  table.remark = plan.motion().Message();
  return table;
}

// How each start of a plan ended.
FindingTable DescribeStarts(const BestOfStarts& best) {
  FindingTable table;
  table.title = "Starts of the plan";
  table.columns = {"start",
                   "ended",
                   "mesh [s]",
                   "cost J",
                   "J to that of the plan",
                   "worst scaled violation",
                   "momentum from nowhere",
                   "found by"};
  for (size_t i = 0; i < best.starts.size(); ++i) {
    const JumpStartResult& start = best.starts[i];
    const bool costs = start.termination == SpacetimeTermination::kConvergence || start.feasible;
    table.rows.push_back({std::to_string(i), std::string(ToString(start.termination)),
                          ThreeDigits(start.mesh_step), costs ? CostDigits(start.cost) : "",
                          costs ? Digits(start.cost / best.motion.summary().final_cost, 5) : "",
                          ThreeDigits(start.violation), ThreeDigits(start.momentum_defect),
                          std::string(ToString(start.method))});
  }
  table.remark = "start 0 is the initial guess itself, the others are perturbed ones";
  return table;
}

void WarnOfTorqueLimit(double limit, const PlannedJump::Peak& peak, Translation* translation) {
  if (std::abs(peak.torque) < kBinding * limit) return;
  translation->warnings.push_back(
      "the torque limit of " + ThreeDigits(limit) + " N m is active in the plan: " +
      std::string(kHingeNames[peak.hinge]) + " at " + ThreeDigits(peak.time) + " s");
}

// Place and time of the landing stay, whatever pushes the lamp: without a limit such a plan may need any torque.
void WarnOfPlansOnTheWay(const ArticulatedLampOptions& options, Translation* translation) {
  const bool replans = options.jump.replan_every > 0.0 && !options.jump.loop;
  if (!replans || std::isfinite(options.hinges.torque_limit)) return;
  translation->warnings.push_back(
      "without a torque_limit a plan made on the way (replan_every) may take any torque to land "
      "where and when the first one would");
}

// One lap is planned, and then repeated on other ground.
void WarnOfLaps(const Scene& scene, const PlannedJump& plan, Translation* translation) {
  if (!plan.loops()) return;
  for (const Obstacle& obstacle : scene.obstacles) {
    if (PlaneOf(obstacle.shape) != nullptr) continue;
    translation->warnings.push_back(
        "the gait is planned for its first lap only: later laps may meet '" + obstacle.name + "'");
  }
}

class ArticulatedLamp final : public BackendWith<ArticulatedLampOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {"articulated-lamp",
                                     "articulated lamp",
                                     "Chitimalli 2008",
                                     "a chain of four rigid links that stands, jumps and dances on "
                                     "its base by the torques of its three hinges",
                                     "links do not deform; only the two ends of the base touch the "
                                     "floor, and with link_contact all points; bodies other than a "
                                     "lamp are refused",
                                     "",
                                     LampExtras(),
                                     ArrayGroups()};
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const ArticulatedLampOptions& options) const override {
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    RecordLamp(*scene, options.link_contact, &translation.record);
    if (!translation.record.supported()) return translation;
    LampBody body = LampOf(*scene, options);
    WarnOfLimits(options, body, &translation.warnings);
    const Lamp lamp(body.parameters, Gravity(*scene).Downwards().value());
    std::optional<PlannedJump> plan;
    if (options.hinges.law == HingeLaw::kPlanned) {
      plan.emplace(PlanOf(scene, options, body, lamp));
      translation.findings.push_back(DescribePlan(lamp, *plan));
      const size_t starts = plan->starts().starts.size();
      if (starts > 1) translation.findings.push_back(DescribeStarts(plan->starts()));
      WarnOfTorqueLimit(options.hinges.torque_limit, plan->LargestTorque(), &translation);
      if (plan->found()) plan->motion().Warn(plan->meshes(), &translation.warnings);
      WarnOfPlansOnTheWay(options, &translation);
      WarnOfLaps(*scene, *plan, &translation);
      if (!plan->found()) {
        translation.record.Say(
            "body." + scene->bodies[0].name, Fidelity::kUnsupported,
            "no plan for its jump: " + plan->motion().Message() +
                (starts > 1 ? "; from none of " + std::to_string(starts) + " starts" : ""));
        return translation;
      }
    }
    if (plan && plan->loops()) {
      translation.record.Say("body." + scene->bodies[0].name, Fidelity::kApproximated,
                             std::string(kFourLinks) +
                                 "; it begins within its gait, with the pose and the rates of the "
                                 "plan, not as it stands in the scene (jump_loop)");
    }
    std::optional<HingeControl> control;
    if (!plan) control = BindHingeControl(scene, options.control, options.hinges);
    LampStepper stepper(lamp, GroundOf(*scene));
    HingeStops stops(body.parameters.hinge_limits, options.stops);
    std::optional<LinkContact> links;
    if (options.link_contact && HasObstacles(*scene)) links.emplace(*scene, body, options.contact);
    std::optional<HeadLoad> load;
    if (!options.load_masses.empty() || !options.load_times.empty()) {
      load.emplace(body.parameters, lamp.gravity(), options.load_times, options.load_masses);
    }
    translation.simulation = std::make_unique<ArticulatedLampSimulation>(
        std::move(scene), std::move(body), std::move(stepper), stops, std::move(control),
        std::move(plan), std::move(links), options.hinges, options.integrator, std::move(load));
    return translation;
  }
};

}  // namespace

std::optional<HingeControl> BindHingeControl(const std::shared_ptr<const Scene>& scene,
                                             const ControlTable& table,
                                             const HingeControlOptions& options) {
  std::optional<HingeControl> control;
  if (table.empty()) return control;
  if (!table.several.empty()) {
    throw BadInput({"control.controller[0]", "a lamp has one controller", "remove [[controller]]"});
  }
  WithinParameter("control", [&] {
    const int body = BodyOfTable(*scene, table.body);
    // A servo of a wrong name is reported before the poses that follow it are, whatever the compiler.
    std::vector<PdServo> servos = ServosOn(HingeNames(), "hinge", scene->bodies[body].name, table);
    control.emplace(MakePoseGraph(table, "rad"), std::move(servos),
                    Sensors(scene, body, table.sensors), options);
  });
  return control;
}

const Backend& TheBackend() {
  static const ArticulatedLamp backend;
  return backend;
}

}  // namespace pliant::articulated_lamp
