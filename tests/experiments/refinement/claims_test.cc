// Claims that exclude each other, claims that the runs cannot have, and claims about one step, all of the swing of a rod
// on a nail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <tuple>
#include <utility>

#include "experiments/claims/claimed_experiment.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/says.h"

namespace pliant {
namespace {

constexpr char kRod[] = R"(
title = "A rod swings"
[run]
duration = 0.2
step = 0.01
record_every = 0.04
[scene]
name = "rod"
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [0, -1]
points = 3
mass = 1.0
rotation = 0.5
[[scene.nail]]
name = "hook"
body = "rod"
point = "start"
[backends.linear-deformation]
[backends.displacement-constraints]
tolerance = 1e3
)";

std::filesystem::path Write(const ScratchFolder& folder, const std::string& more) {
  WriteFile(folder / "rod.toml", kRod + more);
  return folder / "rod.toml";
}

std::string ClaimOn(const std::string& of, const std::string& lines) {
  return "[[claim]]\ntext = 'so it is'\nof = '" + of + "'\n" + lines;
}

std::string Links(const std::string& lines) { return ClaimOn("displacement-constraints", lines); }
std::string Matrix(const std::string& lines) { return ClaimOn("linear-deformation", lines); }

std::string ErrorOf(const std::string& more, bool quick = false) {
  const ScratchFolder folder;
  try {
    ReadClaims(Write(folder, more), {}, {}, quick);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

const std::string kGap = "figure = 'constraint_error_max_m'\n";

// One line that begins with the place and has these words.
void ExpectError(const std::string& more, const std::vector<std::string>& words) {
  const std::string error = ErrorOf(more);
  EXPECT_THAT(error, Says(words)) << more;
  EXPECT_THAT(error, testing::ContainsRegex("rod.toml:[0-9]+:[0-9]+: ")) << more;
  EXPECT_THAT(error, testing::Not(testing::HasSubstr("\n"))) << more;
}

TEST(Claims, OfAFigureThatOnlyAnotherBackendHasAreRefused) {
  ExpectError(Matrix("figure = 'rigid_share_max'\nat_most = 1\n"),
              {"'linear-deformation' has no headline figure 'rigid_share_max'"});
  ExpectError(Links("figure = 'rigid_share_max'\nat_most = 1\nratio_to = 'linear-deformation'\n"),
              {"'linear-deformation' has no headline figure 'rigid_share_max'"});
  ExpectError(Matrix("figure = 'rigid_share'\nat = 0.2\nat_most = 1\n"),
              {"no column 'rigid_share'"});
  ExpectError(Links(kGap + "at = 0.2\nat_most = 1\n"), {"has no value at a time", "remove at"});
  EXPECT_EQ(ErrorOf(Links("figure = 'rigid_share_max'\nat_most = 1\n")), "");
}

TEST(Claims, OfMisspelledBackendsSayWhatWasMeant) {
  ExpectError(ClaimOn("displacement-constraint", kGap + "at_most = 1\n"),
              {"names no backend", "did you mean 'displacement-constraints'"});
  ExpectError(Links(kGap + "at_most = 1\nratio_to = 'linear-deformaton'\n"),
              {"'ratio_to' names no backend", "did you mean 'linear-deformation'"});
}

// Else a jump is planned for every rung before the first one runs.
TEST(Claims, AreReadWithoutTranslatingWhereThatIsAsked) {
  const ScratchFolder folder;
  const auto file = Write(folder, Links(kGap + "at_most = 1\n"));
  const std::vector<std::string> too_many = {"backends.displacement-constraints.solver_levels=40"};
  EXPECT_THROW(ReadClaims(file, too_many, {}, false), FileError);
  EXPECT_EQ(ReadClaims(file, too_many, {}, false, false).singles.size(), 1u);
}

TEST(Claims, ThatExcludeEachOtherAreRefused) {
  const std::vector<std::string> words = {"contradicts the claim at", "no run can meet both"};
  const std::string to_matrix = "difference_to = 'linear-deformation'\n";
  const std::string to_links = "difference_to = 'displacement-constraints'\n";
  ExpectError(Links(kGap + "at_most = 1\n") + Links(kGap + "at_least = 2\n"), words);
  ExpectError(Links(kGap + "order = 1\n") + Links(kGap + "order = 2\n"), words);
  ExpectError(Links("outcome = 'completed'\n") + Links("outcome = 'diverged'\n"), words);
  ExpectError(Links(kGap + "less_than = {of = 'linear-deformation'}\n") +
                  Matrix(kGap + "less_than = {of = 'displacement-constraints'}\n"),
              words);
  ExpectError(
      Links(kGap + to_matrix + "at_least = 1\n") + Matrix(kGap + to_links + "at_least = 1\n"),
      words);
  ExpectError(Links(kGap + "less_than = {of = 'linear-deformation'}\n") +
                  Links(kGap + to_matrix + "at_least = 0.0\n"),
              words);
  ExpectError(Links(kGap + "less_than = {of = 'linear-deformation'}\n") +
                  Links(kGap + "at_least = 3\n") + Matrix(kGap + "at_most = 2\n"),
              {"contradicts what the other claims say of 'displacement-constraints' and of "
               "'linear-deformation'"});
}

TEST(Claims, ThatCanBothHoldAreRead) {
  const std::string to_matrix = "difference_to = 'linear-deformation'\n";
  const std::string to_links = "difference_to = 'displacement-constraints'\n";
  for (const std::string& both : {
           Links(kGap + "at_most = 2\n") + Links(kGap + "at_least = 1\n"),
           Links(kGap + "order = 1\n") + Links(kGap + "order = 1.3\n"),
           Links(kGap + "order = 1\n") + Matrix(kGap + "order = 2\n"),
           Links(kGap + to_matrix + "at_least = 1\n") + Matrix(kGap + to_links + "at_most = -1\n"),
           Links(kGap + "at_most = 1\n") +
               Links("set = ['run.seed=2']\n" + kGap + "at_least = 2\n"),
           // With negative figures both can be true.
           Links(kGap + "less_than = {of = 'linear-deformation', factor = 0.5}\n") +
               Matrix(kGap + "less_than = {of = 'displacement-constraints', factor = 0.5}\n"),
           Links(kGap + "less_than = {of = 'linear-deformation', factor = 2}\n") +
               Links(kGap + "at_least = 3\n") + Matrix(kGap + "at_most = 2\n"),
       }) {
    EXPECT_EQ(ErrorOf(both), "") << both;
  }
}

TEST(Claims, MistakesInTheirChangesAreAtTheClaim) {
  ExpectError(Links(kGap + "at_most = 1\nset = ['run.stp=1']\n"),
              {"the claim's change run.stp=1", "did you mean 'step'"});
  ExpectError(Links(kGap + "at_most = 1\nset = ['run.step']\n"), {"needs a value"});
  ExpectError(Links(kGap + "at_most = 1\nhorizon = 0.033\nover = {seeds = 2, perturb = 0.1, vary = "
                           "['run.made_energy_share']}\n"),
              {"the claim's change run.duration=0.033"});
}

TEST(Claims, ThatCannotBeJudgedAreRefused) {
  ExpectError(Links(kGap + "order = -1\n"), {"an order above 0"});
  ExpectError(Links(kGap + "order = 1\nquick = true\n"), {"three rungs", "--quick has two"});
  ExpectError(Links(kGap + "order = 1\nset = ['run.step=0.02']\n"), {"the claim fixes one"});
  ExpectError("[refine]\nlevels = 2\n" + Links(kGap + "order = 1\n"), {"the ladder has two"});
  ExpectError("[refine]\nin = ['order']\n" + Links(kGap + "at_most = 1\n"),
              {"can be refined in order"});
  ExpectError("[[claim]]\ntext = ''\nof = 'linear-deformation'\n" + kGap + "at_most = 1\n",
              {"the claim says nothing"});
  ExpectError(Links("figure = 'best_cost'\nat_most = 1\nover = {seeds = 2}\n"),
              {"a figure of a search, and the experiment has none"});
  ExpectError(Links(kGap + "at_least = 1.9\nover = {seeds = 2, perturb = 0.1}\nstatistic = 'rate'\n"
                           "met = {at_most = 1}\n"),
              {"no rate is at least 1.9"});
  ExpectError(Links("figure = 'penetration_max_m'\nat_most = -0.1\n"),
              {"no 'penetration_max_m' is at most -0.1", "a magnitude or a count"});
  ExpectError(Links("figure = 'kinetic_energy_J'\nat = 1.0\nbetween = [-2, -1]\n"),
              {"no 'kinetic_energy_J' is between -2 and -1"});
}

// One sweep a step leaves gaps that vanish with the step: a bound on them is met at one step and not in the limit.
TEST(Claims, ThatFixTheStepAreOfThatStep) {
  const ScratchFolder folder;
  const auto verified = [&](const std::string& claims) {
    const ClaimedExperiment claimed = ReadClaims(Write(folder, claims), {}, {}, false);
    return Verify(claimed, folder / "runs", 1, {}).claims;
  };
  const std::string fixed = "set = ['run.step=0.01']\n";
  const auto first = verified(Links(kGap + fixed + "at_least = 0.0\n"));
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(first[0].values.size(), 1u);
  EXPECT_FALSE(first[0].convergence.has_value());
  const double gap = first[0].at_file.value();
  ASSERT_GT(gap, 1e-6);
  std::ostringstream below, above;
  below << kGap << "at_least = " << 0.99 * gap << "\n";
  above << kGap << "at_least = " << 1.01 * gap << "\n";
  const auto of_step = verified(Links(below.str() + fixed));
  EXPECT_EQ(of_step[0].verdict, Verdict::kHolds);
  EXPECT_THAT(ClaimsText(of_step),
              testing::AllOf(testing::HasSubstr("m at this step"),
                             testing::Not(testing::HasSubstr("in the limit"))));
  EXPECT_EQ(verified(Links(above.str() + fixed))[0].verdict, Verdict::kFails);
  EXPECT_EQ(verified(Links(below.str()))[0].verdict, Verdict::kAtThisStepOnly);
}

// Two backends whose figure is 3 and 2 on each rung.
Refinement TwoBackends() {
  Refinement refinement{"step", {1.0, 0.5, 0.25}, 0, {2.0, 1.0, 0.0}, {}, {}, {}};
  refinement.figures = {{"depth_m", "m", ""}};
  for (const auto& [label, depth] : {std::pair{"three", 3.0}, {"two", 2.0}}) {
    RefinedRun& run = refinement.runs.emplace_back();
    run.label = label;
    for (int rung = 0; rung < 3; ++rung) {
      run.outcomes.emplace_back().kind = OutcomeKind::kCompleted;
      run.figures.push_back({depth});
    }
  }
  return refinement;
}

Claim OfDepth(const std::string& of) {
  Claim claim;
  claim.of = of;
  claim.figure = "depth_m";
  return claim;
}

Verdict VerdictOf(const Claim& claim, const Refinement& refinement) {
  return VerifyClaims({claim}, refinement).at(0).verdict;
}

TEST(Verdict, OfTwoBackendsIsOfTheirDifferenceRatioOrOrder) {
  const Refinement refinement = TwoBackends();
  Claim difference = OfDepth("three"), ratio = OfDepth("three"), less = OfDepth("three");
  difference.difference_to = ratio.ratio_to = "two";
  std::tie(difference.lower, difference.upper) = std::tuple(0.9, 1.1);
  std::tie(ratio.lower, ratio.upper) = std::tuple(1.4, 1.6);
  EXPECT_EQ(VerdictOf(difference, refinement), Verdict::kHolds);
  EXPECT_EQ(VerdictOf(ratio, refinement), Verdict::kHolds);
  less.less_than = LessThan{"two", 1.6};
  EXPECT_EQ(VerdictOf(less, refinement), Verdict::kHolds);
  less.less_than = LessThan{"two", 1.4};
  EXPECT_EQ(VerdictOf(less, refinement), Verdict::kFails);
}

TEST(Verdict, OfAnOutcomeIsThatOfEveryRungFromTheFileOn) {
  Refinement refinement = TwoBackends();
  Claim claim;
  claim.of = "three";
  claim.outcome = "completed";
  EXPECT_EQ(VerdictOf(claim, refinement), Verdict::kHolds);
  refinement.runs[0].outcomes[2].kind = OutcomeKind::kDiverged;
  EXPECT_EQ(VerdictOf(claim, refinement), Verdict::kAtThisStepOnly);
  refinement.runs[0].outcomes[0].kind = OutcomeKind::kDiverged;
  EXPECT_EQ(VerdictOf(claim, refinement), Verdict::kFails);
  refinement.file_rung = 1;  // what is coarser does not count
  EXPECT_EQ(VerdictOf(claim, refinement), Verdict::kAtThisStepOnly);
}

// A mean that the finer rungs take back.
TEST(Verdict, OfAnEnsembleIsThatOfEveryRung) {
  Claim claim = OfDepth("three");
  claim.over = Ensemble{4, 0.01, {}};
  claim.lower = 2.0;
  const auto verdict = [&claim](double file, double finer, double finest) {
    std::vector<Refinement> members;
    for (const double more : {0.0, 0.01, 0.02, 0.03}) {
      Refinement& member = members.emplace_back(TwoBackends());
      member.runs[0].figures = {{file + more}, {finer + more}, {finest + more}};
    }
    return VerifyEnsemble({{claim}, {}, {}}, members).at(0).verdict;
  };
  EXPECT_EQ(verdict(3.0, 3.0, 3.0), Verdict::kHolds);
  EXPECT_EQ(verdict(3.0, 3.0, 1.0), Verdict::kAtThisStepOnly);
  EXPECT_EQ(verdict(1.0, 1.0, 1.0), Verdict::kFails);
  EXPECT_EQ(verdict(1.0, 1.0, 3.0), Verdict::kCannotBeToldApart);
}

}  // namespace
}  // namespace pliant
