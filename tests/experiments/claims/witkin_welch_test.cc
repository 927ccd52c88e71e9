// experiments/witkin-welch-*.toml say what they show; here they do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep.h"
#include "experiments/sweeps/sweep_table.h"
#include "models/scene/metrics.h"
#include "solvers/control/behaviours.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr int kMatchingWork = 3, kBehavioursDone = 4;  // columns

struct Moment {
  double time;
  Eigen::Matrix3Xd points, velocities;
  double energy, residual, constraint_error;
  Exchange work;
  std::vector<std::optional<double>> extras;
};

struct Recorded {
  Experiment experiment;
  std::vector<Moment> moments;
  RunOutcome outcome;

  const Moment& At(double time) const {
    return moments[static_cast<size_t>(std::lround(time / experiment.plan.record_every))];
  }
  Vector3d Point(const Moment& moment, const std::string& body, const std::string& mark) const {
    const Scene& scene = *experiment.scene;
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
      for (const auto& [name, point] : scene.bodies[b].marks) {
        if (scene.bodies[b].name == body && name == mark) {
          return moment.points.col(scene.Index({b, point}));
        }
      }
    }
    ADD_FAILURE() << body << "." << mark;
    return Vector3d::Zero();
  }
};

Recorded Record(const std::string& name, size_t backend,
                const std::vector<std::string>& overrides = {}) {
  Recorded recorded;
  recorded.experiment = Shipped(name, overrides);
  const Experiment& experiment = recorded.experiment;
  const SceneForces forces(*experiment.scene);
  double start = 0.0;
  recorded.outcome = RunShipped(experiment, backend, [&](const Frame& frame) {
    const Observation& o = frame.observation;
    const double energy = KineticEnergy(forces.masses(), *o.velocities) +
                          forces.GravitationalEnergy(o.points) + *o.elastic_energy +
                          *o.spring_energy;
    const double balance = energy - o.work->TotalWork();
    if (recorded.moments.empty()) start = balance;
    recorded.moments.push_back({o.time, o.points, *o.velocities, energy, balance - start,
                                o.constraint_error.value_or(0.0), *o.work, o.extras});
  });
  return recorded;
}

double LargestResidual(const Recorded& recorded) {
  double largest = 0.0;
  for (const Moment& m : recorded.moments) largest = std::max(largest, std::abs(m.residual));
  return largest;
}

// How far the middle of the right edge is from the middle of its held ends: what an affine body
// cannot do.
double Bend(const Recorded& r, const Moment& moment) {
  const std::vector<Nail>& nails = r.experiment.scene->nails;
  const Vector3d lower = moment.points.col(r.experiment.scene->Index(nails[0].point));
  const Vector3d upper = moment.points.col(r.experiment.scene->Index(nails[1].point));
  return (r.Point(moment, "block", "edge") - 0.5 * (lower + upper)).norm();
}

TEST(WitkinWelchBlock, SecondOrderBendsAndAffineDoesNot) {
  const Recorded second = Record("witkin-welch-block", 0);
  const Recorded affine = Record("witkin-welch-block", 1);
  EXPECT_GT(Bend(second, second.At(0.9)), 0.02);
  EXPECT_LT(Bend(affine, affine.At(0.9)), 1e-9);
  for (const Recorded* r : {&second, &affine}) {
    for (const Moment& m : r->moments) EXPECT_LT(m.constraint_error, 1e-5) << m.time;
    EXPECT_LT(LargestResidual(*r), 0.05 * r->At(0.9).energy);
  }
  // The same pull costs less where the body can bend.
  EXPECT_LT(second.At(0.9).energy, 0.9 * affine.At(0.9).energy);
}

TEST(WitkinWelchPendulum, KeepsEnergyAndJoints) {
  const Recorded rk4 = Record("witkin-welch-pendulum", 0);
  const Recorded open = Record("witkin-welch-pendulum", 1);
  const Recorded euler = Record("witkin-welch-pendulum", 2);
  const double swing = 3.0 * 9.81 * 0.5;  // J, what it exchanges
  EXPECT_LT(LargestResidual(rk4), 1e-6 * swing);
  EXPECT_LT(LargestResidual(euler), 0.05 * swing);
  EXPECT_GT(LargestResidual(euler), 10.0 * LargestResidual(rk4));
  const auto worst = [](const Recorded& r) {
    double error = 0.0;
    for (const Moment& m : r.moments) error = std::max(error, m.constraint_error);
    return error;
  };
  EXPECT_LT(worst(rk4), 1e-12);
  EXPECT_LT(worst(open), 1e-11);
}

// Through a trembling drag, to a bar without a jump of velocity, and away from it.
TEST(WitkinWelchHand, LeadsThePuppetAndTheArmToItsBar) {
  const Recorded r = Record("witkin-welch-hand", 0);
  const Scene& scene = *r.experiment.scene;
  const Nail& hand = scene.nails[0];
  const Nail& bar = scene.nails[1];
  EXPECT_LT(hand.path.times().size(), 20u);
  for (const Moment& m : r.moments) {
    const Vector3d spine = m.points.col(scene.Index(hand.point));
    EXPECT_LT((spine - hand.path.At(m.time).position).norm(), 1e-6) << m.time;
    const double open =
        (m.points.col(scene.Index(bar.point)) - bar.path.At(m.time).position).norm();
    if (m.time > 1.61 && m.time < 2.59) {
      EXPECT_LT(open, 1e-5) << m.time;
    }
    EXPECT_LT(std::abs(m.extras[kMatchingWork].value()), 1e-6) << m.time;
  }
  const Moment& end = r.moments.back();
  EXPECT_GT((end.points.col(scene.Index(bar.point)) - bar.path.At(end.time).position).norm(), 0.2);
  EXPECT_GT(end.work[WorkClass::kMovedNail], 1.0);
  EXPECT_LT(LargestResidual(r), 1e-3);
}

