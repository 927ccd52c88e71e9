// What all panes share while runs are recorded: the camera that draws back, the scale of colours.

#include "app/workbench/view/view_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "app/workbench/session/session.h"
#include "app/workbench/view/quantity.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

class ViewStateTest : public ::testing::Test {
 protected:
  void Open(const std::string& backends) {
    session_.Open(std::make_shared<Experiment>(FallingExperiment(folder_, backends)));
    opened_ = camera().pose();
  }
  void PlayToEnd() {
    session_.Play();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const auto ended = [&] {
      return !session_.playing() &&
             std::all_of(session_.panes().begin(), session_.panes().end(),
                         [](const Pane& pane) { return pane.worker == nullptr; });
    };
    while (!ended() && std::chrono::steady_clock::now() < deadline) {
      session_.Tick(0.01 / session_.speed());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(ended());
  }
  OrbitCamera& camera() { return view_.camera(); }
  double Growth() { return camera().pose().extent.maxCoeff() / opened_.extent.maxCoeff(); }
  const Recording& recording(size_t pane) { return session_.panes()[pane].recording; }
  bool HoldsTheEndOf(size_t pane) {
    return camera().Holds(recording(pane)[recording(pane).size() - 1].points);
  }
  void Choose(Quantity quantity) {
    ViewSettings settings = view_.settings();
    settings.quantity = quantity;
    view_.SetSettings(settings);
  }
  // Over all frames of a pane.
  double Largest(size_t pane) {
    float largest = 0.0F;
    for (size_t i = 0; i < recording(pane).size(); ++i) {
      largest = std::max(largest, ValuesOf(view_.settings().quantity, *session_.panes()[pane].scene,
                                           recording(pane)[i], nullptr)
                                      ->maxCoeff());
    }
    return largest;
  }

  ScratchFolder folder_;
  Session session_;
  ViewState view_{&session_};
  CameraPose opened_;
};

// The net flies 6 m in 0.2 s.
TEST_F(ViewStateTest, DrawsBackFromWhatLeavesIt) {
  Open(Falling("a", "drift = 30"));
  PlayToEnd();
  EXPECT_TRUE(HoldsTheEndOf(0));
  EXPECT_GT(Growth(), 1.5);
}

TEST_F(ViewStateTest, StaysWhereItIsPutAndWhileAPointIsPulled) {
  Open(Falling("a", "drift = 30"));
  view_.CameraMoved();
  PlayToEnd();
  EXPECT_EQ(Growth(), 1.0);
  Open(Falling("a", "drift = 30"));  // another one is followed again
  PlayToEnd();
  EXPECT_TRUE(HoldsTheEndOf(0));
  Open(Falling("a", "drift = 30"));
  view_.SetPull(Pull{0, 0, {0, 0, 0}});
  PlayToEnd();
  EXPECT_EQ(Growth(), 1.0);
  EXPECT_FALSE(HoldsTheEndOf(0));
}

TEST_F(ViewStateTest, LetsGoWhatExplodes) {
  Open(Falling("a", "drift = 300"));  // 12 m from record to record
  session_.SetSpeed(0.05);            // each is seen as it comes
  PlayToEnd();
  EXPECT_GT(Growth(), 4.0);
  EXPECT_LT(Growth(), 15.0) << "of 25";
  EXPECT_FALSE(HoldsTheEndOf(0));
}

TEST_F(ViewStateTest, ColoursTellTheLargestOfAllFrames) {
  Open(Falling("a"));
  Choose(Quantity::kSpeed);  // it rises at first, ever more slowly
  PlayToEnd();
  EXPECT_FLOAT_EQ(view_.settings().full_scale, std::hypot(1.0, 2.0));
  Choose(Quantity::kDisplacement);
  EXPECT_GT(view_.settings().full_scale, 0.2);
  EXPECT_FLOAT_EQ(view_.settings().full_scale, Largest(0));
}

TEST_F(ViewStateTest, ADivergedPaneDoesNotSetTheScaleUnlessThereIsNoOther) {
  Open(Falling("a", "drift = 1") + Falling("b", "drift = 50\ndiverges_at = 9"));
  Choose(Quantity::kDisplacement);
  PlayToEnd();
  ASSERT_TRUE(session_.panes()[1].diverged);
  ASSERT_GT(Largest(1), 2.0 * Largest(0));
  EXPECT_FLOAT_EQ(view_.settings().full_scale, Largest(0));
  Open(Falling("b", "drift = 50\ndiverges_at = 9"));
  PlayToEnd();
  EXPECT_FLOAT_EQ(view_.settings().full_scale, Largest(0));
}

}  // namespace
}  // namespace pliant
