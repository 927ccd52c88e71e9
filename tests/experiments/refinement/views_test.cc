// The same scene seen otherwise is the same scene: every element is where it was.

#include "experiments/claims/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/invariance.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

const char* const kScenes[] = {"press",    "drop",   "hang",  "spin",
                               "pendulum", "puppet", "slope", "corner-pull"};

std::vector<std::string> NamesOf(const Views& views) {
  std::vector<std::string> names;
  for (const View& view : views.views) names.push_back(view.name);
  return names;
}

TEST(Views, KeepEveryPointVelocityAndMass) {
  for (const char* name : kScenes) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    const Eigen::Matrix3Xd points = scene.InitialPoints(), velocities = scene.InitialVelocities();
    const Views views = ViewsOf(scene);
    EXPECT_GE(views.views.size(), 3u) << name;
    for (const View& view : views.views) {
      SCOPED_TRACE(std::string(name) + " " + view.name);
      EXPECT_LT((view.Back(view.scene.InitialPoints()) - points).cwiseAbs().maxCoeff(), 1e-12);
      const Eigen::Matrix3Xd there = view.scene.InitialVelocities();
      const Eigen::VectorXd masses = view.scene.Masses();
      for (int i = 0; i < points.cols(); ++i) {
        const int column = view.columns[static_cast<size_t>(i)];
        EXPECT_LT((there.col(column) - view.linear * velocities.col(i)).norm(), 1e-12);
        EXPECT_DOUBLE_EQ(masses[column], scene.Masses()[i]);
      }
    }
  }
}

// What nails hold and springs join is still the same point, and obstacles are as far away.
TEST(Views, KeepNailsAndObstacles) {
  for (const char* name : kScenes) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    for (const View& view : ViewsOf(scene).views) {
      SCOPED_TRACE(std::string(name) + " " + view.name);
      if (view.name != "elements in reverse order") {
        for (size_t n = 0; n < scene.nails.size(); ++n) {
          const Nail &here = scene.nails[n], &there = view.scene.nails[n];
          EXPECT_EQ(view.scene.Index(there.point),
                    view.columns[static_cast<size_t>(scene.Index(here.point))]);
          const Eigen::Vector3d carried =
              view.linear * here.path.At(0.3).position + view.translation;
          EXPECT_LT((there.path.At(0.3).position - carried).norm(), 1e-12);
        }
        for (size_t o = 0; o < scene.obstacles.size(); ++o) {
          const Eigen::Vector3d x(0.3, 0.2, scene.dimension == 2 ? 0.0 : 0.1);
          const auto distance = [o](const Scene& of, const Eigen::Vector3d& point) {
            const Obstacle& obstacle = of.obstacles[o];
            return SignedDistance(obstacle.shape, obstacle.motion.At(0.3).position, point).distance;
          };
          const double here = distance(scene, x),
                       there = distance(view.scene, view.linear * x + view.translation);
          EXPECT_NEAR(here, there, 1e-12);
        }
      }
    }
  }
}

TEST(Views, AreMissingOnlyForAReason) {
  const Views hang = ViewsOf(*ReadExperiment(ShippedFile("hang")).scene);
  EXPECT_THAT(NamesOf(hang), testing::Contains("mirrored in x"));
  EXPECT_THAT(NamesOf(hang), testing::Contains("points renumbered by a half turn about x"));
  EXPECT_THAT(NamesOf(hang), testing::Contains("elements in reverse order"));
  ASSERT_EQ(hang.missing.size(), 1u);
  EXPECT_EQ(hang.missing[0].why, "it has one body");
}

Invariance CheckOf(const std::vector<std::string>& overrides) {
  Experiment experiment = ReadExperiment(ShippedFile("press"), overrides);
  KeepBackends(&experiment, {"kinematic-response"});
  return CheckInvariance(experiment, 0);
}

std::vector<std::string> Different(const Invariance& invariance) {
  std::vector<std::string> names;
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.sameness == Sameness::kDiffers) names.push_back(seen.view);
  }
  return names;
}

// The side of a sheet is a convention. Casting along its normal throws a slab that shows the sphere its other side.
TEST(Invariance, FindsTheCastingThatKnowsTheSideOfASheet) {
  EXPECT_THAT(Different(CheckOf({})), testing::IsEmpty());
  const Invariance ray = CheckOf({"backends.kinematic-response.casting=ray"});
  EXPECT_THAT(Different(ray), testing::Contains(testing::HasSubstr("renumbered by a half turn")));
}

// Of the eight standard experiments every backend makes the same motion however it is seen. Only the order in which
// sweeps go over a net shows, within twice their tolerance.
class StandardScenes : public testing::TestWithParam<const char*> {};

TEST_P(StandardScenes, AreTheSameHoweverTheyAreSeen) {
  const Experiment experiment = [] {
    Experiment whole = ReadExperiment(ShippedFile(GetParam()));
    Shorten(&whole.plan);
    return whole;
  }();
  constexpr double kTwiceTheTolerance = 1e-3;  // m
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const Invariance invariance = CheckInvariance(experiment, i);
    const std::string& formulation = experiment.backends[i].backend->info().name;
    const bool sweeps =
        formulation == "displacement-constraints" || formulation == "position-based";
    for (const SeenOtherwise& seen : invariance.views) {
      if (seen.sameness != Sameness::kDiffers) continue;
      const bool in_another_order = seen.view.starts_with("mirrored") ||
                                    seen.view.starts_with("points") ||
                                    seen.view.ends_with("in reverse order");
      EXPECT_TRUE(sweeps && in_another_order) << invariance.label << ", " << seen.view;
      EXPECT_LT(seen.distance, kTwiceTheTolerance) << invariance.label << ", " << seen.view;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Invariance, StandardScenes, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant
