// The adaptation of CMA-ES against a slow copy of the tutorial's.
//
// Two searches with one seed draw the same normal numbers z, whatever they search. A trial is x = m + σ C^½ z, so that
// |z| follows from the trials once m, σ and C are known; they follow from the trials before by the equations of
// [Hansen 2016]. Searches of different functions agree about |z| only if every number of the adaptation is right.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "solvers/search/search_methods.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kDimension = 3;
constexpr double kLower = -100.0, kWidth = 200.0, kSigma = 1e-3;

SearchHistory Searched(const FunctionProblem::Function& function, int trials) {
  const MotionNumbers numbers = Box(kDimension, kLower, kLower + kWidth, 10.0);
  FunctionProblem problem(numbers, function);
  const auto search =
      FindSearchMethod("cma-es")->Start(numbers, trials, /*seed=*/7, {{"step_size", kSigma}});
  return RunSearch(search.get(), &problem, trials, {}, {});
}

// [Hansen 2016, Table 1 and Eq. 5 to 49], weights above 0 only.
struct Tutorial {
  const int n = kDimension;
  const int lambda = 4 + static_cast<int>(std::floor(3.0 * std::log(n))), mu = lambda / 2;
  VectorXd w = VectorXd::Zero(mu), m, p_sigma = VectorXd::Zero(n), p_c = VectorXd::Zero(n);
  MatrixXd c = MatrixXd::Identity(n, n);
  double sigma = kSigma, mu_eff = 0.0;
  int g = 0;
  bool stalled_once = false, walked_once = false;

  explicit Tutorial(const VectorXd& start) : m(start) {
    for (int i = 0; i < mu; ++i) w[i] = std::log((lambda + 1) / 2.0) - std::log(i + 1.0);
    w /= w.sum();
    mu_eff = 1.0 / w.squaredNorm();
  }

  VectorXd Whitened(const VectorXd& y) const {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> roots(c);
    return roots.operatorInverseSqrt() * y;
  }

  void Adapt(std::vector<std::pair<double, VectorXd>> trials) {
    std::stable_sort(trials.begin(), trials.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    VectorXd y_w = VectorXd::Zero(n);
    MatrixXd rank_mu = MatrixXd::Zero(n, n);
    for (int i = 0; i < mu; ++i) {
      const VectorXd y = (trials[static_cast<size_t>(i)].second - m) / sigma;
      y_w += w[i] * y;
      rank_mu += w[i] * y * y.transpose();
    }
    const double c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    const double d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
    const double c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    const double c_1 = 2 / (std::pow(n + 1.3, 2) + mu_eff);
    const double c_mu =
        std::min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / (std::pow(n + 2, 2) + mu_eff));
    const double chi = std::sqrt(n) * (1 - 1.0 / (4 * n) + 1.0 / (21.0 * n * n));
    p_sigma = (1 - c_sigma) * p_sigma + std::sqrt(c_sigma * (2 - c_sigma) * mu_eff) * Whitened(y_w);
    const bool h = p_sigma.norm() / std::sqrt(1 - std::pow(1 - c_sigma, 2 * (g + 1))) <
                   (1.4 + 2.0 / (n + 1)) * chi;
    (h ? walked_once : stalled_once) = true;
    p_c = (1 - c_c) * p_c;
    if (h) p_c += std::sqrt(c_c * (2 - c_c) * mu_eff) * y_w;
    c = (1 - c_1 - c_mu + (h ? 0 : c_1 * c_c * (2 - c_c))) * c + c_1 * p_c * p_c.transpose() +
        c_mu * rank_mu;
    m += sigma * y_w;
    sigma *= std::exp(c_sigma / d_sigma * (p_sigma.norm() / chi - 1));
    ++g;
  }
};

// |z| of every trial after the first.
std::vector<double> Drawn(const SearchHistory& history, Tutorial* tutorial) {
  std::vector<double> drawn;
  std::vector<std::pair<double, VectorXd>> generation;
  for (size_t t = 1; t < history.trials.size(); ++t) {
    const VectorXd x = (history.trials[t].numbers.array() - kLower) / kWidth;
    drawn.push_back(tutorial->Whitened((x - tutorial->m) / tutorial->sigma).norm());
    generation.emplace_back(history.trials[t].score.cost, x);
    if (generation.size() < static_cast<size_t>(tutorial->lambda)) continue;
    tutorial->Adapt(std::move(generation));
    generation.clear();
  }
  return drawn;
}

TEST(CmaEs, AdaptsAsTheTutorialDoes) {
  constexpr int kTrials = 1 + 12 * 7;
  const VectorXd start = VectorXd::Constant(kDimension, (10.0 - kLower) / kWidth);
  Tutorial of_slope(start), of_bowl(start);
  const std::vector<double> on_slope = Drawn(
      Searched([](const VectorXd& x) { return Score(x[0] + 0.3 * x[1]); }, kTrials), &of_slope);
  const std::vector<double> in_bowl =
      Drawn(Searched([](const VectorXd& x) { return Score((x.array() - 10.02).square().sum()); },
                     kTrials),
            &of_bowl);
  ASSERT_EQ(on_slope.size(), static_cast<size_t>(kTrials - 1));
  for (size_t t = 0; t < on_slope.size(); ++t) {
    EXPECT_NEAR(on_slope[t], in_bowl[t], 1e-7 * on_slope[t]) << "trial " << t + 2;
  }
  // The path is long enough to stall the covariance, and short enough to go on again.
  EXPECT_TRUE(of_slope.stalled_once);
  EXPECT_TRUE(of_slope.walked_once);
}

}  // namespace
}  // namespace pliant
