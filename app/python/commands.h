// The commands of the program as functions of the module.

#ifndef PLIANT_APP_PYTHON_COMMANDS_H_
#define PLIANT_APP_PYTHON_COMMANDS_H_

#include <pybind11/pybind11.h>

#include <optional>
#include <stop_token>

#include "app/python/watched_work.h"
#include "experiments/sweeps/run_sweep.h"

namespace pliant {

// How many runs at a time: as many as the machine has processors where it is absent. Throws BadInput below 1.
int JobsOf(const std::optional<int>& jobs);

// Of many runs whose progress `reports` passes on.
SweepHooks HooksOf(WorkReports& reports, const std::stop_token& stop);

void BindCommands(pybind11::module_& m);
// Before BindCommands(): a table of bundles takes the limits of a ladder.
void BindLadderCommands(pybind11::module_& m);

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_COMMANDS_H_
