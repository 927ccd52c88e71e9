// The three laws of pose control on a standing lamp.

#include <gtest/gtest.h>

#include <cmath>

#include "models/articulated_lamp/dynamics.h"
#include "models/problem.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using PoseTargets = std::map<std::string, double>;

// Servos on all hinges, which reach their targets within half a second.
ControlTable Poses(const std::vector<PoseTargets>& targets, double duration) {
  ControlTable table;
  table.servos = {{"base hinge", 60.0, 6.0, -2.0, 2.0},
                  {"mid hinge", 40.0, 3.0, -2.0, 2.0},
                  {"head hinge", 10.0, 0.5, -2.0, 2.0}};
  for (size_t i = 0; i < targets.size(); ++i) {
    ControlTable::Entry entry;
    entry.name = "pose " + std::to_string(i);
    entry.targets = targets[i];
    if (targets.size() > 1) {
      entry.duration = duration;
    } else {
      entry.is_final = true;
    }
    table.poses.push_back(entry);
  }
  return table;
}

std::unique_ptr<Simulation> Start(const Scene& scene, const ParameterValues& parameters) {
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

const ArticulatedLampSimulation& AsLamp(const std::unique_ptr<Simulation>& simulation) {
  return dynamic_cast<const ArticulatedLampSimulation&>(*simulation);
}

void RunFor(const std::unique_ptr<Simulation>& simulation, double duration, double h = 1e-3) {
  for (int i = 0; i < static_cast<int>(std::lround(duration / h)); ++i) {
    ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
  }
}

Scene Heavy() {
  Scene scene = LampScene();
  scene.gravity = {0, -9.81, 0};
  return scene;
}

const PoseTargets kRest = {
    {"base hinge", Radians(-25)}, {"mid hinge", Radians(50)}, {"head hinge", 0.0}};
const PoseTargets kNod = {
    {"base hinge", Radians(-20)}, {"mid hinge", Radians(40)}, {"head hinge", 0.3}};

TEST(HingeControl, GravityCompensationHoldsAPoseWithoutSag) {
  for (const bool compensated : {true, false}) {
    const auto lamp =
        Start(Heavy(), {{"control", Poses({kRest}, 1.0)}, {"gravity_compensation", compensated}});
    RunFor(lamp, 3.0);
    const double sag = (AsLamp(lamp).q() - RestPose()).norm();
    if (compensated) {
      EXPECT_LT(sag, 1e-9);
    } else {
      EXPECT_GT(sag, 5e-3);
    }
  }
}

// What the servo sags without compensation is the moment of the weight over its stiffness.
TEST(HingeControl, SagIsTheMomentOfTheWeightOverTheStiffness) {
  const auto simulation =
      Start(Heavy(), {{"control", Poses({kRest}, 1.0)}, {"gravity_compensation", false}});
  RunFor(simulation, 6.0);
  const LampVector& q = AsLamp(simulation).q();
  const Lamp& lamp = AsLamp(simulation).stepper().lamp();
  const LampVector held =
      InverseDynamics<double>(lamp, q, LampVector::Zero(), LampVector::Zero(), lamp.gravity());
  EXPECT_NEAR(q[3] - Radians(-25), -held[3] / 60.0, 1e-7);
  EXPECT_NEAR(q[4] - Radians(50), -held[4] / 40.0, 1e-7);
  EXPECT_NEAR(q[5], -held[5] / 10.0, 1e-7);
}

// The state holds no mass and no limit: it goes on in a lamp with others, and moves otherwise.
TEST(HingeControl, AnotherMassOrLimitWhileItRunsChangesTheMotion) {
  const ParameterValues parameters = {{"control", Poses({kRest}, 1.0)},
                                      {"gravity_compensation", false}};
  const auto before = Start(Heavy(), parameters);
  RunFor(before, 3.0);
  const LampVector q = AsLamp(before).q();

  const auto heavy = Start(LampScene(RestPose(), LampParameters{}.WithHeadMass(1.0)), parameters);
  heavy->Restore(before->Save());
  EXPECT_EQ(AsLamp(heavy).q(), q);
  RunFor(heavy, 6.0);
  const LampVector held = InverseDynamics(AsLamp(heavy).stepper().lamp(), AsLamp(heavy).q(),
                                          LampVector::Zero(), LampVector::Zero());
  EXPECT_NEAR(AsLamp(heavy).q()[4] - Radians(50), -held[4] / 40.0, 1e-6);
  EXPECT_GT(AsLamp(heavy).q()[4] - Radians(50), 1.5 * (q[4] - Radians(50)));

  ParameterValues narrow = parameters;
  narrow["hinge_upper"] = std::vector<double>{0.8, 0.7, 0.7};
  const auto stopped = Start(Heavy(), narrow);
  stopped->Restore(before->Save());
  RunFor(stopped, 2.0);
  EXPECT_NEAR(AsLamp(stopped).q()[4], 0.7, 0.02);
}

TEST(HingeControl, TimedArrivalIsAtItsTime) {
  const auto timed = Start(Heavy(), {{"control", Poses({kNod, kRest}, 0.8)}, {"timed", true}});
  const auto free = Start(Heavy(), {{"control", Poses({kNod, kRest}, 0.8)}});
  const LampAngles target(Radians(-20), Radians(40), 0.3);
  const auto distance = [&](const std::unique_ptr<Simulation>& s) {
    return (AsLamp(s).q().tail<3>() - target).norm();
  };
  const double whole = distance(timed);
  RunFor(timed, 0.4);
  RunFor(free, 0.4);
  EXPECT_NEAR(distance(timed) / whole, 0.5, 0.1);  // half way at half time
  EXPECT_LT(distance(free) / whole, 0.1);
  RunFor(timed, 0.399);
  EXPECT_LT(distance(timed) / whole, 0.02);
  RunFor(timed, 0.401);  // and half way back
  EXPECT_NEAR(distance(timed) / whole, 0.5, 0.1);
}

// A servo without stiffness follows the rate of the reference: integrated over the pose, it is the way.
TEST(HingeControl, TheTimedRateAloneCoversTheWayInItsTime) {
  for (const double duration : {0.25, 0.5}) {
    ControlTable table = Poses({{{"head hinge", 0.3}}, kRest}, duration);
    table.servos[2] = {"head hinge", 1e-9, 20.0, -2.0, 2.0};
    const auto lamp = Start(Heavy(), {{"control", table}, {"timed", true}});
    const double from = AsLamp(lamp).q()[5];
    RunFor(lamp, duration - 1e-3);
    EXPECT_NEAR(AsLamp(lamp).q()[5] - from, 0.3 - from, 0.02 * 0.3) << duration << " s";
  }
}

// D is the distance of the hinge of the link from the centre of mass of the lamp, or that of the centre of mass of the link.
class JointCorrection : public testing::TestWithParam<std::string> {};

// The printed law runs away from its target until the stops hold it; the corrected one arrives
// after |φ − φ*| D/(s m), whatever the duration of the pose.
TEST_P(JointCorrection, PrintedSignRunsAwayAndTheCorrectedOneArrives) {
  ControlTable table = Poses({{{"head hinge", 0.3}}}, 1.0);
  table.servos.erase(table.servos.begin(), table.servos.begin() + 2);
  Scene scene = LampScene();
  scene.gravity.setZero();
  for (const std::string law : {"printed", "sign-corrected"}) {
    const auto simulation = Start(
        scene, {{"control", table}, {"controller", law}, {"correction_distance", GetParam()}});
    const Lamp& lamp = AsLamp(simulation).stepper().lamp();
    const LampVector q = AsLamp(simulation).q();
    const LinkState head = LinkStates<double>(lamp, q, q)[3];
    const Eigen::Vector2d from = GetParam() == "hinge" ? head.origin : head.centre;
    const double distance = (from - CentreOfMass(lamp, q)).norm();
    const double speed = 3.0 * lamp.link(3).mass / distance;
    RunFor(simulation, 0.02);
    const double moved = AsLamp(simulation).q()[5];
    EXPECT_NEAR(moved, (law == "printed" ? -1.0 : 1.0) * speed * 0.02, 0.03 * speed * 0.02) << law;
    RunFor(simulation, 0.5);
    if (law == "printed") {
      EXPECT_LT(AsLamp(simulation).q()[5], -0.5);
    } else {
      EXPECT_NEAR(AsLamp(simulation).q()[5], 0.3, 0.02 + 2e-3 * speed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DistancesFrom, JointCorrection, testing::Values("hinge", "centre-of-mass"),
                         [](const auto& from) {
                           return std::string(from.param == "hinge" ? "Hinge" : "CentreOfMass");
                         });

// In the air a servo cannot move the centre of mass; a law that sets velocities does.
TEST(HingeControl, OnlyTheConsistentLawKeepsMomentum) {
  Scene scene = LampScene();
  scene.gravity.setZero();
  scene.bodies[0].position = {0, 5, 0};
  for (const std::string law : {"consistent", "sign-corrected"}) {
    const auto simulation = Start(scene, {{"control", Poses({kNod}, 1.0)}, {"controller", law}});
    RunFor(simulation, 0.05, 1e-4);
    const LampMomentum momentum = Momentum(AsLamp(simulation).stepper().lamp(),
                                           AsLamp(simulation).q(), AsLamp(simulation).v());
    if (law == "consistent") {
      EXPECT_LT(momentum.linear.norm(), 1e-3);
      EXPECT_LT(std::abs(momentum.angular), 1e-3);
    } else {
      EXPECT_GT(momentum.linear.norm(), 0.05);
    }
  }
}

TEST(HingeControl, TorqueLimitIsKept) {
  const auto limited = Start(Heavy(), {{"control", Poses({kNod}, 1.0)}, {"torque_limit", 1.5}});
  double largest = 0.0;
  for (int i = 0; i < 500; ++i) {
    limited->Advance(1e-3);
    largest = std::max(largest, AsLamp(limited).torques().cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(largest, 1.5, 1e-3);
}

TEST(HingeControl, PosesFollowOneAnotherInACycleOrToAFinalOne) {
  const auto cyclic = Start(Heavy(), {{"control", Poses({kNod, kRest}, 0.3)}});
  Observation o;
  std::vector<double> active;
  for (int i = 0; i < 12; ++i) {
    RunFor(cyclic, 0.1);
    cyclic->Observe(&o);
    active.push_back(Extra(o, "active_pose"));
  }
  EXPECT_EQ(active, (std::vector<double>{0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0}));

  ControlTable acyclic = Poses({kNod, kRest}, 0.3);
  acyclic.poses[1].duration.reset();
  acyclic.poses[1].is_final = true;
  const auto once = Start(Heavy(), {{"control", acyclic}});
  RunFor(once, 4.0);
  once->Observe(&o);
  EXPECT_EQ(Extra(o, "active_pose"), 1.0);
  EXPECT_LT((AsLamp(once).q().tail<3>() - RestPose().tail<3>()).norm(), 1e-6);
}

// The poses after one another, each for its time, and then the last one for ever.
ControlTable Sequence(const std::vector<PoseTargets>& targets, const std::vector<double>& times) {
  ControlTable table = Poses(targets, 1.0);
  for (size_t i = 0; i < times.size(); ++i) {
    table.poses[i].duration = times[i];
    table.poses[i].is_final = false;
  }
  ControlTable::Entry end;
  end.name = "end";
  end.targets = targets.back();
  end.is_final = true;
  table.poses.push_back(end);
  return table;
}

// φ_r and φ̇_r of a control at a time, told by servos of stiffness 1 alone and of damping 1 alone.
std::pair<LampAngles, LampAngles> ReferenceOf(ControlTable table, PoseInterpolation interpolation,
                                              double time) {
  const auto scene = std::make_shared<const Scene>(LampScene());
  const Lamp lamp(ReadLampBody(scene->bodies[0]).parameters, 9.81);
  const LampVector start = RestPose(), zero = LampVector::Zero();
  std::pair<LampAngles, LampAngles> reference;
  for (const double stiffness : {1.0, 0.0}) {
    for (ControlTable::Servo& servo : table.servos) {
      servo.stiffness = stiffness;
      servo.damping = 1.0 - stiffness;
    }
    HingeControlOptions options;
    options.timed = true;
    options.interpolation = interpolation;
    HingeControl control = *BindHingeControl(scene, table, options);
    const Eigen::Matrix3Xd x = scene->InitialPoints();
    control.Start(0.0, start, x);
    constexpr double kStep = 1e-3;
    for (int i = 1; i * kStep <= time; ++i) control.Update(i * kStep, kStep, zero, x);
    (stiffness > 0.0 ? reference.first : reference.second) =
        control.Torques(lamp, time, 0.0, false, LampPlacement(zero), zero, zero).start;
  }
  return reference;
}

// Two intervals h₀, h₁ with slopes 0, m, 0: of a C² spline m = ³⁄₂ (Δ₀/h₀² + Δ₁/h₁²)/(1/h₀ + 1/h₁).
TEST(HingeControl, ASplineIsTheCubicsOfItsClosedForm) {
  const double h[2] = {0.2, 0.35};
  const ControlTable table =
      Sequence({kNod, {{"base hinge", 0.4}, {"mid hinge", -0.7}}}, {h[0], h[1]});
  const LampAngles knots[3] = {
      RestPose().tail<3>(), {Radians(-20), Radians(40), 0.3}, {0.4, -0.7, 0.0}};
  const LampAngles slope =
      1.5 * ((knots[1] - knots[0]) / (h[0] * h[0]) + (knots[2] - knots[1]) / (h[1] * h[1])) /
      (1.0 / h[0] + 1.0 / h[1]);
  const LampAngles slopes[3] = {LampAngles::Zero(), slope, LampAngles::Zero()};
  for (const double time : {0.0, 0.0713, 0.1999, 0.2, 0.31, 0.5499}) {
    const int i = time < h[0] ? 0 : 1;
    const double s = (time - i * h[0]) / h[i];
    const LampAngles way = knots[i + 1] - knots[i];
    const LampAngles angles =
        knots[i] + s * s * (3.0 - 2.0 * s) * way +
        h[i] * (s * (1.0 - s) * (1.0 - s) * slopes[i] - s * s * (1.0 - s) * slopes[i + 1]);
    const LampAngles rates = 6.0 * s * (1.0 - s) / h[i] * way +
                             (1.0 - s) * (1.0 - 3.0 * s) * slopes[i] +
                             s * (3.0 * s - 2.0) * slopes[i + 1];
    const auto [angles_here, rates_here] = ReferenceOf(table, PoseInterpolation::kSpline, time);
    EXPECT_LT((angles_here - angles).norm(), 1e-12) << time;
    EXPECT_LT((rates_here - rates).norm(), 1e-11) << time;
  }
  const auto [angles, rates] = ReferenceOf(table, PoseInterpolation::kSpline, 0.7);
  EXPECT_LT((angles - knots[2]).norm(), 1e-15);
  EXPECT_EQ(rates, LampAngles::Zero());
}

// Through a single pose the spline is the smooth step, of which every pose alone has one.
TEST(HingeControl, ASplineThroughOnePoseIsTheSmoothStep) {
  const ControlTable table = Sequence({kNod}, {0.3});
  for (const double time : {0.05, 0.17, 0.28}) {
    const auto spline = ReferenceOf(table, PoseInterpolation::kSpline, time);
    const auto step = ReferenceOf(table, PoseInterpolation::kSmoothstep, time);
    EXPECT_LT((spline.first - step.first).norm(), 1e-14);
    EXPECT_LT((spline.second - step.second).norm(), 1e-13);
  }
}

// Its start is state: it goes on from a saved one, and with other numbers, as from the beginning.
TEST(HingeControl, ASplineGoesOnFromASavedState) {
  const auto start = [](const ControlTable& table, const Scene& scene = Heavy()) {
    return Start(scene,
                 {{"control", table}, {"timed", true}, {"interpolation", std::string("spline")}});
  };
  const ControlTable table = Sequence({kNod, kRest}, {0.3, 0.2});
  LampVector bent = RestPose();
  bent[4] += 0.1;
  Scene elsewhere = LampScene(bent);
  elsewhere.gravity = {0, -9.81, 0};
  const auto whole = start(table), later = start(table, elsewhere);
  RunFor(whole, 0.34);
  const Eigen::VectorXd there = whole->Save();
  RunFor(whole, 0.3);
  later->Restore(there);
  RunFor(later, 0.3);
  // The points of another pose give masses that differ by rounding.
  EXPECT_LT((later->Save() - whole->Save()).norm(), 1e-9);

  const ControlTable other = Sequence({kRest, kNod}, {0.1, 0.3});
  const auto anew = start(other), retuned = start(table);
  ASSERT_TRUE(retuned->AsRetunable()->Retune({{"control", other}}));
  RunFor(anew, 0.5);
  RunFor(retuned, 0.5);
  EXPECT_EQ(anew->Save(), retuned->Save());
}

TEST(HingeControl, ASplineNeedsPosesThatFollowEachOtherByTime) {
  const auto refused = [](const ControlTable& table, const std::string& where) {
    reference::ExpectBadInput(where, [&] {
      Start(Heavy(),
            {{"control", table}, {"timed", true}, {"interpolation", std::string("spline")}});
    });
  };
  refused(Poses({kNod, kRest}, 0.3), "control.pose[0]");  // in a cycle
  ControlTable sensed = Sequence({kNod, kRest}, {0.3, 0.2});
  Sensor high;
  high.name = "high";
  high.kind = Sensor::Kind::kAbove;
  high.threshold = 1.0;
  sensed.sensors = {high};
  sensed.poses[1].duration.reset();
  sensed.poses[1].next = {{"end", {}, "high"}};
  refused(sensed, "control.pose[1]");
}

TEST(HingeControl, WrongTablesAreNamed) {
  const auto refused = [](const ControlTable& table, const std::string& where) {
    reference::ExpectBadInput(where, [&] {
      TheBackend().Translate(std::make_shared<const Scene>(LampScene()), {{"control", table}});
    });
  };
  ControlTable table = Poses({kRest}, 1.0);
  table.servos[1].name = "knee";
  refused(table, "control.servo[1].mode");
  table = Poses({kRest}, 1.0);
  table.servos[2].stiffness = -1.0;
  refused(table, "control.servo[2].stiffness");
  table = Poses({kRest}, 1.0);
  table.body = "table";
  refused(table, "control.body");
  table = Poses({kRest, kNod}, 1.0);
  table.poses[0].duration = -1.0;
  refused(table, "control.pose[0].duration");
}

}  // namespace
}  // namespace pliant::articulated_lamp
