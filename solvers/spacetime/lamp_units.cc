#include "solvers/spacetime/lamp_units.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include "solvers/spacetime/row_kinds.h"

namespace pliant {
namespace {

// Powers of mass, length and time.
struct Dimension {
  int mass, length, time;
};
const std::map<std::string, Dimension>& Dimensions() {
  static const std::map<std::string, Dimension> dimensions = {
      {"N", {1, 1, -2}},     {"N·m", {1, 2, -2}},    {"N·s", {1, 1, -1}}, {"N·m·s", {1, 2, -1}},
      {"m", {0, 1, 0}},      {"rad", {0, 0, 0}},     {"s", {0, 0, 1}},    {"m/s", {0, 1, -1}},
      {"rad/s", {0, 0, -1}}, {"rad/s²", {0, 0, -2}}, {"W", {1, 2, -3}},   {"1", {0, 0, 0}}};
  return dimensions;
}

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

double LampUnits::Of(const std::string& unit) const {
  const auto found = Dimensions().find(unit);
  if (found == Dimensions().end()) throw std::logic_error("rows have no unit '" + unit + "'");
  const auto [of_mass, of_length, of_time] = found->second;
  return std::pow(mass, of_mass) * std::pow(length, of_length) * std::pow(time, of_time);
}

double LampUnits::cost() const { return force() * force() * length * length * time; }

LampUnits UnitsOf(const LampJumpProblem& problem) {
  const LampJumpProblem known;
  LampUnits units;
  units.mass = problem.lamp.links[0].mass / known.lamp.links[0].mass;
  units.length = problem.lamp.links[1].length / known.lamp.links[1].length;
  units.time = problem.gravity > 0.0 ? std::sqrt(units.length * (known.gravity / problem.gravity))
                                     : problem.stance_duration / known.stance_duration;
  if (!(units.time > 0.0)) units.time = 1.0;  // no time at all: an infeasible problem
  return units;
}

LampJumpProblem InUnits(const LampJumpProblem& problem, const LampUnits& units) {
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

LampTrajectory InUnits(const LampTrajectory& motion, const LampUnits& units) {
  return Scaled(motion, 1.0 / units.length, 1.0 / units.time);
}

LampTrajectory FromUnits(const LampTrajectory& motion, const LampUnits& units) {
  return Scaled(motion, units.length, units.time);
}

LampSample FromUnits(const LampSample& sample, const LampUnits& units) {
  const double rate = 1.0 / units.time;
  return {Scaled(sample.q, units.length, 1.0), Scaled(sample.v, units.length * rate, rate),
          Scaled(sample.acceleration, units.length * rate * rate, rate * rate),
          Scaled(sample.force, units.force(), units.force() * units.length)};
}

SpacetimeIteration FromUnits(const SpacetimeIteration& iteration, const LampUnits& units) {
  SpacetimeIteration scaled = iteration;
  scaled.cost *= units.cost();
  return scaled;
}

SpacetimeSummary FromUnits(const SpacetimeSummary& summary, const LampUnits& units) {
  SpacetimeSummary scaled = summary;
  scaled.initial_cost *= units.cost();
  scaled.final_cost *= units.cost();
  for (SpacetimeSummary::CostTerm& term : scaled.costs) term.value *= units.cost();
  for (SpacetimeIteration& iteration : scaled.history) iteration = FromUnits(iteration, units);
  const auto convert = [&units](SpacetimeSummary::Violation* violation) {
    if (violation->unit.empty()) return;
    violation->value *= units.Of(violation->unit);
    violation->time *= units.time;
  };
  for (SpacetimeSummary::Violation& kind : scaled.kinds) convert(&kind);
  convert(&scaled.worst);
  scaled.message = MessageOf(scaled);
  return scaled;
}

}  // namespace pliant
