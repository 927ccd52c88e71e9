// The module _pliant: what the package pliant uses of the rooms. The package has the documentation.

#include <pybind11/pybind11.h>

#include "app/python/commands.h"
#include "app/python/errors.h"
#include "app/python/held_simulation.h"
#include "app/python/loaded_experiment.h"
#include "experiments/bundles/build_info.h"
#include "experiments/files/data_file.h"

namespace {

// Python copies a module of this kind into a second interpreter without asking it: the package asks at each import.
void RequireMainInterpreter() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return;
  throw pybind11::import_error(
      "pliant runs in the main interpreter only, not in a sub-interpreter: use threads or "
      "processes");
}

}  // namespace

PYBIND11_MODULE(_pliant, m) {
  RequireMainInterpreter();
  m.doc() = "The rooms of Pliant; use the package pliant.";
  pliant::ForksSoFar();  // counts from now on
  pliant::BindErrors();
  pliant::BindExperiment(m);
  pliant::BindLadderCommands(m);
  pliant::BindCommands(m);
  pliant::BindSimulation(m);
  pliant::BindBatch(m);
  pliant::BindPlots(m);
  m.def("require_main_interpreter", &RequireMainInterpreter);
  m.attr("version") = pliant::ThisBuild().version;
  m.attr("commit") = pliant::ThisBuild().commit;
  m.attr("home") = PLIANT_HOME;
  pliant::SetShippedData(std::filesystem::path(PLIANT_HOME) / "data");
}
