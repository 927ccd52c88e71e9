#include "solvers/linear_deformation/point_constraints.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd Flat(const MatrixXd& matrix) { return Map<const VectorXd>(matrix.data(), matrix.size()); }

// Numbers without a pattern.
VectorXd Numbers(int n, double phase) {
  VectorXd values(n);
  for (int i = 0; i < n; ++i) values[i] = std::sin(phase + 1.7 * i * i + 0.3 * i);
  return values;
}

// Two second-order blocks, a sheet and a chain, tied in a ring-free tree with a driven nail.
Scene Assembly() {
  Scene scene;
  scene.bodies = {MakeBlock("left", {1.0, 0.5, 0.6}, {3, 3, 3}, 2.0),
                  MakeBlock("right", {0.7, 0.5, 0.4}, {3, 4, 3}, 3.0),
                  MakeSheet("flag", {1.0, 0.8}, {4, 4}, 0.5),
                  MakeChain("rope", Vector3d::Zero(), Vector3d(0.0, -1.0, 0.2), 4, 0.3)};
  scene.bodies[1].position = Vector3d(1.0, 0.2, 0.0);
  scene.bodies[2].orientation = Eigen::AngleAxisd(0.5, Vector3d::UnitX());
  Eigen::Matrix3Xd keys(3, 3);
  keys << 0.0, 0.4, 0.1, 0.0, 0.2, 0.3, 0.0, -0.3, 0.5;
  scene.nails = {{"driven", {0, 4}, Path({0.0, 0.5, 1.2}, keys, Path::Interpolation::kCubic)},
                 {"still", {0, 20}, Path::Still(Vector3d(0.3, 0.2, 0.1))}};
  scene.attachments = {{"ab", {0, 26}, {1, 0}},
                       {"ab2", {0, 8}, {1, 6}},
                       {"bc", {1, 35}, {2, 3}},
                       {"cd", {2, 12}, {3, 0}}};
  return scene;
}

// The whole method against dense matrices and the equations as printed, sign mended:
// J W Jᵀ λ = −(J W Q + c_tt + 2ζω ċ + ω² c).
TEST(PointConstraints, MultipliersSolveTheDenseEquations) {
  const Scene scene = Assembly();
  const auto system = MakeSystem(scene, 2);
  const PointConstraints& constraints = system->constraints();
  const FeedbackOptions feedback{7.0, 0.6};
  const MatrixXd J = DenseJacobian(*system), W = DenseInverseMass(*system);
  const MatrixXd A = J * W * J.transpose();
  const VectorXd q = Numbers(system->coordinates(), 0.1), v = Numbers(system->coordinates(), 0.7);
  const VectorXd free = Numbers(system->coordinates(), 2.0);
  const double t = 0.3;

  PointConstraints::Workspace workspace = constraints.MakeWorkspace();
  VectorXd a = free;
  Exchange rates;
  constraints.Constrain(t, q, v, feedback, &a, &workspace, &rates);

  const PathPoint nail = scene.nails[0].path.At(t);
  MatrixXd n = MatrixXd::Zero(6, 3), n_dot = n, n_ddot = n;
  n.row(0) = nail.position.transpose();
  n_dot.row(0) = nail.velocity.transpose();
  n_ddot.row(0) = nail.acceleration.transpose();
  n.row(1) = scene.nails[1].path.At(t).position.transpose();
  const VectorXd c = J * q - Flat(n), c_dot = J * v - Flat(n_dot);
  const VectorXd lambda =
      A.fullPivLu().solve(-(J * free - Flat(n_ddot) + 2.0 * 0.6 * 7.0 * c_dot + 7.0 * 7.0 * c));
  EXPECT_LT((Flat(workspace.gap) - c).norm(), 1e-12);
  EXPECT_LT((Flat(workspace.rate) - c_dot).norm(), 1e-12);
  EXPECT_LT((Flat(workspace.multipliers) - lambda).norm(), 1e-8 * lambda.norm());
  EXPECT_LT((a - (free + W * J.transpose() * lambda)).norm(), 1e-8 * a.norm());
  // The work is that of what moves, λ·ṅ, and what the open gaps leave, λ·ċ.
  EXPECT_NEAR(rates[WorkClass::kMovedNail], lambda.dot(Flat(n_dot)), 1e-8 * lambda.norm());
  EXPECT_NEAR(rates[WorkClass::kConstraint], lambda.dot(c_dot), 1e-8 * lambda.norm());
}

