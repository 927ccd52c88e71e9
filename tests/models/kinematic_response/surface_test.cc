// The reference-offset frames and the surface they carry.

#include "models/kinematic_response/surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3d;
using Eigen::RowVector3d;
using Eigen::Vector3d;

constexpr unsigned kSeed = 19940401;

// A hilly sheet over the xy-plane, counter-clockwise seen from +z.
GridVectors HillySheet(const GridSize& grid) {
  GridVectors surface(grid.size(), 3);
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      const double x = 2.0 * u / (grid.nu - 1) - 1.0, y = 2.0 * v / (grid.nv - 1) - 1.0;
      surface.row(grid.Index(u, v)) << x + 0.1 * y * y, y,
          0.3 * std::sin(2.0 * x) * std::cos(3.0 * y) + 0.02 * std::sin(11.0 * x * y);
    }
  }
  return surface;
}

// A wavy curve in the plane z = 0.
GridVectors WavyCurve(int n) {
  GridVectors curve(n, 3);
  for (int u = 0; u < n; ++u) {
    const double x = 2.0 * u / (n - 1) - 1.0;
    curve.row(u) << x, 0.2 * std::sin(4.0 * x), 0.0;
  }
  return curve;
}

void Randomise(LevelVectors* vectors, double size) {
  std::mt19937 generator(kSeed);
  std::uniform_real_distribution<double> uniform(-size, size);
  for (GridVectors& level : *vectors) {
    for (double& value : level.reshaped()) value = uniform(generator);
  }
}

std::vector<VertexValues> Ones(const MultiresolutionSurface& model) {
  return std::vector<VertexValues>(model.levels(), 1.0);
}

GridVectors PlacedFinest(const MultiresolutionSurface& model, const SurfaceOffsets& offsets) {
  FramedRows rows(model.finest());
  LevelVectors surface = model.ZeroVectors();
  model.Place(offsets, Ones(model), &rows, &surface);
  return surface.back();
}

