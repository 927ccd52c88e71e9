// Constraints that come and go, sliders, combinations, behaviours: closed forms and what each of
// them conserves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/solvers/constrained_dynamics/scenes.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

const ParameterValues kRk4 = {
    {"integrator", std::string("rk4")}, {"stretch_stiffness", 20.0}, {"volume_stiffness", 20.0}};
constexpr int kCentre = 13;  // of a 3×3×3 block

Body Block(const std::string& name, const Vector3d& position, double mass) {
  Body block = MakeBlock(name, {0.4, 0.4, 0.4}, {3, 3, 3}, mass);
  block.position = position;
  return block;
}

Slider SliderAt(const Scene& scene, PointRef point, Slider::Kind kind, const Vector3d& direction) {
  Slider slider;
  slider.name = "rail";
  slider.point = point;
  slider.kind = kind;
  slider.direction = direction.normalized();
  slider.through = scene.InitialPoints().col(scene.Index(point));
  return slider;
}

Action Chase(PointRef point, const Goal& goal, double duration,
             std::optional<Vector3d> velocity = std::nullopt) {
  Action action;
  action.kind = Action::Kind::kChase;
  action.point = point;
  action.goal = goal;
  action.duration = duration;
  action.final_velocity = velocity;
  return action;
}

Action Tie(Action::Kind kind, PointRef point, const Goal& goal) {
  Action action;
  action.kind = kind;
  action.point = point;
  action.goal = goal;
  return action;
}

Action Wait(double duration) {
  Action action;
  action.kind = Action::Kind::kWait;
  action.duration = duration;
  return action;
}

std::unique_ptr<Simulation> Start(const Scene& scene, const ParameterValues& parameters = kRk4) {
  Validate(scene);
  return Translate(scene, parameters).simulation;
}

Vector3d Momentum(const Scene& scene, const Observation& o) {
  return LinearMomentum(scene.Masses(), *o.velocities);
}
Vector3d Spin(const Scene& scene, const Observation& o) {
  return AngularMomentum(scene.Masses(), o.points, *o.velocities, Vector3d::Zero());
}

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
  constraints.Constrain(0.0, q, v, feedback, &a, &w);
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

TEST(Slider, OnANailedPointIsNamedAsRedundantAndChangesNothing) {
  Scene scene = Pendulum(1);
  const auto nailed = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  scene.sliders = {SliderAt(scene, {0, 0}, Slider::Kind::kPlane, {0, 1, 0})};
  Translation translation = Translate(scene, kRk4);
  ASSERT_EQ(translation.warnings.size(), 1u);
  EXPECT_THAT(translation.warnings[0], HasSubstr("redundant constraints"));
  EXPECT_THAT(translation.warnings[0], HasSubstr("slider.rail"));
  EXPECT_THAT(translation.warnings[0], HasSubstr("nail."));
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
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[1], HasSubstr("contradictory constraints: nail.n0"));
  for (Nail& nail : scene.nails) {  // the same path for all is no contradiction
    Eigen::Matrix3Xd keys(3, 2);
    keys.col(0) = scene.bodies[0].rest.col(nail.point.point);
    keys.col(1) = keys.col(0) + Vector3d(0, 0.3, 0);
    nail.path = Path({0.0, 1.0}, keys, Path::Interpolation::kCubic);
  }
  EXPECT_EQ(Translate(scene).warnings.size(), 1u);
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
  const double work = later.work->Sum() - released.work->Sum();
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
  EXPECT_TRUE(Translate(scene, kRk4).warnings.empty());
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

// ── behaviours ──

TEST(Chase, ArrivesInTimeWithTheVelocityAsked) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.bodies[0].velocity = {0.5, -1.0, 0.2};
  const Vector3d there(1.0, 0.6, -0.4), velocity(0.3, -0.2, 1.0);
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.6, velocity)}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.6, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - there).norm(), 1e-6);
  EXPECT_LT((o.velocities->col(kCentre) - velocity).norm(), 1e-4);
  // Then it goes ballistic.
  const Observation later = RunFor(simulation.get(), 0.2, 1e-3);
  const Vector3d flown = 0.2 * o.velocities->col(kCentre) + 0.02 * scene.gravity;
  EXPECT_LT((later.points.col(kCentre) - o.points.col(kCentre) - flown).norm(), 1e-9);
  EXPECT_EQ(later.extras[4].value(), 1.0);
}

// Without a final velocity the way has constant acceleration: half way in time it is at
// x₀ + v₀ τ/2 + ¼ (x₁ − x₀ − v₀ τ).
TEST(Chase, WithoutAFinalVelocityHasConstantAcceleration) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  const Vector3d v0(0.5, -1.0, 0.2), there(1.0, 0.6, -0.4);
  scene.bodies[0].velocity = v0;
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.6)}}};
  const auto simulation = Start(scene);
  const Observation half = RunFor(simulation.get(), 0.3, 1e-3);
  const Vector3d expected = 0.3 * v0 + 0.25 * (there - 0.6 * v0);
  EXPECT_LT((half.points.col(kCentre) - expected).norm(), 1e-6);
  const Observation o = RunFor(simulation.get(), 0.3, 1e-3);
  EXPECT_LT((o.velocities->col(kCentre) - (2.0 / 0.6 * there - v0)).norm(), 1e-4);
}

