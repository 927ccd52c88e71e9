// What a session takes from its workers: starts, frames, ends, and the yardstick.

#include <algorithm>
#include <utility>

#include "app/workbench/session/session.h"

namespace pliant {

void Session::CollectNews() {
  retired_.DropFinished();
  bool recorded = false;
  for (size_t i = 0; i < panes_.size(); ++i) {
    if (panes_[i].worker == nullptr) continue;
    PaneNews news = panes_[i].worker->Collect();
    if (news.start) TakeStart(i, std::move(*news.start));
    for (auto& frame : news.frames) panes_[i].recording.Add(std::move(frame));
    if (panes_[i].recording.EndTime() >= time_ - RoundingAt(time_)) panes_[i].before.Clear();
    recorded = recorded || !news.frames.empty();
    if (news.end) TakeEnd(i, *news.end);
  }
  if (recorded) emit Recorded();
  const YardstickPane::News yardstick = yardstick_.Collect();
  if (!yardstick.problem.empty() && says_why_no_yardstick_) {
    emit Logged(QString::fromStdString(yardstick.problem));
  }
  if (yardstick.complete) emit YardstickChanged();
}

void Session::TakeStart(size_t index, PaneStart start) {
  Pane& pane = panes_[index];
  pane.start = std::move(start);
  pane.state = PaneState::kRunning;
  if (std::exchange(pane.stale, false)) pane.before = std::exchange(pane.recording, {});
  if (const Experiment* bundle = pane.start.experiment.get()) {
    pane.scene = bundle->scene;
    pane.backend = bundle->backends.front().backend;
    pane.varies = !bundle->backends.front().variant.empty();
    StylePanes(&panes_);
    const auto started = std::count_if(panes_.begin(), panes_.end(), [](const Pane& of) {
      return of.start.experiment != nullptr;
    });
    if (started == 1) LookForYardstick();  // the first of the bundles says which
  }
  for (const std::string& warning : pane.start.warnings) {
    emit Logged(QString::fromStdString(pane.label + ": warning: " + warning));
  }
  emit PaneChanged(static_cast<int>(index));
}

void Session::TakeEnd(size_t index, const PaneEnd& end) {
  Pane& pane = panes_[index];
  const OutcomeKind kind = end.outcome.kind;
  pane.diverged = end.failure.empty() && kind == OutcomeKind::kDiverged;
  const bool frozen = !end.failure.empty() || pane.diverged || kind == OutcomeKind::kUnsupported ||
                      kind == OutcomeKind::kCancelled;
  if (std::exchange(pane.stale, false)) pane.recording.Clear();
  pane.state = frozen ? PaneState::kFrozen : PaneState::kEnded;
  pane.reason = end.failure.empty() ? TextOf(end.outcome) : "failed: " + end.failure;
  pane.before.Clear();
  retired_.Retire(std::move(pane.worker));
  for (const SimulationEvent& event : end.outcome.events) {
    emit Logged(QString("%1: at %2 s: %3")
                    .arg(QString::fromStdString(pane.label))
                    .arg(event.time)
                    .arg(QString::fromStdString(event.what)));
  }
  emit Logged(QString::fromStdString(pane.label + ": " + pane.reason));
  if (const std::string sunk = SunkInWords(end.outcome); !sunk.empty())
    emit Logged(QString::fromStdString(pane.label + ": warning: " + sunk));
  emit PaneChanged(static_cast<int>(index));
}

// Of an edited scene there is no yardstick in general, which an edit need not say.
void Session::LookForYardstick() {
  const bool had = yardstick_.pane() != nullptr;
  if (experiment_ != nullptr) {
    yardstick_.LookFor(experiment_, runs_);
  } else {
    const auto known = std::find_if(panes_.begin(), panes_.end(), [](const Pane& pane) {
      return pane.start.experiment != nullptr;
    });
    if (known == panes_.end()) {
      yardstick_.Leave();
    } else {
      const std::filesystem::path bundle = std::filesystem::absolute(known->bundle);
      yardstick_.LookFor(known->start.experiment, bundle.parent_path());
    }
  }
  if (had) emit YardstickChanged();
}

}  // namespace pliant
