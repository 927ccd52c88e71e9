// Stress and tangent of each law against automatic differentiation of its energy, written here once
// more as a function of F.

#include "models/elasticity/law.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <random>
#include <string>

namespace pliant::elasticity {
namespace {

using Eigen::Matrix3d;

constexpr double kE = 1.7e3, kNu = 0.34;
constexpr double kMu = kE / (2.0 * (1.0 + kNu));
constexpr double kLambda = kE * kNu / ((1.0 + kNu) * (1.0 - 2.0 * kNu));

// A function of the nine entries of F with its gradient and Hessian: automatic differentiation of
// second order, forwards.
struct Jet {
  Jet() : Jet(0.0) {}
  Jet(double value) : a(value), g(Vector::Zero()), h(Matrix::Zero()) {}  // NOLINT: like a number
  static Jet Variable(double value, int k) {
    Jet x(value);
    x.g[k] = 1.0;
    return x;
  }
  // f(this), from f, f' and f''.
  Jet Apply(double f, double slope, double curvature) const {
    Jet y(f);
    y.g = slope * g;
    y.h = slope * h + curvature * g * g.transpose();
    return y;
  }
  Jet& operator+=(const Jet& o) { return *this = *this + o; }
  friend Jet operator+(const Jet& x, const Jet& y) { return Sum(x, y, 1.0); }
  friend Jet operator-(const Jet& x, const Jet& y) { return Sum(x, y, -1.0); }
  friend Jet operator*(const Jet& x, const Jet& y) {
    Jet z(x.a * y.a);
    z.g = x.a * y.g + y.a * x.g;
    z.h = x.a * y.h + y.a * x.h + x.g * y.g.transpose() + y.g * x.g.transpose();
    return z;
  }
  friend Jet operator/(const Jet& x, const Jet& y) {
    return x * y.Apply(1.0 / y.a, -1.0 / (y.a * y.a), 2.0 / (y.a * y.a * y.a));
  }
  friend Jet log(const Jet& x) { return x.Apply(std::log(x.a), 1.0 / x.a, -1.0 / (x.a * x.a)); }

  using Vector = Eigen::Vector<double, 9>;
  using Matrix = Eigen::Matrix<double, 9, 9>;
  double a;
  Vector g;
  Matrix h;

 private:
  static Jet Sum(const Jet& x, const Jet& y, double sign) {
    Jet z(x.a + sign * y.a);
    z.g = x.g + sign * y.g;
    z.h = x.h + sign * y.h;
    return z;
  }
};

// 3×3, column by column.
template <typename T>
struct Matrix3 {
  std::array<T, 9> entries = {};
  T& operator()(int k) { return entries[k]; }
  T& operator()(int i, int j) { return entries[i + 3 * j]; }
  const T& operator()(int k) const { return entries[k]; }
  const T& operator()(int i, int j) const { return entries[i + 3 * j]; }
};

// aᵀ b
template <typename T>
Matrix3<T> TransposedTimes(const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) c(i, j) += a(k, i) * b(k, j);
    }
  }
  return c;
}

template <typename T>
T Determinant(const Matrix3<T>& F) {
  return F(0, 0) * (F(1, 1) * F(2, 2) - F(1, 2) * F(2, 1)) -
         F(0, 1) * (F(1, 0) * F(2, 2) - F(1, 2) * F(2, 0)) +
         F(0, 2) * (F(1, 0) * F(2, 1) - F(1, 1) * F(2, 0));
}

template <typename T>
Matrix3<T> CofactorOf(const Matrix3<T>& F) {
  Matrix3<T> cof;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      cof(i, j) = F(a, c) * F(b, d) - F(a, d) * F(b, c);
    }
  }
  return cof;
}

// The rotation nearest to F, det F > 0, by Higham's iteration R ← ½ (R + R⁻ᵀ).
template <typename T>
Matrix3<T> RotationOf(const Matrix3<T>& F) {
  Matrix3<T> R = F;
  for (int i = 0; i < 12; ++i) {
    const T determinant = Determinant<T>(R);
    const Matrix3<T> cof = CofactorOf<T>(R);
    for (int k = 0; k < 9; ++k) R(k) = 0.5 * (R(k) + cof(k) / determinant);
  }
  return R;
}