TEST(Chase, FollowsATargetThatMoves) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("prey", {2, 1, 0}, 0.5)};
  scene.bodies[1].velocity = {-0.7, 2.0, 0.3};  // and falls, which the prediction leaves out
  scene.behaviours = {
      {"hunt", {Chase({0, kCentre}, Goal(PointRef{1, kCentre}), 0.8, Vector3d::Zero())}}};
  const Observation o = RunFor(Start(scene).get(), 0.8, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - o.points.col(27 + kCentre)).norm(), 1e-4);
  const Vector3d prey = Vector3d(2, 1, 0) + 0.8 * Vector3d(-0.7, 2.0, 0.3) + 0.32 * scene.gravity;
  EXPECT_LT((o.points.col(27 + kCentre) - prey).norm(), 1e-9);
  // Without a final velocity it has the one that its first prediction asks for.
  scene.behaviours = {{"hunt", {Chase({0, kCentre}, Goal(PointRef{1, kCentre}), 0.8)}}};
  const Observation other = RunFor(Start(scene).get(), 0.8, 1e-3);
  const Vector3d predicted = Vector3d(2, 1, 0) + 0.8 * Vector3d(-0.7, 2.0, 0.3);
  EXPECT_LT((other.velocities->col(kCentre) - 2.0 / 0.8 * predicted).norm(), 1e-2);
}

// A way that were built anew up to its last step would be corrected by ever larger forces.
TEST(Chase, NeedsNoLargerForceAtItsEnd) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.bodies[0].velocity = {0.5, -1.0, 0.2};
  scene.behaviours = {{"swoop", {Chase({0, 0}, Goal(Vector3d(1, 0.6, -0.4)), 0.6)}}};
  const auto simulation = Start(scene, {{"stretch_stiffness", 20.0}, {"volume_stiffness", 20.0}});
  const double before = RunFor(simulation.get(), 0.59, 1e-3).extras[1].value();
  for (int step = 0; step < 9; ++step) {
    EXPECT_NEAR(RunFor(simulation.get(), 1e-3, 1e-3).extras[1].value(), before, 0.2 * before);
  }
}

// Letting go of what holds a point neither ends its chase nor lets other points go.
TEST(Behaviours, DisconnectLeavesChasesAndOtherPointsAlone) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("lamp", {2, 0, 0}, 1.0)};
  scene.nails = {NailWhereItStarts(scene, "ceiling", {1, kCentre})};
  const Vector3d there(1.0, 0.6, -0.4);
  Action let_go;
  let_go.kind = Action::Kind::kDisconnect;
  let_go.point = {0, kCentre};
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.4, Vector3d::Zero())}},
                      {"let go", {Wait(0.398), let_go}}};
  const Observation o = RunFor(Start(scene).get(), 0.4, 1e-3);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  EXPECT_LT((o.points.col(27 + kCentre) - Vector3d(2, 0, 0)).norm(), 1e-9);
}

// Its work is that of control and the ledger closes.
TEST(Chase, WorkOfTheWayIsControlAndTheLedgerCloses) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.behaviours = {{"lift", {Chase({0, 0}, Goal(Vector3d(0.5, 1, 0)), 0.5, Vector3d::Zero())}}};
  const auto simulation = Start(scene);
  Observation o = RunFor(simulation.get(), 1e-3, 1e-3);
  const double start = TotalEnergy(scene, o) - o.work->Sum();
  o = RunFor(simulation.get(), 0.499, 1e-3);
  EXPECT_GT((*o.work)[WorkClass::kControl], 5.0);
  EXPECT_NEAR((*o.work)[WorkClass::kConstraint], 0.0, 1e-9);
  EXPECT_NEAR(TotalEnergy(scene, o) - o.work->Sum(), start, 1e-4);
}

