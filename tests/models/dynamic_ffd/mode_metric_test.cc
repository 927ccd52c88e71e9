#include "models/dynamic_ffd/mode_metric.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;

TEST(ModeMetric, GramOfFreeModesIsTheSchurComplementOfTheMassMatrix) {
  RandomNumbers random(11);
  for (int dimension : {2, 3}) {
    for (FfdOrigin origin : {FfdOrigin::kCentreOfMass, FfdOrigin::kLatticeCorner}) {
      const FfdBody body = RandomFfdBody(dimension, 9, 4, origin, &random);
      const Eigen::VectorXd q = body.Coordinates(
          Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity(), Eigen::VectorXd::Zero(4));
      MatrixXd mass = MatrixXd::Zero(body.velocities(), body.velocities());
      for (int n = 0; n < body.points(); ++n) {
        const MatrixXd j = body.Jacobian(q, n);
        mass += body.masses()[n] * j.transpose() * j;
      }
      const int r = body.twist_size();
      const MatrixXd coupling = mass.topRightCorner(r, 4);
      const MatrixXd schur = mass.bottomRightCorner(4, 4) -
                             coupling.transpose() * mass.topLeftCorner(r, r).llt().solve(coupling);
      const MassWeightedMotions motions = MotionsOf(body);
      EXPECT_LT((motions.free.transpose() * motions.free - schur).norm(), 1e-11 * schur.norm());
      EXPECT_LT((motions.modes.transpose() * motions.modes - mass.bottomRightCorner(4, 4)).norm(),
                1e-11 * mass.norm());
      EXPECT_EQ(motions.rigid.cols(), r);
    }
  }
}

TEST(ModeMetric, AStraightLineInSpaceHasFiveRigidMotions) {
  const Body line = MakeChain("line", {0, 0, 0}, {1, 2, 2}, 4, 2.0);
  const FfdBody body =
      InLattice(3, line, Lattice::Around(line.rest, {1, 1, 1}), {}, FfdOrigin::kCentreOfMass);
  EXPECT_EQ(MotionsOf(body).rigid.cols(), 5);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
