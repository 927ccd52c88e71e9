#include "solvers/dynamic_ffd/backend.h"

#include <Eigen/Geometry>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "models/scene/number_text.h"
#include "solvers/backend_with.h"
#include "solvers/contact/outlines.h"
#include "solvers/dynamic_ffd/arrays_of_bodies.h"
#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "solvers/dynamic_ffd/free_lattice.h"
#include "solvers/dynamic_ffd/jump_character.h"
#include "solvers/dynamic_ffd/mode_stages.h"
#include "solvers/dynamic_ffd/started_body.h"
#include "solvers/dynamic_ffd/translation_record.h"
#include "solvers/rigid_facts.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

// Gaps of nails and attachments below this are rounding [m].
constexpr double kNoGap = 1e-9;

// A gap at the start is a spring that is already stretched: the run begins with a jerk.
void WarnOfGaps(const DynamicFfdSystem& system, const VectorXd& q, const VectorXd& v,
                std::vector<std::string>* warnings) {
  Eigen::Matrix3Xd x, x_dot;
  system.Points(q, &x);
  system.PointVelocities(q, v, x, &x_dot);
  const auto gap = system.constraints().LargestGap(0.0, x, x_dot);
  if (!gap || gap->error <= kNoGap) return;
  warnings->push_back("nails and attachments start with gaps of up to " + ThreeDigits(gap->error) +
                      " m, which their springs close abruptly");
}

// What acts besides weight, ground and modes is no part of a plan.
void WarnOfWhatThePlanOmits(const TranslationRecord& record, std::vector<std::string>* warnings) {
  std::string omitted;
  for (const TranslatedElement& entry : record.Entries()) {
    const std::string kind = entry.element.substr(0, entry.element.find('.'));
    const bool known =
        kind == "body" || kind == "obstacle" || kind == "gravity" || kind == "contact";
    if (!known) omitted += (omitted.empty() ? "" : ", ") + entry.element;
  }
  if (!omitted.empty())
    warnings->push_back("the plan of the jump reckons with weight, ground and modes, not with " +
                        omitted);
}

// Who looks on while a jump is planned, at so many poses; nobody where `watch` is empty.
struct PlanView {
  int poses = 2;
  PlanWatch watch = {};
};
DeformableJumpWatch WatchOf(const Scene& scene, const FfdPart& body, const VectorXd& start,
                            const PlanView& view) {
  if (!view.watch) return {};
  return [&, base = JumpBaseOf(body, start, JumpGroundOf(scene))](
             double step, const SpacetimeIteration& iteration, const DeformableMotion& motion) {
    PlanSight sight{0, step, iteration, motion.duration(), {}};
    VectorXd q = start;
    for (int i = 0; i < view.poses; ++i) {
      const VectorXd planned = motion.PoseAt(motion.duration() * i / (view.poses - 1));
      q.tail(body.body.modes()) = planned.tail(body.body.modes());
      Eigen::Matrix3Xd points(3, body.body.points());
      body.body.Points(q, points);
      // The modes move the base in the axes of the body; where it is and how it is turned, the plan says.
      const Eigen::Vector2d at = 0.5 * (points.col(base.left) + points.col(base.right)).head<2>();
      const Eigen::Matrix2d turn = Eigen::Rotation2Dd(planned[2]).toRotationMatrix();
      const Eigen::Vector2d to = base.middle + planned.head<2>();
      points.topRows<2>() = (turn * (points.topRows<2>().colwise() - at)).colwise() + to;
      sight.poses.push_back(std::move(points));
    }
    return view.watch(sight);
  };
}

// Plans the jump and lets the body follow it; false where none was found.
bool FollowPlan(const Scene& scene, const DynamicFfdOptions& options, const StartedScene& start,
                const PlanView& view, Translation* translation) {
  if (!options.control.empty() || !options.key_frames.empty() || !options.change_modes_at.empty()) {
    throw BadInput({"planned_jump", "the plan of a jump moves the modes alone",
                    "remove control, keyframes and change_modes_at, or planned_jump"});
  }
  const FfdPart& body = start.system->parts().front();
  PlannedModes plan(scene, body, start.q, start.v, options.jump,
                    WatchOf(scene, body, start.q, view));
  translation->findings.push_back(plan.Describe());
  WarnOfWhatThePlanOmits(translation->record, &translation->warnings);
  if (!plan.found()) {
    translation->record.Say("body." + scene.bodies.front().name, Fidelity::kUnsupported,
                            "no plan for its jump: " + plan.plan().Message());
    return false;
  }
  plan.plan().Warn(plan.meshes(), &translation->warnings);
  start.system->Follow(std::move(plan));
  return true;
}