// Grab, then, at the instant a second Grab ends, Disconnect: the claw stops dead at its place, the
// prey flies on as fast as the chase made it. A Connect of its own would have stopped both.
TEST(Behaviours, WhatHappensAtOneInstantHappensTogether) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("claw", {0, 0, 0}, 1.0), Block("prey", {1, 0, 0}, 0.5)};
  const PointRef claw{0, kCentre}, prey{1, kCentre};
  const Goal mouth(Vector3d(0, 1, 0));
  const Vector3d velocity(-1.5, 0.5, 0);
  using Kind = Action::Kind;
  scene.behaviours = {{"feed",
                       {Chase(claw, prey, 0.5, Vector3d::Zero()), Tie(Kind::kConnect, claw, prey),
                        Chase(claw, mouth, 0.5, velocity), Tie(Kind::kConnect, claw, mouth),
                        Tie(Kind::kDisconnect, claw, prey)}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 1.2, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - Vector3d(0, 1, 0)).norm(), 1e-5);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  EXPECT_LT((o.velocities->col(27 + kCentre) - velocity).norm(), 1e-3);
  std::vector<std::string> told;
  for (const SimulationEvent& event : simulation->events()) told.push_back(event.what);
  ASSERT_EQ(told.size(), 6u);
  EXPECT_THAT(told[0], HasSubstr("claw[13] reached prey[13]"));
  EXPECT_THAT(told[4], HasSubstr("claw[13] disconnected from prey[13]"));
  EXPECT_EQ(simulation->events()[2].time, simulation->events()[4].time);
  EXPECT_NEAR(simulation->events()[2].time, 1.0, 1e-9);
}

// Two behaviours that lead one point: the later one has it, it is told, and the end of the other
// does not let go of the point.
TEST(Behaviours, OfTwoChasesOfAPointTheLaterOneHasIt) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  const Vector3d there(1.0, 0.6, -0.4);
  scene.behaviours = {{"first", {Chase({0, kCentre}, Goal(Vector3d(0, 3, 0)), 0.3985)}},
                      {"second", {Chase({0, kCentre}, Goal(there), 0.4, Vector3d::Zero())}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.4, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - there).norm(), 1e-6);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  ASSERT_FALSE(simulation->events().empty());
  EXPECT_THAT(simulation->events()[0].what, HasSubstr("led by two chases at once"));
}

TEST(Behaviours, WaitRepeatAndDoThingsBesideOneAnother) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("a", {0, 0, 0}, 1.0), Block("b", {3, 0, 0}, 1.0)};
  scene.bodies[1].velocity = {-1, 0, 0};
  Action near;
  near.kind = Action::Kind::kWaitFor;
  near.condition.kind = Condition::Kind::kNear;
  near.condition.point = {0, kCentre};
  near.condition.goal = PointRef{1, kCentre};
  near.condition.value = 2.0;
  Action both;
  both.kind = Action::Kind::kParallel;
  both.actions = {Wait(0.2), Wait(0.3)};
  Action twice;
  twice.kind = Action::Kind::kRepeat;
  twice.count = 2;
  twice.actions = {both};
  scene.behaviours = {{"near", {near}}, {"count", {twice}}, {"box", {Wait(0.0)}}};
  near.condition.kind = Condition::Kind::kInside;
  near.condition.point = {1, kCentre};
  near.condition.lower = {1.4, -1, -1};
  near.condition.upper = {1.5, 1, 1};
  scene.behaviours[2].actions = {near};
  const auto simulation = Start(scene);
  RunFor(simulation.get(), 2.0, 1e-2);
  ASSERT_EQ(simulation->events().size(), 3u);
  EXPECT_EQ(simulation->events()[0].what, "behaviour 'count' is done");
  EXPECT_NEAR(simulation->events()[0].time, 0.61, 1e-9);  // a pass begins in a step of its own
  EXPECT_NEAR(simulation->events()[1].time, 1.0, 0.0101);
  EXPECT_EQ(simulation->events()[2].what, "behaviour 'box' is done");
  EXPECT_NEAR(simulation->events()[2].time, 1.5, 0.0101);
}

TEST(Behaviours, RestoredInTheMiddleGoOnBitForBit) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("prey", {2, 1, 0}, 0.5)};
  const PointRef hook{0, kCentre}, prey{1, kCentre};
  scene.behaviours = {{"hunt",
                       {Chase(hook, prey, 0.4), Tie(Action::Kind::kConnect, hook, prey),
                        Chase(hook, Goal(Vector3d(0, 1, 0)), 0.4)}}};
  for (double middle : {0.55, 0.398}) {  // the way of the last steps is kept
    const auto simulation = Start(scene), other = Start(scene);
    RunFor(simulation.get(), middle, 1e-3);
    other->Restore(simulation->Save());
    const Observation a = RunFor(simulation.get(), 0.3, 1e-3), b = RunFor(other.get(), 0.3, 1e-3);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(simulation->Save(), other->Save());
  }
}

// The same hunt in the plane and in space.
TEST(Behaviours, PlaneOfAWorldInSpaceIsThePlanarWorld) {
  Scene scene = Pendulum(2);
  scene.behaviours = {{"pull", {Chase({1, 1}, Goal(Vector3d(0.4, -0.5, 0)), 0.4)}}};
  scene.sliders = {SliderAt(scene, {0, 1}, Slider::Kind::kPlane, {1, 1, 0})};
  scene.nails.clear();
  const auto planar = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  scene.dimension = 3;
  const auto spatial = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  EXPECT_LT((planar - spatial).norm(), 1e-9);
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
}  // namespace pliant
