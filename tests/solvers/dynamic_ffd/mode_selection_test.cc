#include "solvers/dynamic_ffd/mode_selection.h"

#include <numbers>

#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

std::string Refusal(const Scene& scene, const ModeTable& table) {
  std::vector<std::string> warnings;
  return reference::PlacedComplaintOf([&] { SelectModes(scene, table, &warnings); });
}

ModeTable TableOf(const std::vector<DeformationMode>& modes) {
  ModeTable table;
  table.lattices[0].size = {400, 300, 1};
  table.modes = modes;
  return table;
}

TEST(ModeSelection, KeepsModesThatAreIndependentOnTheBody) {
  std::vector<std::string> warnings;
  const auto selected = SelectModes(TableScene(), ReadModeTable(TableModes()), &warnings);
  EXPECT_THAT(selected, testing::ElementsAre(testing::ElementsAre(0, 1, 2, 3)));
  EXPECT_TRUE(warnings.empty());
}

TEST(ModeSelection, NamesTheModeThatMovesNoPoint) {
  const Eigen::Matrix3Xd nothing = Eigen::Matrix3Xd::Zero(3, 16);
  EXPECT_EQ(Refusal(TableScene(), TableOf({{"bend", HorizontalBend()}, {"idle", nothing}})),
            "modes.entry[1]: mode 'idle' moves no mass point of any body, which makes the mass "
            "matrix singular; "
            "remove it");
}

TEST(ModeSelection, NamesAModeWhoseSquaresAreNoNumbers) {
  EXPECT_THAT(Refusal(TableScene(), TableOf({{"bend", 1e200 * HorizontalBend()}})),
              testing::StartsWith(
                  "modes.entry[0]: mode 'bend' moves body 'table' by amounts whose squares"));
}

TEST(ModeSelection, NamesTwoModesThatAreParallel) {
  const ModeTable table = TableOf({{"bend", HorizontalBend()},
                                   {"squash", VerticalSquash()},
                                   {"turned", TurnedSquash(std::numbers::pi / 2)}});
  EXPECT_EQ(
      Refusal(TableScene(), table),
      "modes.entry[2]: modes 'squash' and 'turned' are parallel: up to a rigid motion they move "
      "body 'table' alike, which makes the mass matrix singular; remove one of them, or name "
      "those that are used: use_modes = [\"…\"]");
}

TEST(ModeSelection, NamesAModeThatIsARigidMotion) {
  Eigen::Matrix3Xd lift = Eigen::Matrix3Xd::Zero(3, 16);
  lift.row(1).setConstant(5.0);
  EXPECT_THAT(Refusal(TableScene(), TableOf({{"bend", HorizontalBend()}, {"lift", lift}})),
              testing::HasSubstr("mode 'lift' only moves body 'table' rigidly"));
}

TEST(ModeSelection, NamesThreeModesThatDependOnEachOther) {
  const Eigen::Matrix3Xd both = VerticalSquash() + 2.0 * HorizontalSquash();
  const ModeTable table = TableOf({{"a", VerticalSquash()},
                                   {"bend", HorizontalBend()},
                                   {"b", HorizontalSquash()},
                                   {"both", both}});
  EXPECT_THAT(Refusal(TableScene(), table),
              testing::HasSubstr("modes 'a', 'b' and 'both' depend on each other on body 'table'"));
}

TEST(ModeSelection, MoreModesThanPointsCanShowAreDependent) {
  Scene scene = TableScene();
  scene.bodies[0] = MakeChain("link", {0, 0, 0}, {1, 1, 0}, 2, 1.0);
  const ModeTable table = TableOf({{"a", VerticalSquash()}, {"b", HorizontalSquash()}});
  EXPECT_THAT(Refusal(scene, table), testing::HasSubstr("modes 'a' and 'b' are parallel"));
}

TEST(ModeSelection, DropsAModeFromTheBodyItCannotMove) {
  // A link along x lies in the middle of the box that is padded around it: no squash along y.
  Scene scene = TableScene();
  scene.bodies.push_back(MakeChain("link", {0, 0, 0}, {1, 0, 0}, 2, 1.0));
  Eigen::Matrix3Xd squash = VerticalSquash();
  squash.row(1).array() += 90.0;  // about the middle
  std::vector<std::string> warnings;
  const auto selected =
      SelectModes(scene, TableOf({{"along", HorizontalSquash()}, {"across", squash}}), &warnings);
  EXPECT_THAT(selected, testing::ElementsAre(testing::ElementsAre(0, 1), testing::ElementsAre(0)));
  EXPECT_THAT(warnings,
              testing::ElementsAre(
                  "mode 'across' dropped from body 'link': none of its points would move"));
}

TEST(ModeSelection, RefusesModesThatLeaveThePlane) {
  EXPECT_THAT(Refusal(TableScene(), ReadModeTable(SheetModes())),
              testing::HasSubstr("mode 'dome' moves body 'table' out of the plane"));
}

TEST(ModeSelection, AcceptsAStraightLineInSpace) {
  // Only five rigid motions move it; that is not the modes' fault.
  Scene scene = SceneOf({MakeChain("link", {0, 0, 0}, {1, 2, 3}, 2, 1.0)});
  EXPECT_EQ(Refusal(scene, ReadModeTable(LinkModes())), "");
}

}  // namespace
}  // namespace pliant::dynamic_ffd
