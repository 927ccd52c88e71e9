#include "experiments/searches/scored_motion.h"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

bool LooksAlong(const MotionCostFunction& cost) {
  const std::vector<Measure> measures = cost.Reads();
  return std::any_of(measures.begin(), measures.end(), [](Measure measure) {
    return MeasureInfos()[static_cast<size_t>(measure)].along;
  });
}

}  // namespace

bool ReadsAlong(const MotionCostFunction& cost) {
  return LooksAlong(cost) || !cost.Figures().empty();
}

ScoredMotion::ScoredMotion(const Scene& scene, int body, const BackendInfo& backend,
                           const MotionCostFunction& cost, const std::vector<Probe>& probes)
    : cost_(cost), meter_(scene, body, backend, LooksAlong(cost)) {
  if (cost.Figures().empty()) return;
  probes_ = probes;
  curves_.resize(probes.size());
}

void ScoredMotion::Add(const Observation& record, std::span<const ModeEnergy> modes,
                       std::span<const std::optional<double>> probes) {
  if (has_begun_) {
    meter_.Add(record);
  } else {
    meter_.Begin(record);
    has_begun_ = true;
  }
  measures_ = meter_.End(record, modes);
  for (size_t i = 0; i < curves_.size(); ++i) {
    if (!probes[i]) continue;
    curves_[i].times.push_back(record.time);
    curves_[i].values.push_back(*probes[i]);
  }
}

MotionScore ScoredMotion::Score(const RunOutcome& outcome) const {
  if (!RanToItsEnd(outcome.kind)) return FailedScore(cost_, outcome.reason);
  MotionMeasures measures = measures_;
  for (size_t i = 0; i < curves_.size(); ++i) {
    for (const ProbeFigure& figure : ProbeFigures(probes_[i], curves_[i])) {
      measures.figures[figure.is.name] = figure.value;
    }
  }
  return ScoreMotion(cost_, measures);
}

MotionScore FailedScore(const MotionCostFunction& cost, const std::string& why) {
  MotionScore failed;
  failed.terms.assign(TermsOf(cost).size(), std::numeric_limits<double>::quiet_NaN());
  failed.failure = why;
  return failed;
}

}  // namespace pliant
