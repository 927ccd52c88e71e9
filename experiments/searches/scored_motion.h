// The score of one motion from its records, the same for a trial of a search, which is looked at while it runs, and for a
// run bundle, whose records are read back.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_SCORED_MOTION_H_
#define PLIANT_EXPERIMENTS_SEARCHES_SCORED_MOTION_H_

#include <optional>
#include <span>
#include <vector>

#include "experiments/runs/outcome.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/searches/motion_cost.h"
#include "models/scene/probe.h"

namespace pliant {

// Whether the cost needs the records between both ends of a motion, not only these.
bool ReadsAlong(const MotionCostFunction& cost);

class ScoredMotion {
 public:
  // Of the body at `body`; `probes` are those whose figures the cost may use.
  ScoredMotion(const Scene& scene, int body, const BackendInfo& backend,
               const MotionCostFunction& cost, const std::vector<Probe>& probes);

  // The first is the start. `modes`: the energies of the modes then, where the cost weighs some; `probes`: the values of
  // the probes, where it uses figures.
  void Add(const Observation& record, std::span<const ModeEnergy> modes,
           std::span<const std::optional<double>> probes);

  // Of a motion that ended so. One that did not reach its end is a failure.
  MotionScore Score(const RunOutcome& outcome) const;

 private:
  const MotionCostFunction& cost_;
  MotionMeter meter_;
  std::vector<Probe> probes_;  // only where the cost uses figures
  std::vector<Curve> curves_;  // of each probe
  bool has_begun_ = false;
  MotionMeasures measures_;  // up to the last record
};

// A score without a cost, for the reason given.
MotionScore FailedScore(const MotionCostFunction& cost, const std::string& why);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_SCORED_MOTION_H_
