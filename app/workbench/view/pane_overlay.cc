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
  const QString label = QString::fromStdString(pane.label);
  const QFontMetricsF bold(painter->font());
  const QRectF line(rect.left() + kMargin, rect.top() + 5, rect.width() - 2 * kMargin,
                    kTitleHeight);
  painter->setPen(Qt::NoPen);
  painter->setBrush(ToQColor(pane.style.colour));
  painter->drawRoundedRect(QRectF(line.left(), line.center().y() - 5, 10, 10), 2, 2);
  DrawWords(painter, line.adjusted(16, 2, 0, -2), label, kInk);
  if (pane.state == PaneState::kFrozen) return;  // told below, with its reason
  painter->setFont(FigureFont(11));
  const QFontMetricsF small(painter->font());
  const double used = 16 + bold.horizontalAdvance(label) + 12;
  const double room = line.width() - used;
  if (room < 50) return;
  painter->setPen(kSoft);
  painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter,
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
      // The name of the pieces that are drawn.
      void DrawNameOfPieces(QPainter * painter, const QRectF& rect, const ViewState& view,
                            int pane) {
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
        DrawWords(painter,
                  QRectF(rect.left() + kMargin, rect.top() + kTitleHeight + 24,
                         rect.width() - 2 * kMargin, 16),
                  words, kPieces);
      }

      void DrawUndefined(QPainter * painter, const QRectF& rect, const ViewState& view, int pane) {
        void DrawHint(QPainter * painter, const QRectF& area) {
          painter->setPen(kSoft);
          painter->setFont(FigureFont(15));
          painter->drawText(area, Qt::AlignCenter,
                            "Open an experiment from the list, or drop a file or a bundle here.");
        }

        // The area without the colour bar.
        QRectF PanesArea(const ViewState& view, const QRectF& area) {
          const bool bar =
              view.settings().quantity != Quantity::kNone && !view.session().panes().empty();
          return bar ? area.adjusted(0, 0, -kBarRoom, 0) : area;
        }

      }  // namespace

      std::vector<QRectF> PaneRects(const ViewState& view, const QRectF& area) {
        return PaneRects(static_cast<int>(view.session().panes().size()), PanesArea(view, area));
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
          missing << QString("%1: not defined").arg(WordsOfQuantity(view));
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
          text += QString("  %1 %2 %3")
                      .arg(WordsOfQuantity(view),
                           values ? Number((*values)[point]) : QString("not defined"),
                           values ? InfoOf(quantity).unit : "");
        }
        const ArrowInfo& told = InfoOf(view.settings().arrows);
        const auto& arrows = view.Arrows(index);
        if (arrows &&
            told.kind != ArrowKind::kAngularVelocity) {  // which belongs to a body, not a point
          text += QString("  %1 %2 %3")
                      .arg(told.words, Number(arrows->vectors.col(point).norm()), told.unit);
        }
        return text;
      }

      void DrawOverlay(QPainter * painter, const QRectF& area, const ViewState& view) {
        painter->setRenderHint(QPainter::Antialiasing);
        const Session& session = view.session();
        const std::vector<Pane>& panes = session.panes();
        if (panes.empty()) {
          DrawHint(painter, area);
          return;
        }
        const std::vector<QRectF> rects = PaneRects(view, area);
        size_t scaled = 0;  // the pane that shows the scale: text covers the bottom of
                            // frozen panes
        while (scaled + 1 < panes.size() && panes[scaled].state == PaneState::kFrozen) ++scaled;
        for (size_t i = 0; i < panes.size(); ++i) {
          const PaneProjection project(rects[i], view.camera());
          painter->save();
          painter->setClipRect(rects[i]);
          if (i == scaled && panes[i].scene != nullptr) {
            DrawScaleBar(painter, rects[i], project.scale());
            if (panes[i].scene->dimension == 3) DrawAxes(painter, rects[i], project.camera());
            if (view.settings().arrows != ArrowKind::kNone)
              DrawArrowLegend(painter, rects[i], view);
          }
          if (const auto& arrows = view.Arrows(static_cast<int>(i))) {
            DrawArrows(painter, view, *arrows, project);
          }
          if (const ShownPhase* phase = session.Phase(i))
            DrawPhase(painter, rects[i], *phase, project);
          DrawPicked(painter, rects[i], view, static_cast<int>(i), project);
          DrawNameOfPieces(painter, rects[i], view, static_cast<int>(i));
          DrawTitle(painter, rects[i], panes[i], session.time());
          if (panes[i].state == PaneState::kFrozen) DrawFrozen(painter, rects[i], panes[i]);
          if (!panes[i].recording.empty())
            DrawUndefined(painter, rects[i], view, static_cast<int>(i));
          painter->restore();
          painter->setPen(QPen(kLine, 1));
          painter->setBrush(Qt::NoBrush);
          painter->drawRect(rects[i].adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (view.settings().quantity != Quantity::kNone) DrawColourBar(painter, area, view);
      }

    }  // namespace pliant
