// Meshes, their refinement and their manifoldness; solids of convex pieces.

#include "models/geometry/subdivision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "models/geometry/convex.h"
#include "models/problem.h"
#include "tests/models/geometry/meshes.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using meshes::Shape;
using testing::HasSubstr;

constexpr SubdivisionScheme kSchemes[] = {SubdivisionScheme::kCatmullClark,
                                          SubdivisionScheme::kLoop};

std::string ComplaintAbout(const PolygonMesh& mesh) {
  return reference::ComplaintOf([&] { RequireManifold(mesh); });
}

// The triangles of a shape in place of its polygons.
Shape Triangulated(Shape shape) {
  std::vector<std::vector<int>> faces;
  for (const auto& [a, b, c] : TrianglesOf(shape.mesh)) faces.push_back({a, b, c});
  shape.mesh.faces = faces;
  return shape;
}

TEST(Mesh, CountsVerticesEdgesAndFacesOfRefinedMeshesAsEuler) {
  for (const SubdivisionScheme scheme : kSchemes) {
    Shape shape = Triangulated(meshes::Cube());
    for (int level = 0; level < 3; ++level) {
      const size_t edges = EdgesOf(shape.mesh).size(), faces = shape.mesh.faces.size();
      EXPECT_EQ(shape.mesh.vertices + faces - edges, 2u);
      EXPECT_EQ(ComplaintAbout(shape.mesh), "");
      EXPECT_TRUE(IsClosed(shape.mesh));
      const RefinedMesh finer = Refine(shape.mesh, scheme);
      const size_t added = scheme == SubdivisionScheme::kLoop ? 0 : faces;
      EXPECT_EQ(finer.mesh.vertices, shape.mesh.vertices + edges + added);
      shape = {Apply(finer.smooth, shape.vertices), finer.mesh};
    }
  }
}

TEST(Refine, MasksReproduceConstantsAndLinearMasksLinearFunctionsOfFlatMeshes) {
  for (const SubdivisionScheme scheme : kSchemes) {
    const Shape grid = Triangulated(meshes::QuadGrid(3));
    const RefinedMesh finer = Refine(grid.mesh, scheme);
    for (const VertexMasks* masks : {&finer.smooth, &finer.linear}) {
      const Matrix3Xd ones = Apply(*masks, Matrix3Xd::Ones(3, grid.mesh.vertices));
      EXPECT_LT((ones.array() - 1.0).abs().maxCoeff(), 1e-14);
    }
    // Edge vertices follow the old ones, in the order of EdgesOf.
    const Matrix3Xd linear = Apply(finer.linear, grid.vertices);
    const auto edges = EdgesOf(grid.mesh);
    for (size_t e = 0; e < edges.size(); ++e) {
      const Vector3d middle =
          0.5 * (grid.vertices.col(edges[e][0]) + grid.vertices.col(edges[e][1]));
      EXPECT_LT((linear.col(grid.mesh.vertices + static_cast<int>(e)) - middle).norm(), 1e-15);
    }
  }
}

TEST(Refine, CatmullClarkOfARegularGridIsTheBicubicBSpline) {
  Shape grid = meshes::QuadGrid(4);
  // One vertex raised: its refined neighbourhood is (1, 4, 6, 4, 1)/8 tensor itself.
  const int middle = 2 + 5 * 2;
  grid.vertices(2, middle) = 64.0;
  const RefinedMesh finer = Refine(grid.mesh, SubdivisionScheme::kCatmullClark);
  const Matrix3Xd points = Apply(finer.smooth, grid.vertices);
  const double weight[] = {1, 4, 6, 4, 1};
  int checked = 0;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const double u = 2.0 * (points(0, i) - 1.0), v = 2.0 * (points(1, i) - 1.0);
    if (u < -0.1 || u > 4.1 || v < -0.1 || v > 4.1) continue;
    EXPECT_NEAR(points(2, i), weight[std::lround(u)] * weight[std::lround(v)], 1e-12);
    ++checked;
  }
  EXPECT_EQ(checked, 25);
}

