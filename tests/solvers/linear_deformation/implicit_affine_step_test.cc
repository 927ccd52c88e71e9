// The implicit treatment of affine_step.h: its equations, its order, and what it is for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/affine_steps.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::testing::HasSubstr;

const FeedbackOptions kNoFeedback{0.0, 1.0};

// Both treatments are of first order: they meet as the step shrinks.
TEST_P(AffineSteps, ImplicitMeetsExplicitAsTheStepShrinks) {
  const Scene scene = Pair();
  const LinearMaterial material{30.0, 20.0, 1.5, 0.0};
  auto apart = [&](int steps) {
    VectorXd q, v, q_other, v_other;
    Exchange work, work_other;
    const double h = 0.2 / steps;
    AffineRun(scene, material, InternalEnergy::kExplicit, h, steps, &q, &v, &work);
    AffineRun(scene, material, InternalEnergy::kImplicit, h, steps, &q_other, &v_other,
              &work_other);
    EXPECT_NEAR(work[WorkClass::kDamping], work_other[WorkClass::kDamping], 20.0 * h);
    EXPECT_NEAR(work[WorkClass::kConstraint], work_other[WorkClass::kConstraint], 60.0 * h);
    EXPECT_NEAR(work[WorkClass::kMovedNail], work_other[WorkClass::kMovedNail], 60.0 * h);
    return (q - q_other).norm();
  };
  const double coarse = apart(400), fine = apart(800);
  EXPECT_LT(fine, 2e-2);
  EXPECT_NEAR(ObservedOrder(coarse, fine), 1.0, 0.15);
}

// One step of one free body solves (M + h D + h² K) a = Q − ∂V/∂R − ∂D/∂Ṙ − h K Ṙ with the true
// derivatives of the forces at rest, for every law.
TEST_P(AffineSteps, LinearisedUsesTheDerivativesOfTheForces) {
  const SizeCase& c = GetParam();
  Scene scene;
  scene.dimension = c.dimension;
  scene.bodies = {c.body};
  const LinearBody body(c.body, c.dimension, 1);
  const double h = 0.02;
  const std::vector<LinearMaterial> materials = Laws(body.has_volume());
  for (size_t n = 0; n < materials.size(); ++n) {
    const LinearMaterial& material = materials[n];
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(0, 0, 1)).toRotationMatrix();
    const VectorXd q = body.AffineCoordinates(turn, Vector3d::Zero());
    const auto size = static_cast<int>(q.size());
    VectorXd v(size);
    for (int i = 0; i < size; ++i) v[i] = std::sin(1.0 + i);
    auto force = [&](const VectorXd& at, const VectorXd& rate) {
      VectorXd Q = VectorXd::Zero(size);
      AddMaterialForces(body, material, at, rate, Q);
      return Q;
    };
    MatrixXd K(size, size), D(size, size), M = MatrixXd::Zero(size, size);
    const double step = 1e-5;
    for (int i = 0; i < size; ++i) {
      const VectorXd e = VectorXd::Unit(size, i), zero = VectorXd::Zero(size);
      K.col(i) = (force(q - step * e, zero) - force(q + step * e, zero)) / (2.0 * step);
      D.col(i) = force(q, zero) - force(q, e);
    }
    const int k = body.columns();
    for (int r = 0; r < c.dimension; ++r) M.block(r * k, r * k, k, k) = body.mass_matrix();
    VectorXd free = force(q, v) - h * K * v;
    for (int r = 0; r < c.dimension; ++r) free[r * k] += body.mass() * scene.gravity[r];
    const VectorXd a = (M + h * D + h * h * K).lu().solve(free);

    const auto system = MakeSystem(scene, 1, material, {}, InternalEnergy::kLinearised);
    VectorXd q_after = q, v_after = v;
    Exchange work;
    ASSERT_TRUE(system->Step(0.0, h, kBound, &q_after, &v_after, &work));
    EXPECT_LT(((v_after - v) / h - a).norm(), 1e-5 * a.norm()) << n;
    EXPECT_LT((q_after - q - h * v_after).norm(), 1e-14);
    EXPECT_NEAR(work[WorkClass::kDamping], -h * v_after.dot(D * v_after),
                1e-9 + 1e-9 * std::abs(work[WorkClass::kDamping]));
  }
}

