#include "app/python/errors.h"

#include <exception>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "models/problem.h"

namespace pliant {
namespace {

namespace py = pybind11;

void Raise(const char* name, const char* what) {
  const py::object type = py::module_::import("pliant._errors").attr(name);
  PyErr_SetObject(type.ptr(), py::str(what).ptr());
}

}  // namespace

void BindErrors() {
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const FileError& bad) {
      Raise("BadInput", bad.what());
    } catch (const BadInput& bad) {
      Raise("BadInput", bad.what());
    } catch (const StorageError& failed) {
      Raise("StorageError", failed.what());
    }
  });
}

}  // namespace pliant
