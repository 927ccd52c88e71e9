// Bodies that begin on each other: they are touched from outside, however rounding places them, rest
// where they are, and no energy comes of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3Xd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing::Contains;
using testing::HasSubstr;

constexpr double kSide = 0.2;        // m, of the block
constexpr double kThick = 0.1;       // m, of the plank
constexpr double kTolerance = 4e-4;  // m, of the sweeps: 0.004 of the shortest edge

struct Place {
  int dimension;
  double gap;            // m, between block and plank
  double angle = 0.0;    // rad, by which the whole scene is turned; π: upside down
  bool swapped = false;  // the block is the first body
};

// A block that is released on a plank, which is nailed. All is turned, gravity as well.
Scene BlockOnPlank(const Place& place) {
  const bool planar = place.dimension == 2;
  Body plank = planar ? MakeSheet("plank", {1.0, kThick}, {5, 2}, 1.0)
                      : MakeBlock("plank", {1.0, kThick, 0.6}, {5, 2, 4}, 1.0);
  Body block = planar ? MakeSheet("block", {kSide, kSide}, {2, 2}, 0.5)
                      : MakeBlock("block", {kSide, kSide, kSide}, {2, 2, 2}, 0.5);
  const Quaterniond turn(
      AngleAxisd(place.angle, planar ? Vector3d(0, 0, 1) : Vector3d(1, 2, 3).normalized()));
  block.position = turn * Vector3d(0.03, 0.5 * (kThick + kSide) + place.gap, 0.0);
  plank.orientation = block.orientation = turn;
  Scene scene = SceneOf({plank, block}, place.dimension);
  if (place.swapped) std::swap(scene.bodies[0], scene.bodies[1]);
  scene.gravity = turn * Vector3d(0.0, -kG, 0.0);
  const int of_plank = place.swapped ? 1 : 0;
  for (int p = 0; p < plank.size(); ++p) {
    scene.nails.push_back(NailWhereItStarts(scene, "plank", {of_plank, p}));
  }
  return scene;
}

// The lowest and the highest of the block's lower corners above the plank's top, and how far its middle has gone aside [m].
struct Rest {
  double lowest, highest, aside;
};
Rest RestOf(const Place& place, const Scene& scene, const Observation& seen) {
  const int body = place.swapped ? 0 : 1, first = scene.Offset(body), n = scene.bodies[body].size();
  const Quaterniond back = scene.bodies[body].orientation.conjugate();
  const Matrix3Xd x = back.toRotationMatrix() * seen.points.middleCols(first, n);
  const double top = 0.5 * kThick;
  return {x.row(1).minCoeff() - top, x.row(1).maxCoeff() - top - kSide,
          std::abs(x.row(0).mean() - 0.03)};
}

TEST(RestingBodies, StayWhereTheyAreReleased) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      for (const double gap : {0.0, 1e-16, 1e-12, -1e-12, 1e-9, -1e-9}) {
        for (const double angle : {0.0, M_PI, 0.7}) {
          for (const bool rigid : {false, true}) {
            for (const bool swapped : {false, true}) {
              SCOPED_TRACE(testing::Message()
                           << formulation << " " << dimension << "-D, gap " << gap << ", turned "
                           << angle << (rigid ? ", rigid" : "") << (swapped ? ", swapped" : ""));
              const Place place{dimension, gap, angle, swapped};
              const Scene scene = BlockOnPlank(place);
              ParameterValues parameters;
              if (rigid) parameters["rigid_bodies"] = std::vector<std::string>{"block"};
              const Translation translation = TranslateBy(formulation, scene, parameters);
              EXPECT_TRUE(translation.warnings.empty());
              const Rest rest =
                  RestOf(place, scene, RunFor(translation.simulation.get(), 250, 0.002));
              EXPECT_GT(rest.lowest, -kTolerance);
              EXPECT_LT(rest.highest, kTolerance);
              EXPECT_LT(rest.aside, 0.005);
            }
          }
        }
      }
    }
  }
}

