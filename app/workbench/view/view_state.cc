#include "app/workbench/view/view_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/workbench/session/session.h"
#include "experiments/comparison/correspondence.h"

namespace pliant {
namespace {

constexpr size_t kMeasuredAtOnce = 64;  // frames of a pane: the window must keep responding
constexpr size_t kFittedFrames = 24;    // of a pane
constexpr double kArrowRoom = 1.45;     // for arrows that point outwards
constexpr double kFollowed =
    8.0;  // times the initial extent: the camera does not follow an explosion

}  // namespace

std::vector<QRectF> PaneRects(int count, const QRectF& area) {
  int columns = 1;
  double best = 0.0;
  for (int tried = 1; tried <= count; ++tried) {
    const int rows = (count + tried - 1) / tried;
    const double side = std::min(area.width() / tried, area.height() / rows);
    if (side > best * 1.001) {
      best = side;
      columns = tried;
    }
  }
  const int rows = (count + columns - 1) / columns;
  std::vector<QRectF> rects;
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    const int in_row = row + 1 == rows ? count - row * columns : columns;
    const double width = area.width() / in_row, height = area.height() / rows;
    rects.emplace_back(area.left() + (i % columns) * width, area.top() + row * height, width,
                       height);
  }
  return rects;
}

ViewState::ViewState(Session* session, QObject* parent) : QObject(parent), session_(session) {
  connect(session, &Session::Opened, this, &ViewState::Reset);
  connect(session, &Session::Recorded, this, &ViewState::Measure);
  connect(session, &Session::Recorded, this, &ViewState::Follow);
  connect(session, &Session::YardstickChanged, this, [this] {
    measured_.clear();
    Measure();
  });
  connect(session, &Session::PaneChanged, this, [this](int pane) {
    const bool first_bundle = session_->experiment() == nullptr && pane == 0;
    if (first_bundle && session_->panes()[0].recording.empty()) Reset();
    ScaleColours();  // a run that has diverged sets the scale no longer, with or without new frames
    PointArrows();
    emit Changed();
  });
  connect(session, &Session::TimeChanged, this, [this] {
    PointArrows();
    emit Changed();
  });
}

void ViewState::SetSettings(const ViewSettings& settings) {
  const bool other =
      settings.quantity != settings_.quantity || settings.reference != settings_.reference;
  const bool other_arrows = settings.arrows != settings_.arrows;
  const bool had_arrows = settings_.arrows != ArrowKind::kNone;
  const double scale = settings_.full_scale;
  settings_ = settings;
  settings_.full_scale = scale;
  if (other) {
    measured_.clear();
    Measure();
  }
  if (other_arrows) longest_arrow_ = 0.0;
  PointArrows();
  if (follows_ && had_arrows != (settings_.arrows != ArrowKind::kNone)) Fit();
  emit Changed();
}

void ViewState::Reset() {
  settings_.reference = -1;
  picked_.reset();
  pull_.reset();
  measured_.clear();
  largest_.clear();
  arrows_.clear();
  longest_arrow_ = 0.0;
  const std::vector<Pane>& panes = session_->panes();
  if (!panes.empty() && panes.front().scene != nullptr) {
    camera_.Reset(*panes.front().scene, Room());
  }
  follows_ = true;
  opened_extent_ = camera_.pose().extent.maxCoeff();
  emit Changed();
  emit PickedChanged();
}

void ViewState::Fit() {
  const std::vector<Pane>& panes = session_->panes();
  if (panes.empty() || panes.front().scene == nullptr) return;
  std::vector<ShownRun> runs;
  for (const Pane& pane : panes) {
    ShownRun& run = runs.emplace_back();
    run.diverged = pane.diverged;
    const size_t count = pane.recording.size();
    const size_t stride = std::max<size_t>(1, count / kFittedFrames);
    for (size_t i = 0; i < count; i += stride) {
      run.times.push_back(pane.recording[i].time);
      run.points.push_back(pane.recording[i].points.cast<double>());
    }
    if (count > 1) {  // the last frame is the one outside the view
      run.times.push_back(pane.recording[count - 1].time);
      run.points.push_back(pane.recording[count - 1].points.cast<double>());
    }
  }
  camera_.Fit(*panes.front().scene, runs, Room());
  follows_ = true;
  emit Changed();
}

double ViewState::Room() const { return settings_.arrows != ArrowKind::kNone ? kArrowRoom : 1.0; }

// O(points) for each pane.
void ViewState::Follow() {
  if (!follows_ || pull_ || camera_.pose().extent.maxCoeff() > kFollowed * opened_extent_) return;
  for (const Pane& pane : session_->panes()) {
    if (pane.recording.empty() || pane.stale || pane.diverged) continue;
    if (camera_.Holds(pane.recording[pane.recording.size() - 1].points)) continue;
    Fit();
    return;
  }
}

void ViewState::Pick(std::optional<int> point) {
  if (point == picked_) return;
  picked_ = point;
  emit PickedChanged();
  emit Changed();
}

void ViewState::SetPull(std::optional<Pull> pull) {
  if (pull && !pull_) {
    drags_ = tool_ == HandTool::kDrag || (tool_ == HandTool::kNail && session_->playing());
  }
  pull_ = pull;
  if (drags()) emit Dragged(*pull);
  emit Changed();
}

