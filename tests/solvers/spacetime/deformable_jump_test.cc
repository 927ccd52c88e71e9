#include "solvers/spacetime/deformable_jump.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "solvers/spacetime/deformable_jump_program.h"
#include "solvers/spacetime/interior_point.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Points of a column, its middle at x = `middle`, with displacements by modes at amplitude 1.
struct Column {
  std::vector<double> masses;
  Eigen::MatrixXcd shapes;  // points × (1 + modes)
};

constexpr double kWidth = 0.3, kHeight = 0.5, kMass = 2.0;  // m, m, kg

// Modes: stretch, lean, sway, or fewer of them. `side` −1: as in a mirror.
Column MakeColumn(int modes, double side = 1.0, double size = 1.0, double mass = kMass) {
  constexpr int across = 4, along = 6;
  Column column;
  column.shapes.resize(across * along, modes + 1);
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < across; ++i) {
      const double x = size * kWidth * (i / 3.0 - 0.5), y = size * kHeight * j / 5.0, t = j / 5.0;
      const std::array<std::complex<double>, 4> all = {
          {{side * x, y},
           {0.0, 0.3 * y},
           {side * 0.3 * y, 0.0},
           {side * 0.3 * size * kHeight * t * t, 0.0}}};
      const auto n = static_cast<Eigen::Index>(column.masses.size());
      for (int k = 0; k <= modes; ++k) column.shapes(n, k) = all[k];
      column.masses.push_back(mass / (across * along));
    }
  }
  return column;
}

DeformableCharacter CharacterOf(const Column& column, const std::vector<bool>& acts,
                                double size = 1.0) {
  static const char* names[] = {"stretch", "lean", "sway"};
  const auto modes = column.shapes.cols() - 1;
  DeformableCharacter character;
  for (Eigen::Index k = 0; k < modes; ++k) character.modes.emplace_back(names[k]);
  character.acts = acts;
  character.half_width = 0.5 * size * kWidth;
  const Eigen::MatrixXcd weighted =
      VectorXd::Map(column.masses.data(), static_cast<Eigen::Index>(column.masses.size()))
          .asDiagonal() *
      column.shapes;
  for (const double m : column.masses) character.mass += m;
  character.first = weighted.colwise().sum().transpose();
  character.second = column.shapes.adjoint() * weighted;
  const double omega = 2.0 * M_PI * 2.0;
  character.stiffness = MatrixXd::Zero(modes, modes);
  character.damping = character.stiffness;
  for (Eigen::Index k = 0; k < modes; ++k) {
    const double inertia = character.second(k + 1, k + 1).real();
    character.stiffness(k, k) = 0.5 * inertia * omega * omega;
    character.damping(k, k) = 0.1 * inertia * omega;
  }
  const double infinite = std::numeric_limits<double>::infinity();
  character.lower = VectorXd::Constant(modes, -infinite);
  character.upper = VectorXd::Constant(modes, infinite);
  return character;
}

DeformableJumpProblem Hop(const DeformableCharacter& character, double distance) {
  DeformableJumpProblem problem;
  problem.character = character;
  problem.distance = distance;
  problem.start = problem.end = VectorXd::Zero(character.size());
  problem.duration = {0.4, 0.2, 0.4};
  return problem;
}

DeformableJumpPlan Planned(const DeformableJumpProblem& problem, double step = 0.02,
                           int refinements = 0) {
  const DeformableJumpPlan plan =
      SolveDeformableJump(problem, {.step = step, .meshes = {.refinements = refinements}});
  EXPECT_TRUE(plan.summary().converged()) << plan.summary().FullReport();
  return plan;
}

// Where points are, and how fast, by their definition.
Eigen::VectorXcd PointsAt(const Column& column, const VectorXd& q) {
  Eigen::VectorXcd g = Eigen::VectorXcd::Ones(column.shapes.cols());
  g.tail(q.size() - 3) = q.tail(q.size() - 3).cast<std::complex<double>>();
  return (std::polar(1.0, q[2]) * (column.shapes * g)).array() + std::complex<double>(q[0], q[1]);
}

