// A planned jump, replayed by the simulation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "solvers/spacetime/interior_point.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using testing::Contains;
using testing::HasSubstr;

ParameterValues Planned(ParameterValues more = {}) {
  more.emplace("controller", std::string("planned"));
  return more;
}

constexpr double kStart = 0.7;  // m, where the lamp stands

struct Replayed {
  double hinges_off = 0.0, base_off = 0.0;  // largest on the way [rad], [m]
  double tracking, effort, hinges;          // ∫ Σ τ² dt of the servo, of all; ∫ Σ φ̈² dt
  double landed;                            // x of the base at the end [m]
  double highest = 0.0;                     // of the base [m]
};
// An impulse [N·s] on the head, along x.
void Push(ArticulatedLampSimulation* simulation, double impulse) {
  const Lamp& lamp = simulation->stepper().lamp();
  LampVector force;
  for (int k = 0; k < kLampDof; ++k) {
    force[k] =
        impulse *
        LinkStates<double>(lamp, simulation->q(), LampVector::Unit(k))[3].centre_velocity.x();
  }
  Eigen::VectorXd state = simulation->Save();
  for (Eigen::Index at = 0; at + 2 * kLampDof <= state.size(); ++at) {
    const bool here = state.segment<kLampDof>(at) == simulation->q() &&
                      state.segment<kLampDof>(at + kLampDof) == simulation->v();
    if (!here) continue;
    state.segment<kLampDof>(at + kLampDof) += MassMatrix(lamp, simulation->q()).ldlt().solve(force);
    simulation->Restore(state);
    return;
  }
  FAIL() << "no motion in the state";
}

constexpr double kPushed = 0.75;  // s, in the air

