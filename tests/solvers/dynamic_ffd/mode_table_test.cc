#include "solvers/dynamic_ffd/mode_table.h"

#include <gtest/gtest.h>

#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

// The refusal of a table; "" where it is read.
std::string Refusal(const MatrixTable& table, int dimension = 3) {
  const auto read = [&] { ReadModeTable(table, dimension); };
  EXPECT_THAT(reference::PlacedComplaintOf(read), testing::AnyOf("", testing::StartsWith("modes")));
  return reference::ComplaintOf(read);
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
  EXPECT_EQ(modes.lattices[0].bases, BernsteinBases({3, 3, 0}));
  EXPECT_EQ(modes.lattices[0].size, Eigen::Vector3d(400, 300, 1));
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
  EXPECT_EQ(ReadModeTable(table).lattices[0].bases, BernsteinBases({3, 3, 3}));
  table.scalars = {{"degree_x", 1}, {"degree_y", 2}, {"degree_z", 0}};
  table.entries[0].values = Eigen::MatrixXd::Random(3, 6);
  const ModeTable modes = ReadModeTable(table);
  EXPECT_EQ(modes.lattices[0].bases, BernsteinBases({1, 2, 0}));
  EXPECT_EQ(modes.modes[0].displacements, table.entries[0].values);
}

TEST(ModeTable, RefusalsSayWhatIsWrongAndHowToMendIt) {
  EXPECT_EQ(Refusal({}),
            "no deformation modes are given; set modes = \"sheet\" or another table of data/modes; "
            "\"rigid-in-space\" for bodies that do not deform");
  EXPECT_EQ(Refusal({}, 2),
            "no deformation modes are given; set modes = \"rod\" or another table of data/modes; "
            "\"rigid\" for bodies that do not deform");

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
  EXPECT_EQ(Refusal(table), "two modes are named 'shear'; rename one");

  table = PlanarTable();
  table.entries[0].values(1, 3) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Refusal(table), "a displacement of mode 'shear' is not a finite number");

  table = PlanarTable();
  table.scalars = {{"degree_x", 2.5}};
  EXPECT_THAT(Refusal(table),
              testing::HasSubstr("'degree_x' of the mode table is not a valid degree"));

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

NamedMatrix Blend(const std::string& name, const std::map<std::string, double>& weights) {
  return {name, {}, {}, {}, {{"blend", weights}}};
}

MatrixTable ShapeTable() {
  MatrixTable table;
  table.entries = {ShapedMode("squash", {{"shape", "squash"}, {"axis", "y"}}, {{"angle", 0.5}}),
                   ShapedMode("bend", {{"shape", "bend"}, {"axis", "x"}}, {{"amount", 0.2}}),
                   Blend("both", {{"squash", 1.0}, {"bend", -0.5}})};
  return table;
}

TEST(ModeTable, KnowsTheShapesOfTheLibrary) {
  const ModeTable modes = ReadModeTable(ShapeTable(), 2);
  EXPECT_EQ(modes.lattices[0].bases, BernsteinBases({3, 3, 0}));
  EXPECT_EQ(ReadModeTable(ShapeTable(), 3).lattices[0].bases, BernsteinBases({3, 3, 3}));
  const ModeShape& squash = *modes.modes[0].shape;
  EXPECT_EQ(squash.kind, ModeShapeKind::kSquash);
  EXPECT_LT((squash.axis - Eigen::Vector3d(-std::sin(0.5), std::cos(0.5), 0)).norm(), 1e-15);
  EXPECT_EQ(squash.amount, 0.1);
  EXPECT_EQ(modes.modes[1].shape->toward, Eigen::Vector3d::UnitY());
  EXPECT_EQ(modes.modes[1].shape->amount, 0.2);
}

TEST(ModeTable, PartsOfABlendAreNoModesUnlessTheyAreAskedFor) {
  ModeTable modes = ReadModeTable(ShapeTable(), 2);
  EXPECT_FALSE(modes.modes[0].in_use);
  EXPECT_FALSE(modes.modes[1].in_use);
  EXPECT_TRUE(modes.modes[2].in_use);
  UseModes({}, &modes);
  EXPECT_TRUE(modes.modes[2].in_use);
  UseModes({"bend", "both"}, &modes);
  EXPECT_FALSE(modes.modes[0].in_use);
  EXPECT_TRUE(modes.modes[1].in_use);
  EXPECT_TRUE(modes.modes[2].in_use);
  for (const auto& [names, complaint] :
       {std::pair{std::vector<std::string>{"bent"},
                  "the mode table has no mode 'bent'; did you mean 'bend'?"},
        std::pair{std::vector<std::string>{"bend", "bend"}, "mode 'bend' is selected twice"}}) {
    EXPECT_EQ(reference::PlacedComplaintOf([&, &words = names] { UseModes(words, &modes); }),
              std::string("use_modes: ") + complaint);
  }
}

