// What rigid bodies answer to impulses, bounces and holds, how they stand beside bodies that deform, and what
// each formulation says of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "models/scene/metrics.h"
#include "models/scene/validate.h"
#include "tests/laws/rigid_scenes.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using ::testing::AllOf;
using ::testing::HasSubstr;

// An impulse p at the arm r: momentum p, angular momentum r × p, and the energy of both.
TEST(RigidBodies, AnswerAnImpulseAtACorner) {
  Scene scene = Weightless({Box()});
  const Vector3d p(0.3, -0.4, 1.2), r = scene.bodies[0].rest.col(0);
  scene.impulses = {{"kick", {0, 0}, p, 0.0}};
  const Vector3d moments(0.68, 0.58, 0.26), L = r.cross(p);  // kg m² about x, y, z
  const double energy =
      0.5 * p.squaredNorm() / 2.0 + 0.5 * (L.array().square() / moments.array()).sum();
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    const Observation end = EndOf(TranslateBy(method.backend, scene, method.parameters), 1e-5, 2);
    Vector3d momentum = Vector3d::Zero(), spin = momentum;
    double kinetic = 0.0;
    for (int i = 0; i < 8; ++i) {
      const Vector3d x = end.points.col(i), v = end.velocities->col(i);
      momentum += 0.25 * v;
      spin += 0.25 * x.cross(v);
      kinetic += 0.125 * v.squaredNorm();
    }
    EXPECT_LT((momentum - p).norm(), 1e-9);
    EXPECT_LT((spin - L).norm(), 1e-4);
    EXPECT_NEAR(kinetic, energy, 1e-3);
  }
}

// A plate that falls on a corner: J = (1 + e) v/(1/m + r²/I), with r the arm of the corner along x.
TEST(RigidBodies, BounceOnACornerByImpulses) {
  Body plate = MakeSheet("plate", {1.0, 0.6}, {3, 2}, 1.5);
  plate.rigid = true;
  plate.orientation = Turn(Vector3d(0, 0, 0.4));
  plate.velocity = {0.0, -1.0, 0.0};
  Eigen::Index lowest = 0;
  const Matrix3Xd start = plate.orientation.toRotationMatrix() * plate.rest;
  start.row(1).minCoeff(&lowest);
  plate.position.y() = 0.05 - start(1, lowest);
  Scene scene = Weightless({plate}, 2);
  scene.obstacles = {{"floor", Plane{}}};
  scene.obstacles[0].restitution = 0.5;
  double inertia = 0.0;
  for (int i = 0; i < plate.size(); ++i) inertia += plate.mass[i] * start.col(i).squaredNorm();
  const double arm = start(0, lowest), mass = 1.5;
  const double impulse = 1.5 / (1.0 / mass + arm * arm / inertia);
  const Observation end = EndOf(
      TranslateBy("linear-deformation", scene, {{"contact", std::string("impulse")}}), 1e-4, 600);
  const Vector3d velocity = *end.velocities * plate.mass / mass;
  EXPECT_NEAR(velocity.y(), -1.0 + impulse / mass, 0.01);
  const Vector3d along = end.points.col(1) - end.points.col(0),
                 rate = end.velocities->col(1) - end.velocities->col(0);
  EXPECT_NEAR(along.cross(rate).z() / along.squaredNorm(), arm * impulse / inertia, 0.01);
  EXPECT_LT(StrainOf(plate, end.points), 1e-4);
}

// A plate that spins about its middle is held at its corner: the impulse there keeps I ω about it.
TEST(RigidBodies, GoOnAboutAPointThatBeginsToHold) {
  Scene scene = Pendulum();
  scene.gravity.setZero();
  scene.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
  const Body& plate = scene.bodies[0];
  const double arm = plate.rest.col(0).norm();
  const double about_middle = plate.mass.dot(plate.rest.colwise().squaredNorm().transpose());
  const double about_corner = about_middle + 1.5 * arm * arm;
  for (const char* backend : {"linear-deformation", "finite-elements"}) {
    SCOPED_TRACE(backend);
    const Observation end = EndOf(TranslateBy(backend, scene), 1e-5, 1);
    const Vector3d along = end.points.col(1) - end.points.col(0),
                   rate = end.velocities->col(1) - end.velocities->col(0);
    EXPECT_NEAR(along.cross(rate).z() / along.squaredNorm(), 2.0 * about_middle / about_corner,
                1e-6);
    EXPECT_LT(Vector3d(end.velocities->col(0)).norm(), 1e-9);
    EXPECT_LT(std::abs(along.dot(rate)), 1e-5);
  }
}

