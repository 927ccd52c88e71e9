// Forces, masses, nails and contacts on several levels [Palazzi 1993, Ch. 4].

#include "solvers/displacement_constraints/levels.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "models/scene/metrics.h"
#include "models/scene/rigid_motion.h"
#include "models/scene/shapes.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kLevelsSeed = 14;
const std::vector<double> kFractions = {0.5, 0.3, 0.2};

DisplacementConstraintsOptions WithFractions(const std::vector<double>& fractions) {
  DisplacementConstraintsOptions options;
  options.force_fractions = fractions;
  return options;
}

// No sweeps: what a segment has after one step is what the forces gave it.
DisplacementConstraintsOptions WithoutSweeps(const std::vector<double>& fractions) {
  DisplacementConstraintsOptions options = WithFractions(fractions);
  options.min_sweeps = 0;
  options.tolerance = 1e6;
  return options;
}

// A 9×9 sheet of uneven masses.
Scene UnevenSheet() {
  RandomNumbers random(kLevelsSeed);
  Scene scene = Weightless({Sheet(9)});
  for (double& mass : scene.bodies[0].mass) mass *= 1.0 + 0.5 * random.Number();
  return scene;
}

// What the impulses of points give the segments of a net, in equal shares to incident endpoints.
VectorXd SharesOfSegments(const SegmentNet& net, const Eigen::RowVectorXd& of_points) {
  VectorXd shares = VectorXd::Zero(net.segments());
  for (int e = 0; e < 2 * net.segments(); ++e) {
    const int p = net.PointOf(e);
    shares[e / 2] += of_points[p] / static_cast<double>(net.Incident(p).size());
  }
  return shares;
}

TEST(ForceOnLevels, EveryLevelHasTheWholeMass) {
  const Scene scene = UnevenSheet();
  for (const SegmentInertia inertia : {SegmentInertia::kLumped, SegmentInertia::kRod}) {
    DisplacementConstraintsOptions options = WithFractions({0.25, 0.25, 0.25, 0.25});
    options.inertia = inertia;
    const auto simulation = Start(scene, options);
    for (const Level& level : simulation->levels()) {
      EXPECT_NEAR(level.segments.net().masses().sum(), scene.Masses().sum(), 1e-14);
    }
  }
}

TEST(ForceOnLevels, EveryLevelGetsItsFractionOfEveryImpulse) {
  Scene scene = UnevenSheet();
  const Vector3d impulse(0.1, -0.2, 0.3);
  for (const int point : {0, 1, 10, 40, 77}) {  // even, odd and doubly odd, at corner and border
    scene.impulses = {{"blow", {0, point}, impulse, 0.0}};
    for (const double filter : {0.0, 0.65}) {
      DisplacementConstraintsOptions options = WithFractions(kFractions);
      options.filter_fraction = filter;
      const auto simulation = Start(scene, options);
      for (const int steps : {1, 20}) {  // corrections conserve what a level has
        RunFor(simulation.get(), steps, 0.01);
        for (size_t l = 0; l < kFractions.size(); ++l) {
          const Vector3d momentum = Momentum(simulation->levels()[l].segments);
          EXPECT_LT((momentum - kFractions[l] * impulse).norm(), 1e-13)
              << "level " << l << ", point " << point;
        }
      }
    }
  }
}

TEST(ForceOnLevels, EveryLevelGetsItsFractionOfGravity) {
  Scene scene = UnevenSheet();
  scene.gravity = {0.0, -10.0, 0.0};
  const auto simulation = Start(scene, WithFractions(kFractions));
  const Observation end = RunFor(simulation.get(), 50, 0.01);
  for (size_t l = 0; l < kFractions.size(); ++l) {
    const Matrix3Xd& v = simulation->levels()[l].segments.velocities;
    EXPECT_LT((v.colwise() - Vector3d(0.0, -5.0 * kFractions[l], 0.0)).norm(), 1e-12);
  }
  EXPECT_LT((end.velocities->colwise() - Vector3d(0.0, -5.0, 0.0)).norm(), 1e-12);
}

