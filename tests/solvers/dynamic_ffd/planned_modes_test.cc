#include "solvers/dynamic_ffd/planned_modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/backend.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

Scene Jelly() {
  Scene scene;
  scene.name = "jelly";
  scene.dimension = 2;
  Body body;
  body.name = "jelly";
  std::vector<Eigen::Vector3d> points;
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 4; ++i) points.emplace_back(0.1 * i - 0.15, 0.1 * j, 0.0);
  }
  body.rest.resize(3, 24);
  for (int n = 0; n < 24; ++n) body.rest.col(n) = points[n];
  body.mass = VectorXd::Constant(24, 2.0 / 24);
  scene.bodies = {body};
  Obstacle ground;
  ground.name = "ground";
  ground.shape = Plane{};
  ground.friction = 0.8;
  scene.obstacles = {ground};
  return scene;
}

MatrixTable Modes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 1.0}, {"degree_y", 2.0}, {"size_x", 1.0}, {"size_y", 1.0}};
  table.entries = {ShapedMode("stretch", {{"shape", "stretch"}, {"axis", "y"}},
                              {{"amount", 0.3}, {"frequency", 3.0}, {"damping_ratio", 0.05}}),
                   ShapedMode("lean", {{"shape", "shear"}, {"axis", "y"}, {"toward", "x"}},
                              {{"amount", 0.3}, {"frequency", 3.0}, {"damping_ratio", 0.05}})};
  NamedMatrix sway = ShapedMode("sway", {}, {{"frequency", 3.0}, {"damping_ratio", 0.05}});
  sway.values = MatrixXd::Zero(2, 6);
  sway.values.row(0).tail(2).setConstant(0.3);
  table.entries.push_back(sway);
  return table;
}

ParameterValues Parameters(std::vector<std::string> acts = {"stretch", "lean"}) {
  ParameterValues parameters = With(Modes(), "rk4");
  parameters["planned_jump"] = true;
  parameters["jump_distance"] = 0.15;
  parameters["jump_modes"] = std::move(acts);
  return parameters;
}

const PlannedModes& PlanOf(const Translation& translation) {
  return *AsFfd(translation).system().plan();
}

// The forces of the plan against M(q) v̇ = Q + h of the simulation, which shares no code with them.
TEST(PlannedModes, ReckonWithTheForcesOfTheSimulation) {
  const Translation translation = Translated(Jelly(), Parameters());
  const DeformableCharacter& character = PlanOf(translation).problem().character;
  const FfdPart& part = AsFfd(translation).system().parts().front();
  const FfdBody& body = part.body;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  // The base in the axes of the body: its middle is at d₀ + Σ γ_k d_k from the origin.
  Eigen::Matrix2Xd d(2, 4);
  for (int k = 0; k < 4; ++k) {
    const Eigen::Matrix3Xd shape = body.ShapeAsPoints(k);
    d.col(k) = 0.5 * (shape.col(0) + shape.col(3)).head<2>();
  }
  for (int round = 0; round < 10; ++round) {
    VectorXd q(6), v(6), a(6);  // of the base
    for (VectorXd* of : {&q, &v, &a}) {
      for (double& number : *of) number = any(random);
    }
    const auto lever = [&d](const VectorXd& of, double constant) -> Vector2d {
      return constant * d.col(0) + d.rightCols(3) * of.tail(3);
    };
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    Eigen::Matrix2d R, R1;
    R << c, -s, s, c;
    R1 << -s, -c, c, -s;
    const Vector2d at = lever(q, 1.0), rate = lever(v, 0.0), second = lever(a, 0.0);
    VectorXd Q = q, V = v, A = a;  // of the frame of the body
    Q.head<2>() -= R * at;
    V.head<2>() -= v[2] * (R1 * at) + R * rate;
    A.head<2>() -=
        a[2] * (R1 * at) - v[2] * v[2] * (R * at) + 2.0 * v[2] * (R1 * rate) + R * second;
    VectorXd h = VectorXd::Zero(6);
    part.inertia->Place(Q);
    part.inertia->AddVelocityForces(V, h);
    part.inertia->AddGravity({0.0, -character.gravity, 0.0}, h);
    const VectorXd of_frame = part.inertia->MassMatrix(Q) * A - h;
    VectorXd expected = of_frame;
    const Vector2d push = of_frame.head<2>();
    expected[2] -= push.dot(R1 * at);
    for (int k = 0; k < 3; ++k) expected[3 + k] -= push.dot(R * d.col(1 + k));
    expected.tail(3) += 2.0 * part.stiffness * q.tail(3) + part.damping * v.tail(3);
    VectorXd force(6);
    character.InverseDynamics(q.data(), v.data(), a.data(), true, force.data());
    EXPECT_LT((force - expected).norm(), 1e-12 * expected.norm()) << round;
  }
}