TEST(RigidBodies, KeepTheirShapeBesideABodyWithModes) {
  MatrixTable table;
  Scene scene = SceneOf({MakeBlock("soft", {1, 1, 1}, {3, 3, 3}, 1.0), Box("hard")});
  scene.bodies[1].position = {3, 0, 0};
  table.scalars = {{"degree_x", 2}, {"degree_y", 1}, {"degree_z", 1}};
  for (Body& body : scene.bodies) {
    body.material = Material{};
    body.material->density = 1000.0;
    body.material->youngs_modulus = 1e4;
    body.material->poisson_ratio = 0.3;
  }
  const Translation translation =
      TranslateBy("dynamic-ffd", scene, {{"modes", table}, {"free_lattice", true}});
  ASSERT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  EXPECT_NE(EntryOf(translation, "body.soft").reason.find("30 other displacements"),
            std::string::npos)
      << EntryOf(translation, "body.soft").reason;
  EXPECT_EQ(EntryOf(translation, "body.hard").reason, "moves rigidly");
  EXPECT_EQ(EntryOf(translation, "body.hard").fidelity, Fidelity::kExact);
  EXPECT_EQ(EntryOf(translation, "body.hard.material").fidelity, Fidelity::kIgnored);
}

// A table of modes is for all bodies, but for those that are rigid.
TEST(RigidBodies, HaveNoneOfTheModesOfOthers) {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1}};
  NamedMatrix squash{"squash", Eigen::MatrixXd::Zero(3, 8), {{"stiffness", 50.0}}};
  for (int k = 0; k < 8; ++k) squash.values(1, k) = (k & 2) != 0 ? 0.5 : -0.5;
  table.entries = {squash};
  Scene scene = SceneOf({MakeBlock("soft", {1, 1, 1}, {2, 2, 2}, 1.0), Box("hard")});
  scene.bodies[0].position = {0, 0.5, 0};
  scene.bodies[1].position = {3, 0.3, 0};
  scene.obstacles = {{"floor", Plane{}}};
  const Translation translation = TranslateBy("dynamic-ffd", scene, {{"modes", table}});
  EXPECT_THAT(EntryOf(translation, "body.soft").reason, HasSubstr("in 1 modes only: squash"));
  EXPECT_EQ(EntryOf(translation, "body.hard").reason, "moves rigidly");
  const Observation end = EndOf(translation, 1e-3, 300);
  EXPECT_GT(StrainOf(scene.bodies[0], end.points.leftCols(8)), 1e-3);
  EXPECT_LT(StrainOf(scene.bodies[1], end.points.rightCols(8)), 1e-13);
  scene.bodies[0].rigid = true;
  EXPECT_THAT(TranslateBy("dynamic-ffd", scene, {{"modes", table}}).warnings,
              testing::Contains(HasSubstr("no mode acts: every body is rigid")));
}

TEST(RigidBodies, EveryBackendSaysHowItKeepsThem) {
  Body box = Box();
  const Scene scene = SceneOf({box});
  for (const Backend* backend : Backends()) {
    const std::string name = backend->info().name;
    SCOPED_TRACE(name);
    const Translation translation = TranslateBy(name, scene);
    const TranslatedElement entry = EntryOf(translation, "body.box.rigid");
    if (name == "articulated-lamp") {  // refuses what is no lamp
      EXPECT_EQ(entry.reason, "not reached: the scene was refused before");
      continue;
    }
    // 2 kg at half sizes 0.2, 0.3 and 0.5 m.
    EXPECT_NE(entry.reason.find("2 kg, moments of inertia 0.26, 0.58 and 0.68 kg m² of its points"),
              std::string::npos)
        << entry.reason;
    EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
    EXPECT_EQ(entry.fidelity,
              name == "finite-elements" ? Fidelity::kApproximated : Fidelity::kExact);
    EXPECT_TRUE(std::any_of(Methods().begin(), Methods().end(),
                            [&](const Method& method) { return method.backend == name; }));
  }
}

TEST(RigidBodies, ContinueBitForBit) {
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    const Translation one = TranslateBy(method.backend, Tumbling(), method.parameters),
                      other = TranslateBy(method.backend, Tumbling(), method.parameters);
    ASSERT_NE(one.simulation, nullptr);
    ExpectContinuesBitForBit(one.simulation.get(), other.simulation.get(), 0.01, 7, 5);
  }
}

