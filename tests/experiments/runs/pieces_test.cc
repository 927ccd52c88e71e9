// What each formulation computes with, to look at.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "experiments/comparison/comparison.h"
#include "tests/experiments/shipped_file.h"
#include "tests/observed.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kStep = 0.001;  // s

// The backend `label` of a shipped experiment, that many steps on.
std::unique_ptr<Simulation> After(int steps, const std::string& experiment,
                                  const std::string& label,
                                  const std::vector<std::string>& settings = {}) {
  const Experiment read = ReadExperiment(ShippedFile(experiment), settings);
  for (size_t i = 0; i < read.backends.size(); ++i) {
    if (read.backends[i].label != label) continue;
    std::unique_ptr<Simulation> simulation = TranslateFor(read, i).simulation;
    for (int step = 0; step < steps; ++step) simulation->Advance(kStep);
    return simulation;
  }
  return nullptr;
}

Matrix3Xd PointsOf(const Simulation& simulation) {
  const Observation seen = Observed(simulation);
  return seen.points;
}

std::vector<std::string> Names(const std::vector<MethodPieces>& pieces) {
  std::vector<std::string> names;
  for (const MethodPieces& level : pieces) names.push_back(level.name);
  return names;
}

// How far the nearest end of a piece is.
double Distance(const Vector3d& x, const MethodPieces& pieces) {
  return (pieces.ends.colwise() - x).colwise().norm().minCoeff();
}

// The sheet is 17 × 17 points, its corners are points of the box.
constexpr int kCorners[] = {0, 16, 16 * 17, 17 * 17 - 1};

TEST(Pieces, ALinearDeformationBendsTheBoxOfItsPoints) {
  for (const char* basis : {"polynomial", "bernstein"}) {
    const auto simulation =
        After(200, "corner-pull", "linear-deformation",
              {"backends.linear-deformation.basis=\"" + std::string(basis) + "\""});
    ASSERT_NE(simulation, nullptr);
    const std::vector<MethodPieces> pieces = simulation->Pieces();
    ASSERT_EQ(pieces.size(), 1u);
    const Matrix3Xd x = PointsOf(*simulation);
    EXPECT_GT((x.col(0) - simulation->scene().InitialPoints().col(0)).norm(), 0.01);
    for (int corner : kCorners) {
      EXPECT_LT(Distance(x.col(corner), pieces[0]), 1e-9) << basis << corner;
    }
    // Two crosswise lines through the middle besides the border, each of 16 pieces; or the lines
    // of 3 × 3 control points.
    EXPECT_EQ(pieces[0].ends.cols() / 2, std::string(basis) == "bernstein" ? 12 : 6 * 16);
    if (std::string(basis) == "polynomial") {  // a curve passes through the points it is made of
      EXPECT_LT(Distance(x.col(8), pieces[0]), 1e-9) << "middle of a side";
      EXPECT_LT(Distance(x.col(8 * 17 + 8), pieces[0]), 1e-9) << "middle of the sheet";
      EXPECT_LT(Distance(x.col(8 * 17 + 3), pieces[0]), 1e-9) << "on the line between";
    }
  }
}

TEST(Pieces, AnAffineBodyNeedsNoCurves) {
  const auto simulation =
      After(10, "corner-pull", "linear-deformation", {"backends.linear-deformation.order=1"});
  ASSERT_NE(simulation, nullptr);
  EXPECT_EQ(simulation->Pieces()[0].ends.cols() / 2, 12);
}

TEST(Pieces, SegmentsAreThoseOfEveryLevelCoarsestFirst) {
  const auto simulation = After(50, "corner-pull", "multilevel");
  ASSERT_NE(simulation, nullptr);
  const std::vector<MethodPieces> pieces = simulation->Pieces();
  EXPECT_THAT(Names(pieces),
              ElementsAre("segments of level 4", "segments of level 3", "segments of level 2",
                          "segments of level 1", "segments of level 0"));
  EXPECT_EQ(pieces.front().ends.cols() / 2, 6);  // 2 × 2 points, with diagonals
  const Matrix3Xd x = PointsOf(*simulation);
  ASSERT_EQ(pieces.back().ends.cols() / 2, 2 * 16 * 17);
  for (Eigen::Index i = 0; i < x.cols(); ++i) EXPECT_LT(Distance(x.col(i), pieces.back()), 1e-3);
  for (int corner : kCorners) EXPECT_LT(Distance(x.col(corner), pieces.front()), 0.2);
}

TEST(Pieces, SurfacesShowTheirCoarserLevels) {
  const auto flat = After(0, "press", "kinematic-response");
  ASSERT_NE(flat, nullptr);
  const std::vector<MethodPieces> pieces = flat->Pieces();
  EXPECT_THAT(Names(pieces), ElementsAre("level 0", "level 1", "level 2", "level 3"));
  const Matrix3Xd x = PointsOf(*flat);
  for (size_t level = 0; level < pieces.size(); ++level) {
    const int side = 1 << level;  // cells
    EXPECT_EQ(pieces[level].ends.cols() / 2, 2 * side * (side + 1)) << level;
    for (Eigen::Index end = 0; end < pieces[level].ends.cols(); ++end) {
      const double away =
          (x.colwise() - Vector3d(pieces[level].ends.col(end))).colwise().norm().minCoeff();
      EXPECT_LT(away, 1e-9) << level;  // at rest its vertices are points
    }
  }
}

// A sheet that rides on a rigid proxy takes its levels along.
TEST(Pieces, SurfacesThatRideAreWhereTheirBodyIs) {
  const auto simulation = After(300, "corner-pull", "kinematic-response");
  ASSERT_NE(simulation, nullptr);
  const Matrix3Xd x = PointsOf(*simulation);
  EXPECT_GT((x.col(0) - simulation->scene().InitialPoints().col(0)).norm(), 0.1);
  const std::vector<MethodPieces> pieces = simulation->Pieces();
  ASSERT_FALSE(pieces.empty());
  for (int corner : kCorners) EXPECT_LT(Distance(x.col(corner), pieces.front()), 1e-9);
}

TEST(Pieces, AreThoseOfTheState) {
  for (const char* label :
       {"dynamic-ffd", "linear-deformation", "multilevel", "kinematic-response"}) {
    const auto simulation = After(40, "corner-pull", label);
    ASSERT_NE(simulation, nullptr);
    const std::vector<MethodPieces> before = simulation->Pieces();
    const Eigen::VectorXd state = simulation->Save();
    for (int step = 0; step < 100; ++step) simulation->Advance(kStep);
    const std::vector<MethodPieces> later = simulation->Pieces();
    simulation->Restore(state);
    const std::vector<MethodPieces> after = simulation->Pieces();
    ASSERT_EQ(before.size(), after.size());
    ASSERT_FALSE(before.empty()) << label;
    for (size_t level = 0; level < before.size(); ++level) {
      EXPECT_EQ(before[level].ends, after[level].ends) << label << level;
      EXPECT_NE(before[level].ends, later[level].ends) << label << level;
    }
  }
}

TEST(Pieces, PointsAtKeptDistancesHaveNoneButThemselves) {
  const auto simulation = After(1, "corner-pull", "position-based");
  ASSERT_NE(simulation, nullptr);
  EXPECT_TRUE(simulation->Pieces().empty());
}

}  // namespace
}  // namespace pliant
