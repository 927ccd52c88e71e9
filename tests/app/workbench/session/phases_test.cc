// Looking into steps, without a window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/workbench/session/checkpoints.h"
#include "app/workbench/session/session.h"
#include "experiments/comparison/comparison.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kHang[] = "experiments/hang.toml";

// Until `done`, twenty seconds at most.
template <typename Done>
::testing::AssertionResult TickOnUntil(Session* session, Done done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
    session->Tick(0.01);
    if (done()) return ::testing::AssertionSuccess();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return ::testing::AssertionFailure() << "not within twenty seconds";
}

TEST(CheckpointsTest, StaySpreadOverTheRun) {
  Checkpoints states;
  EXPECT_EQ(states.Before(1.0).numbers, nullptr);
  for (int i = 0; i <= 1000; ++i) states.Offer(0.01 * i, Eigen::VectorXd::Constant(2, i));
  double before = 0.0, widest = 0.0;
  int count = 1;
  for (int i = 0; i <= 1000; ++i) {
    const Checkpoints::State state = states.Before(0.01 * i);
    ASSERT_NE(state.numbers, nullptr);
    EXPECT_LE(state.time, 0.01 * i + 1e-9);
    EXPECT_DOUBLE_EQ((*state.numbers)[0], state.time / 0.01) << "the state of its time";
    widest = std::max(widest, 0.01 * i - state.time);
    if (state.time != before) ++count;
    before = state.time;
  }
  EXPECT_LE(count, static_cast<int>(Checkpoints::kMost));
  EXPECT_GE(count, static_cast<int>(Checkpoints::kMost) / 2);
  EXPECT_LT(widest, 2.0 * 10.0 / (Checkpoints::kMost / 2.0));
}

class PhasesTest : public ::testing::Test {
 protected:
  void Open(const std::vector<std::string>& overrides = {}) {
    experiment_ = std::make_shared<const Experiment>(ReadExperiment(kHang, overrides));
    session_.Open(experiment_);
    while (experiment_->backends[constraints_].label != "displacement-constraints") ++constraints_;
  }
  // To the next phase, and until it is shown.
  ::testing::AssertionResult Next() {
    const std::string before = Words();
    session_.StepPhase();
    return TickOnUntil(&session_, [&] { return Words() != before && !Words().empty(); });
  }
  std::string Words() const {
    const ShownPhase* phase = session_.Phase(constraints_);
    return phase == nullptr ? "" : phase->words;
  }
  Eigen::Matrix3Xf PointsAfter(size_t index, int steps) const {
    const Translation translation = TranslateFor(*experiment_, index);
    for (int i = 0; i < steps; ++i) {
      translation.simulation->Advance(experiment_->backends[index].step);
    }
    Observation seen;
    translation.simulation->Observe(&seen);
    return seen.points.cast<float>();
  }

  size_t constraints_ = 0;  // place of displacement-constraints
  std::shared_ptr<const Experiment> experiment_;
  Session session_;
};

