// The clock and the panes, without a window.

#include "app/workbench/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/workbench/jobs/thread_priority.h"
#include "app/workbench/view/arrows.h"
#include "app/workbench/view/overlay_text.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/view_state.h"
#include "tests/experiments/bundles.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kTick = 0.01;  // s of wall time, as the session is told

// Ticks until `done`, ten seconds at most.
template <typename Done>
::testing::AssertionResult TickUntil(Session* session, Done done, double elapsed = 0.0) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < deadline) {
    session->Tick(elapsed);
    if (done()) return ::testing::AssertionSuccess();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return ::testing::AssertionFailure() << "not within ten seconds";
}

bool AllEnded(const Session& session) {
  for (const Pane& pane : session.panes()) {
    if (pane.worker != nullptr) return false;
  }
  return true;
}

// A backend whose steps throw.
class ThrowingSimulation : public FallingSimulation {
 public:
  using FallingSimulation::FallingSimulation;

 protected:
  StepOutcome DoAdvance(double) override { throw std::runtime_error("the rope is cut"); }
};
class ThrowingBackend : public FallingBackend {
 public:
  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    Translation translation = FallingBackend::Translate(scene, parameters);
    translation.simulation = std::make_unique<ThrowingSimulation>(scene, Mishap{});
    return translation;
  }
};

class SessionTest : public ::testing::Test {
 protected:
  void Open(const std::string& backends, const std::string& head = "") {
    experiment_ = std::make_shared<Experiment>(FallingExperiment(folder_, backends, head));
    session_.Open(experiment_);
  }
  void PlayToEnd() {
    session_.Play();
    EXPECT_TRUE(TickUntil(
        &session_, [&] { return !session_.playing(); }, kTick));
    EXPECT_TRUE(TickUntil(&session_, [&] { return AllEnded(session_); }));
  }
  const Pane& pane(size_t i) const { return session_.panes()[i]; }
  std::vector<double> Times(size_t i) const {
    std::vector<double> times;
    for (size_t k = 0; k < pane(i).recording.size(); ++k) {
      times.push_back(pane(i).recording[k].time);
    }
    return times;
  }

  ScratchFolder folder_;
  std::shared_ptr<Experiment> experiment_;
  Session session_;
};

// Column by column, but for the time that steps took.
void ExpectSameRows(const Recording& recording, const std::vector<SeriesColumn>& columns,
                    const std::vector<SeriesRow>& rows) {
  ASSERT_EQ(recording.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < columns.size(); ++c) {
      if (IsTiming(columns[c].name)) continue;
      EXPECT_EQ(recording[i].row[c], rows[i][c]) << columns[c].name << " in row " << i;
    }
  }
}

TEST_F(SessionTest, RecordsWhatTheCommandLineRecords) {
  Open(Falling("a") + Falling("b", "drift = 0.5"));
  PlayToEnd();
  for (size_t i = 0; i < 2; ++i) {
    const BackendRun run = RunTestBackend(*experiment_, i, folder_ / "runs");
    const Bundle bundle = Bundle::Open(run.bundle, TestBackends());
    ExpectSameRows(pane(i).recording, bundle.columns(), bundle.rows());
    for (size_t k = 0; k < bundle.frame_count(); ++k) {
      EXPECT_TRUE(pane(i).recording[k].points == bundle.Points(k).cast<float>());
    }
    EXPECT_EQ(pane(i).state, PaneState::kEnded);
    EXPECT_EQ(pane(i).reason, "completed");
  }
}

