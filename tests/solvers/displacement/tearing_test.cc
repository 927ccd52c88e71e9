// Nets of segments that break, on one level and on several.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/displacement/backend.h"
#include "tests/solvers/displacement/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

DisplacementOptions Breakable(std::vector<double> fractions, double force = 1e9) {
  DisplacementOptions options;
  options.force_fractions = std::move(fractions);
  options.break_force = force;
  options.velocity_update = VelocityUpdate::kEulerCromer;
  return options;
}

// Column 2 of a sheet of 9 points a side is cut from column 3, a point and a pair out of the rest.
int PartOf(int point) {
  const int u = point % 9, v = point / 9;
  if (u == 5 && v == 5) return 2;
  if (u == 7 && (v == 5 || v == 6)) return 3;
  return u < 3 ? 0 : 1;
}

// A state begins with a number for each edge, 1 where it is broken.
void CutSheet(DisplacementSimulation* simulation) {
  VectorXd state = simulation->Save();
  const auto& edges = simulation->levels()[0].segments.net().edges();
  for (int e = 0; e < 2 * 9 * 8; ++e) {
    if (PartOf(edges[e][0]) != PartOf(edges[e][1])) state[e] = 1.0;
  }
  simulation->Restore(state);
}

// Of a chain that hangs still, each segment bears the weight below it: where the first one bears
// too much, the chain parts there and what is below falls.
TEST(Tearing, SegmentsThatBearTooMuchBreak) {
  Scene scene = Alone(MakeChain("chain", {0, 0, 0}, {0, -2, 0}, 9, 1.0));
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  const double below = scene.Masses().tail(8).sum();
  const double top = below * kG, second = (below - scene.bodies[0].mass[1]) * kG;
  const auto run = [&scene](double force, std::unique_ptr<DisplacementSimulation>* simulation) {
    DisplacementOptions options = Breakable({1.0}, force);
    options.tolerance = 1e-7;
    options.max_sweeps = 20000;
    *simulation = Start(scene, options);
    return RunFor(simulation->get(), 20, 0.01);
  };
  std::unique_ptr<DisplacementSimulation> simulation;
  Observation end = run(1.01 * top, &simulation);
  EXPECT_TRUE(simulation->events().empty());
  EXPECT_LT(end.velocities->norm(), 1e-3);

  end = run(0.5 * (top + second), &simulation);
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_EQ(simulation->events()[0].what,
            "the edge from point 0 of chain to point 1 of chain breaks");
  for (int i = 1; i < 9; ++i) EXPECT_NEAR((*end.velocities)(1, i), -19 * 0.01 * kG, 1e-4) << i;
  EXPECT_EQ(end.points.col(0), Vector3d::Zero()) << "the nail keeps its point";
}

// A spinning rod of two points is torn by m ω² r.
TEST(Tearing, SpinningSegmentsBearTheirCentripetalForce) {
  Scene scene = Alone(MakeChain("rod", {-1, 0, 0}, {1, 0, 0}, 2, 2.0));
  scene.bodies[0].angular_velocity = {0.0, 0.0, 3.0};
  for (const bool breaks : {false, true}) {
    const auto simulation = Start(scene, Breakable({1.0}, breaks ? 8.99 : 9.01));
    const Observation end = RunFor(simulation.get(), 3, 0.001);
    EXPECT_EQ(simulation->events().size(), breaks ? 1u : 0u);
    EXPECT_NEAR((end.velocities->col(1) - end.velocities->col(0)).norm(), 6.0, 1e-12);
  }
}

// Forces on two opposite borders of a sheet give each of its rows the same tension, whatever the
// levels that bear it: what all of them bear together decides.
TEST(Tearing, TensionsOfAllLevelsAddUp) {
  Scene scene = Alone(Sheet(9));
  for (int v = 0; v < 9; ++v) {
    const double share = v == 0 || v == 8 ? 0.5 : 1.0;
    scene.impulses.push_back({"left" + std::to_string(v), {0, 9 * v}, {-share, 0, 0}, 0.0});
    scene.impulses.push_back({"right" + std::to_string(v), {0, 9 * v + 8}, {share, 0, 0}, 0.0});
  }
  for (const auto& fractions :
       {std::vector{1.0}, std::vector{0.25, 0.25, 0.25, 0.25}, std::vector{0.0, 0.0, 0.0, 1.0}}) {
    for (const bool breaks : {false, true}) {
      DisplacementOptions options = Breakable(fractions, breaks ? 90.0 : 110.0);
      options.tolerance = 1e-6;
      options.max_sweeps = 20000;
      const auto simulation = Start(scene, options);
      simulation->Advance(0.01);
      EXPECT_EQ(!simulation->events().empty(), breaks) << fractions.size() << " levels";
    }
  }
}

