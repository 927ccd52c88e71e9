#include "app/workbench/view/picture_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace pliant {
namespace {

using ::testing::ElementsAre;

PanesPicture PictureOfSize(int side, int panes = 0) {
  PanesPicture picture;
  picture.size = {side, side};
  for (int i = 0; i < panes; ++i) {
    picture.parts.emplace_back().viewport = QRect(0, 0, side, side);
  }
  return picture;
}

// What a thread tells; it may be made to wait while it tells.
class Listener {
 public:
  void Hear(const DrawnPicture& drawn) {
    std::unique_lock lock(mutex_);
    told_.push_back(drawn);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !holding_; });
  }
  void Hold(bool hold) {
    const std::lock_guard lock(mutex_);
    holding_ = hold;
    changed_.notify_all();
  }
  // Waits until so many have been told.
  std::vector<DrawnPicture> Told(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return told_.size() >= count; });
    return told_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DrawnPicture> told_;
  bool holding_ = false;
};

TEST(PictureThread, ARequestThatIsNotBegunGivesWayToTheNext) {
  Listener listener;
  listener.Hold(true);
  PictureThread thread([&](const DrawnPicture& drawn) { listener.Hear(drawn); });
  EXPECT_EQ(thread.Draw(PictureOfSize(8)), 1);
  listener.Told(1);  // it is held while it tells of the first
  for (int i = 2; i <= 5; ++i) EXPECT_EQ(thread.Draw(PictureOfSize(8 * i)), i);
  listener.Hold(false);
  const std::vector<DrawnPicture> told = listener.Told(2);
  EXPECT_EQ(told[0].number, 1);
  EXPECT_EQ(told[0].image.size(), QSize(8, 8));
  EXPECT_EQ(told[1].number, 5);
  EXPECT_EQ(told[1].image.size(), QSize(40, 40));
  EXPECT_EQ(told[1].why, "");
}

TEST(PictureThread, APictureAtRestGetsItsSamplesPaneByPaneUntilAnotherIsRequested) {
  Listener listener;
  PictureThread thread([&](const DrawnPicture& drawn) { listener.Hear(drawn); });
  thread.Draw(PictureOfSize(16, 3));
  listener.Told(1);
  listener.Hold(true);
  listener.Told(2);
  thread.Draw(PictureOfSize(32, 2));
  listener.Hold(false);
  std::vector<int> numbers;
  std::vector<bool> sharper;
  for (const DrawnPicture& drawn : listener.Told(5)) {
    numbers.push_back(drawn.number);
    sharper.push_back(drawn.sharper);
  }
  EXPECT_THAT(numbers, ElementsAre(1, 1, 2, 2, 2));
  EXPECT_THAT(sharper, ElementsAre(false, true, false, true, true));
}

TEST(PictureThread, WhoWaitsGetsTheOwnPicture) {
  Listener listener;
  PictureThread thread([&](const DrawnPicture& drawn) { listener.Hear(drawn); });
  for (int i = 1; i < 6; ++i) {
    thread.Draw(PictureOfSize(10));
    EXPECT_EQ(thread.DrawNow(PictureOfSize(10 + i, 2), i % 2 == 0).size(), QSize(10 + i, 10 + i));
  }
}

TEST(PictureThread, EndsWhileItHasRequestes) {
  std::atomic<int> told = 0;
  for (int i = 0; i < 5; ++i) {
    PictureThread thread([&](const DrawnPicture&) { ++told; });
    for (int side = 1; side < 20; ++side) thread.Draw(PictureOfSize(20 * side, 4));
  }
  EXPECT_LE(told, 5 * 19 * 5);
}

}  // namespace
}  // namespace pliant
