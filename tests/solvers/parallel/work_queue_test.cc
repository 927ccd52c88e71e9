#include "solvers/parallel/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace pliant {
namespace {

using ::testing::Each;

// Waits until `done`, as long as a test may take; false when it is not.
template <typename Condition>
bool Wait(const Condition& done) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point patience = Clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (Clock::now() > patience) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

TEST(WorkQueue, DoesEachItemOnceWhateverTheNumberOfThreads) {
  for (const int threads : {-1, 0, 1, 2, 5, 64}) {
    std::vector<std::atomic<int>> done(40);
    RunWorkQueue(done.size(), threads, {}, [&](const WorkItem& item) { ++done[item.number]; });
    for (const auto& times : done) EXPECT_EQ(times, 1) << threads;
  }
  RunWorkQueue(0, 3, {}, [](const WorkItem&) { FAIL() << "there is nothing to do"; });
}

TEST(WorkQueue, BeginsItemsInOrder) {
  std::vector<size_t> order;
  RunWorkQueue(5, 1, {}, [&](const WorkItem& item) { order.push_back(item.number); });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST(WorkQueue, AWorkerIsOneThreadAndTheFirstIsTheCaller) {
  EXPECT_EQ(WorkersFor(10, 3), 3u);
  EXPECT_EQ(WorkersFor(2, 3), 2u);
  EXPECT_EQ(WorkersFor(10, 0), 1u);
  EXPECT_EQ(WorkersFor(0, 3), 1u);
  std::mutex lock;
  std::array<std::vector<std::thread::id>, 3> threads;
  RunWorkQueue(30, 3, {}, [&](const WorkItem& item) {
    const std::lock_guard guard(lock);
    ASSERT_LT(item.worker, threads.size());
    threads[item.worker].push_back(std::this_thread::get_id());
  });
  for (const auto& of_worker : threads) {
    for (const std::thread::id& id : of_worker) EXPECT_EQ(id, of_worker.front());
  }
  EXPECT_THAT(threads[0], Each(std::this_thread::get_id()));
  for (size_t w = 1; w < 3; ++w) {
    EXPECT_THAT(threads[w], Each(testing::Ne(std::this_thread::get_id())));
  }
}

TEST(WorkQueue, TwoThreadsAreAtTwoItemsAtATime) {
  std::atomic<int> begun = 0;
  RunWorkQueue(2, 2, {}, [&](const WorkItem&) {
    ++begun;
    EXPECT_TRUE(Wait([&] { return begun == 2; })) << "one item waits for the other";
  });
}

TEST(WorkQueue, AStopReachesTheItemsUnderWayAndThoseNotBegun) {
  std::stop_source stop;
  std::atomic<int> begun = 0, stopped = 0;
  RunWorkQueue(6, 2, stop.get_token(), [&](const WorkItem& item) {
    if (++begun == 2) stop.request_stop();  // the other one is under way
    EXPECT_TRUE(Wait([&] { return item.stop.stop_requested(); }));
    ++stopped;
  });
  EXPECT_EQ(stopped, 6);
}

TEST(WorkQueue, AnErrorStopsTheOthersAndNoFurtherItemIsBegun) {
  std::atomic<int> begun = 0;
  bool told = false;
  const std::stop_source untouched;
  const auto work = [&](const WorkItem& item) {
    ++begun;
    Wait([&] { return begun == 2; });
    if (item.number == 1) throw std::runtime_error("the disc is full");
    told = Wait([&] { return item.stop.stop_requested(); });
  };
  EXPECT_THAT([&] { RunWorkQueue(50, 2, untouched.get_token(), work); },
              testing::ThrowsMessage<std::runtime_error>("the disc is full"));
  EXPECT_TRUE(told);
  EXPECT_EQ(begun, 2);
  EXPECT_FALSE(untouched.stop_requested());
}

TEST(WorkQueue, OfSeveralErrorsThatOfTheFirstItemIsThrown) {
  for (const size_t quick : {0u, 2u}) {  // the item that fails first by the clock
    std::atomic<int> begun = 0;
    const auto work = [&](const WorkItem& item) {
      ++begun;
      Wait([&] { return begun == 3; });
      if (item.number != quick) Wait([&] { return item.stop.stop_requested(); });
      throw std::runtime_error(std::to_string(item.number));
    };
    EXPECT_THAT([&] { RunWorkQueue(3, 3, {}, work); },
                testing::ThrowsMessage<std::runtime_error>("0"));
  }
}

}  // namespace
}  // namespace pliant
