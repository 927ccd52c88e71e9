// What invariance measures, against the same runs measured point by point.

#include "experiments/claims/invariance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "experiments/claims/views.h"
#include "experiments/runs/run.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

std::vector<Eigen::Matrix3Xd> PointsOf(const Experiment& experiment) {
  std::vector<Eigen::Matrix3Xd> points;
  const Translation translation = TranslateFor(experiment, 0);
  RunHooks hooks;
  hooks.on_frame = [&points](const Frame& frame) { points.push_back(frame.observation.points); };
  Run(experiment, 0, translation.simulation.get(), hooks);
  return points;
}

// Rays leave an obstacle on the side that normals point away from: in a mirror the surface moves otherwise,
// and its points are apart by very different distances.
TEST(Invariance, MeasuresTheLargestDistanceOfAPoint) {
  Experiment experiment = ReadExperiment(
      ShippedFile("press"), {"run.duration=1.6", "run.step=0.02", "run.record_every=0.2",
                             "backends.kinematic-response.casting='ray'"});
  KeepBackends(&experiment, {"kinematic-response"});
  const std::vector<Eigen::Matrix3Xd> base = PointsOf(experiment);
  const Invariance invariance = CheckInvariance(experiment, 0);
  int differ = 0;
  for (const View& view : ViewsOf(*experiment.scene).views) {
    Experiment other = experiment;
    other.scene = std::make_shared<const Scene>(view.scene);
    const std::vector<Eigen::Matrix3Xd> seen = PointsOf(other);
    ASSERT_EQ(seen.size(), base.size());
    double largest = 0.0;
    for (size_t t = 0; t < base.size(); ++t) {
      const Eigen::Matrix3Xd back = view.Back(seen[t]);
      for (Eigen::Index p = 0; p < back.cols(); ++p) {
        largest = std::max(largest, (back.col(p) - base[t].col(p)).norm());
      }
    }
    const auto found = std::ranges::find(invariance.views, view.name, &SeenOtherwise::view);
    ASSERT_NE(found, invariance.views.end()) << view.name;
    EXPECT_NEAR(found->distance, largest, 1e-12) << view.name;
    const bool apart =
        found->sameness == Sameness::kDiffers || found->sameness == Sameness::kExplained;
    EXPECT_EQ(apart, largest > 1e-6) << view.name;
    differ += largest > 0.1 ? 1 : 0;
  }
  EXPECT_GE(differ, 1);
}

}  // namespace
}  // namespace pliant
