// Bodies that meet as the scene says, and what pairs of them exchange.

#include "solvers/contact/surface_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "models/scene/contact_pairs.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/contact/contact_tally.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

// Two cubes, one thrown at the other, off centre and turned.
Scene ThrownCubes() {
  Scene scene = Weightless({MakeBlock("left", {1, 1, 1}, {3, 3, 3}, 1.0)});
  scene.bodies.push_back(MakeBlock("right", {1, 1, 1}, {3, 3, 3}, 2.0));
  scene.bodies[1].position = {1.6, 0.31, 0.22};
  scene.bodies[1].orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  scene.bodies[0].velocity = {2.0, 0.0, 0.0};
  return scene;
}

ParameterValues Rigid() { return {{"rigid_bodies", std::vector<std::string>{"*"}}}; }

double Along(const Observation& seen, int first, int count) {
  return seen.velocities->middleCols(first, count).row(0).mean();
}

TEST(BodiesThatMeet, DoSoWithoutAWord) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool ignored : {false, true}) {
      for (const bool rigid : {false, true}) {
        SCOPED_TRACE(std::string(formulation) + (ignored ? ", ignored" : "") +
                     (rigid ? ", rigid" : ""));
        Scene scene = ThrownCubes();
        if (ignored) scene.contacts = {{0, 1, true}};
        const Translation translation =
            TranslateBy(formulation, scene, rigid ? Rigid() : ParameterValues());
        const VectorXd m = scene.Masses();
        Observation now = Observed(*translation.simulation);
        const double before = KineticEnergy(m, *now.velocities);
        for (int i = 0; i < 150; ++i) {
          now = RunFor(translation.simulation.get(), 1, 0.01);
          EXPECT_LT((LinearMomentum(m, *now.velocities) - Vector3d(2, 0, 0)).norm(), 1e-11);
        }
        const double after = KineticEnergy(m, *now.velocities);
        if (ignored) {
          EXPECT_NEAR(after, before, 1e-9);
          EXPECT_NEAR(Along(now, 0, 27), 2.0, 1e-9);
          continue;
        }
        EXPECT_LT(after, 0.9 * before);
        EXPECT_GT(Along(now, 27, 27), 0.3) << "it is pushed on";
        if (rigid) {
          EXPECT_LT(Along(now, 0, 27), Along(now, 27, 27) + 0.05);  // nets shear past
        }
        EXPECT_LT((*now.work)[WorkClass::kContact], -0.05 * before);
      }
    }
  }
}

// Frictionless impulses along the way between the places that touch turn nothing: what the angular
// momentum changes is of the step, and goes with it.
TEST(BodiesThatMeet, KeepAngularMomentumAsTheStepBecomesSmall) {
  const Scene scene = ThrownCubes();
  const VectorXd m = scene.Masses();
  for (const char* formulation : kSweepingFormulations) {
    std::vector<double> lost;
    for (const double h : {0.01, 0.005, 0.0025}) {
      const Translation translation = TranslateBy(formulation, scene, Rigid());
      Observation now = Observed(*translation.simulation);
      const Vector3d before = AngularMomentum(m, now.points, *now.velocities, Vector3d::Zero());
      now = RunFor(translation.simulation.get(), static_cast<int>(std::lround(1.0 / h)), h);
      lost.push_back(
          (AngularMomentum(m, now.points, *now.velocities, Vector3d::Zero()) - before).norm());
    }
    EXPECT_LT(lost[0], 0.05) << formulation << " of about 1 kg m²/s that the impact passes on";
    EXPECT_LT(lost[2], 0.5 * lost[0])
        << formulation << ": " << lost[0] << " " << lost[1] << " " << lost[2];
  }
}