// d'Alembert on single points: f_k = Σ m ∂x/∂q_k · (ẍ + g), derivatives by differences.
TEST(DeformableCharacter, TakesTheForcesThatItsPointsTake) {
  const Column column = MakeColumn(3);
  const DeformableCharacter character = CharacterOf(column, {true, true, true});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int round = 0; round < 20; ++round) {
    VectorXd q(6), v(6), a(6);
    for (VectorXd* of : {&q, &v, &a}) {
      for (double& number : *of) number = any(random);
    }
    // ẍ of q(t) = q + t v + t² a/2, and ∂x/∂q.
    const double h = 1e-4;
    const auto at = [&](double t) -> VectorXd { return q + t * v + 0.5 * t * t * a; };
    const Eigen::VectorXcd acceleration =
        (16.0 * (PointsAt(column, at(h)) + PointsAt(column, at(-h))) -
         (PointsAt(column, at(2 * h)) + PointsAt(column, at(-2 * h))) -
         30.0 * PointsAt(column, q)) /
        (12.0 * h * h);
    VectorXd expected(6), force(6);
    for (int k = 0; k < 6; ++k) {
      const VectorXd dq = VectorXd::Unit(6, k) * h;
      const Eigen::VectorXcd slope =
          (PointsAt(column, q + dq) - PointsAt(column, q - dq)) / (2.0 * h);
      double sum = 0.0;
      for (Eigen::Index n = 0; n < slope.size(); ++n) {
        const std::complex<double> push =
            acceleration[n] + std::complex<double>(0.0, character.gravity);
        sum += column.masses[n] * (std::conj(slope[n]) * push).real();
      }
      expected[k] = sum;
    }
    expected.tail(3) += 2.0 * character.stiffness * q.tail(3) + character.damping * v.tail(3);
    character.InverseDynamics(q.data(), v.data(), a.data(), true, force.data());
    EXPECT_LT((force - expected).norm(), 1e-6 * expected.norm()) << round;
  }
}

// Least ∫ u² that takes x' = A x + (0, (u − bias)/inertia) from x₀ to x₁ in a time, as |L (x₁ − Φ x₀ − p)|² with L'L = W⁻¹, W the
// Gramian of controllability [Kalman 1960].
struct Transfer {
  Matrix2d phi, root;
  Vector2d drift;
};
Transfer TransferOf(double inertia, double stiffness, double damping, double bias, double time) {
  const double decay = damping / (2.0 * inertia);
  const double omega = std::sqrt(2.0 * stiffness / inertia - decay * decay);
  const auto phi = [&](double t) {
    const double c = std::cos(omega * t), s = std::sin(omega * t) / omega;
    Matrix2d matrix;
    matrix << c + decay * s, s, -(2.0 * stiffness / inertia) * s, c - decay * s;
    return Matrix2d(std::exp(-decay * t) * matrix);
  };
  Transfer transfer{phi(time), {}, Vector2d::Zero()};
  Matrix2d gramian = Matrix2d::Zero();
  constexpr int intervals = 4000;  // Simpson: exact to rounding here
  for (int i = 0; i <= intervals; ++i) {
    const double weight = (i == 0 || i == intervals ? 1.0
                           : i % 2 == 1             ? 4.0
                                                    : 2.0) *
                          time / (3.0 * intervals);
    const Vector2d effect = phi(time * i / intervals).col(1) / inertia;
    gramian += weight * effect * effect.transpose();
    transfer.drift -= weight * bias * effect;
  }
  transfer.root = gramian.inverse().llt().matrixU();
  return transfer;
}

// J* of a hop in place by the stretch alone, where neither the cone nor the clearance is active: a linear system with a jump, of which
// (γ, γ̇) at takeoff and γ̇ before touchdown are chosen.
double LeastCostOfHop(const DeformableJumpProblem& problem) {
  const DeformableCharacter& c = problem.character;
  const double G = c.second(1, 1).real(), s = c.first[1].imag(), m = c.mass, g = c.gravity;
  const double K = c.stiffness(0, 0), D = c.damping(0, 0);
  const auto& T = problem.duration;
  const Transfer stance = TransferOf(G, K, D, s * g, T[0]);
  const Transfer flight = TransferOf(G - s * s / m, K, D, 0.0, T[1]);
  const Transfer landing = TransferOf(G, K, D, s * g, T[2]);
  // Everything is affine in z = (γ, γ̇ at takeoff, γ̇ before touchdown).
  const auto residuals = [&](const Vector3d& z) {
    const Vector2d takeoff = z.head<2>();
    const double gamma = z[0] + z[1] * T[1] - m * g / (2.0 * s) * T[1] * T[1];
    const double fall = s / m * (z[1] - z[2]) - g * T[1];  // speed of the base before touchdown
    const Vector2d before(gamma, z[2]), after(gamma, z[2] + s * fall / G);
    Eigen::Matrix<double, 6, 1> r;
    r << stance.root * (takeoff - stance.drift),
        flight.root * (before - flight.phi * takeoff - flight.drift),
        landing.root * (-landing.phi * after - landing.drift);
    return r;
  };
  const auto zero = residuals(Vector3d::Zero());
  Eigen::Matrix<double, 6, 3> slopes;
  for (int k = 0; k < 3; ++k) slopes.col(k) = residuals(Vector3d::Unit(k)) - zero;
  const Vector3d z = slopes.colPivHouseholderQr().solve(-zero);
  return residuals(z).squaredNorm();
}

