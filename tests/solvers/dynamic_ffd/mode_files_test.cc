#include "tests/solvers/dynamic_ffd/mode_files.h"

#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Every mode of the file deforms the body it is made for, each in its own way.
void ExpectAllModesMove(const std::string& file, const Body& body, int dimension = 3) {
  Scene scene = SceneOf({body}, dimension);
  const ModeTable table = ReadModeTable(ModesFrom(file));
  std::vector<std::string> warnings;
  const auto selected = SelectModes(scene, table, &warnings);
  EXPECT_EQ(selected[0].size(), table.modes.size()) << file;
  EXPECT_TRUE(warnings.empty()) << file;
  for (const DeformationMode& mode : table.modes)
    EXPECT_GT(mode.stiffness.value_or(0.0), 0.0) << mode.name;
}

TEST(ModeFiles, FitTheBodiesTheyAreMadeFor) {
  ExpectAllModesMove("table.toml", ThesisTable(), 2);
  ExpectAllModesMove("sheet.toml", MakeSheet("sheet", {2, 2}, {17, 17}, 8.0));
  ExpectAllModesMove("sheet.toml", MakeSheet("sheet", {1, 3}, {5, 5}, 1.0));
  ExpectAllModesMove("block.toml", MakeBlock("block", {1, 0.6, 0.4}, {5, 4, 3}, 10.0));
  ExpectAllModesMove("rod.toml", MakeChain("rod", {0, 0, 0}, {0, 2, 0}, 9, 2.0), 2);
  ExpectAllModesMove("chain.toml", MakeChain("chain", {0, 0, 0}, {2, 0, 0}, 9, 2.0), 2);
  ExpectAllModesMove("chain.toml", MakeChain("chain", {0, 0, 0}, {2, 0, 0}, 9, 2.0), 3);
  for (const Vector3d& end : {Vector3d(1, 0, 0), Vector3d(0, -2, 0), Vector3d(0.3, 0.4, 0)}) {
    ExpectAllModesMove("link.toml", MakeChain("link", {0, 0, 0}, end, 2, 1.0), 2);
    ExpectAllModesMove("link.toml", MakeChain("link", {0, 0, 0}, end, 2, 1.0), 3);
  }
  ExpectAllModesMove("pot.toml", MakeSheet("pot", {0.6, 0.5}, {3, 3}, 6.0), 2);
}

TEST(ModeFiles, TableHoldsTheModesOfTheSource) {
  const ModeTable table = ReadModeTable(ModesFrom("table.toml"));
  EXPECT_EQ(table.lattices[0].size.head<2>(), Eigen::Vector2d(400, 300));
  const std::vector<std::pair<std::string, Matrix3Xd>> expected = {
      {"vertical shear", VerticalShear()},
      {"horizontal bend", HorizontalBend()},
      {"vertical squash", VerticalSquash()},
      {"horizontal squash", HorizontalSquash()}};
  ASSERT_EQ(table.modes.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(table.modes[k].name, expected[k].first);
    EXPECT_LT((table.modes[k].displacements - expected[k].second).norm(), 1e-9);
  }
}

TEST(ModeFiles, RodStretchesAlongItselfAsInAppendixA) {
  // Rows of the printed matrix are j: read the other way the stretch would be a shear.
  const ModeTable table = ReadModeTable(ModesFrom("rod.toml"));
  const Body rod = MakeChain("rod", {0, 0, 0}, {0, 1, 0}, 2, 1.0);
  const Lattice lattice = Lattice::Around(rod.rest, table.lattices[0].bases);
  const Matrix3Xd d = table.DisplacementsOn(lattice, 0);
  EXPECT_LT((d * lattice.Weights({0, 0, 0})).norm(), 1e-15);
  EXPECT_LT((d * lattice.Weights({0, 1, 0}) - Vector3d(0, 0.3, 0)).norm(), 1e-15);
}

TEST(ModeFiles, RodOfTwoPointsIsToldWhichModeItCannotShow) {
  Scene scene = TableScene();
  scene.bodies[0] = MakeChain("rod", {0, 0, 0}, {0, 1, 0}, 2, 1.0);
  std::vector<std::string> warnings;
  EXPECT_THAT(reference::ComplaintOf(
                  [&] { SelectModes(scene, ReadModeTable(ModesFrom("rod.toml")), &warnings); }),
              testing::HasSubstr("'bend'"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
