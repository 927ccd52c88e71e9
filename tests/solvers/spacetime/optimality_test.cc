// Residuals of the first-order conditions, against a program whose optimum is known.

#include "solvers/spacetime/optimality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

// minimise x² + y²  subject to  x + y = 1,  x ≥ 0.7: (0.7, 0.3) with y = −0.6, z = 0.8. Its rows have
// scales and weights that are not 1.
class Wall : public SpacetimeTerm {
 public:
  explicit Wall(int block)
      : SpacetimeTerm(0.5, {block},
                      {{"size", "m", RowKind::kCost, 2},
                       {"sum", "m", RowKind::kEquality, 1, 3.0, 0.5},
                       {"wall", "m", RowKind::kInequality, 1, 7.0, 0.25}}) {}
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    values[0] = x[0][0];
    values[1] = x[0][1];
    values[2] = x[0][0] + x[0][1] - 1.0;
    values[3] = x[0][0] - 0.7;
    if (jacobians == nullptr) return;
    const double derivatives[8] = {1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    std::copy(derivatives, derivatives + 8, jacobians[0]);
  }
};

class OptimalityOfAWall : public testing::Test {
 protected:
  OptimalityOfAWall() { program_.AddTerm(std::make_unique<Wall>(program_.AddBlock(2))); }
  OptimalityResiduals At(double x, double y, double of_sum, double of_wall) const {
    const Eigen::Vector4d multipliers(0.0, 0.0, of_sum, of_wall);
    return ResidualsAt(program_, Eigen::Vector2d(x, y), multipliers);
  }
  SpacetimeProgram program_;
};

TEST_F(OptimalityOfAWall, TheOptimumHasNoResiduals) {
  const OptimalityResiduals residuals = At(0.7, 0.3, -0.6, 0.8);
  EXPECT_LT(residuals.stationarity, 1e-15);
  EXPECT_LT(residuals.complementarity, 1e-15);
  EXPECT_LT(residuals.feasibility, 1e-14);
}

TEST_F(OptimalityOfAWall, EachResidualIsTheOneOfItsCondition) {
  // ∇𝓛 = (2x + y − z, 2y + y) and ∇J = (1.4, 0.6).
  EXPECT_NEAR(At(0.7, 0.3, -0.6, 0.0).stationarity, 0.8 / 1.4, 1e-15);
  EXPECT_NEAR(At(0.7, 0.3, 0.6, 0.8).stationarity, 1.2 / 1.4, 1e-15);
  // z g = 0.8 · 0.1 of J = 0.64 + 0.04.
  EXPECT_NEAR(At(0.8, 0.2, -0.6, 0.8).complementarity, 0.08 / 0.68, 1e-14);
  EXPECT_LT(At(0.8, 0.2, -0.6, 0.8).feasibility, 1e-14);
  EXPECT_NEAR(At(0.6, 0.4, -0.6, 0.8).feasibility, 7.0 * 0.1, 1e-14);
  EXPECT_NEAR(At(0.7, 0.5, -0.6, 0.8).feasibility, 3.0 * 0.2, 1e-14);
}

TEST_F(OptimalityOfAWall, AnUndefinedPointHasUndefinedResiduals) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OptimalityResiduals residuals = At(nan, 0.3, -0.6, 0.8);
  EXPECT_TRUE(std::isnan(residuals.stationarity) || std::isinf(residuals.stationarity));
  EXPECT_TRUE(std::isnan(residuals.feasibility));
}

TEST_F(OptimalityOfAWall, TheSolverFindsTheMultipliers) {
  Eigen::VectorXd x = Eigen::Vector2d(3.0, -1.0), lambda;
  const SpacetimeSummary summary = Solve(program_, {}, &x, &lambda);
  ASSERT_TRUE(summary.converged()) << summary.FullReport();
  const Eigen::VectorXd multipliers = RowMultipliers(program_, lambda);
  EXPECT_NEAR(multipliers[2], -0.6, 1e-3);
  EXPECT_NEAR(multipliers[3], 0.8, 1e-3);
  EXPECT_LT(summary.residuals.stationarity, 1e-3);
  EXPECT_LT(summary.residuals.feasibility, 1e-8);
  EXPECT_EQ(summary.residuals.feasibility, summary.violation);
}

// The multipliers that a jump is exported with belong to it: what moves it off its optimum shows.
TEST(OptimalityOfAJump, ResidualsAreSmallAtThePlanAndNotBesideIt) {
  for (const LampTranscription transcription :
       {LampTranscription::kHermite, LampTranscription::kTrapezoidal,
        LampTranscription::kFiniteDifferences}) {
    LampJumpOptions options;
    options.transcription = transcription;
    LampJumpProblem problem;
    problem.longest_flight = 0.4;  // a duration is an unknown, too
    const LampJumpMotion motion = SolveLampJump(problem, options);
    ASSERT_TRUE(motion.summary().converged());
    const OptimalityResiduals& residuals = motion.summary().residuals;
    EXPECT_LT(residuals.stationarity, 1e-4);
    EXPECT_LT(residuals.complementarity, 1e-7);
    EXPECT_LT(residuals.feasibility, 1e-8);
    const SpacetimeProgram& program = motion.program->program();
    const OptimalityResiduals again = ResidualsAt(program, motion.unknowns, motion.row_multipliers);
    EXPECT_EQ(again.stationarity, residuals.stationarity);
    EXPECT_EQ(again.complementarity, residuals.complementarity);
    EXPECT_GT(ResidualsAt(program, motion.unknowns, -motion.row_multipliers).stationarity, 0.1);
    Eigen::VectorXd beside = motion.unknowns;
    for (int i = 0; i < program.variables(); ++i) beside[i] += 1e-4 * std::cos(i);
    EXPECT_GT(ResidualsAt(program, beside, motion.row_multipliers).stationarity,
              10.0 * residuals.stationarity);
  }
}

}  // namespace
}  // namespace pliant
