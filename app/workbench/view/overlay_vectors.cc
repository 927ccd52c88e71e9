#include "app/workbench/view/overlay_vectors.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kTurnRadius = 14.0;  // px, of the arc of an angular velocity
// The most arrows in a pane: more cannot be distinguished, and take long to draw.
constexpr Eigen::Index kMostArrows = 400;

}  // namespace

void DrawArrows(QPainter* painter, const ViewState& view, const ArrowField& field,
                const PaneProjection& project) {
  const double longest = view.longest_arrow();
  if (!(longest > 0.0)) return;
  const double metres = kLongestVector / (project.scale() * longest);
  // Only the points that are held may have an arrow, few among many.
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
  painter->setPen(kInk);  // text has no bounds without a pen
  painter->fillRect(painter->boundingRect(room, flags, words).adjusted(-3, -1, 3, 1),
                    QColor(255, 255, 255, 215));
  painter->drawText(room, flags, words);
}

}  // namespace pliant
