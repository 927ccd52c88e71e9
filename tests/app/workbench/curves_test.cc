// The page of curves in the window without OpenGL: its time axis, and the mouse on it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QWheelEvent>
#include <cmath>

#include "app/workbench/curve_page.h"
#include "tests/app/workbench/plain_window.h"

namespace pliant {
namespace {

class CurvesTest : public PlainWindowTest {
 protected:
  CurvePage& page() { return window_->curves(0); }
  QCustomPlot& plot() { return *page().findChild<QCustomPlot*>(); }
  QCPAxis& axis() { return *plot().axisRect(0)->axis(QCPAxis::atBottom); }
  AxisRange shown() { return {axis().range().lower, axis().range().upper}; }  // s
  double TimeAt(const QPointF& at) { return axis().pixelToCoord(at.x()); }
  // So far from the left to the right of the axis, and in the middle of its height.
  QPointF PlaceAt(double part) {
    const QRect rect = plot().axisRect(0)->rect();
    return {rect.left() + part * rect.width(), static_cast<double>(rect.center().y())};
  }
  void Turn(const QPointF& at, int eighths) {  // of a degree; up is positive
    QWheelEvent wheel(at, plot().mapToGlobal(at), {}, {0, eighths}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot(), &wheel);
    page().Redraw();
  }
  void Drag(const QPointF& from, const QPointF& to, Qt::MouseButton button) {
    for (const auto& [type, at] :
         {std::pair(QEvent::MouseButtonPress, from), std::pair(QEvent::MouseMove, to)}) {
      QMouseEvent event(type, at, plot().mapToGlobal(at), button, button, Qt::NoModifier);
      QCoreApplication::sendEvent(&plot(), &event);
    }
    page().Redraw();
  }
  void OpenAndPlay() {
    OpenDrop();
    PlayToEnd();
    page().Redraw();
  }
};

TEST_F(CurvesTest, AFirstRecordHasAnAxisOfOneRecord) {
  OpenDrop();
  ASSERT_TRUE(WaitUntil([&] { return AllPanesBegun(session()); }));
  const double every = session().experiment()->plan.record_every;
  page().Redraw();
  EXPECT_EQ(shown(), (AxisRange{0.0, every}));
  EXPECT_EQ(dynamic_cast<QCPAxisTickerFixed*>(axis().ticker().get()), nullptr)
      << "seconds are not counted";
  PlayToEnd();
  page().Redraw();
  EXPECT_EQ(shown(), (AxisRange{0.0, session().RecordedEnd()}));
}

TEST_F(CurvesTest, TheWheelZoomsAboutTheMouse) {
  OpenAndPlay();
  const AxisRange all = shown();
  const QPointF mouse = PlaceAt(0.3);
  const double under = TimeAt(mouse);
  Turn(mouse, 120);
  EXPECT_NEAR(shown().upper - shown().lower, std::pow(2.0, -0.25) * (all.upper - all.lower), 1e-12);
  EXPECT_NEAR(TimeAt(mouse), under, 1e-12);
  for (int i = 0; i < 20; ++i) Turn(mouse, 120);  // nearer than records are to each other
  EXPECT_LT(shown().upper - shown().lower, session().experiment()->plan.record_every);
  EXPECT_NEAR(TimeAt(mouse), under, 1e-12);
  for (int i = 0; i < 21; ++i) Turn(mouse, -120);
  EXPECT_NEAR(shown().lower, all.lower, 1e-12);
  EXPECT_NEAR(shown().upper, all.upper, 1e-12);
}

TEST_F(CurvesTest, ADragMovesTheTimeAxisWithTheMouseAndADoubleClickShowsAll) {
  OpenAndPlay();
  const AxisRange all = shown();
  Turn(PlaceAt(0.5), 480);
  const double width = shown().upper - shown().lower, under = TimeAt(PlaceAt(0.4));
  Drag(PlaceAt(0.4), PlaceAt(0.6), Qt::RightButton);
  EXPECT_NEAR(TimeAt(PlaceAt(0.6)), under, 1e-12);
  EXPECT_NEAR(shown().upper - shown().lower, width, 1e-12);
  const QPointF at = PlaceAt(0.5);
  QMouseEvent twice(QEvent::MouseButtonDblClick, at, plot().mapToGlobal(at), Qt::LeftButton,
                    Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&plot(), &twice);
  page().Redraw();
  EXPECT_EQ(shown(), all);
}

TEST_F(CurvesTest, AClickAndADragPutTheClockThere) {
  OpenAndPlay();
  Drag(PlaceAt(0.5), PlaceAt(0.5), Qt::LeftButton);
  const double every = session().experiment()->plan.record_every;
  EXPECT_NEAR(session().time(), TimeAt(PlaceAt(0.5)), every);
  Drag(PlaceAt(0.5), PlaceAt(0.2), Qt::LeftButton);
  EXPECT_NEAR(session().time(), TimeAt(PlaceAt(0.2)), every);
  EXPECT_FALSE(page().window().has_value());
}

}  // namespace
}  // namespace pliant
