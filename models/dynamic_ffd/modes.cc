#include "models/dynamic_ffd/modes.h"

#include "models/problem.h"

namespace pliant::dynamic_ffd {

Eigen::Matrix3Xd ModeTable::DisplacementsOn(const Lattice& lattice, int k) const {
  const DeformationMode& mode = modes[k];
  if (mode.shape) {
    try {
      return ShapeDisplacements(*mode.shape, lattice);
    } catch (const BadInput& bad) {
      throw BadInput(
          {"modes", "mode '" + mode.name + "': " + bad.problem().what, bad.problem().mend});
    }
  }
  if (mode.blend.empty()) {
    const Eigen::Vector3d scale = lattice.extent().cwiseQuotient(lattices[mode.lattice].size);
    return scale.asDiagonal() * mode.displacements;
  }
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, lattice.size());
  for (const BlendPart& part : mode.blend) {
    sum += part.weight * DisplacementsOn(lattice, part.mode);
  }
  return sum;
}

}  // namespace pliant::dynamic_ffd
