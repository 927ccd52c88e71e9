// A hand that leads a point while the clock runs, without a window: what is seen is what the saved
// file gives.

#include "app/workbench/view/drag_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QUndoStack>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/session/dragged_simulation.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

constexpr double kElapsed = 0.016;  // s of wall time for each tick, as the session is told

class DragTest : public ::testing::Test {
 protected:
  DragTest() : view_(&session_), hand_(&view_, &open_) {
    QObject::connect(&open_, &OpenExperiment::Edited, &session_, [this] {
      if (hand_.finishing()) {
        session_.Adopt(open_.experiment());
      } else {
        session_.Change(open_.experiment());
      }
    });
    QObject::connect(&hand_, &DragController::Logged, &session_,
                     [this](const QString& line) { said_ += line.toStdString() + "\n"; });
  }
  void Open(const std::string& file, const std::vector<std::string>& overrides,
            const std::vector<std::string>& backends = {}) {
    Experiment experiment = ReadExperiment(file, overrides);
    WriteFile(folder_ / "opened.toml", ToToml(experiment));
    open_.Open(folder_ / "opened.toml");
    if (!backends.empty()) {
      // Of these alone: a file of one backend.
      size_t kept = 0;
      while (experiment.backends[kept].label != backends[0]) ++kept;
      WriteFile(folder_ / "opened.toml", experiment.Resolved(kept));
      open_.Open(folder_ / "opened.toml");
    }
    session_.Open(open_.experiment());
    ASSERT_TRUE(TickUntil(
        [&] {
          for (const Pane& pane : session_.panes()) {
            if (pane.worker != nullptr && pane.recording.empty()) return false;
          }
          return true;
        },
        0.0));
  }
  template <typename Done>
  ::testing::AssertionResult TickUntil(Done done, double elapsed = kElapsed) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
      session_.Tick(elapsed);
      if (done()) return ::testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ::testing::AssertionFailure() << "not within a minute";
  }
  // Where a point of a pane is now.
  Eigen::Vector3d At(size_t pane, int point) const {
    return session_.Shown(pane)->points.col(point).cast<double>();
  }
  // Leads `point` from where it is in pane 0 on an arc until the clock has run for `time` more.
  void LeadOnAnArc(int point, double time) {
    const Eigen::Vector3d start = At(0, point);
    const double begin = session_.time();
    auto lead = [&] {
      const double t = session_.time() - begin;
      mouse_at_ = start + Eigen::Vector3d(0.8 * t, 0.3 * std::sin(7.0 * t), 0.0);
      view_.SetPull(Pull{0, point, mouse_at_});
    };
    lead();
    EXPECT_TRUE(TickUntil([&] {
      lead();
      return session_.time() >= begin + time;
    }));
    view_.FinishPull();
  }
  void PlayToEnd() {
    session_.SetSpeed(100.0);
    session_.Play();
    EXPECT_TRUE(TickUntil([&] { return !session_.playing(); }));
    EXPECT_TRUE(TickUntil([&] {
      for (const Pane& pane : session_.panes()) {
        if (pane.worker != nullptr) return false;
      }
      return true;
    }));
  }
  // The series and places that the saved file gives by the path of the command line.
  void ExpectTheSavedFileRunsAlike() {
    open_.Save(folder_ / "led.toml");
    const Experiment saved = ReadExperiment(folder_ / "led.toml");
    for (size_t i = 0; i < session_.panes().size(); ++i) {
      const Pane& pane = session_.panes()[i];
      if (pane.state == PaneState::kFrozen) continue;
      const BackendRun run = RunIntoBundle(saved, i, TranslateFor(saved, i), folder_ / "runs", {});
      const Bundle bundle = Bundle::Open(run.bundle);
      ASSERT_EQ(pane.recording.size(), bundle.rows().size()) << pane.label;
      for (size_t k = 0; k < bundle.rows().size(); ++k) {
        for (size_t c = 0; c < bundle.columns().size(); ++c) {
          if (IsTiming(bundle.columns()[c].name)) continue;
          ASSERT_EQ(pane.recording[k].row[c], bundle.rows()[k][c])
              << pane.label << ": " << bundle.columns()[c].name << " in row " << k;
        }
        ASSERT_TRUE(pane.recording[k].points == bundle.Points(k).cast<float>()) << pane.label;
      }
    }
  }

  ScratchFolder folder_;
  OpenExperiment open_;
  Session session_;
  ViewState view_;
  DragController hand_;
  Eigen::Vector3d mouse_at_;  // last
  std::string said_;
};

