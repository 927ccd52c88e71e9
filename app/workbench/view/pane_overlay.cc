#include "app/workbench/view/pane_overlay.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/plots/qt_style.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/scene_renderer.h"
#include "app/workbench/view/view_state.h"
#include "models/scene/number_text.h"
#include "models/scene/point_ref.h"

namespace pliant {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kBarRoom = 92.0;        // px, right of the panes when colours tell a quantity
constexpr double kMargin = 8.0;          // px
constexpr double kTitleHeight = 22;      // px
constexpr double kLongestVector = 60.0;  // px
constexpr double kTurnRadius = 14.0;     // px, of the arc of an angular velocity
const QColor kInk(0x22, 0x22, 0x22), kSoft(0x66, 0x66, 0x66), kLine(0xc9, 0xc9, 0xc9);
const QColor kPieces = ToQColor(kPieceColour), kVectors(0x1b, 0x7f, 0x3b);
const QColor kAlarm(0xa3, 0x1d, 0x1d), kAlarmGround(0xfd, 0xec, 0xea);

QString Number(double value) { return QString::fromStdString(Digits(value, 3)); }

// A world point in pixels of the pane.
class PaneProjection {
 public:
  PaneProjection(const QRectF& rect, const OrbitCamera& orbit)
      : rect_(rect),
        camera_(orbit.InPane({rect.width(), rect.height()})),
        scale_(rect.width() / camera_.window.sizes().x()) {}
  QPointF operator()(const Vector3d& x) const {
    const Vector3d view = camera_.ToView(x);
    const Vector2d centre = camera_.window.center();
    return {rect_.center().x() + scale_ * (view.x() - centre.x()),
            rect_.center().y() - scale_ * (view.y() - centre.y())};
  }
  const Camera& camera() const { return camera_; }
  double scale() const { return scale_; }  // px/m

