// Every mistake in an [optimize] table is one line "file:line:column: what; how to mend".

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/searches/throwing.h"
#include "tests/says.h"

namespace pliant {
namespace {

using testing::HasSubstr;

struct Slip {
  const char *from, *to;
  const char* at;  // text of the file at which the message points
  std::vector<const char*> says;
};
Slip Wrong(const char* from, const char* to, const char* at, std::vector<const char*> says) {
  return {from, to, at, std::move(says)};
}

void PrintTo(const Slip& slip, std::ostream* out) { *out << slip.to; }

class OptimizeMistake : public testing::TestWithParam<Slip> {};

TEST_P(OptimizeMistake, IsToldAtItsPlaceInOneLine) {
  const Slip& slip = GetParam();
  const ScratchFolder folder;
  std::string text = kThrow;
  const size_t at = text.find(slip.from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(slip.from).size(), slip.to);
  const std::string error = ThrowingError(folder, text);
  ExpectComplaint(error, (folder / "fall.toml").string(),
                  LineOfText(ReadFile(folder / "fall.toml"), slip.at), slip.says);
}

INSTANTIATE_TEST_SUITE_P(
    All, OptimizeMistake,
    testing::Values(
        Wrong("trials", "trails", "trails", {"unknown key", "did you mean 'trials'"}),
        Wrong("trials = 40", "trials = 0", "trials = 0", {"at least 1"}),
        Wrong("trials = 40\n", "", "[optimize]", {"lacks the key 'trials'"}),
        Wrong("restarts = 2", "seconds = 0", "seconds = 0", {"more than 0"}),
        Wrong("restarts = 2", "seconds = -1.5", "seconds = -1.5", {"more than 0"}),
        Wrong("restarts = 2", "restarts = 0", "restarts = 0", {"at least 1"}),
        Wrong("restarts = 2", "restarts = 10001", "restarts = 10001", {"at most 10000"}),
        Wrong("restarts = 2", "backend = \"thrwo\"", "backend =", {"did you mean 'throw'"}),
        Wrong("restarts = 2", "against = [\"thrwo\"]", "against =", {"did you mean 'throw'"}),
        Wrong("restarts = 2", "against = [\"throw\"]",
              "against =", {"is the backend of the search"}),
        Wrong("\"1/distance\"", "\"jump\"", "function =", {"falling does not measure the"}),
        Wrong("restarts = 2", "body = \"nett\"", "body =", {"did you mean 'net'"}),
        Wrong("\"1/distance\"", "\"1/distence\"", "function =", {"did you mean '1/distance'"}),
        Wrong("\"1/distance\"", "\"energy/distance\"",
              "function =", {"falling does not measure the energy"}),
        Wrong("\"1/distance\"", "\"1/distance\"\nscale = 0", "scale = 0", {"more than 0"}),
        Wrong("\"1/distance\"", "\"1/distance\"\nweights = {distance = 1}",
              "weights =", {"only a weighted sum"}),
        Wrong("\"1/distance\"", "\"weighted-sum\"", "function =", {"needs a weight"}),
        Wrong("\"1/distance\"", "\"weighted-sum\"\nweights = {distanse = 1}",
              "weights =", {"did you mean 'distance'"}),
        Wrong("numbers = \"drift\"", "numbers = \"drft\"", "numbers =", {"did you mean 'drift'"}),
        Wrong("numbers = \"drift\"", "numbers = \"formulation\"",
              "numbers =", {"'formulation' is not a parameter of the formulation"}),
        Wrong("numbers = \"drift\"", "numbers = \"kinematic\"",
              "numbers =", {"write it there with the value at which searches start"}),
        Wrong("upper = 3.0", "upper = -3.0", "upper =", {"more than lower"}),
        Wrong("upper = 3.0", "upper = 0.4", "numbers =", {"'drift' starts at 0.5, outside"}),
        Wrong("upper = 3.0", "upper = 3.0\n[optimize.methods.anealing]", "[optimize.methods",
              {"no method 'anealing'", "did you mean 'annealing'"}),
        Wrong("upper = 3.0", "upper = 3.0\n[optimize.methods.annealing]\ncooling_rate = 1.5",
              "cooling_rate", {"cooling_rate", "between"}),
        Wrong("upper = 3.0", "upper = 3.0\n[optimize.methods.annealing]\ncooling_rat = 0.5",
              "cooling_rat", {"did you mean 'cooling_rate'"}),
        Wrong("formulation = 'falling'", "formulation = 'falling'\nrefuses = true", "[optimize]",
              {"too heavy"})));

TEST(OptimizeFile, WithoutTheTableHasNothingToSearch) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a"));
  EXPECT_FALSE(HasSearchPlan(experiment));
  EXPECT_THAT([&] { ReadSearchPlan(experiment); },
              testing::ThrowsMessage<FileError>(HasSubstr("no [optimize] table")));
}

// A shipped experiment as it must be written elsewhere.
std::string WithDataOfSources(std::string text) {
  const auto sources = std::filesystem::absolute(PLIANT_SOURCE_DIR).string();
  for (size_t up = text.find("\"../../"); up != std::string::npos; up = text.find("\"../../"))
    text.replace(up, 7, "\"" + sources + "/");
  return text;
}

// The start fits, but half of the numbers between the bounds would not.
TEST(OptimizeFile, BoundsThatTheBackendRefusesAreToldBeforeTheSearch) {
  const ScratchFolder folder;
  const std::string gait =
      PLIANT_SOURCE_DIR "/experiments/faloutsos-1995/faloutsos-bounding-speed.toml";
  const auto error = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = ReadFile(gait);
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    WriteFile(folder / "gait.toml", WithDataOfSources(text));
    try {
      ReadSearchPlan(ReadExperiment(folder / "gait.toml"));
      return "";
    } catch (const FileError& file_error) {
      return file_error.what();
    }
  };
  EXPECT_EQ(error("upper = 0.6", "upper = 0.6"), "");
  EXPECT_THAT(error("upper = 0.6", "upper = 0.7"),
              Says({"upper = 0.7 does not fit 'control.pose."}));
  EXPECT_THAT(error("lower = -0.6", "lower = -0.7"),
              Says({"lower = -0.7 does not fit 'control.pose."}));
}