// With a push in the air, if it is not 0; `impulses`: of the scene.
Replayed Replay(const ParameterValues& parameters, double h, double push = 0.0,
                const std::vector<Impulse>& impulses = {}) {
  Scene scene = LampScene();
  scene.bodies[0].position.x() = kStart;
  scene.impulses = impulses;
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  Simulation& simulation = *translation.simulation;
  Replayed replayed;
  Observation o;
  const int pushed = static_cast<int>(std::lround(kPushed / h));
  for (int i = 0; i < static_cast<int>(std::lround(1.38 / h)); ++i) {
    if (push != 0.0 && i == pushed) {
      Push(dynamic_cast<ArticulatedLampSimulation*>(&simulation), push);
    }
    EXPECT_EQ(simulation.Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation.Observe(&o);
    replayed.hinges_off = std::max(replayed.hinges_off, Extra(o, "hinges_off_plan_rad"));
    replayed.base_off = std::max(replayed.base_off, Extra(o, "base_off_plan_m"));
    replayed.highest = std::max(replayed.highest, o.points(1, 0));
  }
  replayed.tracking = Extra(o, "tracking_effort_N2_m2_s");
  replayed.effort = Extra(o, "torque_effort_N2_m2_s");
  replayed.hinges = Extra(o, "hinge_effort_rad2_s3");
  replayed.landed = o.points(0, 0);
  return replayed;
}

TEST(PlannedJump, TheSimulationLandsWhereThePlanDoes) {
  const Replayed replayed = Replay(Planned(), 5e-4);
  EXPECT_NEAR(replayed.landed, kStart + 0.3, 3e-3);
  // What the plan costs, on its mesh of 0.01 s: 8.28 for torques, 0.823 for hinges.
  EXPECT_NEAR(replayed.effort, 8.3, 0.5);
  EXPECT_NEAR(1e-5 * replayed.hinges, 0.82, 0.15);
  EXPECT_GT(replayed.highest, 0.05);
  EXPECT_LT(replayed.base_off, 5e-3);
  EXPECT_LT(replayed.hinges_off, 0.05);
  EXPECT_LT(replayed.tracking, 0.05 * replayed.effort);
}

TEST(PlannedJump, TheServoHoldsTheHingesToThePlan) {
  const Replayed held = Replay(Planned(), 5e-4);
  const Replayed free =
      Replay(Planned({{"tracking_stiffness", 0.0}, {"tracking_damping", 0.0}}), 5e-4);
  EXPECT_LT(held.hinges_off, 0.2 * free.hinges_off);
  EXPECT_EQ(free.tracking, 0.0);
  EXPECT_GT(held.tracking, 0.0);
}

// Torques alone: where the plan keeps away from the stops and the border of the friction cone, and touchdown
// and stops are located, the simulation converges to the plan. Without the margins the stops answer, and the
// lamp ends a radian off, however small the step.
TEST(PlannedJump, TorquesAloneLeadToThePlanAsTheStepShrinks) {
  const ParameterValues open_loop = Planned({{"tracking_stiffness", 0.0},
                                             {"tracking_damping", 0.0},
                                             {"integrator", std::string("midpoint")},
                                             {"plan_step", 0.0025},
                                             {"plan_refinements", std::int64_t{3}},
                                             {"plan_limit_margin", 0.005},
                                             {"plan_friction_margin", 0.05}});
  std::vector<double> off;
  for (const double h : {2e-4, 1e-4, 5e-5}) off.push_back(Replay(open_loop, h).hinges_off);
  EXPECT_GT(std::log2(off[0] / off[1]), 1.5);
  EXPECT_GT(std::log2(off[1] / off[2]), 1.5);
  EXPECT_LT(off[2], 2e-4);
  ParameterValues without_margin = open_loop;
  without_margin["plan_limit_margin"] = 0.0;
  EXPECT_GT(Replay(without_margin, 5e-5).hinges_off, 0.5);
}

TEST(PlannedJump, SaysHowFarItLeavesItsLimitsBetweenNodes) {
  const auto between = [](double limit_margin, double friction_margin) {
    const LampBody body = ReadLampBody(LampScene().bodies[0]);
    const Lamp lamp(body.parameters, 9.81);
    JumpPlanOptions options;
    options.step = 0.005;
    options.refinements = 2;
    options.limit_margin = limit_margin;
    options.friction_margin = friction_margin;
    const PlannedJump plan(JumpFrom(LampScene(), body, 0.3), body.q, INFINITY, options);
    EXPECT_TRUE(plan.found());
    return plan.BetweenNodes(lamp);
  };
  const PlannedJump::Excess without = between(0.0, 0.0);
  EXPECT_GT(without.hinge, 1e-4);
  EXPECT_LT(without.hinge, 5e-3);
  EXPECT_GT(without.cone, 0.5);
  EXPECT_NEAR(without.cone_time, 0.6, 0.02);  // at take-off
  const PlannedJump::Excess with = between(0.005, 0.1);
  EXPECT_EQ(with.hinge, 0.0);
  EXPECT_EQ(with.cone, 0.0);
}

// Where the stops and the cone are away, and the touchdown is located.
ParameterValues Located(const std::string& tracking, ParameterValues more = {}) {
  more.insert({{"tracking", tracking},
               {"integrator", std::string("midpoint")},
               {"plan_limit_margin", 0.005},
               {"plan_friction_margin", 0.05}});
  return Planned(more);
}

// What the regulator corrects is the error of the plan's mesh and of the step; it needs a tenth of the servo's torques for it.
TEST(PlannedJump, TheRegulatorHoldsThePlanWithLessThanTheServo) {
  const Replayed servo = Replay(Located("servo"), 2e-4), lqr = Replay(Located("lqr"), 2e-4);
  EXPECT_NEAR(lqr.landed, kStart + 0.3, 1e-3);
  EXPECT_LT(lqr.base_off, 1e-3);
  EXPECT_LT(lqr.hinges_off, 5e-3);
  EXPECT_GT(servo.tracking, 0.01);
  EXPECT_LT(lqr.tracking, 0.1 * servo.tracking);
}

// On a fine mesh the deviation shrinks with the step, at the order of the stepper.
TEST(PlannedJump, TheRegulatedMotionConvergesToThePlan) {
  const ParameterValues fine =
      Located("lqr", {{"plan_step", 0.0025}, {"plan_refinements", std::int64_t{3}}});
  std::vector<double> off;
  for (const double h : {8e-4, 4e-4, 2e-4}) off.push_back(Replay(fine, h).base_off);
  EXPECT_LT(off[2], 1e-4);
  EXPECT_GT(std::log2(off[0] / off[1]), 0.8);
  EXPECT_GT(std::log2(off[1] / off[2]), 0.8);
}

// The plan reckons with a head that is lighter by a sixth than that of the lamp: 20 % heavier than planned.
TEST(PlannedJump, ALampWithAHeavierHeadThanPlannedLandsByEither) {
  const auto replay = [](const std::string& tracking) {
    return Replay(Located(tracking, {{"plan_head_factor", 1.0 / 1.2}}), 2e-4);
  };
  const Replayed servo = replay("servo"), lqr = replay("lqr");
  for (const Replayed& replayed : {servo, lqr}) {
    EXPECT_GT(replayed.landed, kStart + 0.33) << "a heavier head carries the lamp further";
    EXPECT_LT(replayed.landed, kStart + 0.38);
  }
  EXPECT_LT(lqr.tracking, 0.7 * servo.tracking);
}

// Pushed by 0.1 N·s in the air, the lamp lands where it should by either, with less than half of the torques by the regulator.
TEST(PlannedJump, APushIsHeldByEither) {
  for (const double push : {0.1, -0.1}) {
    const Replayed servo = Replay(Located("servo"), 2e-4, push);
    const Replayed lqr = Replay(Located("lqr"), 2e-4, push);
    EXPECT_GT(servo.hinges_off, 0.02) << "it is felt";
    for (const Replayed& replayed : {servo, lqr}) {
      EXPECT_NEAR(replayed.landed, kStart + 0.3, 5e-3);
    }
    EXPECT_LT(lqr.tracking, 0.5 * servo.tracking);
  }
}

// The impulse of a scene on the middle of the head is the change of rates that this test makes by the mass matrix. Under the servo: which phase
// the regulator follows while one end of the base is down is decided by rounding.
TEST(PlannedJump, AnImpulseOfTheSceneIsThatPush) {
  const int middle = static_cast<int>(LampScene().bodies[0].rest.cols()) - 2;
  const std::vector<Impulse> impulses = {{"push", {0, middle}, {0.1, 0.0, 0.0}, kPushed}};
  const Replayed by_hand = Replay(Located("servo"), 2e-4, 0.1);
  const Replayed by_scene = Replay(Located("servo"), 2e-4, 0.0, impulses);
  EXPECT_NEAR(by_scene.landed, by_hand.landed, 1e-9);
  EXPECT_NEAR(by_scene.hinges_off, by_hand.hinges_off, 1e-9);
  EXPECT_NEAR(by_scene.tracking, by_hand.tracking, 1e-7 * by_hand.tracking);
}

// Planned again every 50 ms, on a coarse mesh.
ParameterValues Replanned(ParameterValues more = {}) {
  more.insert({{"replan_every", 0.05}, {"plan_step", 0.02}, {"plan_refinements", std::int64_t{0}}});
  return Located("servo", more);
}

// A head 20 % heavier than planned carries the lamp 6 cm too far; plans made on the way, though they reckon with the lighter head, do not let
// it: each begins where the lamp has come to.
TEST(PlannedJump, PlansMadeOnTheWayLandAHeavierHead) {
  const Replayed once = Replay(Located("servo", {{"plan_head_factor", 1.0 / 1.2}}), 2e-4);
  const Replayed again = Replay(Replanned({{"plan_head_factor", 1.0 / 1.2}}), 2e-4);
  EXPECT_GT(once.landed, kStart + 0.33);
  EXPECT_NEAR(again.landed, kStart + 0.3, 0.01);
  EXPECT_LT(again.tracking, 0.6 * once.tracking);
}

// A state restored in the middle goes on bit for bit: the plans are made again from what they were made from.
TEST(PlannedJump, PlansMadeOnTheWayAreState) {
  const auto start = [] {
    return TheBackend()
        .Translate(std::make_shared<const Scene>(LampScene()),
                   Replanned({{"plan_head_factor", 1.0 / 1.2}}))
        .simulation;
  };
  const auto run = [](Simulation* simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation->Advance(1e-3);
  };
  const auto whole = start(), restored = start();
  run(whole.get(), 330);
  const Eigen::VectorXd middle = whole->Save();
  run(whole.get(), 350);
  const Eigen::VectorXd end = whole->Save();
  restored->Restore(middle);
  run(restored.get(), 350);
  EXPECT_EQ(restored->Save(), end);
  whole->Restore(middle);  // back again, over plans that are forgotten
  run(whole.get(), 350);
  EXPECT_EQ(whole->Save(), end);
  Observation o;
  whole->Observe(&o);
  EXPECT_EQ(Extra(o, "replans"), 13.0);
  EXPECT_GE(Extra(o, "replans_found"), 11.0);
}

TEST(PlannedJump, TheRegulatorNeedsAWeightOfAngles) {
  reference::ExpectBadInput("tracking_stiffness", [] {
    TheBackend().Translate(std::make_shared<const Scene>(LampScene()),
                           Located("lqr", {{"tracking_stiffness", 0.0}}));
  });
}

// Weights so small that the modes of the Hamiltonian matrix are 0 to rounding, and so large that it overflows: its sign is not
// found.
TEST(PlannedJump, TheRegulatorRefusesWeightsForWhichItsEquationCannotBeSolved) {
  for (const double weight : {1e-12, 1e160}) {
    reference::ExpectBadInput("tracking_stiffness", {"no linear regulator holds the last pose"},
                              [&] {
                                TheBackend().Translate(std::make_shared<const Scene>(LampScene()),
                                                       Planned({{"plan_step", 0.02},
                                                                {"tracking", std::string("lqr")},
                                                                {"tracking_stiffness", weight},
                                                                {"tracking_damping", weight}}));
                              });
  }
}

// Of several starts the record and the table say how each ended.
TEST(PlannedJump, SaysHowItsStartsEnded) {
  const auto translate = [](std::int64_t starts, std::int64_t threads) {
    return TheBackend().Translate(
        std::make_shared<const Scene>(LampScene()),
        Planned({{"plan_step", 0.02}, {"plan_starts", starts}, {"plan_threads", threads}}));
  };
  const Translation one = translate(1, 1), three = translate(3, 2);
  EXPECT_EQ(one.findings.size(), 1u);
  ASSERT_EQ(three.findings.size(), 2u);
  EXPECT_EQ(three.findings[1].title, "Starts of the plan");
  ASSERT_EQ(three.findings[1].rows.size(), 3u);
  EXPECT_EQ(three.findings[1].rows[2][0], "2");
  const PlanRecord record = three.simulation->AsPlanFollower()->plan_record().value();
  ASSERT_EQ(record.starts.size(), 3u);
  EXPECT_EQ(record.starts[record.start].cost, record.cost);
  EXPECT_EQ(three.findings[1].rows[record.start][3], Digits(record.cost, 10));
  EXPECT_EQ(one.simulation->AsPlanFollower()->plan_record().value().starts.size(), 1u);
}

// A simulation says of its plan what the solver found, at full precision and where the scene has it.
TEST(PlannedJump, TheSimulationKnowsTheRecordOfItsPlan) {
  Scene scene = LampScene();
  scene.bodies[0].position.x() = kStart;
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), Planned({{"plan_step", 0.02}}));
  const PlanFollower* follower = translation.simulation->AsPlanFollower();
  ASSERT_NE(follower, nullptr);
  const std::optional<PlanRecord> plan = follower->plan_record();
  ASSERT_TRUE(plan);
  EXPECT_NEAR(plan->origin.x(), kStart, 1e-15);
  EXPECT_EQ(plan->problem.flight_duration, 0.28);
  EXPECT_EQ(plan->mesh_step, 0.02);
  Observation o;
  translation.simulation->Observe(&o);
  EXPECT_EQ(Extra(o, "plan_cost_N2_m2_s"), plan->cost);
  EXPECT_EQ(Extra(o, "plan_stationarity"), plan->residuals.stationarity);
  EXPECT_EQ(Extra(o, "plan_complementarity"), plan->residuals.complementarity);
  EXPECT_EQ(Extra(o, "plan_feasibility"), plan->residuals.feasibility);
  EXPECT_GT(Extra(o, "plan_momentum_defect"), 1e-5);
  EXPECT_LT(Extra(o, "plan_momentum_defect"), 1e-3);
  EXPECT_THAT(translation.findings.at(0).rows.at(0),
              testing::ElementsAre("cost J", Digits(plan->cost, 10)));
}

