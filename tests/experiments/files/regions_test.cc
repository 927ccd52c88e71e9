// Regions of points by name and by place, for every shape that has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "experiments/files/experiment.h"
#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::Folder;
using testing::ElementsAre;

// An experiment on a body with a force on these points.
std::filesystem::path WriteForceOn(const Folder& folder, const std::string& body,
                                   const std::string& points) {
  return folder.Write(
      "region.toml",
      "[run]\nduration = 0.1\nstep = 0.01\nrecord_every = 0.1\n[backends.probe]\n"
      "[scene]\nname = \"x\"\n[[scene.body]]\nname = \"a\"\nmass = 1.0\n" +
          body + "\n[[scene.force]]\nname = \"f\"\nbody = \"a\"\nforce = [1, 0, 0]\npoints = " +
          points + "\n");
}

std::vector<int> PointsOf(const std::string& body, const std::string& points) {
  const Folder folder;
  std::vector<int> found;
  const Experiment experiment = samples::ReadProbe(WriteForceOn(folder, body, points));
  for (const TimedForce& force : experiment.scene->forces) found.push_back(force.point.point);
  return found;
}

std::string ComplaintOf(const std::string& body, const std::string& points) {
  const Folder folder;
  return samples::ErrorOf(WriteForceOn(folder, body, points));
}

const std::string kBlock = "shape = \"block\"\nsize = [2, 2, 2]\npoints = [3, 3, 3]";
const std::string kPlate = "shape = \"sheet\"\nsize = [2, 1]\npoints = [3, 2]";
const std::string kChain = "shape = \"chain\"\nfrom = [0, 0, 0]\nto = [4, 0, 0]\npoints = 5";

// Index i + 3 j + 9 k at (i − 1, j − 1, k − 1).
TEST(Regions, AreWhatGroupsShareAnEdgeOrACorner) {
  EXPECT_EQ(PointsOf(kBlock, "\"x-\"").size(), 9U);
  EXPECT_THAT(PointsOf(kBlock, "\"x- top\""), ElementsAre(6, 15, 24));
  EXPECT_THAT(PointsOf(kBlock, "\"x+ y- z+\""), ElementsAre(20));
  EXPECT_THAT(PointsOf(kPlate, "\"border x+\""), ElementsAre(2, 5));
}

