#include "app/workbench/view/pane_overlay.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

#include "app/plots/qt_style.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/overlay_parts.h"
#include "app/workbench/view/overlay_text.h"
#include "app/workbench/view/overlay_vectors.h"
#include "app/workbench/view/scene_renderer.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

constexpr double kBarRoom = 92.0;  // px, right of the panes when colours show a quantity

using Eigen::Vector3d;

void DrawTitle(QPainter* painter, const QRectF& rect, const Pane& pane, double time) {
  painter->setFont(FigureFont(13, true));
  const QString label =
      QString::fromStdString(pane.label) + (pane.varies ? ", variant of the scene" : "");
  const QFontMetricsF bold(painter->font());
  const QRectF line(rect.left() + kMargin, rect.top() + 5, rect.width() - 2 * kMargin,
                    kTitleHeight);
  painter->setPen(Qt::NoPen);
  painter->setBrush(ToQColor(pane.style.colour));
  painter->drawRoundedRect(QRectF(line.left(), line.center().y() - 5, 10, 10), 2, 2);
  DrawWords(painter, line.adjusted(16, 2, 0, -2), label, kInk);
  if (pane.state == PaneState::kFrozen) return;  // DrawFrozen() shows the reason
  painter->setFont(FigureFont(11));
  const QFontMetricsF small(painter->font());
  const double used = 16 + bold.horizontalAdvance(label) + 12;
  const double room = line.width() - used;
  if (room < 50) return;
  painter->setPen(kSoft);
  painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                    small.elidedText(StatusOf(pane, time), Qt::ElideRight, room));
}

void DrawFrozen(QPainter* painter, const QRectF& rect, const Pane& pane) {
  painter->setFont(FigureFont(12));
  const QString text = "frozen: " + QString::fromStdString(pane.reason);
  QRectF room(rect.left() + 1, rect.bottom() - 60, rect.width() - 2, 59);
  QRectF used = painter->boundingRect(room.adjusted(kMargin, 4, -kMargin, -4),
                                      Qt::AlignLeft | Qt::TextWordWrap, text);
  room.setTop(room.bottom() - std::min(used.height() + 10, 0.6 * rect.height()));
  painter->fillRect(room, kAlarmGround);
  painter->fillRect(QRectF(room.left(), room.top(), 3, room.height()), kAlarm);
  painter->setPen(kAlarm);
  painter->drawText(room.adjusted(kMargin, 5, -kMargin, -4), Qt::AlignLeft | Qt::TextWordWrap,
                    text);
}

void DrawColourBar(QPainter* painter, const QRectF& area, const ViewState& view) {
  const ViewSettings& settings = view.settings();
  const QuantityInfo& info = InfoOf(settings.quantity);
  const QRectF room(area.right() - kBarRoom, area.top(), kBarRoom, area.height());
  painter->fillRect(room, Qt::white);
  painter->setPen(kLine);
  painter->drawLine(room.topLeft(), room.bottomLeft());
  const QRectF words(room.left() + kMargin, room.top() + 8, room.width() - 2 * kMargin, 48);
  painter->setFont(FigureFont(11));
  painter->setPen(kInk);
  const QString unit = *info.unit == '\0' ? QString() : QString(" [%1]").arg(info.unit);
  painter->drawText(words, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                    WordsOfQuantity(view) + unit);
  const QRectF bar(room.left() + kMargin + 2, words.bottom() + 10, 16,
                   std::min(240.0, area.height() - words.height() - 50));
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, ToQColor(ColourOf(i / 16.0)));
  painter->fillRect(bar, gradient);
  painter->setPen(QPen(kSoft, 1));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(bar);
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double y = bar.bottom() - share * bar.height();
    painter->drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y));
    painter->drawText(QRectF(bar.right() + 7, y - 8, 50, 16), Qt::AlignLeft | Qt::AlignVCenter,
                      Number(share * settings.full_scale));
  }
}

