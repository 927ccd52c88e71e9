#include "app/plots/lamp_solid.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "experiments/files/experiment.h"
#include "models/scene/scene.h"

namespace pliant {
namespace {

// The lamp of the files: a base 20 cm wide and 4 cm high, a head 14 cm wide at its rim.
TEST(LampSolid, IsRoundAboutTheAxesOfItsLinks) {
  const Scene scene = ReadScene(PLIANT_SOURCE_DIR "/data/scenes/lamp.toml");
  const Body& body = scene.bodies.at(0);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  const std::vector<SolidFace> faces = LampSolid(body, x);
  ASSERT_FALSE(faces.empty());
  double low = std::numeric_limits<double>::infinity(), left = 0.0, deep = 0.0, near = 0.0;
  for (const SolidFace& face : faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-12);
    for (const Eigen::Vector3d& corner : face.corners) {
      low = std::min(low, corner.y());
      left = std::min(left, corner.x() * (corner.y() < 0.05 ? 1.0 : 0.0));
      near = std::max(near, corner.z());
      deep = std::min(deep, corner.z());
      // All in the plane of the face.
      EXPECT_NEAR(face.normal.dot(corner - face.corners[0]), 0.0, 1e-12);
    }
  }
  EXPECT_NEAR(low, 0.0, 1e-12);
  EXPECT_NEAR(left, -0.1, 2e-3);
  EXPECT_NEAR(near, 0.1, 2e-3);
  EXPECT_NEAR(deep, -0.1, 2e-3);
  // It turns with its points.
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const std::vector<SolidFace> turned = LampSolid(body, turn * x);
  ASSERT_EQ(turned.size(), faces.size());
  const auto is_base = [&](const SolidFace& face, const Eigen::Matrix3d& back) {
    return std::all_of(face.corners.begin(), face.corners.end(), [&](const auto& corner) {
      return (back * corner).y() > -1e-9 && (back * corner).y() < 0.04 + 1e-9;
    });
  };
  EXPECT_EQ(
      std::count_if(faces.begin(), faces.end(),
                    [&](const auto& face) { return is_base(face, Eigen::Matrix3d::Identity()); }),
      std::count_if(turned.begin(), turned.end(),
                    [&](const auto& face) { return is_base(face, turn.transpose()); }));
  Body outline = body;
  outline.marks.pop_back();
  EXPECT_TRUE(LampSolid(outline, x).empty());
}

}  // namespace
}  // namespace pliant
