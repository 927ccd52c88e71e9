#include "models/scene/shapes.h"

#include <gtest/gtest.h>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/validate.h"
#include "tests/models/geometry/meshes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

Body CubeMesh(SubdivisionScheme scheme, int subdivisions) {
  const meshes::Shape cube = meshes::Cube();
  return MakeMesh("m", cube.vertices, cube.mesh, scheme, subdivisions, 2.0);
}

TEST(Shapes, SpreadTheirMassEvenly) {
  for (const Body& body :
       {MakeChain("c", {0, 0, 0}, {1, 0, 0}, 5, 2.0), MakeSheet("s", {1, 2}, {3, 5}, 2.0),
        MakeBlock("b", {1, 2, 3}, {2, 3, 4}, 2.0), MakeRing("r", 1.0, 8, 2.0),
        MakeTube("t", 0.5, 2.0, {8, 3}, 2.0), MakeTorus("o", 1.0, 0.4, {12, 6}, 2.0),
        CubeMesh(SubdivisionScheme::kCatmullClark, 1)}) {
    EXPECT_NEAR(body.mass.sum(), 2.0, 1e-15);
    EXPECT_EQ(body.mass.minCoeff(), body.mass.maxCoeff());
    EXPECT_NO_THROW(Validate(SceneOf({body})));
  }
}

TEST(Shapes, ClosedSurfaceOfABlockHasItsVolume) {
  Scene scene = SceneOf({MakeBlock("b", {1, 2, 3}, {3, 4, 2}, 1.0)});
  scene.bodies[0].stretch = Eigen::Vector3d(1.1, 0.9, 2.0).asDiagonal();
  EXPECT_NEAR(*ExtentRatio(scene, scene.InitialPoints()), 1.1 * 0.9 * 2.0, 1e-14);
}

TEST(Shapes, FacesOfASheetPointAlongItsNormal) {
  const Body sheet = MakeSheet("s", {1, 1}, {3, 3}, 1.0);
  for (const auto& face : sheet.faces) {
    const Eigen::Vector3d u = sheet.rest.col(face[1]) - sheet.rest.col(face[0]);
    const Eigen::Vector3d v = sheet.rest.col(face[2]) - sheet.rest.col(face[0]);
    EXPECT_GT(u.cross(v).z(), 0.0);
  }
  EXPECT_EQ(sheet.edges.size(), 12u);
}

// Volume the faces enclose; area when they are open.
double ExtentOf(const Body& body) {
  Scene scene = SceneOf({body});
  double extent = 0.0;
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  for (const auto& [a, b, c] : body.faces) {
    const Eigen::Vector3d p = x.col(a), q = x.col(b), r = x.col(c);
    extent += body.closed ? p.dot(q.cross(r)) / 6.0 : 0.5 * (q - p).cross(r - p).norm();
  }
  return extent;
}

TEST(Shapes, WrappedShapesCloseAndFaceOutwards) {
  constexpr double kPi = 3.14159265358979323846;
  const Body tube = MakeTube("t", 0.5, 2.0, {96, 5}, 1.0);
  EXPECT_FALSE(tube.closed);
  EXPECT_EQ(tube.edges.size(), 96u * 5 + 96u * 4);
  EXPECT_EQ(tube.faces.size(), 2u * 96 * 4);
  EXPECT_NEAR(ExtentOf(tube), 2.0 * kPi * 0.5 * 2.0, 5e-3);
  for (const auto& [a, b, c] : tube.faces) {
    const Eigen::Vector3d p = tube.rest.col(a);
    const Eigen::Vector3d normal =
        Eigen::Vector3d(tube.rest.col(b) - p).cross(Eigen::Vector3d(tube.rest.col(c) - p));
    EXPECT_GT(normal.x() * p.x() + normal.y() * p.y(), 0.0);
  }
  const Body torus = MakeTorus("o", 1.0, 0.4, {96, 64}, 1.0);
  EXPECT_TRUE(torus.closed);
  EXPECT_EQ(torus.edges.size(), 2u * 96 * 64);
  EXPECT_NEAR(ExtentOf(torus), 2.0 * kPi * kPi * 0.16, 0.02);  // positive: outwards
  const Body ring = MakeRing("r", 2.0, 64, 1.0);
  EXPECT_EQ(ring.edges.back(), (std::array<int, 2>{63, 0}));
  const Eigen::Vector3d along = ring.rest.col(1) - ring.rest.col(0);
  EXPECT_GT(along.cross(-Eigen::Vector3d::UnitZ()).dot(Eigen::Vector3d(ring.rest.col(0))), 0.0);
}

