// The step as it is made, against the plain sums over all points.

#include "solvers/dynamic_ffd/ffd_system.h"

#include <gtest/gtest.h>

#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/point_oracle.h"
#include "tests/solvers/dynamic_ffd/system_oracle.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr std::uint64_t kSeed = 19950409;

Path Along(const Vector3d& from, const Vector3d& to) {
  return PathThrough({0.0, 0.5}, {from, to}, Path::Interpolation::kCubic);
}

// Bodies of 12 points thrown into a pit of one obstacle of each kind, two of which move, with
// everything else a scene can do to them.
class Pit {
 public:
  Pit(int dimension, int modes)
      : random_(kSeed + static_cast<std::uint64_t>(modes)), scene_(std::make_shared<Scene>()) {
    scene_->dimension = dimension;
    scene_->gravity = {1.0, -9.81, dimension == 3 ? 0.5 : 0.0};
    std::vector<FfdPart> parts;
    for (const char* name : {"a", "b"}) {
      FfdBody body = RandomFfdBody(dimension, 12, modes, FfdOrigin::kCentreOfMass, &random_);
      const Body points = {
          .name = name, .rest = Eigen::Matrix3Xd::Zero(3, 12), .mass = body.masses()};
      scene_->bodies.push_back(points);
      // Coupled, as by a material; those of the second body not.
      const MatrixXd root = random_.Matrix(modes, modes);
      MatrixXd stiffness = 30.0 * MatrixXd::Identity(modes, modes) + 5.0 * root * root.transpose();
      if (!parts.empty()) stiffness = stiffness.diagonal().asDiagonal().toDenseMatrix();
      auto inertia = MakeInertia(body);
      parts.push_back({std::move(body), stiffness, 0.05 * stiffness, std::move(inertia)});
    }
    AddObstacles();
    AddHolds();
    system_ = std::make_unique<DynamicFfdSystem>(scene_, std::move(parts), contact_, constraints_);
    oracle_ = std::make_unique<SystemOracle>(scene_, system_.get(), contact_, constraints_);
    q_.resize(system_->coordinates());
    v_ = 0.5 * random_.Vector(system_->velocities());
    for (const FfdPart& part : system_->parts()) {
      VectorXd q = RandomCoordinates(part.body, &random_);
      q.head(dimension).setZero();
      q[1] = 0.4;
      q.tail(modes) *= 0.3;
      q_.segment(part.first_q, q.size()) = q;
    }
  }

  // A step of semi-implicit Euler with both; the largest difference of the rates against their
  // size, and of the entry points, is kept.
  void Step(double h) {
    Exchange power, expected_power;
    VectorXd a;
    system_->Rates(t_, q_, v_, &a, &power);
    const VectorXd expected = oracle_->Rates(t_, q_, v_, &expected_power);
    difference_ = std::max(difference_, (a - expected).norm() / expected.norm());
    for (int c = 0; c < kWorkClasses; ++c) {
      const double wanted = expected_power.work[c];
      difference_ =
          std::max(difference_, std::abs(power.work[c] - wanted) / std::max(1.0, std::abs(wanted)));
    }
    const double size = std::max(1.0, expected_power.angular_impulse.norm());
    difference_ =
        std::max({difference_, (power.impulse - expected_power.impulse).norm() / size,
                  (power.angular_impulse - expected_power.angular_impulse).norm() / size});
    most_touching_ = std::max(most_touching_, oracle_->touching());
    least_touching_ = std::min(least_touching_, oracle_->touching());
    v_ += h * expected;
    VectorXd rate;
    system_->ConfigurationRate(q_, v_, &rate);
    q_ += h * rate;
    system_->Project(&q_);
    t_ += h;
    system_->UpdateContact(t_, q_, v_);
    oracle_->UpdateContact(t_, q_, v_);
    VectorXd entries(system_->contact().StateSize());
    system_->contact().Save(entries);
    entry_difference_ =
        std::max(entry_difference_, (entries - oracle_->ContactState()).cwiseAbs().maxCoeff());
  }

  std::shared_ptr<Scene> scene() { return scene_; }
  DynamicFfdSystem& system() { return *system_; }
  double difference_ = 0.0, entry_difference_ = 0.0;
  int most_touching_ = 0, least_touching_ = 1000;
  VectorXd q_, v_;
  double t_ = 0.0;

 private:
  void AddObstacles() {
    auto add = [this](const char* name, const ObstacleShape& shape, const Path& motion) {
      scene_->obstacles.push_back({name, shape, motion, 0.4});
    };
    add("floor", Plane{}, Path::Still({0, -0.6, 0}));
    add("slope", Plane{Vector3d(-0.6, 0.8, 0)}, Path::Still({0.3, -0.5, 0}));
    add("ball", Sphere{0.35}, Along({-0.9, 0.0, 0}, {-0.4, 0.1, 0}));
    const double turn = 0.4;
    Box box{{0.3, 0.2, 0.5}, Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix()};
    add("box", box, Along({0.3, 1.6, 0}, {0.2, 1.0, 0}));
    add("bar", Capsule{{0.2, 0.1, 0}, 0.1}, Path::Still({0.0, -0.4, 0}));
  }
  void AddHolds() {
    scene_->springs.push_back({"anchored", {0, 2}, std::nullopt, {0.5, 1.5, 0}, 40.0, 1.0, 0.2});
    scene_->springs.push_back({"between", {0, 3}, PointRef{1, 5}, {}, 25.0, 0.5, 0.1});
    scene_->forces.push_back({"push", {1, 0}, {3, 2, 0}, 0.02, 0.1});
    scene_->nails.push_back({"nail", {1, 7}, Along({0.1, 0.8, 0}, {0.3, 0.9, 0})});
    scene_->attachments.push_back({"joint", {0, 1}, {1, 1}});
  }

