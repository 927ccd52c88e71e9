#include "solvers/spacetime/phase_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

constexpr double kDurationScale = 10.0;  // per s

}  // namespace

PhaseTimeTerm::PhaseTimeTerm(double time, double duration, std::optional<int> clock, double weight)
    : SpacetimeTerm(time, clock ? std::vector{*clock} : std::vector<int>(),
                    {{"time", "s", RowKind::kCost, 1}}),
      duration_(duration),
      weight_(weight) {}

void PhaseTimeTerm::Evaluate(const double* const* x, double* values,
                             double* const* jacobians) const {
  // A search may try a time of nothing, or less: the square root is continued with a slope that is finite.
  constexpr double kLeast = 1e-6;  // s
  const double duration = blocks().empty() ? duration_ : std::max(x[0][0], kLeast);
  values[0] = std::sqrt(weight_ * duration);
  if (jacobians != nullptr && !blocks().empty()) jacobians[0][0] = 0.5 * values[0] / duration;
}

PhaseDurationTerm::PhaseDurationTerm(const std::string& phase, double time, int block,
                                     double shortest, double longest)
    : SpacetimeTerm(
          time, {block},
          {{"shortest " + phase, "s", RowKind::kInequality, 1, kDurationScale, 1.0, 0.0, true},
           {"longest " + phase, "s", RowKind::kInequality, 1, kDurationScale, 1.0, 0.0, true}}),
      shortest_(shortest),
      longest_(longest) {}

void PhaseDurationTerm::Evaluate(const double* const* x, double* values,
                                 double* const* jacobians) const {
  values[0] = x[0][0] - shortest_;
  values[1] = longest_ - x[0][0];
  if (jacobians == nullptr) return;
  jacobians[0][0] = 1.0;
  jacobians[0][1] = -1.0;
}

}  // namespace pliant
