// The standard form holds the same rows and derivatives as the program, against closed forms and against differences.

#include "solvers/spacetime/standard_form.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

// minimise (x² + y)² + y²  subject to  x³ y = 1,  sin x + y ≥ 0,  3 (x − 0.7) ≥ 0,  −2 (y − 0.5) ≥ 0. Rows have scales that are not 1.
class Curved : public SpacetimeTerm {
 public:
  explicit Curved(int block)
      : SpacetimeTerm(0.5, {block},
                      {{"size", "m", RowKind::kCost, 2},
                       {"product", "m", RowKind::kEquality, 1, 3.0, 0.5},
                       {"wave", "m", RowKind::kInequality, 1, 7.0, 0.25},
                       {"walls", "m", RowKind::kInequality, 2, 5.0, 0.25, 0.0, true}}) {}
  void Evaluate(const double* const* at, double* values, double* const* jacobians) const override {
    const double x = at[0][0], y = at[0][1];
    values[0] = x * x + y;
    values[1] = y;
    values[2] = x * x * x * y - 1.0;
    values[3] = std::sin(x) + y;
    values[4] = 3.0 * (x - 0.7);
    values[5] = -2.0 * (y - 0.5);
    if (jacobians == nullptr) return;
    const double derivatives[12] = {
        2.0 * x, 1.0, 0.0, 1.0, 3.0 * x * x * y, x * x * x, std::cos(x), 1.0, 3.0, 0.0, 0.0, -2.0};
    std::copy(derivatives, derivatives + 12, jacobians[0]);
  }
};

Eigen::MatrixXd Dense(const std::vector<StandardForm::Entry>& entries,
                      const std::vector<double>& values, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows, columns);
  for (size_t e = 0; e < entries.size(); ++e) dense(entries[e].row, entries[e].column) += values[e];
  return dense;
}

Eigen::MatrixXd JacobianOf(const StandardForm& form) {
  std::vector<double> values(form.jacobian_entries().size());
  form.Jacobian(values.data());
  return Dense(form.jacobian_entries(), values, form.rows(), form.variables());
}

// The lower triangle.
Eigen::MatrixXd HessianOf(StandardForm* form, double cost_factor,
                          const Eigen::VectorXd& multipliers) {
  std::vector<double> values(form->hessian_entries().size());
  form->Hessian(cost_factor, multipliers.data(), values.data());
  return Dense(form->hessian_entries(), values, form->variables(), form->variables());
}

TEST(StandardForm, IsThatOfAClosedForm) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Curved>(program.AddBlock(2)));
  const double x = 1.3, y = -0.4;
  StandardForm form(program, Eigen::Vector2d(0.2, 0.1));
  EXPECT_EQ(form.rows(), 2);
  EXPECT_TRUE(form.is_equality(0));
  EXPECT_FALSE(form.is_equality(1));
  EXPECT_NEAR(form.lower()[0], 0.7, 1e-15);
  EXPECT_TRUE(std::isinf(form.upper()[0]));
  EXPECT_TRUE(std::isinf(form.lower()[1]));
  EXPECT_NEAR(form.upper()[1], 0.5, 1e-15);

  const Eigen::Vector2d at(x, y), multipliers(0.6, -1.7);
  form.MoveTo(at.data(), true);
  const double r = x * x + y;
  EXPECT_NEAR(form.Cost(), r * r + y * y, 1e-14);
  Eigen::Vector2d gradient, rows;
  form.CostGradient(gradient.data());
  EXPECT_NEAR(gradient[0], 4.0 * x * r, 1e-14);
  EXPECT_NEAR(gradient[1], 2.0 * r + 2.0 * y, 1e-14);
  form.Rows(rows.data());
  EXPECT_NEAR(rows[0], 3.0 * (x * x * x * y - 1.0), 1e-14);
  EXPECT_NEAR(rows[1], 7.0 * (std::sin(x) + y), 1e-14);
  const Eigen::MatrixXd jacobian = JacobianOf(form);
  EXPECT_NEAR(jacobian(0, 0), 9.0 * x * x * y, 1e-14);
  EXPECT_NEAR(jacobian(0, 1), 3.0 * x * x * x, 1e-14);
  EXPECT_NEAR(jacobian(1, 0), 7.0 * std::cos(x), 1e-14);
  EXPECT_NEAR(jacobian(1, 1), 7.0, 1e-14);

  const double cost = 0.8, of_product = 3.0 * multipliers[0], of_wave = 7.0 * multipliers[1];
  const Eigen::MatrixXd hessian = HessianOf(&form, cost, multipliers);
  EXPECT_NEAR(hessian(0, 0),
              cost * (8.0 * x * x + 4.0 * r) + of_product * 6.0 * x * y - of_wave * std::sin(x),
              1e-5);
  EXPECT_NEAR(hessian(1, 0), cost * 4.0 * x + of_product * 3.0 * x * x, 1e-5);
  EXPECT_NEAR(hessian(1, 1), cost * 4.0, 1e-5);
  EXPECT_EQ(hessian(0, 1), 0.0);
}

