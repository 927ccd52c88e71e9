// Steps that compute only where something happens.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "models/scene/shapes.h"
#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "tests/models/geometry/meshes.h"
#include "tests/solvers/kinematic_response/stepped_surface.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// What two of them show is the same in every bit.
void ExpectSame(const SteppedSurface& one, const DeformationSummary& of_one,
                const SteppedSurface& other, const DeformationSummary& of_other) {
  ASSERT_EQ(one.surface(), other.surface());
  ASSERT_EQ(one.offsets.elastic, other.offsets.elastic);
  ASSERT_EQ(one.offsets.plastic, other.offsets.plastic);
  ASSERT_EQ(of_one.pressed, of_other.pressed);
  ASSERT_EQ(of_one.longest_displacement, of_other.longest_displacement);
  ASSERT_EQ(of_one.largest_move, of_other.largest_move);
}

// A sheet of 2 m with hills.
Body Hills(int points) {
  Body sheet = MakeSheet("hills", {2, 2}, {points, points}, 1.0);
  for (int i = 0; i < sheet.size(); ++i) {
    sheet.rest(2, i) = 0.05 * std::sin(5.0 * sheet.rest(0, i)) * std::cos(4.0 * sheet.rest(1, i));
  }
  return sheet;
}

std::vector<LevelControls> FineOnly(int levels) {
  std::vector<LevelControls> controls(levels, {.absorption = 0.0, .retention = 0.9});
  controls[levels - 2].absorption = 0.3;
  controls[levels - 3] = {.absorption = -0.1, .damping = 0.7, .retention = 0.8, .yield = 0.01};
  return controls;
}

TEST(Locality, IsAnsweredAsIfEverythingWereLookedAt) {
  const ObstacleShape shape = Sphere{0.1};
  for (const bool coarse : {false, true}) {
    SteppedSurface local(Hills(257)), whole(Hills(257));
    auto controls = FineOnly(local.levels());
    if (coarse) controls[1].absorption = 0.2;
    for (int step = 0; step < 24; ++step) {
      const double t = step / 12.0;  // presses, slides, leaves
      const std::vector<CastObstacle> ball = {
          {&shape, {-0.52 + 0.3 * t, 0.41, 0.2 - 0.2 * std::sin(1.7 * t)}, Vector3d::UnitX(), 0.3}};
      whole.response.Place(whole.offsets);  // forgets what it knows of its strips
      const DeformationSummary a = local.Step(controls, ball), b = whole.Step(controls, ball);
      ASSERT_NO_FATAL_FAILURE(ExpectSame(local, a, whole, b)) << step;
    }
  }
}

// What a step looks at is what it costs: beside the ball little more than the children of what
// the three fine levels absorb, and nothing once all has recovered.
TEST(Locality, AStepWalksOverWhatIsNear) {
  const ObstacleShape shape = Sphere{0.05};
  SteppedSurface subject(Hills(513));
  std::vector<Eigen::AlignedBox3d> reaches;
  const auto walked = [&](const std::vector<LevelControls>& controls,
                          const std::vector<CastObstacle>& obstacles) {
    const std::int64_t before = subject.response.strips_walked();
    ReachesOf(obstacles, &reaches);
    subject.response.Relax(controls, subject.offsets, reaches);
    CastDisplacements(obstacles, &subject.response);
    subject.response.RestrictDisplacements();
    subject.response.Deform(controls, &subject.offsets);
    return subject.response.strips_walked() - before;
  };
  const std::vector<LevelControls> fine = FineOnly(subject.levels());
  const std::vector<CastObstacle> ball = {{&shape, {0.31, 0.22, 0.0}, -Vector3d::UnitZ(), 0.0}};
  std::int64_t all = 0;
  for (int level = 0; level < subject.levels(); ++level) {
    all += StripMap(subject.response.model().grid(level)).size();
  }
  std::vector<LevelControls> stiff = fine;
  stiff[1].absorption = 0.5;
  for (int step = 0; step < 3; ++step) walked(fine, ball);
  const std::int64_t local = walked(fine, ball);
  EXPECT_GT(local, 0);
  EXPECT_LT(local, 2 * all / 12);  // of two stages
  for (int step = 0; step < 3; ++step) walked(stiff, ball);
  EXPECT_GT(walked(stiff, ball), all);  // a coarse level takes everything along
  // What neither recovers nor yields stays without work, what recovers at once is soon gone.
  const std::vector<LevelControls> still(subject.levels(), LevelControls{});
  for (int step = 0; step < 3; ++step) walked(still, {});
  EXPECT_EQ(walked(still, {}), 0);
  EXPECT_GT(subject.offsets.elastic.back().cwiseAbs().maxCoeff(), 1e-3);
  std::vector<LevelControls> quick = fine;
  for (LevelControls& level : quick) level.retention = 0.0;
  for (int step = 0; step < 3; ++step) walked(quick, {});
  EXPECT_EQ(walked(quick, {}), 0);
}

