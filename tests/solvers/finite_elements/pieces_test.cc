// Steps of a given error: the motion approaches that of the equations in proportion to the tolerance, energy is kept at
// any, and the division depends on nothing but the state.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/finite_elements/reduced_matrix.h"
#include "solvers/finite_elements/scene_parts.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDuration = 0.4;  // s

Scene Stretched(ElasticLaw law) {
  Body block = MakeBlock("block", {0.6, 0.2, 0.2}, {2, 2, 2}, 1.0);
  block.material =
      Material{.density = 1000.0, .youngs_modulus = 2e4, .poisson_ratio = 0.3, .law = law};
  block.mass = 1000.0 * VolumeShares(block, 0.0);
  block.stretch = Eigen::Vector3d(1.05, 0.98, 1.0).asDiagonal();
  Scene scene = SceneOf({block});
  scene.gravity.setZero();
  return scene;
}

// Of the equations M q̈ + K (q − q_rest) = 0 of one element, by its modes.
Matrix3Xd ClosedForm(const Scene& scene, double t) {
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  parts.push_back(MakePart(scene, 0, 1, false).part);
  const Discretisation bodies(std::move(parts));
  const Reduction reduction(3 * bodies.node_count(), {});
  ReducedMatrix matrix(bodies, reduction, {});
  matrix.SetZero();
  matrix.AddMass(1.0);
  const MatrixXd mass = matrix.lower();
  matrix.SetZero();
  matrix.AddTangent(1.0, bodies.part(0).rest());
  const MatrixXd stiffness = matrix.lower();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(stiffness, mass);
  const MatrixXd full = mass.selfadjointView<Eigen::Lower>();
  const Matrix3Xd start = bodies.InitialNodes(scene) - bodies.part(0).rest();
  VectorXd amplitudes = modes.eigenvectors().transpose() * full * start.reshaped();
  for (Eigen::Index i = 0; i < amplitudes.size(); ++i) {
    amplitudes[i] *= std::cos(std::sqrt(std::max(0.0, modes.eigenvalues()[i])) * t);
  }
  Matrix3Xd q = bodies.part(0).rest();
  q.reshaped() += modes.eigenvectors() * amplitudes;
  return q * bodies.embedding().transpose();
}

std::unique_ptr<Simulation> Moved(const Scene& scene, double tolerance, double step,
                                  const char* scheme = "energy-momentum") {
  auto simulation = Start(scene, {{"step_tolerance", tolerance},
                                  {"newton_tolerance", 1e-12},
                                  {"contact_thickness", 0.02},
                                  {"time_scheme", std::string(scheme)}});
  const auto steps = static_cast<int>(std::lround(kDuration / step));
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(simulation->Advance(step).kind, StepOutcome::Kind::kAdvanced) << i;
  }
  return simulation;
}

TEST(StepTolerance, BoundsTheErrorWhateverTheStep) {
  const Scene scene = Stretched(ElasticLaw::kLinear);
  const Matrix3Xd exact = ClosedForm(scene, kDuration);
  for (const double step : {0.1, 0.02}) {
    std::vector<double> errors;
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
      const auto simulation = Moved(scene, tolerance, step);
      errors.push_back((Observe(*simulation).points - exact).colwise().norm().maxCoeff());
      // A vibration adds the errors of its steps up.
      EXPECT_LT(errors.back(), 2.0 * tolerance * kDuration) << step << " " << tolerance;
    }
    EXPECT_GT(errors[0] / errors[2], 30.0) << step;
    EXPECT_LT(errors[0] / errors[2], 300.0) << step;
  }
  const auto undivided = Moved(scene, 0.0, 0.1);
  EXPECT_GT((Observe(*undivided).points - exact).colwise().norm().maxCoeff(), 0.015);
}

TEST(StepTolerance, DividesStepsOfEveryScheme) {
  const Scene scene = Stretched(ElasticLaw::kLinear);
  const Matrix3Xd exact = ClosedForm(scene, kDuration);
  for (const char* scheme : {"generalised-alpha", "implicit-euler"}) {
    const auto coarse = Moved(scene, 1e-2, 0.1, scheme), fine = Moved(scene, 1e-3, 0.1, scheme);
    const double error_coarse = (Observe(*coarse).points - exact).colwise().norm().maxCoeff(),
                 error_fine = (Observe(*fine).points - exact).colwise().norm().maxCoeff();
    EXPECT_LT(error_coarse, 3e-2 * kDuration) << scheme;
    EXPECT_LT(error_fine, 0.4 * error_coarse) << scheme;
  }
}

TEST(StepTolerance, KeepsEnergyAndMomentum) {
  Scene scene = Stretched(ElasticLaw::kStVenantKirchhoff);
  scene.bodies[0].angular_velocity = {3.0, -2.0, 4.0};
  scene.bodies[0].velocity = {1.0, 0.5, 0.0};
  const Observation start = Observe(*Start(scene));
  const Observation end = Observe(*Moved(scene, 1e-2, 0.1));
  EXPECT_NEAR(TotalEnergy(end), TotalEnergy(start), 1e-8 * TotalEnergy(start));
  EXPECT_LT((end.sums->angular_momentum - start.sums->angular_momentum).norm(), 1e-8);
}

// The ledger of a fall onto a floor closes, and what was undone left nothing.
TEST(StepTolerance, BooksOnlyWhatIsKept) {
  Scene scene = Stretched(ElasticLaw::kStVenantKirchhoff);
  scene.gravity = {0.0, -9.81, 0.0};
  scene.bodies[0].stretch.setIdentity();
  scene.bodies[0].material->stiffness_damping = 0.01;
  scene.obstacles.push_back({"floor", Plane{Eigen::Vector3d::UnitY()},
                             Path::Still(Eigen::Vector3d(0.0, -0.3, 0.0)), 0.3});
  const Observation start = Observe(*Start(scene));
  const auto simulation = Moved(scene, 0.1, 0.05);
  const Observation end = Observe(*simulation);
  EXPECT_LT((*end.work)[WorkClass::kDamping], -1e-3);
  EXPECT_NEAR(TotalEnergy(end) - TotalEnergy(start), end.work->TotalWork(), 1e-7);
  EXPECT_LT((end.sums->momentum - end.work->impulse - start.sums->momentum).norm(), 1e-7);
}

TEST(StepTolerance, DependsOnNothingButTheState) {
  const Scene scene = Stretched(ElasticLaw::kStVenantKirchhoff);
  const ParameterValues parameters = {{"step_tolerance", 1e-3}};
  const auto one = Start(scene, parameters), other = Start(scene, parameters);
  for (int i = 0; i < 2; ++i) one->Advance(0.05);
  VectorXd state;
  one->Save(&state);
  other->Restore(state);
  one->Advance(0.05);
  other->Advance(0.05);
  EXPECT_EQ(Observe(*one).points, Observe(*other).points);
}

}  // namespace
}  // namespace pliant::finite_elements
