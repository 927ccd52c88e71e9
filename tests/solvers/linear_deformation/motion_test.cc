// The motion of linearly deformable bodies: closed forms, limits and invariants.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

const std::string kSchemes[] = {"semi-implicit-euler", "implicit-midpoint", "rk4"};
constexpr int kOrders[] = {1, 2, 4};

// A pendulum and a block whose nail is led along a smooth path, undamped.
Scene LedBlock() {
  Scene scene;
  scene.bodies = {MakeBlock("block", {0.6, 0.4, 0.5}, {3, 3, 3}, 2.0)};
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 3);
  const Vector3d corner = scene.bodies[0].rest.col(0);
  keys.col(0) = corner;
  keys.col(1) = corner + Vector3d(0.3, 0.2, -0.1);
  keys.col(2) = corner + Vector3d(-0.2, 0.5, 0.3);
  scene.nails = {{"lead", {0, 0}, Path({0.0, 0.4, 1.0}, keys, Path::Interpolation::kCubic)}};
  return scene;
}

// c̈ + 2ζω ċ + ω² c = 0 from a gap c₀ at rest, exactly (ζ < 1).
double GapAfter(double t, double c0, double omega, double zeta) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  return c0 * std::exp(-zeta * omega * t) *
         (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
}
double GapRateAfter(double t, double c0, double omega, double zeta) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  return -c0 * std::exp(-zeta * omega * t) * omega * omega / damped * std::sin(damped * t);
}

TEST(Feedback, GapClosesAtItsOwnRateWhateverTheBody) {
  for (int kind = 0; kind < 3; ++kind) {
    Scene scene;
    Body body = kind == 0   ? MakeBlock("body", {0.6, 0.4, 0.5}, {3, 3, 3}, 0.1)
                : kind == 1 ? MakeBlock("body", {2.0, 1.0, 1.5}, {3, 3, 3}, 50.0)
                            : Sheet();
    body.angular_velocity = Vector3d::Zero();
    scene.bodies = {body};
    // A gap of 0.05 m in y at each of two points.
    for (int point : {0, 6}) {
      scene.nails.push_back(NailWhereItStarts(scene, "n", {0, point}));
      Eigen::Vector3d key = scene.nails.back().path.keys().col(0) + Vector3d(0.0, 0.05, 0.0);
      scene.nails.back().path = Path::Still(key);
    }
    const auto translation = Translate(scene, {{"feedback_frequency", 8.0},
                                               {"feedback_damping_ratio", 0.3},
                                               {"order", std::int64_t{2}},
                                               {"stretch_stiffness", 5.0},
                                               {"volume_stiffness", 5.0},
                                               {"integrator", std::string("rk4")}});
    const Observation observation = RunFor(translation.simulation.get(), 0.4, 1e-3);
    EXPECT_NEAR(observation.constraint_error.value(), std::abs(GapAfter(0.4, 0.05, 8.0, 0.3)), 1e-7)
        << "kind " << kind;
    EXPECT_NEAR(observation.constraint_rate.value(), std::abs(GapRateAfter(0.4, 0.05, 8.0, 0.3)),
                1e-6)
        << "kind " << kind;
    ASSERT_FALSE(translation.warnings.empty());
    EXPECT_NE(translation.warnings[0].find("start apart by up to 0.05 m"), std::string::npos);
  }
}

// E(t) − E(0) = ∫ λ·ṅ dt, with the multiplier that the solver found and nothing else.
TEST(MovingNail, WorkIsTheForceTimesTheVelocityOfTheNail) {
  const Scene scene = LedBlock();
  auto mismatch = [&](double h) {
    const auto system = MakeSystem(scene, 1, {300.0, 200.0, 0.0, 0.0}, {0.0, 1.0});
    Integrator integrator({Scheme::kRungeKutta4});
    const SceneForces forces(scene);
    VectorXd q, v, a;
    system->InitialState(scene, &q, &v);
    Eigen::Matrix3Xd x, x_dot;
    auto energy = [&] {
      system->Points(q, &x);
      system->Points(v, &x_dot);
      return KineticEnergy(forces.masses(), x_dot) + forces.GravitationalEnergy(x) +
             system->ElasticEnergy(q);
    };
    auto nail_power = [&](double t) {
      Exchange unused;
      system->Rates(t, q, v, &a, &unused);
      return system->constraint_state().multipliers.row(0).dot(
          scene.nails[0].path.At(t).velocity.transpose());
    };
    const double start = energy();
    double work = 0.0;
    Exchange ledger;
    const auto steps = std::llround(0.8 / h);
    for (long long i = 0; i < steps; ++i) {  // trapezoidal rule
      const double t = static_cast<double>(i) * h;
      work += 0.5 * h * nail_power(t);
      integrator.Step(*system, t, h, &q, &v, &ledger);
      work += 0.5 * h * nail_power(t + h);
    }
    EXPECT_GT(std::abs(work), 1.0);
    EXPECT_NEAR(ledger.TotalWork(), energy() - start, 1e-6);
    return std::abs(energy() - start - work);
  };
  const double coarse = mismatch(1e-3), fine = mismatch(5e-4);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(ObservedOrder(coarse, fine), 2.0, 0.3);
}

