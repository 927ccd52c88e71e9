// Laws of the forces of contact point by point: they are what changes the momentum of a body that only an obstacle
// touches, they sum to what the columns of the pairs say, and those of bodies that meet are opposite. And of the impulses
// of pairs: they are that change whatever the step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "experiments/runs/series.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/contact_forces.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

class ContactForces : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, ContactForces, testing::ValuesIn(SubjectsWithInertia()),
                         [](const auto& info) { return Name(info.param); });

// Those that know the force of their last step as a whole, not of the present state.
bool OfItsLastStep(const Subject& subject) {
  return (subject.backend != "dynamic-ffd" && subject.backend != "linear-deformation") ||
         subject.variant.find("impulses") != std::string::npos;
}

// A slanted body falls onto a floor.
Scene Dropped(Matter matter) {
  Scene scene = Resting(matter);
  Body& body = scene.bodies[0];
  body.orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
  body.velocity = {0.3, -1.0, 0.0};
  const double lowest = scene.InitialPoints().row(1).minCoeff();
  scene.obstacles.push_back({.name = "floor",
                             .shape = Plane{},
                             .motion = Path::Still({0.0, lowest - 0.02, 0.0}),
                             .friction = 0.4});
  return scene;
}

std::optional<double> ForceColumn(const Subject& subject, const Simulation& simulation) {
  const std::vector<SeriesColumn> extras =
      ExtrasOf(FindBackend(subject.backend)->info(), simulation.scene());
  Observation o;
  simulation.Observe(&o);
  for (size_t i = 0; i < extras.size(); ++i) {
    if (extras[i].name.starts_with("contact_force.")) return o.extras.at(i);
  }
  return std::nullopt;
}

TEST_P(ContactForces, ChangeTheMomentumAndSumToTheColumnsOfThePairs) {
  const Subject& subject = GetParam();
  const Scene scene = Dropped(subject.matter);
  const auto simulation = Start(subject, scene);
  ASSERT_NE(simulation, nullptr);
  const KnowsContactForces* knowing = simulation->AsKnowsContactForces();
  if (knowing == nullptr) GTEST_SKIP() << "does not know them";
  if (!subject.promises.impulses || subject.promises.momentum == Kept::kNotPromised ||
      subject.variant == "rayleigh-mass") {
    GTEST_SKIP() << "momentum changes by itself";
  }
  const bool of_step = OfItsLastStep(subject);
  const double h = of_step ? 1e-3 : 1e-4;
  const int steps = static_cast<int>(std::lround(0.06 / h));
  const auto sum_of = [&] {
    const std::optional<Matrix3Xd> forces = knowing->ContactForces();
    return forces ? Vector3d(forces->rowwise().sum()) : Vector3d::Zero();
  };
  EXPECT_EQ(knowing->ContactForces().has_value(), !of_step);
  Observation o;
  simulation->Observe(&o);
  const Vector3d before = SumsOf(scene, o).momentum;
  Vector3d impulse = Vector3d::Zero(), last = sum_of();
  for (int i = 0; i < steps; ++i) {
    RunFor(simulation.get(), h, 1);
    const Vector3d now = sum_of();
    impulse += of_step ? Vector3d(h * now) : Vector3d(0.5 * h * (last + now));
    last = now;
    const std::optional<double> column = ForceColumn(subject, *simulation);
    if (column) {
      EXPECT_NEAR(now.norm(), *column, 1e-9 * (1.0 + *column));
    }
    const std::optional<Matrix3Xd> forces = knowing->ContactForces();
    ASSERT_TRUE(forces.has_value());
    EXPECT_GE(forces->row(1).minCoeff(), -1e-9 * (1.0 + now.norm())) << "the floor pulls";
  }
  simulation->Observe(&o);
  const Vector3d change = SumsOf(scene, o).momentum - before;
  EXPECT_GT(change.y(), 0.1) << "the floor does not push it";
  EXPECT_LT((change - impulse).norm(), (of_step ? 1e-9 : 5e-3) * change.norm())
      << change.transpose() << " is not " << impulse.transpose();
}

