// experiments/palazzi-*.toml say what they show; here they do.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr size_t kRigidShare = 2;  // column

struct Instant {
  double time, rigid_share, kinetic, sweeps, gap, strain;
  Vector3d momentum, spin;
  Matrix3Xd points;
};

struct Shown {
  Experiment experiment;
  std::map<std::string, std::vector<Instant>> runs;  // by label

  const Instant& At(const std::string& label, double time) const {
    return runs.at(label)[static_cast<size_t>(std::lround(time / experiment.plan.record_every))];
  }
};

Shown ShowPalazzi(const std::string& name, const std::vector<std::string>& overrides = {}) {
  Shown shown{Shipped("palazzi-" + name, overrides), {}};
  const Scene& scene = *shown.experiment.scene;
  const Eigen::VectorXd masses = scene.Masses();
  for (size_t i = 0; i < shown.experiment.backends.size(); ++i) {
    std::vector<Instant>& instants = shown.runs[shown.experiment.backends[i].label];
    RunShipped(shown.experiment, i, [&](const Frame& frame) {
      const Observation& o = frame.observation;
      instants.push_back(
          {o.time, o.extras.size() > kRigidShare ? o.extras[kRigidShare].value_or(NAN) : NAN,
           KineticEnergy(masses, *o.velocities),
           o.iterations ? static_cast<double>(*o.iterations) : NAN,
           o.constraint_error.value_or(NAN), MeasureEdgeStrain(scene, o.points)->max,
           LinearMomentum(masses, *o.velocities),
           AngularMomentum(masses, o.points, *o.velocities, CentreOfMass(masses, o.points)),
           o.points});
    });
  }
  return shown;
}

// How far a shape is from a rigid copy of another: rms over their radius of gyration.
double Bent(const Matrix3Xd& rest, const Matrix3Xd& now) {
  const Eigen::Matrix4d best = Eigen::umeyama(rest, now, false);
  const Matrix3Xd copy =
      (best.topLeftCorner<3, 3>() * rest).colwise() + Vector3d(best.topRightCorner<3, 1>());
  const Vector3d centre = rest.rowwise().mean();
  return (copy - now).norm() / (rest.colwise() - centre).norm();
}

TEST(PalazziFractions, GoFromLocalToGlobal) {
  const Shown shown = ShowPalazzi("fractions");
  for (const double t : {0.1, 0.3, 0.6}) {
    const double local = shown.At("local", t).rigid_share;
    const double equal = shown.At("equal", t).rigid_share;
    EXPECT_LT(local, 0.3) << t;
    EXPECT_GT(equal, local + 0.04) << t;
    EXPECT_LT(equal, 0.55) << t;
    EXPECT_GT(shown.At("global", t).rigid_share, 0.9) << t;
  }
}

TEST(PalazziSpin, GoesOnAsAPlateFor90Frames) {
  const Shown shown = ShowPalazzi("spin");
  const std::vector<Instant>& frames = shown.runs.at("closely");
  ASSERT_EQ(frames.size(), 91u);
  const Matrix3Xd& flat = frames[0].points;
  double turned = 0.0;  // rad
  for (size_t i = 1; i < frames.size(); ++i) {
    EXPECT_GT(frames[i].rigid_share, i < 10 ? 0.9 : 0.98) << i;
    EXPECT_LT(Bent(flat, frames[i].points), 0.06) << i;
    EXPECT_LT((frames[i].momentum - Vector3d(0, 0.1, 0)).norm(), 1e-3) << i;
    const Eigen::Matrix4d step = Eigen::umeyama(frames[i - 1].points, frames[i].points, false);
    turned += Eigen::AngleAxisd(Eigen::Matrix3d(step.topLeftCorner<3, 3>())).angle();
  }
  EXPECT_GT(turned, M_PI) << "it turns";
  EXPECT_NEAR(frames[90].spin.norm() / frames[1].spin.norm(), 7.0 / 8.0, 0.01);

  const std::vector<Instant>& loose = shown.runs.at("as-in-the-source");
  for (size_t i = 1; i < loose.size(); ++i) EXPECT_GT(loose[i].rigid_share, 0.9) << i;
  EXPECT_GT(Bent(flat, loose[90].points), 4.0 * Bent(flat, frames[90].points));
}

