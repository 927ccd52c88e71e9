// A sheet of a planar scene is an area of plane stress or strain: the profile of its triangles, to the last bit, and a beam of
// plane stress.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "models/scene/material.h"
#include "models/scene/shapes.h"
#include "solvers/finite_elements/scene_parts.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/small_bodies.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using reference::ExpectBadInput;

Body PlaneSheet(bool plane_strain) {
  Body body = MakeSheet("body", {0.4, 0.2}, {5, 3}, 1.0);
  body.material = Rubber(ElasticLaw::kNeoHookeanStable, 0.05);
  body.material->plane_strain = plane_strain;
  body.mass = body.material->density * VolumeShares(body, body.material->thickness);
  return body;
}

// The same triangles, as somebody would write them by hand.
Body AsProfile(Body body) {
  body.shape = ShapeKind::kProfile;
  body.grid = {0, 0, 0};
  return body;
}

// Held at one side, drawn at a corner, above a floor.
Scene HeldAbove(const Body& body, const std::vector<int>& side) {
  Scene scene = SceneOf({body}, 2);
  scene.gravity = Vector3d(0.0, -9.81, 0.0);
  for (const int point : side) {
    scene.nails.push_back({"wall", {0, point}, Path::Still(body.rest.col(point))});
  }
  scene.forces.push_back({"pull", {0, 4}, Vector3d(20.0, -400.0, 0.0)});
  scene.obstacles.push_back({.name = "floor",
                             .shape = Plane{Vector3d::UnitY()},
                             .motion = Path::Still({0.0, -0.12, 0.0})});
  return scene;
}

TEST(PlaneSheets, AreTheProfilesOfTheirTriangles) {
  for (const bool plane_strain : {false, true}) {
    for (const int refinement : {1, 2}) {
      const Body sheet = PlaneSheet(plane_strain);
      const std::vector<int> side = PointGroup(sheet, "x-");
      const ParameterValues parameters = {{"refinement", std::int64_t{refinement}}};
      const auto of_sheet = Start(HeldAbove(sheet, side), parameters);
      const auto of_profile = Start(HeldAbove(AsProfile(sheet), side), parameters);
      for (int step = 0; step < 20; ++step) {
        of_sheet->Advance(2e-3);
        of_profile->Advance(2e-3);
      }
      const Observation a = Observe(*of_sheet), b = Observe(*of_profile);
      EXPECT_EQ(a.points, b.points) << plane_strain << " " << refinement;
      EXPECT_EQ(TotalEnergy(a), TotalEnergy(b));
      EXPECT_LT(a.points(1, 4), -0.105) << "it did not bend towards the floor";
    }
  }
}

TEST(PlaneSheets, AreInPlaneStrainInThePlaneOnly) {
  ExpectBadInput("body[0].material.plane_strain", {"planar scene only"},
                 [] { Validate(SceneOf({PlaneSheet(true)}, 3)); });
  Validate(SceneOf({PlaneSheet(true)}, 2));
}

TEST(PlaneSheets, MoveRigidlyWithoutStrain) {
  for (const bool plane_strain : {false, true}) {
    const Scene scene = SceneOf({PlaneSheet(plane_strain)}, 2);
    const BodyPart made = MakePart(scene, 0, 2, false);
    ASSERT_NE(made.part, nullptr) << made.words;
    EXPECT_TRUE(made.part->planar());
    const auto energy = [&](const Matrix3Xd& x) { return Energy(*made.part, x); };
    Matrix3Xd moved =
        Eigen::AngleAxisd(2.1, Vector3d::UnitZ()).toRotationMatrix() * made.part->rest();
    moved.colwise() += Vector3d(3.0, -2.0, 0.0);
    EXPECT_LT(std::abs(energy(moved) - energy(made.part->rest())), 1e-10);  // J
    moved.row(0) *= 1.01;
    EXPECT_GT(energy(moved) - energy(made.part->rest()), 0.01);
  }
}

// A cantilever of 6 × 0.2, 0.1 thick, of E = 1e7, six squares along, pulled at its end by 1.
double TipOfCantilever(int refinement, double poisson_ratio) {
  Body beam = MakeSheet("beam", {6.0, 0.2}, {7, 2}, 1.0);
  beam.material = Material{.density = 1.0,
                           .youngs_modulus = 1e7,
                           .poisson_ratio = poisson_ratio,
                           .law = ElasticLaw::kLinear,
                           .thickness = 0.1};
  beam.mass = VolumeShares(beam, 0.1);
  Scene scene = Weightless({beam}, 2);
  for (const int point : PointGroup(beam, "x-")) {
    scene.nails.push_back({"wall", {0, point}, Path::Still(beam.rest.col(point))});
  }
  const std::vector<int> end = PointGroup(beam, "x+");
  for (const int point : end) {
    scene.forces.push_back({"pull", {0, point}, Vector3d(0.0, 1.0 / end.size(), 0.0)});
  }
  const auto simulation = Start(scene, {{"time_scheme", std::string("static")},
                                        {"load_time", 1.0},
                                        {"refinement", std::int64_t{refinement}}});
  EXPECT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kAdvanced);
  const Observation o = Observe(*simulation);
  double tip = 0.0;
  for (const int point : end) tip += (o.points(1, point) - beam.rest(1, point)) / end.size();
  return tip;
}

// Timoshenko's beam, P L³/(3 E I) + P L/(κ G A): without Poisson's effect nothing is singular at the wall.
TEST(PlaneSheets, BendAsTimoshenkosBeamUnderRefinement) {
  constexpr double kExact =
      216.0 / (3.0 * 1e7 * 0.1 * 0.008 / 12.0) + 6.0 / (5.0 / 6.0 * 0.5 * 1e7 * 0.2 * 0.1);
  std::array<double, 4> error;
  for (int level = 0; level < 4; ++level) {
    error[level] = std::abs(TipOfCantilever(1 << level, 0.0) - kExact) / kExact;
    if (level == 0) continue;
    EXPECT_GT(std::log2(error[level - 1] / error[level]), 2.4) << level;
  }
  EXPECT_LT(error[0], 7e-3);
  EXPECT_LT(error[3], 1e-5);
}

// [MacNeal & Harder 1985] The straight cantilever in its plane, ν = 0.3: 0.1081. Its corners at the wall are singular.
TEST(PlaneSheets, BendAsTheCantileverOfMacNealAndHarder) {
  constexpr double kPrinted = 0.1081;
  std::array<double, 3> tip;
  for (int level = 0; level < 3; ++level) tip[level] = TipOfCantilever(2 << level, 0.3);
  const double ratio = (tip[1] - tip[0]) / (tip[2] - tip[1]);
  EXPECT_GT(std::log2(ratio), 1.4);
  EXPECT_NEAR(tip[2], kPrinted, 1.5e-3 * kPrinted);
  EXPECT_NEAR(tip[2] + (tip[2] - tip[1]) / (ratio - 1.0), kPrinted, 1e-3 * kPrinted);
}

}  // namespace
}  // namespace pliant::finite_elements
