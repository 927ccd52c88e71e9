// Rods against automatic differentiation, closed forms of beams and cables, and the laws of parts.

#include "models/finite_elements/rod.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/models/finite_elements/elastica.h"
#include "tests/models/finite_elements/nested_jets.h"
#include "tests/models/finite_elements/part_laws.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr RodSection kRodSection = {0.3, 40.0, 0.7};

// One span is a Bézier segment: energies from Bernstein polynomials and 4 Gauss points, from angles
// of tangents and not from invariants. `rest` and `x` hold 12 numbers, point by point.
template <typename T>
T SegmentEnergy(const Matrix3Xd& rest, const std::array<T, 12>& x, Rod::Kind kind) {
  const double nodes[4] = {0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                           0.93056815579702629};
  const double weights[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                             0.17392742256872693};
  const auto number = [](double x) { return Constant<T>(x); };
  T energy = number(0.0);
  for (int g = 0; g < 4; ++g) {
    const double s = nodes[g], r = 1.0 - s;
    const double first[4] = {-3 * r * r, 3 * r * r - 6 * r * s, 6 * r * s - 3 * s * s, 3 * s * s};
    const double second[4] = {6 * r, 6 * s - 12 * r, 6 * r - 12 * s, 6 * s};
    std::array<T, 3> a{number(0.0), number(0.0), number(0.0)}, c = a;
    Vector3d A = Vector3d::Zero(), C = A;
    for (int i = 0; i < 4; ++i) {
      A += first[i] * rest.col(i);
      C += second[i] * rest.col(i);
      for (int axis = 0; axis < 3; ++axis) {
        a[axis] += number(first[i]) * x[3 * i + axis];
        c[axis] += number(second[i]) * x[3 * i + axis];
      }
    }
    const double S = A.norm();
    const T square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const T length = sqrt(square);
    const T strain = length / number(S) - number(1.0);
    T bending = number(0.0);
    if (kind == Rod::Kind::kInPlane) {
      // The derivative of atan2(a_y, a_x).
      const T rate = (a[0] * c[1] - a[1] * c[0]) / square / number(S) -
                     number((A.x() * C.y() - A.y() * C.x()) / (S * S * S));
      bending = rate * rate;
    } else {
      // t′ = (c − t (t · c))/|a|.
      const T along = (a[0] * c[0] + a[1] * c[1] + a[2] * c[2]) / length;
      for (int axis = 0; axis < 3; ++axis) {
        const T rate = (c[axis] - a[axis] / length * along) / length / number(S);
        bending += rate * rate;
      }
    }
    energy += number(weights[g] * S * 0.5) * (number(kRodSection.stretching) * strain * strain +
                                              number(kRodSection.bending) * bending);
  }
  return energy;
}

class RodKinds : public testing::TestWithParam<Rod::Kind> {
 protected:
  static Rod Make(int spans) {
    return Rod(StraightLine(Vector3d(0.2, -0.1, 0.0), Vector3d(1.4, 0.7, 0.0), spans), kRodSection,
               GetParam());
  }
};

TEST_P(RodKinds, GradientAndTangentAreThoseOfAutomaticDifferentiation) {
  const Rod rod = Make(1);
  const Matrix3Xd q = Disturbed(rod, 0.2, 7);
  std::array<NestedJet<12>, 12> x;
  for (int i = 0; i < 12; ++i) x[i] = Variable<12>(q(i % 3, i / 3), i);
  const NestedJet<12> energy = SegmentEnergy(rod.rest(), x, GetParam());
  EXPECT_NEAR(Energy(rod, q), energy.a.a, 1e-13 * energy.a.a);
  const Matrix3Xd g = GradientOf(rod, q);
  MatrixXd k = MatrixXd::Zero(12, 12);
  rod.AddTangent(0, q, k);
  const bool planar = GetParam() == Rod::Kind::kInPlane;
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(g(i % 3, i / 3), energy.v[i].a, 1e-12 * g.norm());
    for (int j = 0; j < 12; ++j) {
      if (planar && (i % 3 == 2 || j % 3 == 2)) continue;  // z does not count there
      EXPECT_NEAR(k(i, j), energy.v[i].v[j], 1e-12 * k.norm());
    }
  }
}

TEST_P(RodKinds, RigidMotionsMakeNoStrainAndTurnForces) {
  const Rod rod = Make(5);
  ExpectRigidMotionsWithoutStrain(rod, 1.0);
  ExpectRotationTurnsForces(rod, Disturbed(rod, 0.05, 3));
}

