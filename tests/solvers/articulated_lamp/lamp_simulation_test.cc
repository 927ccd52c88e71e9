// The lamp behind the common interface: ledger, state, records.

#include "solvers/articulated_lamp/lamp_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/articulated_lamp/backend.h"
#include "tests/observed.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using testing::HasSubstr;

// E − W of what a simulation shows.
double Balance(const Scene& scene, const Observation& o) {
  const Eigen::VectorXd m = scene.Masses();
  return pliant::KineticEnergy(m, *o.velocities) +
         SceneForces(scene).GravitationalEnergy(o.points) + *o.constraint_energy -
         o.work->TotalWork();
}

struct Hopped {
  double residual;  // largest on the way [J]
  double highest;   // of the base [m]
  Observation end;
};
Hopped HopFor(double h) {
  const Scene scene = LampScene();
  const auto simulation = Translated(scene, {{"control", Hop()}});
  Hopped hopped{};
  Observation o = Observed(*simulation);
  const double start = Balance(scene, o);
  const int steps = static_cast<int>(std::lround(1.0 / h));
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation->Observe(&o);
    hopped.residual = std::max(hopped.residual, std::abs(Balance(scene, o) - start));
    hopped.highest = std::max(hopped.highest, o.points(1, 0));
  }
  hopped.end = o;
  return hopped;
}

TEST(ArticulatedLampSimulation, LeavesTheGroundAndItsLedgerClosesAtTheOrderOfTheStep) {
  const Hopped coarse = HopFor(1e-3), fine = HopFor(2.5e-4);
  EXPECT_GT(fine.highest, 0.02);
  EXPECT_NEAR(coarse.highest, fine.highest, 0.3 * fine.highest);
  EXPECT_LT(coarse.residual, 0.3);
  EXPECT_LT(fine.residual, 0.4 * coarse.residual);
  EXPECT_GT((*fine.end.work)[WorkClass::kControl], 1.0);
  EXPECT_LT((*fine.end.work)[WorkClass::kContact], -0.1);  // the landing
}

TEST(ArticulatedLampSimulation, StopsHoldAHingeAndTheirDampingTakesEnergy) {
  Scene scene = LampScene();
  scene.gravity.setZero();
  scene.obstacles.clear();
  const auto simulation =
      Translated(scene, {{"hinge_upper", std::vector<double>{0.9, 0.9, 0.1}},
                         {"hinge_lower", std::vector<double>{-0.9, 0.0, -0.1}}});
  Eigen::VectorXd state = simulation->Save();
  // The head turns at 5 rad/s: its rate is the last of (q, v), which follow the clock.
  state[3 + 11] = 5.0;
  simulation->Restore(state);
  Observation o = Observed(*simulation);
  const double start = Balance(scene, o);
  double beyond = 0.0, residual = 0.0;
  for (int i = 0; i < 5000; ++i) {
    simulation->Advance(1e-4);
    simulation->Observe(&o);
    beyond = std::max(beyond, Extra(o, "hinge_excess_rad"));
    residual = std::max(residual, std::abs(Balance(scene, o) - start));
  }
  EXPECT_GT(beyond, 1e-4);
  const double inertia = 0.4 * 0.075 * 0.075 + 0.325 / 300;  // of the head about its hinge
  EXPECT_LT(beyond, 5.0 * std::sqrt(inertia / 1000.0));
  EXPECT_LT(residual, 0.1 * start);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -0.01);
  EXPECT_EQ((*o.work)[WorkClass::kControl], 0.0);
}

// A pull on the tip of the head.
Scene Pulled(const Eigen::Vector3d& force, double from, double until) {
  Scene scene = LampScene();
  TimedForce pull;
  pull.name = "pull";
  pull.point = {0, scene.bodies[0].size() - 1};
  pull.force = force;
  pull.from = from;
  pull.until = until;
  scene.forces = {pull};
  return scene;
}

struct PulledRun {
  double residual;  // at the end [J]
  double work;      // of the force, as booked [J]
  double moved;     // ∫ f·ẋ dt, by the trapezoidal rule over the points [J]
};
PulledRun RunPulled(const Scene& scene, const ParameterValues& parameters, double h,
                    double duration) {
  const auto simulation = Translated(scene, parameters);
  const TimedForce& pull = scene.forces[0];
  Observation o = Observed(*simulation);
  const double start = Balance(scene, o);
  PulledRun run{};
  double power = pull.force.dot(o.velocities->col(pull.point.point));
  for (int i = 0; i < static_cast<int>(std::lround(duration / h)); ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation->Observe(&o);
    const double now = pull.force.dot(o.velocities->col(pull.point.point));
    const double middle = (i + 0.5) * h;
    if (middle > pull.from && middle < pull.until) run.moved += 0.5 * h * (power + now);
    power = now;
  }
  run.residual = Balance(scene, o) - start;
  run.work = (*o.work)[WorkClass::kForce];
  return run;
}

