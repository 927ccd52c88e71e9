// Searches that are killed, and go on.

#include "experiments/searches/history_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>

#include "experiments/searches/resumed_search.h"
#include "tests/experiments/searches/history_text.h"
#include "tests/experiments/searches/throwing.h"

namespace pliant {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kTrials = 80;  // of both searches

std::filesystem::path Unfinished(const std::filesystem::path& out) {
  return out / "fall" / ".optimize.unfinished";
}

// A process of its own searches into `out` and is killed right after its trial number `trial`.
void SearchKilledAfter(int trial, const SearchPlan& plan, const std::filesystem::path& out,
                       bool resume) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SearchesHooks hooks;
    hooks.on_trial = [&trial](size_t, const Trial&) {
      if (--trial == 0) kill(getpid(), SIGKILL);
    };
    RunSearches(plan, out, 1, resume, hooks);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
}

// Goes on and says how many trials were left to do.
int Resumed(const SearchPlan& plan, const std::filesystem::path& out) {
  int rest = 0;
  SearchesHooks hooks;
  hooks.on_trial = [&rest](size_t, const Trial&) { ++rest; };
  RunSearches(plan, out, 2, true, hooks);
  return rest;
}

std::string History(const std::filesystem::path& out) {
  return HistoryWithoutSeconds(out / "fall" / "optimize");
}

TEST(HistoryLog, SaysWhenATrialCannotBeWritten) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // From the third trial on no file may grow, as on a disk that is full.
    signal(SIGXFSZ, SIG_IGN);
    alarm(60);
    int trial = 0;
    SearchesHooks hooks;
    hooks.on_trial = [&trial](size_t, const Trial&) {
      const rlimit least = {1, 1};
      if (++trial == 3) setrlimit(RLIMIT_FSIZE, &least);
    };
    try {
      RunSearches(plan, folder / "runs", 1, false, hooks);
    } catch (const StorageError& error) {
      _exit(std::string(error.what()).find("cannot write") != std::string::npos && trial < 6 ? 0
                                                                                             : 2);
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(KilledSearch, LosesNoTrialAndGoesOnBitForBit) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  RunSearches(plan, folder / "whole", 1, false, {});
  EXPECT_FALSE(std::filesystem::exists(Unfinished(folder / "whole")));
  for (const int trial : {1, 39, 40, 41, 79, 80}) {
    const std::filesystem::path out = folder / ("killed" + std::to_string(trial));
    SearchKilledAfter(trial, plan, out, false);
    EXPECT_FALSE(std::filesystem::exists(out / "fall" / "optimize"));
    EXPECT_EQ(Resumed(plan, out), kTrials - trial);
    EXPECT_EQ(History(out), History(folder / "whole")) << trial;
    EXPECT_FALSE(std::filesystem::exists(Unfinished(out)));
  }
}

TEST(KilledSearch, MayBeKilledAgain) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  RunSearches(plan, folder / "whole", 1, false, {});
  SearchKilledAfter(20, plan, folder / "runs", false);
  SearchKilledAfter(30, plan, folder / "runs", true);
  EXPECT_EQ(Resumed(plan, folder / "runs"), kTrials - 50);
  EXPECT_EQ(History(folder / "runs"), History(folder / "whole"));
}

TEST(KilledSearch, LeavesAnOlderFolderAsItIsAndIsNewerThanThat) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  std::string longer_text = kThrow;
  longer_text.replace(longer_text.find("trials = 40"), 11, "trials = 60");
  const SearchPlan longer = Throwing(folder, longer_text);
  RunSearches(plan, folder / "runs", 1, false, {});
  const std::string before = History(folder / "runs");
  SearchKilledAfter(5, longer, folder / "runs", true);
  EXPECT_EQ(History(folder / "runs"), before);
  EXPECT_EQ(Resumed(longer, folder / "runs"), 120 - kTrials - 5);
}

TEST(KilledSearch, OfAnotherFileIsNotResumed) {
  const ScratchFolder folder;
  SearchKilledAfter(5, Throwing(folder), folder / "runs", false);
  std::string other = kThrow;
  other.replace(other.find("upper = 3.0"), 11, "upper = 4.0");
  const SearchPlan plan = Throwing(folder, other);
  EXPECT_THAT([&] { Resumed(plan, folder / "runs"); },
              ThrowsMessage<FileError>(HasSubstr("another search")));
}