TEST(Refine, LoopOfARegularVertexTakesFiveEighthsOfIt) {
  // Triangulated grid: inner vertices have six neighbours.
  Shape grid = Triangulated(meshes::QuadGrid(4));
  const int middle = 2 + 5 * 2;
  grid.vertices(2, middle) = 16.0;
  const RefinedMesh finer = Refine(grid.mesh, SubdivisionScheme::kLoop);
  const Matrix3Xd points = Apply(finer.smooth, grid.vertices);
  EXPECT_NEAR(points(2, middle), 10.0, 1e-13);
  EXPECT_NEAR(points(2, middle + 1), 1.0, 1e-13);  // a neighbour takes one sixteenth
  const auto edges = EdgesOf(grid.mesh);
  for (size_t e = 0; e < edges.size(); ++e) {
    if (edges[e][0] != middle && edges[e][1] != middle) continue;
    EXPECT_NEAR(points(2, grid.mesh.vertices + static_cast<int>(e)), 6.0, 1e-13);
  }
}

TEST(Refine, BordersAreCubicSplinesOfTheBorderAloneAndCornersStay) {
  for (const SubdivisionScheme scheme : kSchemes) {
    Shape grid = meshes::QuadGrid(4);
    if (scheme == SubdivisionScheme::kLoop) grid = Triangulated(grid);
    grid.vertices(2, 2) = 8.0;            // on the border y = 0
    grid.vertices(2, 2 + 5 * 2) = 100.0;  // inside: must not show on the border
    const RefinedMesh finer = Refine(grid.mesh, scheme);
    const Matrix3Xd points = Apply(finer.smooth, grid.vertices);
    EXPECT_NEAR(points(2, 2), 6.0, 1e-13);
    EXPECT_NEAR(points(2, 1), 1.0, 1e-13);
    EXPECT_EQ(points.col(4), grid.vertices.col(4));  // a corner with one face (two with Loop's)
  }
}

TEST(Refine, OfAnOctahedronAndACubeStaysSymmetricAndShrinks) {
  for (const Shape& start : {meshes::Octahedron(), meshes::Cube()}) {
    const auto scheme = start.mesh.faces[0].size() == 3 ? SubdivisionScheme::kLoop
                                                        : SubdivisionScheme::kCatmullClark;
    Shape shape = start;
    for (int level = 0; level < 3; ++level) {
      const RefinedMesh finer = Refine(shape.mesh, scheme);
      shape = {Apply(finer.smooth, shape.vertices), finer.mesh};
    }
    EXPECT_LT(shape.vertices.rowwise().mean().norm(), 1e-14);
    const Eigen::RowVectorXd radii = shape.vertices.colwise().norm();
    EXPECT_LT(radii.maxCoeff(), start.vertices.colwise().norm().maxCoeff());
    EXPECT_GT(radii.minCoeff(), 0.3);
  }
}

TEST(Refine, LoopRefusesQuads) {
  EXPECT_THROW(Refine(meshes::Cube().mesh, SubdivisionScheme::kLoop), BadInput);
}

TEST(Manifold, RefusesWhatIsNot) {
  PolygonMesh mesh = meshes::Cube().mesh;
  EXPECT_EQ(ComplaintAbout(mesh), "");
  mesh.faces.push_back({0, 1, 3, 2});  // a side that turns the other way, on top of another
  EXPECT_THAT(ComplaintAbout(mesh), HasSubstr("not manifold"));
  EXPECT_THAT(ComplaintAbout({3, {{0, 1}}}), HasSubstr("fewer than 3"));
  EXPECT_THAT(ComplaintAbout({3, {{0, 1, 3}}}), HasSubstr("vertices are 0 to 2"));
  EXPECT_THAT(ComplaintAbout({3, {{0, 1, 1}}}), HasSubstr("twice"));
  EXPECT_THAT(ComplaintAbout({4, {{0, 1, 2}}}), HasSubstr("vertex 3 belongs to no face"));
  EXPECT_THAT(ComplaintAbout({4, {{0, 1, 2}, {0, 1, 3}}}), HasSubstr("edge 0–1"));  // flipped
  EXPECT_THAT(ComplaintAbout({5, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}}), HasSubstr("edge 0–1"));
  EXPECT_THAT(ComplaintAbout({5, {{0, 1, 2}, {0, 3, 4}}}), HasSubstr("touch in vertex 0"));
  EXPECT_THAT(ComplaintAbout({0, {}}), HasSubstr("no faces"));
}

