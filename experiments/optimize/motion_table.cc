#include "experiments/optimize/motion_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/optimize/optimization.h"
#include "experiments/record/bundle.h"

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

std::vector<Motion> MotionsOf(const OptimizationRecord& record) {
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

FindingTable TableOfMotions(const OptimizationRecord& record, const std::filesystem::path& folder) {
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
  add("what is wrong with it",
      [](const Motion& m) { return m.score->failure.empty() ? m.score->worst : m.score->failure; });
  for (size_t i = 0; i < record.terms.size(); ++i) {
    add(record.terms[i],
        [i](const Motion& m) { return i < m.score->terms.size() ? Word(m.score->terms[i]) : "–"; });
  }
  std::map<std::string, std::map<std::string, std::optional<double>>> figures;
  for (const Motion& motion : motions) {
    if (folder.empty() || !std::filesystem::exists(folder / motion.label)) continue;
    figures[motion.label] = Bundle::Open(folder / motion.label).summary();
  }
  for (const std::string& condition : kConditions) {
    add(condition, [&](const Motion& m) {
      const auto& own = figures[m.label];
      const auto found = own.find(condition);
      return found != own.end() && found->second ? Word(*found->second) : "–";
    });
  }
  add("computing_s", [](const Motion& m) { return Word(m.seconds); });
  table.remark =
      "Of the motions as the simulation made them; how well a plan keeps its constraints before it "
      "is replayed stands with its translation.";
  return table;
}

}  // namespace pliant