TEST_F(DragTest, LeadsThePointInEveryPaneAndTheSavedFileGivesTheSameSeries) {
  Open("experiments/drop.toml", {"run.duration=0.8"});
  ASSERT_EQ(session_.panes().size(), 4u);
  view_.SetHand(HandTool::kDrag, 30.0);
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return session_.time() > 0.1; }));
  LeadOnAnArc(3, 0.35);
  EXPECT_TRUE(session_.playing());  // it goes on
  EXPECT_THAT(said_, HasSubstr("a drag by a spring of 30 N/m"));
  PlayToEnd();
  const std::vector<TimedForce>& forces = open_.experiment()->scene->forces;
  ASSERT_GT(forces.size(), 10u);  // one for each piece
  for (const TimedForce& force : forces) {
    EXPECT_EQ(force.name, "hand-1");
    EXPECT_EQ(force.point.point, 3);
  }
  EXPECT_GT(forces.front().from, 0.1);
  // A spring: the force of a piece is that of the place and speed of the point when it begins, and
  // in the pane where it is held.
  const Recording& held = session_.panes()[0].recording;
  const TimedForce& late = forces[forces.size() - 3];
  const PaneFrame& frame = *held.At(late.from);
  const Eigen::Vector3d mouse = late.force / 30.0 + frame.points.col(3).cast<double>() +
                                (late.until - late.from) * frame.velocities.col(3).cast<double>();
  // The mouse has gone on since for a tenth of a second at most, at 0.8 and 2.1 m/s.
  EXPECT_NEAR(mouse.x(), mouse_at_.x(), 0.08);
  EXPECT_NEAR(mouse.y(), mouse_at_.y(), 0.21);
  ExpectTheSavedFileRunsAlike();
  // It has moved the point of every pane.
  const Experiment untouched = ReadExperiment("experiments/drop.toml", {"run.duration=0.8"});
  for (size_t i = 0; i < 4; ++i) {
    const BackendRun run =
        RunIntoBundle(untouched, i, TranslateFor(untouched, i), folder_ / "untouched", {});
    const Bundle bundle = Bundle::Open(run.bundle);
    const size_t last = bundle.frame_count() - 1;
    const Eigen::Vector3f before = bundle.Points(last).col(3).cast<float>();
    EXPECT_GT((session_.panes()[i].recording[last].points.col(3) - before).norm(), 0.01F)
        << session_.panes()[i].label;
  }
  open_.history()->undo();
  EXPECT_TRUE(open_.experiment()->scene->forces.empty());
}

TEST_F(DragTest, NothingRunsPastWhatTheHandHasDone) {
  Open("experiments/drop.toml", {"run.duration=0.8"});
  view_.SetHand(HandTool::kDrag, 30.0);
  view_.SetPull(Pull{0, 3, At(0, 3)});
  ASSERT_TRUE(session_.dragging());
  EXPECT_TRUE(session_.playing());  // while it is led
  ASSERT_TRUE(TickUntil([&] { return session_.time() > 0.1; }));
  for (int i = 0; i < 50; ++i) {  // the window is held up: the clock stands
    session_.Tick(0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const Pane& pane : session_.panes()) {
    EXPECT_LT(pane.recording.EndTime(), session_.time() + 0.1) << pane.label;
  }
  view_.FinishPull();
  EXPECT_FALSE(session_.dragging());
  EXPECT_FALSE(session_.playing());  // as before
}

TEST_F(DragTest, ANailFollowsTheHandAndStaysWhereItEnds) {
  Open("experiments/drop.toml", {"run.duration=0.9"}, {"linear-deformation"});
  view_.SetHand(HandTool::kNail, 0.1);
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return session_.time() > 0.05; }));
  LeadOnAnArc(3, 0.4);
  PlayToEnd();
  ASSERT_EQ(session_.panes()[0].state, PaneState::kEnded) << session_.panes()[0].reason;
  ASSERT_EQ(open_.experiment()->scene->nails.size(), 1u);
  const Path& path = open_.experiment()->scene->nails[0].path;
  EXPECT_LT((At(0, 3) - path.keys().rightCols<1>()).norm(), 0.02);
  ExpectTheSavedFileRunsAlike();
}

// Also through the repeated translations during a drag.
TEST_F(DragTest, TheForceOfTheNailInTheHandIsKnown) {
  Open("experiments/drop.toml",
       {"run.duration=0.4", "backends.displacement-constraints.formulation=\"position-based\""},
       {"displacement-constraints"});
  view_.SetHand(HandTool::kNail, 0.1);
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return session_.time() > 0.05; }));
  LeadOnAnArc(3, 0.2);
  PlayToEnd();
  const Recording& seen = session_.panes()[0].recording;
  const Nail& nail = open_.experiment()->scene->nails[0];
  const double from = nail.hold.from - nail.preroll;
  int held = 0;
  for (size_t k = 1; k < seen.size(); ++k) {
    const Eigen::Matrix3Xf& forces = seen[k].constraint_forces;
    ASSERT_EQ(forces.cols(), seen[k].points.cols()) << seen[k].time;
    if (seen[k].time < from - 1e-9) {
      EXPECT_TRUE(forces.isZero(0.0F)) << seen[k].time;
    } else if (seen[k].time > from + 0.05) {
      EXPECT_GT(forces.col(3).norm(), 0.01F) << seen[k].time;
      ++held;
    }
  }
  EXPECT_GT(held, 5);
}