// What is left of the fall of a step is of second order in it, and so is the energy that comes of it; the
// ledger closes at any step. Led out to a thickness, the block would gain m g d at every step.
TEST(RestingBodies, NothingIsGainedAsTheStepBecomesSmall) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      const Place place{dimension, 0.0};
      const Scene scene = BlockOnPlank(place);
      std::array<double, 3> off{}, made{}, open{};
      for (size_t i = 0; i < off.size(); ++i) {
        const double h = std::ldexp(0.002, -static_cast<int>(i));
        const Translation translation =
            TranslateBy(formulation, scene, {{"rigid_bodies", std::vector<std::string>{"block"}}});
        const double at_start = EnergyOf(scene, Observed(*translation.simulation));
        double least = 0.0;
        for (int step = 0; step < std::lround(0.5 / h); ++step) {
          const Observation now = RunFor(translation.simulation.get(), 1, h);
          const double passive = now.work->TotalWork();
          open[i] = std::max(open[i], std::abs(EnergyOf(scene, now) - at_start - passive));
          least = std::min(least, passive);
          made[i] = std::max(made[i], passive - least);
          const Rest rest = RestOf(place, scene, now);
          off[i] = std::max({off[i], -rest.lowest, rest.highest});
        }
      }
      SCOPED_TRACE(testing::Message()
                   << formulation << " " << dimension << "-D: off by " << off[0] << " " << off[1]
                   << " " << off[2] << " m, made " << made[0] << " " << made[1] << " " << made[2]
                   << " J, open " << open[0] << " " << open[1] << " " << open[2] << " J");
      EXPECT_GT(std::log2(off[0] / off[2]) / 2.0, 1.5);
      EXPECT_LT(made[2], 5e-5) << "of 0.49 J that the block would lose by sinking through";
      EXPECT_GT(std::log2(made[0] / made[2]) / 2.0, 1.5);
      EXPECT_LT(open[0], 1e-8);
      EXPECT_LT(open[2], std::max(1e-13, open[0]));
    }
  }
}

// What begins deeper inside than the sweeps tolerate comes out by no more in a step than it would have fallen in it,
// and is not thrown out.
TEST(RestingBodies, ThatBeginInsideComeOutSlowly) {
  constexpr double kDeep = 2e-3, kStep = 1e-3;
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(testing::Message() << formulation << " " << dimension << "-D");
      const Place place{dimension, -kDeep};
      const Scene scene = BlockOnPlank(place);
      const Translation translation =
          TranslateBy(formulation, scene, {{"rigid_bodies", std::vector<std::string>{"block"}}});
      double before = -kDeep;
      for (int step = 0; step < 20; ++step) {
        const Rest rest = RestOf(place, scene, RunFor(translation.simulation.get(), 1, kStep));
        EXPECT_LT(rest.highest - before, (step + 1.0) * kG * kStep * kStep) << step;
        EXPECT_GT(rest.lowest, -kDeep - kTolerance);
        before = std::max(before, rest.highest);
      }
    }
  }
}

// Blocks that stand flush on each other have side faces in one plane, which hold nothing.
TEST(RestingBodies, AFlushStackSlidesApartFreely) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2}) {
      for (const double gap : {0.0, -1e-9}) {
        for (const double speed : {0.5, -0.5}) {
          SCOPED_TRACE(testing::Message() << formulation << " " << dimension << " " << gap);
          Scene scene = BlockOnPlank({dimension, gap});
          scene.bodies[1].position.x() = 0.5 * (1.0 - kSide);
          scene.bodies[1].velocity.x() = speed;
          const Translation translation = TranslateBy(
              formulation, scene, {{"rigid_bodies", std::vector<std::string>{"block"}}});
          const Observation end = RunFor(translation.simulation.get(), 50, 0.002);
          const int n = scene.bodies[1].size();
          EXPECT_NEAR(end.points.rightCols(n).row(0).mean(), 0.4 + 0.1 * speed, 0.003);
          EXPECT_GT(end.points.rightCols(n).row(1).minCoeff(), 0.5 * kThick - kTolerance);
        }
      }
    }
  }
}

// On and under a sheet, which has no outside of its own: that of the block decides.
TEST(RestingBodies, ABlockOnASheetStaysOnItsSide) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double up : {1.0, -1.0}) {
      for (const double gap : {0.0, 1e-12, -1e-12}) {
        SCOPED_TRACE(testing::Message() << formulation << " " << up << " " << gap);
        Scene scene = SceneOf({Sheet(9), MakeBlock("block", {0.2, 0.2, 0.2}, {2, 2, 2}, 0.1)});
        scene.gravity = {0.0, 0.0, -up * kG};
        scene.bodies[1].position = {0.02, 0.03, up * (0.1 + gap)};
        for (int p = 0; p < scene.bodies[0].size(); ++p) {
          scene.nails.push_back(NailWhereItStarts(scene, "sheet", {0, p}));
        }
        const Translation translation =
            TranslateBy(formulation, scene, {{"rigid_bodies", std::vector<std::string>{"block"}}});
        const Observation end = RunFor(translation.simulation.get(), 250, 0.002);
        EXPECT_GT((up * end.points.rightCols(8).row(2)).minCoeff(), -1e-3);
      }
    }
  }
}

