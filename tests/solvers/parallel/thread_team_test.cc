#include "solvers/parallel/thread_team.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "solvers/parallel/start_threads.h"
#include "solvers/parallel/work_queue.h"

namespace pliant {
namespace {

TEST(ThreadTeam, DoesEachPieceOnceAndHasDoneThemAllWhenItReturns) {
  for (const int threads : {-1, 1, 2, 5}) {
    ThreadTeam team(threads);
    std::vector<int> done(7);  // not atomic: whoever reads it next must see it
    for (int call = 1; call <= 2000; ++call) {
      team.Run(static_cast<int>(done.size()), [&](int piece, int) { ++done[piece]; });
      for (const int times : done) ASSERT_EQ(times, call) << threads;
    }
    team.Run(0, [](int, int) { FAIL() << "there is nothing to do"; });
  }
}

#ifdef __GLIBC__
// A team waited for ever for the threads that it had when the system refused the next.
TEST(ThreadTeam, GoesOnWithTheThreadsThatTheSystemGrants) {
  pthread_attr_t usual;
  pthread_attr_t refused;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&refused), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&refused, size_t{1} << 55), 0);
  std::vector<int> done(7);
  ASSERT_EQ(pthread_setattr_default_np(&refused), 0);
  ThreadTeam(3).Run(7, [&](int piece, int worker) { done[piece] += 1 + worker; });
  RunWorkQueue(7, 3, {}, [&](const WorkItem& item) { done[item.number] += 1; });
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_EQ(done, std::vector<int>(7, 2));
  EXPECT_EQ(StartThreads(2, [](size_t) {}).size(), 2U);
}
#endif

TEST(ThreadTeam, AWorkerIsOneThreadAndTheFirstIsTheCaller) {
  ThreadTeam team(3);
  EXPECT_EQ(team.threads(), 3);
  std::mutex lock;
  std::array<std::vector<std::thread::id>, 3> threads;
  for (int call = 0; call < 20; ++call) {
    team.Run(30, [&](int, int worker) {
      const std::lock_guard guard(lock);
      ASSERT_LT(static_cast<size_t>(worker), threads.size());
      threads[worker].push_back(std::this_thread::get_id());
    });
  }
  for (const auto& of_worker : threads) {
    for (const std::thread::id& id : of_worker) EXPECT_EQ(id, of_worker.front());
  }
  for (const std::thread::id& id : threads[0]) EXPECT_EQ(id, std::this_thread::get_id());
}

TEST(ThreadTeam, TwoThreadsAreAtTwoPiecesAtATimeAlsoAfterAPause) {
  ThreadTeam team(2);
  ThreadTeam moved = std::move(team);
  for (const int pause : {0, 20}) {  // ms: long enough to fall asleep
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    std::atomic<int> begun = 0;
    bool other_is_done = false;
    moved.Run(2, [&](int, int worker) {
      const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      for (++begun; begun < 2;) {
        ASSERT_LT(std::chrono::steady_clock::now(), patience) << "one piece waits for the other";
        std::this_thread::yield();
      }
      if (worker == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      other_is_done = true;
    });
    EXPECT_EQ(begun, 2);
    EXPECT_TRUE(other_is_done) << "it returned before";
  }
}

}  // namespace
}  // namespace pliant