TEST(Tearing, KeepsMomentumPointsAndVelocities) {
  for (const auto& fractions : {std::vector{1.0}, std::vector{0.25, 0.25, 0.25, 0.25}}) {
    Scene scene = Alone(Sheet(9));
    scene.impulses = {{"up", {0, 10}, {0.3, 0.1, 2.0}, 0.0}, {"down", {0, 43}, {0, 0, -1.5}, 0.0}};
    const auto simulation = Start(scene, Breakable(fractions, 30.0));
    int broken = 0;
    for (int i = 0; i < 30; ++i) {
      RunFor(simulation.get(), 1, 0.01);
      broken = static_cast<int>(simulation->events().size());
      Observation o;
      simulation->Observe(&o);
      const Vector3d momentum = *o.velocities * scene.Masses();
      EXPECT_LT((momentum - Vector3d(0.3, 0.1, 0.5)).norm(), 1e-12);
      const Vector3d centre = o.points * scene.Masses();
      EXPECT_LT((centre - Vector3d(scene.InitialPoints() * scene.Masses()) -
                 0.01 * (i + 1) * momentum)
                    .norm(),
                1e-12);
    }
    EXPECT_GT(broken, 0);
  }
}

// The ledger accounts for what a tear takes: nothing is left for the residual but the second order
// of a step.
TEST(Tearing, BooksWhatItTakes) {
  Scene scene = Alone(Sheet(9));
  scene.impulses = {{"up", {0, 10}, {0, 0, 2.0}, 0.0}, {"down", {0, 43}, {0, 0, -1.5}, 0.0}};
  const auto simulation = Start(scene, Breakable({0.5, 0.5}, 30.0));
  const Observation end = RunFor(simulation.get(), 30, 0.01);
  ASSERT_FALSE(simulation->events().empty());
  const double kinetic = KineticEnergy(scene.Masses(), *end.velocities);
  EXPECT_NEAR(kinetic, end.work.Sum(), 0.02 * kinetic);
}

// On every level each part has its whole mass or none.
TEST(Tearing, LevelsHaveTheMassOfEveryPart) {
  const Scene scene = Alone(Sheet(9));
  const auto simulation = Start(scene, Breakable({0.1, 0.2, 0.3, 0.4}));
  CutSheet(simulation.get());
  const GridLevels grids({GridSize{9, 9}}, 4);
  for (int l = 0; l < 4; ++l) {
    const SegmentNet& net = simulation->levels()[l].segments.net();
    double part[4] = {};
    for (int p = 0; p < 81; ++p) part[PartOf(p)] -= scene.Masses()[p];
    for (int e = 0; e < 2 * net.segments(); ++e) {
      part[PartOf(grids.FinestPoint(l, net.PointOf(e)))] += net.EndpointMass(e);
    }
    EXPECT_NEAR(part[0], 0.0, 1e-15);
    EXPECT_NEAR(part[1], 0.0, 1e-15);
    if (l == 0) {
      EXPECT_NEAR(part[2], 0.0, 1e-15);
      EXPECT_NEAR(part[3], 0.0, 1e-15);
    }
  }
}

// All parts fall alike, those too that no coarse level carries: each feels the whole of gravity.
TEST(Tearing, EveryPartFeelsTheWholeForce) {
  Scene scene = Alone(Sheet(9));
  scene.gravity = {1.0, 0.0, -kG};
  scene.impulses = {{"blow", {0, 9 * 5 + 5}, {0.0, 0.3, 0.0}, 0.0}};
  const auto simulation = Start(scene, Breakable({0.1, 0.2, 0.3, 0.4}));
  CutSheet(simulation.get());
  const Observation end = RunFor(simulation.get(), 10, 0.01);
  for (int p = 0; p < 81; ++p) {
    Vector3d expected = 0.1 * scene.gravity;
    if (PartOf(p) == 2) expected.y() = 0.3 / scene.Masses()[p];
    EXPECT_LT((end.velocities->col(p) - expected).norm(), 1e-12) << "point " << p;
  }
}