TEST(Threads, ChangeNothing) {
  const ObstacleShape shape = Sphere{0.5};
  for (const Restriction restriction : {Restriction::kAverage, Restriction::kFullWeighting}) {
    SteppedSurface one(Hills(257), restriction),
        three(Hills(257), restriction, Prolongation::kCubic, 3);
    std::vector<LevelControls> controls(one.levels(), {.absorption = 0.1, .retention = 0.9});
    controls[3].yield = 0.01;
    for (int step = 0; step < 6; ++step) {
      const std::vector<CastObstacle> ball = {
          {&shape, {0.05 * step - 0.1, 0.1, 0.5 - 0.05 * step}, Vector3d::UnitX(), 0.3}};
      const DeformationSummary a = one.Step(controls, ball), b = three.Step(controls, ball);
      ASSERT_NO_FATAL_FAILURE(ExpectSame(one, a, three, b)) << step;
    }
    const StripMap& strips = three.response.strips();
    EXPECT_GT(three.response.PiecesOf(strips.size(), strips.rows()), 3);
    EXPECT_EQ(one.response.PiecesOf(strips.size(), strips.rows()), 1);
    EXPECT_EQ(one.response.strips_walked(), three.response.strips_walked());
  }
}

TEST(Bounds, AreWatchedWhereverTheSurfaceMoves) {
  SteppedSurface subject(Hills(129));
  const auto controls = FineOnly(subject.levels());
  const ObstacleShape shape = Sphere{0.1};
  EXPECT_TRUE(subject.response.WithinBounds(1.5));
  subject.Step(controls, {{&shape, {0.3, 0.2, 0.05}, Vector3d::Zero(), 0.0}});
  EXPECT_TRUE(subject.response.WithinBounds(1.5));
  // One vertex goes astray in the next step.
  for (const double astray : {2.0, -2.0, HUGE_VAL}) {
    subject.Step(controls, {{&shape, {0.3, 0.2, 0.05}, Vector3d::Zero(), 0.0}});
    const SurfaceOffsets before = subject.offsets;
    for (int i = 0; i < subject.offsets.elastic.back().rows(); ++i) {
      if (subject.response.displacement(i).isZero(0.0)) continue;
      subject.offsets.elastic.back()(i, 2) = astray;
      break;
    }
    subject.Step(controls, {{&shape, {0.3, 0.2, 0.05}, Vector3d::Zero(), 0.0}});
    subject.StepFreely(controls);
    EXPECT_FALSE(subject.response.WithinBounds(1.5)) << astray;
    EXPECT_FALSE(subject.response.WithinBounds(1.5)) << astray;  // until it is mended
    subject.offsets = before;
    subject.response.Place(subject.offsets);
    EXPECT_TRUE(subject.response.WithinBounds(1.5));
  }
}

TEST(Locality, CastsWhatThePlainCastingCasts) {
  const ObstacleShape ball = Sphere{0.3}, box = Box{{0.2, 0.4, 0.3}},
                      ceiling = Plane{-Vector3d::UnitZ()};
  SteppedSurface subject(Hills(129));
  const std::vector<LevelControls> controls(subject.levels(), LevelControls{.absorption = 0.1});
  GridVectors plain(subject.response.model().finest().size(), 3);
  for (int step = 0; step < 4; ++step) {
    const std::vector<CastObstacle> obstacles = {
        {&ball, {0.3 + 0.1 * step, 0.2, 0.25}, -Vector3d::UnitZ(), 0.4},
        {&box, {-0.4, -0.3 + 0.2 * step, 0.2}, Vector3d::UnitY(), 0.9},
        {&ceiling, {0, 0, 0.04}, Vector3d::Zero(), 0.0}};
    subject.response.Relax(controls, subject.offsets);
    CastDisplacements(obstacles, subject.response.model().finest(), subject.response.relaxed(),
                      subject.response.shortest_displacement(), &plain);
    CastDisplacements(obstacles, &subject.response);
    for (Eigen::Index i = 0; i < plain.rows(); ++i) {
      const Vector3d expected = plain.row(i);
      ASSERT_EQ(subject.response.displacement(static_cast<int>(i)), expected) << step << " " << i;
    }
    EXPECT_GT(plain.cwiseAbs().maxCoeff(), 0.1);
    subject.response.RestrictDisplacements();
    subject.response.Deform(controls, &subject.offsets);
  }
}

// Large enough to have several strips in a row, and where to press them.
struct Pressed {
  Body body;
  Vector3d from, to;  // of a ball of 0.1 m
};
std::vector<Pressed> LargeBodies() {
  Body waves = MakeChain("waves", {-2, 0, 0}, {2, 0, 0}, 1025, 1.0);
  for (int i = 0; i < waves.size(); ++i) waves.rest(1, i) = 0.02 * std::sin(40 * waves.rest(0, i));
  return {{Hills(257), {-0.9, 0.1, 0.12}, {0.95, 0.3, -0.02}},
          {MakeTorus("torus", 1.0, 0.4, {192, 96}, 1.0), {1.48, -0.3, 0}, {1.3, 0.3, 0.2}},
          {MakeTube("tube", 0.5, 2.0, {192, 65}, 1.0), {0.55, -0.1, -0.9}, {0.5, 0.2, 1.0}},
          {waves, {-1.9, 0.08, 0}, {1.9, -0.1, 0}}};
}

