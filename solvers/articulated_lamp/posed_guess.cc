#include "solvers/articulated_lamp/posed_guess.h"

#include <cmath>
#include <utility>

#include "models/problem.h"

namespace pliant::articulated_lamp {
namespace {

constexpr double kStep = 0.001;      // s, of the simulation and of the guess
constexpr double kAirborne = 0.002;  // m above the ground, of the lower end of the base
constexpr int kLeastFlight = 20;     // steps; shorter flights are chatter

// The longest run of steps in the air: [first, second).
std::pair<size_t, size_t> LongestFlight(const std::vector<bool>& airborne) {
  std::pair<size_t, size_t> longest = {0, 0};
  for (size_t begin = 0; begin < airborne.size(); ++begin) {
    if (!airborne[begin]) continue;
    size_t end = begin;
    while (end < airborne.size() && airborne[end]) ++end;
    if (end - begin > longest.second - longest.first) longest = {begin, end};
    begin = end;
  }
  return longest;
}

}  // namespace

LampTrajectory PosedGuess(ArticulatedLampSimulation* simulation, double duration) {
  const LampVector start = simulation->q();
  std::vector<LampNode> nodes;
  std::vector<bool> airborne;
  for (int i = 0; i <= static_cast<int>(std::lround(duration / kStep)); ++i) {
    if (i > 0 && simulation->Advance(kStep).kind != StepOutcome::Kind::kAdvanced) {
      throw BadInput({"control", "the poses of the initial guess of the plan diverge", ""});
    }
    LampNode node{simulation->q(), simulation->v()};
    node.q.head<2>() -= start.head<2>();
    nodes.push_back(node);
    airborne.push_back(simulation->stepper().Clearance(LampPlacement(simulation->q()),
                                                       simulation->q()) > kAirborne);
  }
  const auto [takeoff, touchdown] = LongestFlight(airborne);
  if (touchdown < takeoff + kLeastFlight || takeoff == 0 || touchdown + 1 >= nodes.size()) {
    throw BadInput({"control", "the poses of the initial guess of the plan do not jump",
                    "remove control; the initial guess is then a straight line"});
  }
  const auto phase = [&](LampContact contact, size_t first, size_t last) {
    LampPhase cut{contact, first * kStep, (last - first) * kStep, {}};
    cut.nodes.assign(nodes.begin() + first, nodes.begin() + last + 1);
    return cut;
  };
  LampTrajectory guess;
  guess.phases = {phase(LampContact::kStance, 0, takeoff),
                  phase(LampContact::kFlight, takeoff, touchdown),
                  phase(LampContact::kStance, touchdown, nodes.size() - 1)};
  return guess;
}

}  // namespace pliant::articulated_lamp
