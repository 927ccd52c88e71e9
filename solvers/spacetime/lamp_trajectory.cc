#include "solvers/spacetime/lamp_trajectory.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

struct Place {
  int interval;
  double s;  // within it, 0 to 1
};

Place Locate(const LampPhase& phase, double time) {
  const double position = (time - phase.start) / phase.step();
  const int interval = std::clamp(static_cast<int>(std::floor(position)), 0, phase.intervals() - 1);
  return {interval, std::clamp(position - interval, 0.0, 1.0)};
}

LampSample SampleAt(const Lamp& lamp, const LampPhase& phase, const Place& place) {
  const LampNode& a = phase.nodes[place.interval];
  const LampNode& b = phase.nodes[place.interval + 1];
  const HermiteWeights w = HermiteAt(place.s, phase.step());
  const auto combine = [&](const double* c) -> LampVector {
    return c[0] * a.q + c[1] * a.v + c[2] * b.q + c[3] * b.v;
  };
  LampSample sample{combine(w.value), combine(w.rate), combine(w.acceleration), {}};
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

LampAngles LampTrajectory::Torques(const Lamp& lamp, const LampPhase& phase, double time) {
  const Place place = Locate(phase, time);
  const LampAngles first = SampleAt(lamp, phase, {place.interval, kGaussPoints[0]}).force.tail<3>();
  const LampAngles second =
      SampleAt(lamp, phase, {place.interval, kGaussPoints[1]}).force.tail<3>();
  const double share = (place.s - kGaussPoints[0]) / (kGaussPoints[1] - kGaussPoints[0]);
  return first + share * (second - first);
}

LampTrajectory StraightLine(const LampJumpProblem& problem) {
  const LampAngles rates = (problem.end_pose - problem.start_pose) / problem.duration();
  const auto node = [&](double time, double x, double speed) {
    LampNode n{LampVector::Zero(), LampVector::Zero()};
    n.q[0] = x;
    n.v[0] = speed;
    n.q.tail<3>() = problem.start_pose + time * rates;
    n.v.tail<3>() = rates;
    return n;
  };
  const double takeoff = problem.stance_duration, touchdown = takeoff + problem.flight_duration;
  const double speed = problem.distance / problem.flight_duration;
  LampTrajectory line;
  line.phases = {
      {LampContact::kStance, 0.0, problem.stance_duration, {node(0, 0, 0), node(takeoff, 0, 0)}},
      {LampContact::kFlight,
       takeoff,
       problem.flight_duration,
       {node(takeoff, 0, speed), node(touchdown, problem.distance, speed)}},
      {LampContact::kStance,
       touchdown,
       problem.landing_duration,
       {node(touchdown, problem.distance, 0), node(problem.duration(), problem.distance, 0)}}};
  return line;
}

}  // namespace pliant
