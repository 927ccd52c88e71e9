#include "solvers/dynamic_ffd/inertia.h"

#include <utility>

#include "solvers/dynamic_ffd/driven_inertia.h"
#include "solvers/dynamic_ffd/planar_inertia.h"
#include "solvers/dynamic_ffd/spatial_inertia.h"

namespace pliant::dynamic_ffd {

std::unique_ptr<FfdInertia> MakeInertia(const FfdBody& body) {
  std::unique_ptr<FfdInertia> inertia;
  if (body.dimension() == 2) {
    inertia = MakePlanarInertia(body);
  } else {
    inertia = std::make_unique<SpatialInertia>(body);
  }
  if (body.driven() == 0) return inertia;
  return std::make_unique<DrivenInertia>(std::move(inertia), body.driven());
}

}  // namespace pliant::dynamic_ffd
