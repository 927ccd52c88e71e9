// The step of one surface: against slow second readings of it, and against what it must do.

#include "solvers/kinematic_response/kinematic_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "tests/solvers/kinematic_response/oracle.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::RowVector3d;
using Eigen::Vector3d;
using oracle::Field;

constexpr int kSide = 17;  // levels 0 … 4
constexpr int kLevels = 5;
constexpr int kMiddle = kSide / 2 + kSide * (kSide / 2);
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A sheet of 2 m over the xy-plane, flat or hilly.
GridVectors Sheet(double hill) {
  GridVectors points(kSide * kSide, 3);
  for (int v = 0; v < kSide; ++v) {
    for (int u = 0; u < kSide; ++u) {
      const double x = 2.0 * u / (kSide - 1) - 1.0, y = 2.0 * v / (kSide - 1) - 1.0;
      points.row(u + kSide * v) << x, y, hill * std::sin(2.0 * x + 0.3) * std::cos(3.0 * y);
    }
  }
  return points;
}

Field ToField(const GridVectors& points) {
  Field field;
  for (Eigen::Index i = 0; i < points.rows(); ++i) field.push_back(points.row(i).transpose());
  return field;
}

double Difference(const GridVectors& a, const Field& b) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    largest = std::max(largest, (a.row(i).transpose() - b[i]).norm());
  }
  return largest;
}

// Displacement vectors out of a sphere along −z, or along another unit vector.
struct Ball {
  Vector3d centre;
  double radius = 0.5;
  Vector3d direction = -Vector3d::UnitZ();

  Vector3d Exit(const Vector3d& x) const {
    const Vector3d w = x - centre;
    if (w.norm() >= radius) return Vector3d::Zero();
    const double along = w.dot(direction);
    return direction * (-along + std::sqrt(along * along - w.squaredNorm() + radius * radius));
  }
  Field operator()(const Field& surface) const {
    Field d;
    for (const Vector3d& x : surface) d.push_back(Exit(x));
    return d;
  }
  double Depth(const GridVectors& surface) const {
    return std::max(0.0,
                    radius - (surface.rowwise() - centre.transpose()).rowwise().norm().minCoeff());
  }
};

std::vector<LevelControls> Uniform(LevelControls controls) {
  return std::vector<LevelControls>(kLevels, controls);
}

// A surface with its offsets, stepped by hand-made displacement vectors.
struct Subject {
  explicit Subject(double hill, Prolongation prolongation = Prolongation::kCubic,
                   Restriction restriction = Restriction::kAverage)
      : response(MultiresolutionSurface({kSide, kSide}, Sheet(hill), prolongation), restriction),
        offsets(response.model().ZeroOffsets()) {}

  DeformationSummary Step(const std::vector<LevelControls>& controls,
                          const std::function<Vector3d(const Vector3d&)>& exit) {
    response.Relax(controls, offsets);
    GridVectors& d = *response.displacements();
    for (Eigen::Index i = 0; i < d.rows(); ++i) {
      d.row(i) = exit(response.relaxed().row(i).transpose()).transpose();
    }
    response.RestrictDisplacements();
    return response.Deform(controls, &offsets);
  }
  DeformationSummary Step(const std::vector<LevelControls>& controls, const Ball& ball) {
    return Step(controls, [&ball](const Vector3d& x) { return ball.Exit(x); });
  }
  DeformationSummary StepFree(const std::vector<LevelControls>& controls) {
    return Step(controls, [](const Vector3d&) { return Vector3d(0, 0, 0); });
  }

  const GridVectors& surface() const { return response.surface(); }
  double z(int vertex) const { return surface()(vertex, 2); }

  KinematicResponse response;
  SurfaceOffsets offsets;
};

// Sinks, slides askew and comes up again.
Ball BallAt(int step) {
  const double t = step / 12.0;
  return {{0.13 + 0.4 * t, -0.21 + 0.1 * t, 0.75 - 0.5 * std::sin(2.6 * t)},
          0.5,
          Vector3d(0.3 * t, 0.1, -1.0).normalized()};
}