TEST(Shapes, BorderOfATubeIsItsEndsAndATorusHasNone) {
  EXPECT_EQ(PointGroup(MakeTube("t", 1.0, 1.0, {8, 3}, 1.0), "border").size(), 16u);
  EXPECT_TRUE(PointGroup(MakeTorus("o", 1.0, 0.4, {8, 6}, 1.0), "border").empty());
  EXPECT_TRUE(PointGroup(MakeRing("r", 1.0, 8, 1.0), "border").empty());
}

TEST(Shapes, MeshesAreRefinedCages) {
  const Body cage = CubeMesh(SubdivisionScheme::kCatmullClark, 0);
  EXPECT_NEAR(ExtentOf(cage), 8.0, 1e-14);
  const Body once = CubeMesh(SubdivisionScheme::kCatmullClark, 1);
  EXPECT_EQ(once.size(), 8 + 12 + 6);
  EXPECT_TRUE(once.closed);
  EXPECT_EQ(once.cage->subdivisions, 1);
  EXPECT_LT(ExtentOf(once), 8.0);
  EXPECT_GT(ExtentOf(once), 3.0);
  EXPECT_THROW(CubeMesh(SubdivisionScheme::kLoop, 1), BadInput);
  Scene scene = SceneOf({once});
  scene.bodies[0].stretch = Eigen::Vector3d(2.0, 1.0, 1.0).asDiagonal();
  EXPECT_NEAR(*ExtentRatio(scene, scene.InitialPoints()), 2.0, 1e-14);  // volume, not area
}

TEST(Shapes, GroupsNameTheRightPoints) {
  const Body sheet = MakeSheet("s", {1, 1}, {4, 3}, 1.0);
  EXPECT_EQ(PointGroup(sheet, "all").size(), 12u);
  EXPECT_EQ(PointGroup(sheet, "corners"), (std::vector<int>{0, 3, 8, 11}));
  EXPECT_EQ(PointGroup(sheet, "border").size(), 10u);
  EXPECT_EQ(PointGroup(sheet, "top"), (std::vector<int>{8, 9, 10, 11}));
  EXPECT_EQ(PointGroup(sheet, "end"), (std::vector<int>{11}));
  const Body block = MakeBlock("b", {1, 1, 1}, {3, 3, 3}, 1.0);
  EXPECT_EQ(PointGroup(block, "border").size(), 26u);
  EXPECT_EQ(PointGroup(block, "corners").size(), 8u);
  EXPECT_EQ(PointGroup(block, "bottom").size(), 9u);
  EXPECT_EQ(GridPoint(sheet, {1, 2}), 9);
}

TEST(Shapes, RefuseWhatTheyLack) {
  Body profile = MakeChain("c", {0, 0, 0}, {1, 0, 0}, 3, 1.0);
  profile.grid = {0, 0, 0};
  EXPECT_THROW(PointGroup(profile, "corners"), BadInput);
  EXPECT_THROW(PointGroup(profile, "cornres"), BadInput);
  EXPECT_THROW(GridPoint(profile, {0}), BadInput);
  EXPECT_THROW(GridPoint(MakeSheet("s", {1, 1}, {4, 3}, 1.0), {4, 0}), BadInput);
  EXPECT_THROW(MakeChain("c", {0, 0, 0}, {1, 0, 0}, 1, 1.0), BadInput);
  EXPECT_THROW(MakeSheet("s", {1, 1}, {4, 3}, -1.0), BadInput);
  EXPECT_THROW(MakeRing("r", 1.0, 2, 1.0), BadInput);
  EXPECT_THROW(MakeRing("r", 0.0, 8, 1.0), BadInput);
  EXPECT_THROW(MakeTube("t", 1.0, -1.0, {8, 3}, 1.0), BadInput);
  EXPECT_THROW(MakeTorus("o", 1.0, 1.0, {8, 8}, 1.0), BadInput);
}

}  // namespace
}  // namespace pliant
