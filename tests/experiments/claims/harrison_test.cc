// experiments/harrison-*.toml say what they show; here they do.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "solvers/backends.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

struct Moment {
  double time, largest, share, swept, penetration;
  Eigen::Matrix3Xd points;
};
using Moments = std::vector<Moment>;

// Every backend of an experiment, by its label.
std::map<std::string, Moments> RunsOf(const std::string& name) {
  const Experiment experiment = Shipped("harrison-" + name);
  const auto& columns = FindBackend("kinematic-response")->info().extras;
  std::map<std::string, Moments> runs;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    Moments& moments = runs[experiment.backends[i].label];
    RunShipped(experiment, i, [&](const Frame& frame) {
      const Observation& o = frame.observation;
      const auto extra = [&](const std::string& wanted) {
        for (size_t c = 0; c < columns.size(); ++c) {
          if (columns[c].name == wanted) return o.extras[c].value_or(0.0);
        }
        ADD_FAILURE() << wanted;
        return 0.0;
      };
      moments.push_back(
          {o.time, extra("largest_displacement_m"), extra("answering_share"),
           extra("swept_volume_m3"),
           MeasurePenetration(*experiment.scene, o.time, o.points).value_or(Penetration{}).max,
           o.points});
    });
  }
  return runs;
}

// Time after `from` at which a falling quantity is half of what it is there.
double HalfTime(const Moments& moments, double from, double Moment::*quantity) {
  double first = 0.0;
  const Moment* before = nullptr;
  for (const Moment& moment : moments) {
    if (moment.time < from - 1e-9) continue;
    if (before == nullptr) first = moment.*quantity;
    if (moment.*quantity <= 0.5 * first) {
      const double a = before->*quantity, b = moment.*quantity;
      return before->time + (a - 0.5 * first) / (a - b) * (moment.time - before->time) - from;
    }
    before = &moment;
  }
  return INFINITY;
}

TEST(HarrisonCompliance, TheSameDepthOverFourExtents) {
  auto runs = RunsOf("compliance");
  double narrower = 0.0;
  for (const auto& [label, share] : std::map<std::string, double>{
           {"compliant", 0.26}, {"soft", 0.52}, {"stiff", 0.98}, {"rigid", 1.0}}) {
    EXPECT_NEAR(runs[label].back().share, share, 0.02) << label;
    EXPECT_NEAR(runs[label].back().largest, 0.25, 0.003) << label;
    EXPECT_LT(runs[label].back().penetration, 1e-6) << label;
  }
  for (const char* label : {"compliant", "soft", "stiff", "rigid"}) {
    EXPECT_GT(runs[label].back().share, narrower) << label;
    narrower = runs[label].back().share;
  }
  // As one: 0.25 m of 4 m, and nothing bends.
  EXPECT_NEAR(runs["rigid"].back().swept, -1.0, 0.01);
  EXPECT_LT((runs["rigid"].back().points.row(1).array() + 0.25).abs().maxCoeff(), 1e-3);
}

TEST(HarrisonBulging, ComesOutAsMuchAsGoesIn) {
  auto runs = RunsOf("bulging");
  const double in = runs["flat"].back().swept;
  EXPECT_NEAR(in, -0.151, 0.002);  // m²
  EXPECT_LT(runs["flat"].back().points.row(1).maxCoeff(), 1e-12);
  EXPECT_LT(std::abs(runs["global"].back().swept), 0.03 * std::abs(in));
  EXPECT_LT(std::abs(runs["regional"].back().swept), 0.03 * std::abs(in));
  const double back = 1.0 - runs["local"].back().swept / in;
  EXPECT_GT(back, 0.1);
  EXPECT_LT(back, 0.3);
  EXPECT_LT(runs["local"].back().share, 0.5);
  EXPECT_EQ(runs["global"].back().share, 1.0);
  for (const char* label : {"local", "regional", "global"}) {
    EXPECT_GT(runs[label].back().points.row(1).maxCoeff(), 0.01) << label;
    EXPECT_LT(runs[label].back().penetration, 1e-6) << label;
  }
}

