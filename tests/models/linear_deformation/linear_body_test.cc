#include "models/linear_deformation/linear_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/models/linear_deformation/bodies.h"
#include "tests/says.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kBodySeed = 1990;

class LinearBodies : public ::testing::TestWithParam<BodyCase> {
 protected:
  LinearBodies() : body_(GetParam().Make()) {}
  LinearBody body_;
};
INSTANTIATE_TEST_SUITE_P(All, LinearBodies, ::testing::ValuesIn(AllBodyCases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(LinearBodies, MassMatrixIsSymmetricAndInverted) {
  const MatrixXd& M = body_.mass_matrix();
  const int k = body_.columns();
  EXPECT_LT((M - M.transpose()).norm(), 1e-14 * M.norm());
  EXPECT_LT((M * body_.inverse_mass() - MatrixXd::Identity(k, k)).norm(), 1e-11);
  if (body_.is_affine() && body_.inertia() == Inertia::kPoints) {
    const double mass = GetParam().body.mass.sum();
    EXPECT_LT((M - mass * MatrixXd::Identity(k, k)).norm(), 1e-12 * mass);
  }
}

// ½ tr(Ṙ M_b Ṙᵀ) is the kinetic energy of the points; in a translation, also of a box.
TEST_P(LinearBodies, KineticEnergyIsThatOfTheMasses) {
  const VectorXd still = body_.AffineCoordinates(Eigen::Matrix3d::Zero(), Vector3d(2.0, 0.0, 0.0));
  const VectorXd row = still.head(body_.columns());
  EXPECT_NEAR(0.5 * row.dot(body_.mass_matrix() * row), 2.0 * GetParam().body.mass.sum(), 1e-12);
  if (body_.inertia() == Inertia::kBox) return;
  std::mt19937 generator(kBodySeed);
  const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator);
  const Eigen::Map<const RowMajorMatrix> rates(v.data(), body_.world_dimension(), body_.columns());
  const double energy = 0.5 * (rates * body_.mass_matrix() * rates.transpose()).trace();
  Eigen::Matrix3Xd velocities = Eigen::Matrix3Xd::Zero(3, body_.points());
  velocities.topRows(body_.world_dimension()) = PointsAt(body_, v);
  EXPECT_NEAR(energy, KineticEnergy(GetParam().body.mass, velocities), 1e-12 * energy);
}

TEST_P(LinearBodies, StartsWhereTheSceneSays) {
  Scene scene;
  scene.dimension = GetParam().world_dimension;
  scene.bodies = {GetParam().body};
  Body& body = scene.bodies[0];
  const bool planar = scene.dimension == 2;
  body.position = Vector3d(1.0, -2.0, planar ? 0.0 : 0.5);
  body.orientation = Eigen::AngleAxisd(
      0.8, planar ? Vector3d(0, 0, 1) : Vector3d(Vector3d(1, 1, -2).normalized()));
  body.stretch.topLeftCorner(2, 2) << 1.3, 0.2, -0.1, 0.8;
  body.velocity = Vector3d(0.3, 0.1, planar ? 0.0 : -0.7);
  body.angular_velocity = Vector3d(planar ? 0.0 : 1.0, planar ? 0.0 : -2.0, 3.0);
  const int d = scene.dimension;
  EXPECT_LT(
      (PointsAt(body_, body_.InitialCoordinates(body)) - scene.InitialPoints().topRows(d)).norm(),
      1e-13);
  EXPECT_LT(
      (PointsAt(body_, body_.InitialRates(body)) - scene.InitialVelocities().topRows(d)).norm(),
      1e-13);
}

// The rows of ∂p/∂r, along the axes of the frame, are the derivatives of the points.
TEST_P(LinearBodies, GradientTermsAreDerivativesOfThePoints) {
  if (body_.inertia() == Inertia::kBox) return;  // sampled elsewhere
  std::mt19937 generator(kBodySeed);
  const VectorXd q = RandomState(body_, 0.5, &generator);
  const int d = body_.world_dimension(), mu = body_.material_dimension(), k = body_.columns();
  const RowMajorMatrix R = Eigen::Map<const RowMajorMatrix>(q.data(), d, k);
  for (int n = 0; n < body_.samples(); ++n) {
    const MatrixXd m = R.rightCols(body_.varying()) * body_.gradient_terms().middleCols(n * mu, mu);
    for (int a = 0; a < mu; ++a) {
      const Vector3d step = 1e-2 * body_.frame().axes.col(a);
      const Vector3d rest = GetParam().body.rest.col(n);
      auto at = [&](double steps) {
        return VectorXd(R * body_.basis().At(body_.frame().Coordinates(rest + steps * step)));
      };
      // Exact up to fourth degree but for rounding.
      const VectorXd slope = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * 1e-2);
      EXPECT_LT((slope - m.col(a)).norm(), 1e-10);
    }
  }
}

