#include "app/workbench/view/drag_controller.h"

#include <cmath>
#include <exception>
#include <utility>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

// A planar scene lives in z = 0, and its files have no z.
Eigen::Vector3d DragTarget(const Pull& pull, const Scene& scene) {
  return {pull.to.x(), pull.to.y(), scene.dimension == 2 ? 0.0 : pull.to.z()};
}

}  // namespace

DragController::DragController(ViewState* view, OpenExperiment* open, QObject* parent)
    : QObject(parent), view_(view), open_(open) {
  connect(view, &ViewState::Dragged, this, &DragController::Drag);
  connect(view, &ViewState::DragEnded, this, &DragController::Finish);
}

void DragController::Drag(const Pull& pull) {
  Session& session = view_->session();
  if (session.experiment() == nullptr) {
    if (!std::exchange(refused_, true)) {
      emit Logged("This run is finished; open its experiment to drag points.");
    }
    return;
  }
  if (drag_ && session.dragging()) {
    session.DragTo(DragTarget(pull, *session.experiment()->scene));
  } else if (!drag_ && !refused_) {
    Begin(pull);
    refused_ = !drag_;
  }
}

void DragController::Begin(const Pull& pull) {
  Session& session = view_->session();
  const Experiment& experiment = *open_->experiment();
  const RunPlan& plan = experiment.plan;
  LiveDrag drag{view_->tool(), view_->strength(), pull.point, nullptr};
  double begin = session.DragBegin();
  if (drag.tool == HandTool::kNail) {  // during the preroll it moves the point there
    begin += plan.record_every * std::ceil(drag.strength / plan.record_every);
  }
  if (begin >= plan.duration) {
    emit Logged("The run has ended: go back in time, or increase its duration, to drag points.");
    return;
  }
  const Eigen::Vector3d place = DragTarget(pull, *experiment.scene);
  const bool nail = drag.tool == HandTool::kNail;
  drag.trail = std::make_shared<Trail>(begin);
  drag.trail->Append(begin + session.DragInterval(), nail ? place : Eigen::Vector3d(0, 0, 0));
  try {
    session.BeginDrag(WithDrag(experiment, drag), drag, static_cast<size_t>(pull.pane));
    session.DragTo(place);
  } catch (const std::exception& refusal) {
    emit Logged(QString::fromUtf8(refusal.what()));
    return;
  }
  drag_ = std::move(drag);
  played_ = session.playing();
  session.Play();
}

void DragController::Finish() {
  refused_ = false;
  const std::optional<LiveDrag> drag = std::exchange(drag_, std::nullopt);
  Session& session = view_->session();
  if (!drag || !session.dragging()) return;  // another file was opened meanwhile
  session.EndDrag();
  if (!played_) session.Pause();
  finishing_ = true;
  const bool kept = open_->Add(*drag);
  finishing_ = false;
  if (!kept) {
    session.Change(open_->experiment());
    return;
  }
  emit Logged(QString("added to the experiment: %1").arg(QString::fromStdString(Describe(*drag))));
}

}  // namespace pliant
