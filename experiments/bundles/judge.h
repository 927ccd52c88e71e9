// The verdict on a bundle as it grows, from frame to frame and from document to document.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_JUDGE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_JUDGE_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/runs/run.h"

namespace pliant {

// Once different, the verdict stays at the first difference.
class Judge {
 public:
  explicit Judge(const Bundle& bundle);

  bool decided() const { return result_.verdict == Reproduction::Verdict::kDifferent; }

  // The next frame of the run that is made now.
  void Look(const Frame& frame);
  // What the bundle says of the run, against what is true now.
  void LookAtTranslation(const Translation& now);
  void LookAtOutcome(const RunOutcome& now);
  // What the bundle says of itself: figures against its own series (or that of the run made now),
  // the manifest against its own experiment.
  void LookAtFigures();
  void LookAtManifest();

  void Differ(const std::string& quantity, std::optional<double> time, const std::string& why);
  Reproduction Result() const;

 private:
  void LookAtNumber(const std::string& quantity, std::optional<double> time, double before,
                    double now, double scale);
  // Where one side may lack the number.
  void LookAtOptional(const std::string& quantity, std::optional<double> time,
                      const std::optional<double>& before, const std::optional<double>& now,
                      double scale);
  void LookAtNumbers(const std::string& quantity, double time, const double* before,
                     const double* now, Eigen::Index count, double scale);
  void LookAtEvents(const std::vector<SimulationEvent>& now);
  void LookAtUnmet(const RunOutcome& now);

  const Bundle& bundle_;
  std::vector<double> column_scales_;
  double points_scale_ = 0.0, velocities_scale_ = 0.0, state_scale_ = 0.0;
  size_t frames_ = 0;            // seen
  std::vector<SeriesRow> rows_;  // of the run made now; times of steps are those of the bundle
  Reproduction result_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_JUDGE_H_
