#include "solvers/backends.h"

#include "solvers/constrained_dynamics/backend.h"
#include "solvers/displacement/backend.h"
#include "solvers/lagrangian/backend.h"
#include "solvers/lamp/backend.h"
#include "solvers/response/backend.h"

namespace pliant {

const std::vector<const Backend*>& Backends() {
  static const std::vector<const Backend*> backends = {
      &DynamicFfdBackend(),        &LinearDeformationBackend(), &DisplacementConstraintsBackend(),
      &KinematicResponseBackend(), &ArticulatedLampBackend(),
  };
  return backends;
}

const Backend* FindBackend(std::string_view name) {
  for (const Backend* backend : Backends()) {
    if (backend->info().name == name) return backend;
  }
  return nullptr;
}

}  // namespace pliant