TEST(StandardForm, MultipliersOfRowsAndBoundsAreThoseOfTheProgram) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Curved>(program.AddBlock(2)));
  StandardForm form(program, Eigen::Vector2d(0.2, 0.1));
  const Eigen::Vector2d at(1.3, -0.4), of_rows(0.6, -1.7), of_lower(0.9, 0.0), of_upper(0.0, 1.1);
  form.MoveTo(at.data(), true);
  const Eigen::VectorXd multipliers =
      form.RowMultipliers(of_rows.data(), of_lower.data(), of_upper.data());
  // ∇ of J + Σ λ s c + Σ λ s g − z_l (x − l) − z_u (u − x), and of J + Σ y c − Σ z g.
  Eigen::Vector2d gradient, cost;
  form.CostGradient(cost.data());
  gradient = cost + JacobianOf(form).transpose() * of_rows - of_lower + of_upper;
  const OptimalityResiduals residuals = ResidualsAt(program, at, multipliers);
  EXPECT_NEAR(residuals.stationarity, gradient.cwiseAbs().maxCoeff() / cost.cwiseAbs().maxCoeff(),
              1e-13);
  EXPECT_NEAR(multipliers[2], 3.0 * 0.6, 1e-15);
  EXPECT_NEAR(multipliers[3], 7.0 * 1.7, 1e-15);
  EXPECT_NEAR(multipliers[4], 0.9 / 3.0, 1e-15);
  EXPECT_NEAR(multipliers[5], 1.1 / 2.0, 1e-15);
}

class StandardFormOfAJump : public testing::TestWithParam<LampTranscription> {
 protected:
  StandardFormOfAJump()
      : jump_(Problem(), MeshOf(Problem(), 0.05, GetParam())),
        x_(jump_.Pack(PerturbedLine(Problem(), 0.05, 3, {.angle = 0.8}))) {}

  // With every kind of row: torque limits, a rise, free durations.
  static LampJumpProblem Problem() {
    LampJumpProblem problem;
    problem.torque_limit = 12.0;
    problem.longest_flight = 0.4;
    problem.rises = {{"box", 0.1, 0.2, 0.05, 0.1}};
    return problem;
  }
  const SpacetimeProgram& program() const { return jump_.program(); }

  LampJumpProgram jump_;
  Eigen::VectorXd x_;
};

