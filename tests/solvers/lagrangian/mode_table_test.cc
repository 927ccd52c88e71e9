#include "solvers/lagrangian/mode_table.h"

#include <gtest/gtest.h>

#include "tests/solvers/lagrangian/scenes.h"

namespace pliant {
namespace {

// The refusal of a table, where it points to and what it says.
std::string Refusal(const MatrixTable& table) {
  try {
    ReadModeTable(table);
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problem().where, "modes");
    return bad.what();
  }
  return "accepted";
}

MatrixTable PlanarTable() {
  MatrixTable table;
  table.entries.push_back({"shear", Eigen::MatrixXd::Random(2, 16), {{"stiffness", 3.0}}});
  return table;
}

TEST(ModeTable, OfTwoRowsIsPlanarAndCubicUnlessSaidOtherwise) {
  MatrixTable table = PlanarTable();
  table.scalars = {{"size_x", 400.0}, {"size_y", 300.0}};
  table.entries[0].scalars["initial"] = 0.25;
  const ModeTable modes = ReadModeTable(table);
  EXPECT_EQ(modes.degree, (std::array<int, 3>{3, 3, 0}));
  EXPECT_EQ(modes.size, Eigen::Vector3d(400, 300, 1));
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_EQ(modes.modes[0].name, "shear");
  EXPECT_EQ(modes.modes[0].stiffness, 3.0);
  EXPECT_EQ(modes.modes[0].damping, 0.0);
  EXPECT_EQ(modes.modes[0].initial, 0.25);
  EXPECT_EQ(modes.modes[0].displacements.topRows(2), table.entries[0].values);
  EXPECT_TRUE(modes.modes[0].displacements.row(2).isZero(0.0));
}

TEST(ModeTable, OfThreeRowsIsSpatial) {
  MatrixTable table;
  table.entries.push_back({"twist", Eigen::MatrixXd::Random(3, 64), {}});
  EXPECT_EQ(ReadModeTable(table).degree, (std::array<int, 3>{3, 3, 3}));
  table.scalars = {{"degree_x", 1}, {"degree_y", 2}, {"degree_z", 0}};
  table.entries[0].values = Eigen::MatrixXd::Random(3, 6);
  const ModeTable modes = ReadModeTable(table);
  EXPECT_EQ(modes.degree, (std::array<int, 3>{1, 2, 0}));
  EXPECT_EQ(modes.modes[0].displacements, table.entries[0].values);
}

TEST(ModeTable, RefusalsSayWhatIsWrongAndHowToMendIt) {
  EXPECT_EQ(Refusal({}), "no deformation modes given; set modes = \"../data/modes/….toml\"");

  MatrixTable table = PlanarTable();
  table.file = "soft.toml";
  table.entries[0].scalars = {{"stifness", 3.0}};
  EXPECT_EQ(Refusal(table),
            "unknown number 'stifness' of mode 'shear' (in soft.toml); did you mean 'stiffness'?");

  table = PlanarTable();
  table.scalars = {{"degree_w", 3}};
  EXPECT_THAT(Refusal(table), testing::HasSubstr("unknown number 'degree_w' of the mode table"));

  table = PlanarTable();
  table.entries[0].values = Eigen::MatrixXd::Zero(2, 15);
  EXPECT_EQ(Refusal(table),
            "mode 'shear' has 2 rows of 15 displacements; the lattice needs 2 rows of 16");

  table = PlanarTable();
  table.entries[0].values = Eigen::MatrixXd::Zero(4, 16);
  EXPECT_THAT(Refusal(table), testing::HasSubstr("has 4 rows"));

  table = PlanarTable();
  table.entries.push_back(table.entries[0]);
  EXPECT_EQ(Refusal(table), "two modes are called 'shear'; rename one");

  table = PlanarTable();
  table.entries[0].values(1, 3) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Refusal(table), "a displacement of mode 'shear' is not a finite number");

  table = PlanarTable();
  table.scalars = {{"degree_x", 2.5}};
  EXPECT_THAT(Refusal(table), testing::HasSubstr("'degree_x' of the mode table is no degree"));

  table = PlanarTable();
  table.scalars = {{"size_y", 0.0}};
  EXPECT_THAT(Refusal(table), testing::HasSubstr("must be positive"));

  for (const char* name : {"stiffness", "damping"}) {
    table = PlanarTable();
    table.entries[0].scalars = {{name, -1.0}};
    EXPECT_EQ(Refusal(table), std::string(name) + " of mode 'shear' is negative");
    table.entries[0].scalars = {{name, std::nan("")}};
    EXPECT_THAT(Refusal(table), testing::HasSubstr("is not a finite number"));
  }
}

}  // namespace
}  // namespace pliant