// In one line the law of restitution and the momentum give both speeds, to first order of the step:
// the sweeps turn the blocks a little.
TEST(BodiesThatMeet, BounceByTheRestitutionOfTheirPair) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double e : {0.0, 0.5, 1.0}) {
      for (const double h : {0.01, 0.005}) {
        SCOPED_TRACE(testing::Message() << formulation << " " << e << " " << h);
        Scene scene = Weightless({MakeBlock("left", {1, 1, 1}, {2, 2, 2}, 1.0)});
        scene.bodies.push_back(MakeBlock("right", {1, 1, 1}, {2, 2, 2}, 3.0));
        scene.bodies[1].position = {1.504, 0.0, 0.0};
        scene.bodies[0].velocity = {2.0, 0.0, 0.0};
        scene.contacts = {{0, 1, false, 0.0, e}};
        ParameterValues parameters = Rigid();
        parameters["tolerance"] = 1e-7;
        const Translation translation = TranslateBy(formulation, scene, parameters);
        const Observation end =
            RunFor(translation.simulation.get(), static_cast<int>(std::lround(0.5 / h)), h);
        const double together = 2.0 / 4.0;
        EXPECT_NEAR(Along(end, 8, 8), together + e * 2.0 / 4.0, 2.5 * h);
        EXPECT_NEAR(Along(end, 0, 8), together - e * 2.0 * 3.0 / 4.0, 2.5 * h);
      }
    }
  }
}

// A block that lands flat leaves with e times its speed, on however many points it lands: the floor of the scene takes `bounce`,
// a pair its restitution. Each point was sent off by itself, and nothing took back what came to too much: 0.88 of 0.5 on
// four points, at every step.
TEST(BodiesThatMeet, LeaveAFlatLandingWithTheirRestitution) {
  for (const char* formulation : kSweepingFormulations) {
    for (const std::array<int, 3>& points : {std::array{2, 2, 2}, std::array{3, 3, 2}}) {
      for (const double e : {0.0, 0.5, 1.0}) {
        for (const double h : {2e-3, 1e-3, 5e-4}) {
          for (const bool on_a_body : {false, true}) {
            Scene scene = Weightless({MakeBlock("block", {0.2, 0.2, 0.2}, points, 1.0)});
            scene.bodies[0].position = {0.03, 0.02, 0.151};
            scene.bodies[0].velocity = {0.0, 0.0, -1.0};
            const int count = scene.PointCount();
            if (on_a_body) {
              scene.bodies.push_back(MakeBlock("ground", {1, 1, 0.1}, {2, 2, 2}, 1e9));
              scene.bodies[1].position = {0.0, 0.0, -0.05};
              scene.contacts = {{0, 1, false, 0.0, e}};
            } else {
              scene.obstacles = {Floor("floor", Vector3d::UnitZ())};
            }
            ParameterValues parameters = Rigid();
            parameters["bounce"] = e;
            const Translation translation = TranslateBy(formulation, scene, parameters);
            const Observation end =
                RunFor(translation.simulation.get(), static_cast<int>(std::lround(0.1 / h)), h);
            const double left = end.velocities->leftCols(count).row(2).mean();
            EXPECT_NEAR(left, e, 0.015) << formulation << ", " << count << " points, step " << h
                                        << (on_a_body ? ", on a body" : ", on the floor");
          }
        }
      }
    }
  }
}

