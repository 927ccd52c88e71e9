// The page of curves in the window without OpenGL: its time axis, and the mouse on it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QComboBox>
#include <QWheelEvent>
#include <cmath>

#include "app/plots/qt_style.h"
#include "app/plots/style.h"
#include "app/workbench/pages/curve_page.h"
#include "tests/app/workbench/plain_window.h"

namespace pliant {
namespace {

class CurvesTest : public PlainWindowTest {
 protected:
  CurvePage& page() { return PageOf<CurvePage>(*window_, "Curves"); }
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

// The height that a sheet falls against its speed: a click on the path puts the clock there, and
// the discs are where the runs are then.
TEST_F(CurvesTest, ARunGoesAlongItsPathThroughTwoQuantities) {
  OpenAndPlay();
  auto* against = page().findChild<QComboBox*>("against");
  ASSERT_NE(against, nullptr);
  EXPECT_FALSE(against->isEnabled()) << "a plot of the report";
  page().Choose("kinetic_energy_J");
  EXPECT_TRUE(against->isEnabled());
  page().ChooseAgainst("gravitational_energy_J");
  page().Redraw();
  const Plot shown = page().plot();
  ASSERT_EQ(shown.panels.size(), 1u);
  const PlottedCurve& path = shown.panels[0].curves[0];
  ASSERT_EQ(path.t.size(), session().panes()[0].recording.size());
  KeepScreenshot(page().grab().toImage(), "plain-path");
  std::vector<QCPGraph*> discs;
  for (int i = 0; i < plot().graphCount(); ++i) discs.push_back(plot().graph(i));
  ASSERT_EQ(discs.size(), shown.panels[0].curves.size());
  for (const size_t i : {size_t{3}, path.t.size() - 1}) {
    const QPointF at(axis().coordToPixel(path.x[i]), 0.0);
    session().Scrub(path.t[i]);
    ASSERT_EQ(discs[0]->dataCount(), 1);
    EXPECT_EQ(discs[0]->dataMainKey(0), path.x[i]);
    const double y =
        plot().axisRect(0)->axis(QCPAxis::atLeft)->coordToPixel(discs[0]->dataMainValue(0));
    session().Scrub(0.0);
    Drag({at.x(), y}, {at.x(), y}, Qt::LeftButton);
    EXPECT_NEAR(session().time(), path.t[i], 1e-12);
    discs.clear();  // the discs are redrawn
    for (int g = 0; g < plot().graphCount(); ++g) discs.push_back(plot().graph(g));
  }
  Turn(PlaceAt(0.5), 240);
  EXPECT_FALSE(page().window().has_value()) << "a path is seen whole";
  page().ChooseAgainst("");
  page().Redraw();
  EXPECT_TRUE(page().plot().panels[0].curves[0].t.empty());
}

TEST_F(CurvesTest, KindsOfEnergyAreAreas) {
  OpenAndPlay();
  page().resize(700, 500);
  page().Choose("energy-stack");
  page().Redraw();
  const QImage image = page().grab().toImage();
  KeepScreenshot(image, "plain-stack");
  const QColor kinetic = ToQColor(Lighten(StyleOfPart(0).colour, 0.35));
  EXPECT_GT(ShareOf(image, image.rect(), kinetic, 12), 0.01);
  page().Choose("energy-by-kind");
  page().Redraw();
  const QImage lines = page().grab().toImage();
  EXPECT_LT(ShareOf(lines, lines.rect(), kinetic, 12), 0.002);
}

}  // namespace
}  // namespace pliant