TEST(HarrisonLayer, AnswersWidelyWhereItIsThinAndLocallyWhereItIsThick) {
  const Moments moments = RunsOf("layer")["kinematic-response"];
  const Moment &left = moments[10], &right = moments[30];
  EXPECT_NEAR(left.largest, 0.25, 0.01);
  EXPECT_NEAR(right.largest, 0.25, 0.01);
  EXPECT_GT(left.share, 2.5 * right.share);
  EXPECT_LT(left.swept, 2.0 * right.swept);
}

TEST(HarrisonFriction, DragsTheCurveAlong) {
  const Moments moments = RunsOf("friction")["kinematic-response"];
  const Eigen::RowVectorXd along = moments.back().points.row(0) - moments.front().points.row(0);
  const double frictionless = along.segment(0, 129).maxCoeff();
  const double rough = along.segment(129, 129).maxCoeff();
  const double sticky = along.segment(258, 129).maxCoeff();
  EXPECT_GT(rough, 1.5 * frictionless);
  EXPECT_GT(sticky, 1.5 * rough);
  EXPECT_LE(sticky, 0.9);  // no farther than the object went, and a little coarse overshoot
}

TEST(HarrisonRestriction, TheMaximumReachesFarthestAndFullWeightingLeast) {
  auto runs = RunsOf("restriction");
  const Moment &maximum = runs["maximum"].back(), &average = runs["average"].back(),
               &full = runs["full-weighting"].back();
  EXPECT_GT(maximum.share, average.share - 1e-12);
  EXPECT_GT(average.share, 1.2 * full.share);
  EXPECT_LT(maximum.swept, 1.01 * average.swept);
  EXPECT_LT(average.swept, 1.5 * full.swept);
  for (const Moment* moment : {&maximum, &average, &full}) {
    EXPECT_NEAR(moment->largest, 0.3, 0.003);
  }
}

// Depth of the dent at x = ±0.4 m below the curve 0.25 m to its sides.
double DentDepth(const Eigen::Matrix3Xd& points, double at) {
  const auto height = [&points](double x) {
    for (Eigen::Index i = 1; i < points.cols(); ++i) {
      const double a = points(0, i - 1), b = points(0, i);
      if (a <= x && x <= b) {
        return points(1, i - 1) + (x - a) / (b - a) * (points(1, i) - points(1, i - 1));
      }
    }
    return std::nan("");
  };
  return 0.5 * (height(at - 0.25) + height(at + 0.25)) - height(at);
}

TEST(HarrisonMoulding, DetailsRideOnTheCoarseLevels) {
  auto runs = RunsOf("moulding");
  for (const double at : {-0.4, 0.4}) {
    for (const char* label : {"stiffened", "soft"}) {
      EXPECT_NEAR(DentDepth(runs[label][24].points, at), 0.12, 2e-3) << label;  // at 1.2 s
    }
    EXPECT_GT(DentDepth(runs["stiffened"].back().points, at), 0.07);
    EXPECT_LT(DentDepth(runs["soft"].back().points, at), 0.03);
  }
  // The stiff clay gave way from end to end, the soft one under the tool.
  EXPECT_EQ(runs["stiffened"].back().share, 1.0);
  EXPECT_LT(runs["soft"].back().share, 0.5);
  // What is moulded stays.
  EXPECT_NEAR(runs["stiffened"].back().swept, runs["stiffened"][44].swept, 1e-12);
}

TEST(HarrisonViscous, FlowsAroundTheObjectAndBackInTheTimesItWasTold) {
  auto runs = RunsOf("viscous");
  const Moments &uniform = runs["uniform"], &viscous = runs["viscous"];
  EXPECT_NEAR(HalfTime(uniform, 0.6, &Moment::penetration), 0.2 * std::log(2.0), 0.01);
  EXPECT_NEAR(HalfTime(uniform, 1.6, &Moment::largest), 0.6 * std::log(2.0), 0.01);
  // Coarse levels answer at once, so less is inside from the start …
  EXPECT_LT(viscous[20].penetration, 0.5 * uniform[20].penetration);
  // … and come back late: the half-time grows while the fine levels die away.
  const double early = HalfTime(viscous, 1.6, &Moment::largest);
  const double late = HalfTime(viscous, 2.4, &Moment::largest);
  EXPECT_GT(early, 1.2 * HalfTime(uniform, 1.6, &Moment::largest));
  EXPECT_GT(late, 1.2 * early);
}

