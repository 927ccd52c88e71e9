#include "experiments/files/whole_steps.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

// The span nearest to `span` that is a whole number of each step; absent where none is near.
std::optional<double> NearestSpan(double span, const std::vector<OwnedStep>& steps) {
  constexpr int kFarthest = 1000;  // of the longest steps
  const double longest = std::ranges::max(steps, {}, &OwnedStep::step).step;
  const double nearest = std::max(std::round(span / longest), 1.0);
  for (int i = 0; i <= kFarthest; ++i) {
    for (const double count : {nearest - i, nearest + i}) {
      const double fit = count * longest;
      const auto fits = [&](const OwnedStep& of) { return IsWholeNumberOfSteps(fit, of.step); };
      if (count >= 1.0 && std::ranges::all_of(steps, fits)) return fit;
    }
  }
  return std::nullopt;
}

// Of a span that is shorter than a step: either may be the one that is mistyped.
std::string MendOfLongStep(const std::string& what, double span, const OwnedStep& of) {
  std::string mend = "the step is longer: write " + of.key + " = " + Digits(span, 10) +
                     " or less, or " + what + " = " + Digits(of.step, 10) + " or a multiple";
  const double milliseconds = of.step / 1000.0;
  if (IsWholeNumberOfSteps(span, milliseconds))
    mend += "; if " + of.key + " is in ms, write " + Digits(milliseconds, 10);
  return mend;
}

}  // namespace

bool IsWholeNumberOfSteps(double span, double step) {
  const double steps = std::round(span / step);
  return steps >= 1.0 && std::abs(span - steps * step) <= 1e-9 * span;
}

void RequireWholeSteps(const FilePlace& place, const std::string& what, double span,
                       const std::vector<OwnedStep>& steps) {
  std::string misfits;
  for (const auto& [step, key, whose] : steps) {
    if (IsWholeNumberOfSteps(span, step)) continue;
    misfits += (misfits.empty() ? "" : ", nor of ") + Digits(step, 10) + " s" + whose;
  }
  if (misfits.empty()) return;
  const std::optional<double> nearest = NearestSpan(span, steps);
  std::string mend = "give steps of which each is a whole number of the shorter ones";
  const auto& longest = std::ranges::max(steps, {}, &OwnedStep::step);
  if (longest.step > span) {
    mend = MendOfLongStep(what, span, longest);
  } else if (nearest && steps.size() > 1) {
    mend = "the nearest that fits every step is " + Digits(*nearest, 10) + " s";
  } else if (nearest) {
    const double count = std::max(std::round(span / steps[0].step), 1.0);
    mend = "the nearest is " + Digits(*nearest, 10) + " s; or take a step of " +
           Digits(span / count, 10) + " s";
  }
  FailAt(place, what + " = " + Digits(span, 10) + " s is not a whole number of steps of " + misfits,
         mend);
}

}  // namespace pliant
