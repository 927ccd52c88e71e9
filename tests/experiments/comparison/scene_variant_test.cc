// Backends that run a variant of the scene ([backends.LABEL.scene], unset): how it is read, what a run and its bundle hold,
// and what a comparison measures between points that are the same and that are not.

#include "experiments/files/scene_variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/reproduce.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/correspondence.h"
#include "experiments/comparison/scene_groups.h"
#include "experiments/files/overrides.h"
#include "experiments/refinement/ladder.h"
#include "tests/experiments/bundles.h"
#include "tests/experiments/complaints.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

// Two backends, of which "b" has these further tables.
Experiment WithVariant(const ScratchFolder& folder, const std::string& of_b,
                       const std::vector<std::string>& overrides = {},
                       const std::string& head = "") {
  FallingExperiment(folder, Falling("a") + Falling("b", of_b), head);  // writes the files
  return ReadExperiment(folder / "fall.toml", overrides, TestBackends());
}

const char kSlow[] = "[backends.b.scene]\ngravity = [0, -1, 0]\n";

std::vector<Bundle> RunAll(const Experiment& experiment, const ScratchFolder& folder) {
  std::vector<Bundle> bundles;
  for (const BackendRun& run : RunComparison(experiment, folder / "runs", {})) {
    bundles.push_back(Bundle::Open(run.bundle, TestBackends()));
  }
  return bundles;
}

TEST(SceneVariant, ChangesTheSceneOfItsBackendAlone) {
  const ScratchFolder folder;
  const Experiment experiment =
      WithVariant(folder, std::string("unset = ['scene.body.rope']\n") + kSlow +
                              "body.net.mass = 9\nobstacle.floor.friction = 0.5\n");
  EXPECT_EQ(SceneOf(experiment, 0), experiment.scene);
  EXPECT_EQ(experiment.scene->gravity.y(), -10.0);
  EXPECT_EQ(experiment.scene->bodies.size(), 2u);
  const Scene& own = *SceneOf(experiment, 1);
  EXPECT_EQ(own.gravity.y(), -1.0);
  ASSERT_EQ(own.bodies.size(), 1u);
  EXPECT_NEAR(own.bodies[0].mass.sum(), 9.0, 1e-12);
  EXPECT_EQ(own.obstacles.at(0).friction, 0.5);
  EXPECT_THAT(experiment.backends[0].variant, IsEmpty());
  EXPECT_THAT(experiment.backends[1].variant,
              ElementsAre("scene.gravity = [0, -1, 0]", "scene.body.net.mass = 9",
                          "scene.obstacle.floor.friction = 0.5", "without scene.body.rope"));
  EXPECT_THAT(TranslateFor(experiment, 0).warnings, ElementsAre("falls, come what may"));
  EXPECT_THAT(TranslateFor(experiment, 1).warnings,
              testing::Contains(testing::StartsWith(
                  "runs a variant of the scene: scene.gravity = [0, -1, 0]; scene.body")));
}

TEST(SceneVariant, AListThatIsGivenWholeReplacesThatOfTheScene) {
  const ScratchFolder folder;
  const Experiment experiment = WithVariant(
      folder, "[[backends.b.scene.obstacle]]\nname = 'ball'\nshape = 'sphere'\nradius = 0.25\n");
  ASSERT_EQ(SceneOf(experiment, 1)->obstacles.size(), 1u);
  EXPECT_EQ(SceneOf(experiment, 1)->obstacles[0].name, "ball");
  EXPECT_EQ(experiment.scene->obstacles.at(0).name, "floor");
}

