// The contents of a report, read from run bundles. Plain data: the page can be written, and tested,
// from it without any run.

#ifndef PLIANT_APP_REPORT_REPORT_DATA_H_
#define PLIANT_APP_REPORT_REPORT_DATA_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/comparison_plots.h"
#include "app/plots/filmstrip.h"
#include "app/plots/style.h"
#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "solvers/parameters.h"
#include "solvers/simulation.h"
#include "solvers/translation.h"

namespace pliant {

struct ReportRun {
  std::string label;    // unique in the report
  std::string variant;  // in words; empty: it ran the scene of the report
  BackendInfo backend;
  Colour colour;
  double step = 0.0;                      // s
  std::vector<ParameterInfo> parameters;  // with their defaults
  ParameterValues values;                 // as the run had them; absent = default
  RunOutcome outcome;
  std::vector<TranslatedElement> translation;
  std::vector<std::string> warnings;
  std::vector<FindingTable> findings;
  std::map<std::string, std::string> manifest;
  std::string manifest_sha256;  // of manifest.json, which holds those of all other files
  std::filesystem::path bundle;
  RunSeries series;
};

struct ReportData {
  std::string name;  // of the experiment
  std::string title;
  std::string description;
  std::shared_ptr<const Scene> scene;
  RunPlan plan;
  std::string reference;  // label; may be empty
  std::vector<ReportRun> runs;
  ComparisonTable table;
  std::optional<YardstickSeries> yardstick;  // where that is the reference
  Filmstrip strip;
  Filmstrip ghosts;                  // without rows: not drawn
  std::vector<FindingTable> tables;  // of all runs together, beside the headline figures
};

// Collects the contents from bundles of one scene. Runs are in the order of their experiment, those
// of several experiments in that of the table of backends; otherwise as given. Reads the points of
// the key frames, and all points where there is a reference. Throws BadInput when there is no
// bundle or their scenes differ. `ghosts`: how many poses of a run are drawn over each other;
// `key_times`: times of the key frames [s], equally spaced ones when empty.
ReportData CollectReport(const std::vector<Bundle>& bundles, int ghosts = 0,
                         const std::vector<double>& key_times = {});

// How a run ended, in one line: "completed: 2000 steps, 4 s".
std::string OutcomeLine(const RunOutcome& outcome);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_REPORT_DATA_H_
