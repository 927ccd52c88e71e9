#include "solvers/spacetime/flight_momentum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solvers/spacetime/jump_starts.h"
#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

// 2 kg fly for 0.5 s and are 0.25 m high: weight gives them 9.81 N s.
FlightMomentum Flight(double up, double spin) {
  return {2.0, 9.81, 0.5, 0.25, {3.0, up, spin}, {3.0, up - 9.81, spin}};
}

TEST(FlightMomentum, OfWhatWeightAloneMovesHasNoDefect) {
  EXPECT_EQ(MomentumDefect(Flight(4.0, 0.0)), 0.0);
  EXPECT_NEAR(MomentumDefect(Flight(4.905, -0.7)), 0.0, 1e-15);
}

TEST(FlightMomentum, IsTheShareOfThatOfWeight) {
  FlightMomentum flight = Flight(4.0, 0.1);
  flight.end[0] += 0.981;
  EXPECT_NEAR(MomentumDefect(flight), 0.1, 1e-14);
  flight.end[1] -= 0.981;
  EXPECT_NEAR(MomentumDefect(flight), 0.1 * std::sqrt(2.0), 1e-14);
  flight.end[2] -= 0.981;  // of angular momentum by 0.25 m
  EXPECT_NEAR(MomentumDefect(flight), 0.4, 1e-14);
}

TEST(FlightMomentum, WithoutGravityIsTheShareOfWhatItBeganWith) {
  FlightMomentum flight = {2.0, 0.0, 0.5, 0.25, {3.0, 4.0, 0.0}, {3.0, 4.5, 0.0}};
  EXPECT_NEAR(MomentumDefect(flight), 0.1, 1e-15);
  flight.begin.setZero();
  flight.end.setZero();
  EXPECT_EQ(MomentumDefect(flight), 0.0);
}

// A lamp's plan loses its defect with the order of its transcription at least.
double OrderOf(LampTranscription transcription) {
  std::vector<double> defects;
  for (const double step : {0.02, 0.01, 0.005}) {
    const LampJumpMotion motion = SolveLampJump({}, {.step = step, .transcription = transcription});
    EXPECT_TRUE(motion.summary().converged());
    defects.push_back(motion.momentum_defect());
  }
  return 0.5 * std::log2(defects[0] / defects[2]);
}

TEST(FlightMomentum, OfALampIsKeptWithTheOrderOfTheTranscription) {
  EXPECT_GT(OrderOf(LampTranscription::kHermite), 3.5);
  EXPECT_GT(OrderOf(LampTranscription::kTrapezoidal), 1.7);
  EXPECT_GT(OrderOf(LampTranscription::kFiniteDifferences), 1.7);
}

// It violates nothing on the mesh of 0.02 s, and there is a slower motion that a finer mesh finds.
TEST(FlightMomentum, OfAMotionTooFastForItsMeshIsKeptOnAFinerOne) {
  const LampJumpProblem problem = {.distance = 0.6, .flight_duration = 0.36, .torque_limit = 12.0};
  const LampJumpMotion coarse = SolveLampJump(problem, {.step = 0.02});
  EXPECT_TRUE(coarse.violates_nothing());
  EXPECT_FALSE(coarse.found());
  const LampJumpMotion further = SolveLampJump(problem, {.step = 0.02, .meshes = {.further = 2}});
  EXPECT_TRUE(further.found()) << further.Message();
  EXPECT_EQ(further.level, 1u);
  EXPECT_EQ(further.levels.size(), 2u);
  EXPECT_GT(further.summary().final_cost, 1.02 * coarse.summary().final_cost);
  // The same as where the finer mesh was asked for.
  const LampJumpMotion asked = SolveLampJump(problem, {.step = 0.02, .meshes = {.refinements = 1}});
  EXPECT_EQ(further.summary().final_cost, asked.summary().final_cost);
}

}  // namespace
}  // namespace pliant