// Controls that vary from vertex to vertex; three columns: with the direction too.
std::vector<LevelControls> Mapped(int columns) {
  static std::map<int, std::vector<std::array<Eigen::MatrixXd, 4>>> all;
  std::vector<std::array<Eigen::MatrixXd, 4>>& maps = all[columns];
  std::mt19937 random(17);
  const auto between = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / std::mt19937::max();
  };
  const bool fill = maps.empty();
  if (fill) maps.resize(kLevels);
  std::vector<LevelControls> controls(kLevels);
  for (int level = 0; level < kLevels; ++level) {
    const int side = (1 << level) + 1;
    const std::array<std::array<double, 2>, 4> ranges = {
        {{-0.3, 0.5}, {0.2, 1.0}, {0.4, 1.0}, {0.0, 0.1}}};
    for (size_t i = 0; i < ranges.size() && fill; ++i) {
      maps[level][i].resize(side * side, columns);
      for (double& value : maps[level][i].reshaped()) value = between(ranges[i][0], ranges[i][1]);
    }
    const auto values = [&](int i) {
      return VertexValues(maps[level][i], maps[level][i].minCoeff());
    };
    controls[level] = {values(0), values(1), values(2), values(3)};
  }
  return controls;
}

struct Case {
  std::string name;
  std::vector<LevelControls> controls;
};
std::vector<Case> Cases() {
  std::vector<Case> cases = {
      {"elastic", Uniform({.absorption = 0.2, .retention = 0.9})},
      {"viscous", Uniform({.absorption = 0.3, .damping = 0.4, .retention = 0.8})},
      {"plastic", Uniform({.absorption = 0.15, .damping = 0.7, .retention = 0.7, .yield = 0.02})},
      {"mixed", Uniform({.absorption = 0.1, .retention = 0.95})}};
  cases.push_back({"stiff", Uniform({.absorption = 0.3, .retention = 0.9, .stiffness = 0.7})});
  cases.push_back({"mapped", Mapped(1)});
  cases.push_back({"directed", Mapped(3)});
  cases[3].controls[1] = {.absorption = -0.3, .damping = 0.8, .retention = 0.5, .yield = 0.01};
  cases[3].controls[2] = {.absorption = 0.6, .retention = 1.0, .yield = 0.0};
  cases[3].controls[4] = {.absorption = 0.0, .damping = 0.9, .retention = 0.3};
  return cases;
}

class EveryCase : public testing::TestWithParam<std::tuple<Prolongation, Restriction, double>> {};
INSTANTIATE_TEST_SUITE_P(
    KinematicResponse, EveryCase,
    testing::Combine(testing::Values(Prolongation::kLinear, Prolongation::kCubic),
                     testing::Values(Restriction::kMaximum, Restriction::kAverage,
                                     Restriction::kFullWeighting),
                     testing::Values(0.0, 0.2)));

TEST_P(EveryCase, AgreesWithTheSlowReading) {
  const auto [prolongation, restriction, hill] = GetParam();
  for (const Case& c : Cases()) {
    Subject subject(hill, prolongation, restriction);
    oracle::Response slow(ToField(Sheet(hill)), prolongation, restriction,
                          subject.response.shortest_displacement());
    double deepest = 0.0;
    for (int step = 0; step < 12; ++step) {
      const Ball ball = BallAt(step);
      subject.Step(c.controls, ball);
      slow.Step(c.controls, ball);
      ASSERT_LT(Difference(subject.surface(), slow.surface()), 1e-13) << c.name << " " << step;
      deepest = std::min(deepest, subject.surface().col(2).minCoeff());
    }
    EXPECT_LT(deepest, -0.1) << c.name;  // the ball did press
    for (int level = 0; level < kLevels; ++level) {
      EXPECT_LT(Difference(subject.offsets.elastic[level], slow.elastic()[level]), 1e-13);
      EXPECT_LT(Difference(subject.offsets.plastic[level], slow.plastic()[level]), 1e-13);
    }
  }
}

