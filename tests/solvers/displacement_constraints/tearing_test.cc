// Nets of segments that break, on one level and on several.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/projection/scene_edges.h"
#include "tests/reference/complaints.h"
#include "tests/says.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

DisplacementConstraintsOptions Breakable(std::vector<double> fractions, double force = 1e9) {
  DisplacementConstraintsOptions options;
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

// Cuts a sheet that lies still where it started: after the three numbers of its clock a state has
// one for each edge, 1 where it is broken, then the centres of the segments.
void CutSheet(DisplacementConstraintsSimulation* simulation) {
  const Scene& scene = simulation->scene();
  const Matrix3Xd x = scene.InitialPoints();
  SegmentNet net = simulation->levels()[0].segments.net();
  std::vector<char> broken(scene.bodies[0].edges.size(), 0);
  for (size_t e = 0; e < broken.size(); ++e) {
    broken[e] = PartOf(net.edges()[e][0]) != PartOf(net.edges()[e][1]) ? 1 : 0;
  }
  net.Tear(broken, scene.Masses());
  SegmentGeometry geometry;
  net.SetLengths(EdgeLengths(net.edges(), x), &geometry);
  VectorXd state = simulation->Save();
  double* flag = state.data() + 3;
  for (const char one : broken) *flag++ = one;
  Eigen::Map<Matrix3Xd> centres(flag, 3, net.segments());
  for (int s = 0; s < net.segments(); ++s) {
    const auto [a, b] = net.edges()[s];
    const double length = geometry.lengths[s];
    centres.col(s) = x.col(a);
    if (length > 0.0) centres.col(s) -= (geometry.arms[2 * s] / length) * (x.col(b) - x.col(a));
  }
  simulation->Restore(state);
}

// Of a chain that hangs still, each segment bears the weight below it: where the first one bears
// too much, the chain parts there and what is below falls.
TEST(Tearing, SegmentsThatBearTooMuchBreak) {
  Scene scene = SceneOf({MakeChain("chain", {0, 0, 0}, {0, -2, 0}, 9, 1.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  const double below = scene.Masses().tail(8).sum();
  const double top = below * kG, second = (below - scene.bodies[0].mass[1]) * kG;
  const auto start = [&scene](double force) {
    return Start(scene, SweptTo(1e-7, 20000, Breakable({1.0}, force)));
  };
  auto simulation = start(1.01 * top);
  Observation end = RunFor(simulation.get(), 20, 0.01);
  EXPECT_TRUE(simulation->events().empty());
  EXPECT_LT(end.velocities->norm(), 1e-3);

  simulation = start(0.5 * (top + second));
  end = RunFor(simulation.get(), 20, 0.01);
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_EQ(simulation->events()[0].what,
            "the edge from point 0 of chain to point 1 of chain breaks");
  for (int i = 1; i < 9; ++i) EXPECT_NEAR((*end.velocities)(1, i), -19 * 0.01 * kG, 1e-4) << i;
  EXPECT_EQ(end.points.col(0), Vector3d::Zero()) << "the nail keeps its point";
}

// A spinning rod of two points is torn by m ω² r.
TEST(Tearing, SpinningSegmentsBearTheirCentripetalForce) {
  Scene scene = Weightless({MakeChain("rod", {-1, 0, 0}, {1, 0, 0}, 2, 2.0)});
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
  Scene scene = Weightless({Sheet(9)});
  for (int v = 0; v < 9; ++v) {
    const double share = v == 0 || v == 8 ? 0.0005 : 0.001;  // kg m/s
    scene.impulses.push_back({"left" + std::to_string(v), {0, 9 * v}, {-share, 0, 0}, 0.0});
    scene.impulses.push_back({"right" + std::to_string(v), {0, 9 * v + 8}, {share, 0, 0}, 0.0});
  }
  for (const auto& fractions :
       {std::vector{1.0}, std::vector{0.25, 0.25, 0.25, 0.25}, std::vector{0.0, 0.0, 0.0, 1.0}}) {
    for (const bool breaks : {false, true}) {
      const auto simulation =
          Start(scene, SweptTo(1e-8, 20000, Breakable(fractions, breaks ? 0.09 : 0.11)));
      simulation->Advance(0.01);
      EXPECT_EQ(!simulation->events().empty(), breaks) << fractions.size() << " levels";
    }
  }
}

// A sheet whose middle and border are pulled apart in its plane.
Scene PulledApart() {
  Scene scene = Weightless({Sheet(9)});
  scene.impulses = {{"left", {0, 40}, {-0.04, 0.01, 0.0}, 0.0},
                    {"right", {0, 44}, {0.05, 0.0, 0.0}, 0.0}};
  return scene;
}

// To rounding on one level and where the prolongation is balanced; with the source's, where offsets
// carry mass that the levels do not, as far as these are small.
TEST(Tearing, KeepsMomentumAndTheCentreOfMass) {
  const std::vector<double> one = {1.0}, four = {0.25, 0.25, 0.25, 0.25};
  for (const auto& [fractions, prolongation, small] :
       {std::tuple{one, GridProlongation::kSource, 1e-12},
        {four, GridProlongation::kBalanced, 1e-12},
        {four, GridProlongation::kSource, 0.02}}) {
    SCOPED_TRACE(testing::Message() << fractions.size() << " levels, " << small);
    const Scene scene = PulledApart();
    DisplacementConstraintsOptions options = Breakable(fractions, 1.5);
    options.prolongation = prolongation;
    options.max_sweeps = 20000;
    const auto simulation = Start(scene, options);
    const Vector3d whole(0.01, 0.01, 0.0), centre = scene.InitialPoints() * scene.Masses();
    for (int i = 1; i <= 5; ++i) {
      const Observation o = RunFor(simulation.get(), 1, 0.01);
      const Vector3d momentum = *o.velocities * scene.Masses();
      EXPECT_LT((momentum - whole).norm(), small * whole.norm()) << "step " << i;
      const Vector3d way = o.points * scene.Masses() - centre;
      EXPECT_LT((way - 0.01 * i * whole).norm(), small * whole.norm()) << "step " << i;
    }
    EXPECT_FALSE(simulation->events().empty());
  }
}

// The ledger accounts for what a tear takes.
TEST(Tearing, BooksWhatItTakes) {
  for (const auto& fractions : {std::vector{1.0}, std::vector{0.5, 0.5}}) {
    const Scene scene = PulledApart();
    DisplacementConstraintsOptions options = Breakable(fractions, 1.5);
    options.velocity_update = VelocityUpdate::kCorrected;
    options.max_sweeps = 20000;
    const auto simulation = Start(scene, options);
    const Observation end = RunFor(simulation.get(), 10, 0.01);
    ASSERT_FALSE(simulation->events().empty());
    const double kinetic = KineticEnergy(scene.Masses(), *end.velocities);
    EXPECT_NEAR(kinetic, end.work->TotalWork(), 0.02 * kinetic);
  }
}

// On every level each part has its whole mass or none.
TEST(Tearing, LevelsHaveTheMassOfEveryPart) {
  const Scene scene = Weightless({Sheet(9)});
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
  Scene scene = Weightless({Sheet(9)});
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
  Scene scene = Weightless({Sheet(9)});
  const Vector3d blow(0.01, 0.02, 0.1);
  scene.impulses = {{"blow", {0, 9 * 3 + 2}, blow, 0.0}};
  DisplacementConstraintsOptions options = Breakable({0.1, 0.2, 0.3, 0.4});
  options.filter_fraction = 0.65;
  const auto simulation = Start(scene, options);
  CutSheet(simulation.get());
  const Observation end = RunFor(simulation.get(), 20, 0.01);
  Vector3d momentum = Vector3d::Zero();
  for (int p = 0; p < 81; ++p) {
    if (PartOf(p) == 0) {
      momentum += scene.Masses()[p] * end.velocities->col(p);
    } else {
      EXPECT_LT(end.velocities->col(p).norm(), 1e-13) << "point " << p;
    }
  }
  EXPECT_LT((momentum - blow).norm(), 0.01 * blow.norm());
}

// Nailed parts hang, others fall past them.
TEST(Tearing, NailsHoldTheirPartOnly) {
  Scene scene = SceneOf({Sheet(9)});
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
  Scene scene = SceneOf({Sheet(9)});
  for (int i = 72; i < 81; ++i) {
    scene.nails.push_back(NailWhereItStarts(scene, "rail" + std::to_string(i), {0, i}));
  }
  scene.impulses = {{"blow", {0, 4}, {0.0, -0.3, 0.1}, 0.1}};
  DisplacementConstraintsOptions options = Breakable({0.25, 0.25, 0.25, 0.25}, 12.0);
  options.warm_start = 0.5;
  const auto one = Start(scene, options), two = Start(scene, options);
  ExpectTearsAreState(one.get(), two.get());
}

// A net that could break but does not moves bit for bit as one that cannot.
TEST(Tearing, ChangesNothingUntilItBreaks) {
  Scene scene = Weightless({Sheet(9)});
  scene.impulses = {{"blow", {0, 10}, {0, 0, 1.0}, 0.0}};
  DisplacementConstraintsOptions options = Breakable({0.5, 0.5});
  const Observation one = RunFor(Start(scene, options).get(), 20, 0.01);
  options.break_force = std::numeric_limits<double>::infinity();
  const Observation two = RunFor(Start(scene, options).get(), 20, 0.01);
  EXPECT_EQ(one.points, two.points);
  EXPECT_EQ(*one.velocities, *two.velocities);
}

TEST(Tearing, SaysWhereItCannotBe) {
  const auto message = [](ParameterValues parameters) {
    parameters["break_force"] = 1.0;
    return reference::PlacedComplaintOf([&] {
      TheBackend().Translate(std::make_shared<const Scene>(Weightless({Sheet(9)})), parameters);
    });
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({{"force_fractions", std::vector{0.5, 0.5}}}), "");
  EXPECT_THAT(message({{"correction", std::string("unweighted")}}),
              Says({"break_force: ", "no masses"}));
  EXPECT_THAT(message({{"inertia", std::string("rod")}}), Says({"break_force: ", "lumped"}));
  EXPECT_THAT(message({{"solver_levels", std::int64_t{2}}}),
              Says({"break_force: ", "tension of single edges"}));
}

}  // namespace
}  // namespace pliant::displacement_constraints
