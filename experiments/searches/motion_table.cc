#include "experiments/searches/motion_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/bundles/plan_files.h"
#include "experiments/searches/run_searches.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

const std::array<std::string, 4> kConditions = {"residual_energy_relative",
                                                "floor_cone_excess_max_N", "hinge_excess_max_rad",
                                                "penetration_max_m"};

struct Motion {
  std::string label;
  const MotionScore* score;
  double seconds;
};

std::vector<Motion> MotionsOf(const SearchRecord& record) {
  std::vector<Motion> motions;
  if (const auto best = BestOf(record.histories)) {
    const std::vector<Trial>& trials = record.histories[best->search].trials;
    motions.push_back({"start", &trials.front().score, trials.front().seconds});
    motions.push_back({"best", &trials[best->trial].score, trials[best->trial].seconds});
  }
  for (const RecordedOther& other : record.others) {
    motions.push_back({other.label, &other.score, other.seconds});
  }
  return motions;
}

std::string Word(double value) { return std::isfinite(value) ? ThreeDigits(value) : "–"; }

}  // namespace

FindingTable TableOfMotions(const SearchRecord& record, const std::vector<Bundle>& bundles) {
  const std::vector<Motion> motions = MotionsOf(record);
  FindingTable table;
  table.title = "Cost and feasibility";
  table.columns = {"quantity"};
  for (const Motion& motion : motions) table.columns.push_back(motion.label);
  const auto add = [&](const std::string& name, const auto& value_of) {
    std::vector<std::string> row = {name};
    for (const Motion& motion : motions) row.push_back(value_of(motion));
    const bool any = std::any_of(row.begin() + 1, row.end(), [](const std::string& word) {
      return !word.empty() && word != "–";
    });
    if (any) table.rows.push_back(std::move(row));
  };
  add("cost", [](const Motion& m) { return m.score->failure.empty() ? Word(m.score->cost) : "–"; });
  add("why it is not feasible",
      [](const Motion& m) { return m.score->failure.empty() ? m.score->worst : m.score->failure; });
  for (size_t i = 0; i < record.terms.size(); ++i) {
    add(record.terms[i],
        [i](const Motion& m) { return i < m.score->terms.size() ? Word(m.score->terms[i]) : "–"; });
  }
  for (const std::string& condition : kConditions) {
    add(condition, [&](const Motion& m) {
      const auto bundle = std::find_if(bundles.begin(), bundles.end(),
                                       [&](const Bundle& b) { return b.label() == m.label; });
      if (bundle == bundles.end()) return std::string("–");
      const auto found = bundle->summary().find(condition);
      const bool defined = found != bundle->summary().end() && found->second;
      return defined ? Word(*found->second) : "–";
    });
  }
  add("computing_s", [](const Motion& m) { return Word(m.seconds); });
  const bool any_plan = std::any_of(bundles.begin(), bundles.end(), [](const Bundle& bundle) {
    return std::filesystem::exists(bundle.path() / kPlanFile);
  });
  if (any_plan) {
    table.remark =
        "Values are those of the simulated motions; the translation record shows how well a plan "
        "satisfies its constraints before it is replayed.";
  }
  return table;
}

std::vector<Bundle> OpenMotions(const SearchRecord& record, const std::filesystem::path& folder) {
  std::vector<std::string> labels = {"start", "best"};
  for (const RecordedOther& other : record.others) labels.push_back(other.label);
  std::vector<Bundle> bundles;
  for (const std::string& label : labels) {
    if (std::filesystem::exists(folder / label)) bundles.push_back(Bundle::Open(folder / label));
  }
  return bundles;
}

}  // namespace pliant
