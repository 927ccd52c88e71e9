#include "app/plots/claim_bounds.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Colour kBoundColour{0xb0, 0x3a, 0x2e};
constexpr double kBeside = 0.03;  // of all times, to either side of the time of a claim
constexpr double kTooFar = 3.0;   // times the range of the curves

// What the curves cover.
struct Extent {
  AxisRange x{INFINITY, -INFINITY}, y{INFINITY, -INFINITY};
};

Extent ExtentOf(const Panel& panel) {
  Extent extent;
  for (const PlottedCurve& curve : panel.curves) {
    for (size_t i = 0; i < curve.x.size(); ++i) {
      extent.x = {std::min(extent.x.lower, curve.x[i]), std::max(extent.x.upper, curve.x[i])};
      if (!std::isfinite(curve.y[i])) continue;
      extent.y = {std::min(extent.y.lower, curve.y[i]), std::max(extent.y.upper, curve.y[i])};
    }
  }
  return extent;
}

PlottedCurve LineAt(const Claim& claim, double bound, const AxisRange& x) {
  const double width = x.upper - x.lower;
  const double from = claim.at ? std::max(x.lower, *claim.at - kBeside * width) : x.lower;
  const double until = claim.at ? std::min(x.upper, *claim.at + kBeside * width) : x.upper;
  const LineStyle style{kBoundColour, Dash::kDotted, Marker::kNone, 1.4};
  return {"claim: " + claim.text, claim.of, style, {from, until}, {bound, bound}, false};
}

}  // namespace

std::vector<Claim> ClaimsOn(const std::vector<Claim>& claims, const SeriesColumn& column) {
  const std::string suffix = UnitSuffix(column.unit);
  std::string stem = column.name;
  if (stem.ends_with(suffix)) stem.resize(stem.size() - suffix.size());
  std::vector<std::string> figures = {column.name};
  for (const char* which : {"_max", "_min", "_start"}) figures.push_back(stem + which + suffix);
  std::vector<Claim> found;
  for (const Claim& claim : claims) {
    const bool of_one = claim.SaysInterval() && !claim.difference_to && !claim.ratio_to &&
                        !claim.over && claim.set.empty();
    if (!of_one) continue;
    const auto figure = std::ranges::find(figures, claim.figure);
    if (figure == figures.end() || (claim.at && claim.figure != column.name)) continue;
    found.push_back(claim);
  }
  return found;
}

std::vector<std::string> AddClaimBounds(const std::vector<Claim>& claims,
                                        const SeriesColumn& column, Panel* panel) {
  std::vector<std::string> left_out;
  const Extent extent = ExtentOf(*panel);
  if (!(extent.x.lower < extent.x.upper) || !(extent.y.lower <= extent.y.upper)) return left_out;
  const double range = std::max(extent.y.upper - extent.y.lower, std::abs(extent.y.upper));
  std::vector<PlottedCurve> lines;
  for (const Claim& claim : ClaimsOn(claims, column)) {
    for (const double bound : {claim.lower, claim.upper}) {
      if (!std::isfinite(bound)) continue;
      const bool far = bound > extent.y.upper + kTooFar * range ||
                       bound < extent.y.lower - kTooFar * range ||
                       (panel->y.logarithmic && bound <= 0.0);
      if (far) {
        left_out.push_back("Not drawn, far away: the bound of \"" + claim.text + "\".");
      } else {
        lines.push_back(LineAt(claim, bound, extent.x));
      }
    }
  }
  for (PlottedCurve& line : lines) panel->curves.push_back(std::move(line));
  return left_out;
}

}  // namespace pliant