std::string WhySingular(const Body& body, int order) {
  try {
    const LinearBody linear(body, 3, order);
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problem().where, "order");
    EXPECT_THAT(bad.problem().mend, Says({"order = 1", "inertia = \"box\""}));
    return bad.problem().what;
  }
  return "regular";
}

TEST(LinearBody, EightCornersHaveRankSevenOfTen) {
  const Body corners = MakeBlock("cube", {1.0, 2.0, 0.5}, {2, 2, 2}, 8.0);
  const std::string why = WhySingular(corners, 2);
  EXPECT_THAT(why, Says({"needs 10 independent terms", "8 masses of body 'cube' give 7",
                         "1, x², y², z² are not independent"}));
  EXPECT_EQ(WhySingular(corners, 1), "regular");
  EXPECT_EQ(WhySingular(MakeBlock("cube", {1.0, 2.0, 0.5}, {3, 3, 3}, 8.0), 2), "regular");
}

// Letters of terms are axes of the body's own extent: those of another order are named.
TEST(LinearBody, ThreePlacesAlongTheShortAxisAllowSecondOrder) {
  const Body bridge = MakeBlock("bridge", {4.0, 0.4, 1.0}, {17, 3, 5}, 8.0);
  try {
    const LinearBody linear(bridge, 3, 4);
    ADD_FAILURE() << "three places are enough for order 4";
  } catch (const BadInput& bad) {
    EXPECT_THAT(bad.problem().what, Says({"since z, xz, ",
                                          "(here x is x, y is z, z is −y of the body, its longest "
                                          "extent first)"}));
    EXPECT_THAT(
        bad.problem().mend,
        Says({"use order = 2, or give at least 5 masses along every axis", "or as a last resort"}));
  }
  EXPECT_EQ(WhySingular(bridge, 2), "regular");
  EXPECT_EQ(WhySingular(MakeBlock("bridge", {4.0, 1.0, 0.4}, {17, 5, 3}, 8.0), 2), "regular");
  // In order of extent nothing needs to be said.
  try {
    const LinearBody linear(MakeBlock("bridge", {4.0, 1.0, 0.4}, {17, 5, 3}, 8.0), 3, 3);
    ADD_FAILURE();
  } catch (const BadInput& bad) {
    EXPECT_THAT(bad.problem().what, testing::Not(testing::HasSubstr("here x")));
  }
}

// xyz is 0 at all its points: more terms than masses, and one without any.
TEST(LinearBody, AnIcosahedronHasTooFewMassesForThirdOrder) {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  Body body = MakeBlock("ball", {1, 1, 1}, {3, 2, 2}, 1.0);
  int point = 0;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-golden, golden}) {
      body.rest.col(point++) = Vector3d(0, a, b);
      body.rest.col(point++) = Vector3d(a, b, 0);
      body.rest.col(point++) = Vector3d(b, 0, a);
    }
  }
  ASSERT_EQ(point, body.size());
  for (const int order : {2, 3, 4}) {
    std::string why = "regular";
    try {
      const LinearBody linear(body, 3, order);
    } catch (const BadInput& bad) {
      why = bad.problem().what;
    }
    EXPECT_THAT(why, Says({"independent terms", "12 masses of body 'ball'"})) << order;
  }
  EXPECT_EQ(WhySingular(body, 1), "regular");
}

