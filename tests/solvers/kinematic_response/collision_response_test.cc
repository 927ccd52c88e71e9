// The step of one surface: what it must do.

#include "solvers/kinematic_response/kinematic_response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/kinematic_response/ball_on_sheet.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::RowVector3d;
using Eigen::Vector3d;

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
