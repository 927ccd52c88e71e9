// Sliders, combinations, constraints that come and go: closed forms and what each of them
// conserves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

// ── sliders and combinations ──

TEST(Slider, CentreOfABlockSlidesDownALineAsAPointDoes) {
  Scene scene;
  scene.bodies = {Block("bead", {1, 2, 3}, 2.0)};
  const Vector3d along = Vector3d(1, -1, 0.5).normalized();
  scene.sliders = {SliderAt(scene, {0, kCentre}, Slider::Kind::kLine, along)};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.5, 1e-2);
  const Vector3d fallen = 0.5 * 0.25 * scene.gravity.dot(along) * along;
  EXPECT_LT((o.points.col(kCentre) - scene.bodies[0].position - fallen).norm(), 1e-12);
  // Two rows carry the weight across the line.
  const Vector3d across = scene.gravity - scene.gravity.dot(along) * along;
  const double largest = o.extras[1].value();
  EXPECT_LE(largest, 2.0 * across.norm() + 1e-9);
  EXPECT_GE(largest, 2.0 * across.norm() / std::sqrt(2.0) - 1e-9);
  EXPECT_LT(o.constraint_error.value(), 1e-12);
}

TEST(Slider, InThePlaneSlidesAlongItsLine) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {MakeSheet("bead", {0.2, 0.2}, {3, 3}, 2.0)};
  const Vector3d along = Vector3d(2, -1, 0).normalized();
  scene.sliders = {SliderAt(scene, {0, 4}, Slider::Kind::kLine, along)};
  const Observation o = RunFor(Start(scene).get(), 0.5, 1e-2);
  const Vector3d fallen = 0.5 * 0.25 * scene.gravity.dot(along) * along;
  EXPECT_LT((o.points.col(4) - fallen).norm(), 1e-12);
}

TEST(Slider, InAPlaneMovesFreelyAlongIt) {
  Scene scene;
  scene.bodies = {Block("puck", {0, 0, 0}, 2.0)};
  scene.bodies[0].velocity = {0.3, 0.0, -0.2};
  scene.sliders = {SliderAt(scene, {0, kCentre}, Slider::Kind::kPlane, Vector3d::UnitY())};
  const Observation o = RunFor(Start(scene).get(), 1.0, 1e-2);
  EXPECT_LT((o.points.col(kCentre) - Vector3d(0.3, 0.0, -0.2)).norm(), 1e-12);
}

// The Schur complement against the dense equations, sliders beside nails and attachments.
TEST(Slider, MultipliersSolveTheDenseEquations) {
  Scene scene;
  scene.bodies = {Block("a", {0, 0, 0}, 1.0), Block("b", {0.4, 0, 0}, 3.0)};
  scene.nails = {NailWhereItStarts(scene, "pin", {0, 0})};
  scene.attachments = {{"hinge", {0, 26}, {1, 24}}, {"hinge2", {0, 2}, {1, 0}}};
  scene.sliders = {SliderAt(scene, {1, 26}, Slider::Kind::kLine, {1, 2, 3}),
                   SliderAt(scene, {0, 5}, Slider::Kind::kPlane, {0, 1, -1})};
  const FeedbackOptions feedback{7.0, 0.6};
  const auto system = MakeSystem(scene, 2);
  const PointConstraints& constraints = system->constraints();
  ASSERT_EQ(constraints.size(), 6);
  EXPECT_EQ(constraints.redundant(), 0);
  VectorXd q, v;
  system->InitialState(scene, &q, &v);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    q[i] += 0.1 * std::sin(1.7 * static_cast<double>(i * i));
    v[i] = std::cos(0.3 + 1.3 * static_cast<double>(i * i));
  }
  VectorXd free(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) free[i] = std::sin(2.0 + static_cast<double>(i * i));
  PointConstraints::Workspace w = constraints.MakeWorkspace();
  VectorXd a = free;
  Exchange unused;
  constraints.Constrain(0.0, q, v, feedback, &a, &w, &unused);
  // Rows of sliders in J are u uᵀ, so A is singular and the solution of least norm is the one.
  const MatrixXd J = DenseJacobian(*system), W = DenseInverseMass(*system);
  const MatrixXd A = J * W * J.transpose();
  const MatrixXd gap = w.gap, rate = w.rate;
  const VectorXd side = -(J * free) -
                        2.0 * 0.6 * 7.0 * Eigen::Map<const VectorXd>(rate.data(), rate.size()) -
                        49.0 * Eigen::Map<const VectorXd>(gap.data(), gap.size());
  const VectorXd lambda = A.completeOrthogonalDecomposition().solve(side);
  EXPECT_LT((a - (free + W * J.transpose() * lambda)).norm(), 1e-8 * a.norm());
  EXPECT_LT((J * a - J * free - side).norm(), 1e-8 * side.norm());
}

