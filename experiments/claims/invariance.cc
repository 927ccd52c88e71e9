#include "experiments/claims/invariance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/claims/view_runs.h"
#include "experiments/runs/run.h"
#include "models/scene/extent.h"

namespace pliant {
namespace {

constexpr double kSame = 1e-9;       // of the extent
constexpr double kRounding = 1e-15;  // of the extent: a few units in the last place
constexpr double kChaosMargin = 10.0;
constexpr double kFalls = 0.5;
constexpr double kLeads = 0.25;  // gaps remain in every step, and points are displaced once

// A run of the scene as it is, and how far rounding leads from it.
struct Base {
  RecordedRun run;
  std::vector<double> chaos;  // m, so far, at each time
};

class Checker {
 public:
  Checker(const Experiment& experiment, size_t index, const std::stop_token& stop)
      : experiment_(experiment),
        index_(index),
        stop_(stop),
        extent_(ExtentOf(*experiment.scene)),
        views_(ViewRunsOf(experiment, index, stop)) {}

  // Rounding of one step, and what that of all steps adds up to, in the opposite direction: faces that are exactly
  // flush slip one way or the other.
  Base BaseOf(const Experiment& experiment, std::string* refused) const {
    Base base{RecordRun(experiment, index_, nullptr, stop_, refused), {}};
    if (!refused->empty()) return base;
    const double all = std::ceil(experiment.plan.duration / experiment.backends[index_].step);
    for (const double steps : {1.0, -all}) {
      const std::optional<RecordedRun> run = Displaced(kRounding * extent_ * steps, experiment);
      if (!run) break;
      const std::vector<double> distances = DistancesSoFar(base.run, *run, true);
      base.chaos.resize(distances.size(), 0.0);
      for (size_t i = 0; i < distances.size(); ++i)
        base.chaos[i] = std::max(base.chaos[i], distances[i]);
    }
    return base;
  }

  SeenOtherwise See(const ViewRun& view, const Experiment& experiment, const Base& base) const {
    const Sighting sighting = view.see(experiment, base.run);
    if (!sighting.missing.empty())
      return {.view = view.name, .sameness = Sameness::kNotSeen, .why = sighting.missing};
    return Compare(view, DistancesSoFar(base.run, sighting.run, view.every_time), base);
  }

  // Takes the causes away, one by one and then together, from the views that differ. Where the scene does not fit what
  // is changed there is no explanation.
  void Explain(const Base& base, std::vector<SeenOtherwise>* seen) const {
    std::vector<ViewCause> causes = CausesIn(experiment_.backends[index_]);
    if (causes.size() > 1) causes.push_back(Together(causes));
    for (const ViewCause& cause : causes) {
      const auto differs = [](const SeenOtherwise& one) {
        return one.sameness == Sameness::kDiffers;
      };
      if (std::ranges::none_of(*seen, differs)) return;
      if (cause.by_gaps) {
        Displace(cause, base, seen);
      } else {
        TakeAway(cause, seen);
      }
    }
  }

  const std::vector<ViewRun>& views() const { return views_; }

 private:
  // The run with displaced rest points; absent where it is refused, as of bodies that begin exactly as near as may be.
  std::optional<RecordedRun> Displaced(double size, const Experiment& experiment) const {
    std::string why;
    try {
      RecordedRun run = RecordRun(PerturbedBy(size, experiment), index_, nullptr, stop_, &why);
      if (why.empty()) return run;
    } catch (const BadInput&) {
    } catch (const FileError&) {
    }
    return std::nullopt;
  }

  SeenOtherwise Compare(const ViewRun& view, const std::vector<double>& distances,
                        const Base& base) const {
    SeenOtherwise seen{view.name, Sameness::kSame, distances.empty() ? 0.0 : distances.back()};
    for (size_t i = 0; i < distances.size(); ++i) {
      if (distances[i] <= (view.exact ? 0.0 : kSame * extent_)) continue;
      if (seen.sameness == Sameness::kSame) {
        seen.since = base.run.times[i];
        seen.sameness = Sameness::kChaotic;
      }
      const bool chaotic =
          !view.exact && !base.chaos.empty() && distances[i] <= kChaosMargin * base.chaos[i];
      if (!chaotic) seen.sameness = Sameness::kDiffers;
    }
    return seen;
  }

  void TakeAway(const ViewCause& cause, std::vector<SeenOtherwise>* seen) const {
    const Experiment other = Without(cause, experiment_, index_);
    std::string refused;
    Base base;
    try {
      base = BaseOf(other, &refused);
    } catch (const BadInput&) {
      return;
    } catch (const FileError&) {
      return;
    }
    if (!refused.empty()) return;
    for (size_t i = 0; i < seen->size() && !stop_.stop_requested(); ++i) {
      SeenOtherwise& one = (*seen)[i];
      if (one.sameness != Sameness::kDiffers || views_[i].exact) continue;
      const SeenOtherwise again = See(views_[i], other, base);
      const bool gone = again.sameness == Sameness::kSame || again.sameness == Sameness::kChaotic;
      const bool falls = cause.falls && again.sameness == Sameness::kDiffers &&
                         again.distance <= kFalls * one.distance;
      if (!gone && !falls) continue;
      one.sameness = Sameness::kExplained;
      one.cause = cause;
      one.without = again.distance;
    }
  }

  // Does the scene with rest points that are displaced by the gaps of `base` go as far?
  void Displace(const ViewCause& cause, const Base& base, std::vector<SeenOtherwise>* seen) const {
    if (base.run.gap == 0.0) return;
    const std::optional<RecordedRun> run = Displaced(base.run.gap, experiment_);
    if (!run) return;
    const double distance = DistancesSoFar(base.run, *run, true).back();
    for (size_t i = 0; i < seen->size(); ++i) {
      SeenOtherwise& one = (*seen)[i];
      if (one.sameness != Sameness::kDiffers || views_[i].exact) continue;
      if (distance < kLeads * one.distance) continue;
      one.sameness = Sameness::kExplained;
      one.cause = cause;
      one.without = distance;
    }
  }

  const Experiment& experiment_;
  const size_t index_;
  const std::stop_token stop_;
  const double extent_;  // m
  const std::vector<ViewRun> views_;
};

}  // namespace

std::string_view ToString(Sameness sameness) {
  switch (sameness) {
    case Sameness::kSame:
      return "same";
    case Sameness::kChaotic:
      return "chaotic";
    case Sameness::kExplained:
      return "explained";
    case Sameness::kDiffers:
      return "differs";
    case Sameness::kNotSeen:
      return "not seen";
  }
  return "";
}

void Shorten(RunPlan* plan) {
  plan->duration = std::min(plan->duration, kShortRecords * plan->record_every);
}

Invariance CheckInvariance(const Experiment& given, size_t index, const std::stop_token& stop,
                           const std::function<void(double fraction)>& on_progress) {
  const Experiment experiment = WithSceneOf(given, index);
  const BackendChoice& choice = experiment.backends[index];
  Invariance result{choice.label, "", {}, choice.backend->info().losses, {}};
  result.warnings = TranslateFor(experiment, index).warnings;
  const Checker checker(experiment, index, stop);
  const Base base = checker.BaseOf(experiment, &result.refused);
  if (!result.refused.empty()) return result;
  for (const ViewRun& view : checker.views()) {
    if (stop.stop_requested()) return result;
    result.views.push_back(checker.See(view, experiment, base));
    if (on_progress) {
      on_progress(static_cast<double>(result.views.size()) /
                  static_cast<double>(checker.views().size() + 1));
    }
  }
  checker.Explain(base, &result.views);
  return result;
}

}  // namespace pliant