// A = J W Jᵀ is S ⊗ 1_d: the same matrix for each axis and nothing between axes.
TEST(PointConstraints, ConstraintMatrixIsScalarInEachAxis) {
  const auto system = MakeSystem(Assembly(), 2);
  const MatrixXd J = DenseJacobian(*system);
  const MatrixXd A = J * DenseInverseMass(*system) * J.transpose();
  const int n = system->constraints().size();
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s < 3; ++s) {
      const MatrixXd block = A.block(r * n, s * n, n, n);
      const MatrixXd expected = r == s ? MatrixXd(A.topLeftCorner(n, n)) : MatrixXd::Zero(n, n);
      EXPECT_LT((block - expected).norm(), 1e-13 * A.norm());
    }
  }
}

// c̈ + 2ζω ċ + ω² c = 0, whatever the bodies are and whatever forces act.
TEST(PointConstraints, GapsObeyTheFeedbackEquation) {
  for (int order : {1, 2}) {
    const Scene scene = Assembly();
    const FeedbackOptions feedback{13.0, 1.4};
    const auto system = MakeSystem(scene, order, {}, feedback);
    const VectorXd q = Numbers(system->coordinates(), 0.1), v = Numbers(system->coordinates(), 0.7);
    VectorXd a;
    Exchange power;
    const double t = 0.8;
    system->Rates(t, q, v, &a, &power);
    const PointConstraints::Workspace& state = system->constraint_state();
    MatrixXd c_ddot = Map<const MatrixXd>(VectorXd(DenseJacobian(*system) * a).data(), 6, 3);
    c_ddot.row(0) -= scene.nails[0].path.At(t).acceleration.transpose();
    const MatrixXd left = c_ddot + 2.0 * 1.4 * 13.0 * state.rate + 13.0 * 13.0 * state.gap;
    EXPECT_LT(left.norm(), 1e-8 * c_ddot.norm()) << "order " << order;
  }
}

// Sec. 3.1 prints the total force Q + (λ + αc + βċ) J. With c_tt = 0 that gives c̈ = A(αc + βċ),
// which for positive α and β grows; in the solve the feedback is stable.
TEST(PointConstraints, PrintedFeedbackIsUnstable) {
  const auto system = MakeSystem(Assembly(), 2);
  const MatrixXd J = DenseJacobian(*system);
  const MatrixXd A = J * DenseInverseMass(*system) * J.transpose();
  const auto n = A.rows();
  const double omega = 5.0;
  auto growth = [&](const MatrixXd& of_gap, const MatrixXd& of_rate) {
    MatrixXd companion = MatrixXd::Zero(2 * n, 2 * n);
    companion.topRightCorner(n, n).setIdentity();
    companion.bottomLeftCorner(n, n) = of_gap;
    companion.bottomRightCorner(n, n) = of_rate;
    return companion.eigenvalues().real().maxCoeff();
  };
  const MatrixXd one = MatrixXd::Identity(n, n);
  EXPECT_GT(growth(omega * omega * A, 2.0 * omega * A), 1.0);
  EXPECT_NEAR(growth(-omega * omega * one, -2.0 * omega * one), -omega, 1e-3);
}

// A nail at the centre of mass carries exactly m (n̈ − g), however the body deforms.
TEST(PointConstraints, NailAtTheCentreCarriesTheWeight) {
  Scene scene;
  scene.bodies = {MakeBlock("block", {1.0, 0.5, 0.7}, {3, 3, 3}, 4.0)};
  scene.bodies[0].stretch = Vector3d(1.3, 0.8, 1.1).asDiagonal();
  scene.bodies[0].angular_velocity = Vector3d(1.0, 2.0, 3.0);
  Eigen::Matrix3Xd keys(3, 3);
  keys << 0.0, 0.5, 1.0, 0.0, 1.0, 0.2, 0.0, -1.0, 0.4;
  scene.nails = {{"hand", {0, 13}, Path({0.0, 0.6, 1.0}, keys, Path::Interpolation::kCubic)}};
  const auto system = MakeSystem(scene);
  VectorXd q, v, a;
  system->InitialState(scene, &q, &v);
  Exchange power;
  const double t = 0.45;
  const PathPoint nail = scene.nails[0].path.At(t);
  for (int r = 0; r < 3; ++r) {  // on the path, so that there is nothing to feed back
    q[r * 4] = nail.position[r];
    v[r * 4] = nail.velocity[r];
  }
  system->Rates(t, q, v, &a, &power);
  const Vector3d force = system->constraint_state().multipliers.row(0).transpose();
  const Vector3d expected = 4.0 * (nail.acceleration - scene.gravity);
  EXPECT_LT((force - expected).norm(), 1e-10);
  EXPECT_NEAR(power[WorkClass::kMovedNail], expected.dot(nail.velocity), 1e-10);
  EXPECT_NEAR(power[WorkClass::kConstraint], 0.0, 1e-10);
  // Gravity and the nail are all that changes its momentum.
  EXPECT_LT((power.impulse - 4.0 * nail.acceleration).norm(), 1e-10);
}

