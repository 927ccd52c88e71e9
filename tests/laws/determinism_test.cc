// Laws of repetition: the same start gives the same bytes, and a saved state is the whole state.

#include <gtest/gtest.h>

#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

class Determinism : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, Determinism, testing::ValuesIn(Subjects()),
                         [](const auto& info) { return Name(info.param); });

constexpr double kStep = 1e-3;

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
  ASSERT_EQ(a.work.has_value(), b.work.has_value());
  if (a.work) {
    EXPECT_EQ(a.work->values, b.work->values);
  }
  EXPECT_EQ(a.constraint_error, b.constraint_error);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.extras, b.extras);
}

TEST_P(Determinism, TheSameStartGivesTheSameBytes) {
  const auto a = Start(GetParam(), PressedSheet());
  const auto b = Start(GetParam(), PressedSheet());
  ASSERT_TRUE(a && b);
  ExpectSame(RunFor(a.get(), kStep, 300), RunFor(b.get(), kStep, 300));
  EXPECT_EQ(a->Save(), b->Save());
}

TEST_P(Determinism, RestoredInTheMiddleItContinuesBitForBit) {
  const auto whole = Start(GetParam(), PressedSheet());
  ASSERT_NE(whole, nullptr);
  RunFor(whole.get(), kStep, 150);  // in contact
  const Eigen::VectorXd state = whole->Save();
  const Observation expected = RunFor(whole.get(), kStep, 150);

  const auto fresh = Start(GetParam(), PressedSheet());
  fresh->Restore(state);
  EXPECT_EQ(fresh->Save(), state);
  ExpectSame(RunFor(fresh.get(), kStep, 150), expected);

  whole->Restore(state);  // the same simulation, taken back
  ExpectSame(RunFor(whole.get(), kStep, 150), expected);
}

TEST_P(Determinism, TimeIsAWholeNumberOfStepsWithoutDrift) {
  const auto simulation = Start(GetParam(), RestingSheet());
  ASSERT_NE(simulation, nullptr);
  EXPECT_EQ(RunFor(simulation.get(), 0.1, 30).time, 30 * 0.1);
}

}  // namespace
}  // namespace pliant::laws