// Of a sheet of 65 points a side of 2 m: rms of the second differences of its height across and
// along its strips, in a ring around the contact.
double Grain(const Eigen::Matrix3Xd& points) {
  constexpr int kSide = 65, kApart = 4;  // half a strip
  double across = 0.0, along = 0.0;
  for (int v = kApart; v < kSide - kApart; ++v) {
    for (int u = kApart; u < kSide - kApart; ++u) {
      const double distance = std::hypot(u - 32, v - 32) / 32.0;  // m
      if (distance < 0.5 || distance > 0.75) continue;
      const auto z = [&](int du, int dv) { return points(2, u + du + kSide * (v + dv)); };
      across += std::pow(z(kApart, 0) - 2.0 * z(0, 0) + z(-kApart, 0), 2);
      along += std::pow(z(0, kApart) - 2.0 * z(0, 0) + z(0, -kApart), 2);
    }
  }
  return std::sqrt(across / along);
}

TEST(HarrisonWrinkles, RunWithTheStripsOfTheMap) {
  auto runs = RunsOf("wrinkles");
  constexpr int kHeld = 20;  // 1 s
  EXPECT_NEAR(Grain(runs["even"][kHeld].points), 1.0, 1e-3);
  EXPECT_NEAR(Grain(runs["strips"][kHeld].points), 2.3, 0.1);
  for (const char* label : {"even", "strips", "furrowed"}) {
    EXPECT_LT(runs[label][kHeld].penetration, 2e-3) << label;
  }
  // Furrows at rest are as deep as the map says, ride on what is pressed, and are still there
  // later.
  const auto furrows = [&runs](int moment, int v) {
    const Eigen::Matrix3Xd& points = runs["furrowed"][moment].points;
    return points(2, 8 + 65 * v) - 0.5 * (points(2, 4 + 65 * v) + points(2, 12 + 65 * v));
  };
  EXPECT_NEAR(furrows(0, 32), -0.015, 1e-12);
  EXPECT_NEAR(furrows(kHeld, 32), -0.015, 0.003);
  EXPECT_NEAR(furrows(40, 32), -0.015, 1e-3);
}

TEST(HarrisonFeature, TurnsWhereItIsStiffAndIsDrawnOutWhereItIsNot) {
  auto runs = RunsOf("feature");
  const auto tip = [&runs](const char* label) -> Eigen::Vector3d {
    return runs[label].back().points.col(64);
  };
  for (const char* label : {"compliant", "stiff"}) {
    EXPECT_NEAR(runs[label].front().points(1, 64), 0.6, 1e-12) << label;
    EXPECT_GT(tip(label).x(), 0.2) << label;
  }
  EXPECT_NEAR(tip("stiff").norm(), 0.6, 1e-3);
  EXPECT_GT(tip("compliant").norm(), 0.63);
  EXPECT_NEAR(tip("compliant").y(), 0.6, 1e-3);
}

TEST(HarrisonSculpting, ClayKeepsTheStrokesAndSkinLetsGoOfThem) {
  auto runs = RunsOf("sculpting");
  const Eigen::Matrix3Xd &clay = runs["clay"].back().points, &skin = runs["skin"].back().points;
  EXPECT_NEAR(clay.row(2).minCoeff(), -0.1, 0.002);
  EXPECT_NEAR(clay.row(2).maxCoeff(), 0.06, 0.003);
  EXPECT_NEAR(skin.row(2).minCoeff(), 0.0, 0.1 * std::exp(-2.0 / 0.3) + 1e-4);
  EXPECT_NEAR(skin.row(2).maxCoeff(), 0.06 * std::exp(-1.0 / 0.3), 1e-3);
  EXPECT_EQ(runs["clay"].back().swept, runs["clay"][40].swept);
}

}  // namespace
}  // namespace pliant
