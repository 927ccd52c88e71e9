#include "solvers/spacetime/solve.h"

#include <gtest/gtest.h>

#include <limits>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "models/problem.h"
#include "solvers/parallel/cancellation.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

// minimise x² + y²  subject to  x y = 1 (or x + y = `sum`),  x ≥ `least`.
class Toy : public SpacetimeTerm {
 public:
  Toy(int block, double least, bool product)
      : SpacetimeTerm(0.5, {block},
                      {{"size", "m", RowKind::kCost, 2},
                       {"relation", "m", RowKind::kEquality, 1},
                       {"wall", "m", RowKind::kInequality, 1}}),
        least_(least),
        product_(product) {}
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    const double a = x[0][0], b = x[0][1];
    values[0] = a;
    values[1] = b;
    values[2] = product_ ? a * b - 1.0 : a + b - 1.0;
    values[3] = a - least_;
    if (jacobians == nullptr) return;
    const double j[8] = {1.0, 0.0, 0.0, 1.0, product_ ? b : 1.0, product_ ? a : 1.0, 1.0, 0.0};
    std::copy(j, j + 8, jacobians[0]);
  }

 private:
  double least_;
  bool product_;
};

SpacetimeSummary SolveToy(double least, bool product, Eigen::VectorXd* x,
                          SpacetimeOptions options = {}, Eigen::VectorXd* multipliers = nullptr) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Toy>(program.AddBlock(2), least, product));
  return Solve(program, options, x, multipliers);
}

TEST(SpacetimeSolve, FindsOptimumAndMultipliersOfAClosedForm) {
  Eigen::VectorXd x = Eigen::Vector2d(3.0, -1.0), multipliers;
  const SpacetimeSummary summary = SolveToy(0.7, false, &x, {}, &multipliers);
  ASSERT_TRUE(summary.converged()) << summary.FullReport();
  EXPECT_NEAR(x[0], 0.7, 1e-8);
  EXPECT_NEAR(x[1], 0.3, 1e-8);
  EXPECT_NEAR(summary.final_cost, 0.58, 1e-7);
  // Of ½J: (x, y) + λ (1, 1) − ν (1, 0) = 0.
  EXPECT_NEAR(multipliers[2], -0.3, 1e-3);
  EXPECT_NEAR(multipliers[3], 0.4, 1e-3);
}

TEST(SpacetimeSolve, FindsTheOptimumOfACurvedConstraint) {
  Eigen::VectorXd x = Eigen::Vector2d(3.0, 0.1);
  const SpacetimeSummary summary = SolveToy(0.0, true, &x);
  ASSERT_TRUE(summary.converged()) << summary.FullReport();
  EXPECT_NEAR(x[0], 1.0, 1e-4);
  EXPECT_NEAR(summary.final_cost, 2.0, 1e-6);
}

// Who watches sees each iteration and where it led, and changes nothing; who has seen enough stops.
TEST(SpacetimeSolve, IsWatchedAndStopped) {
  Eigen::VectorXd alone = Eigen::Vector2d(3.0, -1.0), watched = alone, last;
  const SpacetimeSummary before = SolveToy(0.7, false, &alone);
  std::vector<SpacetimeIteration> seen;
  SpacetimeOptions options;
  options.watch = [&](const SpacetimeIteration& iteration, const Eigen::VectorXd& x) {
    seen.push_back(iteration);
    last = x;
    return true;
  };
  const SpacetimeSummary summary = SolveToy(0.7, false, &watched, options);
  EXPECT_EQ(watched, alone);
  EXPECT_EQ(last, alone);
  ASSERT_EQ(seen.size(), before.history.size());
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].cost, before.history[i].cost);
    EXPECT_EQ(seen[i].violation, before.history[i].violation);
  }
  ASSERT_GT(summary.outer_iterations, 3);
  seen.clear();
  options.watch = [&](const SpacetimeIteration& iteration, const Eigen::VectorXd&) {
    seen.push_back(iteration);
    return seen.size() < 3;
  };
  Eigen::VectorXd x = Eigen::Vector2d(3.0, -1.0);
  const SpacetimeSummary stopped = SolveToy(0.7, false, &x, options);
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(stopped.termination, SpacetimeTermination::kNoConvergence);
  EXPECT_NE(stopped.message.find("stopped"), std::string::npos);
}