TEST(PalazziPull, IsAnsweredWhereItPulls) {
  const Shown shown = ShowPalazzi("pull");
  EXPECT_LT(shown.At("local", 0.04).rigid_share, 0.07);
  EXPECT_GT(shown.At("local", 0.2).rigid_share, 2.0 * shown.At("local", 0.04).rigid_share);
  for (const double t : {0.04, 0.1, 0.2}) {
    EXPECT_LT(shown.At("local", t).rigid_share, 0.25);
    EXPECT_GT(shown.At("global", t).rigid_share, 0.9);
  }
  // How many points of the sheet have gone more than a tenth of the way of its corner.
  const Matrix3Xd rest = shown.At("local", 0.0).points.leftCols(289);
  const auto following = [&](const std::string& label) {
    const Eigen::RowVectorXd way =
        (shown.At(label, 0.1).points.leftCols(289) - rest).colwise().norm();
    return (way.array() > 0.1 * way.maxCoeff()).count();
  };
  EXPECT_LT(following("local"), 289 / 5);
  EXPECT_GT(following("global"), 289 / 2);
}

TEST(PalazziBounce, FoldsBendsOrStaysAPlate) {
  const Shown shown = ShowPalazzi("bounce");
  const double contact = 0.42;
  EXPECT_LT(shown.At("local", contact).rigid_share, 0.7);
  EXPECT_GT(shown.At("equal", contact).rigid_share, 0.9);
  EXPECT_GT(shown.At("global", contact).rigid_share, shown.At("equal", contact).rigid_share);
  const Matrix3Xd& rest = shown.At("local", 0.0).points;
  const auto bent = [&](const std::string& label, double t) {
    return Bent(rest, shown.At(label, t).points);
  };
  EXPECT_GT(bent("local", contact), 1.2 * bent("equal", contact));
  EXPECT_GT(bent("equal", contact), 1.5 * bent("global", contact));
  EXPECT_GT(bent("local", 1.2), 0.5);
  EXPECT_GT(bent("equal", 1.2), 0.4);
  // How rigid the motion is over the whole run.
  const auto share = [&](const std::string& label) {
    double rigid = 0.0, all = 0.0;
    for (const Instant& instant : shown.runs.at(label)) {
      if (!std::isfinite(instant.rigid_share)) continue;
      rigid += instant.rigid_share * instant.kinetic;
      all += instant.kinetic;
    }
    return rigid / all;
  };
  EXPECT_LT(share("local"), 0.8);
  EXPECT_GT(share("equal"), share("local") + 0.1);
  EXPECT_GT(share("global"), share("equal") + 0.02);
  for (const Instant& instant : shown.runs.at("global")) {
    EXPECT_LT(Bent(rest, instant.points), 0.1) << instant.time;
  }
  EXPECT_GT(shown.At("global", 0.6).points.row(1).minCoeff(), 0.1) << "it bounces";
}

TEST(PalazziRatio, TranslationIsRigidAndRotationFlexible) {
  const Shown shown = ShowPalazzi("ratio");
  double share = 0.0, sweeps = INFINITY;
  for (const char* label : {"flexible", "half", "rigid", "no-rotation"}) {
    const Instant& tenth = shown.At(label, 0.05);
    EXPECT_GT(tenth.rigid_share, share) << label;
    share = tenth.rigid_share;
    const double in_all = shown.At(label, 0.3).sweeps;
    EXPECT_LT(in_all, sweeps) << label;
    sweeps = in_all;
  }
  EXPECT_LT(shown.At("half", 0.05).rigid_share, 0.2);
  EXPECT_GT(shown.At("rigid", 0.05).rigid_share, 0.3);
  EXPECT_GT(share, 0.99);
  EXPECT_LT(Bent(shown.At("half", 0.0).points, shown.At("no-rotation", 0.3).points), 0.01);
}