// The rows are those of the program, scaled; what is no row is a bound with the same sign.
TEST_P(StandardFormOfAJump, HasEveryConstraintOnce) {
  StandardForm form(program(), jump_.Pack(StraightLine(Problem())));
  form.MoveTo(x_.data(), true);
  Eigen::VectorXd values, rows(form.rows());
  program().Evaluate(x_, &values);
  EXPECT_NEAR(form.Cost(), program().Cost(values), 1e-12 * form.Cost());
  form.Rows(rows.data());
  double worst = 0.0, worst_here = 0.0;
  int bounds = 0;
  for (int row = 0; row < program().rows(); ++row) {
    const RowGroup& group = program().group(row);
    if (group.bounds) {
      worst = std::max(worst, -values[row]);
      ++bounds;
    }
  }
  for (int k = 0; k < form.variables(); ++k) {
    worst_here = std::max({worst_here, form.lower()[k] - x_[k], x_[k] - form.upper()[k]});
  }
  EXPECT_GT(bounds, 100);
  EXPECT_GT(worst, 0.01);
  EXPECT_NEAR(worst_here, worst, 1e-12);
  int next = 0;
  for (int t = 0; t < program().terms(); ++t) {
    if (program().term(t).blocks().empty()) continue;
    for (int i = 0; i < program().term(t).rows(); ++i) {
      const int row = program().first_row(t) + i;
      const RowGroup& group = program().group(row);
      if (group.kind == RowKind::kCost || group.bounds) continue;
      ASSERT_LT(next, form.rows());
      const double expected = group.scale * values[row];
      EXPECT_NEAR(rows[next], expected, 1e-12 * (1.0 + std::abs(expected))) << group.name;
      EXPECT_EQ(form.is_equality(next), group.kind == RowKind::kEquality);
      ++next;
    }
  }
  EXPECT_EQ(next, form.rows());
}

// Central differences of values, and of the gradient of the Lagrange function, by every unknown.
TEST_P(StandardFormOfAJump, DerivativesAreThoseOfItsValues) {
  StandardForm form(program(), jump_.Pack(StraightLine(Problem())));
  const Eigen::Index n = form.variables(), m = form.rows();
  Eigen::VectorXd multipliers(m);
  for (Eigen::Index i = 0; i < m; ++i)
    multipliers[i] = std::cos(1.0 + 2.3 * static_cast<double>(i));
  constexpr double kCostFactor = 0.7;
  const auto rows_at = [&](const Eigen::VectorXd& x) {
    Eigen::VectorXd rows(m);
    form.MoveTo(x.data(), false);
    form.Rows(rows.data());
    return rows;
  };
  const auto gradient_at = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    Eigen::VectorXd gradient(n);
    form.MoveTo(x.data(), true);
    form.CostGradient(gradient.data());
    return kCostFactor * gradient + JacobianOf(form).transpose() * multipliers;
  };
  form.MoveTo(x_.data(), true);
  const Eigen::MatrixXd jacobian = JacobianOf(form);
  const Eigen::MatrixXd lower = HessianOf(&form, kCostFactor, multipliers);
  EXPECT_TRUE(lower.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0));
  const Eigen::MatrixXd hessian = lower.selfadjointView<Eigen::Lower>();
  constexpr double kStep = 1e-5;
  Eigen::VectorXd x = x_;
  for (Eigen::Index k = 0; k < n; ++k) {
    x[k] = x_[k] + kStep;
    const Eigen::VectorXd rows = rows_at(x), gradient = gradient_at(x);
    x[k] = x_[k] - kStep;
    const Eigen::VectorXd by_rows = (rows - rows_at(x)) / (2.0 * kStep);
    const Eigen::VectorXd by_gradient = (gradient - gradient_at(x)) / (2.0 * kStep);
    x[k] = x_[k];
    const double size = 1.0 + by_rows.cwiseAbs().maxCoeff();
    EXPECT_LT((jacobian.col(k) - by_rows).cwiseAbs().maxCoeff(), 1e-5 * size) << "unknown " << k;
    const double curvature = 1.0 + by_gradient.cwiseAbs().maxCoeff();
    EXPECT_LT((hessian.col(k) - by_gradient).cwiseAbs().maxCoeff(), 1e-4 * curvature)
        << "unknown " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Transcriptions, StandardFormOfAJump,
                         testing::Values(LampTranscription::kHermite,
                                         LampTranscription::kTrapezoidal,
                                         LampTranscription::kFiniteDifferences),
                         [](const auto& each) {
                           return each.param == LampTranscription::kHermite       ? "Hermite"
                                  : each.param == LampTranscription::kTrapezoidal ? "Trapezoidal"
                                                                                  : "Differences";
                         });

}  // namespace
}  // namespace pliant