// A volume_stiffness, which has no effect on chains, would be a warning.
ParameterValues RungeKuttaOfChains() {
  ParameterValues parameters = kRk4;
  parameters.erase("volume_stiffness");
  return parameters;
}

TEST(Slider, OnANailedPointIsNamedAsRedundantAndChangesNothing) {
  Scene scene = Pendulum(1);
  const auto nailed = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  scene.sliders = {SliderAt(scene, {0, 0}, Slider::Kind::kPlane, {0, 1, 0})};
  Translation translation = Translate(scene, RungeKuttaOfChains());
  // They agree, so that the record alone tells it.
  EXPECT_THAT(translation.warnings, ::testing::IsEmpty());
  for (const char* name : {"slider.rail", "nail.pivot"}) {
    EXPECT_THAT(Entry(translation, name).reason,
                HasSubstr("redundant: these holds have one more equation"));
  }
  EXPECT_LT((RunFor(translation.simulation.get(), 0.5, 1e-3).points - nailed).norm(), 1e-9);
}

// Σ w x is held: half the weight of each of two equal blocks that hang from their common middle.
TEST(Combination, HoldsTheMiddleOfTwoBodies) {
  Scene scene;
  scene.bodies = {Block("a", {-1, 0, 0}, 2.0), Block("b", {1, 0, 0}, 2.0)};
  scene.bodies[1].velocity = {0, 3, 0};
  scene.combinations = {
      {"middle", {{{0, kCentre}, 0.5}, {{1, kCentre}, 0.5}}, Path::Still(Vector3d::Zero())}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.4, 1e-2);
  EXPECT_LT((o.points.col(kCentre) + o.points.col(27 + kCentre)).norm(), 1e-10);
  // At the start an impulse made their velocities opposite; each then moves evenly.
  EXPECT_NEAR(o.points(1, 27 + kCentre), 1.5 * 0.4, 1e-10);
  EXPECT_NEAR(o.extras[3].value(), -2.25 * 2.0, 1e-10);  // ½ 2 (3² − 2·1.5²)
  EXPECT_NEAR(o.extras[1].value(), 2.0 * 2.0 * 9.81, 1e-9);
}

// Of 41 masses on a rope twelve that lie together are nailed where they are: in exact arithmetic their terms of eighth degree have rank
// nine, and the coordinates of the rest shape meet all of them. In doubles only six or seven directions are told apart, and what the
// others leave of positions a kilometre from the origin is no contradiction. A displacement that is a polynomial is none either; one
// that goes to and fro from nail to nail is.
TEST(Nails, ThatTheRestShapeMeetsDoNotContradictEachOtherAtAHighOrder) {
  const auto contradictions = [](const std::function<double(double)>& displacement) {
    Scene scene;
    scene.dimension = 2;
    scene.bodies = {MakeChain("rope", Vector3d::Zero(), Vector3d(10, 0, 0), 41, 1.0)};
    scene.bodies[0].position = {1000.0, 0.0, 0.0};
    for (int point = 0; point < 12; ++point) {
      Eigen::Matrix3Xd keys(3, 2);
      keys.col(0) = scene.InitialPoints().col(point);
      keys.col(1) = keys.col(0) + Vector3d(0, displacement(0.25 * point), 0);
      scene.nails.push_back({"n" + std::to_string(point),
                             {0, point},
                             Path({0.0, 1.0}, keys, Path::Interpolation::kCubic)});
    }
    std::string all;
    for (const std::string& warning : Translate(scene, {{"order", std::int64_t{8}}}).warnings) {
      if (warning.find("contradict") != std::string::npos) all += warning;
    }
    return all;
  };
  EXPECT_EQ(contradictions([](double) { return 0.0; }), "");
  EXPECT_EQ(contradictions([](double) { return 0.3; }), "");
  EXPECT_EQ(contradictions([](double x) { return 0.1 * x * (x - 1.0); }), "");
  EXPECT_THAT(contradictions([](double x) { return 0.1 * std::cos(4.0 * std::numbers::pi * x); }),
              HasSubstr("contradictory constraints"));
}

