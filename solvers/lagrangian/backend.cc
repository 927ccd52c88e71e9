#include "solvers/lagrangian/backend.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "solvers/contact/penalty.h"
#include "solvers/integration/second_order.h"
#include "solvers/lagrangian/constraint_springs.h"
#include "solvers/lagrangian/control_binding.h"
#include "solvers/lagrangian/ffd_simulation.h"
#include "solvers/lagrangian/mode_closeness.h"
#include "solvers/lagrangian/mode_potential.h"
#include "solvers/lagrangian/mode_selection.h"
#include "solvers/lagrangian/mode_table.h"
#include "solvers/lagrangian/stable_step.h"

namespace pliant {
namespace {

using Eigen::VectorXd;

// A stretch counts as exact when this little of it, against the size of the body, remains.
constexpr double kExactFit = 1e-9;
// Gaps of nails and attachments below this are rounding [m].
constexpr double kNoGap = 1e-9;

struct FfdOptions {
  MatrixTable modes;
  ControlTable control;
  KeyFrameTable key_frames;
  std::vector<std::string> use_modes;
  bool orthogonal_modes = false;
  FfdOrigin origin = FfdOrigin::kCentreOfMass;
  IntegratorOptions integrator;
  PenaltyOptions contact;
  ConstraintSpringOptions constraints;

  void Bind(ParameterBinder& binder) {
    binder.Table("modes", &modes,
                 "deformation modes: displacements of the control points of the lattice");
    binder.Table("control", &control, "pose graph whose servos drive the active modes of a body");
    binder.Table("keyframes", &key_frames,
                 "key frames a body is led through, until the last one sets it free");
    binder.Texts("use_modes", &use_modes, "names of the modes to use of these; none: all");
    binder.Boolean("orthogonal_modes", &orthogonal_modes,
                   "mix the modes of each body so that they are orthogonal in the metric of its "
                   "masses; the shapes they span stay");
    binder.Choice(
        "origin", &origin,
        {{"centre-of-mass", FfdOrigin::kCentreOfMass},
         {"lattice-corner", FfdOrigin::kLatticeCorner}},
        "the point of a body whose place is its translation; the source takes the corner");
    integrator.Bind(binder);
    contact.Bind(binder);
    contact.BindBarrier(binder);
    constraints.Bind(binder);
  }
};

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// One body as it starts, and what the record says of it.
struct StartedBody {
  FfdPart part;
  VectorXd q, v;
};

void RecordBody(const Body& body, const ModeTable& table, const std::vector<int>& modes,
                double added_inertia, TranslationRecord* record) {
  std::string reason = "moves rigidly";
  std::string starts;
  for (size_t i = 0; i < modes.size(); ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    reason +=
        (i == 0 ? " and in " + std::to_string(modes.size()) + " modes only: " : ", ") + mode.name;
    if (mode.initial != 0.0) starts += " " + mode.name + " at " + Number(mode.initial);
  }
  if (!starts.empty()) reason += "; starts deformed:" + starts;
  if (added_inertia > 0.0) {
    reason += "; a straight line has no inertia about itself, it is given " +
              Number(added_inertia) + " kg m²";
  }
  record->Say("body." + body.name, Fidelity::kApproximated, reason);
}

// Limits of the modes of a body that starts at `gamma`.
void SetLimits(const Body& body, const ModeTable& table, const std::vector<int>& modes,
               const VectorXd& gamma, FfdPart* part) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  part->lower.resize(count);
  part->upper.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    part->lower[i] = mode.lower;
    part->upper[i] = mode.upper;
    if (mode.lower <= gamma[i] && gamma[i] <= mode.upper) continue;
    throw BadInput({"modes",
                    "mode '" + mode.name + "' of body '" + body.name + "' starts at " +
                        Number(gamma[i]) + ", outside its limits " + Number(mode.lower) + " to " +
                        Number(mode.upper),
                    "start it within them, or widen them"});
  }
}

// Exponents and limits belong to amplitudes of their own, which mixtures do not have.
void RequireMixable(const ModeTable& table) {
  for (const DeformationMode& mode : table.modes) {
    if (!mode.in_use) continue;
    const bool limited = std::isfinite(mode.lower) || std::isfinite(mode.upper);
    if (mode.exponent == 2.0 && !limited) continue;
    throw BadInput({"orthogonal_modes",
                    "mode '" + mode.name + "' has " +
                        (limited ? "limits" : "an exponent other than 2") +
                        ", and orthogonal modes are mixtures of several",
                    "leave out orthogonal_modes, or what the mode has"});
  }
}