// What the impulses at one end of a plate push in at its other end, in the same step, bounces, too: with e = 1 a plate that lands
// nearly flat keeps its energy. It was stopped there, and up to a third of the energy was lost. (A cube has no such points: a blow at one
// edge lifts the opposite one.)
TEST(BodiesThatMeet, LoseNothingWhereOneEndHitsBeforeTheOther) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double tilt : {0.0, 2e-4, 5e-4, 1e-3, 1.5e-3, 2e-3, 3e-3, 4e-3, 6e-3}) {
      for (const double h : {2e-3, 1e-3, 5e-4}) {
        for (const auto& [on_a_body, height] : {std::pair(false, 0.0135),
                                                {true, 0.0132},
                                                {true, 0.0137},
                                                {true, 0.0142},
                                                {true, 0.0147}}) {
          Scene scene = Weightless({MakeBlock("plate", {0.6, 0.2, 0.02}, {5, 3, 2}, 1.0)});
          scene.bodies[0].position = {0.03, 0.02, height};
          scene.bodies[0].velocity = {0.0, 0.0, -1.0};
          scene.bodies[0].orientation = Eigen::AngleAxisd(tilt, Vector3d::UnitY());
          const int count = scene.PointCount();
          if (on_a_body) {
            scene.bodies.push_back(MakeBlock("ground", {1, 1, 0.1}, {2, 2, 2}, 1e9));
            scene.bodies[1].position = {0.0, 0.0, -0.05};
            scene.contacts = {{0, 1, false, 0.0, 1.0}};
          } else {
            scene.obstacles = {Floor("floor", Vector3d::UnitZ(), 0.0)};
          }
          ParameterValues parameters = Rigid();
          parameters["bounce"] = 1.0;
          const Translation translation = TranslateBy(formulation, scene, parameters);
          const Observation end =
              RunFor(translation.simulation.get(), static_cast<int>(std::lround(0.05 / h)), h);
          EXPECT_NEAR(end.velocities->leftCols(count).colwise().squaredNorm().mean(), 1.0, 2e-3)
              << formulation << ", tilt " << tilt << ", step " << h
              << (on_a_body ? ", on a body" : ", on the floor");
        }
      }
    }
  }
}

// A box slides over a slab that is nailed, by the friction of the pair: μ g slows it down.
TEST(BodiesThatMeet, RubByTheFrictionOfTheirPair) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({MakeBlock("slab", {4.0, 1.0, 0.2}, {5, 2, 2}, 1.0)});
    scene.gravity = {0.0, 0.0, -10.0};
    for (const int corner : {0, 4, 5, 9, 10, 14, 15, 19}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {0, corner}));
    }
    scene.bodies.push_back(MakeBlock("box", {0.3, 0.3, 0.1}, {2, 2, 2}, 0.01));
    scene.bodies[1].position = {-1.03, 0.02, 0.1 + 0.05 + 0.0051};
    scene.bodies[1].velocity = {2.0, 0.0, 0.0};
    scene.contacts = {{0, 1, false, 0.2}};
    ParameterValues parameters = Rigid();
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 100, 0.005);
    EXPECT_NEAR(Along(end, 20, 8), 2.0 - 0.2 * 10.0 * 0.5, 0.05) << formulation;
    EXPECT_GT(end.points.rightCols(8).row(2).minCoeff(), 0.1) << formulation;
  }
}

// Edges of two bodies in space, points and edges in the plane, that go through each other between
// two instants.
int PassedBetween(const Scene& scene, const Matrix3Xd& before, const Matrix3Xd& now) {
  int passed = 0;
  const auto take = [&](PairKind kind, const std::array<int, 4>& corners) {
    PairCorners start, end;
    for (int c = 0; c < 4; ++c) {
      start[c] = before.col(corners[c]);
      end[c] = now.col(corners[c]);
    }
    passed += SideOf(kind, start) != SideOf(kind, end) && PassageOf(kind, start, end, 1e-9) ? 1 : 0;
  };
  for (size_t a = 0; a < scene.bodies.size(); ++a) {
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      const int of_a = scene.Offset(static_cast<int>(a)), of_b = scene.Offset(static_cast<int>(b));
      for (const auto& [i, j] : scene.bodies[b].edges) {
        if (a != b && scene.dimension == 2) {
          for (int p = 0; p < scene.bodies[a].size(); ++p) {
            take(PairKind::kPointEdge, {of_a + p, of_b + i, of_b + j, of_b + j});
          }
        }
        if (a >= b || scene.dimension == 2) continue;
        for (const auto& [k, l] : scene.bodies[a].edges) {
          take(PairKind::kEdgeEdge, {of_a + k, of_a + l, of_b + i, of_b + j});
        }
      }
    }
  }
  return passed;
}