ParameterValues OnGround(double stiffness, ParameterValues parameters) {
  parameters["contact_stiffness"] = stiffness;
  parameters["contact_tangential_stiffness"] = stiffness;
  parameters["contact_damping"] = 0.7 * std::sqrt(stiffness);
  parameters["contact_tangential_damping"] = 0.7 * std::sqrt(stiffness);
  return parameters;
}

struct Landing {
  double base, modes;  // off the plan at its end
};
Landing Replayed(double stiffness, double step, ParameterValues parameters) {
  const Translation translation = Translated(Jelly(), OnGround(stiffness, std::move(parameters)));
  const double end = PlanOf(translation).plan().motion.duration();
  RunFor(translation.simulation.get(), step, static_cast<int>(std::lround(end / step)));
  const DynamicFfdSimulation& simulation = AsFfd(translation);
  const PlannedModes::Distance off =
      PlanOf(translation)
          .From(simulation.time(), simulation.system().parts().front(), simulation.q());
  return {off.base, off.modes};
}

// The plan stands on rigid ground. The stiffer the springs on which the body stands, the nearer it lands.
TEST(PlannedModes, LandTheNearerTheStifferTheGround) {
  std::vector<Landing> landings;
  for (const double stiffness : {2e4, 8e4, 3.2e5})
    landings.push_back(Replayed(stiffness, 2e-5, Parameters()));
  EXPECT_LT(landings[0].base, 2e-3);
  EXPECT_LT(landings[1].base, 0.6 * landings[0].base);
  EXPECT_LT(landings[2].base, 0.6 * landings[1].base);
  EXPECT_LT(landings[1].modes, 0.6 * landings[0].modes);
  EXPECT_LT(landings[2].modes, 0.6 * landings[1].modes);
}

TEST(PlannedModes, LoseNoEnergyToTheirLedger) {
  std::vector<double> residuals;
  for (const double step : {4e-4, 2e-4, 1e-4}) {
    const Translation translation = Translated(Jelly(), Parameters());
    const double before = Balance(Jelly(), RunFor(translation.simulation.get(), step, 0));
    const int steps = static_cast<int>(std::lround(0.3 / step));  // it stands
    residuals.push_back(
        std::abs(Balance(Jelly(), RunFor(translation.simulation.get(), step, steps)) - before));
  }
  EXPECT_LT(residuals[2], 0.7 * residuals[0]);
  EXPECT_LT(residuals[2], 1e-3);
}

// The servo of a mode has the inertia of a body that stands; in the air less inertia is left, and the step is shorter.
TEST(PlannedModes, BoundTheStepByTheirServo) {
  const auto free_limit = [](double frequency) {
    ParameterValues parameters = Parameters({});
    parameters["tracking_frequency"] = frequency;
    return AsFfd(Translated(Jelly(), parameters)).StepLimits().front().step;
  };
  const double open_loop = free_limit(0.0), slow = free_limit(4.0), fast = free_limit(16.0);
  EXPECT_LT(slow, 0.5 * open_loop);
  EXPECT_NEAR(fast, 0.25 * slow, 0.02 * slow);  // its damping goes as the frequency
}

TEST(PlannedModes, GoOnBitForBitAfterARestore) {
  const Translation one = Translated(Jelly(), Parameters()),
                    other = Translated(Jelly(), Parameters());
  RunFor(one.simulation.get(), 1e-3, 300);
  other.simulation->Restore(one.simulation->Save());
  RunFor(one.simulation.get(), 1e-3, 300);
  RunFor(other.simulation.get(), 1e-3, 300);
  EXPECT_EQ(AsFfd(one).q(), AsFfd(other).q());
}

