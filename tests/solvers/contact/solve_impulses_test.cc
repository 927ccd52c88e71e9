// The complementarity of the contact impulses of a step, against what can be said without its solver: stacks whose
// impulses are their weights, and every combination of states of a few touches.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "solvers/contact/impulse.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A planar problem: G = J W Jᵀ, v = J v₀.
struct Problem {
  std::vector<ImpulseTouch> touches;
  ImpulseResponse response;
  Matrix3Xd velocities;
};

// Rigid squares of 1 m and 1 kg on each other, W = diag(1, 1, 6) of x, y and the angle; the lowest stands on two points,
// every other one on four places, at ±`at` of its middle, twice. `v` 3×n: of the squares.
Problem StackOf(int blocks, const Eigen::Matrix3Xd& v, double friction, double at = 0.25) {
  struct Row {
    int block;
    Vector3d x, y;
  };
  std::vector<std::vector<Row>> touches;
  const auto row = [](int block, double x, double y, double sign) {
    return Row{block, sign * Vector3d(1.0, 0.0, -y), sign * Vector3d(0.0, 1.0, x)};
  };
  for (const double x : {-0.5, 0.5}) touches.push_back({row(0, x, -0.5, 1.0)});
  for (int b = 1; b < blocks; ++b) {
    for (const double x : {-at, at, -at, at}) {
      touches.push_back({row(b, x, -0.5, 1.0), row(b - 1, x, 0.5, -1.0)});
    }
  }
  const auto count = static_cast<Eigen::Index>(touches.size());
  MatrixXd jacobian = MatrixXd::Zero(3 * count, 3 * blocks);
  for (Eigen::Index j = 0; j < count; ++j) {
    for (const Row& of : touches[static_cast<size_t>(j)]) {
      jacobian.block<1, 3>(3 * j, 3 * of.block) += of.x.transpose();
      jacobian.block<1, 3>(3 * j + 1, 3 * of.block) += of.y.transpose();
    }
  }
  const VectorXd inverse = Vector3d(1.0, 1.0, 6.0).replicate(blocks, 1);
  Problem problem;
  problem.velocities = (jacobian * v.reshaped()).reshaped(3, count);
  problem.response.blocks = {jacobian * inverse.asDiagonal() * jacobian.transpose()};
  problem.response.islands.emplace_back();
  for (int j = 0; j < count; ++j) {
    problem.response.islands[0].push_back(j);
    problem.touches.push_back(
        {j < 2 ? j : -1, Vector3d::UnitY(), Vector3d::Zero(), 0.0, 0.0, friction});
  }
  return problem;
}

VectorXd After(const Problem& problem, const Matrix3Xd& impulses) {
  return problem.velocities.reshaped() + problem.response.blocks[0] * impulses.reshaped();
}

// Gravity has acted for a step: each touch carries what is above it, and all stand still. Sweeps alone are
// off by 10⁻⁵ m/s after 500 of them for ten blocks, by 10⁻⁴ for twenty.
TEST(SolveImpulses, OfATallStackAreItsWeights) {
  constexpr double kFall = 9.81e-3;  // m/s
  for (const int blocks : {2, 10, 20, 40}) {
    for (const double friction : {0.0, 0.5}) {
      SCOPED_TRACE(testing::Message() << blocks << " blocks, friction " << friction);
      Matrix3Xd v = Matrix3Xd::Zero(3, blocks);
      v.row(1).setConstant(-kFall);
      const Problem stack = StackOf(blocks, v, friction);
      const SolvedImpulses solved = SolveImpulses(stack.touches, stack.response, stack.velocities,
                                                  VectorXd::Zero(stack.velocities.cols()), 0.0);
      EXPECT_TRUE(solved.converged);
      EXPECT_LT(After(stack, solved.at).cwiseAbs().maxCoeff(), 1e-10 * blocks * kFall);
      EXPECT_NEAR(solved.at(1, 0), 0.5 * blocks * kFall, 1e-9 * blocks * kFall);
      for (int b = 1; b < blocks; ++b) {
        EXPECT_NEAR(solved.at.middleCols(4 * b - 2, 4).row(1).sum(), (blocks - b) * kFall,
                    1e-9 * blocks * kFall);
      }
    }
  }
}

