// What carries a surface that rides, beyond the rigid proxy: a body of another formulation; and
// objects that a surface carries: a patch that drives a lattice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/kinematic_response/carrier.h"
#include "solvers/kinematic_response/patch.h"
#include "tests/solvers/kinematic_response/crate.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

// --- The affine proxy -----------------------------------------------------------------------

// It swings in shape as well.
Scene Flying() {
  Scene scene = SpinningTube();
  scene.bodies[0].stretch.diagonal() << 1.1, 0.95, 1.0;
  return scene;
}
ParameterValues Affine(double stiffness, double damping = 0.0) {
  return {{"proxy", std::string("affine")},
          {"proxy_stretch_stiffness", stiffness},
          {"proxy_volume_stiffness", stiffness},
          {"proxy_damping", damping}};
}

TEST(AffineProxy, FliesAsTheLinearDeformationBackendDoes) {
  const Scene scene = Flying();
  const auto difference = [&scene](double damping, int steps) {
    const auto riding = Started(scene, Affine(50.0, damping));
    const auto other =
        FindBackend("linear-deformation")
            ->Translate(std::make_shared<const Scene>(scene), {{"order", std::int64_t{1}},
                                                               {"stretch_stiffness", 50.0},
                                                               {"volume_stiffness", 50.0},
                                                               {"damping", damping}});
    const Observation a = After(riding.get(), 0.3 / steps, steps);
    const Observation b = After(other.simulation.get(), 0.3 / steps, steps);
    EXPECT_NEAR(*a.elastic_energy, *b.elastic_energy, 0.05 * *b.elastic_energy + 1e-3);
    return DistanceBetween(a.points, b.points).max;
  };
  for (const double damping : {0.0, 2.0}) {
    const double coarse = difference(damping, 1000), fine = difference(damping, 2000);
    EXPECT_LT(coarse, 2e-3) << damping;
    EXPECT_NEAR(fine / coarse, 0.5, 0.1) << damping;  // the other is of first order
  }
}

TEST(AffineProxy, BooksWhatItsDampingTakes) { ExpectBooksItsDamping(Flying(), Affine(50.0, 3.0)); }

TEST(AffineProxy, MomentumChangesByTheReactionAndTheWeight) {
  const Scene scene = Crate(0.05);
  for (const ParameterValues& proxy : {ParameterValues{}, Affine(500.0)}) {
    const auto simulation = Started(scene, OnSprings(proxy));
    ExpectMomentumOfReactionAndWeight(scene, simulation.get());
  }
}

TEST(AffineProxy, ContactGivesBackWhatItTookWithoutRelaxation) {
  ExpectContactGivesBackWhatItTook(Affine(500.0), 5e-3, 0.03);
}

TEST(AffineProxy, IsTheRigidOneInTheLimit) {
  ExpectIsTheRigidOneInTheLimit(Affine(200.0), Affine(20000.0));
}

TEST(AffineProxy, AtRestTheReactionCarriesTheWeightHoweverStiff) {
  // The stiffer the reaction, the less a point gives way: depth = weight / (3 points · k).
  for (const double stiffness : {3e3, 3e4}) {
    ParameterValues controls = OnSprings(Affine(500.0, 5.0), stiffness);
    controls["contact_damping"] = 60.0;
    const auto simulation = Started(Crate(0.002), controls);
    const Observation o = After(simulation.get(), 5e-4, 8000);
    EXPECT_NEAR(*o.extras[3], 3.0 * kGravity, 0.02 * 3.0 * kGravity);
    EXPECT_LT(MeasurePenetration(simulation->scene(), o.time, o.points)->max, 1e-9);
    double way = 0.0;  // how far the feet gave way within the crate
    const double height = 0.8 - (o.points.row(1).maxCoeff() - o.points.row(1).minCoeff());
    way = height;
    EXPECT_GT(way, 3.0 * kGravity / 3 / stiffness);  // and the crate itself sags a little
    EXPECT_LT(way, 3.0 * kGravity / 3 / stiffness + 0.02);
  }
}

TEST(AffineProxy, DividesStepsThatItsOwnMotionNeeds) {
  const auto passes = [](double stiffness) {
    return *After(Started(Crate(0.5), Affine(stiffness)).get(), 0.01, 1).iterations;
  };
  EXPECT_GT(passes(1e5), 2 * passes(1e3));
}

TEST(AffineProxy, ReportsACollapsedBody) {
  // So soft that its top comes through its bottom.
  Scene scene = Crate(0.3);
  const auto simulation = Started(scene, OnSprings(Affine(0.05), 1e5));
  const StepOutcome outcome = AdvanceUntilItStops(simulation.get(), 1e-3, 2000);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_EQ(outcome.quantity, "volume of the proxy");
}