// Held by servos, by the servos of a plan, and by its regulator. Semi-implicit Euler is of first order, midpoint of second.
TEST(ArticulatedLampSimulation, WithAForceOnALinkTheLedgerClosesAtItsOrder) {
  ControlTable held = Hop();
  held.poses = {held.poses[0]};
  held.poses[0].duration.reset();
  held.poses[0].is_final = true;
  held.poses[0].targets = {{"base hinge", -0.5}, {"mid hinge", 1.0}, {"head hinge", 0.1}};
  const Scene scene = Pulled({1.5, 2.0, 0.0}, 0.05, 0.2);
  for (const bool midpoint : {false, true}) {
    for (const std::string tracking : {"", "servo", "lqr"}) {
      ParameterValues parameters;
      if (midpoint) parameters["integrator"] = std::string("midpoint");
      if (tracking.empty()) {
        parameters["control"] = held;
      } else {
        parameters["controller"] = std::string("planned");
        parameters["tracking"] = tracking;
        parameters["plan_step"] = 0.02;
      }
      const double order = midpoint ? 2.0 : 1.0;
      std::vector<PulledRun> runs;
      for (const double h : {1e-3, 5e-4, 2.5e-4}) {
        runs.push_back(RunPulled(scene, parameters, h, 0.25));
      }
      const std::string what = (midpoint ? "midpoint " : "euler ") + tracking;
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(std::log2(runs[i].residual / runs[i + 1].residual), order, 0.35) << what;
      }
      EXPECT_NEAR(runs[2].work, runs[2].moved, 0.02 * std::abs(runs[2].work)) << what;
      EXPECT_GT(std::abs(runs[2].work), 1e-3) << what;
    }
  }
}

TEST(ArticulatedLampSimulation, OfAForceAcrossItsPlaneOnlyThePartInThePlaneActs) {
  const Scene across = Pulled({1.0, 0.5, 3.0}, 0.0, 1.0),
              within = Pulled({1.0, 0.5, 0.0}, 0.0, 1.0);
  const auto a = Translated(across, {{"control", Hop()}}),
             b = Translated(within, {{"control", Hop()}});
  for (int i = 0; i < 200; ++i) {
    a->Advance(1e-3);
    b->Advance(1e-3);
  }
  EXPECT_EQ(Observed(*a).points, Observed(*b).points);
  const Translation said = TheBackend().Translate(std::make_shared<const Scene>(across), {});
  for (const TranslatedElement& entry : said.record.Entries()) {
    if (entry.element == "force.pull") {
      EXPECT_EQ(entry.fidelity, Fidelity::kApproximated);
    }
  }
}

TEST(ArticulatedLampSimulation, ANewControllerNeedsNoNewTranslation) {
  const Scene scene = LampScene();
  ControlTable other = Hop();
  other.poses[0].duration = 0.3;
  const auto anew = Translated(scene, {{"control", other}});
  const auto retuned = Translated(scene, {{"control", Hop()}});
  const Eigen::VectorXd start = retuned->Save();
  for (int i = 0; i < 100; ++i) retuned->Advance(1e-3);
  retuned->Restore(start);
  ASSERT_TRUE(retuned->AsRetunable()->Retune({{"control", other}}));
  for (int i = 0; i < 600; ++i) {
    anew->Advance(1e-3);
    retuned->Advance(1e-3);
  }
  EXPECT_EQ(anew->Save(), retuned->Save());
  EXPECT_FALSE(retuned->AsRetunable()->Retune({{"torque_limit", 3.0}}));
}

std::string WhyRefused(const Scene& scene) {
  const Translation translation = TheBackend().Translate(std::make_shared<const Scene>(scene), {});
  EXPECT_EQ(translation.simulation, nullptr);
  return translation.record.WhyUnsupported();
}

TEST(ArticulatedLampSimulation, RefusesWhatItCannotDoAndSaysWhy) {
  Scene scene = LampScene();
  scene.dimension = 3;
  EXPECT_THAT(WhyRefused(scene), HasSubstr("dimension = 2"));
  scene = LampScene();
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0));
  EXPECT_THAT(WhyRefused(scene), HasSubstr("exactly one lamp"));
  scene = LampScene();
  scene.bodies[0] = MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0);
  EXPECT_THAT(WhyRefused(scene), HasSubstr("body 'rope' is not a lamp"));
  scene = LampScene();
  scene.gravity = {1, -9.81, 0};
  EXPECT_THAT(WhyRefused(scene), HasSubstr("along −y only"));
  scene = LampScene();
  scene.obstacles[0].shape = Sphere{1.0};
  EXPECT_THAT(WhyRefused(scene), HasSubstr("one plane"));
}

TEST(ArticulatedLampSimulation, WarnsOfPosesBeyondTheLimitsAndRefusesLimitsOutOfOrder) {
  ControlTable table = Hop();
  table.poses[1].targets["mid hinge"] = -0.4;
  const auto scene = std::make_shared<const Scene>(LampScene());
  const Translation translation = TheBackend().Translate(scene, {{"control", table}});
  ASSERT_EQ(translation.warnings.size(), 1u);
  EXPECT_THAT(translation.warnings[0], HasSubstr("pose 'leap' has the mid hinge at -0.4 rad"));
  for (const auto& lower : {std::vector<double>{0.0, 0.0}, std::vector<double>{0.0, 2.0, 0.0}}) {
    EXPECT_THROW(TheBackend().Translate(scene, {{"hinge_lower", lower}}), BadInput);
  }
}

}  // namespace
}  // namespace pliant::articulated_lamp