// Two ropes crosswise, one thrown at the other between its points; and in the plane a stick at a
// rope. In one step they go 100 times as far as they are thick.
TEST(BodiesThatMeet, AreNotPassedBetweenTheirPoints) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      for (const double speed : {1.0, 100.0}) {
        for (const bool ignored : {false, true}) {
          SCOPED_TRACE(testing::Message() << formulation << " " << dimension << " " << speed);
          Scene scene = Weightless({MakeChain("rope", {-1, 0, 0}, {1, 0, 0}, 4, 1.0)});
          scene.dimension = dimension;
          const Vector3d half = dimension == 3 ? Vector3d(0.1, 0.0, 1.0) : Vector3d(0.02, 0.5, 0.0);
          scene.bodies.push_back(MakeChain("other", -half, half, dimension == 3 ? 4 : 2, 1.0));
          scene.bodies[1].position = {0.06, 0.9, 0.07 * (dimension - 2)};
          scene.bodies[1].velocity = {0.0, -speed, 0.0};
          if (ignored) scene.contacts = {{0, 1, true}};
          const Translation translation = TranslateBy(formulation, scene);
          Observation now = Observed(*translation.simulation);
          int passed = 0;
          for (int i = 0; i < (speed > 2.0 ? 3 : 110); ++i) {
            const Matrix3Xd before = now.points;
            now = RunFor(translation.simulation.get(), 1, 0.01);
            passed += PassedBetween(scene, before, now.points);
          }
          EXPECT_EQ(passed > 0, ignored) << passed;
          EXPECT_NEAR(LinearMomentum(scene.Masses(), *now.velocities).y(), -speed, 1e-10 * speed);
          EXPECT_EQ(now.velocities->leftCols(4).row(1).mean() < -0.1 * speed, !ignored);
        }
      }
    }
  }
}

TEST(BodiesThatMeet, ContinueFromASavedState) {
  Scene scene = ThrownCubes();
  scene.contacts = {{0, 1, false, 0.3, 0.4}};
  for (const char* formulation : kSweepingFormulations) {
    const Translation first = TranslateBy(formulation, scene);
    RunFor(first.simulation.get(), 20, 0.01);
    const VectorXd state = first.simulation->Save();
    const Observation straight = RunFor(first.simulation.get(), 40, 0.01);
    const Translation second = TranslateBy(formulation, scene);
    second.simulation->Restore(state);
    EXPECT_EQ(RunFor(second.simulation.get(), 40, 0.01).points, straight.points);
  }
}

// Of a column of the only pair of a scene.
double ExtraOf(const std::string& formulation, const Observation& seen, const std::string& name) {
  const std::vector<SeriesColumn>& extras = FindBackend(formulation)->info().extras;
  const auto found = std::ranges::find(extras, name, &SeriesColumn::name);
  EXPECT_EQ(extras.size(), seen.extras.size());
  if (found == extras.end()) return NAN;
  return seen.extras.at(found - extras.begin()).value_or(NAN);
}

TEST(PairsInContact, ExchangeTheMomentumOfAHit) {
  Scene scene = ThrownCubes();
  scene.contacts = {{0, 1, false, 0.3, 0.2}};
  for (const char* formulation : kSweepingFormulations) {
    for (const bool rigid : {false, true}) {
      const Translation translation =
          TranslateBy(formulation, scene, rigid ? Rigid() : ParameterValues());
      const Observation end = RunFor(translation.simulation.get(), 100, 0.01);
      const VectorXd m = scene.Masses();
      const Vector3d change =
          LinearMomentum(m.head(27), end.velocities->leftCols(27)) - Vector3d(2, 0, 0);
      EXPECT_GT(change.norm(), 0.5);
      const auto impulse = [&](const std::string& axis) {
        return ExtraOf(formulation, end, "contact_impulse_" + axis + ".{pair}_N_s");
      };
      EXPECT_NEAR(impulse("x"), change.x(), 1e-9);
      EXPECT_NEAR(impulse("y"), change.y(), 1e-9);
      EXPECT_NEAR(impulse("z"), change.z(), 1e-9);
      EXPECT_LT(ExtraOf(formulation, end, "friction_work.{pair}_J"), -1e-3);
    }
  }
}