TEST(PlannedJump, WithoutAPlanThereIsNoRecord) {
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(LampScene()), {});
  const PlanFollower* follower = translation.simulation->AsPlanFollower();
  ASSERT_NE(follower, nullptr);
  EXPECT_FALSE(follower->plan_record());
}

Obstacle BoxAt(const std::string& name, const Eigen::Vector3d& middle, const Eigen::Vector3d& half,
               double turn, double friction) {
  const Box box = {.half_size = half,
                   .axes = Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()).toRotationMatrix()};
  return {name, box, Path::Still(middle), friction, 0.0};
}

// What the scene says of a jump.
TEST(JumpGround, OfASceneIsItsPlaneAndTheTopsOfItsBoxes) {
  Scene scene = LampScene();
  scene.bodies[0].position.x() = kStart;
  scene.obstacles.push_back(BoxAt("step", {kStart + 0.8, 0.05, 0}, {0.5, 0.05, 0.3}, 0.0, 0.6));
  const std::vector<LampFloor> ground = GroundOf(scene);
  ASSERT_EQ(ground.size(), 2u);
  EXPECT_TRUE(ground[0].endless());
  EXPECT_NEAR(ground[1].height, 0.1, 1e-15);
  EXPECT_NEAR(ground[1].left, kStart + 0.3, 1e-15);
  EXPECT_NEAR(ground[1].right, kStart + 1.3, 1e-15);
  EXPECT_EQ(ground[1].friction, 0.6);
  LampBody body = ReadLampBody(scene.bodies[0]);
  const LampJumpProblem problem = JumpFrom(scene, body, 0.5);
  EXPECT_EQ(problem.friction, 0.8);
  EXPECT_EQ(*problem.landing_friction, 0.6);
  EXPECT_NEAR(problem.end_height, 0.1, 1e-12);
  EXPECT_EQ(problem.floor_height, 0.0);
  ASSERT_EQ(problem.rises.size(), 1u);
  EXPECT_NEAR(problem.rises[0].left, 0.3, 1e-12);
  EXPECT_NEAR(problem.rises[0].height, 0.1, 1e-12);
  EXPECT_FALSE(problem.in_run);
  for (const double distance : {0.25, 1.28, 1.35}) {  // over its edges
    EXPECT_THROW(JumpFrom(scene, body, distance), BadInput);
  }
}