// Bodies in a loop and a tree, at rest and moving: the accelerations with multipliers are those of
// the whole matrix M + h D + h² K and the whole Jacobian.
TEST_P(AffineSteps, LinearisedSolvesTheWholeSystem) {
  Scene scene = Pair();
  scene.springs.clear();
  scene.bodies[0].stretch.setIdentity();
  scene.bodies[1].mass *= 2.0;
  scene.bodies.push_back(scene.bodies[1]);
  scene.bodies.back().name = "third";
  scene.attachments.push_back({"side", {0, 1}, {1, 1}});
  scene.attachments.push_back({"third", {2, 0}, {1, 0}});
  scene.nails[0].path = Path::Still(Vector3d(0.1, -0.2, 0.0));
  const LinearMaterial material{300.0, 200.0, 1.5, 0.0};
  const FeedbackOptions feedback{20.0, 0.7};
  const double h = 0.01;
  const auto system = MakeSystem(scene, 1, material, feedback, InternalEnergy::kLinearised);
  VectorXd q, v;
  system->InitialState(scene, &q, &v);
  const auto size = static_cast<int>(q.size());

  MatrixXd H = MatrixXd::Zero(size, size);
  VectorXd free = VectorXd::Zero(size);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const LinearBody& body = system->bodies()[b];
    const int first = system->first(static_cast<int>(b)), own = body.coordinates();
    auto force = [&](const VectorXd& at, const VectorXd& rate) {
      VectorXd Q = VectorXd::Zero(own);
      AddMaterialForces(body, material, at, rate, Q);
      return Q;
    };
    const VectorXd at = q.segment(first, own), rate = v.segment(first, own);
    MatrixXd K(own, own), D(own, own);
    for (int i = 0; i < own; ++i) {
      const VectorXd e = VectorXd::Unit(own, i), zero = VectorXd::Zero(own);
      const double step = 1e-5;
      K.col(i) = (force(at - step * e, zero) - force(at + step * e, zero)) / (2.0 * step);
      D.col(i) = force(at, zero) - force(at, e);
    }
    H.block(first, first, own, own) = h * D + h * h * K;
    free.segment(first, own) = force(at, rate) - h * K * rate;
    const int k = body.columns();
    for (int r = 0; r < GetParam().dimension; ++r) {
      H.block(first + r * k, first + r * k, k, k) += body.mass_matrix();
      free[first + r * k] += body.mass() * scene.gravity[r];
    }
  }
  const MatrixXd J = DenseJacobian(*system);
  PointConstraints::Workspace state = system->constraints().MakeWorkspace();
  system->constraints().MeasureGaps(0.0, q, v, &state);
  const MatrixXd gap = state.gap, gap_rate = state.rate;  // a column for each axis
  const VectorXd c = gap.reshaped(), c_dot = gap_rate.reshaped();
  const double omega = feedback.frequency;
  const VectorXd wanted = -2.0 * feedback.damping_ratio * omega * c_dot - omega * omega * c;
  const VectorXd free_a = H.lu().solve(free);
  const MatrixXd response = H.lu().solve(MatrixXd(J.transpose()));
  const VectorXd lambda = MatrixXd(J * response).lu().solve(VectorXd(wanted - J * free_a));
  const VectorXd a = free_a + response * lambda;

  VectorXd q_after = q, v_after = v;
  Exchange work;
  ASSERT_TRUE(system->Step(0.0, h, kBound, &q_after, &v_after, &work));
  EXPECT_LT(((v_after - v) / h - a).norm(), 1e-5 * a.norm());
  const VectorXd mean = J * (v + 0.5 * h * a);
  EXPECT_NEAR(work[WorkClass::kConstraint], h * lambda.dot(mean), 1e-5 * h * lambda.norm());
}

// V as the source and the materials define it, of m with complex entries.
template <int D, int M>
std::complex<double> EnergyOf(const Eigen::Matrix<std::complex<double>, D, M>& m,
                              const LinearBody& body, const LinearMaterial& material) {
  if (material.law == MaterialLaw::kStVenantKirchhoff) {
    return StVenantKirchhoffEnergy(m, LameOf(body, material));
  }
  return StretchEnergy(m, material.stretch_stiffness);
}

