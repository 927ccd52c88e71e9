// What the arrays of formulations say, against closed forms, finite differences and what is observed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <string>

#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "tests/observed.h"
#include "tests/scenes.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::unique_ptr<Simulation> Started(const std::string& backend, const Scene& scene,
                                    const ParameterValues& parameters = {}) {
  Translation translation =
      FindBackend(backend)->Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  translation.simulation->KeepConstraintForces();
  return std::move(translation.simulation);
}

MatrixXd ArrayOf(const Simulation& simulation, const std::string& group, const std::string& name) {
  for (const NamedArray& array : simulation.Arrays(group)) {
    if (array.name == name) return array.values;
  }
  ADD_FAILURE() << "no " << group << "/" << name;
  return {};
}

// The part of a saved state that the layout gives this name.
VectorXd BlockOf(const Simulation& simulation, const std::string& name) {
  Eigen::Index at = 0;
  for (const StateBlock& block : simulation.StateLayout()) {
    if (block.name == name) return simulation.Save().segment(at, block.size);
    at += block.size;
  }
  ADD_FAILURE() << "no block '" << name << "'";
  return {};
}

VectorXd Flat(const Matrix3Xd& points) { return points.reshaped(); }

// Three points 1 m apart that hang from the first one, which a nail holds, of 1, 2 and 4 kg.
Scene HangingChain() {
  Body chain = MakeChain("rope", Vector3d::Zero(), {0.0, -2.0, 0.0}, 3, 7.0);
  chain.mass << 1.0, 2.0, 4.0;
  Scene scene = SceneOf({chain});
  scene.nails.push_back(NailWhereItStarts(scene, "hook", {0, 0}));
  return scene;
}

TEST(PositionBasedArrays, AHangingRopeBearsItsWeight) {
  const double g = 9.81, h = 1e-2;
  const auto rope = Started("position-based", HangingChain(),
                            {{"break_force", 1e9},
                             {"tolerance", 1e-12},
                             {"velocity_update", std::string("euler-cromer")}});
  EXPECT_TRUE(ArrayOf(*rope, "multipliers", "edges").array().isNaN().all());
  AdvanceUntilItStops(rope.get(), h, 20);
  const MatrixXd tensions = ArrayOf(*rope, "multipliers", "edges");
  EXPECT_NEAR(tensions(0), -6.0 * g, 1e-6);  // > 0 where it pushes
  EXPECT_NEAR(tensions(1), -4.0 * g, 1e-6);
  const MatrixXd nail = ArrayOf(*rope, "multipliers", "lambda");
  EXPECT_NEAR(nail(0, 1), 7.0 * g, 1e-6);
  // Corrections undo what weight displaces: h² g.
  const MatrixXd corrections = ArrayOf(*rope, "corrections", "displacements");
  for (int p = 0; p < 3; ++p) EXPECT_NEAR(corrections(p, 1), h * h * g, 1e-10) << p;
  EXPECT_LT(ArrayOf(*rope, "corrections", "misfits").cwiseAbs().maxCoeff(), 1e-12);
}

// ∇C of neighbours are opposite at the point they share: −w; a nailed point has w = 0.
TEST(PositionBasedArrays, TheMatrixOfAStraightChainIsTridiagonal) {
  const double h = 1e-2, alpha = 1e-6;
  const auto rope = Started("position-based", HangingChain(), {{"compliance", alpha}});
  rope->Advance(h);
  const MatrixXd A = ArrayOf(*rope, "equations", "A");
  MatrixXd expected(2, 2);
  expected << 0.5, -0.5, -0.5, 0.75;
  expected.diagonal().array() += alpha / (h * h);
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PositionBasedArrays, TheLayoutIsThatOfTheState) {
  const auto rope = Started("position-based", HangingChain());
  AdvanceUntilItStops(rope.get(), 1e-3, 7);
  const Observation seen = Observed(*rope);
  EXPECT_EQ(BlockOf(*rope, "positions of the points"), Flat(seen.points));
  EXPECT_EQ(BlockOf(*rope, "velocities of the points"), Flat(*seen.velocities));
  EXPECT_EQ(BlockOf(*rope, "sweeps since the start")[0], static_cast<double>(*seen.iterations));
}

