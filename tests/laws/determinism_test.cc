// Laws of repetition: the same start gives the same bytes, and a saved state is the whole state.

#include <gtest/gtest.h>

#include <vector>

#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

class Determinism : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, Determinism, testing::ValuesIn(Subjects()),
                         [](const auto& info) { return Name(info.param); });

constexpr double kStep = 2e-3;

// Equal to the last bit in everything observed.
void ExpectSame(const Observation& a, const Observation& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.points, b.points);
  ASSERT_EQ(a.velocities.has_value(), b.velocities.has_value());
  if (a.velocities) {
    EXPECT_EQ(*a.velocities, *b.velocities);
  }
  EXPECT_EQ(a.elastic_energy, b.elastic_energy);
  EXPECT_EQ(a.spring_energy, b.spring_energy);
  EXPECT_EQ(a.contact_energy, b.contact_energy);
  EXPECT_EQ(a.constraint_energy, b.constraint_energy);
  ASSERT_EQ(a.work.has_value(), b.work.has_value());
  if (a.work) {
    EXPECT_EQ(a.work->Numbers(), b.work->Numbers());
  }
  EXPECT_EQ(a.constraint_error, b.constraint_error);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.extras, b.extras);
}

// In contact, held and joined, pulled: whatever the method understands.
std::vector<Scene> BusyScenes(const Subject& subject) {
  const Matter matter = subject.matter;
  std::vector<Scene> scenes = {Pressed(matter)};
  if (matter != Matter::kLamp && subject.promises.friction) scenes[0].obstacles[0].friction = 0.4;
  if (subject.promises.inertia) scenes.push_back(Driven(matter));
  if (subject.promises.holds) {  // with velocities that the nails do not allow
    scenes.push_back(Swinging(matter));
    scenes.back().bodies[0].angular_velocity = {0.0, 0.0, 0.5};
  }
  return scenes;
}

TEST_P(Determinism, TheSameStartGivesTheSameBytes) {
  for (const Scene& scene : BusyScenes(GetParam())) {
    const auto a = Start(GetParam(), scene);
    const auto b = Start(GetParam(), scene);
    ASSERT_TRUE(a && b);
    ExpectSame(RunFor(a.get(), kStep, 150), RunFor(b.get(), kStep, 150));
    EXPECT_EQ(a->Save(), b->Save());
  }
}

TEST_P(Determinism, RestoredInTheMiddleItContinuesBitForBit) {
  for (const Scene& scene : BusyScenes(GetParam())) {
    const auto whole = Start(GetParam(), scene);
    ASSERT_NE(whole, nullptr);
    const Eigen::VectorXd start = whole->Save();
    const Observation then = RunFor(whole.get(), kStep, 75);
    const Eigen::VectorXd state = whole->Save();
    const Observation expected = RunFor(whole.get(), kStep, 75);

    const auto fresh = Start(GetParam(), scene);
    fresh->Restore(state);
    EXPECT_EQ(fresh->Save(), state);
    ExpectSame(RunFor(fresh.get(), kStep, 0), then);
    ExpectSame(RunFor(fresh.get(), kStep, 75), expected);

    whole->Restore(state);  // the same simulation, taken back
    ExpectSame(RunFor(whole.get(), kStep, 75), expected);
    EXPECT_EQ(whole->Save(), fresh->Save());

    whole->Restore(start);
    ExpectSame(RunFor(whole.get(), kStep, 75), then);
  }
}

TEST_P(Determinism, TimeIsAWholeNumberOfStepsWithoutDrift) {
  const auto simulation = Start(GetParam(), Resting(GetParam().matter));
  ASSERT_NE(simulation, nullptr);
  EXPECT_EQ(RunFor(simulation.get(), 0.01, 70).time, 70 * 0.01);
}

}  // namespace
}  // namespace pliant::laws
