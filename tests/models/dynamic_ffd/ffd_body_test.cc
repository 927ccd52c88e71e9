#include "models/dynamic_ffd/ffd_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr std::uint64_t kSeed = 20240611;

Matrix3Xd PointsAt(const FfdBody& body, const VectorXd& q) {
  Matrix3Xd x(3, body.points());
  body.Points(q, x);
  return x;
}

Matrix3Xd VelocitiesAt(const FfdBody& body, const VectorXd& q, const VectorXd& v) {
  Matrix3Xd x_dot(3, body.points());
  body.PointVelocities(q, v, PointsAt(body, q), x_dot);
  return x_dot;
}

// In the plane and in space, about both origins.
class FfdBodyTest : public testing::TestWithParam<std::tuple<int, FfdOrigin>> {
 protected:
  FfdBodyTest()
      : random_(kSeed),
        body_(RandomFfdBody(std::get<0>(GetParam()), 7, 4, std::get<1>(GetParam()), &random_)) {
    RecordProperty("seed", std::to_string(kSeed));
  }
  RandomNumbers random_;
  FfdBody body_;
};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, FfdBodyTest,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(FfdOrigin::kCentreOfMass,
                                                          FfdOrigin::kLatticeCorner)));

TEST_P(FfdBodyTest, PointVelocityIsTheDerivativeOfThePointAlongTheMotion) {
  const VectorXd q = RandomCoordinates(body_, &random_), v = random_.Vector(body_.velocities());
  VectorXd q_dot(body_.coordinates());
  body_.ConfigurationRate(q, v, q_dot);
  const double h = 1e-5;
  const Matrix3Xd difference =
      (PointsAt(body_, q + h * q_dot) - PointsAt(body_, q - h * q_dot)) / (2.0 * h);
  EXPECT_LT((VelocitiesAt(body_, q, v) - difference).norm(), 1e-8);
}

TEST_P(FfdBodyTest, JacobianMapsVelocitiesToPointVelocities) {
  const VectorXd q = RandomCoordinates(body_, &random_), v = random_.Vector(body_.velocities());
  const Matrix3Xd x_dot = VelocitiesAt(body_, q, v);
  for (int n = 0; n < body_.points(); ++n) {
    EXPECT_LT((body_.Jacobian(q, n) * v - x_dot.col(n)).norm(), 1e-13);
  }
}

TEST_P(FfdBodyTest, GeneralizedForceHasThePowerOfThePointForces) {
  const VectorXd q = RandomCoordinates(body_, &random_);
  Matrix3Xd f = random_.Matrix(3, body_.points());
  if (body_.dimension() == 2) f.row(2).setZero();
  VectorXd force = VectorXd::Constant(body_.velocities(), 0.5);  // is added to
  Matrix3Xd scratch;
  body_.AddGeneralizedForces(q, PointsAt(body_, q), f, &scratch, force);
  force.array() -= 0.5;
  VectorXd expected = VectorXd::Zero(body_.velocities());
  for (int n = 0; n < body_.points(); ++n) {
    expected += body_.Jacobian(q, n).transpose() * f.col(n);  // Eq. 4.20
  }
  EXPECT_LT((force - expected).norm(), 1e-13);
}

TEST_P(FfdBodyTest, RigidMotionHasTheVelocityFieldAsked) {
  const VectorXd gamma = 0.3 * random_.Vector(body_.modes());
  const bool planar = body_.dimension() == 2;
  const Vector3d centre = planar ? Vector3d(0.4, -0.7, 0.0) : Vector3d(0.4, -0.7, 1.1);
  const Vector3d linear = planar ? Vector3d(2, 1, 0) : Vector3d(2, 1, -1);
  const Vector3d angular = planar ? Vector3d(0, 0, 0.8) : Vector3d(0.5, -0.3, 0.8);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(
      2.5, planar ? Vector3d::UnitZ().eval() : Vector3d(1, 2, 2).normalized().eval()));
  const VectorXd q = body_.Coordinates(centre, turn, gamma);
  const Matrix3Xd x = PointsAt(body_, q);
  const VectorXd still = VectorXd::Zero(body_.modes());
  const Matrix3Xd v = VelocitiesAt(body_, q, body_.Velocities(q, linear, angular, still));
  EXPECT_LT((x * body_.masses() / body_.masses().sum() - centre).norm(), 1e-14);
  EXPECT_LT((body_.Rotation(q) - turn.toRotationMatrix()).norm(), 1e-14);
  for (int n = 0; n < body_.points(); ++n) {
    const Vector3d expected = linear + angular.cross(x.col(n) - centre);
    EXPECT_LT((v.col(n) - expected).norm(), 1e-14);
  }
}

TEST_P(FfdBodyTest, TheCentreOfMassMovesAsAskedWhateverTheModesDo) {
  const bool planar = body_.dimension() == 2;
  const VectorXd gamma = 0.3 * random_.Vector(body_.modes());
  const VectorXd rates = random_.Vector(body_.modes());
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d::UnitZ()));
  const Vector3d linear(2, 1, planar ? 0 : -1);
  const Vector3d angular = planar ? Vector3d(0, 0, 0.8) : Vector3d(0.5, -0.3, 0.8);
  const VectorXd q = body_.Coordinates({1, 2, 0}, turn, gamma);
  const VectorXd v = body_.Velocities(q, linear, angular, rates);
  const Matrix3Xd x_dot = VelocitiesAt(body_, q, v);
  EXPECT_LT((x_dot * body_.masses() / body_.masses().sum() - linear).norm(), 1e-14);
  EXPECT_LT((body_.AngularVelocity(v) - angular).norm(), 1e-15);
  EXPECT_EQ(v.tail(body_.modes()), rates);
}