// The frame straight from its definition, from all of the prolongated surface.
Matrix3d DefinedFrame(const GridSize& grid, const GridVectors& b, int u, int v) {
  auto at = [&](int a, int c) -> Vector3d { return b.row(grid.Index(a, c)).transpose(); };
  Vector3d du, dv;
  if (u == 0) {
    du = at(1, v) - at(0, v);
  } else if (u == grid.nu - 1) {
    du = at(u, v) - at(u - 1, v);
  } else {
    du = 0.5 * (at(u + 1, v) - at(u - 1, v));
  }
  if (grid.curve()) {
    dv = -Vector3d::UnitZ();
  } else if (v == 0) {
    dv = at(u, 1) - at(u, 0);
  } else if (v == grid.nv - 1) {
    dv = at(u, v) - at(u, v - 1);
  } else {
    dv = 0.5 * (at(u, v + 1) - at(u, v - 1));
  }
  Matrix3d frame;
  frame.col(0) = du.normalized();
  frame.col(2) = frame.col(0).cross(dv).normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

TEST(Frames, AreOrthonormalAndAsDefinedOnThePlainlyProlongatedSurface) {
  for (Prolongation prolongation : {Prolongation::kLinear, Prolongation::kCubic}) {
    for (const GridSize coarse :
         {GridSize{2, 2}, GridSize{3, 3}, GridSize{65, 65}, GridSize{9, 1}}) {
      const GridSize fine{2 * coarse.nu - 1, coarse.curve() ? 1 : 2 * coarse.nv - 1};
      const GridVectors surface = coarse.curve() ? WavyCurve(coarse.nu) : HillySheet(coarse);
      GridVectors b(fine.size(), 3);
      Prolongate(prolongation, coarse, surface, fine, &b);
      int visited = 0;
      FramedRows rows(fine);
      rows.Walk(prolongation, coarse, surface, fine, [&](const FramedStrip& strip) {
        for (int i = 0; i < strip.count; ++i) {
          const int vertex = strip.begin + i;
          ASSERT_EQ(vertex, visited++);  // row by row, each vertex once
          const Matrix3d frame = strip.Frame(i);
          EXPECT_LT((frame.transpose() * frame - Matrix3d::Identity()).norm(), 1e-14);
          const Matrix3d defined = DefinedFrame(fine, b, vertex % fine.nu, vertex / fine.nu);
          EXPECT_LT((frame - defined).norm(), 1e-13);
          for (int c = 0; c < 3; ++c) EXPECT_EQ(strip.base[c][i], b(vertex, c));
        }
      });
      EXPECT_EQ(visited, fine.size());
    }
  }
}

TEST(Frames, OfAFlatSheetPointToItsFacingSide) {
  const GridSize coarse{3, 3}, fine{5, 5};
  GridVectors flat(9, 3);
  for (int i = 0; i < 9; ++i) flat.row(i) << i % 3, i / 3, 0.0;
  FramedRows rows(fine);
  rows.Walk(Prolongation::kCubic, coarse, flat, fine, [&](const FramedStrip& strip) {
    for (int i = 0; i < strip.count; ++i) EXPECT_EQ(strip.Frame(i), Matrix3d::Identity());
  });
}

TEST(Frames, OfACurveAlongXPointUp) {
  EXPECT_EQ(
      SurfaceNormal({3, 1}, (GridVectors(3, 3) << 0, 0, 0, 1, 0, 0, 2, 0, 0).finished(), 1, 0),
      Vector3d::UnitY());
}

TEST(Frames, AreZeroWhereTheSurfaceIsFoldedOntoItself) {
  const GridSize coarse{2, 2}, fine{3, 3};
  const GridVectors point = RowVector3d(1, 2, 3).replicate(4, 1);
  FramedRows rows(fine);
  rows.Walk(Prolongation::kLinear, coarse, point, fine, [&](const FramedStrip& strip) {
    for (int i = 0; i < strip.count; ++i) EXPECT_EQ(strip.Frame(i), Matrix3d::Zero());
  });
  EXPECT_EQ(SurfaceNormal(coarse, point, 0, 0), Vector3d::Zero());
}

TEST(SurfaceNormal, IsTheNormalOfTheFrame) {
  const GridSize grid{9, 9};
  const GridVectors surface = HillySheet(grid);
  for (int v = 0; v < 9; ++v) {
    for (int u = 0; u < 9; ++u) {
      const Vector3d expected = DefinedFrame(grid, surface, u, v).col(2);
      EXPECT_LT((SurfaceNormal(grid, surface, u, v) - expected).norm(), 1e-14);
    }
  }
}

TEST(Surface, WithoutOffsetsIsTheTarget) {
  for (Prolongation prolongation : {Prolongation::kLinear, Prolongation::kCubic}) {
    const GridSize grid{17, 17};
    const GridVectors target = HillySheet(grid);
    const MultiresolutionSurface model(grid, target, prolongation);
    EXPECT_EQ(model.levels(), 5);
    EXPECT_LT((PlacedFinest(model, model.ZeroOffsets()) - target).cwiseAbs().maxCoeff(), 1e-14);
    const MultiresolutionSurface curve({33, 1}, WavyCurve(33), prolongation);
    EXPECT_LT((PlacedFinest(curve, curve.ZeroOffsets()) - WavyCurve(33)).cwiseAbs().maxCoeff(),
              1e-14);
  }
}

TEST(Surface, AddsElasticAndPlasticOffsetsAlike) {
  const MultiresolutionSurface model({9, 9}, HillySheet({9, 9}), Prolongation::kCubic);
  SurfaceOffsets elastic = model.ZeroOffsets(), plastic = model.ZeroOffsets();
  Randomise(&elastic.elastic, 0.1);
  plastic.plastic = elastic.elastic;
  EXPECT_EQ(PlacedFinest(model, elastic), PlacedFinest(model, plastic));
}

TEST(Surface, KeepsTheRetainedFractionOfElasticOffsetsOnly) {
  const MultiresolutionSurface model({9, 9}, HillySheet({9, 9}), Prolongation::kCubic);
  SurfaceOffsets offsets = model.ZeroOffsets();
  Randomise(&offsets.elastic, 0.1);
  Randomise(&offsets.plastic, 0.05);
  const std::vector<VertexValues> retained = {1.0, 0.5, 0.25, 0.0};
  SurfaceOffsets shortened = offsets;
  for (int level = 0; level < 4; ++level) shortened.elastic[level] *= retained[level].all;
  FramedRows rows(model.finest());
  LevelVectors relaxed = model.ZeroVectors();
  model.Place(offsets, retained, &rows, &relaxed);
  EXPECT_EQ(relaxed.back(), PlacedFinest(model, shortened));
}

TEST(Surface, DetailsTurnWithTheCoarserLevels) {
  const GridSize grid{17, 17};
  const GridVectors target = HillySheet(grid);
  const MultiresolutionSurface model(grid, target, Prolongation::kCubic);
  // Turn and shift level 0 only: everything above must follow rigidly.
  const Matrix3d turn =
      Eigen::AngleAxisd(0.8, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const RowVector3d shift(0.3, -0.1, 2.0);
  SurfaceOffsets offsets = model.ZeroOffsets();
  offsets.elastic[0] =
      (model.rest(0) * turn.transpose()).rowwise() + shift - GridVectors(model.rest(0));
  const GridVectors expected = (target * turn.transpose()).rowwise() + shift;
  EXPECT_LT((PlacedFinest(model, offsets) - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Surface, OfATurnedTargetHasTheSameLocalOffsets) {
  const GridSize grid{9, 9};
  const Matrix3d turn = Eigen::AngleAxisd(-1.3, Vector3d(0, 2, 1).normalized()).toRotationMatrix();
  const GridVectors target = HillySheet(grid);
  const MultiresolutionSurface here(grid, target, Prolongation::kCubic);
  const MultiresolutionSurface there(grid, (target * turn.transpose()).eval(),
                                     Prolongation::kCubic);
  for (int level = 1; level < here.levels(); ++level) {
    EXPECT_LT((here.rest(level) - there.rest(level)).cwiseAbs().maxCoeff(), 1e-14);
  }
}

}  // namespace
}  // namespace pliant::kinematic_response