template <typename T>
T SquareSum(const Matrix3<T>& m) {
  T sum = m(0) * m(0);
  for (int k = 1; k < 9; ++k) sum += m(k) * m(k);
  return sum;
}

template <typename T>
T EnergyOf(ElasticLaw law, const Matrix3<T>& F) {
  using std::log;
  Matrix3<T> strain;
  switch (law) {
    case ElasticLaw::kLinear:
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) strain(i, j) = 0.5 * (F(i, j) + F(j, i)) - (i == j ? 1.0 : 0.0);
      }
      break;
    case ElasticLaw::kStVenantKirchhoff:
      strain = TransposedTimes<T>(F, F);
      for (int k = 0; k < 9; ++k) strain(k) = 0.5 * (strain(k) - (k % 4 == 0 ? 1.0 : 0.0));
      break;
    case ElasticLaw::kCorotated:
      strain = TransposedTimes<T>(RotationOf<T>(F), F);
      for (int i = 0; i < 3; ++i) strain(i, i) = strain(i, i) - 1.0;
      break;
    case ElasticLaw::kNeoHookeanLog: {
      const T log_J = log(Determinant<T>(F));
      return 0.5 * kMu * (SquareSum<T>(F) - 3.0) - kMu * log_J + 0.5 * kLambda * log_J * log_J;
    }
    case ElasticLaw::kNeoHookeanStable: {
      const double mu = 4.0 / 3.0 * kMu, lambda = kLambda + 5.0 / 6.0 * kMu;
      const double alpha = 1.0 + mu / lambda - mu / (4.0 * lambda);  // as in the source, Eq. 14
      const T J = Determinant<T>(F), I = SquareSum<T>(F);
      return 0.5 * mu * (I - 3.0) + 0.5 * lambda * (J - alpha) * (J - alpha) -
             0.5 * mu * log(I + 1.0);
    }
  }
  const T trace = strain(0, 0) + strain(1, 1) + strain(2, 2);
  return kMu * SquareSum<T>(strain) + 0.5 * kLambda * trace * trace;
}

// Value, gradient and Hessian in the nine entries of F, column by column.
struct Derivatives {
  double value;
  Eigen::Vector<double, 9> gradient;
  Eigen::Matrix<double, 9, 9> hessian;
};
Derivatives Differentiate(ElasticLaw law, const Matrix3d& F) {
  Matrix3<Jet> jets;
  for (int k = 0; k < 9; ++k) jets(k) = Jet::Variable(F(k), k);
  const Jet energy = EnergyOf<Jet>(law, jets);
  return {energy.a, energy.g, energy.h};
}

Matrix3d Tensor(const Vector6d& s) {
  Matrix3d S;
  S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return S;
}

// P = F S and ∂P/∂F = F D F + 1 ⊗ S of a response; of the linear law with 1 for F and no second term.
Eigen::Vector<double, 9> FirstPiola(const Law& law, const Matrix3d& F, const Law::Response& r) {
  const Matrix3d frame = law.linear() ? Matrix3d::Identity() : F;
  const Matrix3d P = frame * Tensor(r.stress);
  return P.reshaped();
}
Eigen::Matrix<double, 9, 9> FirstPiolaTangent(const Law& law, const Matrix3d& F,
                                              const Law::Response& r) {
  constexpr std::array<std::array<int, 3>, 3> kComponent = {{{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}};
  const Matrix3d frame = law.linear() ? Matrix3d::Identity() : F;
  const Matrix3d S = Tensor(r.stress);
  Eigen::Matrix<double, 9, 9> A = Eigen::Matrix<double, 9, 9>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int J = 0; J < 3; ++J) {
      for (int k = 0; k < 3; ++k) {
        for (int L = 0; L < 3; ++L) {
          double& entry = A(i + 3 * J, k + 3 * L);
          for (int M = 0; M < 3; ++M) {
            for (int N = 0; N < 3; ++N) {
              entry += frame(i, M) * r.tangent(kComponent[M][J], kComponent[N][L]) * frame(k, N);
            }
          }
          if (i == k && !law.linear()) entry += S(J, L);
        }
      }
    }
  }
  return A;
}

