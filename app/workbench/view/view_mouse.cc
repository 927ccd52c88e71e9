#include "app/workbench/view/view_mouse.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>

#include "app/workbench/session/session.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kNear = 14.0;       // px, of a point that is meant
constexpr double kClick = 3.0;       // px, a shorter drag is a click
constexpr double kDoubling = 480.0;  // of the wheel's angle: four notches

Vector2d SizeOf(const QRectF& rect) { return {rect.width(), rect.height()}; }

// From the middle, right and up.
Vector2d InPane(const QPointF& at, const QRectF& rect) {
  return {at.x() - rect.center().x(), rect.center().y() - at.y()};
}

}  // namespace

ViewMouse::ViewMouse(ViewState* view, QWidget* widget)
    : QObject(widget), view_(view), widget_(widget) {
  widget->installEventFilter(this);
}

bool ViewMouse::eventFilter(QObject* object, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      Press(*static_cast<QMouseEvent*>(event));
      return true;
    case QEvent::MouseMove:
      Move(*static_cast<QMouseEvent*>(event));
      return true;
    case QEvent::MouseButtonRelease:
      Release(*static_cast<QMouseEvent*>(event));
      return true;
    case QEvent::MouseButtonDblClick:
      view_->Fit();
      return true;
    case QEvent::Wheel:
      Wheel(*static_cast<QWheelEvent*>(event));
      return true;
    default:
      return QObject::eventFilter(object, event);
  }
}

QRectF ViewMouse::RectOf(int pane) const {
  return PaneRects(*view_, QRectF(widget_->rect()))[static_cast<size_t>(pane)];
}

int ViewMouse::PaneAt(const QPointF& at) const {
  const auto count = static_cast<int>(view_->session().panes().size());
  for (int i = 0; i < count; ++i) {
    if (RectOf(i).contains(at)) return i;
  }
  return -1;
}

std::optional<ViewMouse::Hit> ViewMouse::PointAt(const QPointF& at) const {
  const int index = PaneAt(at);
  if (index < 0) return std::nullopt;
  const auto frame = view_->session().Shown(static_cast<size_t>(index));
  if (frame == nullptr) return std::nullopt;
  const QRectF rect = RectOf(index);
  const Vector2d size = SizeOf(rect);
  const Camera camera = view_->camera().InPane(size);
  const double metres = view_->camera().MetresPerPixel(size);
  const Vector2d mouse = camera.window.center() + metres * InPane(at, rect);
  // Of the points near the mouse, the one nearest to the viewer; the distance to the mouse counts
  // too.
  std::optional<Hit> hit;
  double best = INFINITY;
  for (Eigen::Index i = 0; i < frame->points.cols(); ++i) {
    const Vector3d view = camera.ToView(frame->points.col(i).cast<double>());
    const double away = (view.head<2>() - mouse).norm();
    if (!(away < kNear * metres)) continue;
    const double score = 4.0 * away - view.z();
    if (score < best) {
      best = score;
      hit = Hit{index, static_cast<int>(i)};
    }
  }
  return hit;
}

void ViewMouse::Press(const QMouseEvent& event) {
  pressed_ = last_ = event.position();
  pane_ = PaneAt(pressed_);
  gesture_ = Gesture::kNone;
  if (pane_ < 0) return;
  const auto& scene = view_->session().panes()[static_cast<size_t>(pane_)].scene;
  if (scene == nullptr) return;
  if (event.button() == Qt::LeftButton && (event.modifiers() & Qt::ControlModifier) != 0) {
    if (const auto hit = PointAt(pressed_)) {
      gesture_ = Gesture::kPull;
      view_->Pick(hit->point);
    }
  } else if (event.button() == Qt::LeftButton && (event.modifiers() & Qt::ShiftModifier) == 0 &&
             scene->dimension == 3) {
    gesture_ = Gesture::kTurn;
  } else {
    gesture_ = Gesture::kShift;
  }
}

void ViewMouse::Move(const QMouseEvent& event) {
  const QPointF at = event.position(), by = at - last_;
  last_ = at;
  if (gesture_ == Gesture::kNone || std::hypot(by.x(), by.y()) == 0.0) return;
  if (gesture_ == Gesture::kTurn) {
    view_->camera().Orbit(by.x(), by.y());
    view_->CameraMoved();
    return;
  }
  const QRectF rect = RectOf(pane_);
  if (gesture_ == Gesture::kShift) {
    view_->camera().Pan(by.x(), by.y(), SizeOf(rect));
    view_->CameraMoved();
    return;
  }
  // A pull moves in the plane of the picture through the point.
  const Session& session = view_->session();
  const auto frame = session.Shown(static_cast<size_t>(pane_));
  if (frame == nullptr || !view_->picked()) return;
  const Camera camera = view_->camera().InPane(SizeOf(rect));
  const Vector3d point = frame->points.col(*view_->picked()).cast<double>();
  const Vector2d mouse =
      camera.window.center() + view_->camera().MetresPerPixel(SizeOf(rect)) * InPane(at, rect);
  const Vector3d wanted = camera.axes * Vector3d(mouse.x(), mouse.y(), camera.ToView(point).z());
  view_->SetPull(Pull{pane_, *view_->picked(), wanted});
}

void ViewMouse::Release(const QMouseEvent& event) {
  const QPointF by = event.position() - pressed_;
  const bool click = std::hypot(by.x(), by.y()) < kClick;
  if (gesture_ == Gesture::kPull) {
    if (click && !view_->drags()) {
      view_->SetPull(std::nullopt);
    } else {
      view_->FinishPull();
    }
  } else if (click && event.button() == Qt::LeftButton) {
    const auto hit = PointAt(event.position());
    view_->Pick(hit ? std::optional(hit->point) : std::nullopt);
  }
  gesture_ = Gesture::kNone;
}

void ViewMouse::Wheel(const QWheelEvent& event) {
  const int pane = PaneAt(event.position());
  if (pane < 0) return;
  const QRectF rect = RectOf(pane);
  view_->camera().Zoom(std::pow(2.0, event.angleDelta().y() / kDoubling),
                       InPane(event.position(), rect), SizeOf(rect));
  view_->CameraMoved();
}

}  // namespace pliant
