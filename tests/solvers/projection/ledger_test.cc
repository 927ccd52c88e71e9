// The ledger of formulations with sweeps: work is force times motion of the element that does it,
// momentum is explained by what acts from outside, and what corrections lose is visible as such.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/projection/step_ledger.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// With the sweeps converged.
ParameterValues Converged(ParameterValues more = {}) {
  more.emplace("tolerance", 1e-9);
  more.emplace("max_sweeps", std::int64_t{100000});
  return more;
}

struct Balance {
  Observation start, end;
  double Gained(const Scene& scene) const { return EnergyOf(scene, end) - EnergyOf(scene, start); }
  double Work(WorkClass c) const { return (*end.work)[c]; }
  double Numerical(const Scene& scene) const {
    return Gained(scene) - end.work->TotalWork() + Work(WorkClass::kConstraint);
  }
  // |P − P₀ − J| and |L − L₀ − J_L| about the origin.
  Eigen::Vector2d Unexplained(const Scene& scene) const {
    const Eigen::VectorXd m = scene.Masses();
    const auto spin = [&m](const Observation& o) {
      return AngularMomentum(m, o.points, *o.velocities, Vector3d::Zero());
    };
    return {(LinearMomentum(m, *end.velocities) - LinearMomentum(m, *start.velocities) -
             end.work->impulse)
                .norm(),
            (spin(end) - spin(start) - end.work->angular_impulse).norm()};
  }
};

Balance RunOf(const std::string& formulation, const Scene& scene, const ParameterValues& parameters,
              double duration, double h) {
  const Translation translation = TranslateBy(formulation, scene, parameters);
  Balance run;
  translation.simulation->Observe(&run.start);
  run.end = RunFor(translation.simulation.get(), static_cast<int>(std::lround(duration / h)), h);
  EXPECT_TRUE(run.end.explains_momentum);
  return run;
}

Scene Hanging(const Body& body) {
  Scene scene = Weightless({body});
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  return scene;
}

// Released far from the vertical. Corrections damp it; the loss is nobody's work.
TEST(ProjectionLedger, AStillNailDoesNoWorkOnAPendulum) {
  const double angle = 2.9;
  const Scene scene =
      Hanging(MakeChain("rod", {0, 0, 0}, {std::sin(angle), -std::cos(angle), 0}, 2, 1.0));
  for (const char* formulation : kSweepingFormulations) {
    double last = 0.0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      const Balance run = RunOf(formulation, scene, Converged(), 4.0, h);
      EXPECT_EQ(run.Work(WorkClass::kMovedNail), 0.0);
      EXPECT_EQ(run.Work(WorkClass::kDamping), 0.0);
      const double lost = run.Gained(scene);
      EXPECT_LT(lost, -0.05) << "of " << 0.5 * kG * (1.0 - std::cos(angle)) << " J";
      EXPECT_NEAR(run.Numerical(scene), lost, 1e-9) << formulation;
      if (last != 0.0) {
        EXPECT_LT(std::abs(lost), 0.75 * std::abs(last)) << formulation << " " << h;
      }
      last = lost;
    }
  }
}

// A nail that lifts a hanging edge does the work m g H, whatever path it takes in time.
// It hangs at rest. Gravity moves it by h² g/2 in a step and gives it the velocity h g; the nail takes back the displacement.
TEST(ProjectionLedger, AHeldWeightKeepsHalfAStepOfItsFall) {
  const Scene scene = Hanging(MakeChain("rod", {0, 0, 0}, {0, -1, 0}, 2, 2.0));
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      for (const double duration : {h, 0.2}) {
        const Balance kept = RunOf(formulation, scene, Converged(), duration, h);
        const double energy = 2.0 * kG * kG * h * h / 8.0;
        EXPECT_NEAR(kept.Gained(scene), energy, 1e-6 * energy) << formulation << " " << h;
        EXPECT_NEAR(kept.Work(WorkClass::kConstraint), energy, 1e-6 * energy);
        const Balance none =
            RunOf(formulation, scene, Converged({{"velocity_update", std::string("euler-cromer")}}),
                  duration, h);
        EXPECT_NEAR(none.Gained(scene), 0.0, 1e-6 * energy) << formulation << " " << h;
      }
    }
  }
}

