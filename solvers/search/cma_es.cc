#include "solvers/search/cma_es.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/problem.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// σ must not grow beyond the bounds, nor may a direction vanish by rounding.
constexpr double kLargestSigma = 1.0;
constexpr double kLeastVariance = 1e-30;

}  // namespace

void CmaEsOptions::Bind(ParameterBinder& b) {
  b.Real("step_size", &step_size, "1", Between(1e-12, 1.0),
         "initial standard deviation of the trials, divided by the width of the bounds");
  b.Integer("population", &population, "1", AtLeast(0),
            "number of trials of a generation, at least 4; 0: 4 + 3 ln n for n numbers");
}

CmaEs::CmaEs(MotionNumbers numbers, std::uint64_t seed, const CmaEsOptions& options)
    : Search(std::move(numbers)),
      random_(seed),
      n_(this->numbers().start.size()),
      sigma_(options.step_size) {
  if (options.population > 0 && options.population < 4) {
    throw BadInput({"population", "a generation needs at least 4 trials",
                    "give 0 to choose it automatically"});
  }
  const auto n = static_cast<double>(n_);
  population_ = options.population > 0 ? static_cast<size_t>(options.population)
                                       : static_cast<size_t>(4.0 + std::floor(3.0 * std::log(n)));
  const auto half = static_cast<Eigen::Index>(population_ / 2);
  weights_.resize(half);
  for (Eigen::Index i = 0; i < half; ++i) {
    weights_[i] = std::log(0.5 * static_cast<double>(population_) + 0.5) -
                  std::log(static_cast<double>(i + 1));
  }
  weights_ /= weights_.sum();
  selected_ = 1.0 / weights_.squaredNorm();
  path_rate_ = (selected_ + 2.0) / (n + selected_ + 5.0);
  path_damping_ =
      1.0 + 2.0 * std::max(0.0, std::sqrt((selected_ - 1.0) / (n + 1.0)) - 1.0) + path_rate_;
  cumulation_ = (4.0 + selected_ / n) / (n + 4.0 + 2.0 * selected_ / n);
  rank_one_ = 2.0 / ((n + 1.3) * (n + 1.3) + selected_);
  rank_mu_ = std::min(1.0 - rank_one_, 2.0 * (selected_ - 2.0 + 1.0 / selected_) /
                                           ((n + 2.0) * (n + 2.0) + selected_));
  expected_norm_ = std::sqrt(n) * (1.0 - 0.25 / n + 1.0 / (21.0 * n * n));

  const MotionNumbers& all = this->numbers();
  mean_ = (all.start - all.lower).cwiseQuotient(all.upper - all.lower);
  path_ = covariance_path_ = VectorXd::Zero(n_);
  covariance_ = axes_ = MatrixXd::Identity(n_, n_);
  lengths_ = VectorXd::Ones(n_);
}

void CmaEs::DoAsk(VectorXd* next) {
  VectorXd sample(n_);
  for (double& value : sample) value = random_.Normal();
  candidates_.push_back({axes_ * lengths_.cwiseProduct(sample), 0.0});
  const VectorXd& step = candidates_.back().step;
  *next = numbers().lower + (numbers().upper - numbers().lower).cwiseProduct(mean_ + sigma_ * step);
}

bool CmaEs::DoAccept(double cost, bool /*feasible*/) {
  candidates_.back().cost = cost;
  if (candidates_.size() == population_) Adapt();
  return cost <= current_cost();
}

void CmaEs::Adapt() {
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  VectorXd step = VectorXd::Zero(n_);
  MatrixXd spread = MatrixXd::Zero(n_, n_);
  for (Eigen::Index i = 0; i < weights_.size(); ++i) {
    const VectorXd& y = candidates_[static_cast<size_t>(i)].step;
    step += weights_[i] * y;
    spread += weights_[i] * y * y.transpose();
  }
  candidates_.clear();
  ++generation_;
  mean_ += sigma_ * step;

  const VectorXd white = axes_ * (axes_.transpose() * step).cwiseQuotient(lengths_);
  path_ =
      (1.0 - path_rate_) * path_ + std::sqrt(path_rate_ * (2.0 - path_rate_) * selected_) * white;
  const double norm = path_.norm();
  const double settled = std::sqrt(1.0 - std::pow(1.0 - path_rate_, 2 * generation_));
  const bool walks =
      norm / settled < (1.4 + 2.0 / (static_cast<double>(n_) + 1.0)) * expected_norm_;
  covariance_path_ = (1.0 - cumulation_) * covariance_path_;
  if (walks) covariance_path_ += std::sqrt(cumulation_ * (2.0 - cumulation_) * selected_) * step;
  const double stalled = walks ? 0.0 : cumulation_ * (2.0 - cumulation_);
  covariance_ = (1.0 - rank_one_ - rank_mu_ + rank_one_ * stalled) * covariance_ +
                rank_one_ * covariance_path_ * covariance_path_.transpose() + rank_mu_ * spread;
  sigma_ = std::min(kLargestSigma,
                    sigma_ * std::exp(path_rate_ / path_damping_ * (norm / expected_norm_ - 1.0)));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(covariance_);
  axes_ = solver.eigenvectors();
  lengths_ = solver.eigenvalues().cwiseMax(kLeastVariance).cwiseSqrt();
}

}  // namespace pliant
