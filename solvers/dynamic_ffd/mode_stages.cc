#include "solvers/dynamic_ffd/mode_stages.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

#include "models/dynamic_ffd/mode_metric.h"
#include "models/scene/number_text.h"
#include "solvers/dynamic_ffd/body_material.h"
#include "solvers/dynamic_ffd/control_binding.h"
#include "solvers/dynamic_ffd/mode_closeness.h"
#include "solvers/dynamic_ffd/mode_potential.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/stable_step.h"
#include "solvers/dynamic_ffd/started_body.h"
#include "solvers/dynamic_ffd/translation_record.h"
#include "solvers/effective_material.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

// Similarity of the modes of each body, before they are combined.
void RecordCloseness(const Scene& scene, const ModeTable& table,
                     const std::vector<std::vector<int>>& modes, const DynamicFfdOptions& options,
                     Translation* translation) {
  std::vector<NamedModes> bodies;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    AtPreparation("similarity of the modes of body", b, scene.bodies.size());
    if (modes[b].empty()) continue;
    const FfdBody body = Embed(scene, b, table, modes[b], options.origin);
    NamedModes named{scene.bodies[b].name, {}, {}, ClosenessOf(body)};
    if (const BodyMaterial held = MaterialOf(scene, b, table, modes[b], options); held.energy) {
      const VectorXd rest = VectorXd::Zero(body.modes());
      named.stiffness = 0.5 * held.energy->Hessian(rest).diagonal();
    } else {
      named.stiffness = PotentialOf(scene.bodies[b], body, table, modes[b]).stiffness.diagonal();
    }
    for (int k : modes[b]) named.names.push_back(table.modes[k].name);
    bodies.push_back(std::move(named));
  }
  if (bodies.empty()) return;
  WarnOfCloseness(bodies, &translation->warnings);
  translation->findings.push_back(ClosenessTable(bodies));
}

// A strain counts as a shape of the modes when what remains of it is below this fraction.
constexpr double kExactStrain = 1e-6;

// The body is strained by the amplitudes that come nearest, but for a rigid motion, where they reach
// the strain.
MaterialProbe Probe(const Body& body, const DynamicFfdSystem& system, size_t b) {
  const FfdPart& part = system.parts()[b];
  MaterialProbe probe = ProbeOf(body, part.body.dimension());
  if (part.material) probe.mass_damping = part.material->material().mass_damping;
  const MassWeightedMotions motions = MotionsOf(Masses(part));
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> modes(motions.free);
  const auto reach = [&part, modes,
                      motions](const Eigen::Matrix3d& gradient) -> std::optional<VectorXd> {
    const FfdBody& masses = Masses(part);
    const Eigen::Matrix3Xd moved =
        gradient * masses.ShapeAsPoints(0) * masses.masses().cwiseSqrt().asDiagonal();
    VectorXd asked = moved.reshaped();
    asked -= motions.rigid * (motions.rigid.transpose() * asked);
    VectorXd gamma = modes.solve(asked);
    if ((motions.free * gamma - asked).norm() > kExactStrain * moved.norm()) return std::nullopt;
    return gamma;
  };
  probe.energy = [&part, reach](const Eigen::Matrix3d& F) -> std::optional<double> {
    const auto gamma = reach(F - Eigen::Matrix3d::Identity());
    if (!gamma) return std::nullopt;
    return DynamicFfdSystem::ModeEnergyOf(part, *gamma);
  };
  probe.loss = [&part, reach](const Eigen::Matrix3d& rate) {
    const auto gamma_dot = reach(rate);
    if (!gamma_dot) return 0.0;
    const VectorXd rest = VectorXd::Zero(gamma_dot->size());
    const double viscous =
        part.material ? part.material->ViscousPower(rest, *gamma_dot, *gamma_dot) : 0.0;
    return gamma_dot->dot(part.damping * *gamma_dot) - viscous;
  };
  return probe;
}

struct ModeChange {
  double at;                           // s
  std::vector<std::string> use_modes;  // names
};

// "a, b" → a and b.
std::vector<std::string> Names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const size_t begin = word.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    names.push_back(word.substr(begin, word.find_last_not_of(' ') - begin + 1));
  }
  return names;
}

std::vector<ModeChange> ChangesOf(const DynamicFfdOptions& options) {
  const std::vector<double>& times = options.change_modes_at;
  if (times.size() != options.change_modes_to.size()) {
    throw BadInput(
        {times.size() < options.change_modes_to.size() ? "change_modes_to" : "change_modes_at",
         std::to_string(options.change_modes_to.size()) + " sets of modes in change_modes_to for " +
             std::to_string(times.size()) + " times in change_modes_at",
         "give one text of names for each time"});
  }
  std::vector<ModeChange> changes;
  for (size_t i = 0; i < times.size(); ++i) {
    if (i > 0 && !(times[i] > times[i - 1])) {
      throw BadInput({"change_modes_at", "the times do not increase", "sort them"});
    }
    changes.push_back({times[i], Names(options.change_modes_to[i])});
    if (changes.back().use_modes.empty()) {
      throw BadInput({"change_modes_to", "an empty set of modes at " + ThreeDigits(times[i]) + " s",
                      "name at least one mode"});
    }
  }
  return changes;
}

