#include "solvers/spacetime/lamp_units.h"

#include <cmath>

namespace pliant {
namespace {

// (x, y) by `of_base`, angles by `of_angles`.
articulated_lamp::LampVector Scaled(articulated_lamp::LampVector values, double of_base,
                                    double of_angles) {
  values.head<2>() *= of_base;
  values.tail<articulated_lamp::kLampDof - 2>() *= of_angles;
  return values;
}

LampTrajectory Scaled(const LampTrajectory& motion, double length, double time) {
  LampTrajectory scaled = motion;
  for (LampPhase& phase : scaled.phases) {
    phase.start *= time;
    phase.duration *= time;
    for (LampNode& node : phase.nodes) {
      node.q = Scaled(node.q, length, 1.0);
      node.v = Scaled(node.v, length / time, 1.0 / time);
    }
  }
  return scaled;
}

}  // namespace

PlanUnits UnitsOf(const LampJumpProblem& problem) {
  const LampJumpProblem known;
  PlanUnits units;
  units.mass = problem.lamp.links[0].mass / known.lamp.links[0].mass;
  units.length = problem.lamp.links[1].length / known.lamp.links[1].length;
  units.time = problem.gravity > 0.0 ? std::sqrt(units.length * (known.gravity / problem.gravity))
                                     : problem.stance_duration / known.stance_duration;
  if (!(units.time > 0.0)) units.time = 1.0;  // no time at all: an infeasible problem
  return units;
}

LampJumpProblem InUnits(const LampJumpProblem& problem, const PlanUnits& units) {
  LampJumpProblem scaled = problem;
  for (articulated_lamp::LampLink& link : scaled.lamp.links) {
    link.mass /= units.mass;
    link.length /= units.length;
    link.centre /= units.length;
    link.inertia /= units.mass * units.length * units.length;
  }
  scaled.gravity *= units.time * units.time / units.length;
  for (double* length : {&scaled.lamp.half_width, &scaled.distance, &scaled.end_height,
                         &scaled.floor_height, &scaled.beam_clearance}) {
    *length /= units.length;
  }
  for (LampJumpProblem::Rise& rise : scaled.rises) {
    for (double* length : {&rise.left, &rise.right, &rise.height}) *length /= units.length;
  }
  for (LampJumpProblem::Beam& beam : scaled.beams) {
    for (double* length : {&beam.left, &beam.right, &beam.bottom}) *length /= units.length;
  }
  if (scaled.in_run) scaled.in_run->length /= units.length;
  if (auto& begin = scaled.begin) {
    begin->elapsed /= units.time;
    begin->q = Scaled(begin->q, 1.0 / units.length, 1.0);
    begin->v = Scaled(begin->v, units.time / units.length, units.time);
  }
  for (double* time : {&scaled.stance_duration, &scaled.flight_duration, &scaled.landing_duration,
                       &scaled.longest_stance, &scaled.longest_flight, &scaled.longest_landing}) {
    *time /= units.time;
  }
  for (LampJumpProblem::Stop& stop : scaled.stops) {
    for (double* length : {&stop.distance, &stop.height}) *length /= units.length;
    for (double* time : {&stop.flight_duration, &stop.stance_duration, &stop.longest_flight,
                         &stop.longest_stance}) {
      *time /= units.time;
    }
  }
  if (scaled.torque_limit) *scaled.torque_limit /= units.force() * units.length;
  scaled.cost.acceleration /= std::pow(units.mass, 2) * std::pow(units.length, 4);
  scaled.cost.work /= units.force() * units.length * units.time;
  scaled.cost.rounded_power /= units.Of("W");
  scaled.cost.time /= units.cost() / units.time;
  return scaled;
}

LampTrajectory InUnits(const LampTrajectory& motion, const PlanUnits& units) {
  return Scaled(motion, 1.0 / units.length, 1.0 / units.time);
}

LampTrajectory FromUnits(const LampTrajectory& motion, const PlanUnits& units) {
  return Scaled(motion, units.length, units.time);
}

LampSample FromUnits(const LampSample& sample, const PlanUnits& units) {
  const double rate = 1.0 / units.time;
  return {Scaled(sample.q, units.length, 1.0), Scaled(sample.v, units.length * rate, rate),
          Scaled(sample.acceleration, units.length * rate * rate, rate * rate),
          Scaled(sample.force, units.force(), units.force() * units.length)};
}

}  // namespace pliant