// Three nails on a rod, the middle one led aside by 0.3 m. No motion of the rod has
// n = (1, −2, 1) · x ≠ 0; met by least squares in the metric of D = diag(S) = (5/2, 1, 5/2)/m, the
// gaps are D n 0.6/(nᵀ D n), the largest 2.5 · 0.6/9.
TEST(Nails, ThatContradictEachOtherAreNamed) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {MakeChain("rod", Vector3d::Zero(), Vector3d(1, 0, 0), 3, 1.0)};
  for (int point : {0, 1, 2}) {
    Eigen::Matrix3Xd keys(3, 2);
    keys.col(0) = scene.bodies[0].rest.col(point);
    keys.col(1) = keys.col(0) + Vector3d(0, point == 1 ? 0.3 : 0.0, 0);
    scene.nails.push_back({"n" + std::to_string(point),
                           {0, point},
                           Path({0.0, 1.0}, keys, Path::Interpolation::kCubic)});
  }
  const std::vector<std::string> warnings = Translate(scene).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "contradictory constraints: nail.n0, nail.n1, nail.n2 require positions that the "
            "bodies cannot all reach; gaps of up to 0.167 m remain");
  const auto simulation = Start(scene);
  EXPECT_NEAR(RunFor(simulation.get(), 2.0, 1e-3).constraint_error.value(), 2.5 * 0.6 / 9.0, 1e-6);
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_LT(simulation->events()[0].time, 0.01);
  EXPECT_THAT(simulation->events()[0].what,
              HasSubstr("contradictory constraints: nail.n0, nail.n1, nail.n2 require"));

  for (Nail& nail : scene.nails) {  // the same path for all is no contradiction
    Eigen::Matrix3Xd keys(3, 2);
    keys.col(0) = scene.bodies[0].rest.col(nail.point.point);
    keys.col(1) = keys.col(0) + Vector3d(0, 0.3, 0);
    nail.path = Path({0.0, 1.0}, keys, Path::Interpolation::kCubic);
  }
  EXPECT_EQ(Translate(scene).warnings.size(), 0u);
  const auto agreeing = Start(scene);
  EXPECT_LT(RunFor(agreeing.get(), 1.5, 1e-3).constraint_error.value(), 1e-6);
  EXPECT_TRUE(agreeing->events().empty());
}

// Still nails may contradict each other too: at places to which the body does not start.
TEST(Nails, ThatAreStillMayContradictEachOther) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {MakeChain("rod", Vector3d::Zero(), Vector3d(1, 0, 0), 3, 1.0)};
  for (int point : {0, 1, 2}) {
    scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(point), {0, point}));
  }
  EXPECT_EQ(Translate(scene).warnings.size(), 0u) << "only redundant";
  scene.nails[1].path = Path::Still(Vector3d(0.5, 0.3, 0));
  EXPECT_THAT(Translate(scene).warnings[0], HasSubstr("gaps of up to 0.167 m remain"));
}

// The acceleration of a spline jumps at its last key, also inside a step: a scheme of higher order
// takes its limit from the left, and the point comes to rest there.
TEST(MovingNail, ComesToRestAtItsLastKey) {
  Scene scene = Pendulum(2);
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 3);
  keys.row(0) << 0.0, 0.4, 1.0;
  keys.row(1) << 0.0, -0.3, 0.2;
  scene.nails[0].path = Path({0.0, 0.2, 0.4503}, keys, Path::Interpolation::kCubic);
  const auto speed_left = [&](double h) {
    return RunFor(Start(scene).get(), 0.46, h).velocities->col(0).norm();
  };
  const double coarse = speed_left(2e-3), fine = speed_left(1e-3);
  EXPECT_LT(coarse, 1e-5);  // a scheme of first order leaves 1e-3 m/s
  EXPECT_GT(ObservedOrder(coarse, fine), 3.5);
}

// ── rows that come and go ──

TEST(Switch, ANailThatLetsGoLeavesAFreeBody) {
  Scene scene = Pendulum(2);
  scene.nails[0].hold.until = 0.3;
  const auto simulation = Start(scene);
  const Observation released = RunFor(simulation.get(), 0.3, 1e-3);
  const Vector3d momentum = Momentum(scene, released);
  const double energy = TotalEnergy(scene, released);
  const Observation later = RunFor(simulation.get(), 0.4, 1e-3);
  const Vector3d fallen = Momentum(scene, later) - momentum - 0.4 * 2.0 * scene.gravity;
  EXPECT_LT(fallen.norm(), 1e-10);
  const double work = later.work->TotalWork() - released.work->TotalWork();
  EXPECT_NEAR(TotalEnergy(scene, later), energy + work, 1e-4);
  EXPECT_GT((later.points.col(0) - released.points.col(0)).norm(), 0.1);
}