// Key frames that have ended by then have no effect and need no modes.
void DropFinished(double at, KeyFrameTable* table) {
  std::erase_if(table->several,
                [at](const KeyFrameTable& one) { return one.keys.back().time <= at; });
  if (!table->keys.empty() && table->keys.back().time <= at) table->keys.clear();
}

}  // namespace

std::vector<StepLimit> EstimateStepLimits(const Scene& scene, const DynamicFfdSystem& system,
                                          const VectorXd& q, const DynamicFfdOptions& options) {
  const StableStep step = EstimateStableStep(scene, system, q, options.contact, options.constraints,
                                             options.integrator);
  const std::string scheme(NameOf(options.integrator.scheme));
  std::vector<StepLimit> limits;
  const auto limit = [&](const std::string& of, double largest, bool worst = false) {
    if (std::isfinite(largest)) limits.push_back({scheme + of, largest, worst});
  };
  limit("", step.free);
  if (!system.touches()) return limits;
  limit(" with one point in contact", step.one_contact);
  limit(" with every point in contact", step.all_contacts, true);
  return limits;
}

StartedScene StartScene(const std::shared_ptr<const Scene>& scene, const ModeTable& table,
                        const DynamicFfdOptions& options, TranslationRecord* record,
                        Translation* translation) {
  std::vector<std::vector<int>> modes;
  if (options.free_lattice) {  // independent by their construction
    std::vector<int> all(table.modes.size());
    std::iota(all.begin(), all.end(), 0);
    for (const Body& body : scene->bodies) modes.push_back(body.rigid ? std::vector<int>() : all);
  } else {
    modes = SelectModes(*scene, table, &translation->warnings);
    RecordCloseness(*scene, table, modes, options, translation);
  }
  std::vector<FfdPart> parts;
  std::vector<VectorXd> q, v;
  for (size_t b = 0; b < scene->bodies.size(); ++b) {
    AtPreparation("body", b, scene->bodies.size());
    StartedBody started = StartBody(*scene, b, table, modes[b], options, record);
    parts.push_back(std::move(started.part));
    q.push_back(std::move(started.q));
    v.push_back(std::move(started.v));
  }
  StartedScene started{std::make_unique<DynamicFfdSystem>(scene, std::move(parts), options.contact,
                                                          options.constraints),
                       {},
                       {}};
  DynamicFfdSystem& system = *started.system;
  system.ShareAmong(options.threads);
  // Of the modes that a run begins with.
  for (size_t b = 0; b < q.size() && record == &translation->record; ++b) {
    const FfdBody& body = system.parts()[b].body;
    if (!scene->bodies[b].material || body.free_modes() == 0 || body.driven() > 0) continue;
    AddMeasured(scene->bodies[b], Probe(scene->bodies[b], system, b), translation);
  }
  started.q.resize(system.coordinates());
  started.v.resize(system.velocities());
  for (size_t b = 0; b < q.size(); ++b) {
    started.q.segment(system.parts()[b].first_q, q[b].size()) = q[b];
    started.v.segment(system.parts()[b].first_v, v[b].size()) = v[b];
  }
  for (ModeControl& control : BindControl(options.control, system)) {
    system.AddControl(std::move(control));
  }
  AddKeyFrames(*scene, options.key_frames, started.q, &system);
  return started;
}

std::vector<FfdStage> LaterStages(const std::shared_ptr<const Scene>& scene, const ModeTable& table,
                                  const DynamicFfdOptions& options, Translation* translation) {
  std::vector<FfdStage> stages;
  for (const ModeChange& change : ChangesOf(options)) {
    DynamicFfdOptions later = options;
    DropFinished(change.at, &later.key_frames);
    ModeTable changed = table;
    TranslationRecord record(*scene);
    const std::string from = "from " + ThreeDigits(change.at) + " s on";
    const size_t tables = translation->findings.size(), warned = translation->warnings.size();
    try {
      UseModes(change.use_modes, &changed);
      // The initial state of a mode does not matter here.
      for (DeformationMode& mode : changed.modes) {
        mode.initial = std::clamp(0.0, mode.lower, mode.upper);
      }
      if (options.orthogonal_modes) RequireMixable(changed);
      StartedScene stage = StartScene(scene, changed, later, &record, translation);
      std::vector<StepLimit> limits = EstimateStepLimits(*scene, *stage.system, stage.q, options);
      for (StepLimit& limit : limits) limit.of += " " + from;
      stages.push_back({change.at, std::move(stage.system), std::move(limits)});
    } catch (const BadInput& bad) {
      throw BadInput({"change_modes_to", from + ": " + bad.problem().what, bad.problem().mend});
    }
    for (size_t w = warned; w < translation->warnings.size(); ++w) {
      translation->warnings[w] = from + ": " + translation->warnings[w];
    }
    for (size_t f = tables; f < translation->findings.size(); ++f) {
      translation->findings[f].title += ", " + from;
    }
    for (size_t b = 0; b < scene->bodies.size(); ++b) {
      RecordModeChange(scene->bodies[b], from, record, &translation->record);
    }
  }
  return stages;
}

}  // namespace pliant::dynamic_ffd
