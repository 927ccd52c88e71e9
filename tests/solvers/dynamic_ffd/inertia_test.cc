#include "solvers/dynamic_ffd/inertia.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/solvers/dynamic_ffd/point_oracle.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr std::uint64_t kSeed = 19950101;

class InertiaTest : public testing::TestWithParam<std::tuple<int, FfdOrigin>> {
 protected:
  InertiaTest()
      : random_(kSeed),
        body_(RandomFfdBody(std::get<0>(GetParam()), 8, 4, std::get<1>(GetParam()), &random_)),
        inertia_(MakeInertia(body_)),
        q_(RandomCoordinates(body_, &random_)),
        v_(random_.Vector(body_.velocities())) {
    RecordProperty("seed", std::to_string(kSeed));
  }
  VectorXd VelocityForces() {
    VectorXd h = VectorXd::Zero(body_.velocities());
    inertia_->Place(q_);
    inertia_->AddVelocityForces(v_, h);
    return h;
  }
  // The configuration carried along the motion for a time dt at constant v.
  VectorXd Moved(double dt) const {
    VectorXd rate(body_.coordinates());
    body_.ConfigurationRate(q_, v_, rate);
    return q_ + dt * rate;
  }

  RandomNumbers random_;
  FfdBody body_;
  std::unique_ptr<FfdInertia> inertia_;
  VectorXd q_, v_;
};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, InertiaTest,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(FfdOrigin::kCentreOfMass,
                                                          FfdOrigin::kLatticeCorner)));

TEST_P(InertiaTest, MassMatrixIsTheSumOverPoints) {
  const MatrixXd expected = MassMatrixByPoints(body_, q_);
  EXPECT_LT((inertia_->MassMatrix(q_) - expected).norm(), 1e-13 * expected.norm());
}

TEST_P(InertiaTest, MassMatrixIsSymmetricPositiveDefinite) {
  const MatrixXd mass = inertia_->MassMatrix(q_);
  EXPECT_EQ(mass, mass.transpose());
  EXPECT_EQ(mass.llt().info(), Eigen::Success);
}

TEST_P(InertiaTest, VelocityForcesAreTheSumOverPoints) {
  const VectorXd expected = VelocityForcesByPoints(body_, q_, v_);
  EXPECT_LT((VelocityForces() - expected).norm(), 1e-13 * expected.norm());
}

TEST_P(InertiaTest, VelocityForcesAreTheRateOfJacobianTimesVelocity) {
  // a_n of the oracle is d(J_n v)/dt at constant v: a derivative check that owes it nothing.
  const double h = 1e-5;
  VectorXd expected = VectorXd::Zero(body_.velocities());
  for (int n = 0; n < body_.points(); ++n) {
    const Vector3d a =
        (body_.Jacobian(Moved(h), n) * v_ - body_.Jacobian(Moved(-h), n) * v_) / (2.0 * h);
    expected -= body_.masses()[n] * body_.Jacobian(q_, n).transpose() * a;
  }
  EXPECT_LT((VelocityForces() - expected).norm(), 1e-8 * expected.norm());
}

TEST_P(InertiaTest, VelocityForcesDoNoWorkOnTheWhole) {
  // d/dt ½ vᵀMv = vᵀM v̇ + ½ vᵀṀv = vᵀh + ½ vᵀṀv = 0 without forces.
  const double h = 1e-5;
  const MatrixXd rate =
      (inertia_->MassMatrix(Moved(h)) - inertia_->MassMatrix(Moved(-h))) / (2.0 * h);
  EXPECT_NEAR(v_.dot(VelocityForces()) + 0.5 * v_.dot(rate * v_), 0.0, 1e-8);
}

TEST_P(InertiaTest, SolvesWithTheMassMatrix) {
  const VectorXd b = random_.Vector(body_.velocities());
  VectorXd x = b;
  ASSERT_TRUE(inertia_->Place(q_));
  inertia_->Solve(x);
  EXPECT_LT((MassMatrixByPoints(body_, q_) * x - b).norm(), 1e-11);
}

TEST_P(InertiaTest, GravityIsTheForceOfEveryPointsWeight) {
  const Vector3d g(0.7, -9.81, body_.dimension() == 2 ? 0.0 : 1.3);
  VectorXd force = VectorXd::Zero(body_.velocities());
  inertia_->Place(q_);
  inertia_->AddGravity(g, force);
  VectorXd expected = VectorXd::Zero(body_.velocities());
  for (int n = 0; n < body_.points(); ++n) {
    expected += body_.Jacobian(q_, n).transpose() * (body_.masses()[n] * g);
  }
  EXPECT_LT((force - expected).norm(), 1e-12);
}

TEST_P(InertiaTest, OriginChangesCoordinatesAndNotTheDeterminant) {
  RandomNumbers one(kSeed), two(kSeed);
  const FfdBody centre = RandomFfdBody(body_.dimension(), 8, 4, FfdOrigin::kCentreOfMass, &one);
  const FfdBody corner = RandomFfdBody(body_.dimension(), 8, 4, FfdOrigin::kLatticeCorner, &two);
  const double expected = MassMatrixByPoints(centre, q_).determinant();
  EXPECT_NEAR(MassMatrixByPoints(corner, q_).determinant(), expected, 1e-10 * expected);
}

