#include "models/rigid_bodies/reference_shape.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "models/scene/rigid_motion.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

class Shapes : public testing::Test {
 protected:
  Shapes() {
    scene_->bodies = {MakeSheet("sheet", {1, 2}, {4, 5}, 2.0),
                      MakeChain("chain", {0, 0, 0}, {1, 0, 0}, 5, 1.0)};
    for (Body& body : scene_->bodies) {
      for (double& mass : body.mass) mass *= 1.0 + 0.5 * number_(generator_);
    }
  }
  Matrix3Xd Random(int n) {
    Matrix3Xd m(3, n);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = number_(generator_);
    return m;
  }

  std::mt19937 generator_{21};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
  std::shared_ptr<Scene> scene_ = std::make_shared<Scene>();
};

TEST_F(Shapes, LeaveEveryRigidCopyAlone) {
  const ReferenceShape shape(scene_, 100.0);
  Matrix3Xd x = scene_->InitialPoints();
  for (const double angle : {0.3, 2.0, 3.14}) {
    const Matrix3d turn =
        Eigen::AngleAxisd(angle, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
    const Matrix3Xd moved = (turn * x).colwise() + Vector3d(0.3, -2, 5);
    Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
    shape.AddForces(moved, forces);
    EXPECT_LT(forces.cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT(shape.Energy(moved), 1e-24);
  }
}

TEST_F(Shapes, NeitherPushNorTurn) {
  const ReferenceShape shape(scene_, 100.0);
  const Matrix3Xd x = scene_->InitialPoints() + 0.3 * Random(25);
  Matrix3Xd forces = Matrix3Xd::Zero(3, 25);
  shape.AddForces(x, forces);
  EXPECT_GT(forces.norm(), 1.0);
  int first = 0;
  for (const Body& body : scene_->bodies) {
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
    for (int i = first; i < first + body.size(); ++i) {
      force += forces.col(i);
      torque += Vector3d(x.col(i)).cross(Vector3d(forces.col(i)));
    }
    EXPECT_LT(force.norm(), 1e-11);
    EXPECT_LT(torque.norm(), 1e-11);
    first += body.size();
  }
}

TEST_F(Shapes, ForceIsTheDerivativeOfTheEnergy) {
  const ReferenceShape shape(scene_, 7.0);
  const Matrix3Xd x = scene_->InitialPoints() + 0.2 * Random(25), way = Random(25);
  Matrix3Xd forces = Matrix3Xd::Zero(3, 25);
  shape.AddForces(x, forces);
  const double t = 1e-6;
  const double slope = (shape.Energy(x + t * way) - shape.Energy(x - t * way)) / (2.0 * t);
  EXPECT_NEAR(slope, -forces.cwiseProduct(way).sum(), 1e-7);
  EXPECT_GT(std::abs(slope), 0.1);
}

// A mirror image is no rigid copy, and of all rotations the best is found from any angle.
TEST_F(Shapes, RotateAndDoNotMirror) {
  const Body& sheet = scene_->bodies[0];
  const Vector3d centre = sheet.rest * sheet.mass / sheet.mass.sum();
  const Matrix3Xd rest = sheet.rest.colwise() - centre;
  Matrix3Xd mirrored = rest + 0.1 * Random(20);
  mirrored.row(0) *= -1.0;
  const Vector3d off = mirrored * sheet.mass / sheet.mass.sum();
  mirrored.colwise() -= off;
  const Matrix3d best = BestRotation(sheet.mass, rest, mirrored);
  EXPECT_NEAR(best.determinant(), 1.0, 1e-12);
  const auto error = [&](const Matrix3d& turn) {
    return (mirrored - turn * rest).colwise().squaredNorm().dot(sheet.mass);
  };
  for (int i = 0; i < 200; ++i) {
    const Matrix3Xd axis = Random(1);
    const Matrix3d other =
        Eigen::AngleAxisd(0.3 * i, Vector3d(axis.col(0)).normalized()).toRotationMatrix();
    EXPECT_LE(error(best), error(other) + 1e-12);
  }
}

}  // namespace
}  // namespace pliant
