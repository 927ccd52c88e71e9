#include "experiments/comparison/period_notes.h"

#include <cmath>
#include <optional>

#include "experiments/runs/series.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kMostDrift = 0.005;  // of the period
constexpr double kMostFall = 0.1;     // of the amplitude: less is not mentioned

std::string Percent(double share) { return Digits(100.0 * share, 2) + " %"; }

}  // namespace

std::vector<std::string> PeriodNotes(const Bundle& bundle) {
  std::vector<std::string> notes;
  if (bundle.outcome().kind == OutcomeKind::kUnsupported) return notes;
  const auto figure = [&](const std::string& name) -> std::optional<double> {
    const auto found = bundle.summary().find(name);
    return found == bundle.summary().end() ? std::nullopt : found->second;
  };
  for (const Probe& probe : bundle.experiment().probes) {
    if (!probe.oscillates) continue;
    const std::string name = probe.name + "_period_s", of = name + " of " + bundle.label();
    const std::optional<double> period = figure(name);
    if (!period) {
      notes.push_back(of +
                      " is blank: no whole period is recorded, or one decaying oscillation leaves "
                      "more than a tenth of the variance of the records");
      continue;
    }
    const std::optional<double> drift = figure(probe.name + "_period_drift_s");
    const double decay = figure(probe.name + "_decay" + UnitSuffix("1/s")).value_or(0.0);
    const double time = probe.during ? probe.during->back() - probe.during->front()
                                     : bundle.experiment().plan.duration;
    const double fall = 1.0 - std::exp(-decay * time);
    const bool falls = fall > kMostFall;
    if (drift ? !(std::abs(*drift) > kMostDrift * *period) : !falls) continue;
    std::string note = of + " is a mean: ";
    if (drift) {
      note += "the second half of the records swings " + Percent(std::abs(*drift) / *period) +
              (*drift > 0.0 ? " slower" : " faster") + " than the first" + (falls ? ", and " : "");
    }
    if (falls) note += "the amplitude falls by " + Percent(fall);
    notes.push_back(note);
  }
  return notes;
}

}  // namespace pliant
