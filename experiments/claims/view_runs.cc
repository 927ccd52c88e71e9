#include "experiments/claims/view_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "experiments/claims/carried_choice.h"
#include "experiments/claims/units.h"
#include "experiments/claims/views.h"
#include "experiments/runs/run.h"

namespace pliant {
namespace {

constexpr double kTimeTolerance = 1e-9;  // s

class Seer {
 public:
  Seer(size_t index, std::stop_token stop) : index_(index), stop_(std::move(stop)) {}

  // The run of `other`, of which only the first backend runs, carried back by `back`. Another scene may be refused
  // where the file's is not.
  Sighting CarriedBack(const std::function<Experiment()>& other, const Eigen::VectorXd* start,
                       const std::function<void(RecordedRun*)>& back) const {
    Sighting seen;
    try {
      std::string why;
      seen.run = RecordRun(other(), 0, start, stop_, &why);
      if (!why.empty()) return {{}, "refused: " + why};
      back(&seen.run);
    } catch (const BadInput& bad) {
      seen.missing = bad.problem().what;
    } catch (const FileError& refused) {
      seen.missing = std::string("refused: ") + refused.what();
    }
    return seen;
  }

  Sighting OfView(const View& view, const Experiment& experiment) const {
    return CarriedBack(
        [&] {
          Experiment seen = experiment;
          seen.scene = std::make_shared<const Scene>(view.scene);
          seen.probes.clear();  // of points of the scene as it is
          seen.backends = {CarriedChoice(experiment.backends[index_], *experiment.scene, view)};
          return seen;
        },
        nullptr,
        [&view](RecordedRun* run) {
          for (Eigen::Matrix3Xd& points : run->points) points = view.Back(points);
        });
  }

  Sighting InOtherUnits(const Experiment& experiment) const {
    const UnitFactors factors;
    return CarriedBack([&] { return InUnits(experiment, index_, factors); }, nullptr,
                       [&factors](RecordedRun* run) {
                         for (double& time : run->times) time /= factors.time;
                         for (Eigen::Matrix3Xd& points : run->points) points /= factors.length;
                       });
  }

  // From the initial state at a later time.
  Sighting Later(const Experiment& experiment, const RecordedRun& base) const {
    const double shift = 8.0 * experiment.plan.record_every;  // s
    Eigen::VectorXd state = base.states.front();
    state[0] += shift;
    return CarriedBack([&] { return ShiftedInTime(experiment, index_, shift); }, &state,
                       [shift](RecordedRun* run) {
                         for (double& time : run->times) time -= shift;
                       });
  }

  // The first half of `base`, and the second from its state in the middle.
  Sighting CutInTwo(const Experiment& experiment, const RecordedRun& base) const {
    if (base.times.size() < 3) return {{}, "it has no record between its beginning and its end"};
    const size_t middle = base.times.size() / 2;
    std::string why;
    RecordedRun run = RecordRun(experiment, index_, &base.states[middle], stop_, &why);
    const auto end = static_cast<std::ptrdiff_t>(middle);
    run.times.insert(run.times.begin(), base.times.begin(), base.times.begin() + end);
    run.points.insert(run.points.begin(), base.points.begin(), base.points.begin() + end);
    return {std::move(run), ""};
  }

  Sighting HalfTheRecords(const Experiment& experiment) const {
    Experiment fewer = experiment;
    fewer.plan.record_every *= 2.0;
    const double records = experiment.plan.duration / fewer.plan.record_every;
    if (std::abs(records - std::round(records)) > 1e-9 * records) {
      return {{}, "the duration is an odd number of records"};
    }
    std::string why;
    return {RecordRun(fewer, index_, nullptr, stop_, &why), ""};
  }

 private:
  const size_t index_;
  const std::stop_token stop_;
};

}  // namespace

RecordedRun RecordRun(const Experiment& experiment, size_t index, const Eigen::VectorXd* state,
                      const std::stop_token& stop, std::string* why) {
  RecordedRun recorded;
  const Translation translation = TranslateFor(experiment, index);
  if (translation.simulation == nullptr) {
    *why = translation.record.WhyUnsupported();
    return recorded;
  }
  if (state != nullptr) translation.simulation->Restore(*state);
  RunHooks hooks;
  hooks.stop = stop;
  hooks.on_frame = [&recorded](const Frame& frame) {
    recorded.times.push_back(frame.observation.time);
    recorded.points.push_back(frame.observation.points);
    recorded.states.push_back(frame.state);
    recorded.gap = std::max(recorded.gap, frame.observation.constraint_error.value_or(0.0));
  };
  Run(experiment, index, translation.simulation.get(), hooks);
  return recorded;
}

std::vector<double> DistancesSoFar(const RecordedRun& base, const RecordedRun& other,
                                   bool every_time) {
  constexpr double inf = std::numeric_limits<double>::infinity();
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
      largest = std::isnan(distance) ? inf : std::max(largest, distance);
    } else if (every_time) {
      largest = inf;
    }
    distances.push_back(largest);
  }
  return distances;
}

Experiment PerturbedBy(double size, const Experiment& experiment) {
  Scene scene = *experiment.scene;
  int k = 0;
  for (Body& body : scene.bodies) {
    for (Eigen::Index i = 0; i < body.rest.cols(); ++i) {
      for (int axis = 0; axis < scene.dimension; ++axis) {
        body.rest(axis, i) += size * std::sin(1.0 + 2.0 * static_cast<double>(++k));
      }
    }
  }
  Experiment other = experiment;
  other.scene = std::make_shared<const Scene>(std::move(scene));
  other.probes.clear();  // of points of the scene as it is
  return other;
}

std::vector<ViewRun> ViewRunsOf(const Experiment& experiment, size_t index,
                                const std::stop_token& stop) {
  const Seer seer(index, stop);
  std::vector<ViewRun> runs;
  Views views = ViewsOf(*experiment.scene);
  for (View& view : views.views) {
    const std::string name = view.name;
    runs.push_back(
        {name, false, true,
         [seer, view = std::make_shared<const View>(std::move(view))](
             const Experiment& seen, const RecordedRun&) { return seer.OfView(*view, seen); }});
  }
  for (MissingView& missing : views.missing) {
    runs.push_back({missing.name, false, true,
                    [why = std::move(missing.why)](const Experiment&, const RecordedRun&) {
                      return Sighting{{}, why};
                    }});
  }
  runs.push_back(
      {"in other units", false, true,
       [seer](const Experiment& seen, const RecordedRun&) { return seer.InOtherUnits(seen); }});
  runs.push_back(
      {"shifted in time", false, true,
       [seer](const Experiment& seen, const RecordedRun& base) { return seer.Later(seen, base); }});
  runs.push_back({"cut in two by save and restore", true, true,
                  [seer](const Experiment& seen, const RecordedRun& base) {
                    return seer.CutInTwo(seen, base);
                  }});
  runs.push_back(
      {"half the records", true, false,
       [seer](const Experiment& seen, const RecordedRun&) { return seer.HalfTheRecords(seen); }});
  return runs;
}

}  // namespace pliant
