// judge: motions that are there, each by the costs of several experiments.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/judged_motions.h"
#include "models/problem.h"

namespace pliant {
namespace {

std::vector<JudgingCost> CostsOf(const std::vector<std::filesystem::path>& files) {
  std::vector<JudgingCost> costs;
  for (const std::filesystem::path& file : files) {
    costs.push_back(ReadJudgingCost(ReadExperiment(ExperimentNamed(file))));
    // Two files of one name are told apart by their folders.
    const auto same = [&](const JudgingCost& by) { return by.name == costs.back().name; };
    if (std::count_if(costs.begin(), costs.end(), same) > 1) costs.back().name = file.string();
  }
  return costs;
}

std::vector<std::filesystem::path> BundlesAt(const std::vector<std::filesystem::path>& runs) {
  std::vector<std::filesystem::path> bundles;
  for (const std::filesystem::path& run : runs) {
    const std::vector<std::filesystem::path> found = FindBundles(run);
    if (found.empty()) {
      throw BadInput({"", fmt::format("no run bundle at or below {}", run.string()),
                      "give the folder that run, compare or optimize printed"});
    }
    bundles.insert(bundles.end(), found.begin(), found.end());
  }
  return bundles;
}

}  // namespace

int JudgeCommand(const std::vector<std::filesystem::path>& runs,
                 const std::vector<std::filesystem::path>& by, const std::string& format) {
  RequireTableFormat(format);
  const std::vector<JudgingCost> costs = CostsOf(by);
  std::vector<JudgedMotion> motions;
  for (const std::filesystem::path& path : BundlesAt(runs)) {
    const Bundle bundle = Bundle::Open(path);
    JudgedMotion& motion = motions.emplace_back();
    motion.name = path.string();
    motion.backend = bundle.backend().info().name;
    motion.duration = bundle.outcome().time;
    motion.sunk = SunkInWords(bundle.outcome());
    for (const JudgingCost& cost : costs) motion.scores.push_back(JudgeMotion(bundle, cost));
  }
  std::vector<std::string> names;
  for (const JudgingCost& cost : costs) names.push_back(cost.name);
  if (format == "csv") {
    fmt::print("{}", CsvOfJudgements(names, motions));
  } else if (format == "markdown") {
    PrintMarkdown(TableOfJudgements(names, motions));
  } else {
    PrintTable(TableOfJudgements(names, motions));
  }
  std::fflush(stdout);
  for (const std::string& remark : RemarksOn(names, motions)) PrintToStderr(remark + "\n");
  const bool all = std::all_of(motions.begin(), motions.end(), [](const JudgedMotion& motion) {
    return std::all_of(motion.scores.begin(), motion.scores.end(),
                       [](const MotionScore& score) { return score.failure.empty(); });
  });
  return all ? kDone : kRunFailed;
}

}  // namespace pliant