// A box that slides on a floor: its weight, and μ m g over the way it slides.
TEST(PairsInContact, CarryWeightAndRub) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({MakeBlock("box", {0.3, 0.1, 0.3}, {2, 2, 2}, 2.0)});
    scene.gravity = {0.0, -10.0, 0.0};
    scene.bodies[0].position = {0.0, 0.05, 0.0};
    scene.bodies[0].velocity = {1.0, 0.0, 0.0};
    scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.2)};
    ParameterValues parameters = Rigid();
    parameters["tolerance"] = 1e-6;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation start = Observed(*translation.simulation);
    EXPECT_EQ(ExtraOf(formulation, start, "contact_force.{pair}_N"), 0.0);
    const Observation end = RunFor(translation.simulation.get(), 60, 0.005);
    const double time = 0.3, speed = 1.0 - 0.2 * 10.0 * time;
    EXPECT_NEAR(ExtraOf(formulation, end, "contact_impulse_y.{pair}_N_s"), 2.0 * 10.0 * time,
                0.03 * 6.0);
    EXPECT_NEAR(ExtraOf(formulation, end, "contact_force.{pair}_N"), 20.0 * std::sqrt(1.04), 0.5);
    EXPECT_NEAR(ExtraOf(formulation, end, "friction_work.{pair}_J"),
                0.5 * 2.0 * (speed * speed - 1.0), 0.03);
  }
}

// The part across the normal of an impulse along it is rounding, which pushes as often as it brakes.
TEST(PairsInContact, WithoutFrictionHaveNoWorkOfIt) {
  Scene scene = Weightless({MakeBlock("box", {0.3, 0.1, 0.3}, {2, 2, 2}, 2.0)});
  scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.0)};
  ContactTally tally(scene);
  std::mt19937 random(28);
  const auto number = [&] { return std::ldexp(static_cast<double>(random()), -31) - 1.0; };
  const auto friction_work = [&] {
    ContactFigures figures;
    tally.Show(&figures);
    return figures.friction_work.at(0).value();
  };
  for (int k = 0; k < 1000; ++k) {
    const Vector3d normal = Vector3d(number(), number(), number()).normalized();
    const Vector3d motion(number(), number(), number());
    tally.AddObstacle(0, 0, 3.0 * std::abs(number()) * normal, normal, motion);
    ASSERT_EQ(friction_work(), 0.0) << k;
  }
  tally.AddObstacle(0, 0, {-1e-9, 1.0, 0.0}, Vector3d::UnitY(), {2.0, 5.0, 0.0});
  EXPECT_NEAR(friction_work(), -2e-9, 1e-20);  // little friction is friction
}

TEST(PairsInContact, AreNotListedAboveABound) {
  Scene scene;
  for (int b = 0; b < 12; ++b) {
    scene.bodies.push_back(MakeChain("c" + std::to_string(b), {0, 0, 0}, {1, 0, 0}, 2, 1.0));
    scene.bodies.back().position.y() = b;
    EXPECT_EQ(static_cast<int>(ContactPairs(scene).size()), b == 11 ? 0 : b * (b + 1) / 2);
  }
  scene.contacts = {{0, 1, true}, {0, 2, true}};
  EXPECT_EQ(ContactPairs(scene).size(), 64u);
  EXPECT_EQ(NameOf(scene, ContactPairs(scene)[0]), "c0.c3");
}

// Of 0.5 m the narrowest part, the width of a face, is 0.5/√2 m; where bodies are nearer at rest
// than a twentieth of that, that distance counts.
TEST(BodiesThatMeet, HaveAThicknessThatIsSaid) {
  Scene scene = ThrownCubes();
  const auto said = [&scene](const char* formulation) {
    for (const auto& entry : TranslateBy(formulation, scene).record.Entries()) {
      if (entry.element == "contact") return entry.reason;
    }
    return std::string();
  };
  for (const char* formulation : kSweepingFormulations) {
    EXPECT_THAT(said(formulation), HasSubstr("keep 0.0177 m from each other, a twentieth of"));
  }
  scene.bodies[1].orientation.setIdentity();
  scene.bodies[1].position = {1.008, 0.31, 0.22};
  EXPECT_THAT(said("position-based"), HasSubstr("keep 0.008 m from each other, the distance of"));
}

}  // namespace
}  // namespace pliant
