// The experiments that Pliant brings along, run as the tests of their claims need them.

#ifndef PLIANT_TESTS_EXPERIMENTS_CLAIMS_SHIPPED_H_
#define PLIANT_TESTS_EXPERIMENTS_CLAIMS_SHIPPED_H_

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {

// The experiment of that name; overrides as --set takes them.
inline Experiment Shipped(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return ReadExperiment(ShippedFile(name), overrides);
}

// Runs one of its backends and hands on every frame that is recorded; the test fails unless the run
// completes.
inline RunOutcome RunShipped(const Experiment& experiment, size_t backend,
                             const std::function<void(const Frame&)>& on_frame) {
  const Translation translation = TranslateFor(experiment, backend);
  if (translation.simulation == nullptr) {
    ADD_FAILURE() << translation.record.WhyUnsupported();
    return {};
  }
  RunHooks hooks = {.on_frame = on_frame};
  RunOutcome outcome = Run(experiment, backend, translation.simulation.get(), hooks);
  EXPECT_EQ(outcome.kind, OutcomeKind::kCompleted) << outcome.reason;
  return outcome;
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_CLAIMS_SHIPPED_H_