// The stops of three hinges are different; each refused number has a line, at the key of its bound.
TEST(OptimizeFile, EveryRefusedBoundIsToldAtItsKeyWithItsUnit) {
  const ScratchFolder folder;
  std::string text =
      ReadFile(PLIANT_SOURCE_DIR "/experiments/witkin-kass-1988/lamp-jump-search.toml");
  const size_t push = text.find("numbers = \"control.pose.push.targets\"");
  ASSERT_NE(push, std::string::npos);
  text.replace(text.find("upper = 1.5", push), 11, "upper = 9.5");
  text.replace(text.find("lower = -0.85", push), 13, "lower = -7.25");
  const auto line_of = [&](const std::string& what) {
    return std::to_string(1 + std::count(text.begin(), text.begin() + text.find(what), '\n'));
  };
  WriteFile(folder / "jump.toml", WithDataOfSources(text));
  try {
    ReadSearchPlan(ReadExperiment(folder / "jump.toml"));
    ADD_FAILURE() << "not refused";
  } catch (const FileError& error) {
    std::vector<std::string> lines;
    for (const Mistake& mistake : error.mistakes()) lines.push_back(ToString(mistake));
    ASSERT_EQ(lines.size(), 6u) << testing::PrintToString(lines);
    for (size_t i = 0; i < 6; ++i) {
      const bool upper = i >= 3;
      const std::string bound = upper ? "upper = 9.5" : "lower = -7.25";
      EXPECT_THAT(lines[i], HasSubstr("jump.toml:" + line_of(bound) + ":9: " + bound +
                                      " does not fit 'control.pose.push.targets."));
      EXPECT_THAT(lines[i], testing::MatchesRegex(".* is (9.5|-7.25) rad, outside its limits; it "
                                                  "must be between -?[0-9.]+ and [0-9.]+ rad"));
    }
  }
}

TEST(OptimizeFile, SaysWhatItLacks) {
  const ScratchFolder folder;
  const std::string text = kThrow;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  const size_t vary = text.find("[[optimize.vary]]");
  EXPECT_THAT(ThrowingError(folder, text.substr(0, vary) + "[optimize.methods.annealing]\n"),
              HasSubstr("lacks the key 'vary'"));
  std::string none = text.substr(0, vary);
  none.replace(none.find("trials"), 6, "vary = []\ntrials");
  EXPECT_THAT(ThrowingError(folder, none), HasSubstr("nothing is varied; add [[optimize.vary]]"));
  EXPECT_THAT(ThrowingError(folder, with("function = \"1/distance\"",
                                         "function = \"weighted-sum\"\n"
                                         "weights = {probe = {sag_m = 1}}")),
              HasSubstr("no probe has a figure 'sag_m'; add a [[probe]]"));
  EXPECT_THAT(
      ThrowingError(folder, Falling("start") +
                                with("trials", "backend = 'throw'\nagainst = ['start']\ntrials")),
      HasSubstr("'start' is the name of a motion of the search; rename it"));
}

TEST(OptimizeFile, SaysWhatIsNoNumber) {
  const ScratchFolder folder;
  std::string text = kThrow;
  text.replace(text.find("\"drift\""), 7, "\"kinematic\"");
  text.replace(text.find("drift = 0.5"), 11, "kinematic = true");
  EXPECT_THAT(ThrowingError(folder, text), HasSubstr("'kinematic' matches no number in"));
}

TEST(OptimizeFile, SaysWhichBackendWhereThereAreSeveral) {
  const ScratchFolder folder;
  EXPECT_THAT(ThrowingError(folder, Falling("other") + kThrow),
              HasSubstr("does not name the backend to search"));
  std::string text = Falling("other") + kThrow;
  text.replace(text.find("trials"), 6, "backend = \"throw\"\ntrials");
  const SearchPlan plan = Throwing(folder, text);
  EXPECT_EQ(plan.backend, 1u);
}

}  // namespace
}  // namespace pliant
