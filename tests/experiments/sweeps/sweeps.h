// Sweeps of the falling sheet for tests.

#ifndef PLIANT_TESTS_EXPERIMENTS_SWEEPS_SWEEPS_H_
#define PLIANT_TESTS_EXPERIMENTS_SWEEPS_SWEEPS_H_

#include <string>

#include "experiments/sweeps/sweep.h"
#include "tests/experiments/bundles.h"

namespace pliant {

// A [[sweep.vary]] of `key` with these further lines.
inline std::string Vary(const std::string& key, const std::string& lines) {
  return "[[sweep.vary]]\nkey = '" + key + "'\n" + lines + "\n";
}

// The falling experiment (backends: see Falling()) with the text of a [sweep].
inline Sweep FallingSweep(const ScratchFolder& folder, const std::string& backends,
                          const std::string& sweep,
                          const std::vector<std::string>& overrides = {}) {
  FallingExperiment(folder, backends);
  WriteFile(folder / "fall.toml", ReadFile(folder / "fall.toml") + sweep);
  return ReadSweep(folder / "fall.toml", overrides, {}, TestBackends());
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SWEEPS_SWEEPS_H_