TEST(ProjectionLedger, AMovedNailDoesTheWorkOfLifting) {
  Scene scene = Hanging(MakeChain("rod", {0, 0, 0}, {0, -1, 0}, 2, 2.0));
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0, 0, 0, 0.5, 0, 0;
  scene.nails[0].path = Path({0.1, 0.9}, keys, Path::Interpolation::kCubic);
  const double lifted = 2.0 * kG * 0.5;
  for (const char* formulation : kSweepingFormulations) {
    double last = 0.0;
    for (const double h : {0.02, 0.01, 0.005}) {
      const Balance run = RunOf(formulation, scene, Converged(), 1.0, h);
      EXPECT_NEAR(run.Gained(scene), lifted, 0.02 * lifted);
      const double off = std::abs(run.Work(WorkClass::kMovedNail) - lifted);
      EXPECT_LT(off, 0.6 * h * lifted) << formulation << " " << h;
      EXPECT_NEAR(run.Numerical(scene), 0.0, 0.6 * h * lifted);
      EXPECT_TRUE(last == 0.0 || off < 0.6 * last || off < 1e-9) << off << " after " << last;
      last = off;
    }
  }
}

// A floor that lifts what lies on it.
TEST(ProjectionLedger, AMovedObstacleDoesTheWorkOfLifting) {
  Scene scene = Weightless({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 2.0)});
  scene.gravity = {0.0, -kG, 0.0};
  scene.obstacles = {Floor("lift", Vector3d::UnitY())};
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0, 0, 0, 0.5, 0, 0;
  scene.obstacles[0].motion = Path({0.0, 1.0}, keys, Path::Interpolation::kCubic);
  const double lifted = 2.0 * kG * 0.5;
  for (const char* formulation : kSweepingFormulations) {
    const Balance run = RunOf(formulation, scene, Converged({{"bounce", 0.0}}), 1.2, 0.005);
    EXPECT_NEAR(run.Gained(scene), lifted, 0.02 * lifted);
    EXPECT_NEAR(run.Work(WorkClass::kMovedObstacle), lifted, 0.01 * lifted) << formulation;
    EXPECT_LE(run.Work(WorkClass::kContact), 1e-9);
    EXPECT_NEAR(run.Work(WorkClass::kContact), 0.0, 0.01 * lifted);
  }
}

// A body that flies into a nail: half of its energy, or what its mass beyond the nail leaves, is
// the loss of an impact, and none is made.
TEST(ProjectionLedger, AHoldThatBeginsOnAMovingBodyIsAnImpact) {
  Scene scene = Weightless({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 2.0)});
  scene.bodies[0].velocity = {0.0, 3.0, 0.0};
  scene.nails = {{"catch", {0, 0}, Path::Still({0.0, 0.3, 0.0})}};
  scene.nails[0].hold.from = 0.1;
  for (const char* formulation : kSweepingFormulations) {
    const Balance run = RunOf(formulation, scene, Converged(), 0.11, 0.01);
    // One of the two equal masses stops, the other one turns about it.
    EXPECT_NEAR(run.Gained(scene), -0.5 * 1.0 * 9.0, 1e-2) << formulation;
    EXPECT_NEAR(run.Work(WorkClass::kDamping), -4.5, 1e-2) << formulation;
    EXPECT_EQ(run.Work(WorkClass::kMovedNail), 0.0);
    EXPECT_NEAR(run.Numerical(scene), 0.0, 1e-9);
  }
}

// A chain on a nail, with springs, wind and a blow: the moment that corrections do not keep falls
// with the step. With a floor, where it is dragged and hit, the momentum is explained as well.
TEST(ProjectionLedger, WhatActsExplainsTheMomentum) {
  Scene scene = Hanging(MakeChain("chain", {0, 0, 0}, {1, -0.5, 0.3}, 4, 1.0));
  scene.springs = {{"to the world", {0, 3}, std::nullopt, {0.3, 0.5, 0.2}, 10.0, 0.1, 0.0},
                   {"inside", {0, 1}, PointRef{0, 3}, {}, 5.0, 0.05, 0.3}};
  scene.forces = {{"wind", {0, 2}, {0.0, 0.0, 2.0}, 0.05, 0.25}};
  scene.impulses = {{"blow", {0, 3}, {0.2, 0.1, 0.3}, 0.1}};
  Scene dragged = scene;
  dragged.springs.clear();  // they keep it off the floor
  dragged.obstacles = {Floor("floor", Vector3d::UnitY(), 0.4)};
  dragged.obstacles[0].motion = Path::Still({0.0, -0.55, 0.0});
  for (const char* formulation : kSweepingFormulations) {
    for (const char* update : {"verlet", "corrected", "euler-cromer"}) {
      const ParameterValues parameters = Converged({{"velocity_update", std::string(update)}});
      std::vector<double> moments;
      for (const double h : {4e-3, 2e-3, 1e-3}) {
        SCOPED_TRACE(testing::Message() << formulation << ", " << update << ", step " << h);
        const Balance run = RunOf(formulation, scene, parameters, 0.4, h);
        EXPECT_GT(run.end.work->impulse.norm(), 0.5);
        EXPECT_LT(run.Unexplained(scene)[0], 1e-8);
        moments.push_back(run.Unexplained(scene)[1]);
        const Balance rough = RunOf(formulation, dragged, parameters, 0.4, h);
        EXPECT_LT(rough.Unexplained(dragged)[0], 1e-8);
        EXPECT_NE(rough.Work(WorkClass::kContact), 0.0);
      }
      EXPECT_LT(moments[1], 0.6 * moments[0]) << formulation << " " << update;
      EXPECT_LT(moments[2], 0.6 * moments[1]) << formulation << " " << update;
    }
  }
}