TEST(ModeTable, RefusesShapesAndBlendsThatSayTooMuchOrTooLittle) {
  auto refusal = [](const NamedMatrix& entry) {
    MatrixTable table = ShapeTable();
    table.entries[2] = entry;
    return Refusal(table);
  };
  EXPECT_EQ(refusal(ShapedMode("m", {{"shape", "twits"}})),
            "unknown shape 'twits' of mode 'm'; did you mean 'twist'?");
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "twist"}, {"axis", "w"}})),
              testing::HasSubstr("'axis' of mode 'm' cannot be 'w'"));
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "twist"}, {"toward", "y"}})),
              testing::HasSubstr("a twist has no direction 'toward'"));
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "bend"}, {"axis", "y"}, {"toward", "y"}})),
              testing::HasSubstr("'toward' of mode 'm' is its axis"));
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "bend"}}, {{"amount", 0.0}})),
              testing::HasSubstr("the mode moves nothing"));
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "bend"}}, {{"stiffness", 1}, {"frequency", 2}})),
              testing::HasSubstr("mode 'm' gives both stiffness and frequency"));
  EXPECT_THAT(refusal(ShapedMode("m", {{"shape", "bend"}, {"axes", "x"}})),
              testing::HasSubstr("unknown text 'axes' of mode 'm'; did you mean 'axis'?"));
  EXPECT_THAT(refusal(Blend("m", {{"sqash", 1.0}})),
              testing::HasSubstr("no mode 'sqash' stands before mode 'm'"));
  EXPECT_THAT(refusal(Blend("m", {})), testing::HasSubstr("mode 'm' blends nothing"));
  NamedMatrix twice = Blend("m", {{"bend", 1.0}});
  twice.texts["shape"] = "twist";
  EXPECT_THAT(refusal(twice), testing::HasSubstr("give it values, a shape or a blend"));
  MatrixTable table = ShapeTable();
  table.groups["entri"] = {};
  EXPECT_THAT(Refusal(table), testing::HasSubstr("[[entri]]"));
}

TEST(ModeTable, ReadsExponentAndLimitsOfModesOfEveryKind) {
  MatrixTable table = PlanarTable();
  table.entries.push_back({"bend", {}, {}, {{"shape", "bend"}}, {}});
  table.entries.push_back({"both", {}, {}, {}, {{"blend", {{"shear", 1.0}, {"bend", 0.5}}}}});
  for (NamedMatrix& entry : table.entries) {
    entry.scalars = {{"stiffness", 3.0}, {"exponent", 4.0}, {"lower", -0.5}, {"upper", 0.25}};
  }
  for (const DeformationMode& mode : ReadModeTable(table).modes) {
    EXPECT_EQ(mode.exponent, 4.0) << mode.name;
    EXPECT_EQ(mode.lower, -0.5) << mode.name;
    EXPECT_EQ(mode.upper, 0.25) << mode.name;
  }
  table.entries[0].scalars["lower"] = 0.25;
  EXPECT_THAT(Refusal(table), testing::HasSubstr("limits of mode 'shear' are empty"));
  table.entries[0].scalars = {{"stiffness", 3.0}, {"exponent", 1.5}};
  EXPECT_THAT(Refusal(table), testing::HasSubstr("exponent of mode 'shear' is below 2"));
}

TEST(ModeTable, RefusesExponentsWhereThePotentialIsQuadratic) {
  MatrixTable table = PlanarTable();
  for (const char* name : {"frequency", "damping_ratio"}) {
    table.entries[0].scalars = {{name, 0.5}, {"exponent", 3.0}};
    EXPECT_THAT(Refusal(table), testing::HasSubstr("the frequency of mode 'shear'")) << name;
    table.entries[0].scalars["exponent"] = 2.0;
    EXPECT_EQ(Refusal(table), "") << name;
  }
  table.scalars = {{"youngs_modulus", 1e5}, {"thickness", 0.1}};
  table.entries[0].scalars = {{"exponent", 3.0}};
  EXPECT_THAT(Refusal(table),
              testing::HasSubstr("the stiffness of mode 'shear' comes from the material"));
  table.entries[0].scalars["stiffness"] = 3.0;
  EXPECT_EQ(Refusal(table), "");
}