// Two blocks in flight are attached: momentum stays, ½ ċᵀ A⁻¹ ċ is lost, for two free bodies joined
// at their centres ½ m₁m₂/(m₁+m₂) ċ².
TEST(Switch, AnAttachmentThatBeginsToHoldLosesWhatItsImpulseSays) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("a", {-0.5, 0, 0}, 2.0), Block("b", {0.5, 0.2, -0.1}, 3.0)};
  scene.bodies[0].velocity = {1.0, 0.4, 0.0};
  scene.bodies[1].velocity = {-1.0, 0.0, 0.2};
  scene.attachments = {{"clasp", {0, kCentre}, {1, kCentre}, {0.5, 0.8}}};
  const auto simulation = Start(scene);
  const Observation before = RunFor(simulation.get(), 0.5, 1e-2);
  const Vector3d spin = Spin(scene, before);
  const Observation after = RunFor(simulation.get(), 1e-2, 1e-2);
  EXPECT_LT((Momentum(scene, after) - Momentum(scene, before)).norm(), 1e-12);
  EXPECT_LT((Spin(scene, after) - spin).norm(), 1e-9);
  const Vector3d rate(2.0, 0.4, -0.2);
  EXPECT_NEAR(after.extras[3].value(), -0.5 * 2.0 * 3.0 / 5.0 * rate.squaredNorm(), 1e-9);
  // Let go, they go on as they are.
  const Observation held = RunFor(simulation.get(), 0.29, 1e-2);
  const Observation free = RunFor(simulation.get(), 0.5, 1e-2);
  EXPECT_LT((Momentum(scene, free) - Momentum(scene, held)).norm(), 1e-12);
  EXPECT_LT(std::abs(TotalEnergy(scene, free) - TotalEnergy(scene, held)), 1e-6);
  EXPECT_FALSE(free.constraint_error.has_value());
}

// A third nail on a rod that two hold: told with its time and all who take part, once; the rod
// moves on as it was.
TEST(Switch, ARedundantNailIsToldWhenItBeginsToHold) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {MakeChain("rod", Vector3d::Zero(), Vector3d(1, 0, 0), 3, 1.0)};
  for (int point : {0, 2}) {
    scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(point), {0, point}));
  }
  scene.nails.push_back(NailWhereItStarts(scene, "middle", {0, 1}));
  scene.nails[2].hold = {0.2, 0.4};
  // What comes and goes elsewhere meanwhile does not tell it again.
  scene.bodies.push_back(MakeChain("other", Vector3d::Zero(), Vector3d(1, 0, 0), 2, 1.0));
  scene.nails.push_back(NailWhereItStarts(scene, "else", {1, 0}));
  scene.nails.push_back(NailWhereItStarts(scene, "there", {1, 1}));
  scene.nails[4].hold = {0.3, 1.0};
  scene.gravity.setZero();
  EXPECT_TRUE(Translate(scene, RungeKuttaOfChains()).warnings.empty());
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.6, 1e-2);
  EXPECT_LT((o.points - scene.InitialPoints()).norm(), 1e-9);
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_NEAR(simulation->events()[0].time, 0.2, 1e-9);
  for (const char* name : {"redundant constraints: ", "nail.n0", "nail.n2", "nail.middle"}) {
    EXPECT_THAT(simulation->events()[0].what, HasSubstr(name));
  }
}

