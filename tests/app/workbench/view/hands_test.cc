// The mouse in every pane: whichever it takes hold in, all of them feel the same, and the file that
// is saved does it again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QTest>
#include <QUndoStack>
#include <algorithm>
#include <set>

#include "app/workbench/edits/open_experiment.h"
#include "tests/app/workbench/by_program.h"
#include "tests/app/workbench/plain_window.h"

namespace pliant {
namespace {

class HandsTest : public PlainWindowTest {
 protected:
  void Open(double duration) {
    const Experiment drop =
        ReadExperiment("experiments/drop.toml", {"run.duration=" + std::to_string(duration)});
    WriteFile(scratch_ / "drop.toml", ToToml(drop));
    ASSERT_TRUE(window_->Open(scratch_ / "drop.toml"));
    EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(session()); }));
    untouched_ = window_->open_experiment().experiment();
  }
  void Take(const char* tool, double strength) {
    auto* tools = window_->findChild<QComboBox*>("hand");
    tools->setCurrentIndex(tools->findText(tool));
    window_->findChild<QDoubleSpinBox*>("strength")->setValue(strength);
  }
  // With the mouse of Qt, in pixels of the panes; `meanwhile` before the button is let go.
  template <typename Meanwhile>
  void DragIn(int pane, int point, const QPoint& by, Meanwhile meanwhile) {
    QWidget* panes = &window_->panes();
    const QPoint at = PlaceOf(pane, point).toPoint();
    ASSERT_TRUE(RectOf(pane).contains(at)) << "pane " << pane;
    QTest::mousePress(panes, Qt::LeftButton, Qt::ControlModifier, at);
    QTest::mouseMove(panes, at + by / 2);
    QTest::mouseMove(panes, at + by);
    ASSERT_EQ(window_->view().picked(), point) << "pane " << pane;
    meanwhile();
    if (window_ == nullptr) return;
    QTest::mouseRelease(panes, Qt::LeftButton, Qt::ControlModifier, at + by);
  }
  void PlayOn() {
    session().SetSpeed(1000.0);
    session().Play();
    EXPECT_TRUE(WaitUntil([&] { return !session().playing() && AllPanesEnded(session()); }));
    for (const Pane& pane : session().panes()) {
      EXPECT_EQ(pane.state, PaneState::kEnded) << pane.label << ": " << pane.reason;
    }
  }
  const Scene& scene() { return *window_->open_experiment().experiment()->scene; }
  // How far a point is from where it is without any hand at the end of the run.
  double Moved(size_t pane, int point) {
    Eigen::Matrix3Xf end;
    RunHooks hooks;
    hooks.on_frame = [&](const Frame& frame) { end = frame.observation.points.cast<float>(); };
    const Translation translation = TranslateFor(*untouched_, pane);
    pliant::Run(*untouched_, pane, translation.simulation.get(), hooks);
    const Recording& recording = session().panes()[pane].recording;
    return (recording[recording.size() - 1].points.col(point) - end.col(point)).norm();
  }

  std::shared_ptr<const Experiment> untouched_;
};