TEST_P(RodKinds, DiscreteGradientKeepsEnergyAndMomenta) {
  const Rod rod = Make(4);
  const Matrix3Xd q0 = Disturbed(rod, 0.05, 3);
  Matrix3Xd q1 = SomeRotation(rod) * Disturbed(rod, 0.05, 4);  // a large rotation too
  ExpectDiscreteGradient(rod, q0, Disturbed(rod, 0.05, 4));
  const double difference = Energy(rod, q1) - Energy(rod, q0);
  Matrix3Xd g = Matrix3Xd::Zero(3, q0.cols());
  AddDiscreteGradient(rod, q0, q1, g);
  EXPECT_NEAR(g.cwiseProduct(q1 - q0).sum(), difference, 1e-11 * g.norm());
}

INSTANTIATE_TEST_SUITE_P(Rod, RodKinds, testing::Values(Rod::Kind::kInSpace, Rod::Kind::kInPlane));

TEST(Rod, ARingAtRestHasNoStrainAndItsLengthConverges) {
  std::vector<double> errors;
  for (const int spans : {8, 16, 32}) {
    const Rod ring(CircularLine(0.5, spans), kRodSection, Rod::Kind::kInPlane);
    ExpectRigidMotionsWithoutStrain(ring, 1.0);
    ExpectRotationTurnsForces(ring, Disturbed(ring, 0.02, 3));
    ExpectDiscreteGradient(ring, Disturbed(ring, 0.01, 5), Disturbed(ring, 0.01, 6));
    errors.push_back(std::abs(ring.mass().sum() / kRodSection.mass_per_length - M_PI));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4.0, 0.3);
}

TEST(Rod, ViscosityTakesEnergyAndDampsNoRotation) {
  const Rod chain(StraightLine(Vector3d::Zero(), Vector3d::UnitX(), 4), kRodSection,
                  Rod::Kind::kInPlane);
  const Rod ring(CircularLine(0.5, 6), kRodSection, Rod::Kind::kInPlane);
  for (const Rod* rod : {&chain, &ring}) {
    ExpectViscosity(*rod, Disturbed(*rod, 0.02, 3), Disturbed(*rod, 0.02, 4));
  }
  // In space only stretching is damped.
  const Rod in_space(StraightLine(Vector3d::Zero(), Vector3d::UnitX(), 4), kRodSection,
                     Rod::Kind::kInSpace);
  const Matrix3Xd q0 = Disturbed(in_space, 0.02, 3), q1 = Disturbed(in_space, 0.02, 4);
  Matrix3Xd g = Matrix3Xd::Zero(3, q0.cols());
  AddViscousForce(in_space, q0, q1, 0.3, g);
  EXPECT_GT(g.cwiseProduct(q1 - q0).sum(), 0.0);
  g.setZero();
  AddViscousForce(in_space, q0, SomeRotation(in_space) * q0, 0.3, g);
  EXPECT_LT(g.norm(), 1e-11);
}

// Linear functions are in the space: the points of a straight body are where they were, a uniform
// stretch has a uniform force, and a bend w = ½ κ x² of small κ has a uniform moment.
TEST(Rod, PassesThePatchTests) {
  CentreLine line = StraightLine(Vector3d::Zero(), Vector3d::UnitX() * 2.0, 5);
  line.points = Eigen::VectorXd::LinSpaced(7, 0.0, 1.0);
  const Rod rod(line, kRodSection, Rod::Kind::kInSpace);
  const Matrix3Xd points = rod.rest() * rod.embedding().transpose();
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(points(0, i), 2.0 * i / 6.0, 1e-14);
  EXPECT_NEAR(rod.mass().sum(), 2.0 * kRodSection.mass_per_length, 1e-14);

  const Matrix3Xd stretched = 1.1 * rod.rest();
  const Matrix3Xd g = GradientOf(rod, stretched);
  EXPECT_NEAR(Energy(rod, stretched), 0.5 * kRodSection.stretching * 0.01 * 2.0, 1e-13);
  EXPECT_LT(g.middleCols(1, g.cols() - 2).norm(), 1e-12);
  EXPECT_NEAR(g(0, g.cols() - 1), kRodSection.stretching * 0.1, 1e-12);

  // The coefficients of x² are the products of the inner knots, two by two.
  Matrix3Xd bend = Matrix3Xd::Zero(3, rod.node_count());
  Eigen::VectorXd squares(rod.node_count());
  for (int i = 0; i < rod.node_count(); ++i) squares(i) = std::pow(2.0 * rod.axis().Greville(i), 2);
  bend.row(1) = 0.5 * (rod.axis().Interpolation() * squares).transpose();
  Eigen::SparseMatrix<double> k(3 * rod.node_count(), 3 * rod.node_count());
  const Triplets entries = TangentEntries(rod, rod.rest());
  k.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd forces = k * bend.reshaped();
  EXPECT_NEAR(0.5 * bend.reshaped().dot(forces), 0.5 * kRodSection.bending * 2.0, 1e-11);
  EXPECT_LT(forces.segment(6, forces.size() - 12).norm(), 1e-11);  // a couple at each end only
}

