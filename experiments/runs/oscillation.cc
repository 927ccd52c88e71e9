#include "experiments/runs/oscillation.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::VectorXd;
using Numbers = Eigen::Matrix<double, 5, 1>;  // c, a, b, γ, ω, per span of the records

constexpr size_t kLeastRecords = 8;
constexpr double kLeastExplained = 0.9;  // of the variance
constexpr double kRipple = 0.05;  // of the largest deviation: less is no crossing of the middle
constexpr int kMostIterations = 200;

// The period between crossings of `middle` in one direction; absent where there is none.
std::optional<double> PeriodBetweenCrossings(const Curve& curve, double middle) {
  double largest = 0.0;
  for (const double value : curve.values) largest = std::max(largest, std::abs(value - middle));
  std::vector<double> crossings[2];  // downwards, upwards
  int side = 0;
  double crossing = curve.times.front();
  for (size_t i = 0; i < curve.values.size(); ++i) {
    const double now = curve.values[i] - middle;
    if (i > 0) {
      const double before = curve.values[i - 1] - middle;
      if ((before < 0.0) != (now < 0.0)) {
        crossing = std::lerp(curve.times[i - 1], curve.times[i], before / (before - now));
      }
    }
    const int now_side = now > kRipple * largest ? 1 : now < -kRipple * largest ? -1 : side;
    if (side != 0 && now_side != side) crossings[now_side > 0 ? 1 : 0].push_back(crossing);
    side = now_side;
  }
  const std::vector<double>& most = crossings[crossings[1].size() > crossings[0].size() ? 1 : 0];
  if (most.size() < 2) return std::nullopt;
  return (most.back() - most.front()) / static_cast<double>(most.size() - 1);
}

// The fit in scaled time s = (t − t₀)/(t_n − t₀).
class Fit {
 public:
  explicit Fit(const Curve& curve)
      : s_(Eigen::Map<const VectorXd>(curve.times.data(), Size(curve))) {
    s_ = (s_.array() - curve.times.front()) / (curve.times.back() - curve.times.front());
    values_ = Eigen::Map<const VectorXd>(curve.values.data(), Size(curve));
    variance_ = (values_.array() - values_.mean()).square().sum();
  }

  // For given γ and ω the best c, a, b; its sum of squares is put into `squares`.
  Numbers BestOf(double decay, double frequency, double* squares) const {
    Eigen::MatrixX3d basis(s_.size(), 3);
    const Eigen::ArrayXd fading = (-decay * s_.array()).exp(), phase = frequency * s_.array();
    basis.col(0).setOnes();
    basis.col(1) = fading * phase.cos();
    basis.col(2) = fading * phase.sin();
    const Eigen::Vector3d linear = basis.colPivHouseholderQr().solve(values_);
    *squares = (basis * linear - values_).squaredNorm();
    return {linear[0], linear[1], linear[2], decay, frequency};
  }

