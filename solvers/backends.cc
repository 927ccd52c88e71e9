#include "solvers/backends.h"

#include <cstdlib>

#include "solvers/articulated_lamp/backend.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/kinematic_response/backend.h"
#include "solvers/linear_deformation/backend.h"
#include "solvers/position_based/backend.h"

// Of OpenBLAS; absent where another BLAS is linked.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace pliant {
namespace {

// OpenBLAS shares products among as many threads as there are cores, whose number then decides how sums are rounded, and which
// spend a core in waiting where blocks are small. One thread, unless the user asks for more.
[[maybe_unused]] const bool kOneBlasThread = [] {
  for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (std::getenv(name) != nullptr) return false;
  }
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  return true;
}();

}  // namespace

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
