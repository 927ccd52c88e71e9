#include "app/workbench/session/pane_worker.h"

#include <exception>
#include <memory>
#include <utility>

#include "app/workbench/jobs/thread_priority.h"
#include "app/workbench/session/dragged_simulation.h"
#include "experiments/bundles/bundle.h"
#include "experiments/runs/recorded_columns.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

PaneFrame FrameOf(const Frame& frame, const Simulation& simulation) {
  const Observation& seen = frame.observation;
  PaneFrame kept;
  kept.time = seen.time;
  kept.points = seen.points.cast<float>();
  if (seen.velocities) kept.velocities = seen.velocities->cast<float>();
  if (const auto forces = simulation.ConstraintForces()) {
    kept.constraint_forces = forces->cast<float>();
  }
  kept.row = frame.row;
  return kept;
}

std::vector<PanePieces> PiecesOf(const Simulation& simulation) {
  std::vector<PanePieces> kept;
  for (const MethodPieces& level : simulation.Pieces()) {
    PanePieces& pieces = kept.emplace_back();
    pieces.name = level.name;
    if (level.ends.cols() <= 2 * kMostPieces) pieces.ends = level.ends.cast<float>();
  }
  return kept;
}

// HDF5 is not thread-safe: bundles are read one after the other.
std::mutex bundle_reading;

}  // namespace

PaneWorker::PaneWorker(std::shared_ptr<const Experiment> experiment, size_t index,
                       std::optional<LiveDrag> drag)
    : thread_([this, experiment = std::move(experiment), index,
               drag = std::move(drag)](const std::stop_token& stop) {
        Work([&] { Simulate(experiment, index, drag, stop); });
      }) {}

PaneWorker::PaneWorker(std::filesystem::path bundle)
    : thread_([this, bundle = std::move(bundle)](const std::stop_token& stop) {
        Work([&] { Replay(bundle, stop); });
      }) {}

PaneWorker::~PaneWorker() = default;

void PaneWorker::AllowUntil(double time) {
  {
    const std::lock_guard lock(mutex_);
    if (time <= allowed_) return;
    allowed_ = time;
  }
  allowed_more_.notify_all();
}

PaneNews PaneWorker::Collect() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

bool PaneWorker::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

void PaneWorker::Work(const std::function<void()>& job) {
  LowerThreadPriority();
  try {
    job();
  } catch (const Cancelled& cancelled) {
    RunOutcome outcome;
    outcome.kind = OutcomeKind::kCancelled;
    outcome.reason = cancelled.what();
    Post(PaneEnd{outcome, ""});
  } catch (const std::bad_alloc&) {
    Post(PaneEnd{{}, "not enough memory for this; use fewer points, records or backends at once"});
  } catch (const std::exception& thrown) {
    Post(PaneEnd{{}, thrown.what()});
  } catch (...) {
    Post(PaneEnd{{}, "an unknown exception ended the run"});
  }
  const std::lock_guard lock(mutex_);
  finished_ = true;
}

void PaneWorker::Simulate(const std::shared_ptr<const Experiment>& shared, size_t index,
                          const std::optional<LiveDrag>& drag, const std::stop_token& stop) {
  const Experiment& experiment = *shared;
  const CancelScope cancel(stop);  // of this translation, and of those of a drag that grows
  Translation translation = TranslateFor(experiment, index);
  {
    std::vector<SeriesColumn> columns = ColumnsOf(experiment, index, translation);
    const std::lock_guard lock(mutex_);
    news_.start = PaneStart{nullptr, std::move(columns), translation.record.Entries(),
                            translation.warnings, translation.findings};
  }
  if (translation.simulation == nullptr) {
    RunOutcome refused;
    refused.kind = OutcomeKind::kUnsupported;
    refused.reason = translation.record.WhyUnsupported();
    Post(PaneEnd{refused, ""});
    return;
  }
  if (drag) {
    translation.simulation = std::make_unique<DraggedSimulation>(shared, index, std::vector{*drag},
                                                                 std::move(translation.simulation));
  }
  translation.simulation->KeepConstraintForces();
  RunHooks hooks;
  hooks.stop = stop;
  hooks.on_frame = [&](const Frame& frame) {
    PaneFrame kept = FrameOf(frame, *translation.simulation);
    kept.pieces = PiecesOf(*translation.simulation);
    Post(std::move(kept));
    checkpoints_->Offer(frame.observation.time, frame.state);
    WaitAt(frame.observation.time,
           stop);  // the clock that times the steps is stopped meanwhile
  };
  Post(PaneEnd{Run(experiment, index, translation.simulation.get(), hooks), ""});
}

void PaneWorker::Replay(const std::filesystem::path& path, const std::stop_token& stop) {
  const std::lock_guard one_at_a_time(bundle_reading);
  const Bundle bundle = Bundle::Open(path);
  {
    const std::lock_guard lock(mutex_);
    news_.start =
        PaneStart{std::make_shared<const Experiment>(bundle.experiment()), bundle.columns(),
                  bundle.translation(), bundle.warnings(), bundle.findings()};
  }
  for (size_t i = 0; i < bundle.frame_count() && !stop.stop_requested(); ++i) {
    PaneFrame frame;
    frame.time = bundle.Time(i);
    frame.points = bundle.Points(i).cast<float>();
    if (const auto velocities = bundle.Velocities(i)) frame.velocities = velocities->cast<float>();
    frame.row = bundle.rows()[i];
    Post(std::move(frame));
  }
  Post(PaneEnd{bundle.outcome(), ""});
}

void PaneWorker::WaitAt(double time, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  allowed_more_.wait(lock, stop, [&] { return time < allowed_; });
}

void PaneWorker::Post(PaneFrame frame) {
  auto shared = std::make_shared<const PaneFrame>(std::move(frame));
  const std::lock_guard lock(mutex_);
  news_.frames.push_back(std::move(shared));
}

void PaneWorker::Post(PaneEnd end) {
  const std::lock_guard lock(mutex_);
  news_.end = std::move(end);
}

}  // namespace pliant