TEST(PalazziSweeps, LeaveLessAndLess) {
  const auto left = [](const std::string& label, int sweeps) {
    const Shown shown =
        ShowPalazzi("sweeps", {"backends." + label + ".min_sweeps=" + std::to_string(sweeps)});
    EXPECT_EQ(shown.At(label, 0.01).sweeps, sweeps);
    return shown.At(label, 0.01).gap;
  };
  for (const char* label : {"sequential", "symmetric", "coloured", "over-relaxed"}) {
    EXPECT_LT(left(label, 10), 0.3 * left(label, 1)) << label;
    EXPECT_LT(left(label, 50), 0.2 * left(label, 10)) << label;
  }
  const double rows = left("sequential", 50);
  EXPECT_NEAR(left("coloured", 50) / rows, 1.0, 0.3);
  EXPECT_GT(left("symmetric", 50), 2.0 * rows);
  EXPECT_GT(left("over-relaxed", 2), left("sequential", 2));
  EXPECT_LT(left("over-relaxed", 50), 1e-5 * rows);
}

TEST(PalazziConvergence, SweepsThroughLevelsHoldAnyMesh) {
  std::map<std::string, double> before;
  for (const auto& [levels, points] : {std::pair{4, 9}, {5, 17}, {6, 33}}) {
    const std::string side = std::to_string(points);
    const Shown shown =
        ShowPalazzi("convergence",
                    {"scene.body.sheet.points=[" + side + ", " + side + "]",
                     "backends.through-levels.solver_levels=" + std::to_string(levels),
                     "backends.segments-through-levels.solver_levels=" + std::to_string(levels)});
    std::map<std::string, double> strain;
    for (const auto& [label, instants] : shown.runs) {
      for (const Instant& instant : instants) {
        strain[label] = std::max(strain[label], instant.strain);
      }
    }
    for (const char* label : {"segments", "lengths", "more-sweeps"}) {
      EXPECT_GT(strain[label], 1.5 * before[label]) << label << " " << points;
    }
    EXPECT_LT(strain["more-sweeps"], strain["lengths"]);
    EXPECT_LT(strain["through-levels"], 1e-6) << points;
    EXPECT_LT(strain["segments-through-levels"], 1e-3) << points;
    before = strain;
  }
  EXPECT_GT(before["lengths"], 0.1);
}

TEST(PalazziLevels, LeaveLessInAFewSweepsThanManyWithoutThem) {
  const Shown shown = ShowPalazzi("levels");
  std::map<std::string, double> strain;
  for (const auto& [label, instants] : shown.runs) {
    for (const Instant& instant : instants) {
      strain[label] = std::max(strain[label], instant.strain);
    }
  }
  EXPECT_GT(strain["sweeps-10"], 5.0 * strain["sweeps-100"]);
  EXPECT_GT(strain["sweeps-100"], 1.5 * strain["levels-5"]);
  EXPECT_GT(strain["levels-5"], 1.5 * strain["levels-20"]);
  EXPECT_LT(strain["levels-20"], 0.15);
  EXPECT_GT(strain["segments-50"], 6.0 * strain["segments-levels-5"]);
}

