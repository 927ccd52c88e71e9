#include "solvers/spacetime/program.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/spacetime/augmented_lagrangian.h"

namespace pliant {
namespace {

// Rows (x₀², x₀ − 1, x₀ − 2) of one number: cost, equality, inequality.
class Rows : public SpacetimeTerm {
 public:
  Rows(double time, int block, double weight, double share)
      : SpacetimeTerm(time, {block},
                      {{"cost", "1", RowKind::kCost, 1},
                       {"equality", "1", RowKind::kEquality, 1, 3.0, weight, share},
                       {"inequality", "1", RowKind::kInequality, 1, 5.0, weight, share}}) {}
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    const double a = x[0][0];
    values[0] = a * a;
    values[1] = a - 1.0;
    values[2] = a - 2.0;
    if (jacobians == nullptr) return;
    jacobians[0][0] = 2.0 * a;
    jacobians[0][1] = jacobians[0][2] = 1.0;
  }
};

TEST(SpacetimeProgram, MeasuresCostAndScaledViolation) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Rows>(0.0, program.AddBlock(1), 1.0, 0.0));
  Eigen::VectorXd values;
  program.Evaluate(Eigen::VectorXd::Constant(1, 1.5), &values);
  EXPECT_DOUBLE_EQ(program.Cost(values), 1.5 * 1.5 * 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(program.Violation(0, values[0]), 0.0);
  EXPECT_DOUBLE_EQ(program.Violation(1, values[1]), 3.0 * 0.5);
  EXPECT_DOUBLE_EQ(program.Violation(2, values[2]), 5.0 * 0.5);
  EXPECT_DOUBLE_EQ(program.Violation(2, 0.1), 0.0);
  EXPECT_TRUE(std::isnan(program.Violation(2, std::nan(""))));
}

TEST(AugmentedLagrangian, IsTheSumOfItsSquares) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Rows>(0.0, program.AddBlock(1), 0.25, 0.0));
  AugmentedLagrangian lagrangian(program);
  lagrangian.set_penalty(4.0);
  lagrangian.set_multipliers(Eigen::Vector3d(0.0, 2.0, 8.0));
  const double value = 1.5;
  const double* x[1] = {&value};
  double residuals[3], derivative[3];
  double* jacobians[1] = {derivative};
  lagrangian.EvaluateTerm(0, x, residuals, jacobians);
  // √(ρω) = 1; s c + λ/ρ = 1.5 + 0.5; λ/ρ − s g = 2 + 2.5.
  EXPECT_DOUBLE_EQ(residuals[0], 2.25);
  EXPECT_DOUBLE_EQ(residuals[1], 2.0);
  EXPECT_DOUBLE_EQ(residuals[2], 4.5);
  EXPECT_DOUBLE_EQ(derivative[0], 3.0);
  EXPECT_DOUBLE_EQ(derivative[1], 3.0);
  EXPECT_DOUBLE_EQ(derivative[2], -5.0);

  lagrangian.UpdateMultipliers(Eigen::Vector3d(2.25, 0.5, -0.5));
  EXPECT_TRUE(lagrangian.multipliers().isApprox(Eigen::Vector3d(0.0, 8.0, 18.0)));
  lagrangian.UpdateMultipliers(Eigen::Vector3d(0.0, 0.0, 100.0));  // far inside: no force
  EXPECT_EQ(lagrangian.multipliers()[2], 0.0);

  // Satisfied with room to spare, a row is out of the sum.
  const double far = 50.0;
  x[0] = &far;
  lagrangian.EvaluateTerm(0, x, residuals, jacobians);
  EXPECT_EQ(residuals[2], 0.0);
  EXPECT_EQ(derivative[2], 0.0);

  lagrangian.set_cost_weight(0.0);
  lagrangian.EvaluateTerm(0, x, residuals, jacobians);
  EXPECT_EQ(residuals[0], 0.0);
  EXPECT_EQ(derivative[0], 0.0);
}

// λ(t) = 1 + t on a coarse mesh, whose ω λ per time must be the same on a fine one.
TEST(SpacetimeProgram, TransfersMultipliersAsDensities) {
  SpacetimeProgram coarse, fine;
  for (const double time : {0.0, 1.0, 2.0}) {
    coarse.AddTerm(std::make_unique<Rows>(time, coarse.AddBlock(1), 0.02, 1.0));
  }
  for (const double time : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    fine.AddTerm(std::make_unique<Rows>(time, fine.AddBlock(1), 0.02, 0.5));
  }
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(coarse.rows());
  for (int i = 0; i < 3; ++i) multipliers[3 * i + 1] = 1.0 + i;
  const Eigen::VectorXd result = fine.TransferMultipliers(coarse, multipliers);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(result[3 * i], 0.0);
    EXPECT_DOUBLE_EQ(result[3 * i + 1], 0.5 * (1.0 + 0.5 * i));
    EXPECT_EQ(result[3 * i + 2], 0.0);
  }
}

}  // namespace
}  // namespace pliant
