#include "app/workbench/view/overlay_text.h"

#include <QStringList>

#include "app/workbench/session/session.h"
#include "app/workbench/view/overlay_parts.h"
#include "app/workbench/view/view_state.h"
#include "models/scene/point_ref.h"

namespace pliant {
namespace {

const char* WhyNoArrows(const ViewState& view, int index) {
  const Pane& pane = view.session().panes()[static_cast<size_t>(index)];
  if (view.settings().arrows != ArrowKind::kConstraintForces) return "not defined";
  if (pane.checkpoints == nullptr) return "not recorded in a bundle";
  const PaneFrame& last = pane.recording[pane.recording.size() - 1];
  return last.constraint_forces.cols() > 0 ? "defined after the first step" : "not defined";
}

}  // namespace

QString WordsOfQuantity(const ViewState& view) {
  const Pane* reference = view.Reference();
  if (view.settings().quantity == Quantity::kReferenceDistance && reference != nullptr) {
    return "distance to " + QString::fromStdString(reference->label);
  }
  return InfoOf(view.settings().quantity).words;
}

QString StatusOf(const Pane& pane, double time) {
  switch (pane.state) {
    case PaneState::kPreparing:
      return "preparing";
    case PaneState::kRunning:
      return pane.stale ? "restarted" : "";
    case PaneState::kEnded: {
      const bool at_end = time >= pane.recording.EndTime() * (1.0 - kTimeRounding);
      return at_end ? QString::fromStdString(pane.reason) : "";
    }
    case PaneState::kFrozen:
      return "frozen: " + QString::fromStdString(pane.reason);
  }
  return "";
}

QString UndefinedText(const ViewState& view, int pane) {
  const ViewSettings& settings = view.settings();
  QStringList missing;
  if (settings.quantity != Quantity::kNone && !view.HasValues(pane)) {
    const bool others =
        settings.quantity == Quantity::kReferenceDistance && view.Reference() != nullptr;
    missing << QString("%1: %2").arg(WordsOfQuantity(view),
                                     others ? "none, its points are others" : "not defined");
  }
  const bool phase = view.session().Phase(static_cast<size_t>(pane)) != nullptr;
  const bool several = view.session().panes()[static_cast<size_t>(pane)].recording.size() > 1;
  if (settings.arrows != ArrowKind::kNone && !phase && several && !view.Arrows(pane)) {
    missing << QString("%1: %2").arg(InfoOf(settings.arrows).words, WhyNoArrows(view, pane));
  }
  return missing.join(", ");
}

QString PickedText(const ViewState& view, int index) {
  const Session& session = view.session();
  const Pane& pane = session.panes()[static_cast<size_t>(index)];
  const auto frame = session.Shown(static_cast<size_t>(index));
  if (!view.picked() || frame == nullptr || *view.picked() >= frame->points.cols()) return "";
  const int point = *view.picked();
  const PointRef ref = RefOf(*pane.scene, point);
  const Eigen::Vector3f x = frame->points.col(point);
  QString text =
      QString("%1[%2]  at (%3, %4, %5) m")
          .arg(QString::fromStdString(pane.scene->bodies[static_cast<size_t>(ref.body)].name))
          .arg(ref.point)
          .arg(Number(x.x()), Number(x.y()), Number(x.z()));
  if (frame->velocities.cols() > 0) {
    text += "  " + Number(frame->velocities.col(point).norm()) + " m/s";
  }
  const Quantity quantity = view.settings().quantity;
  if (quantity != Quantity::kNone && quantity != Quantity::kSpeed) {
    const auto values = view.Values(index);
    text +=
        QString("  %1 %2 %3")
            .arg(WordsOfQuantity(view), values ? Number((*values)[point]) : QString("not defined"),
                 values ? InfoOf(quantity).unit : "");
  }
  const ArrowInfo& told = InfoOf(view.settings().arrows);
  const auto& arrows = view.Arrows(index);
  if (arrows && told.kind != ArrowKind::kAngularVelocity) {  // which belongs to a body, not a point
    text +=
        QString("  %1 %2 %3").arg(told.words, Number(arrows->vectors.col(point).norm()), told.unit);
  }
  return text;
}

}  // namespace pliant