TEST(Ledger, ResidualVanishesAtTheOrderOfTheIntegrator) {
  for (int i = 0; i < 3; ++i) {
    const ParameterValues parameters = {{"integrator", kSchemes[i]},
                                        {"stretch_stiffness", 100.0},
                                        {"volume_stiffness", 100.0},
                                        {"source_damping", 0.001}};
    for (const Scene& scene : {LedBlock(), Pendulum(3), SpinningBlock()}) {
      const double coarse = LargestResidual(scene, parameters, 0.5, 2e-3);
      const double fine = LargestResidual(scene, parameters, 0.5, 1e-3);
      EXPECT_NEAR(ObservedOrder(coarse, fine), kOrders[i], 0.35)
          << kSchemes[i] << " " << scene.bodies[0].name << " " << coarse << " " << fine;
    }
  }
}

// Small stretch of a link: ω² = 8 k_e / (m (L/2)²), decay e^{−damping t/2}.
TEST(FreeBody, LinkVibratesAtItsClosedForm) {
  Scene scene = Pendulum(1, 0.5, 1.3);
  scene.nails.clear();
  scene.gravity.setZero();
  const double stretch = 1e-5;
  scene.bodies[0].stretch(0, 0) = 1.0 + stretch;
  const auto simulation =
      Translate(scene,
                {{"stretch_stiffness", 10.0}, {"damping", 1.5}, {"integrator", std::string("rk4")}})
          .simulation;
  const double omega = std::sqrt(8.0 * 10.0 / (1.3 * 0.0625));
  const double damped = std::sqrt(omega * omega - 0.75 * 0.75);
  const Observation o = RunFor(simulation.get(), 0.3, 1e-3);
  const double expected = stretch * std::exp(-0.75 * 0.3) *
                          (std::cos(damped * 0.3) + 0.75 / damped * std::sin(damped * 0.3));
  EXPECT_NEAR((o.points.col(1) - o.points.col(0)).norm() / 0.5 - 1.0, expected, 1e-3 * stretch);
}

// The source's own damping vanishes quadratically: Ė = −k_d V̇², which over a period of V = ½ k x²
// is −½ k_d ω² E², so that 1/E grows evenly and the amplitude dies like 1/√t, never exponentially.
TEST(FreeBody, RingingUnderTheSourcesDampingDiesLikeOneOverRootTime) {
  Scene scene = Pendulum(1);  // 0.5 m, 1 kg
  scene.nails.clear();
  scene.gravity.setZero();
  scene.bodies[0].stretch(0, 0) = 1.01;
  const double k_e = 10.0, k_d = 0.25, omega_squared = 8.0 * k_e / 0.0625;
  const auto simulation = Translate(scene, {{"stretch_stiffness", k_e},
                                            {"damping", 0.0},
                                            {"source_damping", k_d},
                                            {"integrator", std::string("rk4")}})
                              .simulation;
  const double start = TotalEnergy(scene, RunFor(simulation.get(), 0.0, 2e-3));
  for (double t : {2.0, 4.0, 8.0}) {
    const double energy =
        TotalEnergy(scene, RunFor(simulation.get(), t <= 2.0 ? 2.0 : t / 2, 2e-3));
    const double expected = 1.0 / (1.0 / start + 0.5 * k_d * omega_squared * t);
    EXPECT_NEAR(energy, expected, 0.01 * expected) << t;
    EXPECT_LT(energy, 0.6 * start);
  }
}