  RandomNumbers random_;
  std::shared_ptr<Scene> scene_;
  PenaltyOptions contact_ = {800.0, 3.0, 500.0, 2.0};
  ConstraintSpringOptions constraints_ = {300.0, 2.0};
  std::unique_ptr<DynamicFfdSystem> system_;
  std::unique_ptr<SystemOracle> oracle_;
};

class FfdSystemTest : public testing::TestWithParam<std::tuple<int, int>> {};
// 0 to 8 modes are known to the compiler, 9 are not.
INSTANTIATE_TEST_SUITE_P(DimensionsAndModes, FfdSystemTest,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)));

TEST_P(FfdSystemTest, IsTheSumOverAllPointsThroughoutAFall) {
  RecordProperty("seed", std::to_string(kSeed));
  const auto [dimension, modes] = GetParam();
  Pit pit(dimension, modes);
  for (int i = 0; i < 1200; ++i) pit.Step(5e-4);
  EXPECT_LT(pit.difference_, 1e-9);
  EXPECT_LT(pit.entry_difference_, 1e-9);
  // Points came and went.
  EXPECT_GE(pit.most_touching_, 3);
  EXPECT_LT(pit.least_touching_, pit.most_touching_);
}

TEST_P(FfdSystemTest, ContinuesBitForBitFromItsContactState) {
  const auto [dimension, modes] = GetParam();
  Pit pit(dimension, modes), other(dimension, modes);
  for (int i = 0; i < 400; ++i) pit.Step(5e-4);
  for (int i = 0; i < 177; ++i) other.Step(5e-4);  // leaves touches and entry points behind
  VectorXd entries(pit.system().contact().StateSize());
  pit.system().contact().Save(entries);
  other.system().RestoreContact(entries);
  other.q_ = pit.q_;
  other.v_ = pit.v_;
  other.t_ = pit.t_;
  for (int i = 0; i < 100; ++i) {
    VectorXd a, b;
    Exchange power, other_power;
    pit.system().Rates(pit.t_, pit.q_, pit.v_, &a, &power);
    other.system().Rates(other.t_, other.q_, other.v_, &b, &other_power);
    ASSERT_EQ(a, b) << "step " << i;
    ASSERT_EQ(power.Numbers(), other_power.Numbers());
    for (Pit* p : {&pit, &other}) {
      VectorXd rate;
      p->v_ += 1e-3 * a;
      p->system().ConfigurationRate(p->q_, p->v_, &rate);
      p->q_ += 1e-3 * rate;
      p->system().Project(&p->q_);
      p->t_ += 1e-3;
      p->system().UpdateContact(p->t_, p->q_, p->v_);
    }
  }
}

TEST(BodyPoints, AreThoseOfTheBodyAndWithinItsBall) {
  RandomNumbers random(kSeed);
  for (int dimension : {2, 3}) {
    for (FfdOrigin origin : {FfdOrigin::kCentreOfMass, FfdOrigin::kLatticeCorner}) {
      const FfdBody body = RandomFfdBody(dimension, 9, 3, origin, &random);
      const VectorXd q = RandomCoordinates(body, &random), v = random.Vector(body.velocities());
      BodyPoints points(body);
      points.Place(q);
      Eigen::Matrix3Xd x(3, 9), x_dot(3, 9);
      body.Points(q, x);
      body.PointVelocities(q, v, x, x_dot);
      const BodyPoints::Ball ball = points.Bound();
      for (int n = 0; n < 9; ++n) {
        const Vector3d lever = points.Lever(n);
        EXPECT_LT((points.translation() + lever - x.col(n)).norm(), 1e-13);
        EXPECT_LT((points.rotation() * points.Local(n) - lever).norm(), 1e-13);
        EXPECT_LT((points.Velocity(n, lever, v) - x_dot.col(n)).norm(), 1e-13);
        EXPECT_LE((x.col(n) - ball.centre).norm(), ball.radius + 1e-12);
        const Vector3d f(0.3, -1.2, dimension == 3 ? 0.7 : 0.0);
        VectorXd force = VectorXd::Zero(body.velocities());
        points.AddForce(n, lever, f, force);
        EXPECT_LT((force - body.Jacobian(q, n).transpose() * f).norm(), 1e-13);
      }
      // The ball is no larger than it must be for shapes that all point one way.
      EXPECT_LT(ball.radius, 4.0 * (x.colwise() - ball.centre).colwise().norm().maxCoeff());
    }
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