TEST_F(SessionTest, NothingRunsAheadOfAPausedClock) {
  Open(Falling("a"));
  EXPECT_TRUE(TickUntil(&session_, [&] { return pane(0).recording.size() == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  session_.Tick(kTick);
  EXPECT_THAT(Times(0), ElementsAre(0.0));
  EXPECT_EQ(session_.time(), 0.0);
}

TEST_F(SessionTest, StepsGoFromRecordToRecord) {
  Open(Falling("a") + Falling("b"));
  for (const double expected : {0.04, 0.08}) {
    session_.StepForward();
    EXPECT_TRUE(TickUntil(&session_, [&] { return std::abs(session_.time() - expected) < 1e-12; }));
  }
  session_.StepBack();
  EXPECT_NEAR(session_.time(), 0.04, 1e-12);
  session_.StepBack();
  session_.StepBack();
  EXPECT_EQ(session_.time(), 0.0);
  EXPECT_EQ(pane(0).recording.size(),
            3u);  // 0, 0.04, 0.08: what is recorded stays
}

TEST_F(SessionTest, ScrubbingStaysInWhatIsRecorded) {
  Open(Falling("a"));
  session_.StepForward();
  EXPECT_TRUE(TickUntil(&session_, [&] { return session_.time() > 0.03; }));
  session_.Scrub(0.19);
  EXPECT_NEAR(session_.time(), 0.04, 1e-12);
  session_.Scrub(0.01);
  EXPECT_EQ(session_.time(), 0.01);
  EXPECT_EQ(pane(0).recording.At(session_.time())->time, 0.0);
  session_.Scrub(-1.0);
  EXPECT_EQ(session_.time(), 0.0);
}

TEST_F(SessionTest, TheClockRunsAtTheSpeedAskedFor) {
  Open(Falling("a"));
  session_.SetSpeed(0.5);
  session_.Play();
  EXPECT_TRUE(TickUntil(&session_, [&] { return AllEnded(session_); }));
  const double before = session_.time();
  session_.Tick(0.04);
  EXPECT_NEAR(session_.time() - before, 0.02, 1e-12);
  session_.Tick(100.0);  // the machine slept: no jump
  EXPECT_NEAR(session_.time() - before, 0.07, 1e-12);
  EXPECT_TRUE(TickUntil(
      &session_, [&] { return !session_.playing(); }, kTick));
  EXPECT_NEAR(session_.time(), 0.2, 1e-12);
  session_.Play();  // from the end it begins again
  EXPECT_EQ(session_.time(), 0.0);
}

// A hand may take hold of a point at any time: what it does is new to runs that begin again and are
// at the record at or after the present one.
TEST_F(SessionTest, ALeadBeginsJustBehindTheSecondRecordFromThere) {
  Open(Falling("a"));
  const double every = experiment_->plan.record_every, step = experiment_->plan.step;
  session_.Play();
  while (session_.playing()) {
    const double present = std::ceil(session_.time() / every - 1e-6) * every;
    EXPECT_GT(session_.DragBegin(), present + 2.0 * every);
    EXPECT_LT(session_.DragBegin(), present + 2.0 * every + step);
    session_.Tick(kTick);
  }
}

TEST_F(SessionTest, PlaysBackwardsOverWhatIsRecordedAndRunsNothing) {
  Open(Falling("a"));
  session_.StepForward();
  EXPECT_TRUE(TickUntil(&session_, [&] { return session_.time() > 0.03; }));
  session_.StepForward();
  EXPECT_TRUE(TickUntil(&session_, [&] { return session_.time() > 0.07; }));
  session_.SetSpeed(0.5);
  session_.PlayBack();
  EXPECT_TRUE(session_.backwards());
  session_.Tick(0.04);
  EXPECT_NEAR(session_.time(), 0.06, 1e-12);
  EXPECT_GT(session_.RealTimeFactor(), 0.0);
  EXPECT_TRUE(TickUntil(
      &session_, [&] { return !session_.playing(); }, kTick));
  EXPECT_EQ(session_.time(), 0.0);
  EXPECT_FALSE(session_.backwards());
  EXPECT_EQ(pane(0).recording.size(), 3u);
  session_.PlayBack();  // from the start: from the end of what is recorded
  EXPECT_NEAR(session_.time(), 0.08, 1e-12);
  session_.Play();  // and turns round
  EXPECT_FALSE(session_.backwards());
  session_.Tick(0.01);
  EXPECT_GE(session_.time(), 0.08 - 1e-12);
}

TEST_F(SessionTest, APaneOfAVariantShowsItsSceneAndHasNoDistanceToOtherPoints) {
  for (const auto& [of_b, corresponds] : {std::pair("unset = ['scene.body.rope']\n", false),
                                          {"scene.gravity = [0, -1, 0]\n", true}}) {
    Open(Falling("a") + Falling("b", of_b), "reference = 'a'\n");
    EXPECT_FALSE(pane(0).varies);
    EXPECT_TRUE(pane(1).varies);
    EXPECT_EQ(pane(0).scene, experiment_->scene);
    EXPECT_EQ(pane(1).scene, SceneOf(*experiment_, 1));
    PlayToEnd();
    EXPECT_EQ(pane(1).recording[0].points.cols(), pane(1).scene->PointCount());
    ViewState view(&session_);
    ViewSettings settings;
    settings.quantity = Quantity::kReferenceDistance;
    view.SetSettings(settings);
    EXPECT_TRUE(view.HasValues(0));
    EXPECT_EQ(view.HasValues(1), corresponds) << of_b;
    EXPECT_EQ(view.Values(1).has_value(), corresponds) << of_b;
    EXPECT_EQ(UndefinedText(view, 1).toStdString(),
              corresponds ? "" : "distance to a: none, its points are others");
  }
}

TEST_F(SessionTest, ADivergedPaneFreezesAndTheOthersGoOn) {
  Open(Falling("good") + Falling("bad", "diverges_at = 7"));
  PlayToEnd();
  EXPECT_EQ(pane(0).state, PaneState::kEnded);
  EXPECT_EQ(pane(1).state, PaneState::kFrozen);
  EXPECT_TRUE(pane(1).diverged);
  EXPECT_THAT(pane(1).reason, HasSubstr("diverged at step 7: height"));
  EXPECT_NEAR(session_.time(), 0.2, 1e-12);
  EXPECT_NEAR(pane(1).recording.At(0.2)->time, 0.06,
              1e-12);  // the last good state
}

TEST_F(SessionTest, RefusalsAndExceptionsAreReasons) {
  static const ThrowingBackend throwing;
  Open(Falling("good") + Falling("refusing", "refuses = true") + Falling("throwing"));
  // The one that is open belongs to its panes.
  experiment_ = std::make_shared<Experiment>(*experiment_);
  experiment_->backends[2].backend = &throwing;
  session_.Open(experiment_);
  PlayToEnd();
  EXPECT_EQ(pane(0).state, PaneState::kEnded);
  EXPECT_EQ(pane(1).state, PaneState::kFrozen);
  EXPECT_THAT(pane(1).reason, HasSubstr("too heavy"));
  EXPECT_EQ(pane(2).state, PaneState::kFrozen);
  EXPECT_EQ(pane(2).reason, "failed: the rope is cut");
}

TEST_F(SessionTest, AnEditRunsAgainToThePresentTime) {
  Open(Falling("a"));
  session_.StepForward();
  session_.StepForward();
  EXPECT_TRUE(TickUntil(&session_, [&] { return session_.time() > 0.03; }));
  session_.StepForward();
  EXPECT_TRUE(TickUntil(&session_, [&] { return session_.time() > 0.07; }));
  const double at = session_.time();
  auto edited =
      std::make_shared<Experiment>(FallingExperiment(folder_, Falling("a", "drift = 2.0")));
  session_.Change(edited);
  EXPECT_TRUE(session_.CatchingUp());
  EXPECT_FALSE(pane(0).recording.empty());  // the pane is not blank meanwhile
  EXPECT_TRUE(TickUntil(&session_, [&] { return !session_.CatchingUp(); }));
  EXPECT_EQ(session_.time(), at);
  const auto frame = pane(0).recording.At(at);
  const double drift = frame->points(0, 0) - edited->scene->InitialPoints()(0, 0) - at * 1.0;
  EXPECT_NEAR(drift, 2.0 * at, 1e-5);
  PlayToEnd();
  EXPECT_EQ(pane(0).recording.size(), 6u);
}

TEST_F(SessionTest, NoMorePanesThanFit) {
  std::string backends;
  for (const char* label : {"a", "b", "c", "d", "e", "f", "g", "h"}) backends += Falling(label);
  std::vector<std::string> said;
  QObject::connect(&session_, &Session::Logged,
                   [&](const QString& line) { said.push_back(line.toStdString()); });
  Open(backends);
  EXPECT_EQ(session_.panes().size(), kMostPanes);
  EXPECT_THAT(said, ElementsAre("the panes show the first 6 of 8 backends"));
}

// The rope falls through the floor by ½ g t².
TEST_F(SessionTest, WhatAnObstacleDoesNotCarryIsLogged) {
  std::vector<std::string> said;
  QObject::connect(&session_, &Session::Logged,
                   [&](const QString& line) { said.push_back(line.toStdString()); });
  Open(Falling("a"));
  PlayToEnd();
  EXPECT_THAT(said, ::testing::Contains(::testing::StartsWith(
                        "a: warning: body 'rope' is 0.2 m deep in obstacle 'floor' at 0.2 s")));
}

TEST_F(SessionTest, ClosesInTheMiddleOfARun) {
  Open(Falling("a") + Falling("b"));
  session_.Play();
  session_.Tick(kTick);
  session_.Close();
  EXPECT_TRUE(session_.panes().empty());
  EXPECT_FALSE(session_.playing());
  session_.Tick(kTick);
}

#ifdef __linux__
TEST(ThreadPriorityTest, AWorkerGivesWayAndTheWindowDoesNot) {
  const auto priority = [] { return getpriority(PRIO_PROCESS, 0); };  // of the calling thread
  const int before = priority();
  int of_worker = 0;
  std::jthread([&] {
    LowerThreadPriority();
    of_worker = priority();
  }).join();
  EXPECT_EQ(of_worker, std::max(before, 10));
  EXPECT_EQ(priority(), before);
}
#endif

// Arrows in a pane show what the simulation reports, in every formulation that reports it.
TEST_F(SessionTest, KeepsTheConstraintForcesOfTheRun) {
  experiment_ =
      std::make_shared<Experiment>(ReadExperiment("experiments/hang.toml", {"run.duration=0.1"}));
  session_.Open(experiment_);
  PlayToEnd();
  int told = 0;
  for (size_t i = 0; i < session_.panes().size(); ++i) {
    const Recording& seen = pane(i).recording;
    const Translation translation = TranslateFor(*experiment_, i);
    if (translation.simulation == nullptr) continue;
    ASSERT_EQ(seen.size(), 6u);
    translation.simulation->KeepConstraintForces();
    size_t k = 0;
    RunHooks hooks;
    hooks.on_frame = [&](const Frame&) {
      const auto forces = translation.simulation->ConstraintForces();
      const auto arrows = ArrowsOf(ArrowKind::kConstraintForces, *experiment_->scene, seen, k);
      ++k;
      ASSERT_EQ(arrows.has_value(), forces.has_value()) << pane(i).label << " " << k;
      if (!forces) return;
      EXPECT_TRUE(arrows->vectors.cast<float>() == forces->cast<float>());
      EXPECT_TRUE(arrows->origins.cast<float>() == seen[k - 1].points);
      if (arrows->Longest() > 0.1) ++told;
    };
    pliant::Run(*experiment_, i, translation.simulation.get(), hooks);
    EXPECT_EQ(k, seen.size());
  }
  EXPECT_GE(told, 15);
}

TEST(SessionOfBundlesTest, ShowsWhatTheBundleHolds) {
  const ScratchFolder folder;
  const Experiment experiment = ReadExperiment("experiments/drop.toml", {"run.duration=0.05"});
  for (const size_t i : {0, 2}) {
    RunIntoBundle(experiment, i, TranslateFor(experiment, i), folder.path(), {});
  }
  const std::vector<std::filesystem::path> paths = FindBundles(folder.path());
  ASSERT_EQ(paths.size(), 2u);
  Session session;
  session.OpenBundles(paths);
  EXPECT_TRUE(TickUntil(&session, [&] { return AllEnded(session); }));
  for (size_t i = 0; i < 2; ++i) {
    const Bundle bundle = Bundle::Open(paths[i]);
    const Pane& pane = session.panes()[i];
    EXPECT_EQ(pane.label, bundle.label());
    EXPECT_EQ(pane.backend, &bundle.backend());
    ExpectSameRows(pane.recording, bundle.columns(), bundle.rows());
    EXPECT_EQ(pane.start.translation.size(), bundle.translation().size());
    ViewState view(&session);
    ViewSettings settings;
    settings.arrows = ArrowKind::kConstraintForces;
    view.SetSettings(settings);
    EXPECT_EQ(UndefinedText(view, static_cast<int>(i)).toStdString(),
              "constraint forces: not recorded in a bundle");
  }
  EXPECT_EQ(session.EndTime(), 0.05);
  // An altered file is told, and nothing else is lost.
  WriteFile(paths[1] / "series.csv", "time_s\n0\n");
  session.OpenBundles(paths);
  EXPECT_TRUE(TickUntil(&session, [&] { return AllEnded(session); }));
  EXPECT_EQ(session.panes()[0].state, PaneState::kEnded);
  EXPECT_EQ(session.panes()[1].state, PaneState::kFrozen);
  EXPECT_THAT(session.panes()[1].reason, HasSubstr("series.csv"));
}

// 49 × 49 points have 4704 segments.
TEST_F(SessionTest, PiecesThatAreTooManyAreNamedAlone) {
  WriteFile(folder_ / "sheet.toml", R"(
[scene]
name = "sheet"
[[scene.body]]
name = "sheet"
shape = "sheet"
size = [1, 1]
points = [49, 49]
mass = 1.0
[run]
duration = 0.002
step = 0.001
record_every = 0.001
[backends.displacement-constraints]
[backends.linear-deformation]
)");
  session_.Open(std::make_shared<Experiment>(ReadExperiment(folder_ / "sheet.toml")));
  PlayToEnd();
  ASSERT_EQ(pane(0).recording.size(), 3u);
  const std::vector<PanePieces>& segments = pane(0).recording[2].pieces;
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].name, "segments");
  EXPECT_EQ(segments[0].ends.cols(), 0);
  const std::vector<PanePieces>& box = pane(1).recording[2].pieces;
  ASSERT_EQ(box.size(), 1u);
  EXPECT_EQ(box[0].name, "deformed box");
  EXPECT_EQ(box[0].ends.cols() / 2, 12);
}

}  // namespace
}  // namespace pliant
