// What a command, or a caller in Python, says of a ladder instead of the [refine] table of the file, and how all
// ladders of an experiment are run one after the other.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_LADDER_CHOICE_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_LADDER_CHOICE_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/refinement/refinement.h"

namespace pliant {

struct LadderChoice {
  std::vector<std::string> axes;       // words of [refine]; those of the file when empty
  bool joint = false;                  // refine along all axes at once
  std::optional<int> levels, coarser;  // of the file when absent, as is ratio
  std::optional<double> ratio;
};

// The plan of the file with what `choice` says instead; throws BadInput.
RefinePlan PlanOf(const Experiment& experiment, const LadderChoice& choice);

// How often each word was said, in alphabetical order of the words: "3 completed, 1 kept".
class WordCounts {
 public:
  void Add(std::string_view word) { ++counts_[std::string(word)]; }
  std::string Text() const;

 private:
  std::map<std::string, int> counts_;
};

// Of runs: their outcomes, or "kept".
class OutcomeCounts {
 public:
  void Add(const SweepRun& run);
  std::string Text() const { return words_.Text(); }

 private:
  WordCounts words_;
};

// Runs and reads one ladder after the other; none after a stop. The progress of `hooks` is that of all.
std::vector<Refinement> RunLadders(const std::vector<Ladder>& ladders,
                                   const std::filesystem::path& out, int jobs,
                                   const SweepHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_LADDER_CHOICE_H_
