// What `pliant check` found, and its two forms: for a terminal (check_command.cc) and for programs.

#ifndef PLIANT_APP_CLI_CHECKED_H_
#define PLIANT_APP_CLI_CHECKED_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"
#include "experiments/runs/run_cost.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/sweep.h"
#include "experiments/yardstick/yardstick_cost.h"
#include "solvers/translation.h"

namespace pliant {

struct Checked {
  Experiment experiment;
  bool is_sound = false;       // the file alone; what is wrong is so for some backend
  std::vector<Mistake> notes;  // what is no mistake, but may not be meant
  std::vector<std::optional<Translation>> backends;  // of each that can be translated
  std::vector<std::optional<RunCost>> costs;         // of each backend that runs
  double memory = 0.0;                               // of all of them together, prepared [bytes]
  std::optional<YardstickCost> yardstick;  // of the one that is the reference and is not kept
  std::string no_yardstick;                // why there can be none
  std::optional<SearchPlan> search;
  std::optional<Sweep> sweep;
};

// The tables that describe a scene and what is measured of it.
std::vector<FindingTable> TablesOf(const Scene& scene, const std::vector<Probe>& probes);
// What of these is otherwise in the variant that the backend at `index` runs.
std::vector<FindingTable> TablesOfVariant(const Experiment& experiment, size_t index);

// All of it as one object of JSON. `scene`: null where the file has a mistake.
std::string CheckedJson(const Scene* scene, const Checked& checked,
                        const std::vector<Mistake>& mistakes);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_CHECKED_H_