// What nothing can press is not placed twice in a step, and nobody can tell.
TEST(Locality, WhatNothingPressesIsPutOff) {
  const ObstacleShape shape = Sphere{0.1};
  std::vector<Eigen::AlignedBox3d> reaches;
  for (const Prolongation prolongation :
       {Prolongation::kLinear, Prolongation::kCubic, Prolongation::kSubdivision}) {
    for (const Pressed& pressed : LargeBodies()) {
      SteppedSurface hasty(pressed.body, Restriction::kAverage, prolongation),
          whole(pressed.body, Restriction::kAverage, prolongation);
      std::vector<LevelControls> controls(hasty.levels(), {.absorption = 0.15, .retention = 0.9});
      controls[2].absorption = -0.05;
      int put_off = 0, strips = 0;
      for (int step = 0; step < 16; ++step) {
        const std::vector<CastObstacle> ball = {
            {&shape, pressed.from + step / 15.0 * (pressed.to - pressed.from),
             (pressed.to - pressed.from).normalized(), 0.1}};
        if (step % 5 == 4) {  // another way of asking in between
          hasty.response.Relax(controls, hasty.offsets);
        }
        ReachesOf(ball, &reaches);
        hasty.response.Relax(controls, hasty.offsets, reaches);
        CastDisplacements(ball, &hasty.response);
        for (int strip = 0; strip < hasty.response.strips().size(); ++strip) {
          put_off += hasty.response.box(strip).isEmpty() ? 1 : 0;
          ++strips;
        }
        hasty.response.RestrictDisplacements();
        const DeformationSummary a = hasty.response.Deform(controls, &hasty.offsets),
                                 b = whole.Step(controls, ball);
        ASSERT_NO_FATAL_FAILURE(ExpectSame(hasty, a, whole, b)) << pressed.body.name << " " << step;
        ASSERT_TRUE(hasty.response.WithinBounds(3.0));
      }
      EXPECT_GT(put_off, strips / 6) << pressed.body.name;
    }
  }
}

// No vertex is ever outside of what its strip is said to reach, however rough the level below.
TEST(StripReach, HoldsEveryVertex) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const Prolongation prolongation :
       {Prolongation::kLinear, Prolongation::kCubic, Prolongation::kSubdivision}) {
    for (const Pressed& pressed : LargeBodies()) {
      const MultiresolutionSurface model = SurfaceOf(pressed.body, pressed.body.rest, prolongation);
      StripReach reach(model);
      SurfaceOffsets offsets = model.ZeroOffsets();
      const int below = model.levels() - 2;
      GridVectors& rough = offsets.elastic[below];
      rough = GridVectors::NullaryExpr(rough.rows(), 3, [&] { return 0.2 * uniform(generator); });
      LevelVectors surface = model.ZeroVectors();
      FramedRows rows(model.finest());
      model.Place(offsets, std::vector<VertexValues>(model.levels(), 1.0), &rows, &surface);
      StripMap all(model.grid(below));
      all.Fill(true);
      reach.Follow(surface[below], all, 0, all.rows());
      const GridSize& grid = model.finest();
      const Vector3d tiny = Vector3d::Constant(1e-12), away(0, 0, 3);
      for (int i = 0; i < grid.size(); ++i) {
        const Vector3d x = surface.back().row(i);
        const int strip = i % grid.nu / kStripLength, row = i / grid.nu;
        const std::array<Eigen::AlignedBox3d, 2> boxes = {
            Eigen::AlignedBox3d(x - tiny + away, x + tiny + away),
            Eigen::AlignedBox3d(x - tiny, x + tiny)};
        ASSERT_TRUE(reach.Meets(strip, row, boxes)) << pressed.body.name << " " << i;
        ASSERT_FALSE(reach.Meets(strip, row, std::span(boxes).first(1)));
      }
    }
  }
}

TEST(Locality, SmallOffsetsEndAtZero) {
  const ObstacleShape shape = Sphere{0.3};
  SteppedSurface subject(Hills(33));
  const std::vector<LevelControls> controls(subject.levels(),
                                            {.absorption = 0.2, .retention = 0.5});
  subject.Step(controls, {{&shape, {0, 0, 0.2}, Vector3d::Zero(), 0.0}});
  EXPECT_GT(subject.offsets.elastic.back().cwiseAbs().maxCoeff(), 0.01);
  for (int step = 0; step < 80; ++step) subject.Step(controls, {});
  for (const GridVectors& level : subject.offsets.elastic) {
    EXPECT_EQ(level.cwiseAbs().maxCoeff(), 0.0);
  }
  EXPECT_LT((subject.surface() - Hills(33).rest.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

// Surfaces around the z-axis, and how far the index moves when they turn by a third of a circle.

}  // namespace
}  // namespace pliant::kinematic_response
