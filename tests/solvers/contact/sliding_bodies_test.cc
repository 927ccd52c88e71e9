// A block that slides without friction on a fixed plank keeps its velocity along it, whatever the grids of the
// two: the plank is a half-space there, which knows no edges. A reference that no contact code made.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/scene/shapes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kBlockSide = 0.2, kPlankThick = 0.1;   // m, of the block and of the plank
constexpr double kPlankLong = 1.0, kPlankWide = 0.6;    // m, of the plank
constexpr double kSlideStep = 0.002, kSlideTime = 0.1;  // s

struct Slide {
  double x, z;                       // m, where the middle of the block begins
  Vector3d velocity;                 // m/s, along the plank
  double turned = 0.0;               // rad, the block on the plank, about the vertical
  double all = 0.0;                  // rad, by which the whole scene is turned
  Eigen::Vector3i grid = {5, 2, 4};  // of the plank
  double gap = 0.0;                  // m
};

std::ostream& operator<<(std::ostream& out, const Slide& slide) {
  return out << "from " << slide.x << ", " << slide.z << " at " << slide.velocity.transpose()
             << ", turned " << slide.turned << ", all " << slide.all << ", grid "
             << slide.grid.transpose() << ", gap " << slide.gap;
}

Scene BlockOn(const Slide& slide) {
  Body plank = MakeBlock("plank", {kPlankLong, kPlankThick, kPlankWide},
                         {slide.grid[0], slide.grid[1], slide.grid[2]}, 1.0);
  Body block = MakeBlock("block", {kBlockSide, kBlockSide, kBlockSide}, {2, 2, 2}, 0.5);
  const Quaterniond turn(AngleAxisd(slide.all, Vector3d(1, 2, 3).normalized()));
  block.position = turn * Vector3d(slide.x, 0.5 * (kPlankThick + kBlockSide) + slide.gap, slide.z);
  block.velocity = turn * slide.velocity;
  block.orientation = turn * Quaterniond(AngleAxisd(slide.turned, Vector3d::UnitY()));
  plank.orientation = turn;
  Scene scene = SceneOf({plank, block});
  scene.gravity = turn * Vector3d(0.0, -kG, 0.0);
  for (int p = 0; p < plank.size(); ++p) {
    scene.nails.push_back(NailWhereItStarts(scene, "plank", {0, p}));
  }
  return scene;
}

// How far the middle of the block is from where a half-space lets it be, along the plank [m].
double OffItsWay(const char* formulation, const Slide& slide) {
  const Scene scene = BlockOn(slide);
  const Translation translation =
      TranslateBy(formulation, scene, {{"rigid_bodies", std::vector<std::string>{"block"}}});
  const Observation end =
      RunFor(translation.simulation.get(), static_cast<int>(std::lround(kSlideTime / kSlideStep)),
             kSlideStep);
  const Quaterniond turn(AngleAxisd(slide.all, Vector3d(1, 2, 3).normalized()));
  const Vector3d middle = turn.conjugate() * Vector3d(end.points.rightCols(8).rowwise().mean());
  EXPECT_GT(middle.y() - 0.5 * (kPlankThick + kBlockSide), -1e-3);
  return std::hypot(middle.x() - slide.x - slide.velocity.x() * kSlideTime,
                    middle.z() - slide.z - slide.velocity.z() * kSlideTime);
}

// Nails of displacement-constraints are swept, too: the plank sags by what the sweeps tolerate (4e-4 m), and its
// normals with it; in position-based it is only the block that tilts.
double OffAtMost(const std::string& formulation) {
  return formulation == "position-based" ? 1e-6 : 1e-4;  // m
}

TEST(SlidingBodies, FlushWithTheEndOfThePlankGoInwards) {
  for (const char* formulation : kSweepingFormulations) {
    for (const Eigen::Vector3i& grid :
         {Eigen::Vector3i(5, 2, 4), Eigen::Vector3i(3, 2, 3), Eigen::Vector3i(9, 3, 7)}) {
      for (const double speed : {0.1, 0.5, 2.0}) {
        for (const double mirror : {1.0, -1.0}) {
          for (const double all : {0.0, 0.7}) {
            for (const double gap : {0.0, -1e-9}) {
              Slide slide{mirror * 0.4, 0.0, {-mirror * speed, 0.0, 0.0}};
              slide.all = all, slide.gap = gap, slide.grid = grid;
              SCOPED_TRACE(testing::Message() << formulation << " " << slide);
              EXPECT_LT(OffItsWay(formulation, slide), OffAtMost(formulation));
            }
          }
        }
      }
    }
  }
}

TEST(SlidingBodies, TurnedOnThePlankOrAcrossIt) {
  for (const char* formulation : kSweepingFormulations) {
    for (const Eigen::Vector3i& grid :
         {Eigen::Vector3i(5, 2, 4), Eigen::Vector3i(3, 2, 3), Eigen::Vector3i(9, 3, 7)}) {
      for (const double turned : {0.0, M_PI / 6.0, M_PI / 4.0}) {
        for (const double way : {0.0, 0.5, -M_PI / 4.0}) {
          for (const double speed : {0.1, 0.5, 1.2}) {
            for (const double mirror : {1.0, -1.0}) {
              Slide slide{0.03, 0.0, speed * Vector3d(mirror * std::cos(way), 0.0, std::sin(way))};
              slide.x *= mirror, slide.turned = mirror * turned, slide.grid = grid;
              SCOPED_TRACE(testing::Message() << formulation << " " << slide);
              EXPECT_LT(OffItsWay(formulation, slide), OffAtMost(formulation));
            }
          }
        }
      }
    }
  }
}

// Over the rim, where a block that has sunk in by what the sweeps tolerate meets the rim's edges.
TEST(SlidingBodies, FlushWithTheEndOfThePlankGoOutwards) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double speed : {0.1, 0.5}) {
      for (const double mirror : {1.0, -1.0}) {
        for (const double all : {0.0, 0.7}) {
          Slide slide{mirror * 0.4, 0.0, {mirror * speed, 0.0, 0.0}};
          slide.all = all;
          SCOPED_TRACE(testing::Message() << formulation << " " << slide);
          EXPECT_LT(OffItsWay(formulation, slide), 1e-4);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pliant
