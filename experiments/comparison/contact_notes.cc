#include "experiments/comparison/contact_notes.h"

#include <algorithm>
#include <set>

#include "experiments/runs/probe_figures.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

bool CountsImpulses(const Bundle& bundle) {
  return std::ranges::any_of(bundle.columns(), [](const SeriesColumn& column) {
    return column.name.starts_with("contact_impulse_");
  });
}

// The figures that are means over a record.
std::set<std::string> MeanForcesOf(const Bundle& bundle) {
  std::vector<Probe> of_contact;
  for (const Probe& probe : bundle.experiment().probes) {
    if (probe.kind == ProbeKind::kContactForce) of_contact.push_back(probe);
  }
  std::set<std::string> names;
  for (std::string& name : ProbeFigureNames(of_contact)) names.insert(std::move(name));
  if (!CountsImpulses(bundle)) return names;
  for (const auto& [name, value] : bundle.summary()) {
    if (name.starts_with("contact_force.")) names.insert(name);
  }
  return names;
}

}  // namespace

std::string ContactForceNote(const std::vector<Bundle>& bundles, const ComparisonTable& table) {
  std::set<double> intervals;
  for (const Bundle& bundle : bundles) {
    if (bundle.outcome().kind == OutcomeKind::kUnsupported) continue;
    const std::set<std::string> means = MeanForcesOf(bundle);
    const bool shows = std::ranges::any_of(table.columns, [&](const SeriesColumn& column) {
      const auto value = bundle.summary().find(column.name);
      return means.contains(column.name) && value != bundle.summary().end() && value->second &&
             *value->second != 0.0;
    });
    if (shows) intervals.insert(bundle.experiment().plan.record_every);
  }
  if (intervals.empty()) return "";
  std::string words;
  for (const double interval : intervals)
    words += (words.empty() ? "" : ", ") + ThreeDigits(1e3 * interval) + " ms";
  return "a contact force is its mean over a record (" + words +
         "), and the largest grows as records become shorter than the blow (run.record_every); its "
         "impulse does not depend on them. A first contact comes up to one record late";
}

}  // namespace pliant
