#include "solvers/lagrangian/backend.h"

#include <cmath>
#include <memory>
#include <utility>

#include "solvers/lagrangian/control_binding.h"
#include "solvers/lagrangian/ffd_options.h"
#include "solvers/lagrangian/ffd_simulation.h"
#include "solvers/lagrangian/mode_closeness.h"
#include "solvers/lagrangian/mode_potential.h"
#include "solvers/lagrangian/mode_selection.h"
#include "solvers/lagrangian/record.h"
#include "solvers/lagrangian/stable_step.h"
#include "solvers/lagrangian/started_body.h"

namespace pliant {
namespace {

using Eigen::VectorXd;

// Gaps of nails and attachments below this are rounding [m].
constexpr double kNoGap = 1e-9;

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
                     ThreeDigits(contact ? step.one_contact : step.free) + " s";
  if (contact)
    text += ", below " + ThreeDigits(step.all_contacts) + " s with every point in contact";
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
  warnings->push_back("nails and attachments start with gaps up to " + ThreeDigits(gap->error) +
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
    RecordFfdElements(*scene, options, &record);
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