TEST(SceneVariant, MayBeAnotherSceneFileAndIsNotMixedWithTheScene) {
  const ScratchFolder folder;
  WriteFile(folder / "rod.toml", R"(
name = "rod"
gravity = [0, -3, 0]
[[body]]
name = "rod"
shape = "chain"
from = [0, 0, 0]
to = [1, 0, 0]
points = 3
mass = 1
)");
  const Experiment experiment =
      WithVariant(folder, "scene = 'rod.toml'\n", {"backends.b.scene.body.rod.mass=7"});
  const Scene& own = *SceneOf(experiment, 1);
  ASSERT_EQ(own.bodies.size(), 1u);
  EXPECT_NEAR(own.bodies[0].mass.sum(), 7.0, 1e-12);
  EXPECT_THAT(own.obstacles, IsEmpty());
  EXPECT_THAT(experiment.backends[1].variant, ElementsAre("the scene file rod.toml"));
  // Named on the command line as well.
  const Experiment named =
      WithVariant(folder, "", {"backends.b.scene=rod.toml", "backends.b.scene.body.rod.mass=5"});
  EXPECT_NEAR(SceneOf(named, 1)->bodies.at(0).mass.sum(), 5.0, 1e-12);
  EXPECT_THAT(SceneOf(named, 1)->obstacles, IsEmpty());
}

TEST(SceneVariant, FollowsTheChangesOfTheSceneThatItDoesNotMakeItself) {
  const ScratchFolder folder;
  const Experiment swept =
      WithVariant(folder, kSlow, {"scene.gravity=[0,-5,0]", "scene.obstacle.floor.friction=0.25"});
  EXPECT_EQ(swept.scene->gravity.y(), -5.0);
  EXPECT_EQ(SceneOf(swept, 1)->gravity.y(), -1.0);
  EXPECT_EQ(SceneOf(swept, 1)->obstacles.at(0).friction, 0.25);
  const Experiment set = WithVariant(folder, kSlow, {"backends.b.scene.gravity=[0,-2,0]"});
  EXPECT_EQ(SceneOf(set, 1)->gravity.y(), -2.0);
  const Experiment removed = WithVariant(folder, kSlow, {Removal("backends.b.scene")});
  EXPECT_EQ(SceneOf(removed, 1), removed.scene);
  EXPECT_THAT(removed.backends[1].variant, IsEmpty());
}

TEST(SceneVariant, MistakesStandAtTheirPlaceAndNameTheBackend) {
  const ScratchFolder folder;
  const auto complaint = [&](const std::string& of_b) {
    return FileErrorOf([&] { WithVariant(folder, of_b); });
  };
  const auto at = [&](const std::string& of_b, const std::string& text) {
    const std::string error = complaint(of_b);
    const std::string whole = ReadFile(folder / "fall.toml");
    return std::pair(error,
                     (folder / "fall.toml").string() + ":" + PlaceOfText(whole, text) + ": ");
  };
  for (const auto& [of_b, place, says] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"scene.obstacle.flor.friction = 1\n", "flor", "there is no element 'flor' to change"},
           {"scene.gravty = [0, 1, 0]\n", "gravty", "did you mean 'gravity'?"},
           {"unset = ['scene.body.roop']\n", "'scene.body.roop'", "did you mean 'rope'?"},
           {"unset = ['run.step']\n", "'run.step'", "is no key of the scene"},
           {"unset = 'scene.body.rope'\n", "'scene.body.rope'", "expected list"},
           {"scene = 3\n", "3\n", "'scene' is a whole number; expected a table"},
           {"scene = 'no.toml'\n", "'no.toml'", "no file"}}) {
    const auto [error, start] = at(of_b, place);
    EXPECT_THAT(error, AllOf(testing::StartsWith(start), HasSubstr(says), Not(HasSubstr("\n"))))
        << of_b;
  }
  // A value that is impossible in the scene, and one that only the removal of its body makes so.
  EXPECT_THAT(complaint("scene.body.net.mass = -1\n"),
              AllOf(HasSubstr("fall.toml:"), HasSubstr("(in the scene of the backend 'b')")));
}

TEST(SceneVariant, OfAnExperimentWithAMistakeInItsSceneIsNotReported) {
  const ScratchFolder folder;
  WithVariant(folder, "");
  Mistakes missing;
  ReadSoundParts(folder / "fall.toml", {"backends.b.scene=no.toml"}, &missing, TestBackends());
  EXPECT_EQ(missing.list().size(), 1u) << "that there is no such file, and nothing that follows";
  FallingExperiment(folder, Falling("a") + Falling("b", kSlow));
  Mistakes mistakes;
  ReadSoundParts(folder / "fall.toml", {"scene.body.net.mass=-1"}, &mistakes, TestBackends());
  EXPECT_EQ(mistakes.list().size(), 1u);
}

