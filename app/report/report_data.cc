#include "app/report/report_data.h"

#include <algorithm>
#include <map>

#include "app/plots/bundle_series.h"
#include "app/plots/lamp_solid.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/sha256.h"
#include "experiments/comparison/contact_notes.h"
#include "experiments/comparison/outside_bundle.h"
#include "experiments/comparison/scene_groups.h"
#include "experiments/files/outside_reference.h"
#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

constexpr int kKeyTimes = 6;

std::string Seconds(double time) { return Digits(time, 4) + " s"; }

using BundleRefs = std::vector<const Bundle*>;

// In the order of their experiment, otherwise in that of the table of backends. Checks that one
// page can contain all of them.
BundleRefs Ordered(const std::vector<Bundle>& bundles) {
  if (bundles.empty()) {
    throw BadInput(
        {"bundles", "there is no run bundle to report", "give a folder that contains run bundles"});
  }
  BundleRefs given, ordered;
  for (const Bundle& bundle : bundles) given.push_back(&bundle);
  for (const size_t run : OrderOfRuns(given)) ordered.push_back(given[run]);
  const std::vector<SceneGroup> groups = GroupByScene(ordered);
  if (groups.size() > 1) {
    throw BadInput({"bundles",
                    "'" + ordered[groups[1].members.front()]->path().string() +
                        "' has another scene than '" +
                        ordered[groups[0].members.front()]->path().string() + "'",
                    "report on one scene at a time"});
  }
  return ordered;
}

// The scene of the experiment, of which some bundles may have a variant.
std::shared_ptr<const Scene> SharedSceneOf(const BundleRefs& bundles) {
  const auto shared =
      std::ranges::find_if(bundles, [](const Bundle* bundle) { return !IsOfVariant(*bundle); });
  return (shared == bundles.end() ? bundles.front() : *shared)->experiment().scene;
}

// The distances to the reference, where they can be measured; the table says why where not.
void AddDistances(const BundleRefs& bundles, const Bundle& reference, ReportData* data) {
  for (size_t i = 0; i < bundles.size(); ++i)
    pliant::AddDistances(*bundles[i], reference, &data->runs[i].series);
}

ReportRun RunOf(const Bundle& bundle) {
  const BackendChoice& choice = bundle.experiment().backends.front();
  ReportRun run;
  run.label = bundle.label();
  run.variant = VariantInWords(choice);
  run.backend = bundle.backend().info();
  run.step = choice.step;
  run.parameters = bundle.backend().Parameters();
  run.values = choice.parameters;
  run.outcome = bundle.outcome();
  run.translation = bundle.translation();
  run.warnings = bundle.warnings();
  run.findings = bundle.findings();
  if (!run.outcome.unmet.empty()) {
    run.findings.push_back(TableOfUnmet("Constraints that are not satisfied at the end of the run",
                                        run.outcome.unmet, run.outcome.unmet_count));
  }
  run.manifest = bundle.manifest();
  run.manifest_sha256 = Sha256OfFile(bundle.path() / kManifestFile);
  run.bundle = bundle.path();
  return run;
}

FilmstripRow FramesOf(const Bundle& bundle, const ReportRun& run,
                      const std::vector<double>& times) {
  FilmstripRow row;
  row.label = run.label;
  row.outcome = OutcomeLine(run.outcome);
  row.colour = run.colour;
  row.diverged = run.outcome.kind == OutcomeKind::kDiverged;
  row.lamp = run.backend.name == kLampBackend;
  if (IsOfVariant(bundle)) row.scene = bundle.experiment().scene;
  if (bundle.frame_count() == 0) {
    row.refusal = run.outcome.reason.empty() ? "The run recorded nothing." : run.outcome.reason;
    return row;
  }
  std::vector<double> records;
  for (size_t i = 0; i < bundle.frame_count(); ++i) records.push_back(bundle.Time(i));
  const auto chosen = KeyRecords(times, records);
  for (size_t i = 0; i < times.size(); ++i) {
    row.frames.emplace_back();
    if (!chosen[i]) continue;
    KeyFrame frame{records[*chosen[i]], bundle.Points(*chosen[i]), ""};
    if (times[i] > records.back() && run.outcome.kind != OutcomeKind::kCompleted) {
      frame.remark = (row.diverged ? "last good state, " : "last state, ") + Seconds(frame.time);
    }
    row.frames.back() = std::move(frame);
  }
  return row;
}

}  // namespace

