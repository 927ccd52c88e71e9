#include "solvers/dynamic_ffd/constraint_springs.h"

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Two links: one end nailed to a moving point, the others attached.
Scene NailedLinks() {
  Scene scene = SceneOf(
      {MakeChain("a", {0, 0, 0}, {1, 0, 0}, 2, 1.0), MakeChain("b", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  scene.nails.push_back({"hand", {0, 0}, PathThrough({0.0, 1.0}, {{0, 0, 0}, {1, 0.5, 0}})});
  scene.attachments.push_back({"joint", {0, 1}, {1, 0}});
  return scene;
}

class ConstraintSpringsTest : public testing::Test {
 protected:
  ConstraintSpringsTest() : springs_(NailedLinks(), {100.0, 3.0}) {
    x_ << 0.3, 1.1, 1.0, 2.2, 0.4, 0.2, -0.1, 0.0, 0.1, 0.0, 0.3, 0.0;
    v_ << 0.5, 0.1, -0.2, 0, 1.0, 0.4, 0.3, 0, -0.2, 0, 0.6, 0;
  }
  ConstraintSprings springs_;
  Matrix3Xd x_ = Matrix3Xd(3, 4), v_ = Matrix3Xd(3, 4);
};

TEST_F(ConstraintSpringsTest, ForcesPullTheGapsShut) {
  Matrix3Xd f = Matrix3Xd::Ones(3, 4);  // is added to
  Exchange rates;
  springs_.AddForces(0.5, x_, v_, f, &rates);
  const Vector3d nail =
      -100.0 * (x_.col(0) - Vector3d(0.5, 0.25, 0)) - 3.0 * (v_.col(0) - Vector3d(1.0, 0.5, 0));
  const Vector3d joint = -100.0 * (x_.col(1) - x_.col(2)) - 3.0 * (v_.col(1) - v_.col(2));
  EXPECT_LT((f.col(0) - Vector3d::Ones() - nail).norm(), 1e-12);
  EXPECT_LT((f.col(1) - Vector3d::Ones() - joint).norm(), 1e-12);
  EXPECT_LT((f.col(2) - Vector3d::Ones() + joint).norm(), 1e-12);
  EXPECT_TRUE(f.col(3).isOnes(0.0));
  // Of what comes from outside there is the nail alone.
  EXPECT_LT((rates.impulse - nail).norm(), 1e-12);
  EXPECT_LT((rates.angular_impulse - Vector3d(x_.col(0)).cross(nail)).norm(), 1e-12);
}

TEST_F(ConstraintSpringsTest, PowerOnTheMaterialIsWorkMinusStoredEnergy) {
  // f·ẋ = f·ṅ − c|Ċ|² − dU/dt, with dU/dt by difference along the motion.
  Matrix3Xd f = Matrix3Xd::Zero(3, 4);
  Exchange rates;
  springs_.AddForces(0.5, x_, v_, f, &rates);
  const double h = 1e-6;
  const double stored =
      (springs_.Energy(0.5 + h, x_ + h * v_) - springs_.Energy(0.5 - h, x_ - h * v_)) / (2.0 * h);
  EXPECT_NEAR(f.cwiseProduct(v_).sum(),
              rates[WorkClass::kMovedNail] + rates[WorkClass::kDamping] - stored, 1e-6);
  EXPECT_LT(rates[WorkClass::kDamping], 0.0);
}

TEST_F(ConstraintSpringsTest, ReportsTheWidestGapAndTheFastest) {
  const auto gap = springs_.LargestGap(0.5, x_, v_);
  ASSERT_TRUE(gap.has_value());
  EXPECT_NEAR(gap->error, (x_.col(1) - x_.col(2)).norm(), 1e-15);
  EXPECT_NEAR(gap->rate,
              std::max((v_.col(0) - Vector3d(1.0, 0.5, 0)).norm(), (v_.col(1) - v_.col(2)).norm()),
              1e-15);
  EXPECT_FALSE(ConstraintSprings(Scene(), {}).LargestGap(0.0, x_, v_).has_value());
}

}  // namespace
}  // namespace pliant::dynamic_ffd