void ExpectRefused(const Scene& scene, const ParameterValues& parameters, const std::string& where,
                   const std::vector<std::string>& words) {
  reference::ExpectBadInput(where, words, [&] {
    TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  });
}

TEST(PlannedModes, RefuseWhatNoPlanIsFor) {
  Scene raised = Jelly();
  raised.bodies[0].rest.row(1).array() += 0.1;
  ExpectRefused(raised, Parameters(), "planned_jump", {"0.1 m above"});

  Scene moving = Jelly();
  moving.bodies[0].velocity = {1.0, 0.0, 0.0};
  ExpectRefused(moving, Parameters(), "planned_jump", {"at rest"});

  Scene slope = Jelly();
  slope.obstacles[0].shape = Plane{Eigen::Vector3d(0.1, 1.0, 0.0).normalized()};
  ExpectRefused(slope, Parameters(), "planned_jump", {"level ground"});

  Scene smooth = Jelly();
  smooth.obstacles[0].friction = 0.0;
  ExpectRefused(smooth, Parameters(), "planned_jump", {"friction"});

  ExpectRefused(Jelly(), Parameters({"strech"}), "jump_modes", {"no mode 'strech'"});

  ParameterValues widened = Parameters({});
  MatrixTable modes = Modes();
  modes.entries[0] = ShapedMode("widen", {{"shape", "stretch"}, {"axis", "x"}},
                                {{"amount", 0.3}, {"frequency", 3.0}});
  widened["modes"] = modes;
  ExpectRefused(Jelly(), widened, "planned_jump",
                {"'widen' moves point", "base that no mode deforms"});
}

TEST(PlannedModes, AreSeenWhileTheyArePlanned) {
  const auto scene = std::make_shared<const Scene>(Jelly());
  std::vector<PlanSight> seen;
  const auto keep = [&](const PlanSight& sight) {
    seen.push_back(sight);
    return true;
  };
  EXPECT_EQ(WatchPlan(scene, Parameters(), 5, keep), "converged");
  ASSERT_GT(seen.size(), 3u);
  EXPECT_EQ(seen.front().mesh_step, 0.02);
  EXPECT_EQ(seen.back().mesh_step, 0.01);
  EXPECT_LT(seen.back().iteration.violation, 1e-8);
  // It ends as it stood, where it jumped to.
  const std::vector<Eigen::Matrix3Xd>& poses = seen.back().poses;
  ASSERT_EQ(poses.size(), 5u);
  const Eigen::Matrix3Xd& rest = scene->bodies[0].rest;
  EXPECT_LT((poses.front() - rest).norm(), 1e-9);
  EXPECT_LT(((poses.back() - rest).colwise() - Eigen::Vector3d(0.15, 0.0, 0.0)).norm(), 1e-6);

  // In the air it is what the replay shows at that time: there both go by inertia.
  const Translation translation = Translated(*scene, OnGround(200000.0, Parameters()));
  const double middle = 0.5 * seen.back().duration;
  std::vector<Eigen::Matrix3Xd> shown;
  WatchPlan(scene, Parameters(), 3, [&](const PlanSight& sight) {
    shown = sight.poses;
    return true;
  });
  Simulation& replay = *translation.simulation;
  while (replay.time() < middle - 1e-9) replay.Advance(0.00002);
  Observation o;
  replay.Observe(&o);
  EXPECT_LT((o.points - shown[1]).colwise().norm().maxCoeff(), 0.005);
  EXPECT_GT((shown[1] - rest).colwise().norm().maxCoeff(), 0.05);

  int looks = 0;
  EXPECT_NE(WatchPlan(scene, Parameters(), 2, [&](const PlanSight&) { return ++looks < 2; }),
            "converged");
  EXPECT_EQ(looks, 2);
}

TEST(PlannedModes, ThatCannotLeanHaveNoPlan) {
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(Jelly()), [] {
        ParameterValues parameters = Parameters({"stretch"});
        parameters["use_modes"] = std::vector<std::string>{"stretch"};
        return parameters;
      }());
  EXPECT_FALSE(translation.record.supported());
}

}  // namespace
}  // namespace pliant::dynamic_ffd
