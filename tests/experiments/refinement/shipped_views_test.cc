// Every experiment that ships makes the same motion however its scene is seen, or a cause that is named explains the
// difference: the first records of each. `pliant verify --all --invariance` sees all of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/claims/invariance.h"
#include "experiments/files/listing.h"
#include "tests/experiments/slow_choice.h"

namespace pliant {
namespace {

constexpr int kParts = 8;
constexpr double kRecords = 4.0;

class ShippedViews : public testing::TestWithParam<int> {};

TEST_P(ShippedViews, DifferForKnownCausesOnly) {
  const std::vector<ListedFile> files =
      ListExperiments(std::filesystem::path(PLIANT_SOURCE_DIR) / "experiments");
  ASSERT_GT(files.size(), 80u);
  for (size_t k = static_cast<size_t>(GetParam()); k < files.size(); k += kParts) {
    Experiment experiment = ReadExperiment(files[k].file);
    experiment.plan.duration =
        std::min(experiment.plan.duration, kRecords * experiment.plan.record_every);
    for (size_t i = 0; i < experiment.backends.size(); ++i) {
      // Invariance.APlannedJumpIsTheSameInOtherUnits sees a plan.
      if (IsSlow(experiment.backends[i])) continue;
      const Invariance invariance = CheckInvariance(experiment, i);
      for (const SeenOtherwise& seen : invariance.views) {
        EXPECT_NE(seen.sameness, Sameness::kDiffers)
            << experiment.name << ", " << invariance.label << ", " << seen.view << ": "
            << seen.distance << " m";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, ShippedViews, testing::Range(0, kParts));

}  // namespace
}  // namespace pliant
