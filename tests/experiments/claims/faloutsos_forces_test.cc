// experiments/faloutsos-pot-*.toml and faloutsos-spring.toml say what they show; here they do.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

struct Moment {
  double time;
  Vector3d momentum, centre;
  double kinetic, gravitational, spring, elastic, contact_work, balance, lowest;
};

std::vector<Moment> MomentsOf(const std::string& name) {
  const Experiment experiment = Shipped(name);
  std::vector<Moment> moments;
  const SceneForces forces(*experiment.scene);
  const Eigen::VectorXd& m = forces.masses();
  RunShipped(experiment, 0, [&](const Frame& frame) {
    const Observation& o = frame.observation;
    Moment moment = {o.time,
                     LinearMomentum(m, *o.velocities),
                     CentreOfMass(m, o.points),
                     KineticEnergy(m, *o.velocities),
                     forces.GravitationalEnergy(o.points),
                     *o.spring_energy,
                     *o.elastic_energy,
                     (*o.work)[WorkClass::kContact],
                     0.0,
                     o.points.row(1).minCoeff()};
    moment.balance = moment.kinetic + moment.gravitational + StoredEnergy(o) - o.work->TotalWork();
    moments.push_back(moment);
  });
  return moments;
}

TEST(FallingPot, WithoutFrictionKeepsItsMomentumAlongTheGround) {
  const std::vector<Moment> pot = MomentsOf("faloutsos-pot-frictionless");
  ASSERT_NEAR(pot.back().time, 3.5, 1e-9);
  for (const Moment& moment : pot) {
    EXPECT_NEAR(moment.momentum.x(), 6.0 * 1.5, 1e-9) << "at " << moment.time << " s";
    EXPECT_NEAR(moment.centre.x() - pot.front().centre.x(), 1.5 * moment.time, 1e-9);
  }
  // It did land, and rocked itself to rest: what motion is left goes along.
  EXPECT_LT(pot.back().contact_work, -20.0);
  EXPECT_NEAR(pot.back().kinetic, 0.5 * 6.0 * 1.5 * 1.5, 0.05);
}

TEST(FallingPot, WithFrictionComesToRest) {
  const std::vector<Moment> pot = MomentsOf("faloutsos-pot-friction");
  EXPECT_NEAR(pot.front().momentum.x(), 6.0 * 1.5, 1e-12);
  EXPECT_NEAR(pot.back().momentum.x(), 0.0, 0.05);
  EXPECT_LT(pot.back().kinetic, 0.01);
  // It stops short of where the smooth ground would have let it go.
  EXPECT_LT(pot.back().centre.x() - pot.front().centre.x(), 0.5 * 1.5 * 6.0);
  // Contact has taken what height and motion gave, but for what its own springs hold.
  const double lost = pot.front().kinetic + pot.front().gravitational - pot.back().kinetic -
                      pot.back().gravitational;
  EXPECT_NEAR(pot.back().contact_work, -lost, 0.02 * lost);
}

TEST(TableAndSpring, TheSpringCatchesTheTable) {
  const std::vector<Moment> table = MomentsOf("faloutsos-spring");
  ASSERT_NEAR(table.back().time, 4.0, 1e-9);
  double drawn = 0.0, ringing = 0.0, before = 0.0, lowest = 1e9;
  const Moment* deepest = &table.front();
  for (const Moment& moment : table) {
    // Free fall would have brought the feet to the ground, 6 m below their start, in 1.5 s.
    EXPECT_GT(moment.lowest, -5.9) << "at " << moment.time << " s";
    // Of 208 J. The spring of friction changes its plane where the leg passes the edge of the cliff.
    EXPECT_NEAR(moment.balance, table.front().balance, 1.2) << "at " << moment.time << " s";
    drawn = std::max(drawn, moment.spring);
    lowest = std::min(lowest, moment.lowest);
    (moment.time < 0.5 ? before : ringing) =
        std::max(moment.time < 0.5 ? before : ringing, moment.elastic);
    if (moment.centre.y() < deepest->centre.y()) deepest = &moment;
  }
  EXPECT_LT(lowest, -1.0);  // it did fall
  EXPECT_GT(drawn, 100.0);  // J
  // At the lowest point height has gone into the spring.
  EXPECT_GT(deepest->spring, 0.5 * (table.front().gravitational - deepest->gravitational));
  EXPECT_GT(ringing, 10.0 * before);
  EXPECT_GT(table.back().centre.y(), deepest->centre.y() + 0.5);  // and up again
}

}  // namespace
}  // namespace pliant
