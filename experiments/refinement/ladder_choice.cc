#include "experiments/refinement/ladder_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/problem.h"

namespace pliant {
namespace {

constexpr int kMostLevels = 32;
constexpr double kLeastRatio = 1.01, kMostRatio = 100.0;

std::vector<RefinedAxis> AxesNamed(const std::vector<std::string>& words) {
  std::vector<RefinedAxis> axes;
  std::vector<std::string> known;
  for (const auto& [word, axis] : WordsOf(RefinedAxis())) known.push_back(word);
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      throw BadInput({"in", "there is no axis '" + word + "'", DidYouMean(word, known)});
    }
    axes.push_back(WordsOf(RefinedAxis())[static_cast<size_t>(found - known.begin())].second);
  }
  return axes;
}

}  // namespace

RefinePlan PlanOf(const Experiment& experiment, const LadderChoice& choice) {
  RefinePlan plan = experiment.refine;
  if (!choice.axes.empty()) plan.axes = AxesNamed(choice.axes);
  plan.joint = plan.joint || choice.joint;
  plan.levels = choice.levels.value_or(plan.levels);
  plan.coarser = choice.coarser.value_or(plan.coarser);
  plan.ratio = choice.ratio.value_or(plan.ratio);
  if (plan.levels < 2 || plan.levels > kMostLevels) {
    throw BadInput({"levels", fmt::format("a ladder has {} levels", plan.levels),
                    fmt::format("use 2 to {}", kMostLevels)});
  }
  if (!(plan.ratio >= kLeastRatio && plan.ratio <= kMostRatio)) {
    throw BadInput({"ratio", fmt::format("the ratio of rungs is {}", plan.ratio),
                    fmt::format("use {} to {}", kLeastRatio, kMostRatio)});
  }
  if (plan.coarser < 0 || plan.coarser >= plan.levels) {
    throw BadInput(
        {"coarser",
         fmt::format("{} of {} rungs are coarser than the file", plan.coarser, plan.levels),
         "one rung must be the file as it is"});
  }
  return plan;
}

std::string WordCounts::Text() const {
  std::string text;
  for (const auto& [word, count] : counts_) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return text;
}

void OutcomeCounts::Add(const SweepRun& run) {
  words_.Add(run.kept ? "kept" : ToString(run.run.outcome.kind));
}

std::vector<Refinement> RunLadders(const std::vector<Ladder>& ladders,
                                   const std::filesystem::path& out, int jobs,
                                   const SweepHooks& hooks) {
  std::vector<Refinement> refinements;
  for (size_t i = 0; i < ladders.size(); ++i) {
    SweepHooks of_ladder = hooks;
    of_ladder.on_progress = [&](double fraction) {
      if (!hooks.on_progress) return;
      hooks.on_progress((static_cast<double>(i) + fraction) / static_cast<double>(ladders.size()));
    };
    const std::vector<SweepRun> runs = RunLadder(ladders[i], out, jobs, of_ladder);
    if (hooks.stop.stop_requested()) return {};
    refinements.push_back(CollectLadder(ladders[i], runs));
  }
  return refinements;
}

}  // namespace pliant
