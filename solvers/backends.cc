#include "solvers/backends.h"

namespace pliant {

const std::vector<const Backend*>& Backends() {
  static const std::vector<const Backend*> backends = {};
  return backends;
}

const Backend* FindBackend(std::string_view name) {
  for (const Backend* backend : Backends()) {
    if (backend->info().name == name) return backend;
  }
  return nullptr;
}

}  // namespace pliant
