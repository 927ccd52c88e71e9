#include "solvers/backends.h"

#include "solvers/articulated_lamp/backend.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/kinematic_response/backend.h"
#include "solvers/linear_deformation/backend.h"
#include "solvers/position_based/backend.h"

namespace pliant {

const std::vector<const Backend*>& Backends() {
  static const std::vector<const Backend*> backends = {
      &dynamic_ffd::TheBackend(),
      &linear_deformation::TheBackend(),
      &displacement_constraints::TheBackend(),
      &position_based::TheBackend(),
      &kinematic_response::TheBackend(),
      &articulated_lamp::TheBackend(),
      &finite_elements::TheBackend(),
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