// A bead in flight meets a rail: what is along it goes on, what is across is lost, and when the
// rail ends the bead flies as it slid.
TEST(Switch, ASliderThatBeginsToHoldKeepsWhatIsAlongIt) {
  for (const auto kind : {Slider::Kind::kLine, Slider::Kind::kPlane}) {
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {Block("bead", {0, 0, 0}, 2.0)};
    const Vector3d velocity(1.0, 0.5, -0.3), u = Vector3d(1, -2, 0.5).normalized();
    scene.bodies[0].velocity = velocity;
    scene.sliders = {SliderAt(scene, {0, kCentre}, kind, u)};
    scene.sliders[0].through = 0.5 * velocity;  // where it then is
    scene.sliders[0].hold = {0.5, 0.8};
    const Vector3d along = velocity.dot(u) * u;
    const Vector3d kept = kind == Slider::Kind::kLine ? along : Vector3d(velocity - along);
    const auto simulation = Start(scene);
    EXPECT_LT((Momentum(scene, RunFor(simulation.get(), 0.5, 1e-2)) - 2.0 * velocity).norm(),
              1e-12);
    const Observation held = RunFor(simulation.get(), 0.2, 1e-2);
    EXPECT_LT((Momentum(scene, held) - 2.0 * kept).norm(), 1e-9);
    EXPECT_NEAR(held.extras[3].value(), kept.squaredNorm() - velocity.squaredNorm(), 1e-9);
    const Observation free = RunFor(simulation.get(), 0.5, 1e-2);
    EXPECT_LT((Momentum(scene, free) - 2.0 * kept).norm(), 1e-9);
    EXPECT_LT((free.points.col(kCentre) - 0.5 * velocity - 0.7 * kept).norm(), 1e-9);
  }
}

// A combination that begins to hold: Σ w x stops, and what no weight sees is not touched.
TEST(Switch, ACombinationThatBeginsToHoldStopsItsSumAlone) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("a", {-1, 0, 0}, 2.0), Block("b", {1, 0, 0}, 3.0)};
  scene.bodies[0].velocity = {0.4, 0, 0};
  scene.bodies[1].velocity = {0, 1, 0};
  scene.combinations = {{"middle",
                         {{{0, kCentre}, 2.0}, {{1, kCentre}, 3.0}},
                         Path::Still({1.0 + 2.0 * 0.2, 3.0 * 0.5, 0.0}),
                         {0.5, 1.0}}};
  const auto simulation = Start(scene);
  RunFor(simulation.get(), 0.5, 1e-2);
  const Observation o = RunFor(simulation.get(), 0.3, 1e-2);
  // The weights are the masses: momentum stops, the relative velocity stays.
  EXPECT_LT(Momentum(scene, o).norm(), 1e-9);
  const Vector3d apart = o.velocities->col(27 + kCentre) - o.velocities->col(kCentre);
  EXPECT_LT((apart - Vector3d(-0.4, 1, 0)).norm(), 1e-9);
  const Vector3d momentum(0.8, 3.0, 0.0);
  EXPECT_NEAR(o.extras[3].value(), -0.5 * momentum.squaredNorm() / 5.0, 1e-9);
}

// A preroll takes the point from where it fell to the path, whose velocity it then has: there is
// nothing left to match. Without it the impulse is large.
TEST(Switch, PrerollMeetsThePathWithItsVelocity) {
  Scene scene;
  scene.bodies = {Block("puppet", {0, 0, 0}, 1.0)};
  Eigen::Matrix3Xd keys(3, 3);
  keys << 0.0, 1.0, 2.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0;
  scene.nails = {{"hand",
                  {0, kCentre},
                  Path({0.2, 0.8, 1.4}, keys, Path::Interpolation::kCubic),
                  {0.8, 2.0},
                  0.5}};
  const auto work = [&](double preroll) {
    scene.nails[0].preroll = preroll;
    const auto simulation = Start(scene);
    RunFor(simulation.get(), 0.8, 1e-3);
    const Observation o = RunFor(simulation.get(), 0.01, 1e-3);
    EXPECT_LT(o.constraint_error.value(), preroll > 0.0 ? 1e-9 : 10.0);
    return o.extras[3].value();
  };
  EXPECT_LT(std::abs(work(0.5)), 1e-6);
  EXPECT_GT(std::abs(work(0.0)), 1.0);
}

// ── collapse ──

// Three corners of a sheet are led so that det m = 1 − t/0.5: it is flat at 0.5 s.
TEST(Collapse, IsRecordedWithItsTime) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeSheet("sheet", {1, 1}, {3, 3}, 1.0)};
  for (int point : {0, 2, 6}) {
    const Vector3d start = scene.bodies[0].rest.col(point);
    Eigen::Matrix3Xd keys(3, 2);
    keys << start, Vector3d(start.x(), -start.y(), 0);
    scene.nails.push_back({"n" + std::to_string(point),
                           {0, point},
                           Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)});
  }
  const auto simulation = Start(scene);
  RunFor(simulation.get(), 0.9, 1e-2);
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_THAT(simulation->events()[0].what, HasSubstr("'sheet' collapsed"));
  EXPECT_NEAR(simulation->events()[0].time, 0.5, 0.0101);
}

}  // namespace
}  // namespace pliant::linear_deformation
