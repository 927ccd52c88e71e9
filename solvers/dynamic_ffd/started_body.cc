#include "solvers/dynamic_ffd/started_body.h"

#include <cmath>
#include <string>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/dynamic_ffd/body_material.h"
#include "solvers/dynamic_ffd/free_lattice.h"
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

// Exchanges the free modes of a part for combinations of them, b T for b, in everything that is
// expressed in modes.
void Recombine(const Eigen::MatrixXd& combinations, FfdPart* part) {
  part->mode_names.clear();
  part->body = part->body.Recombined(combinations);
  if (part->volume) part->volume = part->volume->Recombined(combinations);
  if (part->material) part->material->Recombine(combinations);
  part->net.Recombine(combinations);
}

// Exchanges the modes of a part for orthogonal ones, so that γ = T γ′, and rates likewise.
void MixModes(FfdPart* part, VectorXd* gamma, VectorXd* gamma_dot) {
  const int free = part->body.free_modes();
  if (free == 0) return;
  const Eigen::MatrixXd combinations = OrthogonalCombinations(Masses(*part));
  Recombine(combinations, part);
  Eigen::MatrixXd mix = Eigen::MatrixXd::Identity(part->body.modes(), part->body.modes());
  mix.topLeftCorner(free, free) = combinations;
  part->stiffness = mix.transpose() * part->stiffness * mix;
  part->damping = mix.transpose() * part->damping * mix;
  *gamma = mix.triangularView<Eigen::Upper>().solve(*gamma);
  *gamma_dot = mix.triangularView<Eigen::Upper>().solve(*gamma_dot);
  part->inertia = MakeInertia(Masses(*part));
}

// What a body needs whose control points are free.
std::string WhatHoldsALattice(const Body& body) {
  if (!body.material) return "give [body.material] to a body with an area or volume, or list modes";
  return "a surface or line in space has no cells that its material could fill: use a block or a "
         "mesh "
         "of tetrahedra, or list modes";
}

// The body in its modes, at rest, with its material; without potentials and limits.
FfdPart MakePart(const Scene& scene, size_t b, const ModeTable& table,
                 const std::vector<int>& modes, const std::vector<Eigen::Matrix3Xd>& driven,
                 const DynamicFfdOptions& options, TranslationRecord* record) {
  BodyMaterial material = MaterialOf(scene, b, table, modes, options);
  RecordMaterial(scene, b, table, modes, options, material.energy.get(), record);
  // Mass between the points, and combinations without rigid motions, move the origin afterwards.
  const bool free_lattice = options.free_lattice && !scene.bodies[b].rigid;
  const bool moves_origin = material.volume || free_lattice;
  const FfdOrigin origin = moves_origin ? FfdOrigin::kLatticeCorner : options.origin;
  FfdPart part{Embed(scene, b, table, modes, origin, driven), {}, {}, nullptr};
  part.material = std::move(material.energy);
  part.volume = std::move(material.volume);
  part.net = NetOf(scene, b, table, modes, driven, part.body);
  for (int k : modes) part.mode_names.push_back(table.modes[k].name);
  if (free_lattice) {
    if (!part.material) {
      throw BadInput({"free_lattice",
                      "body '" + scene.bodies[b].name +
                          "' holds no material here, so that nothing keeps its control points "
                          "together",
                      WhatHoldsALattice(scene.bodies[b])});
    }
    Recombine(FreeCombinations(Masses(part), scene.bodies[b].name), &part);
  }
  if (moves_origin && options.origin == FfdOrigin::kCentreOfMass) {
    const Eigen::Matrix3Xd means = Masses(part).ShapeMeans();
    if (part.volume) part.volume->ShiftShapes(means);
    part.body.ShiftShapes(means);
    part.net.Shift(means);
  }
  part.inertia = MakeInertia(Masses(part));
  return part;
}

// The potential and damping of single modes of a part that holds no material.
void SetPotential(const Body& body, const ModeTable& table, const std::vector<int>& modes,
                  FfdPart* part) {
  const auto count = static_cast<int>(modes.size());
  ModePotential potential = PotentialOf(body, part->body, table, modes);
  for (int i = 0; i < count; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    if (mode.exponent == 2.0) continue;
    part->powers.push_back({i, potential.stiffness(i, i), mode.exponent});
    potential.stiffness(i, i) = 0.0;
  }
  part->stiffness.topLeftCorner(count, count) = potential.stiffness;
  part->damping.topLeftCorner(count, count) = potential.damping;
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
  StartedBody started{MakePart(scene, b, table, modes, driven, options, record), {}, {}};
  FfdPart& part = started.part;
  const int all = part.body.modes(), free = part.body.free_modes();
  VectorXd gamma = VectorXd::Zero(all), gamma_dot = VectorXd::Zero(all);
  part.stiffness.setZero(all, all);
  part.damping.setZero(all, all);
  bool limited = false;
  if (!options.free_lattice) {
    for (int i = 0; i < free; ++i) {
      const DeformationMode& mode = table.modes[modes[i]];
      gamma[i] = mode.initial;
      gamma_dot[i] = mode.initial_rate;
      limited = limited || std::isfinite(mode.lower) || std::isfinite(mode.upper);
    }
  }
  if (!part.material) SetPotential(scene_body, table, modes, &part);
  RecordFfdBody(scene_body, table, modes, part, record);

  const std::string stretch = "body." + scene_body.name + ".stretch";
  if (record->Has(stretch)) {
    // Of what has the mass: a few points do not determine all shapes of a lattice.
    const FfdBody fitted = options.free_lattice || part.volume
                               ? Masses(part)
                               : Embed(scene, b, table, modes, options.origin);
    const Eigen::Matrix3Xd rest = part.volume ? fitted.ShapeAsPoints(0) : scene_body.rest;
    const Eigen::Matrix3Xd displacements =
        (scene_body.stretch - Eigen::Matrix3d::Identity()) * rest;
    const FfdBody::Fit fit = fitted.FitAmplitudes(displacements);
    gamma.head(free) += fit.gamma;
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