// A ramp whose top ends at (0, 0.3), and the lamp on it, 0.7 m above its edge.
TEST(JumpGround, ASlopeThatEndsIsAnInRun) {
  const double slope = 0.35, c = std::cos(slope), s = std::sin(slope);
  Scene scene = LampScene();
  scene.obstacles.push_back(BoxAt("ramp",
                                  Eigen::Vector3d(-0.6 * c - 0.1 * s, 0.3 + 0.6 * s - 0.1 * c, 0),
                                  {0.6, 0.1, 0.5}, -slope, 0.05));
  scene.bodies[0].position = {-0.7 * c, 0.3 + 0.7 * s, 0.0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(-slope, Eigen::Vector3d::UnitZ());
  const LampJumpProblem problem = JumpFrom(scene, ReadLampBody(scene.bodies[0]), 0.7 * c + 0.7);
  ASSERT_TRUE(problem.in_run);
  EXPECT_NEAR(problem.in_run->slope, slope, 1e-12);
  EXPECT_NEAR(problem.in_run->length, 0.6, 1e-9);
  EXPECT_EQ(problem.in_run->friction, 0.05);
  EXPECT_EQ(*problem.landing_friction, 0.8);
  EXPECT_NEAR(problem.end_height, -0.3 - 0.7 * s, 1e-9);
  EXPECT_NEAR(problem.floor_height, problem.end_height, 1e-9);
  ASSERT_EQ(problem.rises.size(), 1u);
  EXPECT_NEAR(problem.rises[0].height, 0.0, 1e-9);  // the line under the base
  EXPECT_NEAR(problem.rises[0].incline, -std::tan(slope), 1e-12);
  EXPECT_NEAR(problem.rises[0].right, 0.7 * c, 1e-9);
}

TEST(PlannedJump, PosesThatMakeNoJumpAreNoGuess) {
  ControlTable table;
  table.body = "lamp";
  const ControlTable::Servo servo = {.name = "base hinge", .stiffness = 20.0, .damping = 1.0};
  table.servos = {servo};
  ControlTable::Entry still;
  still.name = "still";
  still.is_final = true;
  still.targets = {{"base hinge", Radians(-25)}};
  table.poses = {still};
  reference::ExpectBadInput("control", {"do not jump"}, [&] {
    TheBackend().Translate(std::make_shared<const Scene>(LampScene()),
                           Planned({{"control", table}}));
  });
}

TEST(PlannedJump, ATorqueLimitThatBindsIsReported) {
  const auto warnings = [](double limit) {
    return TheBackend()
        .Translate(std::make_shared<const Scene>(LampScene()), Planned({{"torque_limit", limit}}))
        .warnings;
  };
  ASSERT_EQ(warnings(7.0).size(), 1u);
  EXPECT_THAT(warnings(7.0)[0], HasSubstr("the torque limit of 7 N m is active in the plan: "));
  EXPECT_TRUE(warnings(20.0).empty());
}

TEST(PlannedJump, OfAMeshFinerThanAskedForIsReported) {
  const Translation translation = TheBackend().Translate(
      std::make_shared<const Scene>(LampScene()), Planned({{"jump_landing", std::string("soft")},
                                                           {"plan_step", 0.02},
                                                           {"plan_refinements", std::int64_t{0}}}));
  EXPECT_NE(translation.simulation, nullptr);
  EXPECT_THAT(translation.warnings,
              Contains(HasSubstr("the plan is that of the mesh of 0.01 s: on 0.02 s")));
}

TEST(PlannedJump, AGoalOutOfReachIsNoPlanAndSaysWhatAndWhen) {
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(LampScene()),
                             Planned({{"hinge_upper", std::vector<double>{0.8, 0.7, 0.7}}}));
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_THAT(translation.record.WhyUnsupported(),
              HasSubstr("did not converge: infeasible: worst is 'limit of hinge 2'"));
  EXPECT_THAT(translation.record.WhyUnsupported(), HasSubstr("at t = 0.000 s"));
}