// The mass matrix of Bernstein's basis has the condition C(2n+1, n)³ on a box: 1.4e13 for n = 8.
TEST(LinearBody, TermsThatFloatingPointCannotTellApartAreRefusedWithWhatHelps) {
  const auto mend = [](int points, int order, Inertia inertia) -> std::string {
    const Body block = MakeBlock("cube", {1, 1, 1}, {points, points, points}, 8.0);
    try {
      const LinearBody linear(block, 3, order, BasisFamily::kBernstein, inertia);
    } catch (const BadInput& bad) {
      return bad.problem().mend;
    }
    return "regular";
  };
  EXPECT_EQ(mend(3, 8, Inertia::kBox), "use a lower order");
  EXPECT_EQ(mend(3, 6, Inertia::kBox), "regular");
  EXPECT_THAT(mend(4, 6, Inertia::kPoints), Says({"order = 3", "at least 7 masses along every"}));
  EXPECT_EQ(mend(10, 6, Inertia::kPoints), "regular");
  EXPECT_THAT(mend(9, 8, Inertia::kPoints),
              Says({"use a lower order or more masses", "as a last resort", "box"}));
}

// Of a block 2a×2b×2c of mass m: ∫ x² = m a²/3, ∫ x⁴ = m a⁴/5, ∫ x²y² = m a²b²/9.
TEST(LinearBody, ABoxHasTheMomentsOfABox) {
  const Body corners = MakeBlock("cube", {1.0, 2.0, 0.5}, {2, 2, 2}, 8.0);
  const LinearBody box(corners, 3, 2, BasisFamily::kPolynomial, Inertia::kBox);
  ASSERT_EQ(box.columns(), 10);
  // u = ±1 at the corners along each axis, whose extents are half the sides.
  const MatrixXd& M = box.mass_matrix();
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(M(1 + a, 1 + a), 8.0 / 3.0, 1e-13);
    EXPECT_NEAR(M(4 + a, 4 + a), 8.0 / 9.0, 1e-13);
    EXPECT_NEAR(M(7 + a, 7 + a), 8.0 / 5.0, 1e-13);
    EXPECT_NEAR(M(7 + a, 0), 8.0 / 3.0, 1e-13);
  }
  EXPECT_NEAR(box.second_moment(), 8.0 * (0.25 + 1.0 + 0.0625) / 3.0, 1e-13);
  EXPECT_NEAR(box.sample_weights().sum(), 1.0, 1e-14);
  EXPECT_NEAR(box.content(), 1.0, 1e-13);
}

TEST(LinearBody, ContentIsVolumeAreaOrLength) {
  EXPECT_NEAR(LinearBody(MakeBlock("b", {1.0, 2.0, 0.5}, {3, 3, 3}, 1.0), 3, 1).content(), 1.0,
              1e-13);
  EXPECT_NEAR(LinearBody(MakeSheet("s", {2.0, 0.7}, {4, 3}, 1.0), 3, 1).content(), 1.4, 1e-13);
  EXPECT_NEAR(LinearBody(MakeChain("c", {0, 0, 0}, {0.3, 0.4, 0.0}, 4, 1.0), 2, 1).content(), 0.5,
              1e-13);
}

TEST(LinearBody, TwoPointsHaveNoSecondOrder) {
  const Body link = MakeChain("link", {0, 0, 0}, {0.3, -0.4, 0.0}, 2, 1.0);
  EXPECT_THAT(WhySingular(link, 2), Says({"give 2", "1, x² are not"}));
  EXPECT_EQ(WhySingular(link, 1), "regular");
}

TEST(LinearBody, OnePointOnlyMoves) {
  Body point = MakeChain("p", {1, 1, 1}, {2, 1, 1}, 2, 3.0);
  point.rest.col(1) = point.rest.col(0);
  const LinearBody body(point, 3, 2);
  EXPECT_EQ(body.columns(), 1);
  EXPECT_NEAR(body.mass_matrix()(0, 0), 3.0, 1e-15);
}

}  // namespace
}  // namespace pliant::linear_deformation