TEST_P(FfdBodyTest, FittedAmplitudesRecoverAShapeOfTheModes) {
  const VectorXd gamma = random_.Vector(body_.modes());
  const VectorXd stacked = body_.shapes().rightCols(body_.modes()) * gamma;
  Matrix3Xd u = Eigen::Map<const Matrix3Xd>(stacked.data(), 3, body_.points());
  u.colwise() += Vector3d(1, -2, 0);  // a translation is not the modes' business
  const FfdBody::Fit fit = body_.FitAmplitudes(u);
  EXPECT_LT((fit.gamma - gamma).norm(), 1e-12);
  EXPECT_LT(fit.residual, 1e-13);

  // What the modes cannot show is orthogonal to them in the mass metric.
  Matrix3Xd other = random_.Matrix(3, body_.points());
  const FfdBody::Fit nearest = body_.FitAmplitudes(other);
  auto squared_distance = [&](const VectorXd& amplitudes) {
    const VectorXd shape = body_.shapes().rightCols(body_.modes()) * amplitudes;
    Matrix3Xd rest = other - Eigen::Map<const Matrix3Xd>(shape.data(), 3, body_.points());
    const Vector3d mean = rest * body_.masses() / body_.masses().sum();
    rest.colwise() -= mean;
    return rest.colwise().squaredNorm().dot(body_.masses()) / body_.masses().sum();
  };
  const double best = squared_distance(nearest.gamma);
  EXPECT_NEAR(std::sqrt(best), nearest.residual, 1e-13);
  for (int k = 0; k < body_.modes(); ++k) {
    const VectorXd step = 0.01 * VectorXd::Unit(body_.modes(), k);
    EXPECT_GT(squared_distance(nearest.gamma + step), best);
    EXPECT_GT(squared_distance(nearest.gamma - step), best);
  }
}

TEST(FfdBody, AnAffineModeDisplacesEveryPointByThatAffineFunction) {
  // Linear precision: the vertical shear d_y = −100 + 200 L_x/400 is affine in the control points.
  const Body table = ThesisTable();
  const FfdBody body =
      InLattice(2, table, ThesisLattice(), {VerticalShear()}, FfdOrigin::kLatticeCorner);
  VectorXd q = VectorXd::Zero(4);
  q[3] = 0.7;
  const Matrix3Xd x = PointsAt(body, q);
  for (int n = 0; n < table.size(); ++n) {
    const Vector3d rest = table.rest.col(n);
    const Vector3d expected = rest + Vector3d(0, 0.7 * (-100.0 + 0.5 * rest.x()), 0);
    EXPECT_LT((x.col(n) - expected).norm(), 1e-12);
  }
}

TEST(FfdBody, BendsTheTableAsTheControlPointsDo) {
  // The bend lifts the middle of the top by 0.75 · 100 and moves its ends by ∓150.
  const FfdBody body =
      InLattice(2, ThesisTable(), ThesisLattice(), {HorizontalBend()}, FfdOrigin::kLatticeCorner);
  VectorXd q = VectorXd::Zero(4);
  q[3] = 0.2;
  const Matrix3Xd x = PointsAt(body, q);
  EXPECT_LT((x.col(2) - Vector3d(200, 300 + 0.2 * 75, 0)).norm(), 1e-12);
  EXPECT_LT((x.col(0) - Vector3d(-0.2 * 150, 300, 0)).norm(), 1e-12);
  EXPECT_LT((x.col(4) - Vector3d(400 + 0.2 * 150, 300, 0)).norm(), 1e-12);
}

TEST(FfdBody, RotatesAboutTheLatticeCornerOrTheCentreOfMass) {
  const Body table = ThesisTable();
  VectorXd q = VectorXd::Zero(3);
  q << 10, 20, 0.5;
  const Vector3d lower_left(-50, -20, 0);
  const Lattice lattice({3, 3, 0}, lower_left, {500, 400, 1});
  const FfdBody corner = InLattice(2, table, lattice, {}, FfdOrigin::kLatticeCorner);
  const FfdBody centre = InLattice(2, table, lattice, {}, FfdOrigin::kCentreOfMass);
  const Eigen::Matrix3d turn = corner.Rotation(q);
  const Vector3d mean = table.rest * table.mass / table.mass.sum();
  EXPECT_LT((PointsAt(corner, q) -
             ((turn * (table.rest.colwise() - lower_left)).colwise() + Vector3d(10, 20, 0)))
                .norm(),
            1e-12);
  EXPECT_LT((PointsAt(centre, q) -
             ((turn * (table.rest.colwise() - mean)).colwise() + Vector3d(10, 20, 0)))
                .norm(),
            1e-12);
}

TEST(FfdBody, AQuaternionOfAnyLengthGivesARotationAndNormalizesToOne) {
  RandomNumbers random(kSeed);
  const FfdBody body = RandomFfdBody(3, 5, 1, FfdOrigin::kCentreOfMass, &random);
  VectorXd q = random.Vector(body.coordinates());
  const Eigen::Matrix3d turn = body.Rotation(q);
  EXPECT_LT((turn * turn.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  body.Normalize(q);
  EXPECT_NEAR(q.segment<4>(3).norm(), 1.0, 1e-15);
  EXPECT_LT((turn - body.Rotation(q)).norm(), 1e-14);
}

TEST(ModeTable, ScalesDisplacementsToTheBox) {
  ModeTable table;
  table.lattices[0].size = {2, 4, 1};
  table.modes.push_back({"m", Matrix3Xd::Ones(3, 16)});
  const Matrix3Xd d =
      table.DisplacementsOn(Lattice(table.lattices[0].bases, {0, 0, 0}, {1, 1, 3}), 0);
  EXPECT_TRUE(d.col(7).isApprox(Vector3d(0.5, 0.25, 3)));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