// By either method the same plan, and the record says by which; without Ipopt whoever asks for the second learns what is missing.
TEST(PlannedJump, IsFoundByTheMethodThatTheFileAsksFor) {
  const auto plan_by = [](const std::string& method) {
    const Translation translation = TheBackend().Translate(
        std::make_shared<const Scene>(LampScene()),
        Planned({{"plan_method", method}, {"plan_step", 0.02}, {"plan_refinements", 1}}));
    return translation.simulation->AsPlanFollower()->plan_record().value();
  };
  const PlanRecord first = plan_by("augmented-lagrangian");
  EXPECT_EQ(first.method, SpacetimeMethod::kAugmentedLagrangian);
  if (HasInteriorPoint()) {
    const PlanRecord second = plan_by("interior-point");
    EXPECT_EQ(second.method, SpacetimeMethod::kInteriorPoint);
    EXPECT_EQ(second.iterations.front().result.stage, "interior point");
    EXPECT_NEAR(second.cost, first.cost, 1e-5 * first.cost);
  } else {
    reference::ExpectBadInput("plan_method", {"Ipopt", "coinor-libipopt-dev"},
                              [&] { plan_by("interior-point"); });
  }
}

TEST(PlannedJump, WhatAPlanCannotStartFromIsNamed) {
  const auto refused = [](const Scene& scene, const std::string& why) {
    reference::ExpectBadInput("controller", {why}, [&] {
      TheBackend().Translate(std::make_shared<const Scene>(scene), Planned());
    });
  };
  Scene scene = LampScene();
  scene.bodies[0].position = {0, 0.1, 0};
  refused(scene, "flat on the ground");
  scene = LampScene();
  scene.bodies[0].velocity = {0.1, 0, 0};
  refused(scene, "at rest");
  scene = LampScene();
  scene.obstacles[0].friction = 0.0;
  refused(scene, "friction");
}

}  // namespace
}  // namespace pliant::articulated_lamp
