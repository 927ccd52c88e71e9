#include "app/workbench/session/phase_stepper.h"

#include <algorithm>
#include <utility>

#include "models/scene/number_text.h"

namespace pliant {

void PhaseStepper::Begin(std::vector<std::unique_ptr<StepWalker>> walkers) {
  End();
  walkers_ = std::move(walkers);
  steps_.assign(walkers_.size(), std::nullopt);
  shown_.assign(walkers_.size(), std::nullopt);
}

void PhaseStepper::End() {
  for (auto& walker : walkers_) retired_.Retire(std::move(walker));
  walkers_.clear();
  steps_.clear();
  shown_.clear();
  waiting_ = false;
  at_ = 0;
}

void PhaseStepper::Next() {
  if (waiting_) return;
  if (at_ + 1 < Longest()) {
    ++at_;
    Show();
    return;
  }
  waiting_ = true;
  for (size_t i = 0; i < walkers_.size(); ++i) {
    const bool can = walkers_[i] != nullptr && !(steps_[i] && !steps_[i]->failure.empty());
    if (can) {
      steps_[i].reset();
      walkers_[i]->RequestStep();
    }
  }
}

bool PhaseStepper::Collect() {
  retired_.DropFinished();
  if (!waiting_) return false;
  bool all = true;
  for (size_t i = 0; i < walkers_.size(); ++i) {
    if (walkers_[i] == nullptr) continue;
    if (!steps_[i]) steps_[i] = walkers_[i]->Collect();
    all = all && steps_[i];
  }
  if (!all) return false;
  waiting_ = false;
  at_ = 0;
  Show();
  return true;
}

size_t PhaseStepper::Longest() const {
  size_t longest = 0;
  for (const auto& step : steps_) {
    if (step) longest = std::max(longest, step->pictures.size());
  }
  return longest;
}

void PhaseStepper::Show() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i]) continue;
    const WalkedStep& step = *steps_[i];
    ShownPhase shown;
    if (step.pictures.empty()) {
      shown.words = step.failure;
      shown_[i] = std::move(shown);
      continue;
    }
    const size_t count = step.pictures.size(), at = std::min(at_, count - 1);
    const std::string place = std::to_string(at + 1) + " of " + std::to_string(count) +
                              " in the step from " + Digits(step.begin) + " s: ";
    shown.picture = step.pictures[at];
    shown.words = place + shown.picture.phase;
    if (at + 1 == count && !step.failure.empty()) shown.words += "; " + step.failure;
    if (shown.picture.points.cols() > 0) {
      PaneFrame frame;
      frame.time = at + 1 == count ? step.end : step.begin;
      frame.points = shown.picture.points.cast<float>();
      shown.frame = std::make_shared<const PaneFrame>(std::move(frame));
    }
    shown_[i] = std::move(shown);
  }
}

const ShownPhase* PhaseStepper::At(size_t pane) const {
  return pane < shown_.size() && shown_[pane] ? &*shown_[pane] : nullptr;
}

}  // namespace pliant