TEST(KilledSearch, KeepsWhyTrialsFailed) {
  const ScratchFolder folder;
  std::string text = kThrow;
  text.replace(text.find("drift = 0.5"), 11, "drift = 0.5\ndiverges_at = 7");
  const SearchPlan plan = Throwing(folder, text);
  SearchKilledAfter(3, plan, folder / "runs", false);
  Resumed(plan, folder / "runs");
  const SearchRecord record = ReadSearchRecord(folder / "runs" / "fall" / "optimize");
  EXPECT_EQ(record.histories[0].trials[0].score.failure, "diverged at step 7: height");
  EXPECT_EQ(record.histories[0].trials[2].score.failure, "diverged at step 7: height");
}

SearchRecord SampleLog() {
  SearchRecord record = {.terms = {"distance_m", "energy_J"},
                         .numbers = {"drift"},
                         .searches = {{"annealing", "annealing", 1}, {"b", "hill-climbing", 3}}};
  record.histories.resize(2);
  for (int t = 0; t < 3; ++t) {
    Trial trial = {.numbers = Eigen::VectorXd::Constant(1, 1.0 / (t + 3.0))};
    trial.score.cost = 2.0 / (t + 3.0);
    trial.score.terms = {0.1, std::numeric_limits<double>::quiet_NaN()};
    if (t == 1) trial.score.failure = "diverged,\n \"height\",\"why\"\xff";
    record.histories[t % 2].trials.push_back(trial);
  }
  return record;
}

SearchRecord Empty() {
  SearchRecord record = SampleLog();
  for (SearchHistory& history : record.histories) history.trials.clear();
  return record;
}

TEST(HistoryLog, CutAtAnyByteGivesTheTrialsThatAreWhole) {
  const ScratchFolder folder;
  HistoryLog(folder / "log", "", SampleLog());
  const std::filesystem::path path = folder / "log" / "trials.csv";
  const std::string whole = ReadFile(path);
  const size_t header = whole.find('\n') + 1;
  for (size_t size = 0; size <= whole.size(); ++size) {
    const std::string text = whole.substr(0, size);
    WriteFile(path, text);
    SearchRecord read = Empty();
    if (size < header) {
      EXPECT_THROW(ReadHistoryLog(folder / "log", &read), FileError) << size;
      continue;
    }
    ReadHistoryLog(folder / "log", &read);
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
    ASSERT_EQ(read.histories[0].trials.size(), std::min<size_t>(lines, 2)) << size;
    ASSERT_EQ(read.histories[1].trials.size(), lines > 2 ? 1u : 0u) << size;
  }
  SearchRecord read = Empty();
  ReadHistoryLog(folder / "log", &read);
  EXPECT_EQ(read.histories[0].trials[1].score.cost, 2.0 / 5.0);
  EXPECT_EQ(read.histories[0].trials[1].numbers[0], 1.0 / 5.0);
  EXPECT_TRUE(std::isnan(read.histories[0].trials[1].score.terms[1]));
  EXPECT_EQ(read.histories[1].trials[0].score.failure, "diverged,\n \"height\",\"why\"\uFFFD");
}

TEST(HistoryLog, DamageIsTold) {
  const ScratchFolder folder;
  const auto damage = [&](const std::string& from, const std::string& to) {
    HistoryLog(folder / "log", "", SampleLog());
    std::string text = ReadFile(folder / "log" / "trials.csv");
    text.replace(text.find(from), from.size(), to);
    WriteFile(folder / "log" / "trials.csv", text);
    return [&folder] {
      SearchRecord read = Empty();
      ReadHistoryLog(folder / "log", &read);
    };
  };
  EXPECT_THAT(damage("violation", "violence"), ThrowsMessage<FileError>(HasSubstr("columns")));
  EXPECT_THAT(damage("\n1,1,", "\n1,x,"),
              ThrowsMessage<FileError>(HasSubstr("trials.csv:2: damaged: not a trial")));
  EXPECT_THAT(damage("\n1,1,", "\n1,"), ThrowsMessage<FileError>(HasSubstr("not a trial")));
  EXPECT_THAT(damage(",\"\"\n", ",\"\n"), ThrowsMessage<FileError>(HasSubstr("not a trial")));
  EXPECT_THAT(damage("\n2,1,", "\n3,1,"), ThrowsMessage<FileError>(HasSubstr("search 3")));
  EXPECT_THAT(damage("\n1,2,", "\n1,3,"),
              ThrowsMessage<FileError>(HasSubstr("trials.csv:3: damaged: trial 3 of search 1 where "
                                                 "trial 2 comes next")));
}

// A search that was begun anew and killed early does not cut the finished one that it was begun
// over.
TEST(KilledSearch, OfFewerTrialsThanTheFinishedOneDoesNotCutIt) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  RunSearches(plan, folder / "runs", 1, false, {});
  const std::string whole = History(folder / "runs");
  SearchKilledAfter(45, plan, folder / "runs", false);  // 40 of the first search, 5 of the second
  EXPECT_EQ(Resumed(plan, folder / "runs"), 0);
  EXPECT_EQ(History(folder / "runs"), whole);
}

