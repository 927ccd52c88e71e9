#include "app/workbench/session/session.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "models/problem.h"

namespace pliant {
namespace {

constexpr double kLookAhead = 0.5;       // wall seconds that workers may be ahead of the clock
constexpr double kShortestPiece = 0.02;  // wall seconds, of a value of a trail
constexpr double kLongestTick = 0.1;     // wall seconds; after a longer one the clock does not jump
constexpr double kSmoothing = 0.7;       // s, of the real-time factor

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {}

Session::~Session() {
  for (Pane& pane : panes_) {  // stops all first, so that their last steps run at the same time
    if (pane.worker != nullptr) pane.worker->Stop();
  }
}

void Session::Open(std::shared_ptr<const Experiment> experiment) {
  Clear();
  experiment_ = std::move(experiment);
  Begin();
  says_why_no_yardstick_ = true;
  LookForYardstick();
  emit Opened();
  const size_t given = experiment_->backends.size();
  if (given > panes_.size()) {
    emit Logged(
        QString("the panes show the first %1 of %2 backends").arg(panes_.size()).arg(given));
  }
}

void Session::Begin() {
  std::vector<Pane> panes(std::min(experiment_->backends.size(), kMostPanes));
  for (size_t i = 0; i < panes.size(); ++i) {
    const BackendChoice& choice = experiment_->backends[i];
    Pane& pane = panes[i];
    pane.label = choice.label;
    pane.backend = choice.backend;
    pane.scene = SceneOf(*experiment_, i);
    pane.varies = !choice.variant.empty();
    pane.worker = std::make_unique<PaneWorker>(experiment_, i,
                                               drag_ ? std::optional(drag_->drag()) : std::nullopt);
    pane.worker->AllowUntil(goal_);
    pane.checkpoints = pane.worker->checkpoints();
  }
  StylePanes(&panes);
  panes_ = std::move(panes);
}

void Session::OpenBundles(const std::vector<std::filesystem::path>& bundles) {
  Clear();
  for (const std::filesystem::path& bundle : bundles) {
    if (panes_.size() == kMostPanes) {
      emit Logged(
          QString("the panes show the first %1 of %2 bundles").arg(kMostPanes).arg(bundles.size()));
      break;
    }
    Pane& pane = panes_.emplace_back();
    pane.label = (bundle.has_filename() ? bundle : bundle.parent_path()).filename().string();
    pane.bundle = bundle;
    pane.worker = std::make_unique<PaneWorker>(bundle);
  }
  StylePanes(&panes_);
  says_why_no_yardstick_ = true;
  emit Opened();
}

void Session::Change(std::shared_ptr<const Experiment> experiment) {
  drag_.reset();
  Rerun(std::move(experiment));
}

void Session::Rerun(std::shared_ptr<const Experiment> experiment) {
  EndPhases();
  std::vector<Pane> before = std::move(panes_);
  for (Pane& pane : before) retired_.Retire(std::move(pane.worker));
  experiment_ = std::move(experiment);
  goal_ = time_ = std::min(time_, experiment_->plan.duration);
  Begin();
  says_why_no_yardstick_ = false;
  LookForYardstick();
  bool same_panes = before.size() == panes_.size();
  for (size_t i = 0; i < panes_.size() && same_panes; ++i) {
    same_panes = before[i].label == panes_[i].label;
  }
  if (!same_panes) {
    emit Opened();
    return;
  }
  for (size_t i = 0; i < panes_.size(); ++i) {
    if (before[i].scene->PointCount() == panes_[i].scene->PointCount()) {
      Recording& seen = before[i].before.empty() ? before[i].recording : before[i].before;
      panes_[i].recording = std::move(seen);
      panes_[i].stale = true;
    }
    emit PaneChanged(static_cast<int>(i));
  }
}

void Session::Adopt(std::shared_ptr<const Experiment> experiment) {
  EndPhases();
  experiment_ = std::move(experiment);
  for (size_t i = 0; i < panes_.size(); ++i) {
    panes_[i].scene = SceneOf(*experiment_, i);
    panes_[i].varies = !experiment_->backends[i].variant.empty();
  }
}

void Session::BeginDrag(std::shared_ptr<const Experiment> experiment, LiveDrag drag, size_t pane) {
  const std::shared_ptr<const Scene> shown = experiment_->scene;
  drag_.emplace(std::move(drag), pane, BehindRecords());
  Rerun(std::move(experiment));
  // The scene of `experiment` holds only the start of the drag.
  for (Pane& each : panes_) each.scene = shown;
}

void Session::CancelPreparation() {
  for (Pane& pane : panes_) {
    if (pane.worker != nullptr && pane.state == PaneState::kPreparing) pane.worker->Stop();
  }
}

void Session::DragTo(const Eigen::Vector3d& target) {
  if (drag_) drag_->SetTarget(target);
}

double Session::BehindRecords() const {
  double step = INFINITY;
  for (const BackendChoice& choice : experiment_->backends) step = std::min(step, choice.step);
  return 0.25 * step;
}

// Restarted runs may go to the recorded time at or after the present time at once.
double Session::DragBegin() const {
  const double every = RecordEvery();
  return (std::ceil(time_ / every - 1e-6) + 2.0) * every + BehindRecords();
}

double Session::DragInterval() const {
  const double every = RecordEvery();
  return every * std::max(1.0, std::ceil(speed_ * kShortestPiece / every - 1e-6));
}

void Session::ExtendTrail() {
  if (drag_) drag_->Extend(panes_[drag_->pane()], time_, EndTime(), DragInterval());
}

void Session::Close() {
  Clear();
  emit Opened();
}

void Session::Clear() {
  drag_.reset();
  EndPhases();
  for (Pane& pane : panes_) retired_.Retire(std::move(pane.worker));
  panes_.clear();
  experiment_.reset();
  LookForYardstick();
  SetPlaying(false);
  time_ = goal_ = 0.0;
}

void Session::Play() {
  if (panes_.empty()) return;
  EndPhases();
  if (AtEnd()) MoveTo(0.0);
  SetPlaying(true);
}

void Session::PlayBack() {
  if (panes_.empty()) return;
  EndPhases();
  if (time_ <= 0.0) MoveTo(std::max(RecordedEnd(), 0.0));
  if (time_ > 0.0) SetPlaying(true, true);
}

void Session::Pause() {
  goal_ = time_;
  SetPlaying(false);
}

void Session::StepForward() {
  if (panes_.empty()) return;
  EndPhases();
  SetPlaying(false);
  const double every = RecordEvery();
  goal_ = std::min((std::floor(time_ / every + 1e-6) + 1.0) * every, EndTime());
  Tick(0.0);
}

void Session::StepBack() {
  if (panes_.empty()) return;
  SetPlaying(false);
  const double every = RecordEvery();
  MoveTo(std::max((std::ceil(time_ / every - 1e-6) - 1.0) * every, 0.0));
}

void Session::StepPhase() {
  if (panes_.empty()) return;
  if (experiment_ == nullptr) {
    emit Logged(
        "A bundle does not record the phases of steps. Open its experiment.toml to see them.");
    return;
  }
  Pause();
  if (CatchingUp()) return;
  if (!phases_.active()) {
    std::vector<std::unique_ptr<StepWalker>> walkers(panes_.size());
    for (size_t i = 0; i < panes_.size(); ++i) {
      const auto frame = panes_[i].recording.At(time_);
      if (frame == nullptr || panes_[i].state == PaneState::kFrozen) continue;
      walkers[i] = std::make_unique<StepWalker>(experiment_, i, frame->time, panes_[i].checkpoints);
    }
    phases_.Begin(std::move(walkers));
  }
  phases_.Next();
  emit TimeChanged();
}

void Session::EndPhases() {
  if (!phases_.active()) return;
  phases_.End();
  emit TimeChanged();
}

std::shared_ptr<const PaneFrame> Session::Shown(size_t pane) const {
  const ShownPhase* phase = phases_.At(pane);
  if (phase != nullptr && phase->frame != nullptr) return phase->frame;
  const Pane& shown = panes_[pane];
  const bool behind = IsRunning(shown) && shown.recording.EndTime() < time_ - RoundingAt(time_);
  return behind && !shown.before.empty() ? shown.before.At(time_) : shown.recording.At(time_);
}

void Session::Scrub(double time) {
  SetPlaying(false);
  MoveTo(std::clamp(time, 0.0, std::max(RecordedEnd(), 0.0)));
}

void Session::Restart() { MoveTo(0.0); }

void Session::SetSpeed(double speed) {
  if (speed > 0.0) speed_ = speed;
}

void Session::Tick(double elapsed) {
  CollectNews();
  if (phases_.Collect()) emit TimeChanged();
  const double bound = std::min(RecordedEnd(), EndTime());
  const double step = speed_ * std::min(elapsed, kLongestTick);
  if (backwards()) {
    const double before = time_;
    MoveTo(std::max(time_ - step, 0.0));
    Measure(before - time_, elapsed);
    if (time_ <= 0.0) SetPlaying(false);
  } else if (playing_) {
    const double before = time_;
    const double wanted = time_ + step;
    if (bound > time_) MoveTo(std::min(wanted, bound));
    Measure(time_ - before, elapsed);
    if (AtEnd()) SetPlaying(false);
  } else if (goal_ > time_ && bound > time_) {
    const double goal = goal_;
    MoveTo(std::min(goal, bound));
    goal_ = goal;
  }
  ExtendTrail();
  AllowWorkers();
}

double Session::EndTime() const {
  if (experiment_ != nullptr) return experiment_->plan.duration;
  double end = 0.0;
  for (const Pane& pane : panes_) end = std::max(end, pane.recording.EndTime());
  return end;
}

double Session::RecordedEnd() const {
  double live = INFINITY, ended = 0.0;
  for (const Pane& pane : panes_) {
    const double end = pane.stale ? 0.0 : pane.recording.EndTime();
    if (IsRunning(pane)) {
      live = std::min(live, end);
    } else {
      ended = std::max(ended, end);
    }
  }
  return std::isfinite(live) ? live : ended;
}

bool Session::CatchingUp() const {
  return std::any_of(panes_.begin(), panes_.end(), [this](const Pane& pane) {
    const bool behind = pane.stale || pane.recording.EndTime() < time_ - RoundingAt(time_);
    return IsRunning(pane) && experiment_ != nullptr && behind;
  });
}

bool Session::AtEnd() const {
  if (panes_.empty()) return true;
  const bool live = std::any_of(panes_.begin(), panes_.end(), IsRunning);
  const double end = live ? EndTime() : RecordedEnd();
  return time_ >= end - RoundingAt(end) && !(live && experiment_ == nullptr);
}

int Session::ReferencePane() const {
  for (size_t i = 0; i < panes_.size(); ++i) {
    const Experiment* experiment =
        experiment_ ? experiment_.get() : panes_[i].start.experiment.get();
    if (experiment != nullptr && !experiment->reference.empty() &&
        experiment->reference == panes_[i].label) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

double Session::RecordEvery() const {
  if (experiment_ != nullptr) return experiment_->plan.record_every;
  for (const Pane& pane : panes_) {
    if (pane.start.experiment != nullptr) return pane.start.experiment->plan.record_every;
  }
  return 1.0;
}

void Session::AllowWorkers() {
  double until = playing_ && !backwards_ ? std::max(goal_, time_) + speed_ * kLookAhead : goal_;
  if (until >= EndTime() - RoundingAt(EndTime())) until = INFINITY;  // to learn how the run ended
  if (drag_ && drag_->KnownEnd() < EndTime()) {
    until = std::min(until, drag_->KnownEnd() - 0.5 * RecordEvery());  // stops at the next record
  }
  for (const Pane& pane : panes_) {
    if (pane.worker != nullptr) pane.worker->AllowUntil(until);
  }
}

void Session::MoveTo(double time) {
  EndPhases();
  goal_ = time;
  if (time == time_) return;
  time_ = time;
  emit TimeChanged();
}

void Session::SetPlaying(bool playing, bool backwards) {
  if (!playing) goal_ = time_;
  if (playing == playing_ && backwards == backwards_) return;
  playing_ = playing;
  backwards_ = backwards;
  real_time_factor_ = 0.0;
  emit PlayingChanged(playing);
}

void Session::Measure(double simulated, double elapsed) {
  if (!(elapsed > 0.0)) return;
  const double share = std::min(1.0, elapsed / kSmoothing);
  real_time_factor_ += share * (simulated / elapsed - real_time_factor_);
}

}  // namespace pliant
