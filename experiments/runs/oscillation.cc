#include "experiments/runs/oscillation.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr size_t kLeastRecords = 8;
constexpr double kMostLeft = 0.1;  // of the variance
constexpr double kRipple = 0.05;   // of the largest deviation: less is no crossing of the middle
constexpr int kMostIterations = 200;
constexpr double kFewerSquares = 0.01;  // left by harmonics, where the motion has them
constexpr int kHarmonicIterations = 40, kFewHarmonics = 3;
constexpr double kHardlyLess = 0.5;  // of the squares that one cosine leaves
constexpr double kExact = 1e-24;     // of the variance: nothing is left to explain

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

// The fit of K harmonics in scaled time s = (t − t₀)/(t_n − t₀), with the numbers c, a_1, b_1, …, a_K, b_K, γ, ω.
class Fit {
 public:
  Fit(const Curve& curve, int harmonics)
      : harmonics_(harmonics), s_(Eigen::Map<const VectorXd>(curve.times.data(), Size(curve))) {
    s_ = (s_.array() - curve.times.front()) / (curve.times.back() - curve.times.front());
    values_ = Eigen::Map<const VectorXd>(curve.values.data(), Size(curve));
    variance_ = (values_.array() - values_.mean()).square().sum();
  }

  static double Decay(const VectorXd& numbers) { return numbers[numbers.size() - 2]; }
  static double Frequency(const VectorXd& numbers) { return numbers[numbers.size() - 1]; }

  // For given γ and ω the best of the others.
  VectorXd BestOf(double decay, double frequency) const {
    VectorXd numbers(2 * harmonics_ + 3);
    numbers << VectorXd::Zero(2 * harmonics_ + 1), decay, frequency;
    numbers.head(2 * harmonics_ + 1) = Basis(numbers).colPivHouseholderQr().solve(values_);
    return numbers;
  }

  // False when it does not converge.
  bool Improve(int iterations, VectorXd* numbers) const {
    double damping = 1e-3, squares = Squares(*numbers);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      const MatrixXd slopes = Slopes(*numbers);
      const VectorXd down = slopes.transpose() * Residual(*numbers);
      MatrixXd square = slopes.transpose() * slopes;
      square.diagonal() *= 1.0 + damping;
      const VectorXd step = square.ldlt().solve(down);
      if (!step.allFinite()) return false;
      const VectorXd tried = *numbers - step;
      const double now = Squares(tried);
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

  double Squares(const VectorXd& numbers) const { return Residual(numbers).squaredNorm(); }
  double variance() const { return variance_; }

 private:
  static Eigen::Index Size(const Curve& curve) {
    return static_cast<Eigen::Index>(curve.values.size());
  }

  VectorXd Scale() const {
    VectorXd scale = VectorXd::Constant(2 * harmonics_ + 3,
                                        std::sqrt(variance_ / static_cast<double>(s_.size())));
    scale.tail<2>().setOnes();
    return scale;
  }

  // 1, and of each harmonic e^{−γ s} cos kω s, e^{−γ s} sin kω s.
  MatrixXd Basis(const VectorXd& n) const {
    MatrixXd basis(s_.size(), 2 * harmonics_ + 1);
    const Eigen::ArrayXd fading = (-Decay(n) * s_.array()).exp(), phase = Frequency(n) * s_.array();
    const Eigen::ArrayXd cosine = phase.cos(), sine = phase.sin();
    basis.col(0).setOnes();
    basis.col(1) = fading * cosine;
    basis.col(2) = fading * sine;
    for (int k = 2; k <= harmonics_; ++k) {  // the next by the theorem of addition
      const auto c = basis.col(2 * k - 3).array(), s = basis.col(2 * k - 2).array();
      basis.col(2 * k - 1) = c * cosine - s * sine;
      basis.col(2 * k) = s * cosine + c * sine;
    }
    return basis;
  }

  VectorXd Residual(const VectorXd& n) const {
    return Basis(n) * n.head(2 * harmonics_ + 1) - values_;
  }

  MatrixXd Slopes(const VectorXd& n) const {
    MatrixXd slopes(s_.size(), n.size());
    const Eigen::Index linear = 2 * harmonics_ + 1;
    slopes.leftCols(linear) = Basis(n);
    slopes.rightCols<2>().setZero();
    for (int k = 1; k <= harmonics_; ++k) {
      const double a = n[2 * k - 1], b = n[2 * k];
      const auto cosine = slopes.col(2 * k - 1).array(), sine = slopes.col(2 * k).array();
      slopes.col(linear).array() -= s_.array() * (a * cosine + b * sine);
      slopes.col(linear + 1).array() += k * s_.array() * (b * cosine - a * sine);
    }
    return slopes;
  }

  int harmonics_;
  VectorXd s_, values_;
  double variance_ = 0.0;  // sum of squares about the mean
};

// Better numbers with harmonics, which are in `numbers` then, where they leave a hundredth of the squares or less; more of them
// as long as each attempt leaves a tenth. `one`: the fit without them; `frequencies`: where to begin. What a few harmonics
// hardly change has none, and nothing more is tried.
void AddHarmonics(const Curve& curve, const Fit& one, const std::vector<double>& frequencies,
                  VectorXd* numbers) {
  const double alone = one.Squares(*numbers);
  double least = alone, wanted = kFewerSquares * alone, best_yet = alone;
  const double decay = Fit::Decay(*numbers);
  for (const int harmonics : {2, 3, 5, 7, 9, 13, 17, 21}) {
    if (least <= kExact * one.variance()) return;
    if (6 * static_cast<size_t>(harmonics) > curve.values.size()) return;
    if (harmonics > kFewHarmonics && best_yet > kHardlyLess * alone) return;
    const Fit fit(curve, harmonics);
    VectorXd best;
    double squares = INFINITY;
    for (const double frequency : frequencies) {
      VectorXd tried = fit.BestOf(decay, frequency);
      if (!fit.Improve(kHarmonicIterations, &tried) || !(fit.Squares(tried) < squares)) continue;
      squares = fit.Squares(tried);
      best = tried;
    }
    best_yet = std::min(best_yet, squares);
    if (!(squares <= wanted)) continue;
    *numbers = best;
    least = squares;
    wanted = 0.1 * least;
  }
}

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

  const Fit fit(curve, 1);
  const double span = curve.times.back() - curve.times.front();
  const double frequency = 2.0 * std::numbers::pi * span / *period;
  VectorXd best;
  double least = INFINITY;
  for (const double factor : {0.8, 0.9, 1.0, 1.1, 1.25}) {
    for (const double decay : {0.0, 1.0, 4.0, 16.0}) {
      const VectorXd numbers = fit.BestOf(decay, factor * frequency);
      const double squares = fit.Squares(numbers);
      if (!(squares < least)) continue;
      least = squares;
      best = numbers;
    }
  }
  if (!std::isfinite(least) || !fit.Improve(kMostIterations, &best)) return std::nullopt;
  if (!(fit.Squares(best) <= kMostLeft * fit.variance())) return std::nullopt;
  AddHarmonics(curve, fit, {Fit::Frequency(best), frequency}, &best);
  const double sine = Fit::Frequency(best) < 0.0 ? -best[2] : best[2];
  const DampedOscillation found = {2.0 * std::numbers::pi * span / std::abs(Fit::Frequency(best)),
                                   Fit::Decay(best) / span, std::hypot(best[1], sine),
                                   std::atan2(-sine, best[1])};
  if (!(found.period <= span)) return std::nullopt;
  return found;
}

}  // namespace pliant