// 2 ∂V/∂(mᵀm) at m: ∂V/∂m = m S, by complex steps.
template <int D, int M>
MatrixXd StressOf(const MatrixXd& at, const LinearBody& body, const LinearMaterial& material) {
  const Eigen::Matrix<double, D, M> m = at;
  Eigen::Matrix<double, D, M> slope;
  for (int i = 0; i < m.size(); ++i) {
    Eigen::Matrix<std::complex<double>, D, M> beside = m.template cast<std::complex<double>>();
    beside.data()[i] += std::complex<double>(0.0, 1e-30);
    slope.data()[i] = EnergyOf<D, M>(beside, body, material).imag() / 1e-30;
  }
  return (m.transpose() * m).lu().solve(Eigen::Matrix<double, M, M>(m.transpose() * slope));
}
MatrixXd StressOf(const MatrixXd& m, const LinearBody& body, const LinearMaterial& material) {
  switch (10 * m.rows() + m.cols()) {
    case 21:
      return StressOf<2, 1>(m, body, material);
    case 22:
      return StressOf<2, 2>(m, body, material);
    case 31:
      return StressOf<3, 1>(m, body, material);
    case 32:
      return StressOf<3, 2>(m, body, material);
    default:
      return StressOf<3, 3>(m, body, material);
  }
}

// One step of a free body that turns by half a radian, of any stiffness: the stress that the
// energy, differentiated by complex steps, has at the end of the step, along m of the beginning. For
// laws that are quadratic in the strain; others are extrapolated with their moduli at rest.
TEST_P(AffineSteps, ImplicitHasTheStressOfTheEndOfTheStep) {
  const SizeCase& c = GetParam();
  Scene scene;
  scene.dimension = c.dimension;
  scene.gravity.setZero();
  scene.bodies = {c.body};
  scene.bodies[0].angular_velocity = Vector3d(0, 0, 25.0);
  scene.bodies[0].stretch(0, 0) = 1.01;
  const LinearBody body(scene.bodies[0], c.dimension, 1);
  const int mu = body.material_dimension(), k = body.columns();
  const double h = 0.02;
  const auto gradient = [&](const VectorXd& of) {
    MatrixXd m = Eigen::Map<const RowMajorMatrix>(of.data(), c.dimension, k).rightCols(mu);
    for (int s = 0; s < mu; ++s) m.col(s) /= body.frame().extent[s];
    return m;
  };
  for (double stiffness : {1.0, 1e3, 1e6, 1e9}) {
    for (MaterialLaw law : {MaterialLaw::kWitkinWelch, MaterialLaw::kStVenantKirchhoff}) {
      LinearMaterial material{stiffness, 0.0, 0.0, 0.0};
      material.law = law;
      material.youngs_modulus = stiffness;
      material.thickness = 1.0;
      const auto system = MakeSystem(scene, 1, material, {}, InternalEnergy::kImplicit);
      VectorXd q, v;
      Exchange work;
      system->InitialState(scene, &q, &v);
      const MatrixXd m = gradient(q), m_dot = gradient(v);
      ASSERT_TRUE(system->Step(0.0, h, kBound, &q, &v, &work));
      ASSERT_TRUE(system->step_converged());
      // mass/extent² is the inertia of a column of m.
      const MatrixXd stress = m * StressOf(gradient(q), body, material);
      MatrixXd change = (gradient(v) - m_dot) / h;
      for (int s = 0; s < mu; ++s) {
        change.col(s) *= body.mass() * std::pow(body.frame().extent[s], 2);
      }
      // The iteration leaves 1e-11 of strain.
      EXPECT_LT((change + stress).norm(), 1e-9 * stress.norm() + 1e-9 * stiffness) << stiffness;
    }
  }
}

// A free plate that spins fast, of ever stiffer material: the implicit treatment keeps energy and
// spin, the linearised one makes energy without bound, which its ledger shows.
TEST(Implicit, ASpinningPlateGainsNothing) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Sheet()};
  scene.bodies[0].angular_velocity = Vector3d(20.0, 30.0, 90.0);
  const auto run = [&](const char* treatment, double stiffness, double* residual) {
    const auto simulation = Translate(scene, {{"stretch_stiffness", stiffness},
                                              {"internal_energy", std::string(treatment)}})
                                .simulation;
    Observation o;
    simulation->Observe(&o);
    const double start = TotalEnergy(scene, o);
    const Vector3d spin = Spin(scene, o);
    double largest = 0.0;
    for (int i = 0; i < 20; ++i) {
      o = RunFor(simulation.get(), 0.01, 1e-3);
      largest = std::max(largest, TotalEnergy(scene, o) - start);
    }
    EXPECT_LT((Spin(scene, o) - spin).norm(), 1e-9 * spin.norm());
    *residual = TotalEnergy(scene, o) - start - o.work->TotalWork();
    return largest / start;
  };
  double residual = 0.0;
  for (double stiffness : {1e4, 1e6, 1e8, 1e10}) {
    EXPECT_LT(run("implicit", stiffness, &residual), 5e-3) << stiffness;
  }
  EXPECT_GT(run("linearised", 1e8, &residual), 1.0);
  EXPECT_GT(residual, 1e3);
}

