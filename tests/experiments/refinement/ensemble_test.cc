// Ensembles of the falling sheet: member k starts at x₀ + δ_k with the velocity v₀ + ε_k and the drift d (1 + η_k), so
// that its centre is at x₀ + δ_k + (v₀ + ε_k + d (1 + η_k)) t.

#include "experiments/claims/ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/bundles.h"
#include "tests/says.h"

namespace pliant {
namespace {

std::filesystem::path WriteFall(const ScratchFolder& folder, const std::string& more) {
  FallingExperiment(folder, Falling("a", "drift = 0.5"));
  WriteFile(folder / "fall.toml", ReadFile(folder / "fall.toml") + more);
  return folder / "fall.toml";
}

Claim OneClaim(const std::string& lines) {
  const ScratchFolder folder;
  return ReadExperiment(WriteFall(folder, ClaimOf(lines)), {}, TestBackends()).claims.at(0);
}

std::vector<VerifiedClaim> Verified(const ScratchFolder& folder, const std::string& claims) {
  const auto file = WriteFall(folder, claims);
  const Experiment experiment = ReadExperiment(file, {}, TestBackends());
  RefinePlan plan;
  plan.levels = 2;
  const auto ensembles = ReadEnsembles(file, {}, experiment.claims, plan, TestBackends());
  std::vector<VerifiedClaim> verified;
  for (const EnsembleLadder& ensemble : ensembles) {
    std::vector<Refinement> members;
    for (const Ladder& ladder : ensemble.members)
      members.push_back(CollectLadder(ladder, RunLadder(ladder, folder / "runs", 1)));
    for (VerifiedClaim& claim : VerifyEnsemble(ensemble, members)) verified.push_back(claim);
  }
  return verified;
}

using Numbers = std::vector<std::optional<double>>;

TEST(Ensemble, MembersDifferFromEachOtherAndAreAlwaysTheSame) {
  const ScratchFolder folder;
  const std::string over =
      "figure = 'centre_x_m'\nat = 0.2\nat_least = 0\nover = {seeds = 3, perturb = 0.01, vary = "
      "['backends.a.drift']}\n";
  const Experiment experiment =
      ReadExperiment(WriteFall(folder, ClaimOf(over)), {}, TestBackends());
  const Claim& claim = experiment.claims.at(0);
  const auto first = MemberOverrides(experiment, claim, 1);
  EXPECT_EQ(first, MemberOverrides(experiment, claim, 1));
  EXPECT_NE(first, MemberOverrides(experiment, claim, 2));
  // The seed; position and velocity of two bodies; the drift.
  EXPECT_EQ(first.size(), 6u);
  EXPECT_EQ(first[0], "run.seed=8");
}

TEST(Ensemble, StaysWithinItsPartAndMovesNothingIntoTheGround) {
  const ScratchFolder folder;
  const auto file = WriteFall(
      folder, ClaimOf("figure = 'centre_x_m'\nat = 0.2\nat_least = 0\nover = {perturb = 0.01}\n"));
  const Experiment base = ReadExperiment(file, {}, TestBackends());
  const Body& net = base.scene->bodies[0];
  const double speed = std::max(net.velocity.norm(), std::sqrt(10.0 * 2.0));  // of √(g · extent)
  bool moves = false, rises = false;
  for (int member = 1; member <= 20; ++member) {
    const Experiment other =
        ReadExperiment(file, MemberOverrides(base, base.claims.at(0), member), TestBackends());
    const Body& body = other.scene->bodies[0];
    const Eigen::Vector3d by = body.position - net.position;
    EXPECT_LE(by.cwiseAbs().maxCoeff(), 0.02);
    EXPECT_GE(by.y(), 0.0);
    EXPECT_LE((body.velocity - net.velocity).cwiseAbs().maxCoeff(), 0.01 * speed);
    moves = moves || std::abs(by.x()) > 0.005;
    rises = rises || by.y() > 0.005;
  }
  EXPECT_TRUE(moves);
  EXPECT_TRUE(rises);
}

TEST(Ensemble, TheMeanOfItsRunsIsThatOfTheClosedForm) {
  const ScratchFolder folder;
  const std::string over = "over = {seeds = 12, perturb = 0.05, vary = ['backends.a.drift']}\n";
  const std::string column = "figure = 'centre_x_m'\nat = 0.2\n";
  const auto claims = Verified(
      folder,
      ClaimOf(column + "at_most = 10\n" + over) +
          ClaimOf(column + "at_most = 10\nstatistic = 'worst'\n" + over) +
          ClaimOf(column + "at_least = 0.5\nstatistic = 'rate'\nmet = {at_most = 10}\n" + over) +
          ClaimOf(column + "at_least = 10\n" + over) +
          ClaimOf("at_least = 0.7\nstatistic = 'rate'\nmet = {outcome = 'completed'}\n" + over));
  const Experiment base = ReadExperiment(folder / "fall.toml", {}, TestBackends());
  double sum = 0.0, most = -1e9;
  for (int member = 1; member <= 12; ++member) {
    const Experiment other = ReadExperiment(
        folder / "fall.toml", MemberOverrides(base, base.claims.at(0), member), TestBackends());
    const Eigen::VectorXd mass = other.scene->Masses();
    const double drift = std::get<double>(other.backends[0].parameters.at("drift"));
    const double x = other.scene->InitialPoints().row(0).dot(mass) / mass.sum() +
                     0.2 * (other.scene->InitialVelocities().row(0).dot(mass) / mass.sum() + drift);
    sum += x;
    most = std::max(most, x);
  }
  ASSERT_EQ(claims.size(), 5u);
  for (const std::optional<double>& value : claims[0].values)
    EXPECT_NEAR(*value, sum / 12.0, 1e-12);
  for (const std::optional<double>& value : claims[1].values) EXPECT_NEAR(*value, most, 1e-12);
  EXPECT_EQ(claims[2].values.at(0), 1.0);
  for (const size_t c : {0, 1, 2, 4})
    EXPECT_EQ(claims[c].verdict, Verdict::kHolds) << claims[c].why;
  EXPECT_EQ(claims[3].verdict, Verdict::kFails);
  EXPECT_THAT(claims[0].why, testing::HasSubstr("the first 2 of the 12 members already say so"));
}

TEST(JudgeMembers, OfAMeanByItsInterval) {
  const Claim claim = OneClaim(
      "figure = 'centre_x_m'\nat = 0.2\nat_least = 2\nover = {seeds = 5, perturb = 0.1}\n");
  // 3 ± 1.963: the bound is inside; see the statistics of five numbers.
  const StatisticOfMembers open = JudgeMembers(claim, Numbers{1.0, 2.0, 3.0, 4.0, 5.0});
  EXPECT_EQ(open.verdict, Verdict::kCannotBeToldApart);
  EXPECT_THAT(open.why, testing::HasSubstr("about 13 members would tell"));
  EXPECT_EQ(JudgeMembers(claim, Numbers{3.0, 3.1, 2.9, 3.0, 3.0}).verdict, Verdict::kHolds);
  EXPECT_EQ(JudgeMembers(claim, Numbers{1.0, 1.1, 0.9, 1.0, 1.0}).verdict, Verdict::kFails);
  EXPECT_EQ(JudgeMembers(claim, Numbers{3.0, 3.1, {}, 3.0, 3.0}).verdict,
            Verdict::kCannotBeToldApart);
}

TEST(JudgeMembers, OfTheWorstByEveryMember) {
  const Claim claim = OneClaim(
      "figure = 'centre_x_m'\nat = 0.2\nat_least = 2\nstatistic = 'worst'\nover = {seeds = 4, "
      "perturb = 0.1}\n");
  EXPECT_EQ(JudgeMembers(claim, Numbers{2.1, 5.0, 9.0, 3.0}).verdict, Verdict::kHolds);
  const StatisticOfMembers one_fails = JudgeMembers(claim, Numbers{2.1, 5.0, 1.9, 3.0});
  EXPECT_EQ(one_fails.verdict, Verdict::kFails);
  EXPECT_EQ(one_fails.value, 1.9);
  EXPECT_THAT(one_fails.why, testing::HasSubstr("the first 3 of the 4 members already say so"));
}

TEST(JudgeMembers, OfARateByWilson) {
  const Claim claim = OneClaim(
      "figure = 'centre_x_m'\nat = 0.2\nat_least = 0.5\nstatistic = 'rate'\nmet = {at_least = "
      "1}\nover "
      "= {seeds = 20, perturb = 0.1}\n");
  const auto of = [&](int met) {
    Numbers numbers(20, 0.0);
    std::fill(numbers.begin(), numbers.begin() + met, 1.0);
    return JudgeMembers(claim, numbers).verdict;
  };
  // Wilson's interval of 15 of 20 is [0.531, 0.888], that of 14 [0.481, 0.855], that of 5 [0.112, 0.469].
  EXPECT_EQ(of(15), Verdict::kHolds);
  EXPECT_EQ(of(14), Verdict::kCannotBeToldApart);
  EXPECT_EQ(of(5), Verdict::kFails);
}

TEST(EnsembleClaims, MistakesHaveTheirPlace) {
  const auto says = [](const std::string& lines, const std::vector<std::string>& words) {
    const ScratchFolder folder;
    std::string error;
    try {
      const auto file = WriteFall(folder, ClaimOf(lines));
      const Experiment experiment = ReadExperiment(file, {}, TestBackends());
      RequireMeasurable(experiment);
      ReadEnsembles(file, {}, experiment.claims, {}, TestBackends());
    } catch (const FileError& wrong) {
      error = wrong.what();
    }
    EXPECT_THAT(error, Says(words)) << lines;
  };
  const std::string bound = "figure = 'penetration_max_m'\nat_least = 0\n";
  says(bound + "over = {seeds = 1}\n", {"fall.toml:", "an ensemble of 1 shows no spread"});
  says(bound + "over = {perturb = 1.5}\n", {"'perturb' is a part"});
  says(bound + "over = {seeds = 5}\n", {"no member would differ"});
  says(bound + "over = {perturb = 0.1, vary = ['backends.a.drif']}\n",
       {"'backends.a.drif' is no number"});
  says(bound + "statistic = 'mean'\n", {"'statistic' applies only to an ensemble"});
  says(bound + "over = {}\nstatistic = 'rate'\n", {"a rate of what?"});
  says(bound + "over = {}\nmet = {at_least = 1}\n", {"'met' applies only to a rate"});
  says(bound + "over = {}\nstatistic = 'median'\n", {"cannot be 'median'"});
  says(
      "figure = 'penetration_max_m'\nat_least = 2\nover = {}\nstatistic = 'rate'\nmet = {at_least "
      "= 1}\n",
      {"no rate is"});
  says("figure = 'penetration_max_m'\norder = 2\nover = {}\n",
       {"a mean, a worst member or a rate"});
  says("figure = 'best_cost'\nat_most = 2\nover = {}\n",
       {"a figure of a search, and the experiment has none"});
  says("figure = 'best_cost'\nat_most = 2\n", {"one search is an anecdote"});
  says("at_least = 0.5\nover = {perturb = 0.1}\nstatistic = 'rate'\nmet = {outcome = 'complete'}\n",
       {"no run ends as 'complete'"});
}

TEST(SearchClaims, AreOfTheSearchesOfTheirMethod) {
  SearchRecord record;
  record.terms = {"distance_m"};
  const auto add = [&](const std::string& label, double start, double best) {
    record.searches.push_back({label, label, 1});
    SearchHistory& history = record.histories.emplace_back();
    for (const double cost : {start, best}) {
      Trial trial;
      trial.score.cost = cost;
      trial.score.terms = {10.0 * cost};
      history.trials.push_back(trial);
    }
  };
  for (const double cost : {1.0, 1.1, 0.9}) add("annealing", 4.0, cost);
  add("random", 4.0, 3.0);
  Claim claim;
  claim.of = "annealing";
  claim.figure = "best_cost_share";
  claim.upper = 0.4;
  claim.over = Ensemble{3, 0.0, {}};
  const auto share = VerifySearches({claim}, record);
  EXPECT_NEAR(share[0].values.at(0).value(), 0.25, 1e-12);
  EXPECT_EQ(share[0].verdict, Verdict::kHolds);
  claim.figure = "best_distance_m";
  EXPECT_NEAR(VerifySearches({claim}, record)[0].values.at(0).value(), 10.0, 1e-12);
  claim.figure = "best_distance";
  EXPECT_THROW(VerifySearches({claim}, record), FileError);
}

}  // namespace
}  // namespace pliant
