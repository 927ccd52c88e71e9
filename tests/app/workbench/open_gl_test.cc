// The window with OpenGL, on a display of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <memory>

#include "app/plots/qt_style.h"
#include "app/workbench/curve_page.h"
#include "app/workbench/main_window.h"
#include "app/workbench/open_experiment.h"
#include "app/workbench/pane_overlay.h"
#include "app/workbench/pane_views.h"
#include "app/workbench/view_state.h"
#include "tests/app/workbench/virtual_display.h"
#include "tests/app/workbench/windows.h"

namespace pliant {
namespace {

class OpenGlTest : public WindowTest {
 protected:
  void OpenAt(const std::string& experiment, double time) {
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", "runs"});
    window_->resize(1500, 950);
    window_->show();
    ASSERT_TRUE(window_->Open("experiments/" + experiment + ".toml"));
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
    return ImageOf(&window_->panes());
  }
  // Of pane `i` in pixels, without title and frame.
  QRect Inside(int i) {
    const auto count = static_cast<int>(window_->session().panes().size());
    const QRectF area = PanesArea(window_->view(), QRectF(window_->panes().rect()));
    return PaneRects(count, area)[static_cast<size_t>(i)].toRect().adjusted(4, 44, -4, -40);
  }
  void Keep(const std::string& name) {
    QElapsedTimer watch;
    watch.start();
    while (watch.elapsed() < 400) QCoreApplication::processEvents();  // curves are drawn soon
    QImage whole = window_->grab().toImage();
    QPainter painter(&whole);
    painter.drawImage(window_->panes().mapTo(window_.get(), QPoint(0, 0)), Panes());
    painter.end();
    KeepScreenshot(whole, name);
  }

  std::unique_ptr<MainWindow> window_;
};

TEST_F(OpenGlTest, ThereIsOpenGl) { EXPECT_EQ(WhyNoOpenGl(), ""); }

TEST_F(OpenGlTest, EveryPaneShowsItsFormulationInItsColour) {
  OpenAt("press", 1.0);
  const QImage image = Panes();
  ASSERT_EQ(window_->session().panes().size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const QColor own =
        ToQColor(Lighten(window_->session().panes()[static_cast<size_t>(i)].style.colour, 0.4));
    EXPECT_GT(ShareOf(image, Inside(i), own, 60), 0.05) << i;
  }
  Keep("press");
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const pliant::VirtualDisplay display;
  if (display.name().empty()) {
    std::fprintf(stderr, "these tests need Xvfb: install the package xvfb\n");
    return 1;
  }
  setenv("DISPLAY", display.name().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
