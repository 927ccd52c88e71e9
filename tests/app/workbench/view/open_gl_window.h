// The window with OpenGL, on the display that workbench_gl_test starts, for tests of what it draws.

#ifndef PLIANT_TESTS_APP_WORKBENCH_VIEW_OPEN_GL_WINDOW_H_
#define PLIANT_TESTS_APP_WORKBENCH_VIEW_OPEN_GL_WINDOW_H_

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPainter>
#include <cmath>
#include <memory>
#include <string>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/storage.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {

class OpenGlTest : public WindowTest {
 protected:
  void OpenWindow() {
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", "runs"});
    window_->resize(1500, 950);
    window_->show();
  }
  // An experiment that ends at `time`, at its end.
  void OpenAt(const std::string& experiment, double time) {
    OpenWindow();
    const Experiment shortened =
        ReadExperiment(ShippedFile(experiment), {"run.duration=" + std::to_string(time)});
    WriteFile(folder_ / (experiment + ".toml"), ToToml(shortened));
    ASSERT_TRUE(window_->Open(folder_ / (experiment + ".toml")));
    RunTo(time);
  }
  // As fast as it goes.
  void RunTo(double time) {
    Session& session = window_->session();
    session.SetSpeed(1000.0);
    session.Play();
    EXPECT_TRUE(WaitUntil([&] { return session.RecordedEnd() >= time || !session.playing(); }));
    session.Pause();
    session.Scrub(time);
  }
  QImage Panes() {
    QCoreApplication::processEvents();
    return window_->pane_view().Image();
  }
  // A scene where it starts, without motion: `scene` in TOML, at rest and without gravity.
  void OpenStill(const std::string& scene, const std::string& backend) {
    WriteFile(folder_ / "still.toml", "title = 'still'\n[scene]\nname = 'still'\n" + scene +
                                          "[run]\nduration = 1\nstep = 0.01\nrecord_every = 0.1\n"
                                          "[backends." +
                                          backend + "]\n");
    OpenWindow();
    ASSERT_TRUE(window_->Open(folder_ / "still.toml"));
    EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(window_->session()); }));
  }
  void LookFrom(double azimuth, double elevation) {  // rad
    window_->view().camera().LookFrom(azimuth, elevation);
    window_->view().Fit();
  }
  // Where a world point is in the first of the panes [pixels].
  QPoint PixelOf(const Eigen::Vector3d& x) {
    const QRectF rect = PaneRects(window_->view(), QRectF(window_->panes().rect()))[0];
    const Eigen::Vector2d size(rect.width(), rect.height());
    const OrbitCamera& orbit = window_->view().camera();
    const Camera camera = orbit.InPane(size);
    const Eigen::Vector2d at =
        (camera.ToView(x).head<2>() - camera.window.center()) / orbit.MetresPerPixel(size);
    const QPointF place = rect.center() + QPointF(at.x(), -at.y());
    return {static_cast<int>(std::floor(place.x())), static_cast<int>(std::floor(place.y()))};
  }
  // Of pane `i` in pixels, without title and frame.
  QRect Inside(int i) {
    const QRectF area(window_->panes().rect());
    return PaneRects(window_->view(), area)[static_cast<size_t>(i)].toRect().adjusted(4, 44, -4,
                                                                                      -40);
  }
  void Keep(const std::string& name) {
    // Curves are drawn soon, and what the test itself has held up is forgotten.
    const auto* pause = window_->findChild<QLabel*>("responsiveness");
    auto told = [&] { return pause->text().section(' ', 1, 1).toDouble(); };  // ms
    QElapsedTimer watch;
    watch.start();
    while (watch.elapsed() < 400 || (told() > 40.0 && watch.elapsed() < 3000)) {
      QCoreApplication::processEvents();
    }
    QImage whole = window_->grab().toImage();
    QPainter painter(&whole);
    painter.drawImage(window_->panes().mapTo(window_.get(), QPoint(0, 0)), Panes());
    painter.end();
    KeepScreenshot(whole, name);
  }

  ScratchFolder folder_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_VIEW_OPEN_GL_WINDOW_H_
