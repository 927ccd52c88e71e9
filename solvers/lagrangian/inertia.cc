#include "solvers/lagrangian/inertia.h"

#include "solvers/lagrangian/planar_inertia.h"
#include "solvers/lagrangian/spatial_inertia.h"

namespace pliant {

std::unique_ptr<FfdInertia> MakeInertia(const FfdBody& body) {
  if (body.dimension() == 2) return MakePlanarInertia(body);
  return std::make_unique<SpatialInertia>(body);
}

}  // namespace pliant