TEST(AffineProxy, IsSaidToBeOneAndWhereThereIsNone) {
  const auto reason = [](const Scene& scene, const std::string& element) {
    return Entry(scene, element, Affine(100.0)).reason;
  };
  EXPECT_THAT(
      reason(Crate(1.0), "body.crate"),
      HasSubstr("rides on an affine proxy, which the reaction of the pressed surface moves; "
                "that is a body of linear-deformation, of order 1"));
  EXPECT_THAT(reason(Crate(1.0), "obstacle.floor"), HasSubstr("pushes the affine proxy like a"));
  EXPECT_THAT(reason(Crate(1.0), "gravity"), HasSubstr("affine proxy"));
  Scene plank = Crate(1.0);
  plank.bodies[0] = MakeChain("plank", {-0.5, 0, 0}, {0.5, 0, 0}, 9, 3.0);
  EXPECT_THAT(reason(plank, "body.plank"), HasSubstr("an affine proxy needs a body that has"));
}

// --- Patches --------------------------------------------------------------------------------

// A block of 2 × 1 × 2 m around the origin, and a ball that goes 0.2 m into its top.
Scene Cushion(std::array<int, 3> points = {17, 5, 17}) {
  Scene scene = Weightless({MakeBlock("block", {2, 1, 2}, points, 8.0)});
  scene.obstacles.push_back(
      {"ball", Sphere{0.5}, PathThrough({0.0, 0.4}, {{0.1, 1.0, 0}, {0.1, 0.8, 0}}), 0.0});
  return scene;
}
ParameterValues PatchOf(int degree) {
  return {{"lattice_level", std::int64_t{4}},
          {"patch_degree", std::int64_t{degree}},
          {"absorption", Numbers{0.0}},
          {"relaxation_time", Numbers{INFINITY}}};
}

TEST(Patch, LeavesAnObjectAloneThatNothingPresses) {
  Scene scene = Cushion();
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
  scene.bodies[0].position = {0.3, -5, 1};
  for (const char* side : {"+x", "-x", "+y", "-y", "+z", "-z"}) {
    const auto simulation = Started(scene, With(PatchOf(2), "patch_side", std::string(side)));
    EXPECT_LT(DistanceBetween(After(simulation.get(), 0.01, 2).points, scene.InitialPoints()).max,
              1e-12)
        << side;
  }
}

// A ball inside the block presses one point at three quarters of the height, which follows the
// patch by as much: the patch gives way more than the point.
TEST(Patch, TakesPointsBelowItAllTheWayOut) {
  Scene scene = Cushion();
  scene.obstacles[0] = {"ball", Sphere{0.1}, Path::Still({0, 0.3, 0}), 0.0};
  const int point = 8 + 17 * (3 + 5 * 8), above = 8 + 17 * (4 + 5 * 8);
  ASSERT_LT((scene.InitialPoints().col(point) - Vector3d(0, 0.25, 0)).norm(), 1e-12);
  for (const int degree : {1, 2}) {
    const double weight = std::pow(0.75, degree);
    const Observation o = After(Started(scene, PatchOf(degree)).get(), 0.01, 1);
    EXPECT_NEAR(o.points(1, point), 0.2, 1e-9) << degree;
    EXPECT_NEAR(o.points(1, above), 0.5 - 0.05 / weight, 1e-9) << degree;
  }
}

TEST(Patch, CarriesTheObjectWithThePowerOfTheHeight) {
  const Scene scene = Cushion();
  const Matrix3Xd start = scene.InitialPoints();
  for (const int degree : {1, 2, 5}) {
    const auto simulation = Started(scene, PatchOf(degree));
    const Observation o = After(simulation.get(), 0.01, 50);
    const Matrix3Xd moved = o.points - start;
    EXPECT_LT(moved.row(1).minCoeff(), -0.19);
    EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-6);
    for (int k = 0; k < 17; ++k) {
      for (int i = 0; i < 17; ++i) {
        const Vector3d top = moved.col(i + 17 * (4 + 5 * k));
        for (int j = 0; j < 5; ++j) {
          const Vector3d way = moved.col(i + 17 * (j + 5 * k));
          EXPECT_LT((way - std::pow(j / 4.0, degree) * top).norm(), 1e-12);
        }
      }
    }
  }
}