TEST(SceneVariant, IsTheSceneOfItsBundleWhichReadsAndRunsAlike) {
  const ScratchFolder folder;
  const Experiment experiment =
      WithVariant(folder, std::string("unset = ['scene.body.rope']\n") + kSlow);
  const std::vector<Bundle> bundles = RunAll(experiment, folder);
  const Experiment& of_bundle = bundles[1].experiment();
  EXPECT_EQ(of_bundle.scene->gravity.y(), -1.0);
  EXPECT_EQ(of_bundle.scene->bodies.size(), 1u);
  EXPECT_EQ(of_bundle.backends[0].variant, experiment.backends[1].variant);
  EXPECT_TRUE(IsOfVariant(bundles[1]));
  EXPECT_FALSE(IsOfVariant(bundles[0]));
  EXPECT_EQ(of_bundle.Resolved(0), experiment.Resolved(1));
  EXPECT_EQ(OfOneBackend(experiment, 1).Resolved(0), experiment.Resolved(1));
  // ½ g t² below its path without gravity.
  const size_t last = bundles[1].frame_count() - 1;
  EXPECT_NEAR(bundles[1].Points(last)(1, 0), 0.5 + 2.0 * 0.2 - 0.5 * 1.0 * 0.2 * 0.2, 1e-12);
  const auto reproduced = Reproduce(bundles[1]);
  ASSERT_TRUE(reproduced);
  EXPECT_EQ(reproduced->verdict, Reproduction::Verdict::kIdentical) << reproduced->words;
}

const char kProbes[] =
    "[[probe]]\nname = 'rope'\nmeasure = 'position'\ncomponent = 'y'\nof = {body = 'rope'}\n"
    "[[probe]]\nname = 'net'\nmeasure = 'position'\ncomponent = 'y'\nof = {body = 'net'}\n";

TEST(SceneVariant, ProbesThatItLacksAreLeftOutThereAndSaidSo) {
  const ScratchFolder folder;
  const Experiment experiment =
      WithVariant(folder, std::string("unset = ['scene.body.rope']\n") + kProbes);
  ASSERT_EQ(experiment.probes.size(), 2u);
  ASSERT_EQ(ProbesOf(experiment, 1).size(), 1u);
  EXPECT_EQ(ProbesOf(experiment, 1)[0].name, "net");
  EXPECT_THAT(experiment.backends[1].variant,
              ElementsAre("without scene.body.rope", HasSubstr("without the probe 'rope': ")));
  const std::vector<Bundle> bundles = RunAll(experiment, folder);
  EXPECT_EQ(bundles[0].experiment().probes.size(), 2u);
  EXPECT_EQ(bundles[1].experiment().probes.size(), 1u);
  const ComparisonTable table = CompareBundles(bundles, "");
  const auto column =
      std::ranges::find(table.columns, "rope_m", &SeriesColumn::name) - table.columns.begin();
  ASSERT_LT(static_cast<size_t>(column), table.columns.size());
  EXPECT_TRUE(table.rows[0].values[static_cast<size_t>(column)]);
  EXPECT_FALSE(table.rows[1].values[static_cast<size_t>(column)]);
}

std::optional<double> RmsOf(const ComparisonTable& table, size_t row) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == "distance_to_reference_rms_m") return table.rows[row].values[c];
  }
  return std::nullopt;
}

TEST(SceneVariant, DistancesAreMeasuredWherePointsCorrespond) {
  const ScratchFolder folder;
  const ComparisonTable table =
      CompareBundles(RunAll(WithVariant(folder, kSlow, {}, "reference = 'a'\n"), folder), "a");
  // ½ (10 − 1) t² at 0.2 s.
  EXPECT_THAT(RmsOf(table, 1), Optional(DoubleNear(0.5 * 9.0 * 0.04, 1e-12)));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_THAT(table.blanks, IsEmpty());
  EXPECT_THAT(table.rows[0].variant, IsEmpty());
  EXPECT_EQ(table.rows[1].variant, "runs a variant of the scene: scene.gravity = [0, -1, 0]");
  const std::string text = TableText(table);
  EXPECT_THAT(text, HasSubstr("  b*\n"));
  EXPECT_THAT(text, HasSubstr("\nb* runs a variant of the scene: scene.gravity = [0, -1, 0]\n"));
  EXPECT_THAT(text, Not(HasSubstr("a*")));
}