TEST_F(PhasesTest, GoThroughTheStepOfTheRunAndOnIntoTheNext) {
  Open();
  session_.StepForward();
  session_.StepForward();
  ASSERT_TRUE(TickOnUntil(&session_, [&] { return session_.time() > 0.0; }));
  const double time = session_.time();
  const double h = experiment_->backends[constraints_].step;
  const int steps = static_cast<int>(std::lround(time / h));
  ASSERT_TRUE(Next());
  EXPECT_TRUE(session_.LooksIntoSteps());
  EXPECT_THAT(Words(), HasSubstr("forces of level 0"));
  const auto seen_at = [&] { return session_.Shown(constraints_)->points; };
  EXPECT_TRUE(seen_at() == PointsAfter(constraints_, steps)) << "forces move nothing";
  std::vector<std::string> seen;
  for (int i = 0; i < 2000 && Words().find("end of the step") == std::string::npos; ++i) {
    ASSERT_TRUE(Next());
    seen.push_back(Words());
  }
  EXPECT_THAT(seen.front(), HasSubstr("free motion"));
  EXPECT_THAT(seen[1], HasSubstr("sweep 1 of level"));
  EXPECT_THAT(seen[seen.size() - 2], HasSubstr("velocities of level 0"));
  EXPECT_TRUE(seen_at() == PointsAfter(constraints_, steps + 1));
  // Formulations that show no phases show the step.
  for (size_t i = 0; i < experiment_->backends.size(); ++i) {
    if (session_.panes()[i].state == PaneState::kFrozen) continue;
    if (TranslateFor(*experiment_, i).simulation->AsPhased() != nullptr) continue;
    EXPECT_THAT(session_.Phase(i)->words, StartsWith("1 of 1"));
  }
  ASSERT_TRUE(Next());
  EXPECT_THAT(Words(), HasSubstr("forces of level 0"));
  EXPECT_TRUE(seen_at() == PointsAfter(constraints_, steps + 1));
  EXPECT_EQ(session_.time(), time) << "the clock stands still";

  session_.Scrub(0.0);
  EXPECT_FALSE(session_.LooksIntoSteps());
  EXPECT_TRUE(seen_at() == PointsAfter(constraints_, 0));
}

// What is told of the joints is what is drawn of them, and the pieces are rigid.
TEST_F(PhasesTest, PiecesComeApartAndTogether) {
  Open();
  ASSERT_TRUE(
      TickOnUntil(&session_, [&] { return !session_.panes()[constraints_].recording.empty(); }));
  ASSERT_TRUE(Next());
  const Eigen::Matrix3Xd at_rest = session_.Phase(constraints_)->picture.pieces;
  const auto told = [this] {
    const std::string words = Words();
    return std::stod(words.substr(words.find("open by") + 7));
  };
  double free = 0.0, last = 0.0;
  for (int i = 0; i < 200 && Words().find("velocities") == std::string::npos; ++i) {
    ASSERT_TRUE(Next());
    const Eigen::Matrix3Xd& pieces = session_.Phase(constraints_)->picture.pieces;
    if (Words().find("free motion") != std::string::npos) free = told();
    if (Words().find("sweep") == std::string::npos) continue;
    // Ends that met at rest, of level 0.
    double gap = 0.0;
    for (Eigen::Index a = 0; a < pieces.cols(); ++a) {
      for (Eigen::Index b = 0; b < a; ++b) {
        if ((at_rest.col(a) - at_rest.col(b)).norm() > 1e-9) continue;
        gap = std::max(gap, (pieces.col(a) - pieces.col(b)).norm());
      }
      const Eigen::Index other = a ^ 1;
      EXPECT_NEAR((pieces.col(a) - pieces.col(other)).norm(),
                  (at_rest.col(a) - at_rest.col(other)).norm(), 1e-12);
    }
    last = told();
    EXPECT_GT(gap, 0.0);
    EXPECT_LE(gap, 1.06 * last + 1e-12) << Words() << ": holds may be worse, joints not";
  }
  EXPECT_GT(free, 0.0);
  EXPECT_LT(last, 0.5 * free);
}

TEST_F(PhasesTest, PlayingOrAnEditEndsTheLooking) {
  Open();
  ASSERT_TRUE(TickOnUntil(&session_, [&] { return !session_.panes()[0].recording.empty(); }));
  ASSERT_TRUE(
      TickOnUntil(&session_, [&] { return !session_.panes()[constraints_].recording.empty(); }));
  ASSERT_TRUE(Next());
  session_.Play();
  EXPECT_FALSE(session_.LooksIntoSteps());
  EXPECT_EQ(session_.Phase(constraints_), nullptr);
  session_.Pause();
  ASSERT_TRUE(Next());
  session_.Change(experiment_);
  EXPECT_FALSE(session_.LooksIntoSteps());
}

}  // namespace
}  // namespace pliant
