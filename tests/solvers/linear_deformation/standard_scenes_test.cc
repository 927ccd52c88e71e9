// The standard scenes with the default parameters at steps of 1–2 ms: what each is there to show.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;

constexpr int kDeterminant = 0;

// Two metres wide, flat in the plane `normal`.
Body Slab(double mass, const Eigen::Quaterniond& orientation) {
  Body slab = MakeSheet("slab", {2.0, 2.0}, {17, 17}, mass);
  slab.orientation = orientation;
  return slab;
}

// A table of profile shape falls, bounces and keeps its shape on average.
TEST(Drop, BouncesAndStaysWhole) {
  Scene scene;
  scene.dimension = 2;
  Body table;
  table.name = "table";
  table.rest.resize(3, 11);
  table.rest << 0, .5, 1, 1.5, 2, .25, .25, .25, 1.75, 1.75, 1.75,  //
      1.5, 1.5, 1.5, 1.5, 1.5, 0, .45, .9, 0, .45, .9,              //
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0;
  table.mass = Eigen::VectorXd::Constant(11, 1.0);
  table.position = Vector3d(-1.0, 0.8, 0.0);
  scene.bodies = {table};
  scene.obstacles = {{"floor", Plane{Vector3d::UnitY()}, Path::Still(Vector3d::Zero()), 0.4}};
  const auto simulation = Translate(scene).simulation;
  const SceneForces forces(scene);
  double lowest = 10.0, after = 0.0, least = 1.0;
  for (int i = 0; i < 100; ++i) {
    const Observation o = RunFor(simulation.get(), 0.01, 1e-3);
    const double height = CentreOfMass(forces.masses(), o.points).y();
    if (height < lowest) after = lowest = height;
    after = std::max(after, height);
    least = std::min(least, o.extras[kDeterminant].value());
  }
  EXPECT_LT(lowest, 0.95);         // 0.88 where the legs touch
  EXPECT_GT(after, lowest + 0.2);  // bounces
  EXPECT_GT(least, 0.7);
}

// A sphere pressed into a slab on springs, led aside and away: the slab gives way and comes back.
TEST(Press, SlabYieldsAndReturns) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {
      Slab(8.0, Eigen::Quaterniond(Eigen::AngleAxisd(-std::acos(0.0), Vector3d::UnitX())))};
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (int i = 0; i < start.cols(); ++i) {
    scene.springs.push_back({"foundation", {0, i}, {}, start.col(i), 40.0, 2.0, 0.0});
  }
  Eigen::Matrix3Xd keys(3, 7);
  keys << -0.3, -0.3, -0.3, -0.3, 0.3, 0.3, 0.3,  //
      0.42, 0.42, 0.15, 0.15, 0.15, 0.9, 0.9,     //
      0, 0, 0, 0, 0, 0, 0;
  scene.obstacles = {{"ball", Sphere{0.4},
                      Path({0.0, 0.2, 0.8, 1.4, 2.2, 2.8, 4.0}, keys, Path::Interpolation::kCubic),
                      0.2}};
  for (std::int64_t order : {1, 2}) {
    const auto simulation = Translate(scene, {{"order", order}}).simulation;
    const Observation pressed = RunFor(simulation.get(), 1.4, 2e-3);
    EXPECT_LT(pressed.points.row(1).minCoeff(), -0.15);
    // Second order bends, so that the far edge need not follow; an affine slab tilts as a plate.
    const auto tilt = pressed.points.row(1).maxCoeff();
    if (order == 2) {
      EXPECT_GT(tilt, -0.05);
    }
    const Observation left = RunFor(simulation.get(), 2.6, 2e-3);
    EXPECT_LT((left.points - start).cwiseAbs().maxCoeff(), 1e-3);
  }
}