TEST_P(EveryCase, WithoutRelaxationIsTheBasicAlgorithm) {
  const auto [prolongation, restriction, hill] = GetParam();
  const std::vector<double> absorption = {0.1, 0.3, 0.0, 0.25, 1.0};
  std::vector<LevelControls> controls(kLevels);
  for (int level = 0; level < kLevels; ++level) controls[level].absorption = absorption[level];
  Subject subject(hill, prolongation, restriction);
  oracle::Response basic(ToField(Sheet(hill)), prolongation, restriction,
                         subject.response.shortest_displacement());
  for (int step = 0; step < 12; ++step) {
    const Ball ball = BallAt(step);
    subject.Step(controls, ball);
    basic.BasicStep(absorption, ball(basic.surface()));
    ASSERT_LT(Difference(subject.surface(), basic.surface()), 1e-13) << step;
  }
}

// A contact that stands still: the ball at `centre`, pressed up to 0.2 m deep into a flat sheet.
const Ball kHeldBall{{0, 0, 0.3}};

std::vector<LevelControls> CoarsestTakesHalf(double retention) {
  auto controls = Uniform({.absorption = 0.0, .retention = retention});
  controls[0].absorption = 0.5;
  return controls;
}

TEST(HeldContact, IsAFixedPointWhileTheLevelsRelax) {
  for (const Restriction restriction : {Restriction::kMaximum, Restriction::kFullWeighting}) {
    for (const double retention : {0.0, 0.5, 0.9, 1.0}) {
      Subject subject(0.0, Prolongation::kCubic, restriction);
      const auto controls = CoarsestTakesHalf(retention);
      subject.Step(controls, kHeldBall);
      const GridVectors first = subject.surface();
      for (int step = 0; step < 100; ++step) subject.Step(controls, kHeldBall);
      EXPECT_LT((subject.surface() - first).cwiseAbs().maxCoeff(), 1e-14) << retention;
    }
  }
}

// Where levels turn, or the average of a contact rises because a light child has dropped out of it,
// the fixed point is another than the first answer; it is reached, and not far away.
TEST_P(EveryCase, HeldContactSettlesNearItsFirstAnswer) {
  const auto [prolongation, restriction, hill] = GetParam();
  for (const double retention : {0.5, 0.9}) {
    Subject subject(hill, prolongation, restriction);
    const auto controls = Uniform({.absorption = 0.2, .retention = retention});
    const Ball ball{{0.07, -0.12, 0.3}};
    subject.Step(controls, ball);
    const double first = subject.surface().col(2).minCoeff();
    for (int step = 0; step < 400; ++step) subject.Step(controls, ball);
    const GridVectors settled = subject.surface();
    EXPECT_NEAR(settled.col(2).minCoeff(), first, 0.02);  // a tenth of the displacement
    for (int step = 0; step < 10; ++step) subject.Step(controls, ball);
    EXPECT_LT((subject.surface() - settled).cwiseAbs().maxCoeff(), 1e-10);
  }
}

// Depth of the middle after 1 and after 12 steps.
struct Depths {
  double first, last;
};
Depths HeldWith(oracle::Print print) {
  oracle::Response slow(ToField(Sheet(0.0)), Prolongation::kCubic, Restriction::kMaximum, 1e-12,
                        print);
  const auto controls = CoarsestTakesHalf(0.5);
  slow.Step(controls, kHeldBall);
  const double first = slow.surface()[kMiddle].z();
  for (int step = 1; step < 12; ++step) slow.Step(controls, kHeldBall);
  return {first, slow.surface()[kMiddle].z()};
}

TEST(HeldContact, SinksInWithTheMistakesOfThePrint) {
  const Depths ours = HeldWith({});
  EXPECT_NEAR(ours.first, -0.2, 1e-14);
  EXPECT_NEAR(ours.last, -0.2, 1e-14);
  EXPECT_LT(HeldWith({.measures_from_last_solution = true}).last, -0.39);
  EXPECT_LT(HeldWith({.leaves_coarsest_unclamped = true}).last, -0.39);
  EXPECT_NEAR(HeldWith({.keeps_offsets_for_free = true}).last, -0.25, 1e-3);
  // With the cap, one step does not resolve the penetration at all.
  EXPECT_GT(HeldWith({.caps_the_finest = true}).first, -0.11);
}