struct Place {
  Matrix3d F, C;
  double sign;
};
Place At(const Law& law, const Matrix3d& F) {
  if (law.linear()) return {F, F + F.transpose() - Matrix3d::Identity(), 1.0};
  return {F, F.transpose() * F, F.determinant() > 0.0 ? 1.0 : -1.0};
}

class ElasticLaws : public testing::TestWithParam<ElasticLaw> {
 protected:
  // A random F with det F > 0 and stretches of a few tenths.
  Matrix3d RandomGradient() {
    std::normal_distribution<double> normal;
    Matrix3d F;
    do {
      for (int k = 0; k < 9; ++k) F(k) = 0.35 * normal(random_);
      F += Eigen::Quaterniond(normal(random_), normal(random_), normal(random_), normal(random_))
               .normalized()
               .toRotationMatrix();
    } while (F.determinant() < 0.2);
    return F;
  }
  // The same in a plane, with F₃₃ = 1.
  Matrix3d RandomPlanarGradient() {
    std::normal_distribution<double> normal;
    Matrix3d F;
    do {
      F.setIdentity();
      const double angle = normal(random_);
      F.topLeftCorner<2, 2>() = Eigen::Rotation2Dd(angle).toRotationMatrix();
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) F(i, j) += 0.25 * normal(random_);
      }
    } while (F.topLeftCorner<2, 2>().determinant() < 0.3);
    return F;
  }
  std::mt19937 random_{7};
};

TEST_P(ElasticLaws, StressAndTangentAreDerivativesOfTheEnergy) {
  const Law law(GetParam(), kE, kNu, Law::Kind::kSolid);
  const double at_rest = Differentiate(GetParam(), Matrix3d::Identity()).value;
  for (int trial = 0; trial < 20; ++trial) {
    const Place place = At(law, RandomGradient());
    Law::Response response;
    law.Respond(place.C, place.sign, &response);
    const Derivatives exact = Differentiate(GetParam(), place.F);
    EXPECT_NEAR(law.Energy(place.C, place.sign), exact.value - at_rest, 1e-12 * kE);
    EXPECT_NEAR(response.energy, exact.value - at_rest, 1e-12 * kE);
    EXPECT_LT((FirstPiola(law, place.F, response) - exact.gradient).norm(), 1e-11 * kE);
    EXPECT_LT((FirstPiolaTangent(law, place.F, response) - exact.hessian).norm(), 1e-10 * kE);
  }
}

TEST_P(ElasticLaws, IsThatOfSmallStrainAtRest) {
  const Law law(GetParam(), kE, kNu, Law::Kind::kSolid);
  Law::Response response;
  law.Respond(Matrix3d::Identity(), 1.0, &response);
  EXPECT_NEAR(response.energy, 0.0, 1e-14 * kE);
  EXPECT_LT(response.stress.norm(), 1e-13 * kE);
  Matrix6d hooke = Matrix6d::Zero();
  hooke.topLeftCorner<3, 3>().setConstant(kLambda);
  hooke.diagonal() += kMu * (Vector6d() << 2, 2, 2, 1, 1, 1).finished();
  EXPECT_LT((response.tangent - hooke).norm(), 1e-12 * kE);
}

TEST_P(ElasticLaws, StressAndTangentAreDerivativesAlsoInPlaneStrain) {
  const Law law(GetParam(), kE, kNu, Law::Kind::kPlaneStrain);
  const double at_rest = Differentiate(GetParam(), Matrix3d::Identity()).value;
  const std::array<int, 4> in_plane = {0, 1, 3, 4};
  for (int trial = 0; trial < 20; ++trial) {
    const Place place = At(law, RandomPlanarGradient());
    Law::Response response;
    law.Respond(place.C, place.sign, &response);
    const Derivatives exact = Differentiate(GetParam(), place.F);
    EXPECT_NEAR(response.energy, exact.value - at_rest, 1e-12 * kE);
    const Eigen::Vector<double, 9> P = FirstPiola(law, place.F, response);
    EXPECT_LT((P(in_plane) - exact.gradient(in_plane)).norm(), 1e-11 * kE);
    const auto A = FirstPiolaTangent(law, place.F, response);
    EXPECT_LT((A(in_plane, in_plane) - exact.hessian(in_plane, in_plane)).norm(), 1e-10 * kE);
  }
}