std::string OutcomeLine(const RunOutcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::kCompleted:
      return "completed: " + std::to_string(outcome.step) + " steps, " + Seconds(outcome.time) +
             (outcome.not_converged_steps == 0
                  ? ""
                  : "; " + std::to_string(outcome.not_converged_steps) +
                        " did not converge: " + outcome.reason);
    case OutcomeKind::kNotConverged:
      return "did not converge in " + std::to_string(outcome.not_converged_steps) + " of " +
             std::to_string(outcome.step) + " steps: " + outcome.reason;
    case OutcomeKind::kLostEnergy:
    case OutcomeKind::kGainedEnergy:
    case OutcomeKind::kTurnedInsideOut:
    case OutcomeKind::kWentThrough:
      return std::string(ToString(outcome.kind)) + ": " + outcome.reason;
    case OutcomeKind::kDiverged:
      return outcome.reason + "; last good state at " + Seconds(outcome.time);
    case OutcomeKind::kBudgetExceeded:
    case OutcomeKind::kCancelled:
      return outcome.reason.empty() ? "cancelled" : outcome.reason;
    case OutcomeKind::kUnsupported:
      return "refused the scene";
  }
  return "";
}

ReportData CollectReport(const std::vector<Bundle>& given, int ghosts,
                         const std::vector<double>& key_times) {
  const BundleRefs bundles = Ordered(given);
  const Experiment& experiment = bundles.front()->experiment();
  ReportData data;
  data.name = experiment.name;
  data.title = experiment.title.empty() ? experiment.name : experiment.title;
  data.description = experiment.description;
  data.scene = SharedSceneOf(bundles);
  data.plan = experiment.plan;
  data.reference = ReferenceAmong(given);

  const bool several = AreOfSeveralExperiments(given);
  std::vector<std::string> backends;
  std::map<std::string, int> uses;  // of each label
  BundleRefs references;            // bundles that the experiment calls its reference
  for (const Bundle* bundle : bundles) {
    ReportRun run = RunOf(*bundle);
    if (several) run.label = bundle->experiment().name + "/" + run.label;
    if (const int use = ++uses[run.label]; use > 1) run.label += " (" + std::to_string(use) + ")";
    run.series = SeriesOf(*bundle, run.label);
    backends.push_back(run.backend.name);
    if (bundle->label() == data.reference) references.push_back(bundle);
    data.runs.push_back(std::move(run));
  }
  const std::vector<LineStyle> styles = StylesOfRuns(backends);
  for (size_t i = 0; i < styles.size(); ++i) data.runs[i].colour = styles[i].colour;

  // The table is made in the order given; its rows go with their runs.
  const ComparisonTable table = CompareBundles(given, data.reference);
  data.table = table;
  if (std::string note = ContactForceNote(given, table); !note.empty())
    data.table.notes.push_back(std::move(note));
  for (size_t i = 0; i < bundles.size(); ++i) {
    data.table.rows[i] = table.rows[static_cast<size_t>(bundles[i] - given.data())];
  }
  if (references.size() == 1) AddDistances(bundles, *references.front(), &data);
  if (IsOutsideReference(data.reference) && !IsTableReference(data.reference) &&
      table.problems.empty()) {
    AddDistances(bundles, OpenOutsideBundle(given, data.reference), &data);
  }
  std::optional<KeptYardstick> kept;
  try {
    kept = YardstickOf(given, data.reference);
  } catch (const FileError&) {
    // reported in ComparisonTable::problems
  }
  if (kept) {
    AddDistances(bundles, kept->bundle, &data);
    data.yardstick = {SeriesOf(kept->bundle, kYardstick), ErrorsByColumn(*kept)};
  }

  const auto fill = [&](Filmstrip* strip, const std::vector<double>& times) {
    strip->scene = data.scene;
    strip->times = times;
    const size_t shown = std::min(bundles.size(), kMostRows);
    strip->left_out = bundles.size() - shown;
    for (size_t i = 0; i < shown; ++i) {
      strip->rows.push_back(FramesOf(*bundles[i], data.runs[i], strip->times));
    }
    if (kept) {
      ReportRun run = RunOf(kept->bundle);
      run.colour = kYardstickColour;
      strip->rows.push_back(FramesOf(kept->bundle, run, strip->times));
    }
  };
  fill(&data.strip, key_times.empty() ? KeyTimes(data.plan.duration, kKeyTimes) : key_times);
  if (ghosts > 1) fill(&data.ghosts, KeyTimes(data.plan.duration, ghosts));
  return data;
}

}  // namespace pliant