// Restriction gives an odd point's force to the even points next to it by halves or quarters; a
// filter spreads it further on each level, and what is restricted is not filtered.
TEST(ForceOnLevels, FilterSpreadsAForceOverItsNeighbours) {
  const GridSize fine{9, 9}, coarse{5, 5};
  const double filter = 0.4, h = 0.01;
  const auto spread = [&](const GridSize& grid, const Eigen::RowVectorXd& at) {
    Eigen::RowVectorXd felt = Eigen::RowVectorXd::Zero(grid.size());
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        std::vector<int> around;
        if (u > 0) around.push_back(grid.Index(u - 1, v));
        if (u + 1 < grid.nu) around.push_back(grid.Index(u + 1, v));
        if (v > 0) around.push_back(grid.Index(u, v - 1));
        if (v + 1 < grid.nv) around.push_back(grid.Index(u, v + 1));
        felt[grid.Index(u, v)] += (1.0 - filter) * at[grid.Index(u, v)];
        for (const int p : around) {
          felt[p] += filter / static_cast<double>(around.size()) * at[grid.Index(u, v)];
        }
      }
    }
    return felt;
  };
  for (const auto& [u, v] : {std::pair{0, 0}, {3, 0}, {4, 4}, {3, 4}, {5, 3}}) {
    Scene scene = UnevenSheet();
    scene.impulses = {{"blow", {0, fine.Index(u, v)}, {0.0, 0.0, 1.0}, 0.0}};
    DisplacementConstraintsOptions options = WithoutSweeps({0.7, 0.3});
    options.filter_fraction = filter;
    const auto simulation = Start(scene, options);
    RunFor(simulation.get(), 1, h);

    Eigen::RowVectorXd on_fine = Eigen::RowVectorXd::Zero(81);
    Eigen::RowVectorXd on_coarse = Eigen::RowVectorXd::Zero(25);
    on_fine[fine.Index(u, v)] = 1.0;
    const double corners = (1 + u % 2) * (1 + v % 2);
    for (const int cu : {u / 2, (u + 1) / 2}) {
      for (const int cv : {v / 2, (v + 1) / 2}) on_coarse[coarse.Index(cu, cv)] = 1.0 / corners;
    }
    const std::array felt = {spread(fine, on_fine), spread(coarse, on_coarse)};
    for (const int l : {0, 1}) {
      EXPECT_NEAR(felt[l].sum(), 1.0, 1e-14) << "the filter keeps the force";
      const SegmentSystem& segments = simulation->levels()[l].segments;
      const VectorXd expected = (l == 0 ? 0.7 : 0.3) * SharesOfSegments(segments.net(), felt[l]);
      const VectorXd seen =
          segments.velocities.row(2).transpose().cwiseProduct(segments.net().masses());
      EXPECT_LT((seen - expected).norm(), 1e-14) << "level " << l << " point " << u << "," << v;
    }
  }
}

// A nail that moves is followed by every level with its fraction: coarse ones take theirs of the
// gap they see, the finest what is left.
TEST(NailsOnLevels, AreFollowedByEveryLevelWithItsFraction) {
  const double h = 0.01;
  const Vector3d speed(0.0, 0.0, 0.05);
  Scene scene = UnevenSheet();
  const Vector3d corner = scene.InitialPoints().col(80);
  scene.nails = {{"hand", {0, 80}, PathThrough({0.0, 1.0}, {corner, corner + speed})}};
  const auto simulation = Start(scene, SweptTo(1e-8, 100000, WithFractions(kFractions)));
  const Observation end = RunFor(simulation.get(), 1, h);
  for (size_t l = 0; l < kFractions.size(); ++l) {
    const Level& level = simulation->levels()[l];
    Matrix3Xd rates(3, level.segments.net().points());
    level.segments.PointVelocities(rates);
    const Vector3d of_nail = rates.col(rates.cols() - 1);  // the last corner, on every level
    EXPECT_LT((of_nail - kFractions[l] * speed).norm(), 2e-5) << "level " << l;
  }
  EXPECT_LT((end.points.col(80) - corner - h * speed).norm(), 1e-8);
}