 private:
  QRectF rect_;
  Camera camera_;
  double scale_;
};

// What colours tell.
QString WordsOfQuantity(const ViewState& view) {
  const int reference = view.ReferencePane();
  if (view.settings().quantity == Quantity::kReferenceDistance && reference >= 0) {
    const auto pane = static_cast<size_t>(reference);
    return "distance to " + QString::fromStdString(view.session().panes()[pane].label);
  }
  return InfoOf(view.settings().quantity).words;
}

// Words that stay readable over a surface.
void DrawWords(QPainter* painter, const QRectF& line, const QString& words, const QColor& ink) {
  const QFontMetricsF metrics(painter->font());
  const QString shown = metrics.elidedText(words, Qt::ElideRight, line.width());
  const double width = metrics.horizontalAdvance(shown);
  painter->fillRect(QRectF(line.left() - 3, line.top(), width + 6, line.height()),
                    QColor(255, 255, 255, 190));
  painter->setPen(ink);
  painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

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

// A length that is the same in all panes.
void DrawScaleBar(QPainter* painter, const QRectF& rect, double pixels_per_metre) {
  const double length = ScaleBarLength(0.28 * rect.width() / pixels_per_metre);
  const double pixels = length * pixels_per_metre;
  const QPointF left(rect.left() + kMargin + 2, rect.bottom() - kMargin - 2);
  const QPointF right = left + QPointF(pixels, 0);
  painter->setPen(QPen(kSoft, 1.4));
  painter->drawLine(left, right);
  for (const QPointF& end : {left, right}) painter->drawLine(end, end - QPointF(0, 5));
  painter->setFont(FigureFont(11));
  DrawWords(painter, QRectF(left.x(), left.y() - 20, std::max(pixels, 60.0), 14),
            Number(length) + " m", kSoft);
}

// Which way x, y and z point.
void DrawAxes(QPainter* painter, const QRectF& rect, const Camera& camera) {
  constexpr double kLength = 20.0;  // px
  const QPointF origin(rect.right() - kMargin - kLength - 10, rect.bottom() - kMargin - kLength);
  static constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
  painter->setFont(FigureFont(10));
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d view = camera.ToView(Vector3d::Unit(axis));
    const QPointF along(kLength * view.x(), -kLength * view.y());
    if (std::hypot(along.x(), along.y()) < 4.0) continue;
    painter->setPen(QPen(kSoft, 1.3));
    painter->drawLine(origin, origin + along);
    const QPointF at = origin + 1.35 * along;
    painter->drawText(QRectF(at.x() - 8, at.y() - 8, 16, 16), Qt::AlignCenter, kNames[axis]);
  }
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

void DrawArrow(QPainter* painter, const QPointF& from, const QPointF& to, const QColor& colour,
               double width) {
  const QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (length < 2.0) return;
  painter->setPen(QPen(colour, width));
  painter->drawLine(from, to);
  const QPointF unit = along / length, side(-unit.y(), unit.x());
  const double head = std::min(5.0 * width, 0.5 * length);
  painter->setBrush(colour);
  painter->setPen(Qt::NoPen);
  painter->drawPolygon(
      QPolygonF({to, to - head * (unit - 0.41 * side), to - head * (unit + 0.41 * side)}));
}

// At most so many in a pane: more are not told apart, and take their time to draw.
constexpr Eigen::Index kMostArrows = 400;

// Of the longest arrow so far `kLongestVector` pixels; an angular velocity about the line of sight
// is an arc, as far as the body turns while another arrow would be as long.
void DrawArrows(QPainter* painter, const ViewState& view, const ArrowField& field,
                const PaneProjection& project) {
  const double longest = view.longest_arrow();
  if (!(longest > 0.0)) return;
  const double metres = kLongestVector / (project.scale() * longest);
  // Few points of many may have an arrow at all: those that are held.
  Eigen::Index there = 0;
  for (const auto& vector : field.vectors.colwise()) there += vector.isZero(0.0) ? 0 : 1;
  const Eigen::Index stride = std::max<Eigen::Index>(1, (there + kMostArrows - 1) / kMostArrows);
  Eigen::Index number = 0;
  for (Eigen::Index i = 0; i < field.vectors.cols(); ++i) {
    const Vector3d from = field.origins.col(i), vector = field.vectors.col(i);
    if (vector.isZero(0.0) || number++ % stride != 0) continue;
    if (!vector.allFinite() || !from.allFinite()) continue;
    DrawArrow(painter, project(from), project(from + metres * vector), kVectors, 1.5);
    if (view.settings().arrows != ArrowKind::kAngularVelocity) continue;
    const double towards_eye = project.camera().ToView(vector).z();
    const double share = std::min(1.0, std::abs(towards_eye) / longest);
    const QRectF circle(project(from) - QPointF(kTurnRadius, kTurnRadius),
                        QSizeF(2.0 * kTurnRadius, 2.0 * kTurnRadius));
    painter->setPen(QPen(kVectors, 2.0));
    painter->setBrush(Qt::NoBrush);
    const double degrees = 300.0 * share * (towards_eye < 0.0 ? -1.0 : 1.0);
    painter->drawArc(circle, 0, qRound(16.0 * degrees));
    if (std::abs(degrees) > 5.0) {
      const double end = degrees / 180.0 * std::numbers::pi, turn = degrees < 0.0 ? -1.0 : 1.0;
      const QPointF tip = circle.center() + kTurnRadius * QPointF(std::cos(end), -std::sin(end));
      const QPointF along = turn * QPointF(-std::sin(end), -std::cos(end));
      DrawArrow(painter, tip, tip + 7.0 * along, kVectors, 1.5);
    }
    painter->setFont(FigureFont(11));
    DrawWords(painter, QRectF(circle.right() + 6, circle.center().y() - 8, 120, 16),
              Number(vector.norm()) + " rad/s", kVectors);
  }
}

// What the arrows are, above the length of the scale bar.
void DrawArrowLegend(QPainter* painter, const QRectF& rect, const ViewState& view) {
  const ArrowInfo& info = InfoOf(view.settings().arrows);
  const QPointF from(rect.left() + kMargin + 2, rect.bottom() - kMargin - 34);
  if (!(view.longest_arrow() > 0.0)) {
    bool any = false;
    for (size_t i = 0; i < view.session().panes().size(); ++i) {
      any = any || view.Arrows(static_cast<int>(i)).has_value();
    }
    if (!any) return;
    painter->setFont(FigureFont(11));
    DrawWords(painter, QRectF(from.x(), from.y() - 8, rect.width() - 2 * kMargin, 16),
              QString("%1: none so far").arg(info.words), kVectors);
    return;
  }
  DrawArrow(painter, from, from + QPointF(kLongestVector, 0), kVectors, 1.5);
  painter->setFont(FigureFont(11));
  DrawWords(painter,
            QRectF(from.x() + kLongestVector + 8, from.y() - 8,
                   rect.width() - kLongestVector - 3 * kMargin, 16),
            QString("%1 %2  %3").arg(Number(view.longest_arrow()), info.unit, info.words),
            kVectors);
}

// The pieces a phase is about, apart where they do not meet, its vectors, and what it is in words.
void DrawPhase(QPainter* painter, const QRectF& rect, const ShownPhase& phase,
               const PaneProjection& project) {
  const StepPicture& picture = phase.picture;
  painter->setPen(QPen(kPieces, 1.4));
  for (Eigen::Index i = 0; i + 1 < picture.pieces.cols(); i += 2) {
    painter->drawLine(project(picture.pieces.col(i)), project(picture.pieces.col(i + 1)));
  }
  painter->setBrush(kPieces);
  painter->setPen(Qt::NoPen);
  for (Eigen::Index i = 0; i < picture.pieces.cols(); ++i) {
    painter->drawEllipse(project(picture.pieces.col(i)), 2.0, 2.0);
  }
  QString words = QString::fromStdString(phase.words);
  const double longest =
      picture.vectors.cols() > 0 ? picture.vectors.colwise().norm().maxCoeff() : 0.0;
  if (!picture.unit.empty()) {
    words += QString(" (the longest %1 %2)").arg(Number(longest), picture.unit.c_str());
  }
  if (longest > 0.0) {
    const double metres = kLongestVector / (project.scale() * longest);
    for (Eigen::Index i = 0; i < picture.vectors.cols(); ++i) {
      const Vector3d from = picture.origins.col(i);
      DrawArrow(painter, project(from), project(from + metres * picture.vectors.col(i)), kVectors,
                1.5);
    }
  }
  painter->setFont(FigureFont(11));
  const QRectF room = rect.adjusted(kMargin, kTitleHeight + 22, -kMargin, -kMargin);
  const int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
  painter->setPen(kInk);  // without a pen text has no bounds
  painter->fillRect(painter->boundingRect(room, flags, words).adjusted(-3, -1, 3, 1),
                    QColor(255, 255, 255, 215));
  painter->drawText(room, flags, words);
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
    // The same gesture in every pane: to where the hand leads, or as far from where the point is.
    const auto own_frame = session.Shown(static_cast<size_t>(pull->pane));
    if (own_frame == nullptr) return;
    const Vector3d by = pull->to - own_frame->points.col(pull->point).cast<double>();
    const Vector3d from = frame->points.col(pull->point).cast<double>();
    const Vector3d to = view.leads() ? pull->to : Vector3d(from + by);
    DrawArrow(painter, project(from), project(to), kAlarm, 2.2);
  }
}

// Which pieces are drawn.
void DrawNameOfPieces(QPainter* painter, const QRectF& rect, const ViewState& view, int pane) {
  const auto frame = view.session().Shown(static_cast<size_t>(pane));
  if (view.settings().pieces < 0 || frame == nullptr) return;
  if (view.session().Phase(static_cast<size_t>(pane)) != nullptr) return;
  const PanePieces* pieces = ChosenPieces(*frame, view.settings());
  QString words = view.session().experiment() == nullptr ? "pieces: not kept in a bundle"
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

const char* WhyNoArrows(const ViewState& view, int index) {
  const Pane& pane = view.session().panes()[static_cast<size_t>(index)];
  if (view.settings().arrows != ArrowKind::kConstraintForces) return "not defined";
  if (pane.checkpoints == nullptr) return "not kept in a bundle";
  const PaneFrame& last = pane.recording[pane.recording.size() - 1];
  return last.constraint_forces.cols() > 0 ? "known from the first step on" : "not defined";
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

// The whole area without the colour bar.
QRectF PanesArea(const ViewState& view, const QRectF& area) {
  const bool bar = view.settings().quantity != Quantity::kNone && !view.session().panes().empty();
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
      return pane.stale ? "running again" : "";
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
    text +=
        QString("  %1 %2 %3")
            .arg(WordsOfQuantity(view), values ? Number((*values)[point]) : QString("not defined"),
                 values ? InfoOf(quantity).unit : "");
  }
  const ArrowInfo& told = InfoOf(view.settings().arrows);
  const auto& arrows = view.Arrows(index);
  if (arrows && told.kind != ArrowKind::kAngularVelocity) {  // that is of bodies
    text +=
        QString("  %1 %2 %3").arg(told.words, Number(arrows->vectors.col(point).norm()), told.unit);
  }
  return text;
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
  size_t scaled = 0;  // the pane that shows the scale: words cover the foot of frozen ones
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
