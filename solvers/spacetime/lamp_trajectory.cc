#include "solvers/spacetime/lamp_trajectory.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using articulated_lamp::Lamp;
using articulated_lamp::LampAngles;
using articulated_lamp::LampVector;

struct Place {
  int interval;
  double s;  // within it, 0 to 1
};

Place Locate(const LampPhase& phase, double time) {
  const double position = (time - phase.start) / phase.step();
  const int interval = std::clamp(static_cast<int>(std::floor(position)), 0, phase.intervals() - 1);
  return {interval, std::clamp(position - interval, 0.0, 1.0)};
}

// With weights of (q₀, q̇₀, q₁, q̇₁).
LampVector Combine(const LampPhase& phase, int interval, const double* c) {
  const LampNode &a = phase.nodes[interval], &b = phase.nodes[interval + 1];
  return c[0] * a.q + c[1] * a.v + c[2] * b.q + c[3] * b.v;
}

LampSample SampleAt(const Lamp& lamp, const LampPhase& phase, const Place& place) {
  const HermiteWeights w = HermiteAt(place.s, phase.step());
  LampSample sample{Combine(phase, place.interval, w.value),
                    Combine(phase, place.interval, w.rate),
                    Combine(phase, place.interval, w.acceleration),
                    {}};
  sample.force = InverseDynamics(lamp, sample.q, sample.v, sample.acceleration);
  return sample;
}

}  // namespace

HermiteWeights HermiteAt(double s, double h) {
  const double s2 = s * s, s3 = s2 * s;
  return {{1 - 3 * s2 + 2 * s3, h * (s - 2 * s2 + s3), 3 * s2 - 2 * s3, h * (s3 - s2)},
          {6 * (s2 - s) / h, 1 - 4 * s + 3 * s2, 6 * (s - s2) / h, 3 * s2 - 2 * s},
          {(12 * s - 6) / (h * h), (6 * s - 4) / h, (6 - 12 * s) / (h * h), (6 * s - 2) / h}};
}

double LampTrajectory::duration() const {
  return phases.empty() ? 0.0 : phases.back().start + phases.back().duration;
}

LampSample LampTrajectory::At(const Lamp& lamp, double time) const {
  size_t i = 0;
  while (i + 1 < phases.size() && time >= phases[i + 1].start) ++i;
  return At(lamp, phases[i], time);
}

LampSample LampTrajectory::At(const Lamp& lamp, const LampPhase& phase, double time) {
  return SampleAt(lamp, phase, Locate(phase, time));
}

LampNode LampTrajectory::NodeAt(const LampPhase& phase, double time) {
  const Place place = Locate(phase, time);
  const HermiteWeights w = HermiteAt(place.s, phase.step());
  return {Combine(phase, place.interval, w.value), Combine(phase, place.interval, w.rate)};
}

LampAngles LampTrajectory::Torques(const Lamp& lamp, const LampPhase& phase, double time) {
  const Place place = Locate(phase, time);
  const LampAngles first = SampleAt(lamp, phase, {place.interval, kGaussPoints[0]}).force.tail<3>();
  const LampAngles second =
      SampleAt(lamp, phase, {place.interval, kGaussPoints[1]}).force.tail<3>();
  const double share = (place.s - kGaussPoints[0]) / (kGaussPoints[1] - kGaussPoints[0]);
  return first + share * (second - first);
}

std::array<double, 3> FirstDurations(const LampJumpProblem& problem) {
  const auto first = [](double duration, double longest) {
    return longest > duration ? 0.5 * (duration + longest) : duration;
  };
  return {first(problem.stance_duration, problem.longest_stance),
          first(problem.flight_duration, problem.longest_flight),
          first(problem.landing_duration, problem.longest_landing)};
}

LampTrajectory StraightLine(const LampJumpProblem& problem) {
  const auto [stance, flight, rest] = FirstDurations(problem);
  const double touchdown = stance + flight, end = touchdown + rest;
  const LampAngles rates = (problem.end_pose - problem.start_pose) / end;
  const auto node = [&](double time, const Eigen::Vector3d& base, const Eigen::Vector3d& speed) {
    LampNode n;
    n.q << base, problem.start_pose + time * rates;
    n.v << speed, rates;
    return n;
  };
  const Eigen::Vector3d rest_speed = Eigen::Vector3d::Zero();
  const Eigen::Vector3d goal(problem.distance, problem.end_height, 0.0);
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), leaving = start, at_edge = rest_speed;
  LampContact contact = LampContact::kStance;
  if (problem.in_run) {  // evenly accelerated
    contact = LampContact::kSlide;
    const double cosine = std::cos(problem.in_run->slope), sine = std::sin(problem.in_run->slope);
    start[2] = problem.in_run->slope;
    leaving = start + problem.in_run->length * Eigen::Vector3d(cosine, -sine, 0.0);
    at_edge = 2.0 * (leaving - start) / stance;
  }
  const Eigen::Vector3d speed = (goal - leaving) / flight;
  LampTrajectory line;
  line.phases = {
      {contact, 0.0, stance, {node(0.0, start, rest_speed), node(stance, leaving, at_edge)}},
      {LampContact::kFlight,
       stance,
       flight,
       {node(stance, leaving, speed), node(touchdown, goal, speed)}},
      {LampContact::kStance,
       touchdown,
       rest,
       {node(touchdown, goal, rest_speed), node(end, goal, rest_speed)}}};
  if (!problem.begins_flying()) return line;
  line.phases.erase(line.phases.begin());
  for (LampPhase& phase : line.phases) phase.start -= stance;
  return line;
}

}  // namespace pliant