TEST(PalazziDepth, EachLevelLeavesAPartOfWhatTheLastOneLeft) {
  std::map<std::string, std::map<int, double>> strain;
  for (const int levels : {1, 2, 3, 4, 6}) {
    std::vector<std::string> overrides;
    for (const char* label : {"segments-5", "segments-20", "lengths-5", "lengths-20"}) {
      overrides.push_back("backends." + std::string(label) +
                          ".solver_levels=" + std::to_string(levels));
    }
    const Shown shown = ShowPalazzi("depth", overrides);
    for (const auto& [label, instants] : shown.runs) {
      for (const Instant& instant : instants) {
        strain[label][levels] = std::max(strain[label][levels], instant.strain);
      }
    }
  }
  for (auto& [label, of] : strain) {
    for (const int levels : {1, 2, 3}) {
      EXPECT_GT(of[levels], 3.5 * of[levels + 1]) << label << " " << levels;
    }
  }
  EXPECT_LT(strain["lengths-20"][6], 1e-9);
  for (const char* label : {"segments-5", "segments-20"}) {
    EXPECT_LT(strain[label][6], strain[label][4]) << label;
  }
}

TEST(PalazziPositionBased, IsLessThanHalfAsStretchedByTheSameSweeps) {
  for (const char* step : {"0.01", "0.005"}) {
    const Shown shown = ShowPalazzi("position-based", {"run.step=" + std::string(step)});
    std::map<std::string, double> strain;
    for (const auto& [label, instants] : shown.runs) {
      for (const Instant& instant : instants) {
        strain[label] = std::max(strain[label], instant.strain);
      }
    }
    const double times = strain["displacement-constraints"] / strain["position-based"];
    EXPECT_GT(times, 2.5) << step;
    EXPECT_LT(times, 4.0) << step;
    EXPECT_EQ(shown.At("displacement-constraints", 0.5).sweeps,
              shown.At("position-based", 0.5).sweeps);
  }
}

TEST(PalazziFigure, FallsAsStiffAffineBodiesDo) {
  const Shown shown = ShowPalazzi("figure");
  const auto apart = [&](const std::string& label, double t) {
    return (shown.At(label, t).points - shown.At("stiff", t).points).colwise().norm().maxCoeff();
  };
  const auto& rest = shown.At("rigid", 0.0).points;
  EXPECT_GT((shown.At("rigid", 0.4).points - rest).colwise().norm().maxCoeff(), 0.3);
  EXPECT_LT(apart("rigid", 0.4), 0.02);
  EXPECT_GT(apart("unit-inertia", 0.4), 0.1);
}

TEST(PalazziFold, KeepsItsSidesApart) {
  const Shown shown = ShowPalazzi("fold");
  const auto crossed = [&shown](const std::string& label) {
    double farthest = -1.0;
    for (const Instant& instant : shown.runs.at(label)) {
      for (int row = 0; row < 17; ++row) {
        const auto x = instant.points.row(0).segment(17 * row, 17);
        farthest = std::max(farthest, x[0] - x[12]);
      }
    }
    return farthest;
  };
  EXPECT_LT(crossed("keeps-its-thickness"), 0.03);
  EXPECT_GT(crossed("passes-through"), 0.3);
}

TEST(PalazziTrolley, MeetsItsSlidersAndLimits) {
  const auto fold = [](const Matrix3Xd& x, int joint) {
    const Vector3d a = x.col(joint - 1) - x.col(joint), b = x.col(joint + 1) - x.col(joint);
    return std::atan2(a.cross(b).norm(), a.dot(b));
  };
  const Shown shown = ShowPalazzi("trolley");
  for (const char* label : {"segments", "lengths"}) {
    double sharpest = M_PI, lowest = 1.0;
    for (const Instant& instant : shown.runs.at(label)) {
      EXPECT_LT(instant.gap, 1.001 * 0.002 * 0.125) << label << " " << instant.time;
      for (const int joint : {2, 4, 6}) sharpest = std::min(sharpest, fold(instant.points, joint));
      lowest = std::min(lowest, instant.points(1, 0));
    }
    EXPECT_GT(sharpest, 2.49) << label;
    EXPECT_LT(sharpest, 2.51) << label << ": a limit is reached";
    EXPECT_LT(lowest, 0.5) << label << ": the head goes down the track";
  }
}

}  // namespace
}  // namespace pliant
