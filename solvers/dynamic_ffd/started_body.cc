#include "solvers/dynamic_ffd/started_body.h"

#include <cmath>
#include <string>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/dynamic_ffd/mode_closeness.h"
#include "solvers/dynamic_ffd/mode_potential.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/translation_record.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

// A stretch counts as exact when the remainder is below this fraction of the size of the body.
constexpr double kExactFit = 1e-9;

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
    throw BadInput({PlaceOfMode(modes[i]),
                    "mode '" + mode.name + "' of body '" + body.name + "' starts at " +
                        ThreeDigits(gamma[i]) + ", outside its limits " + ThreeDigits(mode.lower) +
                        " to " + ThreeDigits(mode.upper),
                    "start within the limits, or widen them"});
  }
}

// Exchanges the modes of a part for orthogonal ones: b T for b, so that γ = T γ′, and rates
// likewise.
void MixModes(FfdPart* part, VectorXd* gamma, VectorXd* gamma_dot) {
  const int free = part->body.free_modes();
  if (free == 0) return;
  part->mode_names.clear();
  const Eigen::MatrixXd combinations = OrthogonalCombinations(part->body);
  part->body = part->body.Recombined(combinations);
  part->net.Recombine(combinations);
  Eigen::MatrixXd mix = Eigen::MatrixXd::Identity(part->body.modes(), part->body.modes());
  mix.topLeftCorner(free, free) = combinations;
  part->stiffness = mix.transpose() * part->stiffness * mix;
  part->damping = mix.transpose() * part->damping * mix;
  *gamma = mix.triangularView<Eigen::Upper>().solve(*gamma);
  *gamma_dot = mix.triangularView<Eigen::Upper>().solve(*gamma_dot);
  part->inertia = MakeInertia(part->body);
}

}  // namespace

StartedBody StartBody(const Scene& scene, size_t b, const ModeTable& table,
                      const std::vector<int>& modes, const DynamicFfdOptions& options,
                      TranslationRecord* record) {
  const Body& scene_body = scene.bodies[b];
  // A morph is one more amplitude, prescribed over time: its shape is the difference of the two
  // rest shapes.
  std::vector<Eigen::Matrix3Xd> driven;
  for (const Morph& morph : scene.morphs) {
    if (morph.body == static_cast<int>(b)) driven.emplace_back(morph.target - scene_body.rest);
  }
  StartedBody started{
      {Embed(scene, b, table, modes, options.origin, driven), {}, {}, nullptr}, {}, {}};
  FfdPart& part = started.part;
  const auto count = static_cast<int>(modes.size());
  const int all = part.body.modes();
  for (int k : modes) part.mode_names.push_back(table.modes[k].name);
  ModePotential potential = PotentialOf(scene_body, part.body, table, modes);
  VectorXd gamma = VectorXd::Zero(all), gamma_dot = VectorXd::Zero(all);
  bool limited = false;
  for (int i = 0; i < count; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    gamma[i] = mode.initial;
    gamma_dot[i] = mode.initial_rate;
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
  part.net = NetOf(scene, b, table, modes, driven, part.body);
  RecordFfdBody(scene_body, table, modes, part.inertia->added_axis_inertia(), record);

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
                  "starts in the nearest shape of the modes: " + ThreeDigits(fit.residual) +
                      " m (rms) remains of displacements of up to " + ThreeDigits(size) + " m");
    }
  }
  if (limited) SetLimits(scene_body, table, modes, gamma, &part);
  if (options.orthogonal_modes) MixModes(&part, &gamma, &gamma_dot);
  const Eigen::Vector3d centre =
      scene_body.InitialPoints() * scene_body.mass / scene_body.mass.sum();
  started.q = part.body.Coordinates(centre, scene_body.orientation, gamma);
  started.v =
      part.body.Velocities(started.q, scene_body.velocity, scene_body.angular_velocity, gamma_dot);
  return started;
}

void RequireMixable(const ModeTable& table) {
  for (const DeformationMode& mode : table.modes) {
    if (!mode.in_use) continue;
    const bool limited = std::isfinite(mode.lower) || std::isfinite(mode.upper);
    if (mode.exponent == 2.0 && !limited) continue;
    throw BadInput({"orthogonal_modes",
                    "mode '" + mode.name + "' has " +
                        (limited ? "limits" : "an exponent other than 2") +
                        ", but orthogonal modes are combinations of several",
                    "remove orthogonal_modes, or this property of the mode"});
  }
}

}  // namespace pliant::dynamic_ffd
