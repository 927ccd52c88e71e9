#include "solvers/spacetime/plan_units.h"

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

}  // namespace

double PlanUnits::Of(const std::string& unit) const {
  const auto found = Dimensions().find(unit);
  if (found == Dimensions().end()) throw std::logic_error("rows have no unit '" + unit + "'");
  const auto [of_mass, of_length, of_time] = found->second;
  return std::pow(mass, of_mass) * std::pow(length, of_length) * std::pow(time, of_time);
}

double PlanUnits::cost() const { return force() * force() * length * length * time; }

SpacetimeIteration FromUnits(const SpacetimeIteration& iteration, const PlanUnits& units) {
  SpacetimeIteration scaled = iteration;
  scaled.cost *= units.cost();
  return scaled;
}

SpacetimeSummary FromUnits(const SpacetimeSummary& summary, const PlanUnits& units) {
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