TEST(Elastica, IsTheTable) {
  for (const auto& [alpha, deflection, x, angle] : kElasticaTable) {
    const Elastica exact(alpha);
    EXPECT_NEAR(exact.deflection, deflection, 1e-6);
    EXPECT_NEAR(exact.x, x, 1e-6);
    EXPECT_NEAR(exact.angle, angle, 1e-6);
  }
}

TEST(Rod, TheElasticaConverges) {
  const RodSection section = {1.0, 1e6, 1.0};
  const Elastica exact(3.0);
  std::vector<double> errors;
  for (const int spans : {8, 16, 32}) {
    const Rod rod(StraightLine(Vector3d::Zero(), Vector3d::UnitX(), spans), section,
                  Rod::Kind::kInPlane);
    const int tip = rod.node_count() - 1;
    Matrix3Xd q = rod.rest();
    Follow(
        rod, FreeUnknowns(rod, {0, 1, 4}),
        [tip](const Matrix3Xd&, double alpha, Matrix3Xd* forces, Triplets*) {
          (*forces)(1, tip) -= alpha;
        },
        0.0, 3.0, &q);
    errors.push_back(std::abs(-q(1, tip) - exact.deflection));
  }
  // Above four: the membrane locks less and less.
  EXPECT_GT(std::log2(errors[0] / errors[1]), 4.0);
  EXPECT_GT(std::log2(errors[1] / errors[2]), 4.0);
  EXPECT_LT(errors[2], 1e-6);
}

// [Irvine 1981]: span 1, unstretched length 1.2, weight 1.
TEST(Rod, ACableHangsInTheExtensibleCatenary) {
  struct Case {
    double EA, H, sag, length, tension;
  };
  for (const Case& c : {Case{10.0, 0.39552704, 0.34111170, 1.26195603, 0.71863874},
                        Case{100.0, 0.45977648, 0.29792987, 1.20682164, 0.75590635}}) {
    const Catenary exact(1.0, 1.2, 1.0, c.EA);
    EXPECT_NEAR(exact.horizontal, c.H, 1e-8);
    EXPECT_NEAR(exact.Y(0.6), c.sag, 1e-8);
    EXPECT_NEAR(exact.EndTension(), c.tension, 1e-8);
    std::vector<double> errors;
    for (const int spans : {16, 32, 64}) {
      const Rod rod(StraightLine(Vector3d::Zero(), Vector3d::UnitX() * 1.2, spans),
                    {1.0, c.EA, 0.0}, Rod::Kind::kInPlane);
      const int end = rod.node_count() - 1;
      Matrix3Xd start(3, rod.node_count());
      for (int i = 0; i <= end; ++i) {
        const double angle = M_PI * rod.axis().Greville(i);  // a half circle: in tension
        start.col(i) << 0.5 - 0.5 * std::cos(angle), -0.5 * std::sin(angle), 0.0;
      }
      Matrix3Xd q = start * rod.axis().Interpolation().transpose();
      q.col(0).setZero();
      q.col(end) = Vector3d::UnitX();
      const Eigen::VectorXd weights = rod.mass() * Eigen::VectorXd::Ones(rod.node_count());
      ASSERT_TRUE(FindEquilibrium(
          rod, FreeUnknowns(rod, {0, 1, 3 * end, 3 * end + 1}),
          [&weights](const Matrix3Xd&, double, Matrix3Xd* forces, Triplets*) {
            forces->row(1) -= weights.transpose();
          },
          1.0, &q));
      const Vector3d support = GradientOf(rod, q).col(end);
      const Eigen::VectorXd s = Eigen::VectorXd::LinSpaced(200, 0.0, 1.0);
      const Matrix3Xd points = q * rod.Functions(s).transpose();
      double square = 0.0, length = 0.0;
      for (int i = 0; i < s.size(); ++i) {
        const double along = 1.2 * s(i);
        square +=
            std::pow(points(0, i) - exact.X(along), 2) + std::pow(points(1, i) + exact.Y(along), 2);
      }
      errors.push_back(std::sqrt(square / s.size()));
      if (spans < 64) continue;
      EXPECT_NEAR(support.x(), c.H, 2e-8);
      EXPECT_NEAR(std::hypot(support.x(), support.y() + weights(end)), c.tension, 2e-8);
      EXPECT_NEAR(-(q * rod.Functions(Eigen::VectorXd::Constant(1, 0.5)).transpose())(1), c.sag,
                  2e-8);
      const Eigen::VectorXd fine = Eigen::VectorXd::LinSpaced(4001, 0.0, 1.0);
      const Matrix3Xd line = q * rod.Functions(fine).transpose();
      for (int i = 1; i < fine.size(); ++i) length += (line.col(i) - line.col(i - 1)).norm();
      EXPECT_NEAR(length, c.length, 1e-7);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.7);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4.0, 0.3);
  }
}

