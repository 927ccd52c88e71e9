// The yardstick of an experiment in the workbench: found and read in the background, below the curves,
// over the panes, and gone when the scene is another one.

#include "app/workbench/session/yardstick_pane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "app/plots/comparison_plots.h"
#include "app/workbench/pages/curve_data.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/overlay_text.h"
#include "app/workbench/view/view_state.h"
#include "experiments/yardstick/yardstick.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/yardstick/bar_scene.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

const std::string kBar = R"(
title = "A bar is let go"
reference = "yardstick"
[run]
duration = 0.1
step = 0.01
record_every = 0.02
[yardstick]
levels = 3
[backends.linear-deformation]
[backends.finite-elements]
)" + std::string(kBarScene);

class YardstickPaneTest : public ::testing::Test {
 protected:
  YardstickPaneTest() {
    WriteFile(folder_ / "bar.toml", kBar);
    session_.SetRuns(folder_ / "runs");
    QObject::connect(&session_, &Session::Logged,
                     [this](const QString& line) { log_ += line.toStdString() + '\n'; });
    QObject::connect(&session_, &Session::YardstickChanged, [this] { ++changes_; });
  }
  std::shared_ptr<const Experiment> Bar(const std::vector<std::string>& changes = {}) const {
    return std::make_shared<const Experiment>(ReadExperiment(folder_ / "bar.toml", changes));
  }
  void Keep() const { MakeYardstick(*Bar(), folder_ / "runs" / kYardsticksFolder, 1); }
  template <typename Done>
  bool TickUntil(Done done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < deadline) {
      session_.Tick(0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }
  bool IsThere() const { return session_.yardstick().pane() != nullptr; }

  ScratchFolder folder_;
  Session session_;
  std::string log_;
  int changes_ = 0;
};

TEST_F(YardstickPaneTest, IsReadToItsEndAndLiesBelowTheCurves) {
  Keep();
  session_.Open(Bar());
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return IsThere() && session_.AtEnd(); })) << log_;
  EXPECT_EQ(changes_, 1);
  const KeptYardstick kept = FindYardstick(folder_ / "runs", YardstickAddress(*Bar()));
  const Recording& read = session_.yardstick().pane()->recording;
  ASSERT_EQ(read.size(), kept.bundle.frame_count());
  EXPECT_EQ(read[3].points, kept.bundle.Points(3).cast<float>());
  const Plot plot = CurvePlot(session_.panes(), {"kinetic_energy_J", "kinetic energy", "", false},
                              false, nullptr, &session_.yardstick());
  ASSERT_EQ(plot.panels[0].curves.size(), 4U);  // band, curve, two runs
  const PlottedCurve &band = plot.panels[0].curves[0], &curve = plot.panels[0].curves[1];
  EXPECT_EQ(curve.name, kYardstick);
  EXPECT_EQ(curve.style.colour, kYardstickColour);
  const std::vector<double>& errors = kept.errors.at("kinetic_energy_J_error");
  for (size_t i = 0; i < errors.size(); ++i) {
    EXPECT_NEAR(band.base[i] + errors[i], curve.y[i], 1e-12);
    EXPECT_NEAR(band.y[i], 2.0 * errors[i], 1e-12);
  }
  const Plot energies = CurvePlot(session_.panes(), {"total-energy", "", "", true}, false, nullptr,
                                  &session_.yardstick());
  EXPECT_EQ(energies.panels[0].curves[1].name, kYardstick);
}

TEST_F(YardstickPaneTest, IsWhatDistancesAreMeasuredTo) {
  Keep();
  ViewState view(&session_);
  session_.Open(Bar());
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return IsThere() && session_.AtEnd(); })) << log_;
  ViewSettings settings = view.settings();
  settings.quantity = Quantity::kReferenceDistance;
  view.SetSettings(settings);
  ASSERT_NE(view.Reference(), nullptr);
  EXPECT_EQ(WordsOfQuantity(view), "distance to yardstick");
  const auto values = view.Values(0);
  ASSERT_TRUE(values.has_value());
  const auto now = session_.Shown(0);
  const auto there = session_.yardstick().pane()->recording.At(session_.time());
  EXPECT_EQ((*values)[4], (now->points.col(4) - there->points.col(4)).norm());
  EXPECT_GT((*values)[4], 0.0F);
}

TEST_F(YardstickPaneTest, ThatIsNotKeptIsSaidOnceAndNotWithEachEdit) {
  session_.Open(Bar());
  ASSERT_TRUE(TickUntil([&] { return !log_.empty(); }));
  EXPECT_THAT(log_, HasSubstr("no yardstick of this scene is kept"));
  EXPECT_THAT(log_, HasSubstr("pliant yardstick FILE"));
  log_.clear();
  session_.Change(Bar({"scene.gravity=[5,0,0]"}));
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return session_.AtEnd(); }));
  EXPECT_THAT(log_, ::testing::Not(HasSubstr("no yardstick")));
  EXPECT_FALSE(IsThere());
  EXPECT_EQ(changes_, 0);
}

TEST_F(YardstickPaneTest, OfAnotherSceneIsGone) {
  Keep();
  session_.Open(Bar());
  ASSERT_TRUE(TickUntil([&] { return IsThere(); }));
  session_.Change(Bar({"scene.gravity=[5,0,0]"}));
  EXPECT_FALSE(IsThere());
  EXPECT_EQ(changes_, 2);
  session_.Play();
  ASSERT_TRUE(TickUntil([&] { return session_.AtEnd(); }));
  EXPECT_FALSE(IsThere());
  session_.Change(Bar());  // undone
  ASSERT_TRUE(TickUntil([&] { return IsThere(); }));
  session_.Close();
  EXPECT_FALSE(IsThere());
}

}  // namespace
}  // namespace pliant