TEST_F(HandsTest, ASpringThatIsHeldInAnyPaneActsInAllOfThemAndTheProgramRepeatsIt) {
  Open(0.9);
  const int panes = static_cast<int>(session().panes().size());
  ASSERT_EQ(panes, 4);
  Take("drag", 30.0);
  session().SetSpeed(0.5);
  // Another point and another way in each pane, one drag after the other.
  for (int pane = 0; pane < panes; ++pane) {
    SCOPED_TRACE(pane);
    const double begin = session().time();
    const QPoint by(pane % 2 == 0 ? 70 : -60, -40 + 20 * pane);
    const int point = 3 + pane;
    Eigen::Vector3d hand(0, 0, 0);  // in the world
    DragIn(pane, point, by, [&] {
      EXPECT_TRUE(session().dragging());
      hand = window_->view().pull()->to;
      EXPECT_TRUE(WaitUntil([&] { return session().time() > begin + 0.12; }));
    });
    EXPECT_FALSE(session().dragging());
    EXPECT_FALSE(session().CatchingUp());
    // The force that acted last leads to the mouse from where this pane had the point, and no
    // other.
    const TimedForce& piece =
        *std::find_if(scene().forces.rbegin(), scene().forces.rend(),
                      [&](const TimedForce& force) { return force.from < session().time(); });
    EXPECT_EQ(piece.name, "hand-" + std::to_string(pane + 1));
    EXPECT_EQ(scene().Index(piece.point), point);
    EXPECT_GT(piece.force.norm(), 0.5);
    const PaneFrame& frame = *session().panes()[static_cast<size_t>(pane)].recording.At(piece.from);
    const Eigen::Vector3d led =
        piece.force / 30.0 + frame.points.col(point).cast<double>() +
        (piece.until - piece.from) * frame.velocities.col(point).cast<double>();
    EXPECT_LT((led - hand).norm(), 1e-5);
  }
  PlayOn();
  std::set<std::string> names;
  for (const TimedForce& force : scene().forces) names.insert(force.name);
  EXPECT_EQ(names.size(), 4u);
  // Every pane has been moved by what was done in the others, and all by one file.
  for (size_t pane = 0; pane < 4; ++pane) EXPECT_GT(Moved(pane, 3), 0.01) << pane;
  ASSERT_TRUE(window_->SaveTo(scratch_ / "led.toml"));
  ExpectTheProgramRunsAlike(session(), scratch_ / "led.toml", scratch_ / "by-cli");
}

// The same drag of the mouse in another pane is the same element of the scene.
TEST_F(HandsTest, EveryToolWorksInEveryPaneAndTheProgramRepeatsIt) {
  Open(0.3);
  session().StepForward();
  EXPECT_TRUE(WaitUntil([&] { return session().time() > 0.009; }));
  const QRect rect = RectOf(0);
  const double metres =
      window_->view().camera().MetresPerPixel({rect.width() * 1.0, rect.height() * 1.0});
  const Eigen::Vector3d by(50 * metres, 30 * metres, 0);
  Take("pull", 40.0);
  for (int pane = 0; pane < 4; ++pane) {
    DragIn(pane, 5, {50, -30}, [] {});
    ASSERT_EQ(scene().forces.size(), 1u) << pane;
    // The mouse takes hold of a pixel, not of the point in it.
    EXPECT_LT((scene().forces[0].force - 40.0 * by).norm(), 40.0 * metres) << pane;
    EXPECT_NEAR(scene().forces[0].from, 0.01, 1e-9);
    EXPECT_EQ(scene().forces[0].point.point, 5);
    if (pane < 3) window_->open_experiment().history()->undo();
    EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  }
  Take("blow", 0.2);
  DragIn(1, 8, {-30, -20}, [] {});
  ASSERT_EQ(scene().impulses.size(), 1u);
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  Take("poke", 0.05);
  DragIn(2, 0, {10, 40}, [] {});
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  EXPECT_EQ(scene().obstacles.back().name, "hand-1");
  PlayOn();
  for (size_t pane = 0; pane < 4; ++pane) EXPECT_GT(Moved(pane, 5), 1e-3) << pane;
  ASSERT_TRUE(window_->SaveTo(scratch_ / "by-hand.toml"));
  ExpectTheProgramRunsAlike(session(), scratch_ / "by-hand.toml", scratch_ / "by-cli");
}

TEST_F(HandsTest, ClosesWhileAPointIsHeld) {
  Open(0.9);
  DragIn(2, 3, {60, 20}, [&] {
    EXPECT_TRUE(WaitUntil([&] { return session().time() > 0.05; }));
    window_->close();
    window_.reset();
  });
}

}  // namespace
}  // namespace pliant