// Euler–Bernoulli: f_n = (β_n L)²/(2π L²) √(EI/ρA).
TEST(Rod, HasTheFrequenciesOfBeams) {
  const double length = 1.0, side = 0.02;
  const RodSection section = RodSection::Square(1000.0, 1e6, side);
  const Rod rod(StraightLine(Vector3d::Zero(), Vector3d::UnitX() * length, 24), section,
                Rod::Kind::kInPlane);
  const double unit =
      std::sqrt(section.bending / section.mass_per_length) / (2.0 * M_PI * length * length);
  const Eigen::VectorXd clamped = Frequencies(rod, {0, 1, 4});
  const std::array<double, 5> cantilever = {1.8751041, 4.6940911, 7.8547574, 10.9955407,
                                            14.1371684};
  for (int n = 0; n < 5; ++n) {
    EXPECT_NEAR(clamped(n), unit * std::pow(cantilever[n], 2), 1e-4 * clamped(n)) << n;
  }

  const Eigen::VectorXd free = Frequencies(rod, {});
  const std::array<double, 4> beam = {4.7300407, 7.8532046, 10.9956078, 14.1371655};
  for (int n = 0; n < 3; ++n) EXPECT_LT(free(n), 1e-3 * free(3));  // rigid motions
  for (int n = 0; n < 4; ++n) {
    EXPECT_NEAR(free(3 + n), unit * std::pow(beam[n], 2), 1e-4 * free(3 + n)) << n;
  }
  // Along it: f = √(E/ρ)/(2 L).
  const double axial = std::sqrt(1e6 / 1000.0) / (2.0 * length);
  double nearest = 1e9;
  for (double f : free) nearest = std::min(nearest, std::abs(f - axial));
  EXPECT_LT(nearest, 1e-6 * axial);
}

// A ring bends in its plane without stretching [Love 1927, §293]:
// ω_n² = n² (n² − 1)²/(n² + 1) EI/(ρA R⁴).
TEST(Rod, HasTheFrequenciesOfARing) {
  const double radius = 0.5;
  const RodSection section = RodSection::Square(1000.0, 1e6, 0.005);
  const double unit =
      std::sqrt(section.bending / section.mass_per_length) / (2.0 * M_PI * radius * radius);
  std::vector<double> errors;
  for (const int spans : {24, 48, 96}) {
    const Rod ring(CircularLine(radius, spans), section, Rod::Kind::kInPlane);
    const Eigen::VectorXd f = Frequencies(ring, {});
    double worst = 0.0;
    for (int n = 2; n <= 4; ++n) {
      const double exact = unit * n * (n * n - 1.0) / std::sqrt(n * n + 1.0);
      const int first = 3 + 2 * (n - 2);
      if (spans == 96) {
        EXPECT_NEAR(f(first), exact, 1e-3 * exact) << n;
        EXPECT_NEAR(f(first + 1), exact, 1e-3 * exact) << n;
      }
      if (n == 2) worst = std::abs(f(first) - exact) / exact;
    }
    errors.push_back(worst);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 4.0);
  EXPECT_GT(std::log2(errors[1] / errors[2]), 4.0);
  EXPECT_LT(errors[2], 1e-5);  // of n = 2, as the ring stretches a little
}

}  // namespace
}  // namespace pliant::finite_elements
