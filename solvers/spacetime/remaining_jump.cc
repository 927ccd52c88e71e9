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
                                         double takeoff, double time, const LampNode& state,
                                         double shortest) {
  const bool flying = time >= plan.phases[1].start;
  const LampPhase& now = plan.phases[flying ? 1 : 0];
  const double left = now.start + now.duration - time;
  if (left < shortest || (problem.in_run && !flying)) return std::nullopt;
  RemainingJump remaining{problem, {}};
  LampJumpProblem& jump = remaining.problem;
  jump.begin = {flying, flying ? time - takeoff : time, state.q, state.v};
  jump.in_run.reset();
  jump.stance_duration = flying ? 0.0 : left;
  jump.flight_duration = flying ? left : plan.phases[1].duration;
  jump.landing_duration = plan.phases[2].duration;
  jump.longest_stance = jump.longest_flight = jump.longest_landing = 0.0;
  remaining.guess.phases.push_back(RestOf(now, time));
  for (size_t p = flying ? 2 : 1; p < 3; ++p) {
    LampPhase& next = remaining.guess.phases.emplace_back(plan.phases[p]);
    next.start -= time;
  }
  return remaining;
}

LampTrajectory Continue(const LampTrajectory& plan, double time, const LampTrajectory& remaining) {
  LampTrajectory whole;
  if (remaining.phases.size() < 3) whole.phases.push_back(plan.phases[0]);
  for (LampPhase phase : remaining.phases) {
    phase.start += time;
    whole.phases.push_back(std::move(phase));
  }
  return whole;
}

}  // namespace pliant
