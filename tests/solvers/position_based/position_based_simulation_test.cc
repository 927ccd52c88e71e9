// Position-based dynamics in motion, and what the backend says of it.

#include "solvers/position_based/position_based_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/position_based/backend.h"
#include "tests/reference/complaints.h"
#include "tests/says.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant::position_based {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kFall = 9.81;  // m/s²

Translation TranslatePoints(const Scene& scene, const ParameterValues& parameters = {}) {
  return TranslateBy("position-based", scene, parameters);
}

Scene HangingRope(int points) {
  Scene scene = SceneOf({MakeChain("rope", {0, 0, 0}, {0, -2, 0}, points, 1.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  return scene;
}

TEST(PositionBased, KeepsTheMomentumOfABlowAndItsLengths) {
  Scene scene = Weightless({Sheet(9)});
  const Vector3d impulse(0.1, -0.2, 0.3);
  const Vector3d half = 0.5 * impulse;
  scene.impulses = {{"blow", {0, 80}, half, 0.0}, {"another", {0, 7}, half, 0.0}};
  const VectorXd m = scene.Masses();
  for (const std::int64_t levels : {1, 4}) {
    for (const char* update : {"corrected", "euler-cromer", "printed"}) {
      const Translation translation = TranslatePoints(
          scene, {{"solver_levels", levels}, {"velocity_update", std::string(update)}});
      const Observation end = RunFor(translation.simulation.get(), 100, 0.005);
      const double part = std::string(update) == "printed" ? 0.5 : 1.0;
      EXPECT_LT((LinearMomentum(m, *end.velocities) - part * impulse).norm(), 1e-12) << update;
      EXPECT_LE(MeasureEdgeStrain(scene, end.points)->max, 0.004 + 1e-12);
      EXPECT_NEAR(*end.constraint_error, MeasureEdgeStrain(scene, end.points)->max / 8, 1e-12);
    }
  }
}

// All that a simulation has taken from the heap after some steps, for each point of a sheet that
// falls into nails and is struck. Sanitizers have a heap of their own.
#ifndef PLIANT_SANITIZED
TEST(PositionBased, TakesFewBytesForAPoint) {
  const int side = 129;
  Scene scene = SceneOf({Sheet(side)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  scene.impulses = {{"blow", {0, 80}, {0.1, -0.2, 0.3}, 0.0}};
  const auto shared = std::make_shared<const Scene>(scene);
  const auto bytes_in_use = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const auto bytes_a_point = [&](std::int64_t levels) {
    const size_t before = bytes_in_use();
    const auto simulation =
        TheBackend().Translate(shared, {{"tolerance", 1e3}, {"solver_levels", levels}}).simulation;
    for (int i = 0; i < 3; ++i) simulation->Advance(0.005);
    return static_cast<double>(bytes_in_use() - before) / (side * side);
  };
  const double alone = bytes_a_point(1), levels = bytes_a_point(8);
  EXPECT_GT(alone, 3 * 3 * 8 + 2 * 8 + 2 * 8) << "points, velocities, masses, lengths";
  EXPECT_LE(alone, 170.0)
      << "and the impulses of its edges, two of 24 bytes, and one number of the surfaces that meet";
  EXPECT_LE(levels, 242.0);
}
#endif

// An edge that is pressed on a floor and pulled along it: the work of the force is F·Δx, that of
// the floor none.
TEST(PositionBased, BooksTheWorkOfForcesAndContacts) {
  for (const char* update : {"corrected", "euler-cromer"}) {
    Scene scene = SceneOf({MakeChain("edge", {0, 0, 0}, {1, 0, 0}, 2, 2.0)});
    scene.obstacles = {Floor("floor", Vector3d::UnitY())};
    const Vector3d force(3.0, -10.0 * kFall, 0.0);
    for (int p = 0; p < 2; ++p) {
      scene.forces.push_back({"press" + std::to_string(p), {0, p}, force, 0.0, 1.0});
    }
    const Translation translation = TranslatePoints(
        scene, {{"bounce", 0.5}, {"velocity_update", std::string(update)}, {"tolerance", 1e-12}});
    const double h = 0.01;
    const int steps = 20;
    const Observation end = RunFor(translation.simulation.get(), steps, h);
    const Matrix3Xd ways = end.points - scene.InitialPoints();
    EXPECT_LT(ways.row(1).cwiseAbs().maxCoeff(), 1e-9) << "it lies where it lay, " << update;
    // Euler-Cromer goes a h²/2 further in every step. Work is booked along the mean velocity, which
    // leads out of the floor by as much.
    const double ahead = std::string(update) == "corrected" ? 0.0 : 0.5 * h * h * steps;
    const double way = 0.5 * 3.0 * std::pow(h * steps, 2);
    EXPECT_NEAR(ways(0, 1), way + 3.0 * ahead, 1e-12);
    EXPECT_NEAR((*end.work)[WorkClass::kForce],
                2.0 * (3.0 * way + (10.0 * kFall) * 11.0 * kFall * -ahead), 1e-9)
        << update;
    EXPECT_NEAR((*end.work)[WorkClass::kDamping], 0.0, 1e-15);
    // A point that rests keeps the speed that half a step of falling gives it, or none.
    const double standing = ahead == 0.0 ? std::pow(0.5 * h * 11.0 * kFall, 2) : 0.0;
    EXPECT_NEAR((*end.work)[WorkClass::kContact],
                2.0 * std::pow(11.0 * kFall, 2) * ahead + standing, 1e-9)
        << update;
  }
}

// An edge that falls flat and bounces: the contact takes what the speed loses.
TEST(PositionBased, BooksTheWorkOfABounce) {
  Scene scene = Weightless({MakeChain("edge", {0, 0.1, 0}, {1, 0.1, 0}, 2, 2.0)});
  scene.bodies[0].velocity = {0.0, -3.0, 0.0};
  scene.obstacles = {Floor("floor", Vector3d::UnitY())};
  const Translation translation = TranslatePoints(scene, {{"bounce", 0.5}});
  const Observation end = RunFor(translation.simulation.get(), 20, 0.01);
  EXPECT_NEAR((*end.velocities)(1, 0), 1.5, 1e-9);
  EXPECT_NEAR((*end.work)[WorkClass::kContact], 0.5 * 2.0 * (1.5 * 1.5 - 3.0 * 3.0), 1e-9);
  EXPECT_NEAR((*end.work)[WorkClass::kConstraint], 0.0, 1e-9);
}

// What is taut passes on its load through the levels: a rope that catches a weight.
TEST(PositionBased, CatchesAWeightThroughItsLevelsInFewerSweeps) {
  Scene scene = HangingRope(33);
  scene.impulses = {{"weight", {0, 32}, {0.0, -0.5, 0.0}, 0.02}};
  const auto run = [&scene](std::int64_t levels) {
    const Translation translation =
        TranslatePoints(scene, {{"solver_levels", levels}, {"max_sweeps", std::int64_t{100000}}});
    return RunFor(translation.simulation.get(), 20, 0.005);
  };
  const Observation alone = run(1), levels = run(6);
  EXPECT_LT((alone.points - levels.points).colwise().norm().maxCoeff(), 0.01);
  EXPECT_LT(*levels.iterations, *alone.iterations / 10);
  EXPECT_EQ(levels.points.col(0), Vector3d::Zero());
}

// What hangs still is stretched at each edge by the weight below it, and swings about that.
TEST(PositionBased, CompliantRopeStretchesByTheWeightsBelow) {
  Scene scene = HangingRope(9);
  for (double& mass : scene.bodies[0].mass) mass *= 1.0 + 0.1 * (&mass - &scene.bodies[0].mass[0]);
  for (int i = 1; i < 9; ++i) {
    scene.springs.push_back(
        {"air" + std::to_string(i), {0, i}, std::nullopt, {0, 0, 0}, 0.0, 0.5, 0.0});
  }
  const double compliance = 2e-3;
  const Translation translation =
      TranslatePoints(scene, {{"compliance", compliance},
                              {"tolerance", 1e-8},
                              {"velocity_update", std::string("euler-cromer")},  // v = 0 at rest
                              {"max_sweeps", std::int64_t{20000}}});
  const Observation end = RunFor(translation.simulation.get(), 4000, 0.005);
  double below = 0.0, elastic = 0.0;
  for (int i = 8; i > 0; --i) {
    below += scene.bodies[0].mass[i] * kFall;
    const double stretch = (end.points.col(i) - end.points.col(i - 1)).norm() - 0.25;
    EXPECT_NEAR(stretch, compliance * below, 1e-3 * compliance * below) << "edge " << i;
    elastic += 0.5 * compliance * below * below;
  }
  EXPECT_NEAR(*end.elastic_energy, elastic, 2e-3 * elastic);
  EXPECT_LT(*end.constraint_error, 1e-12) << "edges that give are no constraints";
}

// The period of one mass on one compliant edge, √(m α): implicit integration damps it, at the first
// order of the step.
TEST(PositionBased, CompliantEdgeSwingsWithItsPeriod) {
  Scene scene = Weightless({MakeChain("edge", {0, 0, 0}, {1, 0, 0}, 2, 2.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  scene.impulses = {{"blow", {0, 1}, {0.1, 0, 0}, 0.0}};
  const double compliance = 0.01, m = scene.Masses()[1], h = 1e-4;
  const Translation translation =
      TranslatePoints(scene, {{"compliance", compliance}, {"tolerance", 1e-10}});
  const double period = 2.0 * M_PI * std::sqrt(m * compliance);
  const auto steps = static_cast<int>(std::lround(period / h / 4));
  const Observation quarter = RunFor(translation.simulation.get(), steps, h);
  const double amplitude = 0.1 * std::sqrt(compliance / m);
  EXPECT_NEAR(quarter.points(0, 1) - 1.0, amplitude, 0.01 * amplitude);
  const Observation half = RunFor(translation.simulation.get(), steps, h);
  EXPECT_NEAR(half.points(0, 1) - 1.0, 0.0, 0.01 * amplitude);
}

TEST(PositionBased, LedgerOfACompliantFallCloses) {
  const Scene scene = HangingRope(5);
  const Translation translation =
      TranslatePoints(scene, {{"compliance", 1e-2}, {"tolerance", 1e-9}});
  const Observation start = Observed(*translation.simulation);
  const Observation end = RunFor(translation.simulation.get(), 200, 0.002);
  EXPECT_GT(*end.elastic_energy, 0.05);
  EXPECT_NEAR(EnergyOf(scene, end) - end.work->TotalWork(), EnergyOf(scene, start), 1e-10);
  EXPECT_LT((*end.work)[WorkClass::kConstraint], 0.0) << "implicit steps damp";
}

// A body with a reference shape returns to it, whether it is made of segments or of points, on one
// level or on several; without one it stays folded.
TEST(ReferenceShapes, SpringBack) {
  Scene scene = Weightless({Sheet(5)});
  scene.impulses = {{"blow", {0, 24}, {0.0, 0.0, 0.2}, 0.0}};
  for (int i = 0; i < 25; ++i) {  // air
    scene.springs.push_back(
        {"air" + std::to_string(i), {0, i}, std::nullopt, {0, 0, 0}, 0.0, 0.3, 0.0});
  }
  const auto bent = [&scene](const char* formulation, const ParameterValues& parameters) {
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 400, 0.005);
    // The diagonals of a square that is flat.
    return std::abs((end.points.col(24) - end.points.col(0)).norm() - std::sqrt(2.0)) +
           std::abs((end.points.col(20) - end.points.col(4)).norm() - std::sqrt(2.0));
  };
  const char *segments = kSweepingFormulations[0], *points = kSweepingFormulations[1];
  for (auto [formulation, parameters] :
       {std::pair(segments, ParameterValues{}), std::pair(points, ParameterValues{}),
        std::pair(segments, ParameterValues{{"force_fractions", std::vector{0.5, 0.5}}})}) {
    EXPECT_GT(bent(formulation, parameters), 0.05) << formulation;
    parameters["shape_stiffness"] = 200.0;
    EXPECT_LT(bent(formulation, parameters), 0.01) << formulation;
  }
}

// At second order with the mean of the springs at both ends of a step, as velocity Verlet does; at
// first order with those at the start.
TEST(ReferenceShapes, CloseTheLedger) {
  Scene scene = Weightless({MakeChain("edge", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  scene.impulses = {{"blow", {0, 1}, {0.0, 0.1, 0.0}, 0.0}};
  for (const char* rule : kSweepingFormulations) {
    const auto residual = [&](const std::string& update, double h) {
      const Translation translation = TranslateBy(rule, scene,
                                                  {{"tolerance", 1e-9},
                                                   {"max_sweeps", std::int64_t{10000}},
                                                   {"velocity_update", update},
                                                   {"shape_stiffness", 100.0}});
      const Observation end =
          RunFor(translation.simulation.get(), static_cast<int>(std::lround(0.1 / h)), h);
      EXPECT_GT(*end.elastic_energy, 1e-3);
      return std::abs(EnergyOf(scene, end) - end.work->TotalWork());
    };
    const double verlet = residual("verlet", 1e-3);
    EXPECT_LT(verlet, 1e-6) << rule;
    EXPECT_NEAR(std::log2(verlet / residual("verlet", 5e-4)), 2.0, 0.1) << rule;
    const double coarse = residual("corrected", 1e-3), fine = residual("corrected", 5e-4);
    EXPECT_LT(coarse, 5e-4) << rule;
    EXPECT_LT(fine, 0.6 * coarse) << rule;
  }
}

TEST(PositionBased, BouncesOffAFloorAndSticksByFriction) {
  Scene scene = SceneOf({MakeChain("bar", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  scene.bodies[0].position = {0.0, 0.05, 0.0};
  scene.bodies[0].velocity = {1.0, -1.0, 0.0};
  scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.0)};
  Translation translation = TranslatePoints(scene, {{"bounce", 0.5}});
  Observation end = RunFor(translation.simulation.get(), 45, 0.001);
  EXPECT_NEAR((*end.velocities)(1, 0), 0.5 * std::sqrt(1.0 + 2 * kFall * 0.05), 0.1);
  EXPECT_NEAR((*end.velocities)(0, 0), 1.0, 1e-12);
  scene.obstacles[0].friction = 0.5;
  translation = TranslatePoints(scene, {{"bounce", 0.0}});
  end = RunFor(translation.simulation.get(), 500, 0.001);
  EXPECT_LT(end.velocities->norm(), 0.02);
  EXPECT_LT(end.points.row(1).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(PositionBased, AttachesBodiesAndFollowsNails) {
  Scene scene = HangingRope(5);
  scene.bodies.push_back(MakeChain("second", {0, 0, 0}, {0, -1, 0}, 3, 1.0));
  scene.bodies[1].position = {0.3, -2.0, 0.0};
  scene.attachments = {{"knot", {0, 4}, {1, 0}}};
  scene.nails[0].path = PathThrough({0.0, 1.0}, {{0, 0, 0}, {0.2, 0, 0}});
  const Translation translation = TranslatePoints(scene, {{"max_sweeps", std::int64_t{5000}}});
  EXPECT_TRUE(translation.warnings.empty());
  const Observation end = RunFor(translation.simulation.get(), 200, 0.002);
  EXPECT_LT((end.points.col(0) - Vector3d(0.08, 0, 0)).norm(), 1e-12);
  EXPECT_LT((end.points.col(4) - end.points.col(5)).norm(), 0.004 * 0.5);
}

// Of a rope that hangs still, each edge bears the weight below it: where the first ones bear too
// much, the rope parts there and what is below falls.
TEST(PositionBased, EdgesThatBearTooMuchBreak) {
  const Scene scene = HangingRope(9);
  double below = scene.Masses().sum() - scene.bodies[0].mass[0];
  const double top = below * kFall, second = (below - scene.bodies[0].mass[1]) * kFall;
  const auto run = [&scene](double force) {
    return TranslatePoints(scene, {{"break_force", force},
                                   {"velocity_update", std::string("euler-cromer")},
                                   {"tolerance", 1e-7},
                                   {"max_sweeps", std::int64_t{20000}}});
  };
  const Translation holds = run(1.01 * top);
  Observation end = RunFor(holds.simulation.get(), 20, 0.01);
  EXPECT_TRUE(holds.simulation->events().empty());
  EXPECT_LT(end.velocities->norm(), 1e-3);

  const Translation parts = run(0.5 * (top + second));
  end = RunFor(parts.simulation.get(), 20, 0.01);
  ASSERT_EQ(parts.simulation->events().size(), 1u);
  EXPECT_EQ(parts.simulation->events()[0].what,
            "the edge from point 0 of rope to point 1 of rope breaks");
  for (int i = 1; i < 9; ++i) EXPECT_NEAR((*end.velocities)(1, i), -19 * 0.01 * kFall, 1e-4) << i;
  EXPECT_LE(*end.constraint_error, 0.25 * 1e-6) << "a broken edge holds nothing";
}

// A sheet torn along a line continues from its state, torn as it was, bit for bit; one that is
// restored to before it tore is whole.
TEST(PositionBased, TornSheetsAreState) {
  Scene scene = SceneOf({Sheet(9)});
  for (int i = 72; i < 81; ++i) {
    scene.nails.push_back(NailWhereItStarts(scene, "rail" + std::to_string(i), {0, i}));
  }
  scene.impulses = {{"blow", {0, 4}, {0.0, -1.0, 0.0}, 0.1}};
  const ParameterValues parameters = {{"break_force", 3.0}};
  const Translation one = TranslatePoints(scene, parameters);
  const Translation two = TranslatePoints(scene, parameters);
  ExpectTearsAreState(one.simulation.get(), two.simulation.get());
}

TEST(PositionBased, NamesWhatDoesNotConverge) {
  Scene scene = HangingRope(5);
  scene.nails.push_back({"far", {0, 4}, Path::Still({0, -3, 0})});
  const Translation translation = TranslatePoints(scene);
  ASSERT_EQ(translation.warnings.size(), 1u);
  EXPECT_THAT(translation.warnings[0], HasSubstr("the initial assembly leaves a gap of"));
  const StepOutcome outcome = translation.simulation->Advance(0.01);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
  EXPECT_THAT(outcome.quantity, HasSubstr("length from point"));
}

TEST(PositionBased, RefusesLevelsThatItDoesNotHave) {
  const auto message = [](const ParameterValues& parameters) {
    return reference::PlacedComplaintOf(
        [&] { TranslatePoints(Weightless({Sheet(9)}), parameters); });
  };
  EXPECT_THAT(message({{"solver_levels", std::int64_t{5}}}),
              Says({"solver_levels: ", "asks for 5 levels", "at most 4 levels"}));
  EXPECT_EQ(message({{"solver_levels", std::int64_t{4}}}), "");
  EXPECT_THAT(message({{"solver_levels", std::int64_t{4}}, {"compliance", 1e-5}}),
              HasSubstr("compliance: coarse levels support rigid edges only"));
}

// It has no options that only segments have, and says so where one is given.
TEST(PositionBased, HasItsOwnOptionsAlone) {
  for (const char* of_segments : {"correction", "inertia", "warm_start", "force_fractions",
                                  "filter_fraction", "prolongation", "translation_factor"}) {
    reference::ExpectBadInput("", {"unknown parameter"}, [&] {
      TranslatePoints(Weightless({Sheet(9)}), {{of_segments, 0.5}});
    });
  }
  EXPECT_THROW(
      TranslateBy("displacement-constraints", Weightless({Sheet(9)}), {{"compliance", 1e-5}}),
      BadInput);
}

// The record speaks of points and distances, and of no segment.
TEST(PositionBased, SaysWhatBecomesOfABodyInItsOwnWords) {
  Scene scene = Weightless({Sheet(5)});
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0.8}, {1, 0, 0.8}, 5, 1.0));
  scene.bodies.push_back(MakeBlock("cube", {1, 1, 1}, {3, 3, 3}, 1.0));
  scene.bodies[0].stretch(0, 0) = 1.1;
  for (const ParameterValues& parameters :
       {ParameterValues{}, ParameterValues{{"compliance", 1e-4}},
        ParameterValues{{"rigid_bodies", std::vector<std::string>{"rope"}}}}) {
    const TranslationRecord record = TranslatePoints(scene, parameters).record;
    EXPECT_TRUE(record.supported());
    for (const TranslatedElement& entry : record.Entries()) {
      EXPECT_THAT(entry.reason, testing::Not(HasSubstr("segment"))) << entry.element;
      EXPECT_THAT(entry.reason, testing::Not(HasSubstr("does not support this element")))
          << entry.element;
    }
  }
  const BackendInfo& info = TheBackend().info();
  for (const std::string& words : {info.title, info.summary, info.losses}) {
    EXPECT_THAT(words, testing::Not(HasSubstr("segment")));
  }
}

}  // namespace
}  // namespace pliant::position_based