// The forms of the source, in the plane.
class PlanarOracle : public testing::TestWithParam<FfdOrigin> {};
INSTANTIATE_TEST_SUITE_P(Origins, PlanarOracle,
                         testing::Values(FfdOrigin::kCentreOfMass, FfdOrigin::kLatticeCorner));

TEST_P(PlanarOracle, DerivativesOfJacobianAndMassMatrixAreThoseOfTheSource) {
  RandomNumbers random(kSeed);
  const FfdBody body = RandomFfdBody(2, 6, 3, GetParam(), &random);
  const VectorXd q = RandomCoordinates(body, &random);
  const double h = 1e-6;
  for (int l = 0; l < body.velocities(); ++l) {
    const VectorXd step = h * VectorXd::Unit(body.coordinates(), l);
    for (int n = 0; n < body.points(); ++n) {
      const MatrixXd difference =
          (body.Jacobian(q + step, n) - body.Jacobian(q - step, n)) / (2.0 * h);
      EXPECT_LT((JacobianDerivative(body, q, n, l) - difference).norm(), 1e-8) << "q_" << l;
    }
    const MatrixXd difference =
        (MassMatrixByPoints(body, q + step) - MassMatrixByPoints(body, q - step)) / (2.0 * h);
    EXPECT_LT((MassMatrixDerivative(body, q, l) - difference).norm(), 1e-7) << "q_" << l;
  }
}

TEST_P(PlanarOracle, BothFormsOfTheVelocityForcesAgree) {
  RandomNumbers random(kSeed + 1);
  for (int trial = 0; trial < 10; ++trial) {
    const FfdBody body = RandomFfdBody(2, 6, 3, GetParam(), &random);
    const VectorXd q = RandomCoordinates(body, &random), v = random.Vector(body.velocities());
    const auto inertia = MakeInertia(body);
    VectorXd h = VectorXd::Zero(body.velocities());
    inertia->Place(q);
    inertia->AddVelocityForces(v, h);
    const VectorXd expected = VelocityForcesByMassDerivatives(body, q, v);
    EXPECT_LT((h - expected).norm(), 1e-12 * std::max(1.0, expected.norm()));
  }
}

TEST(Inertia, OfAPlanarMotionIsTheSameInPlaneAndSpace) {
  RandomNumbers random(kSeed);
  Body table = ThesisTable();
  const std::vector<Eigen::Matrix3Xd> modes = {VerticalShear(), HorizontalBend(), VerticalSquash()};
  for (FfdOrigin origin : {FfdOrigin::kCentreOfMass, FfdOrigin::kLatticeCorner}) {
    const Lattice lattice({3, 3, 0}, {0, 0, 0}, {400, 300, 1});
    const FfdBody plane = InLattice(2, table, lattice, modes, origin);
    const FfdBody space = InLattice(3, table, lattice, modes, origin);
    const double theta = 0.9;
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(theta, Vector3d::UnitZ()));
    const VectorXd gamma = 0.2 * random.Vector(3);
    const VectorXd q2 = plane.Coordinates({5, 6, 0}, turn, gamma);
    const VectorXd q3 = space.Coordinates({5, 6, 0}, turn, gamma);
    const VectorXd v2 = random.Vector(6);
    VectorXd v3 = VectorXd::Zero(9);
    const int kept[6] = {0, 1, 5, 6, 7, 8};  // ẋ, ẏ, ω_z, γ̇
    for (int i = 0; i < 6; ++i) v3[kept[i]] = v2[i];
    VectorXd h2 = VectorXd::Zero(6), h3 = VectorXd::Zero(9);
    const auto inertia2 = MakeInertia(plane), inertia3 = MakeInertia(space);
    ASSERT_TRUE(inertia2->Place(q2) && inertia3->Place(q3));
    inertia2->AddVelocityForces(v2, h2);
    inertia3->AddVelocityForces(v3, h3);
    const MatrixXd m2 = inertia2->MassMatrix(q2), m3 = inertia3->MassMatrix(q3);
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(h2[i], h3[kept[i]], 1e-10 * h3.norm());
      for (int j = 0; j < 6; ++j) EXPECT_NEAR(m2(i, j), m3(kept[i], kept[j]), 1e-12 * m3.norm());
    }
    for (int i : {2, 3, 4}) EXPECT_NEAR(h3[i], 0.0, 1e-10 * h3.norm());
  }
}