// Exchanges the modes of a part for orthogonal ones: b T for b, so that γ = T γ′.
void MixModes(FfdPart* part, VectorXd* gamma) {
  const int free = part->body.free_modes();
  if (free == 0) return;
  const Eigen::MatrixXd combinations = OrthogonalCombinations(part->body);
  part->body = part->body.Recombined(combinations);
  Eigen::MatrixXd mix = Eigen::MatrixXd::Identity(part->body.modes(), part->body.modes());
  mix.topLeftCorner(free, free) = combinations;
  part->stiffness = mix.transpose() * part->stiffness * mix;
  part->damping = mix.transpose() * part->damping * mix;
  *gamma = mix.triangularView<Eigen::Upper>().solve(*gamma);
  part->inertia = MakeInertia(part->body);
}

// How alike the modes are that each body has, before they are mixed.
void RecordCloseness(const Scene& scene, const ModeTable& table,
                     const std::vector<std::vector<int>>& modes, FfdOrigin origin,
                     Translation* translation) {
  std::vector<NamedModes> bodies;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    if (modes[b].empty()) continue;
    const FfdBody body = Embed(scene, b, table, modes[b], origin);
    NamedModes named{scene.bodies[b].name, {}, {}, ClosenessOf(body)};
    named.stiffness = PotentialOf(scene.bodies[b], body, table, modes[b]).stiffness.diagonal();
    for (int k : modes[b]) named.names.push_back(table.modes[k].name);
    bodies.push_back(std::move(named));
  }
  if (bodies.empty()) return;
  WarnOfCloseness(bodies, &translation->warnings);
  translation->findings.push_back(ClosenessTable(bodies));
}

StartedBody StartBody(const Scene& scene, size_t b, const ModeTable& table,
                      const std::vector<int>& modes, const FfdOptions& options,
                      TranslationRecord* record) {
  const Body& scene_body = scene.bodies[b];
  // A morph is one more amplitude, which time drives: its shape leads from the rest shape to the
  // other.
  std::vector<Eigen::Matrix3Xd> driven;
  for (const Morph& morph : scene.morphs) {
    if (morph.body == static_cast<int>(b)) driven.emplace_back(morph.target - scene_body.rest);
  }
  StartedBody started{
      {Embed(scene, b, table, modes, options.origin, driven), {}, {}, nullptr}, {}, {}};
  FfdPart& part = started.part;
  const auto count = static_cast<int>(modes.size());
  const int all = part.body.modes();
  ModePotential potential = PotentialOf(scene_body, part.body, table, modes);
  VectorXd gamma = VectorXd::Zero(all);
  bool limited = false;
  for (int i = 0; i < count; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    gamma[i] = mode.initial;
    if (mode.exponent != 2.0) {
      part.powers.push_back({i, potential.stiffness(i, i), mode.exponent});
      potential.stiffness(i, i) = 0.0;
    }
    limited = limited || std::isfinite(mode.lower) || std::isfinite(mode.upper);
  }
  part.stiffness.setZero(all, all);
  part.stiffness.topLeftCorner(count, count) = potential.stiffness;
  part.damping.setZero(all, all);
  part.damping.topLeftCorner(count, count) = potential.damping;
  part.inertia = MakeInertia(part.body);
  RecordBody(scene_body, table, modes, part.inertia->added_axis_inertia(), record);

  const std::string stretch = "body." + scene_body.name + ".stretch";
  if (record->Has(stretch)) {
    const Eigen::Matrix3Xd displacements =
        (scene_body.stretch - Eigen::Matrix3d::Identity()) * scene_body.rest;
    const FfdBody::Fit fit =
        Embed(scene, b, table, modes, options.origin).FitAmplitudes(displacements);
    gamma.head(count) += fit.gamma;
    const double size = displacements.colwise().norm().maxCoeff();
    if (fit.residual <= kExactFit * size) {
      record->Say(stretch, Fidelity::kExact, "");
    } else {
      record->Say(stretch, Fidelity::kApproximated,
                  "nearest shape of the modes: " + Number(fit.residual) +
                      " m (rms) remain of displacements up to " + Number(size) + " m");
    }
  }
  if (limited) SetLimits(scene_body, table, modes, gamma, &part);
  if (options.orthogonal_modes) MixModes(&part, &gamma);
  const int first = scene.Offset(static_cast<int>(b));
  const Eigen::Vector3d centre = scene.InitialPoints().middleCols(first, scene_body.size()) *
                                 scene_body.mass / scene_body.mass.sum();
  started.q = part.body.Coordinates(centre, scene_body.orientation, gamma);
  started.v =
      part.body.RigidVelocities(started.q, scene_body.velocity, scene_body.angular_velocity);
  return started;
}