// The impulse of the only pair; absent where the formulation counts none.
std::optional<Vector3d> ImpulseOfThePair(const Subject& subject, const Simulation& simulation) {
  const std::vector<SeriesColumn> extras =
      ExtrasOf(FindBackend(subject.backend)->info(), simulation.scene());
  Observation o;
  simulation.Observe(&o);
  Vector3d impulse = Vector3d::Zero();
  int found = 0;
  for (size_t i = 0; i < extras.size(); ++i) {
    if (!extras[i].name.starts_with("contact_impulse_")) continue;
    impulse[extras[i].name[16] - 'x'] = o.extras.at(i).value();
    ++found;
  }
  return found == 3 ? std::optional(impulse) : std::nullopt;
}

TEST_P(ContactForces, ImpulsesOfPairsAreTheChangeOfMomentumAtAnyStep) {
  const Subject& subject = GetParam();
  Scene scene = Dropped(subject.matter);
  scene.gravity = {0.0, -2.0, 0.0};
  for (const double h : {4e-3, 1e-3}) {
    auto simulation = Start(subject, scene);
    ASSERT_NE(simulation, nullptr);
    if (!ImpulseOfThePair(subject, *simulation)) GTEST_SKIP() << "counts none";
    if (subject.promises.momentum == Kept::kNotPromised) GTEST_SKIP() << "changes by itself";
    const MaterialSums start = SumsOf(scene, RunFor(simulation.get(), h, 0));
    const int steps = static_cast<int>(std::lround(0.1 / h));
    for (int step = 1; step <= steps; ++step) {
      const Observation o = RunFor(simulation.get(), h, 1);
      const Vector3d change = SumsOf(scene, o).momentum - start.momentum;
      const Vector3d impulse = *ImpulseOfThePair(subject, *simulation);
      EXPECT_LT((change - o.time * start.mass * scene.gravity - impulse).norm(), 1e-9)
          << h << ' ' << step;
      if (step != (3 * steps) / 4) continue;
      EXPECT_GT(impulse.norm(), 0.0);
      auto restored = Start(subject, scene);
      restored->Restore(simulation->Save());
      simulation = std::move(restored);
      EXPECT_EQ(*ImpulseOfThePair(subject, *simulation), impulse);
    }
    EXPECT_GT(ImpulseOfThePair(subject, *simulation)->y(), 0.03) << "the floor does not push it";
  }
}

TEST_P(ContactForces, OfBodiesThatMeetAreOpposite) {
  const Subject& subject = GetParam();
  Scene scene;
  scene.name = "thrown";
  scene.gravity.setZero();
  for (const char* name : {"left", "right"}) {
    scene.bodies.push_back(MakeBlock(name, {1.0, 0.8, 1.0}, {3, 3, 3}, 2.0));
  }
  scene.bodies[1].position = {1.02, 0.25, 0.2};
  scene.bodies[1].velocity = {-0.5, 0.1, 0.1};
  scene.bodies[0].velocity = {0.5, 0.0, 0.0};
  const bool meets = subject.backend == "dynamic-ffd" || subject.backend == "linear-deformation";
  if (!meets || subject.matter != Matter::kBlock || !subject.promises.impulses ||
      subject.variant == "barrier" || subject.variant == "posed" ||
      subject.parameters.contains("contact_between")) {
    GTEST_SKIP() << "of penalties between blocks";
  }
  const auto translation =
      FindBackend(subject.backend)->Translate(std::make_shared<Scene>(scene), subject.parameters);
  if (translation.simulation == nullptr) GTEST_SKIP() << "refuses the scene";
  Simulation& simulation = *translation.simulation;
  const KnowsContactForces* knowing = simulation.AsKnowsContactForces();
  ASSERT_NE(knowing, nullptr);
  double largest = 0.0;
  for (int i = 0; i < 200; ++i) {
    RunFor(&simulation, 1e-3, 1);
    const std::optional<Matrix3Xd> forces = knowing->ContactForces();
    ASSERT_TRUE(forces.has_value());
    const Vector3d left = forces->leftCols(27).rowwise().sum();
    EXPECT_LT(forces->rowwise().sum().norm(), 1e-9 * (1.0 + left.norm()));
    EXPECT_LE(left.x(), 1e-9);
    largest = std::max(largest, left.norm());
  }
  EXPECT_GT(largest, 1.0) << "they do not meet";
}

}  // namespace
}  // namespace pliant::laws
