#include "models/contact/barrier.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

// On r/d.
double UnitValue(double y) { return -(y - 1.0) * (y - 1.0) * std::log(y); }
double UnitSlope(double y) { return -2.0 * (y - 1.0) * std::log(y) - (y - 1.0) * (y - 1.0) / y; }
double UnitCurvature(double y) {
  return -2.0 * std::log(y) - 4.0 * (y - 1.0) / y + (y - 1.0) * (y - 1.0) / (y * y);
}

constexpr double kParabola = 0.01;  // of the thickness

// Gauss–Legendre with four points on [0, 1].
constexpr std::array<double, 4> kNodes = {0.069431844202973712, 0.33000947820757187,
                                          0.66999052179242813, 0.93056815579702629};
constexpr std::array<double, 4> kWeights = {0.17392742256872693, 0.32607257743127307,
                                            0.32607257743127307, 0.17392742256872693};

}  // namespace

double Barrier::Value(double room) const {
  const double y = room / thickness_, past = y - kParabola;
  if (y >= 1.0) return 0.0;
  if (past >= 0.0) return thickness_ * UnitValue(y);
  return thickness_ * (UnitValue(kParabola) + past * UnitSlope(kParabola) +
                       0.5 * past * past * UnitCurvature(kParabola));
}

double Barrier::Slope(double room) const {
  const double y = room / thickness_, past = y - kParabola;
  if (y >= 1.0) return 0.0;
  return past >= 0.0 ? UnitSlope(y) : UnitSlope(kParabola) + past * UnitCurvature(kParabola);
}

double Barrier::Curvature(double room) const {
  const double y = room / thickness_;
  return y >= 1.0 ? 0.0 : UnitCurvature(std::max(y, kParabola)) / thickness_;
}

double Barrier::DividedDifference(double r0, double r1) const {
  const double change = r1 - r0, least = std::min(r0, r1), most = std::max(r0, r1);
  const auto between = [&](double place) { return least < place && place < most; };
  const bool smooth = !between(thickness_) && !between(kParabola * thickness_);
  const double scale = std::max(least, kParabola * thickness_);
  if (std::abs(change) > (smooth ? 0.05 * scale : 1e-6 * thickness_)) {
    return (Value(r1) - Value(r0)) / change;
  }
  double sum = 0.0;
  for (size_t g = 0; g < kNodes.size(); ++g) sum += kWeights[g] * Slope(r0 + kNodes[g] * change);
  return sum;
}

double Barrier::DividedSlope(double r0, double r1) const {
  const double change = r1 - r0;
  const double scale = std::max(std::min(r0, r1), kParabola * thickness_);
  if (std::abs(change) < 1e-3 * scale) return 0.5 * Curvature(0.5 * (r0 + r1));
  return (Slope(r1) - DividedDifference(r0, r1)) / change;
}

}  // namespace pliant