// A point whose velocity takes up a displacement: with the impulse that made it nothing is left over,
// with another one, or none, the difference times the motion is.
TEST(ProjectionLedger, WhatNoElementGaveIsLeftOver) {
  const Scene scene = Hanging(MakeChain("rod", {0, 0, 0}, {0, -1, 0}, 2, 2.0));
  const double h = 0.01;
  const Vector3d d(0.3, -0.2, 0.1);  // m/s, by corrections
  SteppedPoint point{1.0, {0, 0, 0}, {}, {1.0, 2.0, 0.5}, {}, scene.gravity};
  point.after = point.before + h * point.acceleration + d;
  point.way = h * (point.before + 0.5 * h * point.acceleration + d);
  const Vector3d w = point.MeanMotion(h), u(0.1, 0.0, 0.0);
  EXPECT_LT((w - (point.before + 0.5 * d)).norm(), 1e-15);
  const double gained =
      0.5 * (point.after.squaredNorm() - point.before.squaredNorm()) - scene.gravity.dot(point.way);
  const auto left = [&](double share, Inner inner) {
    StepBalance balance(scene, VelocityUpdate::kVerlet, h, inner);
    balance.AddPoint(point, nullptr);
    balance.AddHold(WorkClass::kMovedNail, point.start, 0.5 * share * d, w, u);
    balance.AddContact(point.start, 0.2 * d, w, u);
    balance.AddInner(0.3 * d.dot(w));
    return gained - balance.Total(false).TotalWork();
  };
  EXPECT_NEAR(left(1.0, Inner::kByImpulse), 0.0, 1e-14);
  EXPECT_NEAR(left(1.1, Inner::kByImpulse), -0.05 * d.dot(w), 1e-14);
  EXPECT_NEAR(left(0.0, Inner::kByImpulse), 0.5 * d.dot(w), 1e-14);
  EXPECT_NEAR(left(0.0, Inner::kRemainder), 0.0, 1e-14) << "which sees nothing";
}

// Nails that move, attachments, contact with friction, compliance, levels: of points, the work of each
// by itself explains the energy, to rounding.
TEST(ProjectionLedger, NothingIsBookedAsTheRest) {
  Scene plain = Hanging(MakeChain("chain", {0, 0, 0}, {1, -0.5, 0.3}, 5, 1.0));
  Scene rough = plain;
  rough.bodies.push_back(MakeChain("tail", {0, 0, 0}, {0.4, 0.1, -0.2}, 3, 0.5));
  rough.bodies[1].position = {1, -0.5, 0.3};
  rough.attachments = {{"joint", {0, 4}, {1, 0}}};
  rough.nails[0].path = PathThrough({0.0, 0.1, 0.3}, {{0, 0, 0}, {0.05, 0.1, 0}, {0.1, 0, 0.1}});
  rough.obstacles = {Floor("floor", Vector3d::UnitY(), 0.4)};
  rough.obstacles[0].motion = Path::Still({0.0, -0.7, 0.0});
  rough.forces = {{"wind", {0, 2}, {0.0, 0.0, 2.0}, 0.05, 0.25}};
  const auto left = [](const Scene& scene, ParameterValues more, double h) {
    more.emplace("tolerance", 1e-7);
    const Balance run = RunOf("position-based", scene, Converged(std::move(more)), 0.4, h);
    EXPECT_GT(std::abs(run.Gained(scene)), 1e-3);
    return std::abs(run.Gained(scene) - run.end.work->TotalWork());
  };
  for (const double h : {2e-3, 5e-4}) {
    EXPECT_LT(left(plain, {}, h), 1e-10);
    EXPECT_LT(left(plain, {{"relaxation", 1.3}}, h), 1e-10);
    EXPECT_LT(left(plain, {{"solver_levels", std::int64_t{2}}}, h), 1e-10);
    EXPECT_LT(left(plain, {{"compliance", 1e-4}}, h), 1e-10);
    EXPECT_LT(left(rough, {}, h), 1e-10);
    EXPECT_LT(left(rough, {{"bounce", 0.5}}, h), 1e-10);
  }
}

}  // namespace
}  // namespace pliant