  // False when it does not converge.
  bool Improve(Numbers* numbers) {
    double damping = 1e-3, squares = Residual(*numbers).squaredNorm();
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      const Eigen::Matrix<double, Eigen::Dynamic, 5> slopes = Slopes(*numbers);
      const Numbers down = slopes.transpose() * Residual(*numbers);
      Eigen::Matrix<double, 5, 5> square = slopes.transpose() * slopes;
      square.diagonal() *= 1.0 + damping;
      const Numbers step = square.ldlt().solve(down);
      if (!step.allFinite()) return false;
      const Numbers tried = *numbers - step;
      const double now = Residual(tried).squaredNorm();
      const bool small =
          (step.array().abs() <= 1e-13 * (numbers->array().abs() + Scale().array())).all();
      if (now <= squares) {
        *numbers = tried;
        squares = now;
        damping *= 0.1;
      } else {
        damping *= 10.0;
      }
      if (small || squares <= 1e-30 * variance_ || damping > 1e12) return std::isfinite(squares);
    }
    return false;
  }

  double Explained(const Numbers& numbers) const {
    return 1.0 - Residual(numbers).squaredNorm() / variance_;
  }
  double variance() const { return variance_; }

 private:
  static Eigen::Index Size(const Curve& curve) {
    return static_cast<Eigen::Index>(curve.values.size());
  }

  Numbers Scale() const {
    const double amplitude = std::sqrt(variance_ / static_cast<double>(s_.size()));
    return {amplitude, amplitude, amplitude, 1.0, 1.0};
  }

  VectorXd Residual(const Numbers& n) const {
    const Eigen::ArrayXd phase = n[4] * s_.array();
    return n[0] + (-n[3] * s_.array()).exp() * (n[1] * phase.cos() + n[2] * phase.sin()) -
           values_.array();
  }

  Eigen::Matrix<double, Eigen::Dynamic, 5> Slopes(const Numbers& n) const {
    Eigen::Matrix<double, Eigen::Dynamic, 5> slopes(s_.size(), 5);
    const Eigen::ArrayXd fading = (-n[3] * s_.array()).exp();
    const Eigen::ArrayXd cosine = fading * (n[4] * s_.array()).cos(),
                         sine = fading * (n[4] * s_.array()).sin();
    slopes.col(0).setOnes();
    slopes.col(1) = cosine;
    slopes.col(2) = sine;
    slopes.col(3) = -s_.array() * (n[1] * cosine + n[2] * sine);
    slopes.col(4) = s_.array() * (n[2] * cosine - n[1] * sine);
    return slopes;
  }

  VectorXd s_, values_;
  double variance_ = 0.0;  // sum of squares about the mean
};

}  // namespace

std::optional<double> MeanOverTime(const Curve& curve) {
  const std::vector<double>&t = curve.times, &x = curve.values;
  if (x.empty()) return std::nullopt;
  if (x.size() == 1) return x.front();
  double integral = 0.0;
  for (size_t i = 1; i < x.size(); ++i) integral += 0.5 * (x[i - 1] + x[i]) * (t[i] - t[i - 1]);
  return integral / (t.back() - t.front());
}

std::optional<double> FirstCrossing(const Curve& curve, double level) {
  double before = 0.0;  // the last value beside the level
  for (size_t i = 0; i < curve.values.size(); ++i) {
    const double now = curve.values[i] - level;
    if (before != 0.0 && (now == 0.0 || (before < 0.0) != (now < 0.0))) {
      return std::lerp(curve.times[i - 1], curve.times[i], before / (before - now));
    }
    before = now;
  }
  return std::nullopt;
}

std::optional<DampedOscillation> FitOscillation(const Curve& curve) {
  const size_t records = curve.values.size();
  if (records < kLeastRecords) return std::nullopt;
  const size_t half = records / 2;
  double middle = 0.0;
  for (size_t i = half; i < records; ++i) middle += curve.values[i];
  middle /= static_cast<double>(records - half);
  const std::optional<double> period = PeriodBetweenCrossings(curve, middle);
  if (!period) return std::nullopt;

  Fit fit(curve);
  const double span = curve.times.back() - curve.times.front();
  const double frequency = 2.0 * std::numbers::pi * span / *period;
  Numbers best = Numbers::Zero();
  double least = INFINITY;
  for (const double factor : {0.8, 0.9, 1.0, 1.1, 1.25}) {
    for (const double decay : {0.0, 1.0, 4.0, 16.0}) {
      double squares = 0.0;
      const Numbers numbers = fit.BestOf(decay, factor * frequency, &squares);
      if (!(squares < least)) continue;
      least = squares;
      best = numbers;
    }
  }
  if (!std::isfinite(least) || !fit.Improve(&best)) return std::nullopt;
  const double sine = best[4] < 0.0 ? -best[2] : best[2];
  const DampedOscillation found = {2.0 * std::numbers::pi * span / std::abs(best[4]),
                                   best[3] / span, std::hypot(best[1], sine),
                                   std::atan2(-sine, best[1])};
  if (!(fit.Explained(best) >= kLeastExplained) || !(found.period <= span)) return std::nullopt;
  return found;
}

}  // namespace pliant