TEST(SpacetimeSolve, IsCancelledByTheScopesOfItsThread) {
  std::stop_source mine, other;
  int iterations = 0;
  SpacetimeOptions options;
  options.watch = [&](const SpacetimeIteration&, const Eigen::VectorXd&) {
    if (++iterations == 2) mine.request_stop();
    return true;
  };
  const auto solve = [&] {
    Eigen::VectorXd x = Eigen::Vector2d(3.0, -1.0);
    return SolveToy(0.7, false, &x, options);
  };
  {
    const CancelScope outer(mine.get_token());
    const CancelScope inner(other.get_token());
    EXPECT_THROW(solve(), Cancelled);
    EXPECT_EQ(iterations, 2);
    EXPECT_THROW(solve(), Cancelled);
    EXPECT_EQ(iterations, 2) << "cancelled before its first iteration";
    std::jthread([&] { EXPECT_TRUE(solve().converged()) << "a thread of its own"; });
  }
  EXPECT_TRUE(solve().converged()) << "the scopes have ended";
}

TEST(SpacetimeSolve, SummaryCountsAndNamesEverything) {
  Eigen::VectorXd x = Eigen::Vector2d(3.0, -1.0);
  const SpacetimeSummary summary = SolveToy(0.7, false, &x);
  EXPECT_EQ(summary.variables, 2);
  EXPECT_EQ(summary.cost_rows, 2);
  EXPECT_EQ(summary.equalities, 1);
  EXPECT_EQ(summary.inequalities, 1);
  EXPECT_DOUBLE_EQ(summary.initial_cost, 10.0);
  ASSERT_EQ(summary.costs.size(), 1u);
  EXPECT_DOUBLE_EQ(summary.costs[0].value, summary.final_cost);
  ASSERT_EQ(summary.kinds.size(), 2u);
  EXPECT_EQ(summary.kinds[0].name, "relation");
  EXPECT_EQ(summary.outer_iterations, static_cast<int>(summary.history.size()));
  int inner = 0;
  for (const auto& outer : summary.history) inner += outer.inner_iterations;
  EXPECT_EQ(summary.inner_iterations, inner);
  EXPECT_GT(summary.evaluations, summary.inner_iterations);
  EXPECT_NE(summary.FullReport().find("wall"), std::string::npos);
  EXPECT_NE(summary.BriefReport().find("converged"), std::string::npos);
}

// x ≥ 3 against x² ≤ 1: the violation rests at a compromise.
class Clash : public SpacetimeTerm {
 public:
  explicit Clash(int block)
      : SpacetimeTerm(0.25, {block},
                      {{"size", "m", RowKind::kCost, 1},
                       {"far", "m", RowKind::kInequality, 1},
                       {"near", "m", RowKind::kInequality, 1, 0.5}}) {}
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    values[0] = x[0][0];
    values[1] = x[0][0] - 3.0;
    values[2] = 1.0 - x[0][0] * x[0][0];
    if (jacobians == nullptr) return;
    jacobians[0][0] = jacobians[0][1] = 1.0;
    jacobians[0][2] = -2.0 * x[0][0];
  }
};

TEST(SpacetimeSolve, ClashingConstraintsAreInfeasibleAndNamed) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Clash>(program.AddBlock(1)));
  Eigen::VectorXd x = Eigen::VectorXd::Zero(1);
  const SpacetimeSummary summary = Solve(program, {}, &x);
  EXPECT_EQ(summary.termination, SpacetimeTermination::kInfeasible) << summary.FullReport();
  EXPECT_EQ(summary.worst.name, "far");
  EXPECT_DOUBLE_EQ(summary.worst.time, 0.25);
  EXPECT_EQ(summary.message.find("did not converge: infeasible: worst is 'far'"), 0u)
      << summary.message;
}

// g = −0.5 whatever is chosen, at t = 0.75.
class Hopeless : public SpacetimeTerm {
 public:
  Hopeless() : SpacetimeTerm(0.75, {}, {{"given", "rad", RowKind::kInequality, 1, 10.0}}) {}
  void Evaluate(const double* const*, double* values, double* const*) const override {
    values[0] = -0.5;
  }
};