TEST(SceneVariant, DistancesAreBlankWithTheReasonWherePointsAreOthers) {
  for (const auto& [of_b, why] : std::vector<std::pair<std::string, std::string>>{
           {"scene.body.net.points = [5, 3]\n", "body 'net' has 15 points and 9"},
           {"unset = ['scene.body.rope']\n", "only one of them has the body 'rope'"},
           {"unset = ['scene.body.net']\n", "body 'rope' stands where the other has 'net'"},
           {"scene.body.net.size = [1, 1]\n", "body 'net' has another shape at rest"}}) {
    const ScratchFolder folder;
    const std::vector<Bundle> bundles =
        RunAll(WithVariant(folder, of_b, {}, "reference = 'a'\n"), folder);
    const ComparisonTable table = CompareBundles(bundles, "a");
    EXPECT_THAT(RmsOf(table, 0), Optional(0.0));
    EXPECT_FALSE(RmsOf(table, 1)) << of_b;
    EXPECT_THAT(table.problems, IsEmpty()) << "a distance that means nothing is no failure";
    ASSERT_EQ(table.blanks.size(), 1u) << of_b;
    EXPECT_THAT(table.blanks[0], AllOf(HasSubstr("no distance of b to a"), EndsWith(why)));
    EXPECT_THAT(TableText(table), HasSubstr(why));
  }
}

TEST(Correspondence, IsOfMaterialPointsWhereverTheyAreAndWhateverActsOnThem) {
  const ScratchFolder folder;
  const Experiment experiment = WithVariant(
      folder,
      "unset = ['scene.obstacle.floor']\n[backends.b.scene]\nbody.net.position = [3, 3, 3]\n"
      "body.net.mass = 1\n");
  EXPECT_EQ(WhyNotCorresponding(*experiment.scene, *SceneOf(experiment, 1)), "");
}

TEST(SceneVariant, FollowsALadderOfResolutionWhereItsBodiesAreThoseOfTheScene) {
  const ScratchFolder folder;
  RefinePlan finer;
  finer.axes = {RefinedAxis::kResolution};
  finer.levels = 2;
  const auto read = [&] {
    return ReadLadders(folder / "fall.toml", {}, {}, finer, TestBackends());
  };
  WithVariant(folder, kSlow);
  const Experiment fine = read().at(0).rungs.points.back().experiment;
  EXPECT_EQ(SceneOf(fine, 1)->bodies.at(0).size(), 25) << "5 × 5 points in place of 3 × 3";
  EXPECT_EQ(SceneOf(fine, 1)->gravity.y(), -1.0);
  WithVariant(folder, "scene.body.net.points = [5, 3]\n");
  EXPECT_THAT(FileErrorOf(read),
              AllOf(HasSubstr("fall.toml:"), HasSubstr("has another body 'net'; leave"),
                    HasSubstr("--backend")));
}

TEST(SceneGroups, KeepVariantsWithTheirExperimentAndOtherScenesApart) {
  const ScratchFolder one, two;
  std::vector<Bundle> bundles = RunAll(WithVariant(one, "scene.body.net.points = [5, 3]\n"), one);
  for (Bundle& bundle :
       RunAll(WithVariant(two, "", {"name=slab", "scene.body.net.points=[5,5]", "scene.name=slab"}),
              two)) {
    bundles.push_back(std::move(bundle));
  }
  std::vector<const Bundle*> all;
  for (const Bundle& bundle : bundles) all.push_back(&bundle);
  const std::vector<SceneGroup> groups = GroupByScene(all);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].members, ElementsAre(0u, 1u));
  EXPECT_THAT(groups[1].members, ElementsAre(2u, 3u));
  EXPECT_EQ(groups[0].heading, "fall (scene net)");
  EXPECT_EQ(groups[1].heading, "slab");
}

}  // namespace
}  // namespace pliant
