#include "experiments/claims/invariance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "experiments/claims/carried_choice.h"
#include "experiments/claims/units.h"
#include "experiments/runs/run.h"

namespace pliant {
namespace {

constexpr double kSame = 1e-9;       // of the extent
constexpr double kRounding = 1e-15;  // of the extent: a few units in the last place
constexpr double kChaosMargin = 10.0;
constexpr double kFinerTolerance = 0.25, kFinerDistance = 0.5;

struct Recorded {
  std::vector<double> times;
  std::vector<Eigen::Matrix3Xd> points;
  std::vector<Eigen::VectorXd> states;
};

class Checker {
 public:
  Checker(const Experiment& experiment, size_t index, const std::stop_token& stop)
      : experiment_(experiment), index_(index), stop_(stop) {
    const Eigen::Matrix3Xd points = experiment.scene->InitialPoints();
    extent_ = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
  }

  // Of the experiment with another scene or plan, from `state` on if there is one; a refusal's reason in `why`.
  Recorded Record(const Experiment& experiment, const Eigen::VectorXd* state,
                  std::string* why) const {
    return Record(experiment, index_, state, why);
  }
  Recorded Record(const Experiment& experiment, size_t index, const Eigen::VectorXd* state,
                  std::string* why) const {
    Recorded recorded;
    const Translation translation = TranslateFor(experiment, index);
    if (translation.simulation == nullptr) {
      *why = translation.record.WhyUnsupported();
      return recorded;
    }
    if (state != nullptr) translation.simulation->Restore(*state);
    RunHooks hooks;
    hooks.stop = stop_;
    hooks.on_frame = [&](const Frame& frame) {
      recorded.times.push_back(frame.observation.time);
      recorded.points.push_back(frame.observation.points);
      recorded.states.push_back(frame.state);
    };
    Run(experiment, index, translation.simulation.get(), hooks);
    return recorded;
  }

  // The largest distances so far at each time of `base`; those of `other` may be fewer. Infinite where one is
  // not a number, and from where `other` ends too early.
  std::vector<double> Distances(const Recorded& base, const Recorded& other,
                                bool every_time) const {
    std::vector<double> distances;
    double largest = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < base.times.size(); ++i) {
      while (at < other.times.size() && other.times[at] < base.times[i] - kTimeTolerance) ++at;
      const bool found =
          at < other.times.size() && std::abs(other.times[at] - base.times[i]) <= kTimeTolerance;
      if (found) {
        const double distance =
            std::sqrt((other.points[at] - base.points[i]).colwise().squaredNorm().maxCoeff());
        largest = std::isnan(distance) ? INFINITY : std::max(largest, distance);
      } else if (every_time) {
        largest = INFINITY;
      }
      distances.push_back(largest);
    }
    return distances;
  }

  SeenOtherwise Compare(const std::string& name, const std::vector<double>& distances,
                        const Recorded& base, double tolerance,
                        const std::vector<double>& chaos) const {
    SeenOtherwise seen{name, Sameness::kSame, distances.empty() ? 0.0 : distances.back()};
    for (size_t i = 0; i < distances.size(); ++i) {
      if (distances[i] <= tolerance) continue;
      if (seen.sameness == Sameness::kSame) {
        seen.since = base.times[i];
        seen.sameness = Sameness::kChaotic;
      }
      const bool chaotic = !chaos.empty() && distances[i] <= kChaosMargin * chaos[i];
      if (!chaotic) seen.sameness = Sameness::kDiffers;
    }
    return seen;
  }

  Experiment With(Scene scene) const {
    Experiment other = experiment_;
    other.scene = std::make_shared<const Scene>(std::move(scene));
    other.probes.clear();  // of points of the scene as it is
    return other;
  }

  // Every rest point displaced by this part of the extent, each in another direction.
  Scene Perturbed(double size) const {
    Scene scene = *experiment_.scene;
    int k = 0;
    for (Body& body : scene.bodies) {
      for (Eigen::Index i = 0; i < body.rest.cols(); ++i) {
        for (int axis = 0; axis < scene.dimension; ++axis) {
          body.rest(axis, i) += size * extent_ * std::sin(1.0 + 2.0 * static_cast<double>(++k));
        }
      }
    }
    return scene;
  }

  double extent() const { return extent_; }

