#include "experiments/runs/made_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

// 2 kg, 1 m long.
Scene Rod(double gravity) {
  Scene scene;
  scene.gravity = {0.0, -gravity, 0.0};
  scene.bodies.push_back(MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 2.0));
  return scene;
}

EnergyBalance Energy(double kinetic, double stored, double gravitational) {
  EnergyBalance balance;
  balance.kinetic = kinetic;
  balance.stored = stored;
  balance.gravitational = gravitational;
  return balance;
}

TEST(MadeEnergy, WhatActiveElementsGiveIsNotMade) {
  for (const WorkClass active : {WorkClass::kForce, WorkClass::kImpulse, WorkClass::kMovedObstacle,
                                 WorkClass::kMovedNail, WorkClass::kControl}) {
    MadeEnergy made(Rod(10.0));
    made.Add(0.0, Energy(0, 0, 0));
    EnergyBalance pushed = Energy(5, 2, 1);
    pushed.exchange[active] = 8.0;
    EXPECT_EQ(made.Add(0.1, pushed), 0.0) << ToString(active);
    EXPECT_FALSE(made.Beyond(0.01));
  }
}

// A floor at rest that throws a body higher than it fell, with a ledger that closes.
TEST(MadeEnergy, WhatPassiveElementsGiveIsMadeThoughTheLedgerCloses) {
  for (const WorkClass passive : kPassiveClasses) {
    MadeEnergy made(Rod(10.0));
    made.Add(0.0, Energy(0, 0, 20));
    made.Add(0.5, Energy(20, 0, 0));
    EnergyBalance thrown = Energy(30, 0, 0);
    thrown.exchange[passive] = 10.0;
    EXPECT_EQ(made.Add(0.6, thrown), 10.0);
    thrown = Energy(0, 0, 30);
    thrown.exchange[passive] = 10.0;
    EXPECT_EQ(made.Add(1.5, thrown), 10.0);
    const auto found = made.Beyond(0.01);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->made, 10.0);
    EXPECT_EQ(found->time, 0.6);
    EXPECT_EQ(found->by, ToString(passive));
    // All that was ever stored or moving is at stake.
    EXPECT_NEAR(made.AtStake(), 30.0, 1e-12);
    EXPECT_NEAR(found->share, 10.0 / 30.0, 1e-12);
    EXPECT_FALSE(made.Beyond(0.34));
  }
}

TEST(MadeEnergy, WhatIsLostFirstIsNoCreditForWhatIsMadeLater) {
  MadeEnergy made(Rod(0.0));
  EnergyBalance balance = Energy(100, 0, 0);
  made.Add(0.0, balance);
  balance.kinetic = 40;  // friction takes 60 J,
  balance.exchange[WorkClass::kContact] = -60;
  EXPECT_EQ(made.Add(1.0, balance), 0.0);
  balance.kinetic = 65;  // then the scheme makes 25
  balance.residual = 25;
  EXPECT_EQ(made.Add(2.0, balance), 25.0);
  ASSERT_TRUE(made.Beyond(0.01));
  EXPECT_EQ(made.Beyond(0.01)->by, "integration");
  EXPECT_EQ(made.Beyond(0.01)->share, 0.25);
}

// 60 J of friction are not lost; the 5 J of a step and the 20 J of a nail at rest are, and what is made later is no credit.
TEST(MadeEnergy, WhatNobodyTookIsLost) {
  MadeEnergy energy(Rod(0.0));
  EnergyBalance balance = Energy(100, 0, 0);
  energy.Add(0.0, balance);
  balance.kinetic = 40;
  balance.exchange[WorkClass::kContact] = -60;
  energy.Add(1.0, balance);
  EXPECT_FALSE(energy.LostBeyond(0.0));
  balance.kinetic = 35;
  balance.residual = -5;
  energy.Add(2.0, balance);
  EXPECT_EQ(energy.LostBeyond(0.01)->by, "integration");
  EXPECT_EQ(energy.LostBeyond(0.01)->made, 5.0);
  balance.kinetic = 15;
  balance.exchange[WorkClass::kConstraint] = -20;
  energy.Add(3.0, balance);
  balance.kinetic = 45;
  balance.residual = 25;
  energy.Add(4.0, balance);
  const auto lost = energy.LostBeyond(0.1);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->made, 25.0);
  EXPECT_EQ(lost->share, 0.25);
  EXPECT_EQ(lost->by, "constraint");
  EXPECT_EQ(lost->time, 3.0);
  EXPECT_FALSE(energy.LostBeyond(0.25));
  EXPECT_EQ(energy.Beyond(0.01)->made, 30.0);
}

TEST(MadeEnergy, RoundingOfABodyAtRestOrInFreeFlightIsNotMade) {
  MadeEnergy resting(Rod(10.0));
  resting.Add(0.0, Energy(0, 0, 1e3));
  resting.Add(1.0, Energy(1e-9, 1e-12, 1e3));
  EXPECT_FALSE(resting.Beyond(0.01));
  MadeEnergy flying(Rod(0.0));
  flying.Add(0.0, Energy(50, 0, 0));
  flying.Add(1.0, Energy(std::nextafter(50, 51), 0, 0));
  EXPECT_FALSE(flying.Beyond(0.0));
  EXPECT_EQ(flying.AtStake(), std::nextafter(50, 51));
}

}  // namespace
}  // namespace pliant