// A blow on the corner of a free sheet: the momentum is that of the blow for ever after.
TEST(CornerPull, MomentumIsThatOfTheBlow) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Slab(2.0, Eigen::Quaterniond::Identity())};
  const Vector3d blow(0.1, 0.1, 0.3);
  scene.impulses = {{"blow", {0, 288}, blow, 0.1}};
  const Vector3d moment = scene.InitialPoints().col(288).cross(blow);
  const SceneForces forces(scene);
  for (std::int64_t order : {1, 2}) {
    const auto simulation = Translate(scene, {{"order", order}}).simulation;
    const Observation before = RunFor(simulation.get(), 0.1, 1e-3);
    EXPECT_EQ(before.velocities->norm(), 0.0);
    const Observation o = RunFor(simulation.get(), 0.9, 1e-3);
    EXPECT_LT((LinearMomentum(forces.masses(), *o.velocities) - blow).norm(), 1e-12);
    EXPECT_LT((AngularMomentum(forces.masses(), o.points, *o.velocities, Vector3d::Zero()) - moment)
                  .norm(),
              1e-12);
    // The blow is at t = 0.1, a rounding of the step before or after.
    EXPECT_LT((CentreOfMass(forces.masses(), o.points) - 0.9 * blow / 2.0).norm(),
              0.0011 * blow.norm());
  }
}

// A sheet let go from a slant on two nails swings down, its corners on the nails, its edges whole.
TEST(Hang, SwingsOnItsCorners) {
  Scene scene;
  scene.bodies = {Slab(1.0, Eigen::Quaterniond(Eigen::AngleAxisd(1.0, Vector3d::UnitX())))};
  for (int corner : {272, 288}) {
    scene.nails.push_back(NailWhereItStarts(scene, "corner", {0, corner}));
  }
  const auto simulation = Translate(scene, {{"order", std::int64_t{2}}}).simulation;
  double lowest = 0.0;
  const SceneForces forces(scene);
  for (int i = 0; i < 40; ++i) {
    const Observation o = RunFor(simulation.get(), 0.05, 1e-3);
    EXPECT_LT(o.constraint_error.value(), 1e-12);
    EXPECT_LT(MeasureEdgeStrain(scene, o.points)->max, 0.05);
    lowest = std::min(lowest, CentreOfMass(forces.masses(), o.points).y());
  }
  // Hanging straight the centre is 1 m below the nails, which are at height cos(1).
  EXPECT_LT(lowest, std::cos(1.0) - 0.97);
}

// Sticks led by a nail along a smooth path: the hand's work is all that comes in.
TEST(Puppet, GetsItsEnergyFromTheHand) {
  Scene scene = Pendulum(3, 0.5, 1.0);
  const Eigen::Matrix3d down = Eigen::AngleAxisd(-std::acos(0.0), Vector3d::UnitZ()).matrix();
  for (Body& body : scene.bodies) {
    body.orientation = down;
    body.position = (down * body.position).eval();
  }
  Eigen::Matrix3Xd keys(3, 5);
  keys << 0.0, 0.8, 1.6, 0.8, 0.0,  //
      0.0, 0.5, 0.0, -0.3, 0.0,     //
      0, 0, 0, 0, 0;
  const Path path({0.5, 1.2, 2.0, 2.8, 3.5}, keys, Path::Interpolation::kCubic);
  scene.nails[0].path = path;
  auto led = [&](double h) {
    const auto simulation = Translate(scene).simulation;
    Observation o;
    simulation->Observe(&o);
    const double start = TotalEnergy(scene, o);
    o = RunFor(simulation.get(), 1.6, h);
    EXPECT_LT((o.points.col(0) - path.At(1.6).position).norm(), 1e-3);
    EXPECT_GT((*o.work)[WorkClass::kMovedNail], 5.0);
    return std::abs(TotalEnergy(scene, o) - start - o.work->TotalWork());
  };
  EXPECT_LT(led(2e-3), 0.5);
  EXPECT_LT(led(2.5e-4), 0.07);
}

}  // namespace
}  // namespace pliant::linear_deformation