TEST(Absorption, AllOnTheCoarsestLevelIsARigidShift) {
  Subject subject(0.2, Prolongation::kCubic, Restriction::kMaximum);
  std::vector<LevelControls> controls(kLevels);
  controls[0].absorption = 1.0;
  // One vector in the middle reaches all four corners.
  const RowVector3d d(0.05, -0.02, -0.3);
  int vertex = 0;
  subject.Step(controls, [&](const Vector3d&) {
    return vertex++ == kMiddle ? Vector3d(d.transpose()) : Vector3d(0, 0, 0);
  });
  const GridVectors expected = Sheet(0.2).rowwise() + d;
  EXPECT_LT((subject.surface() - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Absorption, AllOnTheFinestLevelMovesPressedVerticesOnly) {
  Subject subject(0.0);
  const Ball ball{{0.1, 0, 0.3}};
  subject.Step(Uniform({.absorption = 0.0}), ball);
  const GridVectors start = Sheet(0.0);
  for (Eigen::Index i = 0; i < start.rows(); ++i) {
    const Vector3d expected = start.row(i).transpose() + ball.Exit(start.row(i).transpose());
    EXPECT_LT((subject.surface().row(i).transpose() - expected).norm(), 1e-14);
  }
}

TEST(Absorption, OfALevelIsItsShareOfTheDisplacement) {
  Subject subject(0.0, Prolongation::kCubic, Restriction::kMaximum);
  std::vector<LevelControls> controls(kLevels);
  controls[0].absorption = 0.25;
  controls[2].absorption = 0.5;
  subject.Step(controls, Ball{{0, 0, 0.3}});
  for (int corner = 0; corner < 4; ++corner) {
    EXPECT_NEAR(subject.offsets.elastic[0](corner, 2), -0.25 * 0.2, 1e-14);
  }
  EXPECT_NEAR(subject.offsets.elastic[2](2 + 5 * 2, 2), -0.5 * 0.2, 1e-14);
  EXPECT_NEAR(subject.offsets.elastic[4](kMiddle, 2), -0.25 * 0.2, 1e-14);
}

// Casting along one direction, and coarser levels that moved along it: the finest level leaves
// nothing inside.
TEST(FinestLevel, LeavesNoPenetrationOfNormalMotion) {
  for (const double absorption : {0.0, 0.1, 0.4, 1.0}) {
    for (const Restriction restriction :
         {Restriction::kMaximum, Restriction::kAverage, Restriction::kFullWeighting}) {
      Subject subject(0.0, Prolongation::kCubic, restriction);
      const Ball ball{{0.06, -0.11, 0.3}};
      subject.Step(Uniform({.absorption = absorption}), ball);
      EXPECT_LT(ball.Depth(subject.surface()), 1e-14) << absorption;
    }
  }
}

// It does leave some where it is damped, where coarse motion pushes vertices in that were not
// pressed, and where a level has moved along another direction than the ray: little, if the ball
// moves little in a step.
TEST(FinestLevel, LeavesLittleOfObliqueMotion) {
  for (const double absorption : {0.1, 0.4}) {
    Subject subject(0.1);
    double deepest = 0.0;
    for (int step = 0; step < 20; ++step) {
      const Ball ball{{0.06 + 0.01 * step, -0.11, 0.6 - 0.015 * step}};
      subject.Step(Uniform({.absorption = absorption, .retention = 0.9}), ball);
      deepest = std::max(deepest, ball.Depth(subject.surface()));
    }
    EXPECT_GT(deepest, 1e-9) << absorption;
    EXPECT_LT(deepest, 2e-3) << absorption;
  }
}

TEST(FinestLevel, MovesPressedVerticesAtLeastByTheirVectorsEvenAgainstABulge) {
  Subject subject(0.1);
  auto controls = Uniform({.absorption = 0.2});
  controls[2].absorption = -0.5;
  const Ball ball{{0.06, -0.11, 0.3}};
  const GridVectors start = subject.surface();
  subject.Step(controls, ball);
  for (Eigen::Index i = 0; i < start.rows(); ++i) {
    const Vector3d d = ball.Exit(start.row(i).transpose());
    if (d.isZero(0.0)) continue;
    const Vector3d moved = (subject.surface().row(i) - start.row(i)).transpose();
    EXPECT_GT(moved.dot(d.normalized()), d.norm() - 1e-12);
  }
}

TEST(Damping, ShrinksWhatTheFinestLevelLeavesByOneMinusGamma) {
  Subject subject(0.0);
  const auto controls = Uniform({.absorption = 0.0, .damping = 0.3});
  const Ball ball{{0, 0, 0.3}};
  for (int step = 1; step <= 8; ++step) {
    subject.Step(controls, ball);
    EXPECT_NEAR(subject.z(kMiddle), -0.2 * (1.0 - std::pow(0.7, step)), 1e-14);
  }
}

TEST(Bulge, RaisesTheSurroundingsAndNotWhatIsUnderTheObject) {
  Subject flat(0.0), bulging(0.0);
  auto controls = Uniform({.absorption = 0.0});
  const Ball ball{{0, 0, 0.42}};
  flat.Step(controls, ball);
  controls[3].absorption = -0.5;
  bulging.Step(controls, ball);
  EXPECT_EQ(flat.surface().col(2).maxCoeff(), 0.0);
  EXPECT_GT(bulging.surface().col(2).maxCoeff(), 0.005);
  EXPECT_NEAR(bulging.z(kMiddle), flat.z(kMiddle), 1e-12);
  EXPECT_LT(bulging.offsets.elastic[4](kMiddle, 2), -0.09);  // the finest level cancels the bulge
}

TEST(Bulge, OfACoarserLevelReachesFarther) {
  auto reach = [](int level) {
    Subject subject(0.0);
    auto controls = Uniform({.absorption = 0.0});
    controls[level].absorption = -0.5;
    subject.Step(controls, Ball{{0, 0, 0.42}});
    return (subject.surface().col(2).array() > 0.001).count();
  };
  EXPECT_GT(reach(2), 2 * reach(3));
  EXPECT_GT(reach(3), 0);
}

// Presses a dent, takes the ball away and waits.
Subject AfterADent(LevelControls level) {
  Subject subject(0.1);
  const auto controls = Uniform(level);
  for (int step = 0; step < 5; ++step) subject.Step(controls, Ball{{0, 0, 0.5 - 0.05 * step}});
  for (int step = 0; step < 200; ++step) subject.StepFree(controls);
  return subject;
}

TEST(Nature, ElasticSurfacesRecoverFully) {
  const Subject subject = AfterADent({.absorption = 0.2, .retention = 0.8});
  EXPECT_LT((subject.surface() - Sheet(0.1)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Nature, MouldableSurfacesKeepWhatIsBeyondTheYieldLimit) {
  const Subject subject = AfterADent({.absorption = 0.0, .retention = 0.8, .yield = 0.05});
  const double rest = Sheet(0.1)(kMiddle, 2), depth = rest - subject.z(kMiddle);
  const double pressed = rest - (0.3 - 0.5);  // bottom of the ball at its deepest
  EXPECT_GT(depth, 0.05);
  // What was within the limit comes back: all of it, or the dent would be as deep as the ball went.
  EXPECT_NEAR(depth, pressed - 0.05, 1e-3);
}

TEST(Nature, PlasticSurfacesKeepAllOfIt) {
  const Subject subject = AfterADent({.absorption = 0.2, .retention = 0.0, .yield = 0.0});
  const Ball last{{0, 0, 0.3}};
  EXPECT_NEAR(subject.z(kMiddle), last.centre.z() - last.radius, 2e-3);
  for (const GridVectors& level : subject.offsets.elastic)
    EXPECT_EQ(level.cwiseAbs().maxCoeff(), 0);
}

TEST(Nature, YieldLimitBoundsElasticOffsetsAndMovesNothing) {
  Subject limited(0.1), unlimited(0.1);
  const auto free = Uniform({.absorption = 0.2});
  const auto yielding = Uniform({.absorption = 0.2, .yield = 0.01});
  const Ball ball{{0.1, 0.2, 0.3}};
  limited.Step(yielding, ball);
  unlimited.Step(free, ball);
  EXPECT_LT((limited.surface() - unlimited.surface()).cwiseAbs().maxCoeff(), 1e-15);
  double longest = 0.0;
  for (const GridVectors& level : limited.offsets.elastic) {
    longest = std::max(longest, level.rowwise().norm().maxCoeff());
  }
  EXPECT_NEAR(longest, 0.01, 1e-15);
}

// A later stage may yield where nothing presses any more and nothing relaxes.
TEST(Nature, WhatIsKeptYieldsWhenItsLimitFalls) {
  Subject subject(0.1);
  subject.Step(Uniform({.absorption = 0.2}), Ball{{0, 0, 0.3}});
  const GridVectors dented = subject.surface();
  subject.StepFree(Uniform({.absorption = 0.2, .yield = 0.0}));
  EXPECT_LT((subject.surface() - dented).cwiseAbs().maxCoeff(), 1e-15);
  for (const GridVectors& level : subject.offsets.elastic) EXPECT_TRUE(level.isZero(0.0));
}

// To be relaxed twice before a step is to be relaxed as the second time asks.
TEST(Relaxation, ForgetsWhatItWasAskedBefore) {
  Subject subject(0.1);
  const auto keeping = Uniform({.absorption = 0.2});
  subject.Step(keeping, Ball{{0, 0, 0.3}});
  subject.StepFree(keeping);  // in which nothing moves
  const GridVectors dented = subject.surface();
  subject.response.Relax(Uniform({.absorption = 0.2, .retention = 0.5}), subject.offsets);
  EXPECT_GT((subject.response.relaxed() - dented).cwiseAbs().maxCoeff(), 0.05);
  subject.response.Relax(keeping, subject.offsets);
  EXPECT_EQ(subject.response.relaxed(), dented);
}

TEST(Relaxation, ShortensElasticOffsetsByTheRetainedFraction) {
  Subject subject(0.0);
  const auto controls = Uniform({.absorption = 0.2, .retention = 0.75});
  subject.Step(controls, Ball{{0, 0, 0.3}});
  const SurfaceOffsets pressed = subject.offsets;
  subject.StepFree(controls);
  for (int level = 0; level < kLevels; ++level) {
    EXPECT_EQ(subject.offsets.elastic[level], 0.75 * pressed.elastic[level]);
  }
}

TEST(Summary, MeasuresThePressedVerticesAndTheGain) {
  Subject subject(0.0);
  const Ball ball{{0, 0, 0.3}};
  const DeformationSummary summary = subject.Step(Uniform({.absorption = 0.0}), ball);
  int inside = 0;
  const GridVectors start = Sheet(0.0);
  for (Eigen::Index i = 0; i < start.rows(); ++i) {
    inside += ball.Exit(start.row(i).transpose()).isZero(0.0) ? 0 : 1;
  }
  EXPECT_EQ(summary.pressed, inside);
  EXPECT_NEAR(summary.longest_displacement, 0.2, 1e-15);
  EXPECT_NEAR(summary.largest_move, 0.2, 1e-15);
  const DeformationSummary free = Subject(0.0).StepFree(Uniform({}));
  EXPECT_EQ(free.pressed, 0);
  EXPECT_EQ(free.longest_displacement, 0.0);
}

TEST(Place, GivesTheSurfaceOfTheLastStepToTheLastBit) {
  Subject subject(0.2);
  const auto controls = Cases()[3].controls;
  for (int step = 0; step < 6; ++step) subject.Step(controls, BallAt(step));
  const GridVectors stepped = subject.surface();
  KinematicResponse fresh(MultiresolutionSurface({kSide, kSide}, Sheet(0.2), Prolongation::kCubic),
                          Restriction::kAverage);
  fresh.Place(subject.offsets);
  EXPECT_EQ(fresh.surface(), stepped);
}

}  // namespace
}  // namespace pliant::kinematic_response