TEST(RestingBodies, SayThatTheyBeginInsideEachOther) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(testing::Message() << formulation << " " << dimension);
      const Scene deep = BlockOnPlank({dimension, -0.03});
      EXPECT_THAT(TranslateBy(formulation, deep).warnings,
                  Contains(HasSubstr("bodies 'plank' and 'block' begin 0.03 m inside each other")));
      Scene ignored = deep;
      ignored.contacts = {{0, 1, true}};
      EXPECT_TRUE(TranslateBy(formulation, ignored).warnings.empty());
      // A little inside, it stays there: out of there it would be thrown, or lifted.
      const Place place{dimension, -0.001};
      const Scene shallow = BlockOnPlank(place);
      const Translation translation =
          TranslateBy(formulation, shallow, {{"rigid_bodies", std::vector<std::string>{"block"}}});
      EXPECT_THAT(translation.warnings, Contains(HasSubstr("begin 0.001 m inside each other")));
      const Rest rest = RestOf(place, shallow, RunFor(translation.simulation.get(), 250, 0.002));
      EXPECT_GT(rest.lowest, -0.001 - kTolerance);
      EXPECT_LT(rest.highest, -0.001 + kTolerance);
    }
  }
}

// A rigid block on a slope that friction holds: sweeps that looked at depth alone left it creeping by g sin(10°) h, 2 mm/s at
// 1 ms, downhill and, by their order, aside.
TEST(RestingBodies, ARigidBlockThatFrictionHoldsStaysOnItsSlope) {
  const double slope = 10.0 * M_PI / 180.0;
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      for (const bool on_a_body : {false, true}) {
        Scene scene = SceneOf({MakeBlock("block", {kSide, kSide, kSide}, {2, 2, 2}, 1.0)}, 3);
        scene.bodies[0].position = {0.0, 0.0, 0.5 * kSide};
        scene.gravity = kG * Vector3d(std::sin(slope), 0.0, -std::cos(slope));
        if (on_a_body) {
          scene.bodies.push_back(MakeBlock("plank", {1.0, 0.6, kThick}, {2, 2, 2}, 1.0));
          scene.bodies[1].position = {0.0, 0.0, -0.5 * kThick};
          for (int p = 0; p < 8; ++p) {
            scene.nails.push_back(NailWhereItStarts(scene, "plank", {1, p}));
          }
          scene.contacts = {{0, 1, false, 0.3}};
        } else {
          scene.obstacles = {Floor("floor", Vector3d::UnitZ(), 0.3)};
        }
        const ParameterValues rigid = {{"rigid_bodies", std::vector<std::string>{"*"}},
                                       {"bounce", 0.0}};
        const Translation translation = TranslateBy(formulation, scene, rigid);
        const auto run = [&](double time) {
          return RunFor(translation.simulation.get(), static_cast<int>(std::lround(time / h)), h)
              .points.leftCols(8)
              .rowwise()
              .mean()
              .eval();
        };
        const Vector3d early = run(0.5);
        EXPECT_LT((run(0.5) - early).norm() / 0.5, 5e-3 * kG * std::sin(slope) * h)
            << formulation << " at " << h << (on_a_body ? ", on a body" : ", on the floor");
      }
    }
  }
}

Scene StackOfThree() {
  Scene scene = SceneOf({}, 3);
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(
        MakeBlock("block-" + std::to_string(i), {kSide, kSide, kSide}, {2, 2, 2}, 1.0));
    scene.bodies.back().position = {0.0, 0.0, (0.5 + i) * kSide};
  }
  scene.gravity = {0.0, 0.0, -kG};
  scene.obstacles = {Floor("floor", Vector3d::UnitZ(), 0.5)};
  scene.contacts = {{0, 1, false, 0.5}, {1, 2, false, 0.5}};
  return scene;
}

// Three rigid blocks on each other, without a joint: the middle one sank into the lower one by more than 2 cm in 1.7 s.
TEST(RestingBodies, ThreeRigidBlocksStandOnEachOther) {
  for (const char* formulation : kSweepingFormulations) {
    const Scene scene = StackOfThree();
    const Translation translation = TranslateBy(
        formulation, scene, {{"rigid_bodies", std::vector<std::string>{"*"}}, {"bounce", 0.0}});
    const Matrix3Xd before = Observed(*translation.simulation).points;
    const Matrix3Xd after = RunFor(translation.simulation.get(), 500, 2e-3).points;
    EXPECT_LT((after - before).colwise().norm().maxCoeff(), 2e-4) << formulation;
  }
}

// Sweeps that end before the contacts have their accuracy say so, also where no gap is left above the tolerance.
TEST(RestingBodies, ContactsThatSweepsLeaveUnresolvedDidNotConverge) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool alone :
         {false, true}) {  // one block on the floor: its contacts are with the obstacle
      Scene scene = StackOfThree();
      if (alone) {
        scene.bodies.resize(1);
        scene.contacts.clear();
      }
      const Translation translation = TranslateBy(formulation, scene,
                                                  {{"rigid_bodies", std::vector<std::string>{"*"}},
                                                   {"bounce", 0.0},
                                                   {"max_sweeps", 2},
                                                   {"min_sweeps", 1},
                                                   {"tolerance", 1e-2}});
      const StepOutcome outcome = translation.simulation->Advance(1e-3);
      EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged) << formulation << alone;
      EXPECT_THAT(outcome.quantity, HasSubstr("contact of")) << formulation << alone;
    }
  }
}

}  // namespace
}  // namespace pliant