TEST_F(DragTest, AtTheEndOfTheRunThereIsNothingToLead) {
  Open("experiments/drop.toml", {"run.duration=0.1"});
  PlayToEnd();
  view_.SetHand(HandTool::kDrag, 30.0);
  view_.SetPull(Pull{0, 3, At(0, 3)});
  EXPECT_FALSE(session_.dragging());
  view_.SetPull(Pull{0, 3, At(0, 3) + Eigen::Vector3d(0.1, 0, 0)});
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1) << said_;  // once for the whole drag
  EXPECT_THAT(said_, HasSubstr("has ended"));
  view_.FinishPull();
  EXPECT_FALSE(open_.edited());
}

// A fall that tells of every step.
class TellingSimulation : public FallingSimulation {
 public:
  using FallingSimulation::FallingSimulation;

 protected:
  StepOutcome DoAdvance(double step) override {
    Happened(StepEnd(), "a step");
    return FallingSimulation::DoAdvance(step);
  }
};
class TellingBackend : public FallingBackend {
 public:
  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    Translation translation = FallingBackend::Translate(scene, parameters);
    translation.record.Say("force.*", Fidelity::kIgnored, "falls, come what may");
    translation.simulation = std::make_unique<TellingSimulation>(scene, Mishap{});
    return translation;
  }
};

TEST(DraggedSimulationTest, TellsEveryEventOnceHoweverOftenItLearns) {
  static const TellingBackend telling;
  const ScratchFolder folder;
  auto experiment = std::make_shared<Experiment>(
      FallingExperiment(folder, "[backends.a]\nformulation = 'falling'\n"));
  auto scene = std::make_shared<Scene>(*experiment->scene);
  scene->forces.push_back({"hand-1", {0, 2}, {0, 0, 0}, 0.0025, 0.0225});
  experiment->scene = scene;
  experiment->backends[0].backend = &telling;
  const auto trail = std::make_shared<Trail>(0.0025);
  trail->Append(0.0225, {0, 0, 0});
  const LiveDrag lead{HandTool::kDrag, 10.0, 2, trail};
  DraggedSimulation led(experiment, 0, {lead}, TranslateFor(*experiment, 0).simulation);
  for (int step = 1; step <= 8; ++step) {
    if (step % 2 == 0) trail->Append(trail->End() + 0.02, {1, 0, 0});
    led.Advance(0.01);
    // One for each piece of a step that the drag divides, and none twice.
    for (size_t i = 1; i < led.events().size(); ++i) {
      ASSERT_GT(led.events()[i].time, led.events()[i - 1].time + 1e-6);
    }
    EXPECT_NEAR(led.events().back().time, 0.01 * step, 1e-12);
  }
}

TEST(DraggedSimulationTest, GoesOnFromASavedState) {
  const Experiment drop = ReadExperiment("experiments/drop.toml", {"run.duration=0.5"});
  const auto trail = std::make_shared<Trail>(0.02025);
  trail->Append(0.2, {3, 1, 0});
  const LiveDrag lead{HandTool::kDrag, 10.0, 3, trail};
  const auto led = WithDrag(drop, lead);
  for (size_t i = 0; i < led->backends.size(); ++i) {
    SCOPED_TRACE(led->backends[i].label);
    const auto begin = [&] {
      return std::make_unique<DraggedSimulation>(led, i, std::vector{lead},
                                                 TranslateFor(*led, i).simulation);
    };
    const auto first = begin(), second = begin();
    for (int step = 0; step < 50; ++step) first->Advance(0.001);
    const Eigen::VectorXd state = first->Save();
    for (int step = 0; step < 30; ++step) first->Advance(0.001);
    second->Advance(0.001);  // somewhere else
    second->Restore(state);
    EXPECT_TRUE(second->Save() == state);
    for (int step = 0; step < 30; ++step) second->Advance(0.001);
    EXPECT_TRUE(second->Save() == first->Save());
    Observation a, b;
    first->Observe(&a);
    second->Observe(&b);
    EXPECT_TRUE(a.points == b.points);
    EXPECT_GT((a.points - led->scene->InitialPoints()).norm(), 1e-3);
  }
}

}  // namespace
}  // namespace pliant
