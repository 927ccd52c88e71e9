// The mouse over the panes: a drag rotates the view (or moves it in a planar scene), with shift or
// the middle button it moves the view, the wheel zooms, a click selects the point under it, and a
// drag with control acts on the point.

#ifndef PLIANT_APP_WORKBENCH_VIEW_VIEW_MOUSE_H_
#define PLIANT_APP_WORKBENCH_VIEW_VIEW_MOUSE_H_

#include <QObject>
#include <QPointF>
#include <optional>

class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace pliant {

class ViewState;

class ViewMouse : public QObject {
 public:
  // Filters the events of `widget`, whose panes show `view`.
  ViewMouse(ViewState* view, QWidget* widget);

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Hit {
    int pane;
    int point;
  };
  int PaneAt(const QPointF& at) const;  // -1: none
  QRectF RectOf(int pane) const;
  std::optional<Hit> PointAt(const QPointF& at) const;
  void Press(const QMouseEvent& event);
  void Move(const QMouseEvent& event);
  void Release(const QMouseEvent& event);
  void Wheel(const QWheelEvent& event);

  enum class Gesture { kNone, kTurn, kShift, kPull };
  ViewState* view_;
  QWidget* widget_;
  Gesture gesture_ = Gesture::kNone;
  int pane_ = -1;  // in which the gesture began
  QPointF pressed_, last_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_VIEW_MOUSE_H_
