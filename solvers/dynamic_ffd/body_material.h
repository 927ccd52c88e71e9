// The material of a body of the scene as this formulation holds it: the strain energy of its law in
// the coordinates of the modes (models/dynamic_ffd/material_energy.h), in place of the stiffness and
// damping that the table gives to single modes, and the mass of its volume where that is asked for.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_BODY_MATERIAL_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_BODY_MATERIAL_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/dynamic_ffd/material_energy.h"
#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

struct BodyMaterial {
  std::unique_ptr<MaterialEnergy> energy;  // null where the material is ignored
  // With the inertia of the volume: the places at which the energy is sampled, with the mass that each
  // stands for, moved by the same modes. Its origin is the corner of the lattice.
  std::optional<FfdBody> volume = std::nullopt;
};

// Of body b in these modes of the table. O(places · D).
BodyMaterial MaterialOf(const Scene& scene, size_t b, const ModeTable& table,
                        const std::vector<int>& modes, const DynamicFfdOptions& options);

// Says in the record what became of the material of body b, which `energy` holds or nothing.
void RecordMaterial(const Scene& scene, size_t b, const ModeTable& table,
                    const std::vector<int>& modes, const DynamicFfdOptions& options,
                    const MaterialEnergy* energy, TranslationRecord* record);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_BODY_MATERIAL_H_