TEST(DeformableJump, CostsWhatTheClosedFormOfALinearHopCosts) {
  DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(1), {true}), 0.0);
  for (const double stance : {0.3, 0.4}) {
    problem.duration = {stance, 0.06, stance};
    const double exact = LeastCostOfHop(problem);
    std::vector<double> errors;
    for (const double step : {0.02, 0.01, 0.005}) {
      const DeformableJumpPlan plan = Planned(problem, step);
      errors.push_back(std::abs(plan.summary().final_cost - exact));
      // The closed form knows neither cone nor clearance.
      for (const PlacedDeformableSample& sample : SamplesOf(problem.character, plan.motion)) {
        EXPECT_GT(sample.phase == 1 ? sample.motion.q[1] : sample.motion.force[1], 0.0);
      }
    }
    EXPECT_LT(errors[2], 1e-6 * exact);
    EXPECT_GT(std::log2(errors[0] / errors[1]), 3.5);
    EXPECT_GT(std::log2(errors[1] / errors[2]), 3.5);
  }
}

TEST(DeformableJump, IsAMirrorImageInAMirror) {
  const DeformableJumpPlan plan =
      Planned(Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1));
  const DeformableJumpPlan mirrored =
      Planned(Hop(CharacterOf(MakeColumn(3, -1.0), {true, true, false}), -0.1));
  EXPECT_NEAR(plan.summary().final_cost, mirrored.summary().final_cost,
              1e-6 * plan.summary().final_cost);
}

// Twice as large at eight times the mass, the times by √2: the same motion, where forces are 8 times and moments 16 times as large.
TEST(DeformableJump, KnowsNoScale) {
  const DeformableJumpProblem small = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1);
  DeformableJumpProblem large =
      Hop(CharacterOf(MakeColumn(3, 1.0, 2.0, 8.0 * kMass), {true, true, false}, 2.0), 0.2);
  large.character.stiffness = 16.0 * small.character.stiffness;
  large.character.damping = 16.0 * std::sqrt(2.0) * small.character.damping;
  for (double& time : large.duration) time *= std::sqrt(2.0);
  const double cost = Planned(small).summary().final_cost;
  EXPECT_NEAR(Planned(large, 0.02 * std::sqrt(2.0)).summary().final_cost,
              16.0 * 16.0 * std::sqrt(2.0) * cost, 1e-6 * 363.0 * cost);
}

// A mode that does not act and is very stiff is no mode.
TEST(DeformableJump, OfAStiffPassiveModeTendsToThatWithoutIt) {
  const DeformableJumpProblem without = Hop(CharacterOf(MakeColumn(2), {true, true}), 0.05);
  const double cost = Planned(without, 0.01).summary().final_cost;
  std::vector<double> apart;
  for (const double factor : {64.0, 256.0, 1024.0}) {
    DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.05);
    problem.character.stiffness(2, 2) *= factor;
    problem.character.damping(2, 2) *= std::sqrt(factor);
    apart.push_back(std::abs(Planned(problem, 0.01).summary().final_cost - cost));
  }
  EXPECT_LT(apart[1], 0.7 * apart[0]);
  EXPECT_LT(apart[2], 0.5 * apart[1]);
  EXPECT_LT(apart[2], 0.03 * cost);
}

// What acts may do what does not act does by itself.
TEST(DeformableJump, CostsLessWhereMoreModesActUpToTheirEffort) {
  const DeformableJumpProblem all = Hop(CharacterOf(MakeColumn(3), {true, true, true}), 0.1);
  const DeformableJumpProblem two = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1);
  EXPECT_LT(Planned(all).summary().final_cost, Planned(two).summary().final_cost);
}

TEST(DeformableJump, IsFoundByBothMethodsAlike) {
  if (!HasInteriorPoint()) GTEST_SKIP() << "built without Ipopt";
  const DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1);
  std::vector<double> costs;
  for (const auto method :
       {SpacetimeStrategy::kAugmentedLagrangian, SpacetimeStrategy::kInteriorPoint}) {
    const DeformableJumpPlan plan = SolveDeformableJump(
        problem, {.step = 0.02, .meshes = {.refinements = 0}, .strategy = method});
    ASSERT_TRUE(plan.summary().converged()) << plan.summary().FullReport();
    EXPECT_LT(plan.summary().residuals.stationarity, 1e-4);
    costs.push_back(plan.summary().final_cost);
  }
  EXPECT_NEAR(costs[0], costs[1], 1e-7 * costs[1]);
}