TEST(NailsOnLevels, HoldOnEveryLevel) {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, 0.0, -10.0};
  scene.nails = {NailWhereItStarts(scene, "left", {0, 0}),
                 NailWhereItStarts(scene, "between", {0, 4 * 9 + 3})};
  const double h = 0.002;
  for (const auto& [fractions, prolongation] :
       {std::pair{std::vector{1.0}, GridProlongation::kSource},
        {std::vector{0.5, 0.5}, GridProlongation::kSource},
        {std::vector{0.4, 0.3, 0.3}, GridProlongation::kSource},
        {std::vector{0.5, 0.5}, GridProlongation::kBalanced},
        {std::vector{0.4, 0.3, 0.3}, GridProlongation::kBalanced}}) {
    DisplacementConstraintsOptions options = WithFractions(fractions);
    options.prolongation = prolongation;
    options.max_sweeps = 1000;
    const auto simulation = Start(scene, options);
    const double tolerance = options.tolerance / 8;
    for (int i = 0; i < 100; ++i) {
      const Observation o = RunFor(simulation.get(), 5, h);
      EXPECT_LE(*o.constraint_error, tolerance * 1.01);
      for (size_t l = 0; l < fractions.size(); ++l) {
        const Level& level = simulation->levels()[l];
        ASSERT_EQ(level.holds.size(), 2u);
        Matrix3Xd rates(3, level.segments.net().points());
        level.segments.PointVelocities(rates);
        // Each level keeps its own part of the motion from carrying the nailed point away: without
        // nails it would fall with 10 m/s after the last step.
        EXPECT_LT(rates.col(0).norm(), 0.5) << "level " << l;
      }
    }
  }
}

// Two bent chains, tied to each other between the points of coarse levels, fall as they are: a
// closed attachment does nothing on any level.
TEST(AttachmentsOnLevels, LeaveBodiesThatFallTogetherAlone) {
  RandomNumbers random(kLevelsSeed);
  Scene scene;
  scene.gravity = {0.0, -10.0, 0.0};
  for (const char* name : {"one", "two"}) {
    scene.bodies.push_back(MakeChain(name, {0, 0, 0}, {1, 0, 0}, 9, 1.0));
    scene.bodies.back().rest += 0.05 * random.Vectors(9);
  }
  const Matrix3Xd start = scene.InitialPoints();
  scene.bodies[1].position = start.col(3) - start.col(9 + 5);
  scene.attachments = {{"knot", {0, 3}, {1, 5}}};
  const auto simulation = Start(scene, WithFractions(kFractions));
  const Observation end = RunFor(simulation.get(), 50, 0.01);
  EXPECT_LT((end.velocities->colwise() - Vector3d(0.0, -5.0, 0.0)).norm(), 1e-10);
}

// The same where one of them is held: the knot holds.
TEST(AttachmentsOnLevels, HoldBodiesTogether) {
  Scene scene = SceneOf({MakeChain("one", {0, 0, 0}, {1, 0, 0}, 9, 1.0),
                         MakeChain("two", {0, 0, 0}, {1, 0, 0}, 9, 1.0)});
  scene.bodies[1].position = {-0.25, 0.0, 0.0};
  scene.attachments = {{"knot", {0, 3}, {1, 5}}};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  for (const std::vector<double>& fractions : {std::vector{1.0}, kFractions}) {
    DisplacementConstraintsOptions options = WithFractions(fractions);
    options.max_sweeps = 5000;
    const auto simulation = Start(scene, options);
    const Observation end = RunFor(simulation.get(), 200, 0.002);
    EXPECT_LE(*end.constraint_error, 1.01 * options.tolerance / 8);
    EXPECT_LE((end.points.col(3) - end.points.col(9 + 5)).norm(), *end.constraint_error + 1e-15);
    EXPECT_LT(end.points.row(1).minCoeff(), -0.2) << "it swings";
  }
}

// Of the way out of an obstacle each level takes its fraction: a still sheet that a ball touches
// from below, at a corner, which all levels have, or at a point that coarse levels see between
// theirs.
TEST(ContactOnLevels, IsAnsweredByEveryLevelWithItsFraction) {
  const double h = 0.01, deep = 0.0004;
  for (const int touched : {80, 8 * 9 + 5, 3 * 9 + 5}) {
    Scene scene = UnevenSheet();
    const Vector3d below = scene.InitialPoints().col(touched) - Vector3d(0, 0, 0.1);
    scene.obstacles = {
        {"ball", Sphere{0.1}, PathThrough({0.0, h}, {below, below + Vector3d(0, 0, deep)})}};
    DisplacementConstraintsOptions options = SweptTo(1e-8, 100000, WithFractions(kFractions));
    options.bounce = 0.0;
    const auto simulation = Start(scene, options);
    const Observation end = RunFor(simulation.get(), 1, h);
    for (size_t l = 0; l < kFractions.size(); ++l) {
      const Level& level = simulation->levels()[l];
      Matrix3Xd rates(3, level.segments.net().points());
      level.segments.PointVelocities(rates);
      ASSERT_EQ(level.contacts.size(), 1u);
      const WeightedPoint& where = level.contacts[0].where;
      double rate = 0.0;
      for (int i = 0; i < where.count; ++i) rate += where.weight[i] * rates(2, where.point[i]);
      EXPECT_NEAR(rate, kFractions[l] * deep / h, 2e-5) << "level " << l << ", point " << touched;
    }
    EXPECT_NEAR(end.points(2, touched), deep, 1e-7);
  }
}

