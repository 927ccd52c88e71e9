#include "solvers/dynamic_ffd/body_material.h"

#include <algorithm>

#include "models/dynamic_ffd/body_quadrature.h"
#include "models/dynamic_ffd/embedding.h"

namespace pliant::dynamic_ffd {
namespace {

// Why the material of a body with a material has no effect on its modes; empty when it has.
std::string WhyIgnored(const Scene& scene, size_t b, const std::vector<int>& modes,
                       const DynamicFfdOptions& options) {
  if (scene.bodies[b].rigid) return "the body is rigid, so nothing else of it acts";
  if (options.elasticity == Elasticity::kModes) {
    return "the modes resist and damp by the constants of their table (elasticity = \"modes\")";
  }
  if (modes.empty()) return "the body has no modes: it is rigid";
  const bool morphs = std::any_of(scene.morphs.begin(), scene.morphs.end(),
                                  [b](const Morph& m) { return m.body == static_cast<int>(b); });
  if (morphs) return "the body has no one rest shape (it morphs)";
  return WhyNoContinuum(scene.bodies[b], scene.dimension);
}

// True if the table gives a mode of the body a potential or damping of its own.
bool HasOwnConstants(const ModeTable& table, const std::vector<int>& modes) {
  return table.material || std::any_of(modes.begin(), modes.end(), [&](int k) {
           const DeformationMode& mode = table.modes[k];
           return mode.stiffness || mode.frequency || mode.damping_ratio || mode.damping > 0.0;
         });
}

}  // namespace

BodyMaterial MaterialOf(const Scene& scene, size_t b, const ModeTable& table,
                        const std::vector<int>& modes, const DynamicFfdOptions& options) {
  const Body& body = scene.bodies[b];
  if (!body.material || !WhyIgnored(scene, b, modes, options).empty()) return {};
  const auto count = static_cast<Eigen::Index>(modes.size());
  const BodyQuadrature at =
      QuadratureOf(body, scene.dimension, table, static_cast<int>(modes.size()));
  const std::vector<EmbeddedLattice> lattices = EmbedLattices(body, table, at.places);
  Eigen::MatrixXd gradients(9 * at.places.cols(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    gradients.col(i) = GradientsAt(at.places, table, lattices, modes[i]);
  }
  BodyMaterial held{std::make_unique<MaterialEnergy>(*body.material, scene.dimension == 2,
                                                     at.volumes, gradients)};
  if (options.inertia != InertiaOf::kVolume) return held;
  Body places = body;
  places.rest = at.places;
  places.mass = body.mass.sum() / at.volumes.sum() * at.volumes;
  std::vector<Eigen::Matrix3Xd> displacements;
  for (int k : modes) displacements.push_back(DisplacementsAt(at.places, table, lattices, k));
  held.volume.emplace(scene.dimension, places, lattices[0].lattice.corner(), displacements,
                      FfdOrigin::kLatticeCorner);
  return held;
}

void RecordMaterial(const Scene& scene, size_t b, const ModeTable& table,
                    const std::vector<int>& modes, const DynamicFfdOptions& options,
                    const MaterialEnergy* energy, TranslationRecord* record) {
  const Body& body = scene.bodies[b];
  if (!body.material) return;
  const std::string element = "body." + body.name + ".material";
  if (energy == nullptr) {
    record->Say(element, Fidelity::kIgnored,
                "the masses follow from it; " + WhyIgnored(scene, b, modes, options));
    return;
  }
  const Material& material = *body.material;
  std::string words = "the strain energy of " + elasticity::NameOf(material.law);
  if (scene.dimension == 2)
    words += material.plane_strain ? " in plane strain" : " in plane stress";
  words += " in all modes, sampled at " + std::to_string(energy->places()) +
           " places; masses of the " +
           (options.inertia == InertiaOf::kVolume ? "volume" : "points");
  if (HasOwnConstants(table, modes)) words += "; in place of what the table says of its modes";
  const bool linear = material.law == ElasticLaw::kLinear;
  if (linear) words += "; its strain is measured in the frame that moves with the body";
  record->Say(element, linear ? Fidelity::kApproximated : Fidelity::kExact, words);
}

}  // namespace pliant::dynamic_ffd