TEST(Regions, AreSlicesBoxesAndSpheresInTheFrameOfTheBody) {
  EXPECT_THAT(PointsOf(kChain, "{x = [1, 3]}"), ElementsAre(1, 2, 3));
  EXPECT_THAT(PointsOf(kChain + "\nposition = [9, 9, 9]\nrotation = 1.0", "{x = [1, 3]}"),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(PointsOf(kBlock, "{y = [0, 0]}").size(), 9U);
  EXPECT_THAT(PointsOf(kBlock, "{x = [0, 1], y = [0.5, 2], z = [-1, -0.5]}"), ElementsAre(7, 8));
  EXPECT_EQ(PointsOf(kBlock, "{centre = [0, 0, 0], radius = 1}").size(), 7U);
  EXPECT_THAT(PointsOf(kBlock, "{centre = [0, 0, 0], radius = 1, z = [0.5, 1]}"), ElementsAre(22));
  EXPECT_EQ(PointsOf("shape = \"ring\"\nradius = 1\npoints = 8", "{y = [0.1, 2]}").size(), 3U);
}

// A force on the whole is divided by area, one on each point is not; so are its history and an impulse.
TEST(Regions, ShareALoadByTheirArea) {
  const Folder folder;
  const auto forces = [&](const std::string& points, const std::string& load) {
    const std::string rest = points + "\n" + load;
    const Experiment experiment = samples::ReadProbe(WriteForceOn(folder, kBlock, rest));
    std::vector<double> along;
    for (const TimedForce& force : experiment.scene->forces) along.push_back(force.force.x());
    return along;
  };
  EXPECT_THAT(forces("\"x- top\"", ""), ElementsAre(1.0, 1.0, 1.0));
  EXPECT_THAT(forces("\"x- top\"", "shared = true"), ElementsAre(0.25, 0.5, 0.25));
  const std::vector<double> face = forces("\"x+\"", "shared = true");
  EXPECT_NEAR(std::accumulate(face.begin(), face.end(), 0.0), 1.0, 1e-15);
  EXPECT_NEAR(face[0], 1.0 / 16.0, 1e-15);
  EXPECT_NEAR(face[4], 1.0 / 4.0, 1e-15);
  const Experiment experiment = samples::ReadProbe(WriteForceOn(
      folder, kBlock,
      "\"x+\"\n[[scene.force]]\nname = \"h\"\nbody = \"a\"\npoints = \"x+\"\nshared = true\n"
      "history = {times = [0, 1, 2], forces = [[8, 0, 0], [0, 16, 0]]}\n"
      "[[scene.impulse]]\nname = \"i\"\nbody = \"a\"\npoints = \"x+\"\nshared = true\n"
      "impulse = [0, 0, 4]"));
  const TimedForce& later = experiment.scene->forces[9 + 2 * 4 + 1];  // of the middle of the face
  EXPECT_EQ(later.force, Eigen::Vector3d(0.0, 4.0, 0.0));
  EXPECT_EQ(later.from, 1.0);
  EXPECT_EQ(experiment.scene->impulses[4].impulse, Eigen::Vector3d(0.0, 0.0, 1.0));
  EXPECT_EQ(experiment.scene->impulses[0].impulse, Eigen::Vector3d(0.0, 0.0, 0.25));
}

TEST(Regions, AreRangesFromOneMarkOrPointToAnother) {
  const std::string marked = kChain + "\nmarks = {knee = 1, foot = 3}";
  EXPECT_THAT(PointsOf(marked, "{from = \"knee\", to = \"foot\"}"), ElementsAre(1, 2, 3));
  EXPECT_THAT(PointsOf(marked, "{from = \"foot\", to = \"knee\"}"), ElementsAre(1, 2, 3));
  EXPECT_THAT(PointsOf(marked, "{from = \"start\", to = \"knee\"}"), ElementsAre(0, 1));
  EXPECT_THAT(PointsOf(marked, "{from = 2, to = 2}"), ElementsAre(2));
  // Between two points of a grid: a line, a rectangle, a box.
  EXPECT_THAT(PointsOf(kBlock, "{from = [0, 2, 0], to = [2, 2, 0]}"), ElementsAre(6, 7, 8));
  EXPECT_THAT(PointsOf(kBlock, "{from = [1, 0, 2], to = [2, 1, 1]}"),
              ElementsAre(10, 11, 13, 14, 19, 20, 22, 23));
  // With a slice: what both have.
  EXPECT_THAT(PointsOf(kChain, "{from = 1, to = 4, x = [0, 2]}"), ElementsAre(1, 2));
}

TEST(Regions, GoAroundAClosedBodyWhereTheRangeEndsBeforeItBegins) {
  const std::string ring = "shape = \"ring\"\nradius = 1\npoints = 8\nmarks = {a = 6, b = 1}";
  EXPECT_THAT(PointsOf(ring, "{from = \"a\", to = \"b\"}"), ElementsAre(0, 1, 6, 7));
  EXPECT_THAT(PointsOf(ring, "{from = \"b\", to = \"a\"}"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Regions, ThatCannotBeMeantAreRefused) {
  EXPECT_THAT(ComplaintOf(kBlock, "\"middle\""),
              Says({"unknown group of points 'middle'", "the middle of its grid is [1, 1, 1]"}));
  EXPECT_THAT(ComplaintOf(kChain, "{from = 1}"), Says({"a first and a last point"}));
  EXPECT_THAT(ComplaintOf(kChain, "{from = 1, to = \"tip\"}"), Says({"unknown group", "'tip'"}));
  EXPECT_THAT(ComplaintOf(kChain, "{from = 1, to = 9}"), Says({"point 9 is out of range"}));
  EXPECT_THAT(ComplaintOf(kBlock, "{from = \"top\", to = 9}"), Says({"only one is expected"}));
  EXPECT_THAT(ComplaintOf(kBlock, "\"start\""),
              Says({"single corner of its grid", "name a face", "point = \"start\""}));
  EXPECT_THAT(ComplaintOf(kPlate, "\"end\""), Says({"single corner"}));
  EXPECT_EQ(ComplaintOf(kChain, "\"end\""), "");
  EXPECT_THAT(ComplaintOf(kBlock, "\"x- x+\""), Says({"in all of the groups 'x- x+'"}));
  EXPECT_THAT(ComplaintOf(kBlock, "\"x- tpo\""), Says({"unknown group of points 'tpo'", "'top'"}));
  // They were no points at all, without a word.
  for (const char* shape : {"shape = \"ring\"\nradius = 1\npoints = 8",
                            "shape = \"torus\"\nradius = 1\ntube_radius = 0.2\npoints = [8, 6]"}) {
    for (const std::string group : {"corners", "border"}) {
      EXPECT_THAT(ComplaintOf(shape, "\"" + group + "\""),
                  Says({"closes in itself, so no point of it is in '" + group + "'"}));
    }
  }
  EXPECT_THAT(ComplaintOf(kBlock, "{x = [5, 6]}"),
              Says({"no point of body 'a' is in the region", "from [-1.0, -1.0, -1.0] to"}));
  EXPECT_THAT(ComplaintOf(kBlock, "{x = [1, 0]}"),
              Says({"the range of x ends at 0, before it begins at 1"}));
  EXPECT_THAT(ComplaintOf(kBlock, "{radius = 1}"), Says({"a centre and a radius"}));
  EXPECT_THAT(ComplaintOf(kBlock, "{u = [0, 1]}"), Says({"unknown key 'u'"}));
}

}  // namespace
}  // namespace pliant