void DrawPicked(QPainter* painter, const QRectF& rect, const ViewState& view, int index,
                const PaneProjection& project) {
  const Session& session = view.session();
  const auto frame = session.Shown(static_cast<size_t>(index));
  if (frame == nullptr) return;
  auto place = [&](int point) { return project(frame->points.col(point).cast<double>()); };
  if (view.picked() && *view.picked() < frame->points.cols()) {
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(Qt::white, 4));
    painter->drawEllipse(place(*view.picked()), 7, 7);
    painter->setPen(QPen(kInk, 1.8));
    painter->drawEllipse(place(*view.picked()), 7, 7);
    painter->setFont(FigureFont(11));
    const QString text = PickedText(view, index);
    const QRectF line(rect.left() + kMargin, rect.top() + kTitleHeight + 6,
                      rect.width() - 2 * kMargin, 16);
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

// The name of the pieces that are drawn.
void DrawNameOfPieces(QPainter* painter, const QRectF& rect, const ViewState& view, int pane) {
  const auto frame = view.session().Shown(static_cast<size_t>(pane));
  if (view.settings().pieces < 0 || frame == nullptr) return;
  if (view.session().Phase(static_cast<size_t>(pane)) != nullptr) return;
  const PanePieces* pieces = ChosenPieces(*frame, view.settings());
  QString words = view.session().experiment() == nullptr ? "pieces: not recorded in a bundle"
                                                         : "pieces: the material points";
  if (pieces != nullptr) {
    words = QString::fromStdString(pieces->name);
    if (pieces->ends.cols() == 0) words += QString(": more than %1").arg(kMostPieces);
  }
  painter->setFont(FigureFont(11));
  DrawWords(
      painter,
      QRectF(rect.left() + kMargin, rect.top() + kTitleHeight + 24, rect.width() - 2 * kMargin, 16),
      words, kPieces);
}

void DrawUndefined(QPainter* painter, const QRectF& rect, const ViewState& view, int pane) {
  const QString missing = UndefinedText(view, pane);
  if (missing.isEmpty()) return;
  painter->setFont(FigureFont(11));
  painter->setPen(kSoft);
  painter->drawText(rect.adjusted(0, 0, -kMargin, -kMargin), Qt::AlignRight | Qt::AlignBottom,
                    missing);
}

void DrawHint(QPainter* painter, const QRectF& area) {
  painter->setPen(kSoft);
  painter->setFont(FigureFont(15));
  painter->drawText(area, Qt::AlignCenter,
                    "Open an experiment from the list, or drop a file or a bundle here.");
}

// The area without the colour bar.
QRectF PanesArea(const ViewState& view, const QRectF& area) {
  const bool bar = view.settings().quantity != Quantity::kNone && !view.session().panes().empty();
  return bar ? area.adjusted(0, 0, -kBarRoom, 0) : area;
}

}  // namespace

std::vector<QRectF> PaneRects(const ViewState& view, const QRectF& area) {
  return PaneRects(static_cast<int>(view.session().panes().size()), PanesArea(view, area));
}

void DrawOverlay(QPainter* painter, const QRectF& area, const ViewState& view) {
  painter->setRenderHint(QPainter::Antialiasing);
  const Session& session = view.session();
  const std::vector<Pane>& panes = session.panes();
  if (panes.empty()) {
    DrawHint(painter, area);
    return;
  }
  const std::vector<QRectF> rects = PaneRects(view, area);
  size_t scaled = 0;  // the pane that shows the scale: text covers the bottom of frozen panes
  while (scaled + 1 < panes.size() && panes[scaled].state == PaneState::kFrozen) ++scaled;
  for (size_t i = 0; i < panes.size(); ++i) {
    const PaneProjection project(rects[i], view.camera());
    painter->save();
    painter->setClipRect(rects[i]);
    if (i == scaled && panes[i].scene != nullptr) {
      DrawScaleBar(painter, rects[i], project.scale());
      if (panes[i].scene->dimension == 3) DrawAxes(painter, rects[i], project.camera());
      if (view.settings().arrows != ArrowKind::kNone) DrawArrowLegend(painter, rects[i], view);
    }
    if (const auto& arrows = view.Arrows(static_cast<int>(i))) {
      DrawArrows(painter, view, *arrows, project);
    }
    if (const ShownPhase* phase = session.Phase(i)) DrawPhase(painter, rects[i], *phase, project);
    DrawPicked(painter, rects[i], view, static_cast<int>(i), project);
    DrawNameOfPieces(painter, rects[i], view, static_cast<int>(i));
    DrawTitle(painter, rects[i], panes[i], session.time());
    if (panes[i].state == PaneState::kFrozen) DrawFrozen(painter, rects[i], panes[i]);
    if (!panes[i].recording.empty()) DrawUndefined(painter, rects[i], view, static_cast<int>(i));
    painter->restore();
    painter->setPen(QPen(kLine, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(rects[i].adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (view.settings().quantity != Quantity::kNone) DrawColourBar(painter, area, view);
}

}  // namespace pliant
