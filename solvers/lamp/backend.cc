#include "solvers/lamp/backend.h"

#include <memory>
#include <utility>

#include "solvers/control/binding.h"
#include "solvers/lamp/lamp_options.h"
#include "solvers/lamp/lamp_simulation.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// A torque that is this share of its limit is at it.
constexpr double kBinding = 0.999;

// A base this near to flat on the ground stands on it [m, rad].
constexpr double kFlat = 1e-6;

std::vector<std::string> HingeNames() { return {std::begin(kHingeNames), std::end(kHingeNames)}; }

bool InThePlane(const Vector3d& vector) { return std::abs(vector.z()) <= 1e-12; }

// What stands in the way of the body as a lamp; empty when nothing does.
std::string WhyNoLamp(const Scene& scene, size_t b) {
  if (scene.dimension != 2) return "the lamp moves in a plane: the scene needs dimension = 2";
  if (scene.bodies.size() > 1) return "one lamp at a time, and nothing beside it";
  try {
    ReadLampBody(scene.bodies[b]);
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}

void RecordLamp(const Scene& scene, TranslationRecord* record) {
  const Vector3d& g = scene.gravity;
  const bool down = g.x() == 0.0 && g.z() == 0.0 && g.y() <= 0.0;
  record->Say("gravity", down ? Fidelity::kExact : Fidelity::kUnsupported,
              down ? "" : "the lamp knows gravity along −y only");
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::string name = "body." + scene.bodies[b].name;
    const std::string why_not = WhyNoLamp(scene, b);
    if (why_not.empty()) {
      record->Say(name, Fidelity::kApproximated,
                  "four rigid links on three hinges: base, lower arm, upper arm, head");
    } else {
      record->Say(name, Fidelity::kUnsupported, why_not);
    }
    record->Say(name + ".velocity", Fidelity::kExact, "");
    record->Say(name + ".stretch", Fidelity::kIgnored,
                "its links are rigid: it starts unstretched");
  }
  bool floor = false;
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    const auto* plane = std::get_if<Plane>(&obstacle.shape);
    const bool fits = plane != nullptr && !floor && InThePlane(plane->normal);
    record->Say(name, fits ? Fidelity::kApproximated : Fidelity::kUnsupported,
                fits ? "a floor under the two ends of the base; the other links pass through it"
                     : "the lamp stands on one plane, and knows nothing else to touch");
    record->Say(name + ".friction", Fidelity::kExact, "");
    record->Say(name + ".motion", Fidelity::kUnsupported, "the lamp stands on a floor at rest");
    floor = floor || fits;
  }
  const std::string hinges = "only its own hinges hold a lamp";
  record->Say("nail.*", Fidelity::kUnsupported, hinges);
  record->Say("attachment.*", Fidelity::kUnsupported, hinges);
  record->Say("spring.*", Fidelity::kUnsupported, hinges);
  const std::string pushes = "the lamp moves by its own torques and the floor alone";
  record->Say("force.*", Fidelity::kUnsupported, pushes);
  record->Say("impulse.*", Fidelity::kUnsupported, pushes);
  SayCartoonEffectsIgnored(record);
  SayMotionControlUnsupported(scene, record);
  for (const Obstacle& obstacle : scene.obstacles) {
    record->Say("obstacle." + obstacle.name + ".restitution", Fidelity::kApproximated,
                "of each end of the base on its own, by Newton's law; slow touches do not bounce");
  }
}

std::optional<LampFloor> FloorOf(const Scene& scene) {
  if (scene.obstacles.empty()) return std::nullopt;
  const Obstacle& obstacle = scene.obstacles.front();
  const Vector3d& normal = std::get<Plane>(obstacle.shape).normal;
  return LampFloor{normal.head<2>(), normal.dot(obstacle.motion.keys().col(0)), obstacle.friction,
                   obstacle.restitution};
}

