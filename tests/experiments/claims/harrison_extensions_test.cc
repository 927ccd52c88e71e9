// experiments/harrison-1994/harrison-skeleton.toml, -patch, -area and -riding say what they show; here they do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "solvers/backends.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

struct Shown {
  double time;
  std::map<std::string, std::optional<double>> extras;
  std::optional<double> elastic, penetration, extent;
  Eigen::Matrix3Xd points;
  double lift = NAN;  // impulse from outside since the start, along y [N s]
};

std::map<std::string, std::vector<Shown>> ShownBy(const std::string& name) {
  const Experiment experiment = Shipped("harrison-" + name);
  const auto& columns = FindBackend("kinematic-response")->info().extras;
  std::map<std::string, std::vector<Shown>> runs;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    std::vector<Shown>& run = runs[experiment.backends[i].label];
    RunShipped(experiment, i, [&](const Frame& frame) {
      const Observation& o = frame.observation;
      Shown shown{o.time,  {}, o.elastic_energy, {}, ExtentRatio(*experiment.scene, o.points),
                  o.points};
      const auto penetration = MeasurePenetration(*experiment.scene, o.time, o.points);
      if (penetration) shown.penetration = penetration->max;
      if (o.work) shown.lift = o.work->impulse.y();
      for (size_t c = 0; c < columns.size(); ++c) shown.extras[columns[c].name] = o.extras[c];
      run.push_back(shown);
    });
  }
  return runs;
}

TEST(HarrisonSkeleton, BonesAndSkinPressAgainstEachOtherAndTheBallHasTheLastWord) {
  auto runs = ShownBy("skeleton");
  const Shown &seeing = runs["seeing"].back(), &blind = runs["blind"].back();
  EXPECT_LT(*seeing.extras.at("self_penetration_m"), 1e-7);
  EXPECT_LT(*seeing.extras.at("bone_penetration_m"), 1e-7);
  EXPECT_LT(*seeing.penetration, 1e-6);
  EXPECT_LT(*blind.penetration, 1e-6);
  // The skin in the crook of the elbow lies elsewhere when it sees itself; far from it, alike.
  EXPECT_GT(DistanceBetween(seeing.points, blind.points).max, 0.03);
  EXPECT_LT((seeing.points.leftCols(48) - blind.points.leftCols(48)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(HarrisonPressure, FollowsTheDepthAndTheForceFollowsTheExtent) {
  auto runs = ShownBy("pressure");
  const auto number = [&](const char* label, const char* of) {
    return *runs[label].back().extras.at(of);
  };
  const char *pressure = "largest_pressure_Pa", *force = "pressing_force_N";
  // k_f times 0.25 m.
  EXPECT_NEAR(number("compliant", pressure), 25000.0, 1.0);
  EXPECT_NEAR(number("stiff", pressure), 25000.0, 1.0);
  EXPECT_NEAR(number("compliant", force), 11307.0, 100.0);
  EXPECT_NEAR(number("stiff", force), 24807.0, 250.0);
  // Beyond the knee: k_f (0.05 + 4 · 0.2) m.
  EXPECT_NEAR(number("compliant-biphasic", pressure), 85000.0, 1.0);
  EXPECT_NEAR(number("stiff-biphasic", pressure), 47500.0, 500.0);
}

TEST(HarrisonPatch, LosesTheSameVolumeForEveryDegreeAndStandsOnARigidBase) {
  auto runs = ShownBy("patch");
  const Eigen::Matrix3Xd start = runs["even"].front().points;
  for (const char* label : {"even", "near", "bulging"}) {
    const Shown& end = runs[label].back();
    EXPECT_LT(*end.penetration, 1e-3) << label;
    for (int i = 0; i < start.cols(); ++i) {
      if (start(1, i) > -0.499) continue;
      ASSERT_LT((end.points.col(i) - start.col(i)).norm(), 1e-12) << label;
    }
  }
  // The point under the ball half-way down: index (9, 4, 8) of 17 × 9 × 17.
  const int top = 9 + 17 * (8 + 9 * 8), middle = 9 + 17 * (4 + 9 * 8);
  const auto ratio = [&](const char* label) {
    const Eigen::Matrix3Xd moved = runs[label].back().points - start;
    return moved(1, middle) / moved(1, top);
  };
  EXPECT_NEAR(ratio("even"), 0.5, 1e-9);
  EXPECT_NEAR(ratio("near"), 0.125, 1e-9);
  EXPECT_LT(*runs["even"].back().extent, 0.98);
  EXPECT_NEAR(*runs["even"].back().extent, *runs["near"].back().extent, 1e-12);
  EXPECT_GT(*runs["bulging"].back().extent, *runs["even"].back().extent);
}

TEST(HarrisonArea, KeepsTheLengthOfTheCurve) {
  auto runs = ShownBy("area");
  const auto length = [](const Eigen::Matrix3Xd& x) {
    return (x.rightCols(x.cols() - 1) - x.leftCols(x.cols() - 1)).colwise().norm().sum();
  };
  const auto at_one = [&](const char* label) -> const Shown& { return runs[label][10]; };
  EXPECT_GT(length(at_one("stretching").points), 4.1);
  EXPECT_NEAR(length(at_one("whole").points), 4.0, 1e-6);
  EXPECT_NEAR(length(at_one("near").points), 4.0, 1e-6);
  EXPECT_NEAR(at_one("stretching").points(0, 0), -2.0, 1e-9);
  EXPECT_GT(at_one("whole").points(0, 0), -1.97);
  for (const char* label : {"whole", "near"}) EXPECT_LT(*at_one(label).penetration, 0.02) << label;
}

TEST(HarrisonRiding, DeformingProxiesSwingInShapeAndAllCarryTheWeight) {
  auto runs = ShownBy("riding");
  EXPECT_FALSE(runs["rigid"].back().elastic);
  for (const char* proxy : {"affine", "free-form"}) {
    double most = 0.0;
    for (const Shown& shown : runs[proxy]) most = std::max(most, *shown.elastic);
    EXPECT_GT(most, 0.05) << proxy;
    EXPECT_LT(*runs[proxy].back().elastic, 0.5 * most) << proxy;
    EXPECT_GT(DistanceBetween(runs[proxy].back().points, runs["rigid"].back().points).max, 1e-3)
        << proxy;
  }
  const double weight = 10.8 * 9.81;
  // From 2 s on the floor gives the impulse of the weight; at single times the reaction flickers.
  for (const char* proxy : {"rigid", "affine", "free-form"}) {
    const std::vector<Shown>& run = runs[proxy];
    const auto from =
        std::find_if(run.begin(), run.end(), [](const Shown& shown) { return shown.time >= 2.0; });
    ASSERT_NE(from, run.end());
    const double duration = run.back().time - from->time;
    const double floor = (run.back().lift - from->lift) / duration + weight;
    EXPECT_NEAR(floor, weight, 0.05 * weight) << proxy;
  }
}

}  // namespace
}  // namespace pliant