// The states of k touches: it leaves, sticks, slides to one side or to the other. Of all 4ᵏ the one that meets
// the laws; regular matrices make it unique where friction is small.
VectorXd ByTryingAll(const Problem& problem, const VectorXd& least) {
  const MatrixXd& g = problem.response.blocks[0];
  const auto k = static_cast<int>(problem.touches.size());
  const VectorXd before = problem.velocities.reshaped();
  int states = 1;
  for (int j = 0; j < k; ++j) states *= 4;
  for (int all = 0; all < states; ++all) {
    // Unknowns: x and y of each touch.
    MatrixXd laws = MatrixXd::Zero(2 * k, 2 * k);
    VectorXd sides = VectorXd::Zero(2 * k);
    std::vector<int> state(static_cast<size_t>(k));
    const auto equals = [&](int law, int j, int axis, double value) {
      for (int i = 0; i < k; ++i) {
        laws(law, 2 * i) = g(3 * j + axis, 3 * i);
        laws(law, 2 * i + 1) = g(3 * j + axis, 3 * i + 1);
      }
      sides[law] = value - before[3 * j + axis];
    };
    for (int j = 0, rest = all; j < k; ++j, rest /= 4) {
      state[static_cast<size_t>(j)] = rest % 4;
      const double mu = problem.touches[static_cast<size_t>(j)].friction;
      if (rest % 4 == 0) {
        laws(2 * j, 2 * j) = laws(2 * j + 1, 2 * j + 1) = 1.0;
        continue;
      }
      equals(2 * j, j, 1, least[j]);
      if (rest % 4 == 1) {
        equals(2 * j + 1, j, 0, 0.0);
      } else {
        laws(2 * j + 1, 2 * j) = 1.0;
        laws(2 * j + 1, 2 * j + 1) = rest % 4 == 2 ? mu : -mu;
      }
    }
    const VectorXd p = laws.fullPivLu().solve(sides);
    Matrix3Xd impulses = Matrix3Xd::Zero(3, k);
    impulses.topRows(2) = p.reshaped(2, k);
    const VectorXd u = After(problem, impulses);
    bool right = (laws * p - sides).norm() < 1e-9;
    for (int j = 0; j < k; ++j) {
      const double mu = problem.touches[static_cast<size_t>(j)].friction, sliding = u[3 * j];
      right = right && impulses(1, j) > -1e-12 && u[3 * j + 1] > least[j] - 1e-12 &&
              std::abs(impulses(0, j)) < mu * impulses(1, j) + 1e-12;
      const int of = state[static_cast<size_t>(j)];
      right = right && (of != 2 || sliding > -1e-12) && (of != 3 || sliding < 1e-12);
    }
    if (right) return u;
  }
  ADD_FAILURE() << "no combination of states meets the laws";
  return before;
}

TEST(SolveImpulses, IsTheOneOfAllCombinationsOfStatesThatMeetsTheLaws) {
  constexpr unsigned kSeed = 22;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const auto number = [&random] {
    return 2.0 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 1.0;
  };
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    constexpr int kTouches = 4;
    Problem problem;
    problem.velocities = Matrix3Xd::Zero(3, kTouches);
    problem.response.islands = {{0, 1, 2, 3}};
    MatrixXd jacobian = MatrixXd::Zero(3 * kTouches, 9);
    VectorXd least(kTouches);
    for (int j = 0; j < kTouches; ++j) {
      for (int c = 0; c < 9; ++c) jacobian(3 * j, c) = number(), jacobian(3 * j + 1, c) = number();
      problem.velocities.col(j) = Vector3d(number(), number() - 0.3, 0.0);
      problem.touches.push_back({-1, Vector3d::UnitY(), Vector3d::Zero(), 0.0, 0.0, 0.2});
      least[j] = 0.1 * std::max(0.0, number());
    }
    problem.response.blocks = {jacobian * jacobian.transpose()};
    const SolvedImpulses solved =
        SolveImpulses(problem.touches, problem.response, problem.velocities, least, 0.0);
    EXPECT_TRUE(solved.converged);
    EXPECT_LT((After(problem, solved.at) - ByTryingAll(problem, least)).norm(), 1e-8);
  }
}

