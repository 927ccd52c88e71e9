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
  const int reference = view.ReferencePane();
  if (view.settings().quantity == Quantity::kReferenceDistance && reference >= 0) {
    const auto pane = static_cast<size_t>(reference);
    return "distance to " + QString::fromStdString(view.session().panes()[pane].label);
  }
  return InfoOf(view.settings().quantity).words;
}

small.elidedText(StatusOf(pane, time), Qt::ElideRight, room));
}

const QString missing = UndefinedText(view, pane);
if (missing.isEmpty()) return;
painter->setFont(FigureFont(11));
painter->setPen(kSoft);
painter->drawText(rect.adjusted(0, 0, -kMargin, -kMargin), Qt::AlignRight | Qt::AlignBottom,
                  missing);
}

const QString text = PickedText(view, index);
const QRectF line(rect.left() + kMargin, rect.top() + kTitleHeight + 6, rect.width() - 2 * kMargin,
                  16);
DrawWords(painter, line, text, kSoft);
}
const std::optional<Pull>& pull = view.pull();
if (pull && pull->point < frame->points.cols()) {
  // The same gesture in every pane: to the target of the drag, or by the same vector.
  const auto own_frame = session.Shown(static_cast<size_t>(pull->pane));
  if (own_frame == nullptr) return;
  const Vector3d by = pull->to - own_frame->points.col(pull->point).cast<double>();
  const Vector3d from = frame->points.col(pull->point).cast<double>();
  const Vector3d to = view.drags() ? pull->to : Vector3d(from + by);
  DrawArrow(painter, project(from), project(to), kAlarm, 2.2);
}
}

}  // namespace pliant