// A link that turns by two radians in a step: the step is halved until its strain can be found.
TEST(Implicit, HalvesAStepInWhichABodyTurnsTooFar) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {MakeChain("link", {0, 0, 0}, {0.5, 0, 0}, 2, 1.0)};
  scene.bodies[0].angular_velocity = Vector3d(0, 0, 200.0);
  const auto simulation =
      Translate(scene, {{"stretch_stiffness", 1e6}, {"internal_energy", std::string("implicit")}})
          .simulation;
  Observation o;
  simulation->Observe(&o);
  const double start = TotalEnergy(scene, o);
  o = RunFor(simulation.get(), 0.5, 0.01);
  EXPECT_NEAR(TotalEnergy(scene, o), start, 0.1 * start);
  EXPECT_NEAR((o.points.col(1) - o.points.col(0)).norm(), 0.5, 1e-2);
}

// Gaps stay as they are when nothing closes them, in loops and trees too.
TEST_P(AffineSteps, ImplicitKeepsPointsTogetherWithoutFeedback) {
  Scene scene = Pair();
  scene.attachments.push_back({"side", {0, 1}, {1, 1}});
  scene.bodies.push_back(scene.bodies[1]);
  scene.bodies.back().name = "third";
  scene.attachments.push_back({"third", {1, 0}, {2, 0}});
  scene.nails.resize(1);
  const auto system =
      MakeSystem(scene, 1, {5e4, 5e4, 2.0, 0.0}, kNoFeedback, InternalEnergy::kImplicit);
  VectorXd q, v;
  Exchange work;
  system->InitialState(scene, &q, &v);
  system->MatchVelocities(0.0, 0.0, q, &v, &work);
  PointConstraints::Workspace state = system->constraints().MakeWorkspace();
  system->constraints().MeasureGaps(0.0, q, v, &state);
  const MatrixXd start = state.gap.bottomRows(3);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(system->Step(i * 1e-3, 1e-3, kBound, &q, &v, &work));
  system->constraints().MeasureGaps(0.3, q, v, &state);
  EXPECT_LT((state.gap.bottomRows(3) - start).norm(), 1e-11);
}

double LargestStrain(const Observation& o, double length) {
  double largest = 0.0;
  for (int i = 0; i + 1 < o.points.cols(); i += 2) {
    const double now = (o.points.col(i + 1) - o.points.col(i)).norm();
    largest = std::max(largest, std::abs(now / length - 1.0));
  }
  return largest;
}

// A chain that falls from the horizontal: links of 10 MJ break the explicit treatment at once and
// do not stretch in the implicit one.
TEST(Implicit, ChainOfAThousandStiffLinksNeitherStretchesNorBlowsUp) {
  const Scene scene = Pendulum(1000);
  ParameterValues parameters = {{"stretch_stiffness", 1e7}};
  const auto broken = Translate(scene, parameters).simulation;
  StepOutcome outcome;
  for (int i = 0; i < 200 && outcome.kind == StepOutcome::Kind::kAdvanced; ++i) {
    outcome = broken->Advance(1e-3);
  }
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);

  parameters["internal_energy"] = std::string("implicit");
  const auto simulation = Translate(scene, parameters).simulation;
  const double start = [&] {
    Observation o;
    simulation->Observe(&o);
    return TotalEnergy(scene, o);
  }();
  for (int i = 0; i < 5; ++i) {
    const Observation o = RunFor(simulation.get(), 0.1, 1e-3);
    EXPECT_LT(LargestStrain(o, 0.5), 1e-3);
    EXPECT_LT(o.constraint_error.value(), 1e-9);
    EXPECT_NEAR(TotalEnergy(scene, o), start, 1e-2 * std::abs(start) + 50.0);
  }
}