TEST(ResumedSearch, StoppedAtOnceKeepsAllItsTrials) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  RunSearches(plan, folder / "runs", 1, false, {});
  const std::string before = History(folder / "runs");
  std::string longer_text = kThrow;
  longer_text.replace(longer_text.find("trials = 40"), 11, "trials = 60");
  const SearchPlan longer = Throwing(folder, longer_text);
  std::stop_source stop;
  stop.request_stop();
  SearchesHooks hooks;
  hooks.stop = stop.get_token();
  size_t past = 0;
  hooks.on_past = [&](const std::vector<SearchHistory>& histories) {
    for (const SearchHistory& history : histories) past += history.trials.size();
  };
  hooks.on_trial = [](size_t, const Trial&) { FAIL() << "it was stopped before its first trial"; };
  const SearchesResult result = RunSearches(longer, folder / "runs", 1, true, hooks);
  EXPECT_EQ(result.outcome, SearchesResult::Outcome::kCancelled);
  EXPECT_EQ(past, static_cast<size_t>(kTrials));
  EXPECT_EQ(History(folder / "runs"), before);
}

TEST(NameForResumedSearch, IsThatOfTheSameSearch) {
  const ScratchFolder folder;
  const std::filesystem::path out = folder / "runs";
  const auto search = [&](const SearchPlan& one, const std::string& name) {
    SearchPlan named = one;
    named.experiment.name = name;
    RunSearches(named, out, 1, false, {});
  };
  const SearchPlan plan = Throwing(folder);
  std::string other_text = kThrow;
  other_text.replace(other_text.find("upper = 3.0"), 11, "upper = 4.0");
  const SearchPlan other = Throwing(folder, other_text);
  SearchPlan longer = plan;
  longer.trials += 5;
  longer.table.Set("trials", longer.trials);

  EXPECT_EQ(NameForResumedSearch(plan, out), "fall");  // nothing is there
  search(other, "fall");
  EXPECT_EQ(NameForResumedSearch(plan, out), "fall");  // and is refused there
  search(plan, "fall-2");
  EXPECT_EQ(NameForResumedSearch(plan, out), "fall-2");
  EXPECT_EQ(NameForResumedSearch(longer, out), "fall-2");
  EXPECT_EQ(NameForResumedSearch(other, out), "fall");
  // The very number of trials goes before another one.
  search(longer, "fall-3");
  EXPECT_EQ(NameForResumedSearch(longer, out), "fall-3");
  EXPECT_EQ(NameForResumedSearch(plan, out), "fall-2");
  // One that has not ended goes before one that has.
  SearchKilledAfter(3, other, out, false);  // under "fall", as it is
  search(other, "fall-4");
  EXPECT_EQ(NameForResumedSearch(other, out), "fall");
}

TEST(FindPlaceForSearch, ResumesItsOwnSearchAndLeavesEveryOther) {
  const ScratchFolder folder;
  const std::filesystem::path out = folder / "runs";
  const SearchPlan plan = Throwing(folder);
  const auto place_of = [&](const SearchPlan& one) {
    const PlaceForSearch place = FindPlaceForSearch(one, out);
    return place.name + (place.resumes ? " resumes" : "");
  };
  EXPECT_EQ(place_of(plan), "fall");
  SearchKilledAfter(3, plan, out, false);
  EXPECT_EQ(place_of(plan), "fall resumes");
  RunSearches(plan, out, 1, true, {});
  EXPECT_EQ(place_of(plan), "fall resumes");

  std::string other_text = kThrow;
  other_text.replace(other_text.find("upper = 3.0"), 11, "upper = 4.0");
  SearchPlan other = Throwing(folder, other_text);
  EXPECT_EQ(place_of(other), "fall-2");
  other.experiment.name = "fall-2";
  RunSearches(other, out, 1, false, {});
  other.experiment.name = "fall";
  EXPECT_EQ(place_of(other), "fall-2 resumes");
  EXPECT_EQ(place_of(plan), "fall resumes");

  // Trials of another file that were left by a kill would be replaced too.
  SearchKilledAfter(3, other, out, false);
  EXPECT_EQ(place_of(plan), "fall-3");
  std::filesystem::remove_all(Unfinished(out));
  WriteFile(out / "fall" / "optimize" / "history.csv", "damaged");
  EXPECT_EQ(place_of(plan), "fall-3");
}

}  // namespace
}  // namespace pliant
