// The whole window without OpenGL, and the mouse in its panes.

#ifndef PLIANT_TESTS_APP_WORKBENCH_PLAIN_WINDOW_H_
#define PLIANT_TESTS_APP_WORKBENCH_PLAIN_WINDOW_H_

#include <QMouseEvent>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/canvas.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "tests/app/workbench/windows.h"

namespace pliant {

class PlainWindowTest : public WindowTest {
 protected:
  PlainWindowTest() {
    EnsureApplication();
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", scratch_.path()});
    window_->resize(1300, 850);
    window_->show();
  }
  // A short drop, from a file of its own.
  void OpenDrop() {
    const Experiment drop = ReadExperiment("experiments/drop.toml", {"run.duration=0.1"});
    WriteFile(scratch_ / "short.toml", ToToml(drop));
    ASSERT_TRUE(window_->Open(scratch_ / "short.toml"));
  }
  Session& session() { return window_->session(); }
  void PlayToEnd() {
    session().SetSpeed(1000.0);
    session().Play();
    EXPECT_TRUE(WaitUntil([&] { return !session().playing() && AllPanesEnded(session()); }));
  }
  QRect RectOf(int pane) {
    const QRectF area(window_->panes().rect());
    return PaneRects(window_->view(), area)[static_cast<size_t>(pane)].toRect();
  }
  // Where a point of a pane is on the widget.
  QPointF PlaceOf(int pane, int point) {
    const QRectF rect = RectOf(pane);
    const Eigen::Vector2d size(rect.width(), rect.height());
    const Camera camera = window_->view().camera().InPane(size);
    const auto frame = session().panes()[static_cast<size_t>(pane)].recording.At(session().time());
    const Eigen::Vector3d seen = camera.ToView(frame->points.col(point).cast<double>());
    const Eigen::Vector2d at =
        (seen.head<2>() - camera.window.center()) / window_->view().camera().MetresPerPixel(size);
    return {rect.center().x() + at.x(), rect.center().y() - at.y()};
  }
  void Mouse(QEvent::Type type, const QPointF& at, Qt::MouseButton button,
             Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QWidget& panes = window_->panes();
    QMouseEvent event(type, at, panes.mapToGlobal(at), button, button, keys);
    QCoreApplication::sendEvent(&panes, &event);
  }

  ScratchFolder scratch_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_PLAIN_WINDOW_H_
