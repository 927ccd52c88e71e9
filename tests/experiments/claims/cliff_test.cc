// experiments/faloutsos-1995/faloutsos-cliff.toml says what it shows; here it does.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/scene/metrics.h"
#include "solvers/control/sensors.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kHandOver = 2.9, kDelay = 1.3;  // s, as in the files

struct Moment {
  double time;
  Eigen::Matrix3Xd points;
  Vector3d centre, velocity;  // of the centre of mass
  double control, residual, energy;
};

class Cliff : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    experiment_ = Shipped("faloutsos-cliff");
    const Eigen::VectorXd m = experiment_.scene->Masses();
    RunShipped(experiment_, 0, [&](const Frame& frame) {
      const Observation& o = frame.observation;
      const double energy = KineticEnergy(m, *o.velocities) +
                            SceneForces(*experiment_.scene).GravitationalEnergy(o.points) +
                            *o.elastic_energy;
      moments_.push_back({o.time, o.points, CentreOfMass(m, o.points),
                          LinearMomentum(m, *o.velocities) / m.sum(),
                          (*o.work)[WorkClass::kControl], frame.row[6].value(), energy});
    });
  }

  // The recorded time nearest to `time`.
  static const Moment& At(double time) {
    return moments_[static_cast<size_t>(std::lround(time / experiment_.plan.record_every))];
  }
  static bool Supported(const Moment& moment) {
    std::vector<int> all(moment.points.cols());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return Touches(*experiment_.scene, moment.time, moment.points, all);
  }
  // When the table was last on the rock before the hand-over.
  static double LeftTheRock() {
    double left = 0.0;
    for (const Moment& moment : moments_) {
      if (moment.time < kHandOver && Supported(moment)) left = moment.time;
    }
    return left;
  }
  static double Landed() {
    for (const Moment& moment : moments_) {
      if (moment.time > kHandOver && Supported(moment)) return moment.time;
    }
    return moments_.back().time;
  }

  static inline Experiment experiment_;
  static inline std::vector<Moment> moments_;
};

TEST_F(Cliff, RunsToItsEnd) { EXPECT_NEAR(moments_.back().time, 6.0, 1e-9); }

TEST_F(Cliff, TheTableRunsOnOneFootAtATimeAndNeverEntersTheRock) {
  for (const Moment& moment : moments_) {
    if (moment.time > 2.1) break;
    EXPECT_GT(moment.points.row(1).minCoeff(), -1e-9) << moment.time;
    EXPECT_TRUE(Supported(moment)) << moment.time;
  }
  EXPECT_LT((At(0.29).points.col(5) - At(0.0).points.col(5)).norm(), 1e-12);
  EXPECT_LT((At(0.49).points.col(8) - At(0.3).points.col(8)).norm(), 1e-12);
  EXPECT_GT(At(2.1).centre.x() - At(0.0).centre.x(), 3.0);  // m
}

TEST_F(Cliff, NothingJumpsAtTheHandOver) {
  // All of it is beyond the edge, and moves on.
  EXPECT_GT(At(kHandOver).points.row(0).minCoeff(), 0.0);
  EXPECT_GT(At(kHandOver).velocity.x(), 1.0);
  const Moment &before = At(kHandOver - 0.01), &at = At(kHandOver), &after = At(kHandOver + 0.01);
  EXPECT_LT((at.centre - before.centre - 0.005 * (at.velocity + before.velocity)).norm(), 1e-5);
  EXPECT_LT((at.velocity - before.velocity).norm(), 0.01 * at.velocity.norm());
  EXPECT_LT((after.velocity - at.velocity).norm(), 1e-10);
  EXPECT_LT((after.points - at.points).norm(), 0.011 * std::sqrt(11.0) * 12.0);
}

TEST_F(Cliff, ItHangsInTheAirUntilItNoticesAndThenFallsOnAParabola) {
  // Its feet left the rock within a record before this.
  const double noticed = LeftTheRock() + kDelay;
  EXPECT_GT(noticed, kHandOver + 0.3);
  const Moment& free = At(kHandOver);
  double fell = 0.0;
  for (const Moment& moment : moments_) {
    const double t = moment.time - kHandOver;
    if (t < 0.0 || moment.time >= Landed()) continue;
    const Vector3d line = free.centre + t * free.velocity;
    if (moment.time <= noticed) {
      EXPECT_LT((moment.centre - line).norm(), 1e-9) << moment.time;
    } else if (moment.time > noticed + 0.02) {
      // ½ g (t − t₀)² below the line, t₀ within a record of the delay.
      const double below = line.y() - moment.centre.y();
      const double since = moment.time - std::sqrt(2.0 * below / 9.81);
      EXPECT_NEAR(since, noticed, 0.0101) << moment.time;
      if (fell > 0.0) {
        EXPECT_NEAR(since, fell, 1e-6);
      }
      fell = since;
      EXPECT_NEAR(moment.velocity.x(), free.velocity.x(), 1e-9);
    }
  }
  EXPECT_GT(fell, 0.0);
  EXPECT_LT(At(6.0).centre.y(), -1.5);  // it lies in the valley
}

TEST_F(Cliff, TheLedgerKnowsTheAnimatorAndCloses) {
  const double noticed = LeftTheRock() + kDelay + 0.02;
  const double put_in = At(noticed).control;
  EXPECT_GT(put_in, 10.0);  // J
  for (const Moment& moment : moments_) {
    if (moment.time > noticed) {
      EXPECT_EQ(moment.control, put_in) << moment.time;
    }
    if (moment.time < Landed()) {
      EXPECT_LT(std::abs(moment.residual), 1e-6 * std::abs(At(kHandOver).energy)) << moment.time;
    }
  }
  const double fall = 10.8 * 9.81 * 3.0;
  EXPECT_LT(std::abs(moments_.back().residual), 0.02 * fall);
}

}  // namespace
}  // namespace pliant