TEST(ModeTable, ReadsLatticesOfBSplinesOfPartsAndExtendedOnes) {
  MatrixTable table;
  table.entries = {ShapedMode("a", {{"shape", "bend"}, {"lattice", "legs"}})};
  NamedMatrix top{"top", {}, {{"points_x", 7}, {"points_y", 4}}, {{"basis", "b-spline"}}, {}};
  NamedMatrix legs{
      "legs", Eigen::MatrixXd::Random(2, 6), {{"degree_x", 1}, {"degree_y", 2}}, {}, {}};
  legs.scalars["upper_y"] = 0.6;
  table.groups["lattice"] = {top, legs};
  const ModeTable modes = ReadModeTable(table, 2);
  ASSERT_EQ(modes.lattices.size(), 2u);
  EXPECT_EQ(modes.lattices[0].bases,
            (LatticeBases{LatticeBasis::CubicBSpline(7), LatticeBasis::CubicBSpline(4),
                          LatticeBasis::Bernstein(0)}));
  EXPECT_EQ(modes.lattices[1].bases, BernsteinBases({1, 2, 0}));
  EXPECT_EQ(modes.lattices[1].upper, Eigen::Vector3d(1, 0.6, 1));
  EXPECT_EQ(modes.lattices[1].points.topRows(2), legs.values);
  EXPECT_EQ(modes.modes[0].lattice, 1);

  auto refusal = [&](auto change) {
    MatrixTable changed = table;
    change(&changed.groups["lattice"][0], &changed.groups["lattice"][1], &changed.entries[0]);
    return Refusal(changed, 2);
  };
  using Entry = NamedMatrix*;
  EXPECT_THAT(
      refusal([](Entry a, Entry, Entry) { a->scalars["points_x"] = 3; }),
      testing::HasSubstr("'points_x' of lattice 'top' is not a valid number of control points"));
  EXPECT_THAT(refusal([](Entry a, Entry, Entry) { a->scalars["degree_x"] = 3; }),
              testing::HasSubstr("'degree_x' of lattice 'top' does not fit its basis"));
  EXPECT_THAT(refusal([](Entry a, Entry, Entry) { a->texts["basis"] = "b-splin"; }),
              testing::HasSubstr("did you mean 'b-spline'?"));
  EXPECT_THAT(refusal([](Entry, Entry b, Entry) { b->values.resize(2, 5); }),
              testing::HasSubstr("lattice 'legs' has 2 rows of 5 control points; it needs 2 rows "
                                 "of 6"));
  EXPECT_THAT(refusal([](Entry, Entry b, Entry) { b->scalars["lower_y"] = 0.7; }),
              testing::HasSubstr("lattice 'legs' covers nothing"));
  EXPECT_THAT(refusal([](Entry, Entry b, Entry) { b->name = "top"; }),
              testing::HasSubstr("two lattices are named 'top'"));
  EXPECT_THAT(refusal([](Entry, Entry, Entry m) { m->texts["lattice"] = "leg"; }),
              testing::HasSubstr("no lattice 'leg' for mode 'a'; did you mean 'legs'?"));
}

TEST(ModeTable, ReadsAMaterial) {
  MatrixTable table = ShapeTable();
  table.scalars = {{"youngs_modulus", 1e6}, {"poisson_ratio", 0.3}, {"thickness", 0.1}};
  const ModeTable modes = ReadModeTable(table, 2);
  ASSERT_TRUE(modes.material);
  EXPECT_EQ(modes.material->elastic.youngs_modulus, 1e6);
  EXPECT_EQ(modes.material->elastic.poisson_ratio, 0.3);
  EXPECT_EQ(modes.material->thickness, 0.1);
  EXPECT_FALSE(modes.material->density);
  table.scalars["poisson_ratio"] = 0.5;
  EXPECT_THAT(Refusal(table), testing::HasSubstr("poisson_ratio is out of range"));
  table.scalars.erase("youngs_modulus");
  EXPECT_THAT(Refusal(table), testing::HasSubstr("has no youngs_modulus"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