void RecordElements(const Scene& scene, const FfdOptions& options, TranslationRecord* record) {
  const std::string held = Number(options.constraints.stiffness) + " N/m and " +
                           Number(options.constraints.damping) + " N s/m";
  const double weight = scene.gravity.norm() * scene.Masses().sum();
  const std::string gap =
      weight > 0.0 ? "the weight of the scene opens it by " +
                         Number(weight / options.constraints.stiffness) + " m"
                   : "1 N opens it by " + Number(1.0 / options.constraints.stiffness) + " m";
  record->Say("gravity", Fidelity::kExact, "");
  for (const Body& body : scene.bodies) {
    record->Say("body." + body.name + ".velocity", Fidelity::kExact, "");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(name, Fidelity::kApproximated,
                options.contact.law == ContactLaw::kBarrier
                    ? "a barrier around it, " + Number(options.contact.barrier_energy) +
                          " J at its surface and e times less every " +
                          Number(options.contact.barrier_length) + " m outwards"
                    : "penalty springs at the material points, " +
                          Number(options.contact.stiffness) + " N/m and " +
                          Number(options.contact.damping) + " N s/m each");
    record->Say(name + ".friction", Fidelity::kApproximated,
                "spring and damper to the entry point, capped by Coulomb's cone");
    record->Say(name + ".motion", Fidelity::kExact, "");
  }
  for (const Nail& nail : scene.nails) {
    const std::string name = "nail." + nail.name;
    record->Say(name, Fidelity::kApproximated, "a stiff spring of " + held + ": " + gap);
    record->Say(name + ".motion", Fidelity::kApproximated,
                "the spring's end follows the path, the point lags behind");
  }
  record->Say("attachment.*", Fidelity::kApproximated, "a stiff spring of " + held + ": " + gap);
  record->Say("spring.*", Fidelity::kExact, "");
  record->Say("force.*", Fidelity::kExact, "");
  record->Say("impulse.*", Fidelity::kExact, "");
  record->Say("notice.*", Fidelity::kExact, "");
  record->Say("morph.*", Fidelity::kExact, "");
}

// What key frames do to the elements of the scene that act on the body they lead.
void RecordKeyFrames(const Scene& scene, const KeyFrameTable& table, TranslationRecord* record) {
  if (table.empty()) return;
  const int b = BodyOfTable(scene, table.body);
  const double end = table.keys.back().time;
  const std::string body = "body." + scene.bodies[b].name;
  const std::string until = "until " + Number(end) + " s the body is led through key frames";
  record->Say(body + ".velocity", Fidelity::kIgnored, until + ", whose velocity it has");
  record->Say(body + ".stretch", Fidelity::kIgnored, until + ", whose shape it has");
  for (const Impulse& impulse : scene.impulses) {
    if (impulse.point.body != b || impulse.time >= end) continue;
    record->Say("impulse." + impulse.name, Fidelity::kIgnored, until + " and feels no impulse");
  }
  for (const TimedForce& force : scene.forces) {
    if (force.point.body != b || force.from >= end) continue;
    record->Say("force." + force.name, Fidelity::kApproximated,
                until + ": it works on the body and does not move it");
  }
}

// The names of the modes of each body.
std::vector<std::vector<std::string>> ModeNames(const ModeTable& table,
                                                const std::vector<std::vector<int>>& modes) {
  std::vector<std::vector<std::string>> names(modes.size());
  for (size_t b = 0; b < modes.size(); ++b) {
    for (int k : modes[b]) names[b].push_back(table.modes[k].name);
  }
  return names;
}

