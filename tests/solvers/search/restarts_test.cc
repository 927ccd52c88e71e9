#include "solvers/search/restarts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "solvers/search/search_methods.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

const MotionNumbers kNumbers = Box(3, -5.0, 5.0, 3.0);

std::vector<Restart> Seeds(int count, std::int64_t budget) {
  std::vector<Restart> restarts;
  for (int seed = 1; seed <= count; ++seed) {
    restarts.push_back({[seed, budget] {
                          return FindSearchMethod("annealing")->Start(kNumbers, budget, seed, {});
                        },
                        budget,
                        {}});
  }
  return restarts;
}

std::unique_ptr<MotionProblem> MakeRipples() {
  return std::make_unique<FunctionProblem>(kNumbers, Ripples);
}

void ExpectSame(const std::vector<SearchHistory>& a, const std::vector<SearchHistory>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t s = 0; s < a.size(); ++s) {
    ASSERT_EQ(a[s].trials.size(), b[s].trials.size()) << s;
    for (size_t t = 0; t < a[s].trials.size(); ++t) {
      EXPECT_EQ(a[s].trials[t].numbers, b[s].trials[t].numbers);
      EXPECT_EQ(a[s].trials[t].score.cost, b[s].trials[t].score.cost);
      EXPECT_EQ(a[s].trials[t].accepted, b[s].trials[t].accepted);
      EXPECT_EQ(a[s].trials[t].temperature, b[s].trials[t].temperature);
    }
  }
}

TEST(Restarts, AreTheSameForAnyNumberOfThreads) {
  const auto one = RunRestarts(Seeds(5, 80), MakeRipples, 1, {});
  ASSERT_EQ(one.size(), 5u);
  EXPECT_NE(one[0].trials[1].numbers, one[1].trials[1].numbers);
  for (const int threads : {2, 3, 16}) {
    ExpectSame(one, RunRestarts(Seeds(5, 80), MakeRipples, threads, {}));
  }
}

TEST(Restarts, SecondsEndEachSearchOnItsOwn) {
  std::vector<Restart> restarts = Seeds(2, 80);
  restarts[1].seconds = 1e-12;  // over before it begins, or soon after
  const auto histories = RunRestarts(restarts, MakeRipples, 2, {});
  EXPECT_EQ(histories[0].trials.size(), 80u);
  EXPECT_LE(histories[1].trials.size(), 1u);
}

TEST(Restarts, EachThreadHasAProblemOfItsOwn) {
  std::atomic<int> made = 0;
  const auto make = [&made]() -> std::unique_ptr<MotionProblem> {
    ++made;
    const std::thread::id home = std::this_thread::get_id();
    return std::make_unique<FunctionProblem>(kNumbers, [home](const Eigen::VectorXd& x) {
      EXPECT_EQ(std::this_thread::get_id(), home);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return Ripples(x);
    });
  };
  RunRestarts(Seeds(6, 10), make, 3, {});
  EXPECT_LE(made, 3);
  EXPECT_GE(made, 2);
}

TEST(Restarts, TellEveryTrialOnce) {
  std::vector<int> told(4, 0);
  RestartHooks hooks;
  hooks.on_trial = [&told](size_t search, const Trial&) { ++told[search]; };
  RunRestarts(Seeds(4, 30), MakeRipples, 2, hooks);
  EXPECT_THAT(told, testing::Each(30));
}

TEST(Restarts, ResumeWhereEachWasStopped) {
  const auto whole = RunRestarts(Seeds(4, 60), MakeRipples, 1, {});
  std::stop_source stop;
  RestartHooks hooks = {.stop = stop.get_token()};
  int told = 0;
  hooks.on_trial = [&](size_t, const Trial&) {
    if (++told == 100) stop.request_stop();
  };
  const auto part = RunRestarts(Seeds(4, 60), MakeRipples, 2, hooks);
  size_t done = 0;
  for (const SearchHistory& history : part) done += history.trials.size();
  EXPECT_GE(done, 100u);
  EXPECT_LE(done, 101u);  // the other thread may be in a trial
  EXPECT_TRUE(part[3].cancelled);
  std::vector<Restart> rest = Seeds(4, 60);
  for (size_t s = 0; s < rest.size(); ++s) rest[s].past = part[s].trials;
  size_t evaluated = 0;
  RestartHooks counting;
  counting.on_trial = [&evaluated](size_t, const Trial&) { ++evaluated; };
  ExpectSame(whole, RunRestarts(rest, MakeRipples, 2, counting));
  EXPECT_EQ(evaluated, 240 - done);
}

TEST(Restarts, AnErrorIsThrownAndEndsTheOthers) {
  std::atomic<int> evaluations = 0;
  const auto make = [&]() -> std::unique_ptr<MotionProblem> {
    return std::make_unique<FunctionProblem>(kNumbers, [&](const Eigen::VectorXd& x) {
      if (++evaluations == 20) throw std::runtime_error("the disc is full");
      return Ripples(x);
    });
  };
  try {
    RunRestarts(Seeds(4, 100000), make, 2, {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the disc is full");
  }
  EXPECT_LT(evaluations, 50000);
}

}  // namespace
}  // namespace pliant