// A link of 0.5 m and 1 kg, stretched by s: M = m (L/2)², g = ∂V/∂R = 4 k_e s (s² − 1), and −k_d g ġ
// slows s at k_d g²/M. Euler is stable below 2/rate or less.
TEST(FreeBody, ASourceDampingBeyondItsStepIsReportedOnce) {
  Scene scene = Pendulum(1);
  scene.nails.clear();
  scene.gravity.setZero();
  scene.bodies[0].stretch(0, 0) = 1.3;
  const double k_e = 10.0, k_d = 0.25, g = 4.0 * k_e * 1.3 * (1.3 * 1.3 - 1.0);
  const double rate = k_d * g * g / 0.0625;  // 5150 per s
  const auto events = [&](double h) {
    const auto simulation =
        Translate(scene, {{"stretch_stiffness", k_e}, {"damping", 0.0}, {"source_damping", k_d}})
            .simulation;
    for (int i = 0; i < 3; ++i) simulation->Advance(h);
    return simulation->events();
  };
  EXPECT_TRUE(events(0.9 * 2.0 / rate).empty());
  const std::vector<SimulationEvent> found = events(1.2 * 2.0 / rate);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what.find("source_damping of body"), 0u) << found[0].what;
}

// Angle from the vertical of θ̈ = −rate² sin θ, from rest at θ₀, by a fine Runge–Kutta.
double PendulumAngle(double theta, double rate_squared, double duration) {
  const double h = 1e-4;
  double omega = 0.0;
  for (int i = 0; i < std::llround(duration / h); ++i) {
    auto f = [&](double angle) { return -rate_squared * std::sin(angle); };
    const double k1 = f(theta), k2 = f(theta + 0.5 * h * omega);
    const double k3 = f(theta + 0.5 * h * omega + 0.25 * h * h * k1);
    const double k4 = f(theta + h * omega + 0.5 * h * h * k2);
    theta += h * omega + h * h / 6.0 * (k1 + k2 + k3);
    omega += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return theta;
}

// Three equal masses on a rod L hung at one end: I = 5/12 m L², so θ̈ = −(6/5)(g/L) sin θ.
TEST(Pendulum, TendsToTheRigidCompoundPendulum) {
  for (double start : {0.1, 1.5}) {
    Scene scene;
    scene.dimension = 2;
    scene.bodies = {MakeChain("rod", Vector3d::Zero(), Vector3d(0.0, -0.5, 0.0), 3, 1.0)};
    scene.bodies[0].orientation = Eigen::AngleAxisd(start, Vector3d::UnitZ());
    scene.nails = {{"pivot", {0, 0}, Path::Still(Vector3d::Zero())}};
    const double expected = PendulumAngle(start, 1.2 * 9.81 / 0.5, 1.0);
    auto error = [&](double stiffness) {
      const auto simulation = Translate(scene, {{"stretch_stiffness", stiffness},
                                                {"damping", 20.0},
                                                {"integrator", std::string("rk4")}})
                                  .simulation;
      const Observation o = RunFor(simulation.get(), 1.0, 2.5e-4);
      EXPECT_LT(o.points.col(0).norm(), 1e-9);
      return std::abs(std::atan2(o.points(0, 2), -o.points(1, 2)) - expected);
    };
    const double soft = error(1e3), stiff = error(1e4), stiffer = error(1e5);
    EXPECT_LT(stiffer, 3e-5) << start;
    EXPECT_NEAR(soft / stiff, 10.0, 2.0) << start;
    EXPECT_NEAR(stiff / stiffer, 10.0, 2.0) << start;
  }
}

TEST(Pendulum, StaysTogether) {
  const Scene scene = Pendulum(3);
  const Observation o = RunFor(Translate(scene).simulation.get(), 3.0, 2e-3);
  EXPECT_LT(o.constraint_error.value(), 1e-12);
  EXPECT_LT(o.constraint_rate.value(), 1e-10);
  EXPECT_GT(o.extras[1].value(), 1.0);  // the nail carries some weight
}

// A chain and a sheet that move in a plane do so alike in both worlds.
TEST(Invariance, PlaneOfAWorldInSpaceIsThePlanarWorld) {
  Scene scene = Pendulum(2);
  scene.bodies.push_back(MakeSheet("sheet", {0.5, 0.3}, {4, 3}, 1.0));
  scene.bodies[2].position = Vector3d(1.25, 0.15, 0.0);
  scene.attachments.push_back({"flag", {1, 1}, {2, 0}});
  const ParameterValues parameters = {{"volume_stiffness", 0.0}};
  const Observation planar = RunFor(Translate(scene, parameters).simulation.get(), 0.5, 1e-3);
  scene.dimension = 3;
  const Observation spatial = RunFor(Translate(scene, parameters).simulation.get(), 0.5, 1e-3);
  EXPECT_LT((planar.points - spatial.points).norm(), 1e-9);
  EXPECT_EQ(planar.points.row(2).norm(), 0.0);
}

}  // namespace
}  // namespace pliant::linear_deformation