// Of bodies that are not the reason why a scene is refused only rules were told, which their modes would have replaced.
void SayBodiesNotReached(const Scene& scene, TranslationRecord* record) {
  const std::string why = "not reached: the scene was refused before";
  for (const TranslatedElement& entry : record->Entries()) {
    for (const Body& body : scene.bodies) {
      const std::string name = "body." + body.name;
      const bool is_made_by_modes = entry.element == name || entry.element == name + ".material" ||
                                    entry.element == name + ".stretch";
      if (is_made_by_modes && entry.fidelity != Fidelity::kUnsupported)
        record->Say(entry.element, Fidelity::kIgnored, why);
    }
  }
}

Translation TranslateSeenBy(const PlanView& view, std::shared_ptr<const Scene> scene,
                            const DynamicFfdOptions& options) {
  options.contact.RequireConsistent();
  // Where every body is rigid there is nothing to give modes to.
  ModeTable table = AllRigid(*scene) && options.modes.empty()
                        ? ModeTable()
                        : ReadModeTable(options.modes, scene->dimension);
  if (options.free_lattice) FreeTheLattice(options, scene->dimension, &table);
  UseModes(options.use_modes, &table);
  Translation translation{TranslationRecord(*scene), nullptr, {}};
  TranslationRecord& record = translation.record;
  RecordFfdElements(*scene, options, &record);
  for (const Body& body : scene->bodies) {
    const Eigen::Vector3d extent = body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff();
    if (extent.maxCoeff() > 0.0) continue;
    record.Say("body." + body.name, Fidelity::kUnsupported,
               "all its points coincide: it has neither rotational inertia nor a box to deform");
  }
  if (!record.supported()) {
    SayBodiesNotReached(*scene, &record);
    return translation;
  }

  if (options.orthogonal_modes) RequireMixable(table);
  if (options.orthogonal_modes && !(options.control.empty() && options.key_frames.empty())) {
    throw BadInput({"orthogonal_modes",
                    "poses name single modes, but orthogonal modes are combinations of several",
                    "remove orthogonal_modes, or remove control and keyframes"});
  }
  StartedScene start = StartScene(scene, table, options, &record, &translation);
  WarnOfPassing(*scene, options.contact.obstacles, &translation.warnings);
  if (options.contact.between != BodiesMeetBy::kBarrier)
    WarnOfOutlines(*scene, &translation.warnings);
  WarnOfGaps(*start.system, start.q, start.v, &translation.warnings);
  if (options.jump.planned && !FollowPlan(*scene, options, start, view, &translation))
    return translation;
  std::vector<StepLimit> limits = EstimateStepLimits(*scene, *start.system, start.q, options);
  std::vector<FfdStage> later = LaterStages(scene, table, options, &translation);
  RecordKeyFrames(*scene, options.key_frames, &record);
  translation.simulation = std::make_unique<DynamicFfdSimulation>(
      std::move(scene), std::move(start.system), options.integrator, std::move(start.q),
      std::move(start.v), std::move(later), std::move(limits));
  return translation;
}

class DynamicFfd final : public BackendWith<DynamicFfdOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        "dynamic-ffd",
        "dynamic free-form deformation",
        "Faloutsos 1995",
        "a Bernstein lattice around each body moves rigidly and in a few deformation modes, by "
        "Lagrange's equations",
        "a body can only take the shapes of its modes; contact and nails act on whole modes, and "
        "both are penalty springs that give way, also between bodies; sheets in space and lines "
        "pass through bodies unless contact_between = barrier; contact by penalty begins and ends "
        "within steps, where no scheme is of more than second order, and none of more than first "
        "with contact_damping",
        "the mass matrix M(q) of the worst body",
        DynamicFfdExtras(),
        ArrayGroups()};
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const DynamicFfdOptions& options) const override {
    return TranslateSeenBy({}, std::move(scene), options);
  }
};

}  // namespace

const Backend& TheBackend() {
  static const DynamicFfd backend;
  return backend;
}

bool AsksForPlan(const ParameterValues& parameters) {
  const auto planned = parameters.find("planned_jump");
  const auto* asks = planned == parameters.end() ? nullptr : std::get_if<bool>(&planned->second);
  return asks != nullptr && *asks;
}

std::string WatchPlan(const std::shared_ptr<const Scene>& scene, const ParameterValues& parameters,
                      int poses, const PlanWatch& watch) {
  const Translation translation =
      TranslateSeenBy({poses, watch}, scene, BindParameters<DynamicFfdOptions>(parameters));
  for (const FindingTable& table : translation.findings) {
    if (table.title == PlannedModes::kTitle) return table.remark;
  }
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.fidelity == Fidelity::kUnsupported) return entry.element + ": " + entry.reason;
  }
  throw std::logic_error("there is no plan, and nothing says why");
}

}  // namespace pliant::dynamic_ffd