TEST(RigidBodies, LinesAndPointsMoveToo) {
  Body rod = MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 4, 1.0);
  rod.rigid = true;
  rod.angular_velocity = {0.0, 0.0, 3.0};
  rod.velocity = {0.2, 0.0, 0.1};
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    const Observation end =
        EndOf(TranslateBy(method.backend, Weightless({rod}), method.parameters), 0.001, 1000);
    const Vector3d along(std::cos(3.0), std::sin(3.0), 0.0), centre(0.7, 0.0, 0.1);
    const double close = method.order > 1 ? 1e-4 : 1e-2;
    EXPECT_LT((end.points.col(3) - centre - 0.5 * along).norm(), close);
    EXPECT_LT((end.points.col(0) - centre + 0.5 * along).norm(), close);
  }
}

TEST(RigidBodies, HaveOneShape) {
  Scene scene = SceneOf({Box()});
  scene.bodies[0].stretch = Vector3d(1.0, 1.2, 1.0).asDiagonal();
  reference::ExpectBadInput("body[0].stretch", {"box", "rigid", "remove"},
                            [&] { Validate(scene); });
  scene = SceneOf({Box()});
  Morph morph;
  morph.name = "growth";
  morph.target = 1.1 * scene.bodies[0].rest;
  scene.morphs = {morph};
  reference::ExpectBadInput("body[0].rigid", {"growth", "rigid"}, [&] { Validate(scene); });
}

// Reads a scene of one block with these more keys; what is wrong with it is what reading throws.
Scene Read(const std::string& keys) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("pliant-rigid-" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file) << "name = \"s\"\n[[body]]\nname = \"box\"\nshape = \"block\"\n"
                         "size = [1, 2, 1]\npoints = [3, 3, 3]\n"
                      << keys << "\n";
  const auto remove = [&] { std::filesystem::remove(file); };
  try {
    Scene scene = ReadScene(file);
    remove();
    return scene;
  } catch (...) {
    remove();
    throw;
  }
}

std::string ErrorOf(const std::string& keys) {
  try {
    Read(keys);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(RigidBodies, AreReadFromTheScene) {
  EXPECT_FALSE(Read("mass = 2").bodies[0].rigid);
  EXPECT_TRUE(Read("mass = 2\nrigid = true").bodies[0].rigid);
  const Scene dense = Read("rigid = true\nmaterial = {density = 100}");
  EXPECT_NEAR(dense.bodies[0].mass.sum(), 200.0, 1e-9);  // 100 kg/m³ in 2 m³
  EXPECT_THAT(ErrorOf("material = {density = 100}"),
              AllOf(HasSubstr(":7:"), HasSubstr("[body.material] lacks the key 'youngs_modulus'"),
                    HasSubstr("or rigid = true of the body")));
  EXPECT_THAT(ErrorOf("mass = 2\nrigid = 1"), AllOf(HasSubstr(":8:"), HasSubstr("true or false")));
  EXPECT_THAT(ErrorOf("mass = 2\nrigid = true\nstretch = [1, 2, 1]"),
              AllOf(HasSubstr(":9:"), HasSubstr("is rigid"), HasSubstr("remove stretch")));
}

TEST(RigidBodies, HaveNoSurfaceThatAMapCouldVary) {
  MatrixTable maps;
  NamedMatrix map;
  map.name = "soft";
  map.texts = {{"control", "absorption"}, {"formula", "0.5"}};
  maps.entries = {map};
  EXPECT_NE(TranslateBy("kinematic-response", Tumbling(), {{"maps", maps}}).simulation, nullptr);
  maps.entries[0].texts["body"] = "box";
  reference::ExpectBadInput("", {"soft", "'box', which is rigid", "remove the map"}, [&] {
    TranslateBy("kinematic-response", Tumbling(), {{"maps", maps}});
  });
}

// The parameter of the two backends that had rigid bodies before says the same.
TEST(RigidBodies, AreThoseOfTheParameterToo) {
  for (const char* backend : {"displacement-constraints", "position-based"}) {
    Scene scene = Tumbling();
    const Matrix3Xd by_scene = EndOf(TranslateBy(backend, scene), 0.01, 50).points;
    scene.bodies[0].rigid = false;
    const Matrix3Xd by_parameter =
        EndOf(TranslateBy(backend, scene, {{"rigid_bodies", std::vector<std::string>{"box"}}}),
              0.01, 50)
            .points;
    EXPECT_EQ(by_scene, by_parameter);
    scene.bodies[0].rigid = true;
    reference::ExpectBadInput("solver_levels", {"rigid", "solver_levels = 1"}, [&] {
      TranslateBy(backend, scene, {{"solver_levels", std::int64_t{2}}});
    });
  }
}

}  // namespace
}  // namespace pliant