// Free times cost no more than any given ones, and a second costs its price where it has one (envelope theorem).
TEST(DeformableJump, TakesTheTimesThatCostLeast) {
  DeformableJumpProblem given = Hop(CharacterOf(MakeColumn(2), {true, true}), 0.1);
  DeformableJumpProblem free = given;
  free.longest = {0.6, 0.3, 0.6};
  EXPECT_LT(Planned(free).summary().final_cost, Planned(given).summary().final_cost);
  const double w = 0.1, dw = 0.01;
  const auto cost = [&free](double weight) {
    free.time_weight = weight;
    return Planned(free).summary().final_cost;
  };
  const double slope = (cost(w + dw) - cost(w - dw)) / (2.0 * dw);
  free.time_weight = w;
  EXPECT_NEAR(Planned(free).motion.duration(), slope, 2e-3 * slope);
}

TEST(DeformableJump, CostsTheIntegralOverTheTimesThatItTakes) {
  DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1);
  problem.longest = {0.6, 0.3, 0.6};
  problem.time_weight = 0.05;
  const DeformableJumpPlan plan = Planned(problem);
  double cost = problem.time_weight * plan.motion.duration();
  for (const PlacedDeformableSample& sample : SamplesOf(problem.character, plan.motion))
    cost += sample.span * sample.motion.force.segment<2>(3).squaredNorm();
  EXPECT_NEAR(plan.summary().final_cost, cost, 1e-9 * cost);
  EXPECT_GT(std::abs(plan.motion.duration() - 1.15), 0.01);  // of the first guess
}

TEST(DeformableJump, KeepsItsModesWithinLimitsAndFeelsThem) {
  DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(2), {true, true}), 0.1);
  const auto least = [](const DeformableMotion& motion) {
    double lowest = 0.0;
    for (const DeformableMotion::Phase& phase : motion.phases) {
      for (const VectorXd& q : phase.q) lowest = std::min(lowest, q[3]);
    }
    return lowest;
  };
  const double bound = 0.8 * least(Planned(problem).motion);
  problem.character.lower[0] = bound;
  const DeformableJumpPlan plan = Planned(problem);
  EXPECT_NEAR(least(plan.motion), bound, 1e-6);
  double largest = 0.0;
  for (const ConstraintRecord& row : plan.constraints) {
    if (row.name == "limits of modes") largest = std::max(largest, row.multiplier);
  }
  EXPECT_GT(largest, 1e-3);
}

// It cannot lean. A coarse mesh lets it, between its samples, and violates nothing.
TEST(DeformableJump, ThatOnlyItsMeshAllowsIsNone) {
  const DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(1), {true}), 0.1);
  const DeformableJumpPlan plan =
      SolveDeformableJump(problem, {.step = 0.02, .meshes = {.refinements = 0}});
  EXPECT_FALSE(plan.found());
  EXPECT_FALSE(plan.Message().empty());
  EXPECT_NE(plan.Message(), "converged");
  // Nor do finer ones find one.
  const DeformableJumpPlan further =
      SolveDeformableJump(problem, {.step = 0.02, .meshes = {.refinements = 0, .further = 2}});
  EXPECT_FALSE(further.found());
  EXPECT_GT(further.levels.size(), 1u);
}

// What a plan gains between its samples vanishes with the mesh.
TEST(DeformableJump, KeepsTheMomentumOfItsFlight) {
  const DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(3), {true, true, false}), 0.1);
  std::vector<double> defects;
  DeformableJumpPlan plan = Planned(problem, 0.02);
  defects.push_back(plan.momentum_defect());
  for (const int refinements : {1, 2}) {
    plan = Planned(problem, 0.02, refinements);
    defects.push_back(plan.momentum_defect());
  }
  EXPECT_GT(std::log2(defects[0] / defects[1]), 2.5);
  EXPECT_GT(std::log2(defects[1] / defects[2]), 2.5);
  EXPECT_LT(defects[2], 1e-4);
}

TEST(DeformableJump, RefusesWhatIsNoProblem) {
  DeformableJumpProblem problem = Hop(CharacterOf(MakeColumn(1), {true}), 0.0);
  problem.duration[1] = 0.0;
  reference::ExpectBadInput("duration", {"positive"}, [&] { problem.Validate(); });
  problem = Hop(CharacterOf(MakeColumn(1), {true}), 0.0);
  problem.friction = 0.0;
  reference::ExpectBadInput("friction", {"positive"}, [&] { problem.Validate(); });
  problem = Hop(CharacterOf(MakeColumn(1), {true}), 0.0);
  reference::ExpectBadInput("plan_step", {"intervals"},
                            [&] { SolveDeformableJump(problem, {.step = 1e-5}); });
}

}  // namespace
}  // namespace pliant
