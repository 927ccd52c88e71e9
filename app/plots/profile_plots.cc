#include "app/plots/profile_plots.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pliant {
namespace {

constexpr double kBroad = 3.5;  // width of lines whose colour stands for another method, too

// Steps up at each of `steps` to the share there; from 1 to `end`.
template <typename Share>
PlottedCurve Stairs(const std::string& name, int method, std::vector<double> steps, double end,
                    const Share& share) {
  PlottedCurve curve;
  curve.name = name;
  curve.style = StyleOfPart(method);
  if (method >= kPartStyles) curve.style.width = kBroad;
  curve.x = {1.0};
  curve.y = {share(1.0)};
  std::ranges::sort(steps);
  for (const double step : steps) {
    if (!std::isfinite(step) || step <= curve.x.back()) continue;
    curve.x.insert(curve.x.end(), {step, step});
    curve.y.insert(curve.y.end(), {curve.y.back(), share(step)});
  }
  curve.x.push_back(end);
  curve.y.push_back(curve.y.back());
  return curve;
}

// The next power of ten beyond the last step of any method, so that its height is seen.
double EndOf(const Profiles& profiles, std::vector<double> MethodProfile::*steps) {
  double last = 1.0;
  for (const MethodProfile& method : profiles.methods) {
    for (const double step : method.*steps) {
      if (std::isfinite(step)) last = std::max(last, step);
    }
  }
  return std::pow(10.0, std::floor(std::log10(last)) + 1.0);
}

}  // namespace

std::vector<Plot> ProfilePlots(const Profiles& profiles) {
  Plot performance;
  performance.key = "performance-profile";
  performance.title = "Performance profile";
  performance.reading =
      "Share of the problems in which a method expects at most so many times the trials of the "
      "method that is quickest there. On the left: where it is the quickest itself; on the right: "
      "where one of its searches solves the problem at all.";
  performance.x = {"trials, divided by those of the quickest method", "1", true};
  Plot data;
  data.key = "data-profile";
  data.title = "Data profile";
  data.reading =
      "Share of the searches, of all problems and seeds, that are solved within so many "
      "trials.";
  data.x = {"trials", "1", true};
  Panel problems{"", {"share of the problems", "1"}, {}},
      searches{"", {"share of the searches", "1"}, {}};
  const double most_ratio = EndOf(profiles, &MethodProfile::ratios);
  const double most_trials = EndOf(profiles, &MethodProfile::trials);
  int number = 0;
  for (const MethodProfile& method : profiles.methods) {
    problems.curves.push_back(Stairs(method.label, number, method.ratios, most_ratio,
                                     [&](double ratio) { return method.Performance(ratio); }));
    searches.curves.push_back(Stairs(method.label, number, method.trials, most_trials,
                                     [&](double trials) { return method.Solved(trials); }));
    ++number;
  }
  performance.panels = {std::move(problems)};
  data.panels = {std::move(searches)};
  return {std::move(performance), std::move(data)};
}

}  // namespace pliant
