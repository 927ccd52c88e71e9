// --set reaches every value, --unset removes one, and both say how where they cannot.

#include "experiments/files/overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using samples::ReadProbe;
using samples::WriteSample;
using testing::HasSubstr;

class AnOverride : public testing::Test {
 protected:
  std::shared_ptr<const Scene> Changed(const std::vector<std::string>& overrides) const {
    return ReadProbe(file_, overrides).scene;
  }
  Folder folder_;
  std::filesystem::path file_ = WriteSample(folder_);
};

TEST_F(AnOverride, ReachElementsByNameAndByNumberAndEntriesOfLists) {
  EXPECT_EQ(Changed({"scene.obstacle.floor.friction=0.7"})->obstacles[0].friction, 0.7);
  EXPECT_EQ(Changed({"scene.obstacle[0].friction=0.7"})->obstacles[0].friction, 0.7);
  EXPECT_EQ(Changed({"scene.body.cloth.position[1]=0.25"})->bodies[2].position,
            Eigen::Vector3d(1, 0.25, 0));
  EXPECT_EQ(Changed({"scene.nail.lead.path.offsets[1][0]=0.5"})->nails[4].path.keys()(0, 1), 0.5);
  EXPECT_EQ(Changed({"scene.body.brick.rotation.angle=0.1"})->bodies[3].orientation.w(),
            std::cos(0.05));
}

TEST_F(AnOverride, ReachIntoTheFilesThatTheFileNames) {
  const Experiment experiment = ReadProbe(
      file_, {"backends.probe.modes.entry.first.stiffness=5", "backends.probe.modes.length=2"});
  const auto* modes =
      std::get<TableValue>(experiment.backends[0].parameters.at("modes")).As<MatrixTable>();
  ASSERT_NE(modes, nullptr);
  EXPECT_EQ(modes->entries.at(0).scalars.at("stiffness"), 5.0);
  EXPECT_EQ(modes->scalars.at("length"), 2.0);
  // The outline of a profile, and its other keys as they were.
  const auto scene = Changed({"scene.body.outline.points[1][0]=1.3"});
  EXPECT_EQ(scene->bodies[0].rest.col(1), Eigen::Vector3d(1.3, 0, 0));
  EXPECT_EQ(scene->bodies[0].edges, Changed({})->bodies[0].edges);
}

TEST_F(AnOverride, AMistakeInsideSuchAFileIsToldThere) {
  EXPECT_THAT(ErrorOf(file_, {"backends.probe.modes.entry.third.stiffness=5"}),
              Says({"no element 'third'", "one of: first, second"}));
  EXPECT_THAT(ErrorOf(file_, {"backends.probe.modes.entry.first.stiffness=true"}),
              HasSubstr("expected number"));
}

TEST_F(AnOverride, RemoveElementsAndKeys) {
  EXPECT_EQ(Changed({Removal("scene.obstacle.ball")})->obstacles.size(),
            Changed({})->obstacles.size() - 1);
  const auto without = Changed({Removal("scene.obstacle.ball")});
  for (const Obstacle& obstacle : without->obstacles) EXPECT_NE(obstacle.name, "ball");
  EXPECT_EQ(Changed({Removal("scene.nail[0]")})->nails.size(), Changed({})->nails.size() - 4);
  EXPECT_EQ(Changed({Removal("scene.body.rope.rotation")})->bodies[1].orientation.w(), 1.0);
  EXPECT_EQ(ReadProbe(file_, {Removal("backends.probe-fine")}).backends.size(), 1U);
  EXPECT_TRUE(Changed({Removal("scene.contact")})->contacts.empty());
}

TEST_F(AnOverride, SayHowWhereTheyCannot) {
  const auto says = [&](const std::string& change, const std::vector<std::string>& words) {
    const std::string error = ErrorOf(file_, {change});
    EXPECT_THAT(error, Says(words)) << change;
    EXPECT_THAT(error, testing::StartsWith(RemovedKey(change) ? change : "--set " + change));
  };
  says(Removal("scene.obstacle.bal"), {"no element 'bal' to remove", "did you mean 'ball'?"});
  says(Removal("scene.obstacles"), {"no key 'obstacles' to remove", "did you mean 'obstacle'?"});
  says(Removal("run.step.x"), {"no key 'x' to remove", "is a number, which has no parts"});
  says(Removal("run..step"), {"a part of the key is empty"});
  says("scene.body.cloth.position[3]=1", {"no element '3' to change", "[0] to [2]"});
  says("scene.body[7].mass=1",
       {"no element '7'", "[0] to [3]", "by name: outline, rope, cloth, brick"});
  says("scene.body.rope.position[1]=1",
       {"does not give 'position'", "no element [1]", "position=[…]"});
}

TEST(Removals, AreToldFromOtherOverrides) {
  EXPECT_EQ(RemovedKey(Removal(" scene.nail[0] ")), "scene.nail[0]");
  EXPECT_EQ(RemovedKey("run.step=1"), std::nullopt);
}

}  // namespace
}  // namespace pliant