 private:
  static constexpr double kTimeTolerance = 1e-9;  // s
  const Experiment& experiment_;
  const size_t index_;
  const std::stop_token stop_;
  double extent_ = 0.0;
};

SeenOtherwise NotSeen(const std::string& view, const std::string& why) {
  return {.view = view, .sameness = Sameness::kNotSeen, .why = why};
}

SeenOtherwise CutInTwo(const Checker& checker, const Experiment& experiment, const Recorded& base) {
  const std::string name = "cut in two by save and restore";
  if (base.times.size() < 3)
    return NotSeen(name, "it has no record between its beginning and its end");
  std::string why;
  Recorded rest = checker.Record(experiment, &base.states[base.times.size() / 2], &why);
  Recorded half = base;
  const auto begin = static_cast<std::ptrdiff_t>(base.times.size() / 2);
  half.times.erase(half.times.begin(), half.times.begin() + begin);
  half.points.erase(half.points.begin(), half.points.begin() + begin);
  return checker.Compare(name, checker.Distances(half, rest, true), half, 0.0, {});
}

SeenOtherwise HalfTheRecords(const Checker& checker, const Experiment& experiment,
                             const Recorded& base) {
  const std::string name = "half the records";
  Experiment fewer = experiment;
  fewer.plan.record_every *= 2.0;
  const double records = experiment.plan.duration / fewer.plan.record_every;
  if (std::abs(records - std::round(records)) > 1e-9 * records) {
    return NotSeen(name, "the duration is an odd number of records");
  }
  std::string why;
  const Recorded half = checker.Record(fewer, nullptr, &why);
  return checker.Compare(name, checker.Distances(base, half, false), base, 0.0, {});
}

// How a motion of `other`, recorded from `start` and carried back by `back`, compares; another scene may be
// refused where the file's is not.
SeenOtherwise CarriedBack(const std::string& name, const Checker& checker, const Recorded& base,
                          const std::vector<double>& chaos, const Eigen::VectorXd* start,
                          const std::function<Experiment()>& other,
                          const std::function<void(Recorded*)>& back) {
  try {
    std::string why;
    Recorded recorded = checker.Record(other(), 0, start, &why);
    if (!why.empty()) return NotSeen(name, "refused: " + why);
    back(&recorded);
    return checker.Compare(name, checker.Distances(base, recorded, true), base,
                           kSame * checker.extent(), chaos);
  } catch (const BadInput& bad) {
    return NotSeen(name, bad.problem().what);
  } catch (const FileError& refused) {
    return NotSeen(name, std::string("refused: ") + refused.what());
  }
}

SeenOtherwise OfView(const Checker& checker, const Experiment& experiment, size_t index,
                     const View& view, const Recorded& base, const std::vector<double>& chaos) {
  return CarriedBack(
      view.name, checker, base, chaos, nullptr,
      [&] {
        Experiment seen = checker.With(view.scene);
        seen.backends = {CarriedChoice(experiment.backends[index], *experiment.scene, view)};
        return seen;
      },
      [&view](Recorded* other) {
        for (Eigen::Matrix3Xd& points : other->points) points = view.Back(points);
      });
}

// With a quarter of the tolerance of its solver; absent where the backend has none.
std::optional<Experiment> WithFinerTolerance(const Experiment& experiment, size_t index) {
  Experiment finer = experiment;
  BackendChoice& choice = finer.backends[index];
  for (const ParameterInfo& info : choice.backend->Parameters()) {
    if (info.name != "tolerance" && info.name != "newton_tolerance") continue;
    const auto given = choice.parameters.find(info.name);
    const ParameterValue& value =
        given == choice.parameters.end() ? info.default_value : given->second;
    const auto* tolerance = std::get_if<double>(&value);
    if (tolerance == nullptr) return std::nullopt;  // a whole number: no sweep waits for it
    choice.parameters[info.name] = kFinerTolerance * *tolerance;
    return finer;
  }
  return std::nullopt;
}

SeenOtherwise OtherUnits(const Checker& checker, const Experiment& experiment, size_t index,
                         const Recorded& base, const std::vector<double>& chaos) {
  const UnitFactors factors;
  return CarriedBack(
      "in other units", checker, base, chaos, nullptr,
      [&] { return InUnits(experiment, index, factors); },
      [&](Recorded* other) {
        for (double& time : other->times) time /= factors.time;
        for (Eigen::Matrix3Xd& points : other->points) points /= factors.length;
      });
}

// From the initial state at a later time.
SeenOtherwise ShiftInTime(const Checker& checker, const Experiment& experiment, size_t index,
                          const Recorded& base, const std::vector<double>& chaos) {
  const double shift = 8.0 * experiment.plan.record_every;  // s
  Eigen::VectorXd state = base.states.front();
  state[0] += shift;
  return CarriedBack(
      "shifted in time", checker, base, chaos, &state,
      [&] { return ShiftedInTime(experiment, index, shift); },
      [&](Recorded* other) {
        for (double& time : other->times) time -= shift;
      });
}

}  // namespace