void ViewState::FinishPull() {
  const bool dragged = drags();
  const std::optional<Pull> pull = std::exchange(pull_, std::nullopt);
  emit Changed();
  if (dragged) emit DragEnded();
  if (!pull || dragged) return;
  const auto frame = session_->Shown(static_cast<size_t>(pull->pane));
  if (frame == nullptr || pull->point >= frame->points.cols()) return;
  HandGesture gesture;
  gesture.tool = tool_;
  gesture.strength = strength_;
  gesture.point = pull->point;
  gesture.at = frame->points.col(pull->point).cast<double>();
  gesture.by = pull->to - gesture.at;
  gesture.time = session_->time();
  if (gesture.by.norm() > 0.0) emit Pulled(gesture);
}

void ViewState::SetHand(HandTool tool, double strength) {
  tool_ = tool;
  if (strength > 0.0) strength_ = strength;
}

int ViewState::ReferencePane() const {
  const auto panes = static_cast<int>(session_->panes().size());
  const bool has_yardstick = session_->yardstick().pane() != nullptr;
  if (settings_.reference == kYardstickPane && has_yardstick) return kYardstickPane;
  if (settings_.reference >= 0 && settings_.reference < panes) return settings_.reference;
  const int own = session_->ReferencePane();
  return own < 0 && has_yardstick ? kYardstickPane : own;
}

const Pane* ViewState::Reference() const {
  const int pane = ReferencePane();
  if (pane == kYardstickPane) return session_->yardstick().pane();
  return pane < 0 ? nullptr : &session_->panes()[static_cast<size_t>(pane)];
}

std::optional<Eigen::VectorXf> ViewState::Values(int index) const {
  const std::vector<Pane>& panes = session_->panes();
  const Pane& pane = panes[static_cast<size_t>(index)];
  const auto frame = session_->Shown(static_cast<size_t>(index));
  if (frame == nullptr || settings_.quantity == Quantity::kNone) return std::nullopt;
  const int reference = ReferencePane();
  if (settings_.quantity == Quantity::kReferenceDistance && !CorrespondsToReference(index))
    return std::nullopt;
  const Pane* yardstick = session_->yardstick().pane();
  const auto other = reference >= 0                ? session_->Shown(static_cast<size_t>(reference))
                     : reference == kYardstickPane ? yardstick->recording.At(session_->time())
                                                   : nullptr;
  return ValuesOf(settings_.quantity, *pane.scene, *frame, other.get());
}

bool ViewState::HasValues(int index) const {
  const auto frame = session_->Shown(static_cast<size_t>(index));
  if (frame == nullptr || settings_.quantity == Quantity::kNone) return false;
  if (settings_.quantity == Quantity::kSpeed) return frame->velocities.cols() > 0;
  return settings_.quantity != Quantity::kReferenceDistance || CorrespondsToReference(index);
}

bool ViewState::CorrespondsToReference(int index) const {
  const Pane& pane = session_->panes()[static_cast<size_t>(index)];
  const Pane* reference = Reference();
  if (reference == nullptr) return false;
  if (!pane.varies && !reference->varies) return true;
  return pane.scene != nullptr && reference->scene != nullptr &&
         WhyNotCorresponding(*pane.scene, *reference->scene).empty();
}

void ViewState::PointArrows() {
  const std::vector<Pane>& panes = session_->panes();
  arrows_.assign(panes.size(), std::nullopt);
  if (settings_.arrows == ArrowKind::kNone) return;
  for (size_t i = 0; i < panes.size(); ++i) {
    const auto at = panes[i].recording.IndexAt(session_->time());
    if (!at || panes[i].scene == nullptr || session_->Phase(i) != nullptr) continue;
    arrows_[i] = ArrowsOf(settings_.arrows, *panes[i].scene, panes[i].recording, *at);
    if (arrows_[i]) longest_arrow_ = std::max(longest_arrow_, arrows_[i]->Longest());
  }
}

const std::optional<ArrowField>& ViewState::Arrows(int pane) const {
  static const std::optional<ArrowField> kNone;
  const auto i = static_cast<size_t>(pane);
  return i < arrows_.size() ? arrows_[i] : kNone;
}

void ViewState::Measure() {
  const std::vector<Pane>& panes = session_->panes();
  if (measured_.size() != panes.size()) {
    measured_.assign(panes.size(), 0);
    largest_.assign(panes.size(), 0.0F);
  }
  const Pane* reference = Reference();
  for (size_t i = 0; i < panes.size() && settings_.quantity != Quantity::kNone; ++i) {
    const Recording& recording = panes[i].recording;
    if (measured_[i] > recording.size()) measured_[i] = 0;  // it was restarted
    const size_t stride = std::max<size_t>(1, (recording.size() - measured_[i]) / kMeasuredAtOnce);
    for (; measured_[i] < recording.size(); measured_[i] += stride) {
      const PaneFrame& frame = recording[measured_[i]];
      const auto other = reference == nullptr ? nullptr : reference->recording.At(frame.time);
      if (settings_.quantity == Quantity::kReferenceDistance &&
          !CorrespondsToReference(static_cast<int>(i)))
        break;
      const auto values = ValuesOf(settings_.quantity, *panes[i].scene, frame, other.get());
      if (values && values->allFinite()) largest_[i] = std::max(largest_[i], values->maxCoeff());
    }
    measured_[i] = recording.size();
  }
  ScaleColours();
  emit Changed();
}

void ViewState::ScaleColours() {
  const std::vector<Pane>& panes = session_->panes();
  float healthy = 0.0F, any = 0.0F;
  for (size_t i = 0; i < std::min(panes.size(), largest_.size()); ++i) {
    any = std::max(any, largest_[i]);
    if (!panes[i].diverged) healthy = std::max(healthy, largest_[i]);
  }
  const float full = healthy > 0.0F ? healthy : any;
  settings_.full_scale = full > 0.0F ? full : 1.0;
}

}  // namespace pliant
