#include "solvers/spacetime/remaining_jump.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

// The phase from `time` on, on as many intervals as its step has room for; the cubics of a node of the phase are kept.
LampPhase RestOf(const LampPhase& phase, double time) {
  const double left = phase.start + phase.duration - time;
  const int intervals = std::max(1, static_cast<int>(std::lround(left / phase.step())));
  LampPhase rest{phase.contact, 0.0, left, {}};
  for (int i = 0; i <= intervals; ++i) {
    rest.nodes.push_back(LampTrajectory::NodeAt(phase, time + left * i / intervals));
  }
  return rest;
}

}  // namespace

std::optional<RemainingJump> RemainingAt(const LampJumpProblem& problem, const LampTrajectory& plan,
                                         double began, double time, const LampNode& state,
                                         double shortest) {
  const size_t first = plan.PhaseAt(time);
  const LampPhase& now = plan.phases[first];
  const double left = now.start + now.duration - time;
  const bool landed = first + 1 == plan.phases.size();
  if (landed || left < shortest || (problem.in_run && first == 0)) return std::nullopt;
  RemainingJump remaining{problem, {}};
  LampJumpProblem& jump = remaining.problem;
  jump.begin = {first, time - began, state.q, state.v};
  jump.in_run.reset();
  for (size_t p = 0; p < plan.phases.size(); ++p) {
    jump.SetDuration(p, p < first ? 0.0 : p == first ? left : plan.phases[p].duration);
  }
  remaining.guess.phases.push_back(RestOf(now, time));
  for (size_t p = first + 1; p < plan.phases.size(); ++p) {
    LampPhase& next = remaining.guess.phases.emplace_back(plan.phases[p]);
    next.start -= time;
  }
  return remaining;
}

LampTrajectory Continue(const LampTrajectory& plan, double time, const LampTrajectory& remaining) {
  LampTrajectory whole = plan;
  whole.phases.resize(plan.phases.size() - remaining.phases.size());
  for (LampPhase phase : remaining.phases) {
    phase.start += time;
    whole.phases.push_back(std::move(phase));
  }
  return whole;
}

}  // namespace pliant