TEST(DisplacementArrays, AHangingRopeBearsItsWeight) {
  const auto rope = Started("displacement-constraints", HangingChain(),
                            {{"warm_start", 1.0},
                             {"tolerance", 1e-12},
                             {"max_sweeps", std::int64_t{5000}},
                             {"velocity_update", std::string("euler-cromer")}});
  EXPECT_TRUE(ArrayOf(*rope, "multipliers", "lambda").array().isNaN().all());
  AdvanceUntilItStops(rope.get(), 1e-2, 20);
  EXPECT_NEAR(ArrayOf(*rope, "multipliers", "lambda")(0, 1), 7.0 * 9.81, 1e-6);
  // The joint at the middle point bears what hangs below its own upper half: 4 kg and half of 2 kg.
  const MatrixXd joints = ArrayOf(*rope, "multipliers", "joints.0");
  ASSERT_EQ(joints.rows(), 1);
  EXPECT_NEAR(std::abs(joints(0, 1)), 5.0 * 9.81, 1e-6);
}

// A p = d, against what the corrector does with small impulses on one pair after the other.
TEST(DisplacementArrays, TheMatrixIsWhatImpulsesOnPairsClose) {
  using namespace displacement_constraints;
  Scene scene = SceneOf({MakeSheet("sheet", {1.0, 1.0}, {3, 3}, 1.0)});
  for (int p = 0; p < 9; ++p) scene.bodies[0].rest(2, p) = 0.05 * p * p - 0.1 * p;  // no plane
  const auto sheet = Started("displacement-constraints", scene);
  const MatrixXd A = ArrayOf(*sheet, "equations", "A");
  const MatrixXd data = ArrayOf(*sheet, "equations", "segments.0");
  const SegmentSystem& segments =
      dynamic_cast<const DisplacementConstraintsSimulation&>(*sheet).levels()[0].segments;
  const SegmentNet& net = segments.net();
  const SegmentGeometry& geometry = segments.geometry();
  ASSERT_EQ(A.rows(), 3 * net.pairs());
  EXPECT_EQ(data.col(0), net.masses());
  EXPECT_EQ(data.col(1), geometry.lengths);
  Matrix3Xd centres = ArrayOf(*sheet, "levels", "centres.0").transpose();
  Matrix3Xd axes = ArrayOf(*sheet, "levels", "axes.0").transpose();
  const auto gaps = [&](const Matrix3Xd& at, const Matrix3Xd& along) {
    VectorXd d(3 * net.pairs());
    const auto end = [&](int e) -> Vector3d {
      return at.col(e / 2) + geometry.arms[e] * along.col(e / 2);
    };
    for (int p = 0; p < net.points(); ++p) {
      const auto incident = net.Incident(p);
      for (size_t i = 0; i + 1 < incident.size(); ++i) {
        d.segment<3>(3 * (net.FirstPair(p) + static_cast<Eigen::Index>(i))) =
            end(incident[i + 1]) - end(incident[i]);
      }
    }
    return d;
  };
  const double e = 1e-6;
  double worst = 0.0;
  for (int p = 0; p < net.points(); ++p) {
    const auto incident = net.Incident(p);
    for (size_t i = 0; i + 1 < incident.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        Matrix3Xd moved = centres, turned = axes, back = centres, other = axes;
        Corrector(net, geometry, {}, &moved, &turned)
            .Pull(incident[i], incident[i + 1], e * Vector3d::Unit(k));
        Corrector(net, geometry, {}, &back, &other)
            .Pull(incident[i], incident[i + 1], -e * Vector3d::Unit(k));
        const VectorXd closed = (gaps(back, other) - gaps(moved, turned)) / (2.0 * e);
        const Eigen::Index column = 3 * (net.FirstPair(p) + static_cast<Eigen::Index>(i)) + k;
        worst = std::max(worst, (closed - A.col(column)).cwiseAbs().maxCoeff());
      }
    }
  }
  EXPECT_LT(worst, 1e-7 * A.cwiseAbs().maxCoeff());
}