std::string_view ToString(Sameness sameness) {
  switch (sameness) {
    case Sameness::kSame:
      return "same";
    case Sameness::kChaotic:
      return "chaotic";
    case Sameness::kByTolerance:
      return "differs by the tolerance";
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

Invariance CheckInvariance(const Experiment& experiment, size_t index, const std::stop_token& stop,
                           const std::function<void(double fraction)>& on_progress) {
  const BackendChoice& choice = experiment.backends[index];
  Invariance result{choice.label, "", {}, choice.backend->info().losses, {}};
  const Checker checker(experiment, index, stop);
  result.warnings = TranslateFor(experiment, index).warnings;
  const Recorded base = checker.Record(experiment, nullptr, &result.refused);
  if (!result.refused.empty()) return result;
  const Views views = ViewsOf(*experiment.scene);
  const double runs = static_cast<double>(views.views.size()) + 5.0;
  double done = 0.0;
  const auto tell = [&] {
    if (on_progress) on_progress(++done / runs);
  };
  std::string why;
  // Rounding of one step, and what that of all steps adds up to, in the opposite direction: faces that are exactly
  // flush slip one way or the other.
  std::vector<double> chaos;
  for (const double steps : {1.0, -std::ceil(experiment.plan.duration / choice.step)}) {
    const Scene scene = checker.Perturbed(kRounding * steps);
    const Recorded perturbed = checker.Record(checker.With(scene), nullptr, &why);
    if (!why.empty()) break;
    const std::vector<double> distances = checker.Distances(base, perturbed, true);
    chaos.resize(distances.size(), 0.0);
    for (size_t i = 0; i < chaos.size(); ++i) chaos[i] = std::max(chaos[i], distances[i]);
  }
  tell();
  for (const View& view : views.views) {
    if (stop.stop_requested()) return result;
    result.views.push_back(OfView(checker, experiment, index, view, base, chaos));
    tell();
  }
  for (const MissingView& missing : views.missing)
    result.views.push_back(NotSeen(missing.name, missing.why));
  result.views.push_back(OtherUnits(checker, experiment, index, base, chaos));
  tell();
  result.views.push_back(ShiftInTime(checker, experiment, index, base, chaos));
  tell();
  result.views.push_back(CutInTwo(checker, experiment, base));
  tell();
  result.views.push_back(HalfTheRecords(checker, experiment, base));
  tell();
  return result;
}

void ExplainByTolerance(const Experiment& experiment, size_t index, const std::stop_token& stop,
                        Invariance* invariance) {
  const auto differs = [](const SeenOtherwise& one) { return one.sameness == Sameness::kDiffers; };
  if (std::none_of(invariance->views.begin(), invariance->views.end(), differs)) return;
  const std::optional<Experiment> finer = WithFinerTolerance(experiment, index);
  if (!finer) return;
  const Checker checker(*finer, index, stop);
  std::string why;
  const Recorded base = checker.Record(*finer, nullptr, &why);
  for (const View& view : ViewsOf(*experiment.scene).views) {
    if (stop.stop_requested()) return;
    const auto seen = std::find_if(
        invariance->views.begin(), invariance->views.end(),
        [&](const SeenOtherwise& one) { return one.view == view.name && differs(one); });
    if (seen == invariance->views.end()) continue;
    seen->finer = OfView(checker, *finer, index, view, base, {}).distance;
    if (seen->finer <= kFinerDistance * seen->distance) seen->sameness = Sameness::kByTolerance;
  }
}

}  // namespace pliant