// A stack that is hit: some touches leave, some slide, some stick, and two places of a pair, which act as one, want
// different velocities. The laws hold at every touch.
TEST(SolveImpulses, OfAStackThatIsHitMeetTheLaws) {
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const auto number = [&random] {
    return 2.0 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 1.0;
  };
  std::array<int, 3> seen{};
  for (int trial = 0; trial < 60; ++trial) {
    const int blocks = std::array{3, 10, 20}[static_cast<size_t>(trial % 3)];
    SCOPED_TRACE(testing::Message() << "trial " << trial << ", " << blocks << " blocks");
    Matrix3Xd v(3, blocks);
    for (double& value : v.reshaped()) value = 0.3 * number();
    const double friction = trial % 2 == 0 ? 0.5 : 0.1;
    const Problem stack = StackOf(blocks, v, friction, 0.4);
    VectorXd least(stack.velocities.cols());
    for (double& value : least) value = 1e-3 * std::max(0.0, number());
    const SolvedImpulses solved =
        SolveImpulses(stack.touches, stack.response, stack.velocities, least, 0.0);
    EXPECT_TRUE(solved.converged);
    const VectorXd u = After(stack, solved.at);
    for (Eigen::Index j = 0; j < least.size(); ++j) {
      const double pressed = solved.at(1, j), rubbed = solved.at(0, j);
      EXPECT_GE(pressed, -1e-10);
      EXPECT_GT(u[3 * j + 1], least[j] - 1e-9);
      EXPECT_LE(std::abs(rubbed), friction * pressed + 1e-9);
      if (pressed > 1e-8) {
        EXPECT_NEAR(u[3 * j + 1], least[j], 1e-9);
      }
      const bool sticks = std::abs(rubbed) < friction * pressed - 1e-7;
      if (sticks) {
        EXPECT_NEAR(u[3 * j], 0.0, 1e-8);
      }
      if (std::abs(u[3 * j]) > 1e-7 && pressed > 1e-7) {
        EXPECT_LT(u[3 * j] * rubbed, 0.0);
      }
      ++seen[pressed < 1e-10 ? 0 : sticks ? 1 : 2];
    }
  }
  EXPECT_GT(std::min({seen[0], seen[1], seen[2]}), 100);
}

// A point between two obstacles that both want it away: no velocity obeys. It takes no more energy than the approach has,
// keeps its way along the surfaces, and the impulses say that they did not converge.
TEST(SolveImpulses, YieldWhereNoVelocityMeetsTheLaws) {
  Problem squeezed;
  for (const double way : {1.0, -1.0}) {
    squeezed.touches.push_back({-1, way * Vector3d::UnitY(), Vector3d::Zero(), 0.0, 0.0, 0.5});
  }
  squeezed.response.islands = {{0, 1}};
  squeezed.response.blocks = {Eigen::Matrix3d::Identity().replicate(2, 2)};
  for (const double more : {0.0, 1e-3, 1.0}) {
    SCOPED_TRACE(more);
    squeezed.velocities = Vector3d(0.3, 0.2, 0.0).replicate(1, 2);
    const Eigen::Vector2d least(1.0 + more, 1.0);
    const SolvedImpulses solved =
        SolveImpulses(squeezed.touches, squeezed.response, squeezed.velocities, least, 0.0);
    EXPECT_FALSE(solved.converged);
    const VectorXd u = After(squeezed, solved.at);
    EXPECT_DOUBLE_EQ(u[0], 0.3);
    const double change = u[1] - 0.2, lacking = least[0] - 0.2, other = least[1] + 0.2;
    EXPECT_LE(change * change, lacking * lacking + other * other);
    // The minimum of ½ c² + ½ (lacking − c)² + ½ (other + c)².
    EXPECT_NEAR(change, (lacking - other) / 3.0, 1e-6);
  }
}

// Touches side by side of one square act as two would, and share what they carry.
TEST(SolveImpulses, OfManyTouchesOfOneBodyShareItsWeight) {
  constexpr double kFall = 9.81e-3;  // m/s
  for (const int count : {2, 9, 60}) {
    for (const double differ : {0.0, 1e-9}) {
      SCOPED_TRACE(testing::Message() << count << " touches that differ by " << differ);
      Problem square;
      MatrixXd jacobian = MatrixXd::Zero(3 * count, 3);
      square.response.islands.emplace_back();
      VectorXd least(count);
      for (int j = 0; j < count; ++j) {
        const double x = -0.5 + static_cast<double>(j) / (count - 1);
        jacobian.row(3 * j) = Vector3d(1.0, 0.0, 0.5);
        jacobian.row(3 * j + 1) = Vector3d(0.0, 1.0, x);
        square.response.islands[0].push_back(j);
        square.touches.push_back({j, Vector3d::UnitY(), Vector3d::Zero(), 0.0, 0.0, 0.5});
        least[j] = differ * (j % 3);
      }
      square.response.blocks = {jacobian * Vector3d(1.0, 1.0, 6.0).asDiagonal() *
                                jacobian.transpose()};
      square.velocities = (jacobian * Vector3d(2e-3, -kFall, 0.0)).reshaped(3, count);
      const SolvedImpulses solved =
          SolveImpulses(square.touches, square.response, square.velocities, least, 0.0);
      EXPECT_TRUE(solved.converged);
      EXPECT_LT(After(square, solved.at).cwiseAbs().maxCoeff(), 5.0 * differ + 1e-10);
      EXPECT_NEAR(solved.at.row(1).sum(), kFall, 1e-8);
      EXPECT_NEAR(solved.at.row(0).sum(), -2e-3, 1e-8);
      EXPECT_GE(solved.at.row(1).minCoeff(), 0.0);
    }
  }
}

}  // namespace
}  // namespace pliant