TEST(Mesh, KnowsItsBorder) {
  EXPECT_FALSE(IsClosed(meshes::QuadGrid(2).mesh));
  PolygonMesh open = meshes::Cube().mesh;
  open.faces.pop_back();
  EXPECT_FALSE(IsClosed(open));
}

std::vector<ConvexPiece> PiecesOf(const Shape& shape) {
  return ConvexPieces(shape.vertices, shape.mesh);
}

TEST(Convex, DistanceOfACubeIsThatOfTheBox) {
  const ConvexPiece cube = PiecesOf(meshes::Cube(0.7, {0.1, 0.2, 0.3}))[0];
  std::mt19937 generator(12);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d local(uniform(generator), uniform(generator), uniform(generator));
    const Vector3d excess = local.cwiseAbs() - Vector3d::Constant(0.7);
    const double expected =
        excess.maxCoeff() <= 0.0 ? excess.maxCoeff() : excess.cwiseMax(0.0).norm();
    const Vector3d x = local + Vector3d(0.1, 0.2, 0.3);
    const PieceDistance at = DistanceTo(cube, x);
    ASSERT_NEAR(at.distance, expected, 1e-14);
    ASSERT_NEAR(at.normal.norm(), 1.0, 1e-12);
    // The normal is the gradient.
    ASSERT_NEAR(DistanceTo(cube, x + 1e-7 * at.normal).distance - at.distance, 1e-7, 1e-10);
  }
}

TEST(Convex, RaysEnterAndLeaveAtTheFaces) {
  const ConvexPiece cube = PiecesOf(meshes::Cube())[0];
  const RaySpan through = SpanInside(cube, {-3, 0.2, 0.1}, Vector3d::UnitX());
  EXPECT_NEAR(through.enter, 2.0, 1e-14);
  EXPECT_NEAR(through.exit, 4.0, 1e-14);
  const RaySpan past = SpanInside(cube, {-3, 1.2, 0.1}, Vector3d::UnitX());
  EXPECT_GT(past.enter, past.exit);
  const RaySpan behind = SpanInside(cube, {3, 0, 0}, Vector3d::UnitX());
  EXPECT_LE(behind.exit, behind.enter);
}

TEST(Convex, PiecesAreTheConnectedParts) {
  const Shape both = meshes::Together(meshes::Cube(0.5), meshes::Cube(0.25, {2, 0, 0}));
  const std::vector<ConvexPiece> pieces = PiecesOf(both);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_NEAR(DistanceTo(pieces[1], {2, 0, 0}).distance, -0.25, 1e-15);
}

TEST(Convex, RefusesOpenAndConcaveParts) {
  EXPECT_THROW(PiecesOf(meshes::QuadGrid(1)), BadInput);
  Shape dented = Triangulated(meshes::Cube());
  dented.vertices.col(7) *= 0.2;
  EXPECT_THAT(reference::ComplaintOf([&] { PiecesOf(dented); }),
              HasSubstr("piece 0 of the solid is not convex: vertex"));
  Shape inside_out = meshes::Cube();
  for (auto& face : inside_out.mesh.faces) std::reverse(face.begin(), face.end());
  EXPECT_THROW(PiecesOf(inside_out), BadInput);
}

}  // namespace
}  // namespace pliant