TEST(Patch, TakesFromTheVolumeWhatIsPressedInWhateverTheDegree) {
  // A lid presses the whole top down by 0.2 m.
  Scene scene = Cushion();
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, 0.3, 0});
  for (const int degree : {1, 3}) {
    const Observation o = After(Started(scene, PatchOf(degree)).get(), 0.01, 2);
    EXPECT_NEAR(*ExtentRatio(scene, o.points), 0.8, 1e-12) << degree;
    EXPECT_NEAR(*o.extras[6], -0.8, 1e-12) << degree;
  }
  // Under a ball: the same for all degrees.
  scene = Cushion();
  const auto left = [&scene](int degree) {
    return *ExtentRatio(scene, After(Started(scene, PatchOf(degree)).get(), 0.01, 40).points);
  };
  EXPECT_LT(left(1), 0.995);
  EXPECT_NEAR(left(1), left(3), 1e-12);
  EXPECT_NEAR(left(1), left(7), 1e-12);
}

TEST(Patch, OfEverySideAnswersAlike) {
  // The block and the ball turned so that each side is on top in its turn.
  const struct {
    const char* side;
    Eigen::Quaterniond turn;
  } sides[] = {{"+x", Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), Vector3d::UnitY())},
               {"-x", Eigen::Quaterniond::FromTwoVectors(-Vector3d::UnitX(), Vector3d::UnitY())},
               {"+y", Eigen::Quaterniond::Identity()},
               {"-y", Eigen::Quaterniond(Eigen::AngleAxisd(kPi, Vector3d::UnitX()))},
               {"+z", Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY())},
               {"-z", Eigen::Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), Vector3d::UnitY())}};
  for (const auto& [side, turn] : sides) {
    Scene scene = Cushion();
    scene.bodies[0] = MakeBlock("block", {2, 2, 2}, {9, 9, 9}, 8.0);
    scene.bodies[0].orientation = turn;
    scene.obstacles[0].motion = PathThrough({0.0, 0.4}, {{0, 1.5, 0}, {0, 1.2, 0}});
    const auto simulation = Started(scene, With(With(PatchOf(1), "patch_side", std::string(side)),
                                                "lattice_level", std::int64_t{3}));
    const Observation o = After(simulation.get(), 0.01, 45);
    EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-6) << side;
    const Matrix3Xd moved = o.points - scene.InitialPoints();
    EXPECT_NEAR(moved.row(1).minCoeff(), -0.3, 1e-6) << side;
    for (int i = 0; i < moved.cols(); ++i) {
      if (scene.InitialPoints()(1, i) > -0.99) continue;
      EXPECT_LT(moved.col(i).norm(), 1e-12) << side;
    }
  }
}

TEST(Patch, OfAnOutlineIsACurve) {
  for (const auto& [side, angle] : {std::pair("+y", 0.0), std::pair("+x", kPi / 2),
                                    std::pair("-y", kPi), std::pair("-x", -kPi / 2)}) {
    Scene scene = Crate(0.0);
    scene.gravity.setZero();
    scene.bodies[0].rest.row(1).array() -= 0.4;  // its middle at the origin
    scene.bodies[0].rest.row(0) *= 0.8;          // a square
    scene.bodies[0].orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
    scene.bodies[0].position.setZero();
    scene.obstacles[0] = {"ball", Sphere{0.25},
                          PathThrough({0.0, 0.4}, {{0, 0.65, 0}, {0, 0.55, 0}}), 0.0};
    const auto simulation = Started(scene, With(PatchOf(1), "patch_side", std::string(side)));
    const Observation o = After(simulation.get(), 0.01, 45);
    EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-6) << side;
    const Matrix3Xd moved = o.points - scene.InitialPoints();
    EXPECT_NEAR(moved.row(1).minCoeff(), -0.1, 1e-6) << side;
    EXPECT_LT(moved.row(2).norm(), 1e-15);
  }
}

TEST(Patch, IsSaidToBeOneAndWhereThereIsNone) {
  Scene scene = Cushion();
  const auto record = [&scene](const ParameterValues& parameters) {
    return Translated(scene, parameters).record;
  };
  const TranslatedElement block = Entry(scene, "body.block");
  EXPECT_EQ(block.fidelity, Fidelity::kApproximated);
  EXPECT_THAT(block.reason, HasSubstr("a patch on one side of the box around the body drives a"));
  EXPECT_THAT(record({{"rides", std::string("always")}}).WhyUnsupported(),
              HasSubstr("surfaces only"));
  EXPECT_THAT(Complaint(scene, {{"patch_degree", std::int64_t{0}}}), HasSubstr("between 1 and 16"));
  EXPECT_THAT(Complaint(scene, {{"patch_side", std::string("top")}}), HasSubstr("patch_side"));
  scene = Crate(0.0);
  scene.gravity.setZero();
  EXPECT_THAT(record({{"patch_side", std::string("+z")}}).WhyUnsupported(),
              HasSubstr("a planar outline has no side along z"));
}

}  // namespace
}  // namespace pliant::kinematic_response
