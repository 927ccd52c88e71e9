#include "solvers/dynamic_ffd/mode_closeness.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "models/dynamic_ffd/mode_metric.h"
#include "solvers/dynamic_ffd/inertia.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

FfdBody TwoSquashes(double phi) {
  return InLattice(2, ThesisTable(), ThesisLattice(), {VerticalSquash(), TurnedSquash(phi)},
                   FfdOrigin::kCentreOfMass);
}

TEST(ModeCloseness, OfTwoSquashesIsTheAngleBetweenThemInTheMassMetric) {
  // On the table Σm x̃ỹ = 0, so squashes along x and y are orthogonal, and no more when one is
  // turned.
  EXPECT_NEAR(ClosenessOf(TwoSquashes(0.0)).cosines(0, 1), 0.0, 1e-12);
  double before = 0.0;
  for (double degrees : {15.0, 45.0, 75.0, 85.0, 89.0}) {
    const ModeCloseness closeness = ClosenessOf(TwoSquashes(degrees * std::numbers::pi / 180.0));
    const double cosine = closeness.cosines(0, 1);
    EXPECT_GT(cosine, before);
    before = cosine;
    // Two unit vectors at that angle: 1 ± cos.
    EXPECT_NEAR(closeness.singular_values[0], std::sqrt(1.0 + cosine), 1e-12);
    EXPECT_NEAR(closeness.singular_values[1], std::sqrt(1.0 - cosine), 1e-9);
  }
}

TEST(ModeCloseness, MeasuresAnglesToRigidMotion) {
  // A displacement that is a turn with a little squash, in the plane about the centre of mass.
  Eigen::Matrix3Xd turn(3, 16);
  const Eigen::Matrix3Xd points = ThesisLattice().ControlPoints();
  for (int p = 0; p < 16; ++p) turn.col(p) << -points(1, p), points(0, p), 0.0;
  const FfdBody both = InLattice(2, ThesisTable(), ThesisLattice(), {turn, VerticalSquash()},
                                 FfdOrigin::kCentreOfMass);
  const ModeCloseness closeness = ClosenessOf(both);
  EXPECT_NEAR(closeness.to_rigid[0], 0.0, 1e-7);
  EXPECT_NEAR(closeness.to_rigid[1], 0.5 * std::numbers::pi, 1e-9);
  EXPECT_NEAR(closeness.span_to_rigid, 0.0, 1e-7);
  const FfdBody mixed = InLattice(2, ThesisTable(), ThesisLattice(),
                                  {0.5 * turn + VerticalSquash()}, FfdOrigin::kCentreOfMass);
  const MassWeightedMotions motions = MotionsOf(both);
  const double rigid = 0.5 * motions.modes.col(0).norm(), own = motions.modes.col(1).norm();
  EXPECT_NEAR(ClosenessOf(mixed).to_rigid[0], std::atan2(own, rigid), 1e-12);
  EXPECT_NEAR(ClosenessOf(mixed).span_to_rigid, std::atan2(own, rigid), 1e-9);
}

TEST(ModeCloseness, SaysInWordsWhichModesAreAlike) {
  const Resemblance alike =
      WeakestOf(ClosenessOf(TwoSquashes(88.0 * std::numbers::pi / 180.0)), {"squash y", "turned"});
  EXPECT_THAT(alike.words, testing::ContainsRegex("'squash y' is 1 'turned' up to a rigid motion "
                                                  "and 5\\.[0-9] % of itself"));
  EXPECT_NEAR(alike.remainder, std::sin(3.13 * std::numbers::pi / 180.0), 1e-4);

  // Twice the sum of two: all three are named, with their weights.
  const FfdBody three =
      InLattice(2, ThesisTable(), ThesisLattice(),
                {VerticalSquash(), HorizontalSquash(),
                 2.0 * VerticalSquash() - HorizontalSquash() + 0.01 * HorizontalBend()},
                FfdOrigin::kCentreOfMass);
  const Resemblance sum = WeakestOf(ClosenessOf(three), {"v", "h", "sum"});
  EXPECT_THAT(sum.words, testing::StartsWith("'sum' is 2 'v' − 1 'h'"));
  EXPECT_LT(sum.remainder, 0.05);
}

TEST(ModeCloseness, TableAndWarningNameTheBody) {
  std::vector<NamedModes> bodies;
  for (double degrees : {30.0, 89.0}) {
    const FfdBody body = TwoSquashes(degrees * std::numbers::pi / 180.0);
    bodies.push_back({degrees < 45.0 ? "one" : "two", {"a", "b"}, {}, ClosenessOf(body)});
    bodies.back().stiffness = 0.5 * bodies.back().closeness.inertia;  // ω = 1 rad/s
  }
  const FindingTable table = ClosenessTable(bodies);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0][0], "one");
  EXPECT_EQ(table.rows[0][3], "0.159");
  EXPECT_EQ(table.rows[3][5], "a");
  EXPECT_EQ(table.rows[3][6], "1.6");
  EXPECT_THAT(table.remark, testing::HasSubstr("on body 'two'"));
  std::vector<std::string> warnings;
  WarnOfCloseness(bodies, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], testing::HasSubstr("on body 'two'"));
}

TEST(ModeCloseness, OrthogonalCombinationsHaveConditionOne) {
  RandomNumbers random(23);
  for (int dimension : {2, 3}) {
    const FfdBody body = RandomFfdBody(dimension, 12, 4, FfdOrigin::kCentreOfMass, &random);
    const MatrixXd mix = OrthogonalCombinations(body);
    EXPECT_TRUE(mix.isUpperTriangular(1e-14));
    const MassWeightedMotions before = MotionsOf(body), after = MotionsOf(body.Recombined(mix));
    const double mean = before.free.colwise().squaredNorm().mean();
    EXPECT_LT((after.free.transpose() * after.free - mean * MatrixXd::Identity(4, 4)).norm(),
              1e-11 * mean);
    // The shapes themselves are the same: γ = T γ′.
    const VectorXd gamma = random.Vector(4);
    const VectorXd mixed = mix.fullPivLu().solve(gamma);
    EXPECT_LT(
        (body.shapes().rightCols(4) * gamma - body.Recombined(mix).shapes().rightCols(4) * mixed)
            .norm(),
        1e-12);
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