TEST(DisplacementArrays, LevelsHoldTheMomentumOfABlowAndTransferKeepsTotals) {
  Scene scene = Weightless({MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0)});
  scene.forces.push_back({.name = "pull", .point = {0, 7}, .force = {0.3, 0.0, 1.0}});
  scene.impulses.push_back({.name = "blow", .point = {0, 24}, .impulse = {0.1, 0.2, 0.3}});
  const auto sheet = Started("displacement-constraints", scene,
                             {{"force_fractions", std::vector<double>{0.5, 0.3, 0.2}}});
  const double h = 1e-3;
  sheet->Advance(h);
  Vector3d momentum = Vector3d::Zero();
  for (const char* l : {"0", "1", "2"}) {
    const VectorXd masses = ArrayOf(*sheet, "equations", std::string("segments.") + l).col(0);
    EXPECT_NEAR(masses.sum(), 2.0, 1e-12);
    momentum +=
        ArrayOf(*sheet, "levels", std::string("segment_velocities.") + l).transpose() * masses;
    const MatrixXd forces = ArrayOf(*sheet, "levels", std::string("forces.") + l);
    EXPECT_LT((forces.colwise().sum().transpose() - scene.forces[0].force).norm(), 1e-12);
  }
  const Vector3d given = scene.impulses[0].impulse + h * scene.forces[0].force;
  EXPECT_LT((momentum - given).norm(), 1e-12);
  EXPECT_EQ(ArrayOf(*sheet, "levels", "fractions").reshaped(), Vector3d(0.5, 0.3, 0.2));
  const MatrixXd R = ArrayOf(*sheet, "transfer", "R.0");
  ASSERT_EQ(R.rows(), 9);
  EXPECT_LT((R.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15);
  EXPECT_EQ(R(4, 12), 1.0);  // the centre keeps its own
  EXPECT_EQ(R(4, 11), 0.5);  // of its neighbour on the coarse line half
  EXPECT_EQ(R(4, 6), 0.25);  // of the middle of a cell a quarter
  const MatrixXd fine = ArrayOf(*sheet, "levels", "points.0"),
                 coarse = ArrayOf(*sheet, "levels", "points.1"),
                 offsets = ArrayOf(*sheet, "levels", "offsets.0");
  EXPECT_LT((fine - R.transpose() * coarse - offsets).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(BlockOf(*sheet, "centres of the segments of level 0"),
            ArrayOf(*sheet, "levels", "centres.0").transpose().reshaped());
  EXPECT_EQ(BlockOf(*sheet, "velocities of the segments of level 2"),
            ArrayOf(*sheet, "levels", "segment_velocities.2").transpose().reshaped());
}

// A flat sheet that a ball presses: each level is the prolongation of the coarser one plus what its
// offsets give; to the finest level everything adds up to the observed points.
TEST(KinematicArrays, LevelsAddUpToTheSurface) {
  Scene scene = Weightless({MakeSheet("sheet", {1.0, 1.0}, {9, 9}, 1.0)});
  Obstacle ball{"ball", Sphere{0.3},
                PathThrough({0.0, 1.0}, {{0.03, 0.02, 0.35}, {0.03, 0.02, 0.15}}), 0.0};
  scene.obstacles.push_back(ball);
  const auto sheet = Started("kinematic-response", scene, {{"yield", std::vector<double>{0.01}}});
  EXPECT_TRUE(ArrayOf(*sheet, "levels", "displacements.sheet.3").array().isNaN().all());
  for (int j = 1; j <= 3; ++j) {  // at rest no offsets: P alone
    const std::string of = ".sheet." + std::to_string(j), below = ".sheet." + std::to_string(j - 1);
    const MatrixXd P = ArrayOf(*sheet, "transfer", "P" + of),
                   R = ArrayOf(*sheet, "transfer", "R" + of);
    EXPECT_LT((P.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15);
    EXPECT_LT((R.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15);
    EXPECT_LT((P * ArrayOf(*sheet, "levels", "surface" + below) -
               ArrayOf(*sheet, "levels", "surface" + of))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-14);
  }
  AdvanceUntilItStops(sheet.get(), 0.02, 40);
  const Observation seen = Observed(*sheet);
  EXPECT_EQ(ArrayOf(*sheet, "levels", "surface.sheet.3").transpose(), seen.points);
  const MatrixXd P = ArrayOf(*sheet, "transfer", "P.sheet.1");
  const MatrixXd R = ArrayOf(*sheet, "transfer", "R.sheet.3");
  // |s − P s⁻| = |o + p + r|: frames only turn.
  const MatrixXd offsets = ArrayOf(*sheet, "levels", "elastic.sheet.1") +
                           ArrayOf(*sheet, "levels", "plastic.sheet.1") +
                           ArrayOf(*sheet, "levels", "rest.sheet.1");
  const MatrixXd apart = ArrayOf(*sheet, "levels", "surface.sheet.1") -
                         P * ArrayOf(*sheet, "levels", "surface.sheet.0");
  EXPECT_GT(offsets.norm(), 1e-3);
  EXPECT_LT((offsets.rowwise().norm() - apart.rowwise().norm()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(ArrayOf(*sheet, "levels", "plastic.sheet.3").norm(), 1e-4);
  const MatrixXd d = ArrayOf(*sheet, "levels", "displacements.sheet.3");
  EXPECT_GT(d.norm(), 1e-3);
  EXPECT_LT((R * d - ArrayOf(*sheet, "levels", "displacements.sheet.2")).cwiseAbs().maxCoeff(),
            1e-14);
  EXPECT_EQ(BlockOf(*sheet, "plastic offsets of body 'sheet', level 3, coordinate by coordinate"),
            ArrayOf(*sheet, "levels", "plastic.sheet.3").reshaped());
}

// In flight: M q̈ + h = Q, the kinetic energy ½ q̇ᵀ M q̇ is that of the points, and q̈ is the difference
// quotient of the rates over a short step of the simulation, to first order.
TEST(LampArrays, AreTheEquationOfMotion) {
  Scene scene = articulated_lamp::LampScene();
  scene.obstacles.clear();
  scene.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
  const auto lamp = Started("articulated-lamp", scene);
  AdvanceUntilItStops(lamp.get(), 1e-3, 50);
  const auto of = [&lamp](const char* group, const char* name) {
    return ArrayOf(*lamp, group, name);
  };
  const MatrixXd M = of("equations", "M");
  const VectorXd v = of("coordinates", "q_dot"), a = of("equations", "q_ddot");
  EXPECT_LT((M * a + of("equations", "h") - of("equations", "Q")).norm(), 1e-12);
  const Observation seen = Observed(*lamp);
  double kinetic = 0.0;
  for (int p = 0; p < scene.PointCount(); ++p) {
    kinetic += 0.5 * scene.Masses()[p] * seen.velocities->col(p).squaredNorm();
  }
  EXPECT_NEAR(0.5 * v.dot(M * v), kinetic, 1e-12 * kinetic);
  EXPECT_EQ(BlockOf(*lamp, "coordinates x, y, base angle, hinges"), of("coordinates", "q"));
  EXPECT_EQ(BlockOf(*lamp, "their rates"), v);
  EXPECT_EQ(of("multipliers", "floor").norm(), 0.0);
  const VectorXd state = lamp->Save();
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    const double h = i == 0 ? 1e-4 : 1e-5;
    lamp->Restore(state);
    lamp->Advance(h);
    errors[i] = ((of("coordinates", "q_dot") - v) / h - a).norm() / a.norm();
  }
  EXPECT_LT(errors[1], 1e-9);  // semi-implicit Euler takes the acceleration at the start
}

TEST(LampArrays, TheFloorCarriesTheWeight) {
  const Scene scene = articulated_lamp::LampScene();
  const auto lamp = Started("articulated-lamp", scene);
  AdvanceUntilItStops(lamp.get(), 1e-3, 1);
  const MatrixXd floor = ArrayOf(*lamp, "multipliers", "floor"),
                 Q = ArrayOf(*lamp, "equations", "Q");
  EXPECT_GT(floor(1), 0.0);
  EXPECT_EQ(Q.topRows(3), floor);
  EXPECT_EQ(Q.bottomRows(3), ArrayOf(*lamp, "multipliers", "servos"));
}

}  // namespace
}  // namespace pliant
