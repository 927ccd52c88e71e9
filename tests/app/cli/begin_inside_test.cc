// What check notes of two bodies that begin inside one another.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

// Two bodies of a scene, and the note on how deep they begin inside one another.
class TwoBodies : public ::testing::Test {
 protected:
  struct Placed {
    std::string shape;     // keys of the body
    std::string position;  // "[0, 0, 0]"
  };
  // The depth that the note says [m]; 0 where there is none.
  double DepthOf(int dimension, const Placed& one, const Placed& other,
                 const std::string& more = "") const {
    std::string text = "name = \"two\"\ndimension = " + std::to_string(dimension) + "\n";
    for (const auto& [name, body] : {std::pair("one", one), std::pair("other", other)}) {
      text += "[[body]]\nname = \"" + std::string(name) + "\"\n" + body.shape +
              "\nmass = 1\nposition = " + body.position + "\n";
    }
    WriteText(file_, text + more);
    const Ended check = Pliant({"check", file_});
    EXPECT_EQ(check.err, "") << text << more;
    const std::string before = "bodies 'one' and 'other' begin ";
    const size_t at = check.out.find(before);
    if (at == std::string::npos) return 0.0;
    EXPECT_THAT(check.out, HasSubstr(" m inside each other; move them apart, or set ignore = true "
                                     "in [contact.one.other]"));
    return std::stod(check.out.substr(at + before.size()));
  }
  static std::string Block(const std::string& size) {
    return "shape = \"block\"\npoints = [2, 2, 2]\nsize = " + size;
  }
  static std::string Sheet(const std::string& size) {
    return "shape = \"sheet\"\npoints = [2, 2]\nsize = " + size;
  }
  static std::string Ball(const std::string& radius) {
    return "shape = \"mesh\"\nrigid = true\nfile = \"ball\"\nscale = " + radius;
  }

  const ScratchFolder folder_;
  const std::string file_ = (folder_ / "two.toml").string();
};

TEST_F(TwoBodies, AreSaidToBeginInsideOneAnotherWhereNothingCrosses) {
  // All of the surface of a cube of 0.2 m in the middle of one of 1 m is 0.4 m deep.
  EXPECT_DOUBLE_EQ(
      DepthOf(3, {Block("[1, 1, 1]"), "[0, 0, 0]"}, {Block("[0.2, 0.2, 0.2]"), "[0, 0, 0]"}), 0.4);
  EXPECT_DOUBLE_EQ(
      DepthOf(3, {Block("[0.2, 0.2, 0.2]"), "[0, 0, 0]"}, {Block("[1, 1, 1]"), "[0, 0, 0]"}), 0.4);
  // In the plane the middles of two sides are on the axis of the outer one: 0.1 m.
  EXPECT_DOUBLE_EQ(DepthOf(2, {Sheet("[1, 0.2]"), "[0, 0]"}, {Sheet("[0.1, 0.1]"), "[0.2, 0]"}),
                   0.1);
  // Of a ball within a bar, the places on the axis of the bar.
  EXPECT_NEAR(DepthOf(3, {Block("[1, 0.2, 0.2]"), "[0, 0, 0]"}, {Ball("0.05"), "[0.25, 0, 0]"}),
              0.1, 0.01);
  // A bar around a ball of which a part is outside; a ball around a bar.
  EXPECT_GT(DepthOf(3, {Block("[1, 0.2, 0.2]"), "[0, 0, 0]"}, {Ball("0.15"), "[0.3, 0, 0]"}), 0.08);
  EXPECT_GT(DepthOf(3, {Block("[0.4, 0.1, 0.1]"), "[0, 0, 0]"}, {Ball("0.5"), "[0.1, 0, 0]"}), 0.2);
}

// No corner, middle of an edge or middle of a face of one bar is inside the other: 1 m along x, 0.1 m thick, from which
// sides of 0.05 m are 0.05 m deep in the other.
TEST_F(TwoBodies, AreSaidToBeginInsideOneAnotherWhereEdgesGoThrough) {
  const Placed along_x = {Block("[1, 0.1, 0.1]"), "[0, 0, 0]"};
  const double depth = DepthOf(3, along_x, {Block("[0.1, 0.2, 1]"), "[0.3, 0, 0.2]"});
  EXPECT_LE(depth, 0.05);
  EXPECT_GE(depth, 0.03);
  const double planar =
      DepthOf(2, {Sheet("[1, 0.1]"), "[0, 0]"}, {Sheet("[0.1, 1]"), "[0.3, 0.2]"});
  EXPECT_LE(planar, 0.05);
  EXPECT_GE(planar, 0.03);
}

TEST_F(TwoBodies, MayTouchBeJoinedOrPassThroughEachOther) {
  const Placed cube = {Block("[1, 1, 1]"), "[0, 0, 0]"};
  EXPECT_EQ(DepthOf(3, cube, {Block("[0.2, 0.2, 0.2]"), "[0.1, 0.6, 0.2]"}), 0.0);
  EXPECT_EQ(DepthOf(2, {Sheet("[1, 0.2]"), "[0, 0]"}, {Sheet("[0.1, 0.1]"), "[0.2, 0.15]"}), 0.0);
  // Turned, with rounding: cos 0.3 = 0.9553, sin 0.3 = 0.2955, 0.6 m along the normal.
  const std::string turned = "\nrotation = {axis = [0, 0, 1], angle = 0.3}";
  EXPECT_EQ(DepthOf(3, {cube.shape + turned, "[0, 0, 0]"},
                    {Block("[0.2, 0.2, 0.2]") + turned,
                     "[-0.17731212399680373, 0.57320189347536358, 0]"}),
            0.0);
  const Placed inside = {Block("[0.2, 0.2, 0.2]"), "[0, 0, 0]"};
  EXPECT_EQ(DepthOf(3, cube, inside, "[contact.one.other]\nignore = true\n"), 0.0);
  EXPECT_EQ(
      DepthOf(3, cube, inside,
              "[[attachment]]\nname = \"pin\"\napart = true\na = {body = \"one\", point = 0}\n"
              "b = {body = \"other\", point = 0}\n"),
      0.0);
  // A thousandth of the smaller body is what resting bodies sink in.
  EXPECT_EQ(DepthOf(3, cube, {Block("[0.2, 0.2, 0.2]"), "[0.1, 0.5999, 0.2]"}), 0.0);
  EXPECT_NEAR(DepthOf(3, cube, {Block("[0.2, 0.2, 0.2]"), "[0.1, 0.599, 0.2]"}), 0.001, 1e-9);
}

}  // namespace
}  // namespace pliant
