#include "app/workbench/session/yardstick_pane.h"

#include <algorithm>
#include <utility>

#include "app/plots/comparison_plots.h"

namespace pliant {

YardstickPane::~YardstickPane() {
  if (pane_.worker != nullptr) pane_.worker->Stop();
}

void YardstickPane::LookFor(const std::shared_ptr<const Experiment>& experiment,
                            const std::filesystem::path& near) {
  Leave();
  if (experiment->reference != kYardstick) return;
  const auto& backends = experiment->backends;
  if (std::any_of(backends.begin(), backends.end(),
                  [](const BackendChoice& choice) { return choice.label == kYardstick; })) {
    return;
  }
  looking_.Begin(LookForYardstick(experiment, near));
}

void YardstickPane::Leave() {
  looking_.Leave();
  retired_.Retire(std::move(pane_.worker));
  pane_ = {};
  found_.reset();
  complete_ = false;
}

YardstickPane::News YardstickPane::Collect() {
  retired_.DropFinished();
  News news;
  if (const auto looked = looking_.Collect()) {
    if (looked->end) news.problem = *looked->end;
    if (looked->found != nullptr) {
      found_ = looked->found;
      pane_.label = kYardstick;
      pane_.bundle = found_->bundle;
      pane_.style = {kYardstickColour, Dash::kSolid, Marker::kNone, 1.0};
      pane_.worker = std::make_unique<PaneWorker>(found_->bundle);
    }
  }
  if (pane_.worker == nullptr) return news;
  PaneNews read = pane_.worker->Collect();
  if (read.start) {
    pane_.start = std::move(*read.start);
    pane_.scene = pane_.start.experiment->scene;
    pane_.backend = pane_.start.experiment->backends.front().backend;
  }
  for (auto& frame : read.frames) pane_.recording.Add(std::move(frame));
  if (!read.end) return news;
  retired_.Retire(std::move(pane_.worker));
  pane_.state = PaneState::kEnded;
  news.problem = read.end->failure;
  complete_ = news.complete = read.end->failure.empty() && !pane_.recording.empty();
  return news;
}

}  // namespace pliant
