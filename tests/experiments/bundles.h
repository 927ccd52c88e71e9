// Experiments and bundles for tests: a small sheet thrown into free fall, by backends that do as
// their parameters tell them.

#ifndef PLIANT_TESTS_EXPERIMENTS_BUNDLES_H_
#define PLIANT_TESTS_EXPERIMENTS_BUNDLES_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/experiment.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/falling.h"

namespace pliant {

// The table of backends that experiments and bundles of tests are read with.
inline const std::vector<const Backend*>& TestBackends() {
  static const FallingBackend falling;
  static const std::vector<const Backend*> backends = {&falling};
  return backends;
}

// 20 steps of 0.01 s, a frame every 4: 6 frames. `backends`: tables of TOML, such as
// "[backends.a]\nformulation = 'falling'\ndrift = 0.1\n"; `head`: keys before the first table.
inline Experiment FallingExperiment(const ScratchFolder& folder, const std::string& backends,
                                    const std::string& head = "") {
  WriteFile(folder / "net.toml", R"(
name = "net"
gravity = [0, -10, 0]
[[body]]
name = "net"
shape = "sheet"
size = [2.0, 1.0]
points = [3, 3]
mass = 4.5
position = [0.25, 1.0, 0.0]
velocity = [1.0, 2.0, 0.0]
[[body]]
name = "rope"
shape = "chain"
from = [0, 0, 0]
to = [0.3, 0, 0]
points = 4
mass = 1.0
[[obstacle]]
name = "floor"
shape = "plane"
)");
  WriteFile(folder / "fall.toml", head + R"(
title = "A fall"
scene = "net.toml"
[run]
duration = 0.2
step = 0.01
record_every = 0.04
not_converged_share = 0
seed = 7
)" + backends);
  return ReadExperiment(folder / "fall.toml", {}, TestBackends());
}

// A claim about backend "a", to which `lines` add what is claimed.
inline std::string ClaimOf(const std::string& lines) {
  return "[[claim]]\ntext = 'it drifts'\nof = 'a'\n" + lines;
}

inline std::string Falling(const std::string& label, const std::string& parameters = "") {
  return "[backends." + label + "]\nformulation = 'falling'\n" + parameters + "\n";
}

// Runs the backend at `index` into `folder`/<label>.
inline BackendRun RunTestBackend(const Experiment& experiment, size_t index,
                                 const std::filesystem::path& folder, const RunHooks& hooks = {}) {
  return RunIntoBundle(experiment, index, TranslateFor(experiment, index), folder, hooks);
}

// The bundle of a falling run with these parameters.
inline Bundle FallingBundle(const ScratchFolder& folder, const std::string& parameters = "",
                            const std::string& label = "a") {
  const Experiment experiment = FallingExperiment(folder, Falling(label, parameters));
  return Bundle::Open(RunTestBackend(experiment, 0, folder / "runs").bundle, TestBackends());
}

// Hooks that stop after so many steps.
class StopAfter {
 public:
  explicit StopAfter(int steps) : left_(steps) {}
  RunHooks hooks() {
    RunHooks hooks = {.stop = stop_.get_token()};
    hooks.on_step = [this](double, double) {
      if (--left_ == 0) stop_.request_stop();
    };
    return hooks;
  }

 private:
  std::stop_source stop_;
  int left_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_BUNDLES_H_