// The thickness that minimises the energy is found here by bisection, and the energy that is left is
// differentiated as a function of the four other entries.
TEST_P(ElasticLaws, PlaneStressIsTheLeastEnergyOverTheThickness) {
  const Law law(GetParam(), kE, kNu, Law::Kind::kPlaneStress);
  const double at_rest = Differentiate(GetParam(), Matrix3d::Identity()).value;
  const std::array<int, 4> in_plane = {0, 1, 3, 4};
  for (int trial = 0; trial < 20; ++trial) {
    const Place place = At(law, RandomPlanarGradient());
    // Green's strain −½ is a thickness of 0: no law beyond it.
    const double strain = 0.5 * (place.C(0, 0) + place.C(1, 1)) - 1.0;
    if (GetParam() == ElasticLaw::kStVenantKirchhoff &&
        kLambda / (kLambda + 2.0 * kMu) * strain > 0.4) {
      continue;
    }
    Law::Response response;
    law.Respond(place.C, place.sign, &response);
    Matrix3d F = place.F;
    double low = 0.05, high = 5.0;
    for (int i = 0; i < 100; ++i) {
      F(2, 2) = 0.5 * (low + high);
      (Differentiate(GetParam(), F).gradient[8] > 0.0 ? high : low) = F(2, 2);
    }
    const Derivatives exact = Differentiate(GetParam(), F);
    EXPECT_NEAR(law.Energy(place.C, place.sign), exact.value - at_rest, 1e-12 * kE);
    const Eigen::Vector<double, 9> P = FirstPiola(law, place.F, response);
    EXPECT_LT((P(in_plane) - exact.gradient(in_plane)).norm(), 1e-10 * kE);
    const Eigen::Vector4d column = exact.hessian.col(8)(in_plane);
    const Eigen::Matrix4d condensed =
        exact.hessian(in_plane, in_plane) - column * column.transpose() / exact.hessian(8, 8);
    const auto A = FirstPiolaTangent(law, place.F, response);
    EXPECT_LT((A(in_plane, in_plane) - condensed).norm(), 1e-9 * kE);
  }
}

std::string NameOf(const testing::TestParamInfo<ElasticLaw>& info) {
  constexpr std::array kNames = {"Linear", "StVenantKirchhoff", "Corotated", "NeoHookeanLog",
                                 "NeoHookeanStable"};
  return kNames[static_cast<size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(All, ElasticLaws,
                         testing::Values(ElasticLaw::kLinear, ElasticLaw::kStVenantKirchhoff,
                                         ElasticLaw::kCorotated, ElasticLaw::kNeoHookeanLog,
                                         ElasticLaw::kNeoHookeanStable),
                         NameOf);

// A mirrored body is not at rest: the corotated and the stable law pull it back, as their energies
// in F say.
TEST(ElasticLaw, TheStableLawIsSmoothThroughInversion) {
  const Law law(ElasticLaw::kNeoHookeanStable, kE, kNu, Law::Kind::kSolid);
  Matrix3d F = Matrix3d::Identity();
  F(0, 0) = -0.4;
  F(1, 2) = 0.2;
  const Place place = At(law, F);
  Law::Response response;
  law.Respond(place.C, place.sign, &response);
  const Derivatives exact = Differentiate(ElasticLaw::kNeoHookeanStable, F);
  EXPECT_LT((FirstPiola(law, F, response) - exact.gradient).norm(), 1e-11 * kE);
  EXPECT_LT((FirstPiolaTangent(law, F, response) - exact.hessian).norm(), 1e-10 * kE);
}

TEST(ElasticLaw, TheCorotatedLawOfAMirroredBodyHasANegativeStretch) {
  const Law law(ElasticLaw::kCorotated, kE, kNu, Law::Kind::kSolid);
  const Matrix3d F = Eigen::Vector3d(1.3, 0.9, -0.4).asDiagonal();
  // The rotation nearest to diag(s) with s₃ < 0 the smallest is 1.
  const Eigen::Vector3d excess(0.3, -0.1, -1.4);
  const double energy = kMu * excess.squaredNorm() + 0.5 * kLambda * excess.sum() * excess.sum();
  EXPECT_NEAR(law.Energy(F.transpose() * F, -1.0), energy, 1e-12 * kE);
}

}  // namespace
}  // namespace pliant::elasticity