TEST(WitkinWelchSkyHook, GrabsThePyramidAndHangsItselfUp) {
  const Recorded hook = Record("witkin-welch-sky-hook", 0);
  EXPECT_EQ(hook.moments.back().extras[kBehavioursDone].value(), 1.0);
  const Vector3d sky(1.5, 2.5, 0.0);
  // The swoop ends at the top of the pyramid, which has not moved by then.
  const Moment& grabbed = hook.At(1.4);
  EXPECT_LT((hook.Point(grabbed, "hook", "tip") - hook.Point(grabbed, "pyr", "tip")).norm(), 1e-3);
  for (const Moment& m : hook.moments) {
    if (m.time > 1.42) {
      EXPECT_LT((hook.Point(m, "hook", "tip") - hook.Point(m, "pyr", "tip")).norm(), 1e-3);
    }
    if (m.time > 3.42) {
      EXPECT_LT((hook.Point(m, "hook", "eye") - sky).norm(), 1e-3) << m.time;
    }
  }
  // The pyramid dangles below.
  const Vector3d top = hook.Point(hook.moments.back(), "pyr", "tip");
  EXPECT_GT(hook.moments.back().points.rightCols(4).row(1).minCoeff(), 0.5);
  EXPECT_LT(top.y(), sky.y() - 0.3);
  EXPECT_GT(hook.moments.back().work[WorkClass::kControl], 5.0);
  // Five of the script; what passes through what is told apart from them.
  EXPECT_EQ(std::count_if(hook.outcome.events.begin(), hook.outcome.events.end(),
                          [](const SimulationEvent& event) {
                            return event.what.find("went through") == std::string::npos;
                          }),
            5);
}

// Twenty places and five speeds: it has eaten where the script is done and the prey is in the
// gullet.
TEST(WitkinWelchMonster, ReflexSucceedsFromAGridOfStarts) {
  int eaten = 0, tried = 0;
  std::string failed;
  for (double x : {2.0, 2.2, 2.4, 2.6, 2.8}) {
    for (double y : {0.0, 0.2, 0.4, 0.6}) {
      for (double speed : {0.4, 0.6, 0.8, 1.0, 1.2}) {
        // Every seventh of the hundred starts; the sweep of the experiment runs them all.
        if (tried++ % 7 != 0) continue;
        const std::string start = "[" + std::to_string(x) + ", " + std::to_string(y) + "]";
        const Recorded r =
            Record("witkin-welch-monster", 0,
                   {"scene.body.humanoid.position=" + start,
                    "scene.body.humanoid.velocity=[-" + std::to_string(speed) + ", 0]"});
        const Moment& end = r.moments.back();
        const double miss =
            (r.Point(end, "humanoid", "middle") - r.Point(end, "monster", "gullet")).norm();
        bool whole = true;  // nothing was turned inside out on the way
        for (const SimulationEvent& event : r.outcome.events) {
          whole = whole && event.what.find("inside out") == std::string::npos;
        }
        if (end.extras[kBehavioursDone].value() == 1.0 && miss < 0.01 && whole) {
          ++eaten;
        } else {
          failed += " " + start + " at " + std::to_string(speed);
        }
      }
    }
  }
  const int runs = (tried + 6) / 7;
  EXPECT_GE(eaten, static_cast<int>(std::ceil(0.95 * runs))) << failed;
}

// What the sweep says of its runs: of whole ones, and of some that end too soon.
TEST(WitkinWelchMonster, TheSweepCountsInHowManyRunsTheReflexEnded) {
  const auto shares = [](const std::string& duration) {
    const ScratchFolder folder;
    const Sweep sweep =
        ReadSweep(PLIANT_SOURCE_DIR "/experiments/witkin-welch-1990/witkin-welch-monster.toml",
                  {"run.duration=" + duration, "sweep.vary.0.values=[[2.0, 0], [2.8, 0.6]]",
                   "sweep.vary.1.values=[[-1.2, 0]]"});
    return BehaviourShares(sweep, CollectSweep(sweep, RunSweep(sweep, folder / "runs", {})));
  };
  const std::string label = "linear-deformation: every behaviour ended in ";
  EXPECT_EQ(shares("8.0"), std::vector<std::string>{label + "2 of 2 runs"});
  EXPECT_EQ(shares("0.1"), std::vector<std::string>{label + "0 of 2 runs"});
}

TEST(WitkinWelchMonster, LetsGoAtTheMouthAndStopsItsClaw) {
  const Recorded r = Record("witkin-welch-monster", 0);
  std::vector<std::string> told;
  double let_go = 0.0;
  for (const SimulationEvent& event : r.outcome.events) {
    told.push_back(event.what);
    if (event.what.find("disconnected") != std::string::npos) let_go = event.time;
  }
  ASSERT_GT(let_go, 3.0);
  ASSERT_EQ(told.back(), "behaviour 'reflex' is done");
  const auto before = std::find_if(r.moments.begin(), r.moments.end(),
                                   [&](const Moment& m) { return m.time > let_go + 1e-9; });
  const Scene& scene = *r.experiment.scene;
  const int claw = scene.Index({2, 2});
  EXPECT_LT((r.Point(*before, "claw", "tip") - r.Point(*before, "monster", "mouth")).norm(), 0.01);
  EXPECT_LT(before->velocities.col(claw).norm(), 0.2);
}

}  // namespace
}  // namespace pliant