// Δq̇ = W Jᵀ λ, A λ = −ċ: still constraints lose exactly ½ ċᵀ A⁻¹ ċ.
TEST(PointConstraints, VelocityMatchingLosesTheEnergyOfTheGapRates) {
  Scene scene = Assembly();
  scene.nails[0].path = Path::Still(Vector3d::Zero());
  const auto system = MakeSystem(scene, 2);
  const MatrixXd J = DenseJacobian(*system), W = DenseInverseMass(*system);
  const MatrixXd A = J * W * J.transpose();
  VectorXd v = Numbers(system->coordinates(), 0.7);
  const VectorXd rate = J * v;
  const SceneForces forces(scene);
  Eigen::Matrix3Xd velocities;
  system->Points(v, &velocities);
  const double before = KineticEnergy(forces.masses(), velocities);
  const VectorXd q = Numbers(system->coordinates(), 0.1);
  Exchange exchange;
  system->MatchVelocities(0.0, 0.1, q, &v, &exchange);
  const double work = exchange[WorkClass::kDamping];
  EXPECT_EQ(exchange.TotalWork(), work);
  system->Points(v, &velocities);
  const double after = KineticEnergy(forces.masses(), velocities);
  EXPECT_LT((J * v).norm(), 1e-12);
  EXPECT_NEAR(work, -0.5 * rate.dot(A.fullPivLu().solve(rate)), 1e-10 * before);
  EXPECT_NEAR(after - before, work, 1e-12 * before);
  // Nothing is left to do.
  Exchange again;
  system->MatchVelocities(0.0, 0.1, q, &v, &again);
  EXPECT_NEAR(again.TotalWork(), 0.0, 1e-15);
}

// Eq. 9: at a corner of its path a nail jumps by Δṅ, A λ = +Δṅ, and does work.
TEST(PointConstraints, CornerOfAPathIsAnImpulse) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {MakeBlock("block", {1.0, 0.5, 0.7}, {3, 3, 3}, 4.0)};
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 3);
  keys.row(0) << 0.0, 1.0, 4.0;
  scene.nails = {{"hand", {0, 13}, Path({0.5, 1.0, 2.0}, keys, Path::Interpolation::kLinear)}};
  const auto system = MakeSystem(scene);
  const PointConstraints& constraints = system->constraints();
  EXPECT_FALSE(constraints.HasCorner(0.0, 0.5));
  EXPECT_TRUE(constraints.HasCorner(0.5, 0.6));
  EXPECT_FALSE(constraints.HasCorner(0.51, 1.0));
  EXPECT_TRUE(constraints.HasCorner(0.99, 1.01));
  VectorXd q, v;
  system->InitialState(scene, &q, &v);
  // Its impulse m Δv gets the velocity of the nail; half of that is lost in the blow, which is not
  // elastic.
  const auto expect_blow = [&](double begin, double end, double before, double after) {
    Exchange blow;
    system->MatchVelocities(begin, end, q, &v, &blow);
    EXPECT_NEAR(v[0], after, 1e-12);
    const double impulse = 4.0 * (after - before);
    EXPECT_NEAR(blow[WorkClass::kMovedNail], impulse * after, 1e-12);
    EXPECT_NEAR(blow[WorkClass::kDamping], -0.5 * impulse * (after - before), 1e-12);
    EXPECT_NEAR(blow.TotalWork(), 0.5 * 4.0 * (after * after - before * before), 1e-12);
    EXPECT_NEAR(blow.impulse.x(), impulse, 1e-12);
  };
  expect_blow(0.4, 0.51, 0.0, 2.0);
  expect_blow(0.95, 1.05, 2.0, 3.0);  // at the key in the middle of the step
  Exchange stop;                      // by the last key
  system->MatchVelocities(2.0, 2.1, q, &v, &stop);
  EXPECT_NEAR(v[0], 0.0, 1e-12);
}

}  // namespace
}  // namespace pliant::linear_deformation