// ½ m at the end of a rod of length L: θ̈ = −(g/L) cos θ, from the horizontal. First order in h.
TEST(Implicit, StiffLinkIsARigidPendulum) {
  const double length = 0.5, gravity = 9.81, duration = 0.6;
  double theta = 0.0, rate = 0.0;
  const int fine = 60000;
  for (int i = 0; i < fine; ++i) {  // midpoint rule, far below the errors sought
    const double h = duration / fine;
    const double middle = theta + 0.5 * h * rate;
    const double rate_after = rate - h * gravity / length * std::cos(middle);
    theta += 0.5 * h * (rate + rate_after);
    rate = rate_after;
  }
  const Vector3d expected(length * std::cos(theta), length * std::sin(theta), 0.0);
  auto error = [&](double h) {
    const auto simulation = Translate(Pendulum(1), {{"stretch_stiffness", 1e10},
                                                    {"internal_energy", std::string("implicit")}})
                                .simulation;
    return (RunFor(simulation.get(), duration, h).points.col(1) - expected).norm();
  };
  const double coarse = error(2e-3), fine_error = error(1e-3);
  EXPECT_LT(fine_error, 5e-3);
  EXPECT_NEAR(ObservedOrder(coarse, fine_error), 1.0, 0.2);
}

// At rest both treatments solve the same equations: the true static stretch, whatever the step.
TEST(Implicit, HangsAtTheStaticStretch) {
  Scene scene = Pendulum(1);
  scene.bodies[0].orientation = Eigen::AngleAxisd(-std::acos(0.0), Vector3d::UnitZ());
  const auto simulation =
      Translate(scene, {{"stretch_stiffness", 2.0}, {"internal_energy", std::string("implicit")}})
          .simulation;
  const Observation o = RunFor(simulation.get(), 60.0, 0.01);
  const double s = (o.points.col(1) - o.points.col(0)).norm() / 0.5;
  EXPECT_GT(s, 1.1);
  EXPECT_NEAR(4.0 * 2.0 * (s * s - 1.0) * s / 0.5, 0.5 * 9.81, 1e-6);
}

TEST(Implicit, RedundantJointsDoNotChangeTheMotion) {
  Scene scene = Pendulum(3);
  const ParameterValues parameters = {{"stretch_stiffness", 1e6},
                                      {"internal_energy", std::string("implicit")}};
  const Observation single = RunFor(Translate(scene, parameters).simulation.get(), 0.5, 1e-3);
  scene.attachments.push_back({"again", scene.attachments[0].a, scene.attachments[0].b});
  const Observation doubled = RunFor(Translate(scene, parameters).simulation.get(), 0.5, 1e-3);
  EXPECT_LT((doubled.points - single.points).norm(), 1e-9);
}

std::string WhyNotImplicit(const Scene& scene, ParameterValues parameters) {
  parameters["internal_energy"] = std::string("implicit");
  try {
    Translate(scene, parameters);
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problem().where, "internal_energy");
    return bad.problem().what;
  }
  return "";
}

TEST(Implicit, SaysWhereItIsNotPossible) {
  Scene scene;
  scene.bodies = {Sheet()};
  EXPECT_EQ(WhyNotImplicit(scene, {}), "");
  EXPECT_THAT(WhyNotImplicit(scene, {{"order", std::int64_t{2}}}), HasSubstr("is not affine"));
  EXPECT_THAT(WhyNotImplicit(scene, {{"integrator", std::string("rk4")}}),
              HasSubstr("semi-implicit Euler"));
  EXPECT_THAT(WhyNotImplicit(scene, {{"source_damping", 0.1}}), HasSubstr("source_damping"));
  scene.bodies.push_back(MakeBlock("block", {1, 1, 1}, {2, 2, 2}, 1.0));
  EXPECT_THAT(WhyNotImplicit(scene, {}), HasSubstr("differs in dimension"));
  // A rigid body has no law, and is not one of another law.
  scene.bodies[1].rigid = true;
  Material rubber;
  rubber.density = 1000.0;
  rubber.youngs_modulus = 1e5;
  rubber.poisson_ratio = 0.3;
  rubber.thickness = 0.01;
  scene.bodies[0].material = rubber;
  EXPECT_THAT(WhyNotImplicit(scene, {}), HasSubstr("body 'block' is rigid"));
}

}  // namespace
}  // namespace pliant::linear_deformation