void WarnOfStep(const Scene& scene, const FfdSystem& system, const VectorXd& q,
                const FfdOptions& options, std::vector<std::string>* warnings) {
  const bool contact = !scene.obstacles.empty();
  if (options.integrator.scheme != Scheme::kSemiImplicitEuler) return;
  const StableStep step =
      EstimateStableStep(scene, system, q, options.contact, options.constraints);
  if (!contact && std::isinf(step.free)) return;
  std::string text = "semi-implicit Euler is stable for steps below about " +
                     Number(contact ? step.one_contact : step.free) + " s";
  if (contact) text += ", below " + Number(step.all_contacts) + " s with every point in contact";
  warnings->push_back(text);
}

// A gap at the start is a spring already drawn: the run begins with a jerk.
void WarnOfGaps(const FfdSystem& system, const VectorXd& q, const VectorXd& v,
                std::vector<std::string>* warnings) {
  Eigen::Matrix3Xd x, x_dot;
  system.Points(q, &x);
  system.PointVelocities(q, v, x, &x_dot);
  const auto gap = system.constraints().LargestGap(0.0, x, x_dot);
  if (!gap || gap->error <= kNoGap) return;
  warnings->push_back("nails and attachments start with gaps up to " + Number(gap->error) +
                      " m, which their springs close at once");
}

class DynamicFfd final : public Backend {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        "dynamic-ffd",
        "dynamic free-form deformation",
        "Faloutsos 1995",
        "a Bernstein lattice around each body moves rigidly and in a few modes, by Lagrange's "
        "equations",
        "only the shapes of its modes exist: contact and nails act on whole modes; both are "
        "penalty springs that give way",
        "the mass matrix M(q), worst body",
        FfdExtras()};
    return info;
  }

  std::vector<ParameterInfo> Parameters() const override {
    return DescribeParameters<FfdOptions>();
  }

  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    const auto options = BindParameters<FfdOptions>(parameters);
    ModeTable table = ReadModeTable(options.modes, scene->dimension);
    UseModes(options.use_modes, &table);
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    TranslationRecord& record = translation.record;
    RecordElements(*scene, options, &record);
    for (const Body& body : scene->bodies) {
      const Eigen::Vector3d extent =
          body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff();
      if (extent.maxCoeff() > 0.0) continue;
      record.Say("body." + body.name, Fidelity::kUnsupported,
                 "all its points coincide: it has no inertia to turn and no box to deform");
    }
    if (!record.supported()) return translation;

    if (options.orthogonal_modes) RequireMixable(table);
    const std::vector<std::vector<int>> modes = SelectModes(*scene, table, &translation.warnings);
    RecordCloseness(*scene, table, modes, options.origin, &translation);
    std::vector<FfdPart> parts;
    std::vector<VectorXd> q, v;
    for (size_t b = 0; b < scene->bodies.size(); ++b) {
      StartedBody started = StartBody(*scene, b, table, modes[b], options, &record);
      parts.push_back(std::move(started.part));
      q.push_back(std::move(started.q));
      v.push_back(std::move(started.v));
    }
    auto system =
        std::make_unique<FfdSystem>(scene, std::move(parts), options.contact, options.constraints);
    VectorXd all_q(system->coordinates()), all_v(system->velocities());
    for (size_t b = 0; b < q.size(); ++b) {
      all_q.segment(system->parts()[b].first_q, q[b].size()) = q[b];
      all_v.segment(system->parts()[b].first_v, v[b].size()) = v[b];
    }
    if (options.orthogonal_modes && !(options.control.empty() && options.key_frames.empty())) {
      throw BadInput({"orthogonal_modes",
                      "poses name modes, and orthogonal modes are mixtures of several",
                      "leave out orthogonal_modes, or control and keyframes"});
    }
    const std::vector<std::vector<std::string>> names = ModeNames(table, modes);
    AddControl(scene, options.control, names, system.get());
    AddKeyFrames(*scene, options.key_frames, names, all_q, system.get());
    RecordKeyFrames(*scene, options.key_frames, &record);
    WarnOfGaps(*system, all_q, all_v, &translation.warnings);
    WarnOfStep(*scene, *system, all_q, options, &translation.warnings);
    translation.simulation =
        std::make_unique<FfdSimulation>(std::move(scene), std::move(system), options.integrator,
                                        std::move(all_q), std::move(all_v));
    return translation;
  }
};

}  // namespace

const Backend& DynamicFfdBackend() {
  static const DynamicFfd backend;
  return backend;
}

}  // namespace pliant