// [Palazzi 1993, Figs. 4.9–4.11]: a blow on a corner bends a sheet whose finest level takes it all,
// moves it as a whole where the coarsest does, and is answered in between by equal fractions.
TEST(FractionsOfLevels, DecideHowLocallyABlowIsAnswered) {
  Scene scene = Weightless({Sheet(9)});
  scene.impulses = {{"blow", {0, 80}, {0.0, 0.0, 0.3}, 0.0}};
  const auto share = [&](const std::vector<double>& fractions) {
    const auto simulation = Start(scene, WithFractions(fractions));
    const Observation end = RunFor(simulation.get(), 5, 0.01);
    return *RigidShare(scene, end.points, *end.velocities);
  };
  const double local = share({1.0, 0.0, 0.0, 0.0});
  const double even = share({0.25, 0.25, 0.25, 0.25});
  const double global = share({0.0, 0.0, 0.0, 1.0});
  EXPECT_LT(local, 0.5);
  EXPECT_LT(local + 0.1, even);
  EXPECT_LT(even + 0.1, global);
}

// --- Momentum on levels --------------------------------------------------------------------------

// A sheet struck off its middle, and what of its blow and its way is no longer there.
struct StruckSheet {
  double momentum = 0.0, way = 0.0;  // largest share missing, of a step
};
StruckSheet Strike(const std::vector<double>& fractions, GridProlongation prolongation,
                   const Vector3d& initial) {
  const double h = 0.0025;
  Scene scene = UnevenSheet();
  scene.bodies[0].velocity = initial;
  scene.impulses = {{"blow", {0, 9 * 5 + 7}, {0.2, -0.1, 0.5}, 0.0}};
  const VectorXd masses = scene.Masses();
  const Vector3d whole = masses.sum() * initial + scene.impulses[0].impulse;
  const Vector3d centre = scene.InitialPoints() * masses;
  DisplacementConstraintsOptions options = WithFractions(fractions);
  options.prolongation = prolongation;
  options.max_sweeps = 5000;
  const auto simulation = Start(scene, options);
  StruckSheet lost;
  for (int i = 1; i <= 120; ++i) {
    const Observation o = RunFor(simulation.get(), 1, h);
    const Vector3d way = o.points * masses - centre;
    const Vector3d expected = h * i * whole - 0.5 * h * scene.impulses[0].impulse;
    lost.momentum = std::max(lost.momentum, (*o.velocities * masses - whole).norm() / whole.norm());
    lost.way = std::max(lost.way, (way - expected).norm() / expected.norm());
  }
  return lost;
}

TEST(MomentumOnLevels, StaysToRoundingWhereProlongationIsBalanced) {
  for (const auto& fractions :
       {std::vector{0.5, 0.5}, std::vector{0.1, 0.9}, std::vector{0.25, 0.25, 0.25, 0.25},
        std::vector{0.4, 0.0, 0.5, 0.1}, std::vector{0.0, 0.0, 0.0, 1.0}}) {
    SCOPED_TRACE(testing::Message() << fractions.size() << " levels, " << fractions[0]);
    const StruckSheet lost = Strike(fractions, GridProlongation::kBalanced, {0.1, 0.2, -0.3});
    EXPECT_LT(lost.momentum, 1e-12);
    EXPECT_LT(lost.way, 1e-12) << "the centre of mass goes straight";
  }
}

// Offsets that turn by themselves take mass with them that no level knows of.
TEST(MomentumOnLevels, DriftsWithTheProlongationOfTheSource) {
  EXPECT_LT(Strike({1.0}, GridProlongation::kSource, {0, 0, 0}).momentum, 1e-12);
  for (const auto& fractions : {std::vector{0.5, 0.5}, std::vector{0.25, 0.25, 0.25, 0.25}}) {
    EXPECT_GT(Strike(fractions, GridProlongation::kSource, {0, 0, 0}).momentum, 0.02);
  }
}