TEST(Inertia, DeterminantOfTheTurnedSquashFollowsTheIdentity) {
  // det M(φ) = A cos⁴φ + B cos²φ sin²φ for a vertical squash and one turned by φ, on the table.
  constexpr double kA = 18377311773948641280000.0, kB = 28396983051217797120000.0;
  for (FfdOrigin origin : {FfdOrigin::kCentreOfMass, FfdOrigin::kLatticeCorner}) {
    for (double degrees : {0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 85.0}) {
      const double phi = degrees * std::numbers::pi / 180.0, c2 = std::pow(std::cos(phi), 2);
      const FfdBody body = InLattice(2, ThesisTable(), ThesisLattice(),
                                     {VerticalSquash(), TurnedSquash(phi)}, origin);
      const MatrixXd mass = MakeInertia(body)->MassMatrix(VectorXd::Zero(5));
      const double expected = kA * c2 * c2 + kB * c2 * (1.0 - c2);
      EXPECT_NEAR(mass.determinant(), expected, 1e-9 * expected) << degrees << "°";
    }
  }
}

// Rotation about the corner couples to translation, so that q̇ = (0, 0, θ̇) alone has momentum; the
// momentum of any motion is the first rows of M v.
TEST_P(InertiaTest, MomentumIsTheTranslationRowsOfMassTimesVelocity) {
  const int d = body_.dimension();
  const VectorXd turning = VectorXd::Unit(body_.velocities(), body_.twist_size() - 1);
  for (const VectorXd& v : {v_, turning}) {
    Eigen::Matrix3Xd x(3, body_.points()), x_dot(3, body_.points());
    body_.Points(q_, x);
    body_.PointVelocities(q_, v, x, x_dot);
    const Vector3d momentum = x_dot * body_.masses();
    EXPECT_LT(((inertia_->MassMatrix(q_) * v).head(d) - momentum.head(d)).norm(), 1e-12);
    if (v == turning) {
      EXPECT_EQ(momentum.norm() > 1e-3, std::get<1>(GetParam()) == FfdOrigin::kLatticeCorner);
    }
  }
}

// A straight line with its added inertia is a symmetric top: h = −ω × (I ω) with all of I, so that
// I ω is constant.
TEST(Inertia, AddedToALineTakesPartInItsPrecession) {
  const Body line = MakeChain("line", {0, 0, 0}, {1, 2, 2}, 5, 2.0);
  const FfdBody body =
      InLattice(3, line, Lattice::Around(line.rest, {1, 1, 1}), {}, FfdOrigin::kCentreOfMass);
  const auto inertia = MakeInertia(body);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.8, Vector3d(2, 1, -1).normalized()));
  const VectorXd q = body.Coordinates({0, 0, 0}, turn, VectorXd(0));
  VectorXd v(6), h = VectorXd::Zero(6);
  v << 0, 0, 0, 3, -2, 5;
  ASSERT_TRUE(inertia->Place(q));
  inertia->AddVelocityForces(v, h);
  const Vector3d omega = v.tail<3>();
  const Vector3d spin = inertia->MassMatrix(q).bottomRightCorner<3, 3>() * omega;
  EXPECT_LT((h.tail<3>() + omega.cross(spin)).norm(), 1e-12);
  EXPECT_GT((inertia->added_axis_inertia() * omega).norm(), 1e-4);
}

TEST(Inertia, OfTwoParallelModesIsSingular) {
  const FfdBody body =
      InLattice(2, ThesisTable(), ThesisLattice(),
                {VerticalSquash(), TurnedSquash(std::numbers::pi / 2)}, FfdOrigin::kCentreOfMass);
  const MatrixXd mass = MakeInertia(body)->MassMatrix(VectorXd::Zero(5));
  EXPECT_LT(mass.determinant(), 1e-12 * mass.diagonal().prod());
}

TEST(Inertia, IsAddedToAStraightLineInSpaceOnly) {
  const Body line = MakeChain("line", {0, 0, 0}, {1, 2, 2}, 5, 2.0);
  const Lattice lattice = Lattice::Around(line.rest, {1, 1, 1});
  const FfdBody space = InLattice(3, line, lattice, {}, FfdOrigin::kCentreOfMass);
  const auto inertia = MakeInertia(space);
  const VectorXd q = space.Coordinates({0, 0, 0}, Eigen::Quaterniond::Identity(), VectorXd(0));
  // Across the line: Σ m ℓ² of five points of 0.4 kg, 0.75 m apart.
  const double across = 0.4 * 2 * (0.75 * 0.75 + 1.5 * 1.5);
  EXPECT_NEAR(inertia->added_axis_inertia(), 1e-3 * across, 1e-12);
  const Vector3d axis = Vector3d(1, 2, 2) / 3.0, other = Vector3d(2, -1, 0).normalized();
  const Eigen::Matrix3d tensor = inertia->MassMatrix(q).block<3, 3>(3, 3);
  EXPECT_NEAR(axis.dot(tensor * axis), inertia->added_axis_inertia(), 1e-12);
  EXPECT_NEAR(other.dot(tensor * other), across, 1e-12);
  EXPECT_TRUE(inertia->Place(q));

  const Body sheet = MakeSheet("sheet", {1, 1}, {3, 3}, 1.0);
  const FfdBody flat =
      InLattice(3, sheet, Lattice::Around(sheet.rest, {1, 1, 1}), {}, FfdOrigin::kCentreOfMass);
  EXPECT_EQ(MakeInertia(flat)->added_axis_inertia(), 0.0);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
