// Motions that are there already, judged by the costs of searches: every run bundle by the [optimize] table of each
// of several experiments. A cost found under other weights says nothing about a motion until all are measured alike.
//
// The score is made of the records of the bundle as that of a trial is (scored_motion.h): of a trial that recorded as
// often, it is the same number. Energies of single modes, reactions and forces of contact are in no bundle; for them the
// steps of the run are made again.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_JUDGED_MOTIONS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_JUDGED_MOTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/motion_cost.h"
#include "solvers/translation.h"

namespace pliant {

// The cost of one experiment's [optimize] table, with what its names refer to.
struct JudgingCost {
  std::string name;                    // of the experiment
  std::shared_ptr<const Scene> scene;  // that of its probes
  std::optional<std::string> body;  // whose motion is measured; the first of each scene when absent
  std::vector<Probe> probes;        // whose figures the cost weighs
  MotionCostFunction cost;
};

// Throws FileError where the experiment has no [optimize] table, or its cost has a mistake. What is
// varied and by which methods has no meaning here.
JudgingCost ReadJudgingCost(const Experiment& experiment);

// A motion that lacks what the cost needs has a failure that says so.
MotionScore JudgeMotion(const Bundle& bundle, const JudgingCost& by);

struct JudgedMotion {
  std::string name;  // of its folder, as asked for
  std::string backend;
  double duration = 0.0;            // s, of what was recorded
  std::string sunk;                 // SunkInWords of its outcome
  std::vector<MotionScore> scores;  // one for each cost
};

// A row for each motion, a column for each cost; the least without a penalty has an arrow, penalised ones a star.
FindingTable TableOfJudgements(const std::vector<std::string>& costs,
                               const std::vector<JudgedMotion>& motions);
// The same as motion,backend,duration_s, the costs, then remarks; empty where there is no cost.
std::string CsvOfJudgements(const std::vector<std::string>& costs,
                            const std::vector<JudgedMotion>& motions);
// One line for each motion that lies deep in an obstacle, that a cost cannot judge, or that it penalises.
std::vector<std::string> RemarksOn(const std::vector<std::string>& costs,
                                   const std::vector<JudgedMotion>& motions);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_JUDGED_MOTIONS_H_
