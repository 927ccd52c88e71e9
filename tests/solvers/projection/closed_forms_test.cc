// Constrained motion and rest against closed forms: a rod on a nail let go at 2.9 rad swings by an
// elliptic integral, and a hanging chain pulls at its nails as the catenary does.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/shapes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kLength = 0.5;  // m, of the pendulum
constexpr double kAngle = 2.9;   // rad from the vertical

ParameterValues ToRounding() {
  return {{"tolerance", 1e-11}, {"max_sweeps", std::int64_t{100000}}};
}

// The distance [m] from the lowest point, where the pendulum is after a quarter of its period
// 4 √(L/g) K(sin(θ₀/2)).
double MissAfterAQuarter(const std::string& formulation, const ParameterValues& parameters,
                         int steps) {
  Body rod = MakeChain("rod", {0, 0, 0}, {0, -kLength, 0}, 2, 2.0);
  rod.orientation = Eigen::AngleAxisd(kAngle, Vector3d::UnitZ());
  rod.position = rod.orientation * rod.position;
  Scene scene = Weightless({rod});
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "pivot", {0, 0})};
  const Vector3d pivot = scene.InitialPoints().col(0);
  const double quarter = std::sqrt(kLength / kG) * std::comp_ellint_1(std::sin(0.5 * kAngle));
  const Translation translation = TranslateBy(formulation, scene, parameters);
  const Observation end = RunFor(translation.simulation.get(), steps, quarter / steps);
  return (end.points.col(1) - pivot - Vector3d(0, -kLength, 0)).norm();
}

TEST(LargeSwing, IsThatOfTheEllipticIntegralAtFirstOrder) {
  for (const char* formulation : kSweepingFormulations) {
    const double coarse = MissAfterAQuarter(formulation, ToRounding(), 2000);
    const double fine = MissAfterAQuarter(formulation, ToRounding(), 4000);
    const double finest = MissAfterAQuarter(formulation, ToRounding(), 8000);
    EXPECT_LT(finest, 2e-3 * kLength) << formulation;
    EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.1) << formulation;
    EXPECT_NEAR(std::log2(fine / finest), 1.0, 0.05) << formulation;
  }
}

// The rod of linear-deformation can stretch, by about m g/k: the stiffer, the nearer.
TEST(LargeSwing, LinearDeformationNearsItWithItsStiffness) {
  const auto miss = [](double stiffness) {
    return MissAfterAQuarter(
        "linear-deformation",
        {{"integrator", std::string("rk4")}, {"stretch_stiffness", stiffness}, {"damping", 0.0}},
        8000);
  };
  const double soft = miss(1e3), stiff = miss(4e3), stiffest = miss(1.6e4);
  EXPECT_LT(stiffest, 1e-2 * kLength);
  EXPECT_NEAR(std::log2(soft / stiff), 2.0, 0.4) << soft << " " << stiff;
  EXPECT_NEAR(std::log2(stiff / stiffest), 2.0, 0.3) << stiff << " " << stiffest;
}

// A chain of 1.5 m and 1.5 kg between nails 1 m apart at one height.
constexpr double kSpan = 1.0, kChain = 1.5, kMass = 1.5;

// The horizontal pull [N] of the catenary: w a with 2 a sinh(D/(2 a)) = S.
double PullOfTheCatenary() {
  double low = 0.01, high = 100.0;  // a [m]; the length falls with it
  for (int i = 0; i < 200; ++i) {
    const double a = 0.5 * (low + high);
    (2.0 * a * std::sinh(0.5 * kSpan / a) > kChain ? low : high) = a;
  }
  return kMass / kChain * kG * low;
}

// The pull [N] in the first nail of a chain of n equal links, n even, with the points in balance: the
// i-th link from the middle has the slope (i − ½) m g/H, with m the mass of a point. It starts there
// and must stay there.
double PullOfAChain(const std::string& formulation, int n) {
  const double link = kChain / n, weight = kMass / n * kG;
  const auto half_span = [&](double pull) {
    double sum = 0.0;
    for (int i = 1; i <= n / 2; ++i) sum += link / std::hypot(1.0, (i - 0.5) * weight / pull);
    return sum;
  };
  double low = 1e-3, high = 1e3;  // N
  for (int i = 0; i < 200; ++i) {
    const double pull = 0.5 * (low + high);
    (half_span(pull) > 0.5 * kSpan ? high : low) = pull;
  }
  Matrix3Xd points = Matrix3Xd::Zero(3, n + 1);
  for (int i = 0; i < n; ++i) {
    const double slope = (i - 0.5 * (n - 1)) * weight / low;
    points.col(i + 1) = points.col(i) + link * Vector3d(1.0, slope, 0.0).normalized();
  }
  Body chain = MakeChain("chain", {0, 0, 0}, {1, 0, 0}, n + 1, 1.0);
  chain.mass.setConstant(kMass / n);
  chain.position = points.rowwise().mean();
  chain.orientation.setIdentity();
  chain.rest = points.colwise() - chain.position;
  Scene scene = Weightless({chain});
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "left", {0, 0}),
                 NailWhereItStarts(scene, "right", {0, n})};
  const Translation translation = TranslateBy(formulation, scene, ToRounding());
  translation.simulation->KeepConstraintForces();
  const Observation end = RunFor(translation.simulation.get(), 200, 1e-3);
  EXPECT_LT((end.points - points).colwise().norm().maxCoeff(), 1e-5 * kSpan)
      << formulation << ", " << n << " links";
  const auto forces = translation.simulation->ConstraintForces();
  if (!forces) {
    ADD_FAILURE() << "no forces of constraints";
    return 0.0;
  }
  return -(*forces)(0, 0);
}

TEST(Catenary, ChainsInBalanceStayAndPullAsItDoesAtSecondOrderInTheLinks) {
  const double exact = PullOfTheCatenary();
  for (const char* formulation : kSweepingFormulations) {
    const double coarse = PullOfAChain(formulation, 8) - exact;
    const double fine = PullOfAChain(formulation, 16) - exact;
    const double finest = PullOfAChain(formulation, 32) - exact;
    EXPECT_LT(std::abs(finest), 0.005 * exact) << formulation;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15) << formulation << " " << coarse << " " << fine;
    EXPECT_NEAR(std::log2(fine / finest), 2.0, 0.15) << formulation << " " << finest;
  }
}

}  // namespace
}  // namespace pliant
