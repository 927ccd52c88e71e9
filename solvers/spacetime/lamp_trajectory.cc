#include "solvers/spacetime/lamp_trajectory.h"

#include <cmath>

namespace pliant {
namespace {

using articulated_lamp::Lamp;
using articulated_lamp::LampAngles;
using articulated_lamp::LampVector;

MeshPlace PlaceIn(const LampPhase& phase, double time) {
  return PlaceInMesh((time - phase.start) / phase.step(), phase.intervals());
}

// With weights of (q₀, q̇₀, q₁, q̇₁).
LampVector Combine(const LampPhase& phase, int interval, const double* c) {
  const LampNode &a = phase.nodes[interval], &b = phase.nodes[interval + 1];
  return c[0] * a.q + c[1] * a.v + c[2] * b.q + c[3] * b.v;
}

LampSample SampleAt(const Lamp& lamp, const LampPhase& phase, const MeshPlace& place) {
  const HermiteWeights w = HermiteAt(place.s, phase.step());
  LampSample sample{Combine(phase, place.interval, w.value),
                    Combine(phase, place.interval, w.rate),
                    Combine(phase, place.interval, w.acceleration),
                    {}};
  sample.force = InverseDynamics(lamp, sample.q, sample.v, sample.acceleration);
  return sample;
}

}  // namespace

double LampTrajectory::duration() const {
  return phases.empty() ? 0.0 : phases.back().start + phases.back().duration;
}

size_t LampTrajectory::PhaseAt(double time) const {
  size_t phase = 0;
  while (phase + 1 < phases.size() && time >= phases[phase + 1].start) ++phase;
  return phase;
}

LampSample LampTrajectory::At(const Lamp& lamp, double time) const {
  return At(lamp, phases[PhaseAt(time)], time);
}

LampSample LampTrajectory::At(const Lamp& lamp, const LampPhase& phase, double time) {
  return SampleAt(lamp, phase, PlaceIn(phase, time));
}

LampNode LampTrajectory::NodeAt(const LampPhase& phase, double time) {
  const MeshPlace place = PlaceIn(phase, time);
  const HermiteWeights w = HermiteAt(place.s, phase.step());
  return {Combine(phase, place.interval, w.value), Combine(phase, place.interval, w.rate)};
}

LampAngles LampTrajectory::Torques(const Lamp& lamp, const LampPhase& phase, double time) {
  const MeshPlace place = PlaceIn(phase, time);
  const LampAngles first = SampleAt(lamp, phase, {place.interval, kGaussPoints[0]}).force.tail<3>();
  const LampAngles second =
      SampleAt(lamp, phase, {place.interval, kGaussPoints[1]}).force.tail<3>();
  const double share = (place.s - kGaussPoints[0]) / (kGaussPoints[1] - kGaussPoints[0]);
  return first + share * (second - first);
}

LampTrajectory StraightLine(const LampJumpProblem& problem) {
  const std::vector<LampJumpProblem::Phase> phases = problem.Phases();
  double end = 0.0;
  for (const LampJumpProblem::Phase& phase : phases) end += phase.first_duration();
  const LampAngles rates = (problem.end_pose - problem.start_pose) / end;
  const auto node = [&](double time, const Eigen::Vector3d& base, const Eigen::Vector3d& speed) {
    LampNode n;
    n.q << base, problem.start_pose + time * rates;
    n.v << speed, rates;
    return n;
  };
  const Eigen::Vector3d rest = Eigen::Vector3d::Zero();
  LampTrajectory line;
  double start = 0.0;
  Eigen::Vector3d from = rest;  // where a flight begins
  for (size_t p = 0; p < phases.size(); ++p) {
    const double duration = phases[p].first_duration(), over = start + duration;
    const Eigen::Vector3d base(phases[p].base.x(), phases[p].base.y(), 0.0);
    if (LampJumpProblem::IsFlight(p)) {
      const Eigen::Vector3d speed = (base - from) / duration;
      line.phases.push_back({LampContact::kFlight,
                             start,
                             duration,
                             {node(start, from, speed), node(over, base, speed)}});
    } else if (p == 0 && problem.in_run) {  // evenly accelerated
      const double cosine = std::cos(problem.in_run->slope), sine = std::sin(problem.in_run->slope);
      const Eigen::Vector3d top(0.0, 0.0, problem.in_run->slope);
      from = top + problem.in_run->length * Eigen::Vector3d(cosine, -sine, 0.0);
      line.phases.push_back(
          {LampContact::kSlide,
           start,
           duration,
           {node(start, top, rest), node(over, from, 2.0 * (from - top) / duration)}});
    } else {
      from = base;
      line.phases.push_back({LampContact::kStance,
                             start,
                             duration,
                             {node(start, base, rest), node(over, base, rest)}});
    }
    start = over;
  }
  line.phases.erase(line.phases.begin(),
                    line.phases.begin() + static_cast<std::ptrdiff_t>(problem.first_phase()));
  const double begun = line.phases.front().start;
  for (LampPhase& phase : line.phases) phase.start -= begun;
  return line;
}

}  // namespace pliant