TEST(SpacetimeSolve, GivenViolationIsInfeasibleAtOnce) {
  SpacetimeProgram program;
  program.AddTerm(std::make_unique<Toy>(program.AddBlock(2), 0.7, false));
  program.AddTerm(std::make_unique<Hopeless>());
  Eigen::VectorXd x = Eigen::Vector2d(30.0, -100.0);
  const SpacetimeSummary summary = Solve(program, {}, &x);
  EXPECT_EQ(summary.termination, SpacetimeTermination::kInfeasible);
  EXPECT_EQ(summary.outer_iterations, 0);
  EXPECT_EQ(summary.worst.name, "given");
  EXPECT_DOUBLE_EQ(summary.worst.value, -0.5);
  EXPECT_DOUBLE_EQ(summary.worst.time, 0.75);
}

TEST(SpacetimeSolve, BudgetEndsAsNotConverged) {
  const SpacetimeOptions options = {.max_evaluations = 5};
  Eigen::VectorXd x = Eigen::Vector2d(3.0, 0.1);
  const SpacetimeSummary summary = SolveToy(0.0, true, &x, options);
  EXPECT_EQ(summary.termination, SpacetimeTermination::kNoConvergence);
  EXPECT_LT(summary.outer_iterations, 3);
}

// Counts how often its rows are asked for.
class Counted : public Toy {
 public:
  Counted(int block, std::int64_t* count) : Toy(block, 0.0, true), count_(count) {}
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    ++*count_;
    Toy::Evaluate(x, values, jacobians);
  }

 private:
  std::int64_t* count_;
};

TEST(SpacetimeSolve, EveryEvaluationCountsAndNoneIsMoreThanTheBudget) {
  for (const int budget : {1, 2, 3, 4, 5, 6, 7, 8, 20, 50, 100000}) {
    std::int64_t count = 0;
    SpacetimeProgram program;
    program.AddTerm(std::make_unique<Counted>(program.AddBlock(2), &count));
    const SpacetimeOptions options = {.max_evaluations = budget};
    Eigen::VectorXd x = Eigen::Vector2d(3.0, 0.1);
    const SpacetimeSummary summary = Solve(program, options, &x);
    EXPECT_EQ(summary.evaluations, count) << budget;
    EXPECT_LE(count, std::max(2, budget));  // the guess is measured, and what is handed back
    EXPECT_EQ(summary.converged(), budget == 100000);
  }
}

TEST(SpacetimeSolve, UndefinedNumbersAreAFailure) {
  Eigen::VectorXd x = Eigen::Vector2d(std::nan(""), 0.1);
  const SpacetimeSummary summary = SolveToy(0.0, true, &x);
  EXPECT_EQ(summary.termination, SpacetimeTermination::kFailure);
}

void ExpectRefused(const SpacetimeOptions& options, const std::string& where) {
  reference::ExpectBadInput(where, [&] { options.Validate(); });
}

TEST(SpacetimeOptions, NameTheViolatedInequality) {
  EXPECT_NO_THROW(SpacetimeOptions{}.Validate());
  SpacetimeOptions o;
  o.fast.initial_penalty = 0.0;
  ExpectRefused(o, "fast.initial_penalty");
  o = {};
  o.robust.initial_penalty = 11.0;
  ExpectRefused(o, "robust.initial_penalty");
  o = {};
  o.warm.required_decrease = 1.0;
  ExpectRefused(o, "warm.required_decrease");
  o = {};
  o.penalty_growth = 1.0;
  ExpectRefused(o, "penalty_growth");
  o = {};
  o.final_penalty_cap = 1.0;
  ExpectRefused(o, "final_penalty_cap");
  o = {};
  o.violation_tolerance = std::numeric_limits<double>::quiet_NaN();
  ExpectRefused(o, "violation_tolerance");
  o = {};
  o.max_evaluations = 0;
  ExpectRefused(o, "max_evaluations");
  o = {};
  o.max_seconds = 0.0;
  ExpectRefused(o, "max_seconds");
  o.max_seconds = -1.0;
  ExpectRefused(o, "max_seconds");
  o = {};
  o.restorable_violation = 0.0;
  ExpectRefused(o, "restorable_violation");
  o = {};
  o.refused_solves = -1;
  ExpectRefused(o, "refused_solves");
}

}  // namespace
}  // namespace pliant