void SetLimits(const LampOptions& options, LampParameters* lamp) {
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

// Angles that the stops will not let a hinge keep.
void WarnOfLimits(const LampOptions& options, const LampBody& body,
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

// A plan needs a lamp at rest, flat on level ground.
PlannedJump PlanOf(const Scene& scene, const LampOptions& options, const LampBody& body,
                   const Lamp& lamp) {
  const std::optional<LampFloor> floor = FloorOf(scene);
  const char* parameter = "controller";
  if (!options.control.empty()) {
    throw BadInput({parameter, "a planned jump follows no poses", "leave out control"});
  }
  if (!floor || floor->normal.y() != 1.0 || !(floor->friction > 0.0)) {
    throw BadInput({parameter, "a jump is planned over level ground with friction", ""});
  }
  const bool flat = std::abs(body.q[1] - floor->height) <= kFlat && std::abs(body.q[2]) <= kFlat;
  if (!flat || !body.v.isZero(0.0)) {
    throw BadInput(
        {parameter, "a jump is planned from rest, with the base flat on the ground", ""});
  }
  return PlannedJump(lamp, body.q, floor->friction, options.hinges.torque_limit, options.jump);
}

// What the plan costs, by term, and what finding it took.
FindingTable DescribePlan(const Lamp& lamp, const PlannedJump& plan) {
  const SpacetimeSummary& summary = plan.summary();
  FindingTable table;
  table.title = "Planned jump";
  table.columns = {"quantity", "value"};
  table.rows.push_back({"cost J", ThreeDigits(summary.final_cost)});
  for (const SpacetimeSummary::CostTerm& term : summary.costs) {
    table.rows.push_back({"of it " + term.name, ThreeDigits(term.value)});
  }
  table.rows.push_back({"time in the air [s]", ThreeDigits(plan.flight())});
  const PlannedJump::Peak peak = plan.LargestTorque(lamp);
  table.rows.push_back({"largest torque", ThreeDigits(peak.torque) + " N m, " +
                                              std::string(kHingeNames[peak.hinge]) + " at " +
                                              ThreeDigits(peak.time) + " s"});
  table.rows.push_back({"worst scaled violation", ThreeDigits(summary.violation)});
  table.rows.push_back({"outer iterations", std::to_string(summary.outer_iterations)});
  table.rows.push_back({"inner iterations", std::to_string(summary.inner_iterations)});
  table.rows.push_back({"evaluations", std::to_string(summary.evaluations)});
  table.remark = summary.message;
  return table;
}

void WarnOfTorqueLimit(double limit, const PlannedJump::Peak& peak, Translation* translation) {
  if (std::abs(peak.torque) < kBinding * limit) return;
  translation->warnings.push_back(
      "the torque limit of " + ThreeDigits(limit) + " N m binds in the plan: " +
      std::string(kHingeNames[peak.hinge]) + " at " + ThreeDigits(peak.time) + " s");
}

class ArticulatedLamp final : public Backend {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        "articulated-lamp",
        "articulated lamp",
        "Chitimalli 2008",
        "a chain of four rigid links stands, jumps and dances on its base by the torques of its "
        "three hinges",
        "links do not deform, and only the two ends of the base touch the floor; every other body "
        "is refused",
        "",
        LampExtras()};
    return info;
  }

  std::vector<ParameterInfo> Parameters() const override {
    return DescribeParameters<LampOptions>();
  }

  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    const auto options = BindParameters<LampOptions>(parameters);
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    RecordLamp(*scene, &translation.record);
    if (!translation.record.supported()) return translation;
    LampBody body = ReadLampBody(scene->bodies[0]);
    SetLimits(options, &body.parameters);
    WarnOfLimits(options, body, &translation.warnings);
    const Lamp lamp(body.parameters, -scene->gravity.y());
    std::optional<PlannedJump> plan;
    if (options.hinges.law == HingeLaw::kPlanned) {
      plan.emplace(PlanOf(*scene, options, body, lamp));
      translation.findings.push_back(DescribePlan(lamp, *plan));
      WarnOfTorqueLimit(options.hinges.torque_limit, plan->LargestTorque(lamp), &translation);
      if (!plan->found()) {
        translation.record.Say("body." + scene->bodies[0].name, Fidelity::kUnsupported,
                               "no plan for its jump: " + plan->summary().message);
        return translation;
      }
    }
    std::optional<HingeControl> control = BindHingeControl(scene, options.control, options.hinges);
    LampStepper stepper(lamp, FloorOf(*scene));
    HingeStops stops(body.parameters.hinge_limits, options.stops);
    translation.simulation = std::make_unique<LampSimulation>(
        std::move(scene), std::move(body), std::move(stepper), stops, std::move(control),
        std::move(plan), options.hinges);
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
    throw BadInput(
        {"control.controller[0]", "a lamp has one controller", "leave out [[controller]]"});
  }
  WithinParameter("control", [&] {
    const int body = BodyOfTable(*scene, table.body);
    control.emplace(MakePoseGraph(table),
                    ServosOn(HingeNames(), "hinge", scene->bodies[body].name, table),
                    Sensors(scene, body, table.sensors), options);
  });
  return control;
}

const Backend& ArticulatedLampBackend() {
  static const ArticulatedLamp backend;
  return backend;
}

}  // namespace pliant
