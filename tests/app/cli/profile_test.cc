// profile: search methods over several problems.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/storage.h"
#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class OnSearches : public ::testing::Test {
 protected:
  // Two problems of two methods, two seeds and three trials each.
  void SetUp() override {
    for (const char* name : {"first", "second"}) {
      const Ended searched = Pliant(
          {"optimize", "faloutsos-worm", "--set", std::string("name=\"") + name + "\"", "--set",
           "run.duration=0.3", "--set", "optimize.trials=3", "--set", "optimize.restarts=2",
           "--method", "hill-climbing", "--method", "random-search", "--out", runs_});
      ASSERT_EQ(searched.status, 0) << searched.err;
    }
  }
  const ScratchFolder folder_;
  const std::string runs_ = folder_ / "runs";
};

TEST_F(OnSearches, TablesAndCurvesAreOfAllSearchesBelowAFolder) {
  const Ended text = Pliant({"profile", runs_});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("  Methods over 2 problems:\n"));
  EXPECT_THAT(text.out, HasSubstr("Performance profile"));
  EXPECT_THAT(text.out, HasSubstr("Data profile"));
  EXPECT_THAT(text.out, HasSubstr("Expected trials in each problem"));
  const Ended csv = Pliant({"profile", runs_ + "/first", runs_ + "/second/optimize", "--format",
                            "csv", "--tolerance", "0.5"});
  EXPECT_THAT(csv.out, StartsWith("profile,method,at,share\nperformance,"));
  const Ended markdown = Pliant({"profile", runs_, "--format", "markdown"});
  EXPECT_THAT(markdown.out, StartsWith("**Methods over 2 problems**\n\n| method | solved |"));
}

TEST_F(OnSearches, APageDrawsBothProfiles) {
  const std::filesystem::path page = folder_ / "page" / "profiles.html";
  std::filesystem::create_directory(page.parent_path());
  const Ended drawn = Pliant({"profile", runs_, "--out", page.string()});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  if (drawn.err.find("without Qt") != std::string::npos) GTEST_SKIP() << "no reports in this build";
  EXPECT_THAT(drawn.err, HasSubstr("report: " + page.string()));
  const std::string html = ReadFile(page);
  for (const char* text : {"Performance profile", "Data profile", "Expected trials in each problem",
                           "hill-climbing", "random-search"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  for (const char* figure : {"performance-profile.svg", "data-profile.svg", "data-profile.pdf"}) {
    EXPECT_TRUE(std::filesystem::exists(page.parent_path() / "figures" / figure)) << figure;
  }
}

TEST_F(OnSearches, BadUsageIsStatus2) {
  const Ended nothing = Pliant({"profile", folder_ / "nothing"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, StartsWith("pliant: no search at or below "));
  const Ended tolerance = Pliant({"profile", runs_, "--tolerance", "0"});
  EXPECT_EQ(tolerance.status, 2);
  EXPECT_THAT(tolerance.err, HasSubstr("--tolerance must be between 0 and 1"));
  const Ended format = Pliant({"profile", runs_, "--format", "cvs"});
  EXPECT_EQ(format.status, 2);
  EXPECT_THAT(format.err, HasSubstr("did you mean 'csv'?"));
}

}  // namespace
}  // namespace pliant
