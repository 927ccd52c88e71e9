#include "experiments/searches/search_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/motion_table.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/says.h"

namespace pliant {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Trial MakeTrial(double cost, double number, bool accepted, double current, double best,
                std::optional<double> temperature) {
  Trial trial = {.numbers = Eigen::Vector2d(number, -number / 3.0)};
  trial.score.cost = cost;
  trial.score.terms = {cost * 7.0, kNan};
  trial.accepted = accepted;
  trial.current_cost = current;
  trial.best_cost = best;
  trial.temperature = temperature;
  trial.acceptance = temperature ? std::optional(0.5 * *temperature) : std::nullopt;
  trial.decision =
      !temperature ? Decision::kStart : (accepted ? Decision::kByChance : Decision::kWorse);
  trial.seconds = 0.25 * number;
  return trial;
}

SearchRecord Sample() {
  SearchRecord record = {
      .experiment = "hop",
      .title = "It \"hops\"",
      .outcome = "cancelled",
      .threads = 2,
      .terms = {"distance_m", "energy_J"},
      .numbers = {"control.pose.crouch.duration", "control.pose.crouch.targets.vertical shear"},
      .lower = {0.1, -1.0 / 3.0},
      .upper = {0.7, 1.0 / 7.0},
      .searches = {{"annealing", "annealing", 18446744073709551615ULL}, {"b", "hill-climbing", 3}}};
  record.searches[1].best_sunk = 1.0 / 7.0;
  record.histories.resize(2);
  record.histories[0].trials = {MakeTrial(kNan, 0.1, true, kInfinity, kInfinity, {}),
                                MakeTrial(1.0 / 3.0, 0.2, true, 1.0 / 3.0, 1.0 / 3.0, 0.7),
                                MakeTrial(1e6, 0.3, false, 1.0 / 3.0, 1.0 / 3.0, 0.35)};
  record.histories[0].trials[0].score.failure = "diverged at step 5: \"height\", and more";
  record.histories[0].trials[2].score.violation = 1.0;
  record.histories[0].cancelled = true;
  record.others.push_back({"planned", {}, 0.5});
  record.others[0].score.cost = 0.25;
  record.others[0].score.worst = "nothing";
  record.others[0].score.terms = {kNan, 1.0 / 7.0};
  return record;
}

// Without bundles: what the record alone knows.
TEST(TableOfMotions, HasAColumnForEachMotionAndARowForWhatIsDefined) {
  SearchRecord record = Sample();
  record.histories[0].trials[1].score.terms = {0.25, kNan};
  const FindingTable table = TableOfMotions(record, {});
  using Row = std::vector<std::string>;
  EXPECT_EQ(table.columns, (Row{"quantity", "start", "best", "planned"}));
  const auto row = [&](const std::string& name) {
    for (const Row& candidate : table.rows) {
      if (candidate[0] == name) return candidate;
    }
    return Row();
  };
  EXPECT_EQ(row("cost"), (Row{"cost", "–", "0.333", "0.25"}));
  EXPECT_EQ(row("why it is not feasible")[1], record.histories[0].trials[0].score.failure);
  EXPECT_EQ(row("why it is not feasible")[3], "nothing");
  EXPECT_EQ(row("distance_m")[2], "0.25");
  EXPECT_EQ(row("energy_J")[3], "0.143");
  EXPECT_EQ(row("penetration_max_m"), Row());
  EXPECT_EQ(row("computing_s"), (Row{"computing_s", "0.025", "0.05", "0.5"}));
}

TEST(SearchRecord, ReadsBackBitForBit) {
  const ScratchFolder folder;
  const SearchRecord record = Sample();
  WriteSearchRecord(folder.path(), record);
  const SearchRecord read = ReadSearchRecord(folder.path());
  EXPECT_EQ(read.experiment, record.experiment);
  EXPECT_EQ(read.title, record.title);
  EXPECT_EQ(read.outcome, record.outcome);
  EXPECT_EQ(read.lower, record.lower);
  EXPECT_EQ(read.upper, record.upper);
  EXPECT_EQ(read.terms, record.terms);
  EXPECT_EQ(read.numbers, record.numbers);
  ASSERT_EQ(read.searches.size(), 2u);
  EXPECT_EQ(read.searches[0].seed, record.searches[0].seed);
  EXPECT_EQ(read.searches[1].method, "hill-climbing");
  EXPECT_FALSE(read.searches[0].best_sunk);
  EXPECT_EQ(read.searches[1].best_sunk, 1.0 / 7.0);
  ASSERT_EQ(read.others.size(), 1u);
  EXPECT_EQ(read.others[0].label, "planned");
  EXPECT_EQ(read.others[0].score.cost, 0.25);
  EXPECT_EQ(read.others[0].score.worst, "nothing");
  EXPECT_EQ(read.others[0].seconds, 0.5);
  ASSERT_EQ(read.others[0].score.terms.size(), 2u);
  EXPECT_TRUE(std::isnan(read.others[0].score.terms[0]));
  EXPECT_EQ(read.others[0].score.terms[1], 1.0 / 7.0);
  ASSERT_EQ(read.histories.size(), 2u);
  EXPECT_TRUE(read.histories[0].cancelled);
  EXPECT_TRUE(read.histories[1].trials.empty());
  ASSERT_EQ(read.histories[0].trials.size(), 3u);
  for (size_t t = 0; t < 3; ++t) {
    const Trial &a = read.histories[0].trials[t], &b = record.histories[0].trials[t];
    EXPECT_EQ(a.numbers, b.numbers);
    EXPECT_EQ(a.score.failure, b.score.failure);
    EXPECT_EQ(a.score.violation, b.score.violation);
    EXPECT_EQ(a.accepted, b.accepted);
    EXPECT_EQ(a.current_cost, b.current_cost);
    EXPECT_EQ(a.best_cost, b.best_cost);
    EXPECT_EQ(a.temperature, b.temperature);
    EXPECT_EQ(a.acceptance, b.acceptance);
    EXPECT_EQ(a.decision, b.decision);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_TRUE(std::isnan(a.score.terms[1]));
    EXPECT_TRUE(t == 0 || a.score.terms[0] == b.score.terms[0]);
  }
  EXPECT_EQ(read.histories[0].trials[0].score.cost, kInfinity);  // of a failed trial
  EXPECT_EQ(read.histories[0].trials[1].score.cost, 1.0 / 3.0);
}

TEST(SearchRecord, HistoryIsATableOfTrials) {
  const ScratchFolder folder;
  WriteSearchRecord(folder.path(), Sample());
  const std::string text = ReadFile(folder / "history.csv");
  EXPECT_THAT(text, testing::StartsWith(
                        "search,evaluation,cost,violation,failed,accepted,current_cost,best_cost,"
                        "temperature,acceptance,decision,seconds,distance_m,energy_J,"
                        "control.pose.crouch.duration,"
                        "control.pose.crouch.targets.vertical shear\n"
                        "1,1,inf,0,1,1,inf,inf,,,0,0.025,,,0.1,"));
}

TEST(SearchRecord, SummaryCountsDecisionsAndSaysTheTemperatures) {
  const ScratchFolder folder;
  WriteSearchRecord(folder.path(), Sample());
  const auto json = nlohmann::json::parse(ReadFile(folder / kSearchFile));
  const auto& annealing = json.at("searches").at(0);
  EXPECT_EQ(annealing.at("decisions").at("start"), 1);
  EXPECT_EQ(annealing.at("decisions").at("by_chance"), 1);
  EXPECT_EQ(annealing.at("decisions").at("worse"), 1);
  EXPECT_EQ(annealing.at("decisions").at("not_worse"), 0);
  EXPECT_EQ(annealing.at("first_temperature"), 0.7);
  EXPECT_EQ(annealing.at("last_temperature"), 0.35);
  EXPECT_TRUE(json.at("searches").at(1).at("first_temperature").is_null());
}

TEST(SearchRecord, ADecisionThatThereIsNotIsADamagedFile) {
  const ScratchFolder folder;
  WriteSearchRecord(folder.path(), Sample());
  std::string text = ReadFile(folder / kHistoryFile);
  const std::string whole = "inf,inf,,,0,";
  text.replace(text.find(whole), whole.size(), "inf,inf,,,6,");
  WriteFile(folder / kHistoryFile, text);
  EXPECT_THAT([&] { ReadSearchRecord(folder.path()); },
              ThrowsMessage<FileError>(HasSubstr("damaged: decision 6")));
}

TEST(SearchRecord, SummaryNamesTheBest) {
  const ScratchFolder folder;
  WriteSearchRecord(folder.path(), Sample());
  const std::string text = ReadFile(folder / "optimization.json");
  EXPECT_THAT(text, Says({"\"best_evaluation\": 2", "\"start_cost\": null", "\"energy_J\": null"}));
}

TEST(SearchRecord, DamageIsTold) {
  const ScratchFolder folder;
  const auto damage = [&](const char* file, const std::string& from, const std::string& to) {
    WriteSearchRecord(folder.path(), Sample());
    std::string text = ReadFile(folder / file);
    text.replace(text.find(from), from.size(), to);
    WriteFile(folder / file, text);
    return [&folder] { ReadSearchRecord(folder.path()); };
  };
  EXPECT_THAT(damage("optimization.json", "\"searches\"", "\"search\""),
              ThrowsMessage<FileError>(HasSubstr("damaged")));
  EXPECT_THAT(damage("optimization.json", "\"evaluation\": 1,", "\"evaluation\": 9,"),
              ThrowsMessage<FileError>(HasSubstr("damaged")));
  for (const char* number : {"2.5", "1e300", "4294967296"}) {
    EXPECT_THAT(
        damage("optimization.json", "\"threads\": 2,", std::string("\"threads\": ") + number + ","),
        ThrowsMessage<FileError>(HasSubstr("is not a whole number that fits here")))
        << number;
  }
  EXPECT_THAT(damage("optimization.json", "\"seed\": ", "\"seed\": -"),
              ThrowsMessage<FileError>(HasSubstr("is not a whole number that fits here")));
  EXPECT_THAT(damage("optimization.json", "\"lower_bounds\": [", "\"lower_bounds\": [0.5,"),
              ThrowsMessage<FileError>(HasSubstr("its numbers and their bounds are not as many")));
  EXPECT_THAT(damage("history.csv", "violation", "violence"),
              ThrowsMessage<FileError>(HasSubstr("columns")));
  EXPECT_THAT(damage("history.csv", "\n1,2,", "\n3,2,"),
              ThrowsMessage<FileError>(HasSubstr("search 3")));
}

}  // namespace
}  // namespace pliant