// A blow to one part leaves the others where they are, on all levels; on its own it has the whole
// momentum.
TEST(Tearing, PartsDoNotFeelEachOther) {
  Scene scene = Alone(Sheet(9));
  const Vector3d blow(0.1, 0.2, 1.0);
  scene.impulses = {{"blow", {0, 9 * 3 + 2}, blow, 0.0}};
  DisplacementOptions options = Breakable({0.1, 0.2, 0.3, 0.4});
  options.filter_fraction = 0.65;
  const auto simulation = Start(scene, options);
  CutSheet(simulation.get());
  const Observation end = RunFor(simulation.get(), 20, 0.01);
  Vector3d momentum = Vector3d::Zero();
  for (int p = 0; p < 81; ++p) {
    if (PartOf(p) == 0) {
      momentum += scene.Masses()[p] * end.velocities->col(p);
    } else {
      EXPECT_EQ(end.velocities->col(p).norm(), 0.0) << "point " << p;
    }
  }
  EXPECT_LT((momentum - blow).norm(), 1e-12);
}

// Nailed parts hang, others fall past them.
TEST(Tearing, NailsHoldTheirPartOnly) {
  Scene scene = Alone(Sheet(9));
  scene.gravity = {0.0, -kG, 0.0};
  for (int i : {72, 74}) scene.nails.push_back(NailWhereItStarts(scene, std::to_string(i), {0, i}));
  const auto simulation = Start(scene, Breakable({0.4, 0.3, 0.2, 0.1}));
  CutSheet(simulation.get());
  const Observation end = RunFor(simulation.get(), 20, 0.01);
  for (int p = 0; p < 81; ++p) {
    if (PartOf(p) == 0) {
      EXPECT_LT(end.velocities->col(p).norm(), 0.2) << "point " << p;
    } else {
      EXPECT_LT((end.velocities->col(p) - 0.2 * scene.gravity).norm(), 1e-9) << "point " << p;
    }
  }
}

TEST(Tearing, IsState) {
  Scene scene = Alone(Sheet(9));
  scene.gravity = {0.0, -kG, 0.0};
  for (int i = 72; i < 81; ++i) {
    scene.nails.push_back(NailWhereItStarts(scene, "rail" + std::to_string(i), {0, i}));
  }
  scene.impulses = {{"blow", {0, 4}, {0.0, -1.0, 0.3}, 0.1}};
  DisplacementOptions options = Breakable({0.25, 0.25, 0.25, 0.25}, 15.0);
  options.warm_start = 0.5;
  const auto one = Start(scene, options), two = Start(scene, options);
  const VectorXd whole = one->Save();
  for (int i = 0; i < 20; ++i) one->Advance(0.01);
  ASSERT_FALSE(one->events().empty()) << "it tears";
  const VectorXd saved = one->Save();
  for (int i = 0; i < 20; ++i) one->Advance(0.01);
  const VectorXd end = one->Save();
  EXPECT_TRUE(end.allFinite());
  two->Restore(saved);
  for (int i = 0; i < 20; ++i) two->Advance(0.01);
  EXPECT_EQ(two->Save(), end);
  two->Restore(whole);
  for (int i = 0; i < 40; ++i) two->Advance(0.01);
  EXPECT_EQ(two->Save(), end);
}

// A net that could break but does not moves bit for bit as one that cannot.
TEST(Tearing, ChangesNothingUntilItBreaks) {
  Scene scene = Alone(Sheet(9));
  scene.impulses = {{"blow", {0, 10}, {0, 0, 1.0}, 0.0}};
  DisplacementOptions options = Breakable({0.5, 0.5});
  const Observation one = RunFor(Start(scene, options).get(), 20, 0.01);
  options.break_force = std::numeric_limits<double>::infinity();
  const Observation two = RunFor(Start(scene, options).get(), 20, 0.01);
  EXPECT_EQ(one.points, two.points);
  EXPECT_EQ(*one.velocities, *two.velocities);
}

TEST(Tearing, SaysWhereItCannotBe) {
  const auto message = [](ParameterValues parameters) {
    parameters["break_force"] = 1.0;
    try {
      DisplacementConstraintsBackend().Translate(std::make_shared<const Scene>(Alone(Sheet(9))),
                                                 parameters);
    } catch (const BadInput& error) {
      EXPECT_EQ(error.problem().where, "break_force");
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({}), "accepted");
  EXPECT_EQ(message({{"force_fractions", std::vector{0.5, 0.5}}}), "accepted");
  EXPECT_THAT(message({{"correction", std::string("unweighted")}}), HasSubstr("no masses"));
  EXPECT_THAT(message({{"inertia", std::string("rod")}}), HasSubstr("lumped"));
  EXPECT_THAT(message({{"solver_levels", std::int64_t{2}}}), HasSubstr("what it bears"));
}

}  // namespace
}  // namespace pliant
