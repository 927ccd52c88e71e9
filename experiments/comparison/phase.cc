#include "experiments/comparison/phase.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/geometry/extent.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr int kPowerSteps = 50;
constexpr double kStill = 1e-12;  // of the extent of the points: less is no motion

// A column for each of `frames`: the coordinates of up to kPhasePoints points.
MatrixXd PointsOver(const Bundle& bundle, const std::vector<size_t>& frames) {
  MatrixXd columns;
  for (size_t i = 0; i < frames.size(); ++i) {
    const Eigen::Matrix3Xd points = bundle.Points(frames[i]);
    const auto stride = (points.cols() + kPhasePoints - 1) / kPhasePoints;
    const auto count = (points.cols() + stride - 1) / stride;
    if (columns.size() == 0) columns.resize(3 * count, static_cast<Eigen::Index>(frames.size()));
    for (Eigen::Index p = 0; p < count; ++p)
      columns.col(static_cast<Eigen::Index>(i)).segment<3>(3 * p) = points.col(stride * p);
  }
  return columns;
}

// The first principal component by power iteration, which begins at the column that is longest. Where two are
// equally strong it is one of them, which serves as well.
VectorXd DominantDirection(const MatrixXd& x) {
  Eigen::Index longest = 0;
  x.colwise().squaredNorm().maxCoeff(&longest);
  VectorXd u = x.col(longest).normalized();
  for (int step = 0; step < kPowerSteps; ++step) u = (x * (x.transpose() * u)).normalized();
  return u;
}

// Absent where the run does not oscillate.
std::optional<PhaseError> AheadOf(const DampedOscillation& reference, const Curve& run) {
  const auto of_run = FitOscillation(run);
  if (!of_run) return std::nullopt;
  PhaseError error;
  error.first = std::remainder(of_run->phase - reference.phase, kTurn);
  error.last = error.first + (kTurn / of_run->period - kTurn / reference.period) *
                                 (run.times.back() - run.times.front());
  return error;
}

Curve CurveOf(const std::vector<double>& times, const VectorXd& values) {
  return {times, {values.begin(), values.end()}};
}

}  // namespace

double PhaseError::largest() const { return std::max(std::abs(first), std::abs(last)); }

std::optional<PhaseError> MeasurePhaseError(const Curve& run, const Curve& reference) {
  const auto of_reference = FitOscillation(reference);
  return of_reference ? AheadOf(*of_reference, run) : std::nullopt;
}

std::optional<PhaseOfPoints> MeasurePhaseOfPoints(const Bundle& run, const Bundle& reference,
                                                  const DistanceSeries& distance) {
  if (distance.times.size() < 2) return std::nullopt;
  MatrixXd x = PointsOver(reference, distance.reference_frames);
  const double extent = ExtentOf(x);
  const VectorXd mean = x.rowwise().mean();
  const double size = x.cwiseAbs().maxCoeff();
  if (!(extent > kStill * size)) return std::nullopt;
  x.colwise() -= mean;
  const VectorXd u = DominantDirection(x);
  const auto fit = FitOscillation(CurveOf(distance.times, x.transpose() * u));
  if (!fit) return std::nullopt;
  MatrixXd y = PointsOver(run, distance.frames);
  y.colwise() -= mean;
  const auto error = AheadOf(*fit, CurveOf(distance.times, y.transpose() * u));
  if (!error) return std::nullopt;
  const double span = distance.times.back() - distance.times.front();
  return PhaseOfPoints{*error, fit->amplitude * std::exp(-fit->decay * span) /
                                   std::sqrt(static_cast<double>(x.rows()) / 3.0)};
}

}  // namespace pliant