// A level that moves rigidly takes every finer level along as it is.
TEST(FractionsOfLevels, WholeForceOnTheCoarsestKeepsAFlatSheetFlat) {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, -10.0, 0.0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
  scene.impulses = {{"blow", {0, 80}, {0.3, 0.1, 0.0}, 0.0}};
  const auto simulation = Start(scene, WithFractions({0.0, 0.0, 0.0, 1.0}));
  const Observation end = RunFor(simulation.get(), 50, 0.01);
  EXPECT_LT(MeasureEdgeStrain(scene, end.points)->max, 0.01);
}

// --- Levels as a solver of segments --------------------------------------------------------------

// Ways that keep the lengths are followed exactly; any ways move the centre of mass by what they
// are worth.
TEST(SweepsThroughLevels, SegmentsFollowTheirPoints) {
  RandomNumbers random(31);
  const Scene scene = Weightless({Sheet(5)});
  for (const auto inertia :
       {SegmentInertia::kLumped, SegmentInertia::kRod, SegmentInertia::kIdentity}) {
    DisplacementConstraintsOptions options;
    options.inertia = inertia;
    SegmentSystem segments = Start(scene, options)->levels()[0].segments;
    const Matrix3Xd start = scene.InitialPoints();
    Matrix3Xd points = start;
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(0.8, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    const Matrix3Xd turned = (turn * start).colwise() + Vector3d(0.1, 0.2, 0.3);
    segments.Follow(turned - start);
    segments.Points(points);
    EXPECT_LT((points - turned).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT(segments.LargestGap().size, 1e-14);

    const Matrix3Xd ways = 0.1 * random.Vectors(25);
    const Matrix3Xd centres = segments.centres, axes = segments.axes;
    segments.Follow(ways);
    const Vector3d moved = (segments.centres - centres) * segments.net().masses();
    EXPECT_GT((segments.axes - axes).norm(), 0.1);
    EXPECT_LT((moved - ways * segments.PointMasses()).norm(), 1e-14);
    EXPECT_LT((segments.axes.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-15);
    if (inertia == SegmentInertia::kLumped) {
      EXPECT_LT((segments.PointMasses() - scene.Masses()).norm(), 1e-14);
    }
  }
}

TEST(SweepsThroughLevels, KeepTheMomentumOfABlow) {
  Scene scene = Weightless({Sheet(9)});
  const Vector3d impulse(0.1, -0.2, 0.3);
  scene.impulses = {{"blow", {0, 80}, impulse, 0.0}};
  for (const auto inertia : {SegmentInertia::kLumped, SegmentInertia::kRod}) {
    DisplacementConstraintsOptions options;
    options.inertia = inertia;
    options.solver_levels = 4;
    const auto simulation = Start(scene, options);
    RunFor(simulation.get(), 50, 0.005);
    EXPECT_LT((Momentum(simulation->levels()[0].segments) - impulse).norm(), 1e-12);
  }
}

// A chain that falls into its nail and pulls taut: the load of all below travels in long strides.
TEST(SweepsThroughLevels, SpareTheSweepsOfAChainThatHangs) {
  const auto run = [](int points, int levels, double lifted) {
    Scene scene = SceneOf({MakeChain("rope", {0, 0, 0}, {0, -2, 0}, points, 1.0)});
    scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
    scene.nails[0].path =
        PathThrough({0.0, 0.4}, {{0, 0, 0}, {0, lifted, 0}}, Path::Interpolation::kCubic);
    DisplacementConstraintsOptions options;
    options.solver_levels = levels;
    options.max_sweeps = 100000;
    return RunFor(Start(scene, options).get(), 20, 0.01);
  };
  const Observation alone = run(33, 1, 0.0), levels = run(33, 6, 0.0), longer = run(65, 7, 0.0);
  const Observation lifted = run(33, 6, 2.0);
  EXPECT_LT((alone.points - levels.points).colwise().norm().maxCoeff(), 0.01);
  EXPECT_LT(*levels.iterations, *alone.iterations / 20);
  EXPECT_LT(*longer.iterations, 2 * *levels.iterations) << "whatever the number of points";
  EXPECT_LT(*lifted.iterations, 50) << "levels know where nails go";
}

}  // namespace
}  // namespace pliant::displacement_constraints
