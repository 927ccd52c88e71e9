#include "tests/solvers/linear_deformation/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/linear_deformation/backend.h"

namespace pliant::linear_deformation {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Scene Pendulum(int links, double length, double mass) {
  Scene scene;
  scene.dimension = 2;
  for (int i = 0; i < links; ++i) {
    scene.bodies.push_back(MakeChain("link" + std::to_string(i), Vector3d::Zero(),
                                     Vector3d(length, 0.0, 0.0), 2, mass));
    scene.bodies.back().position = Vector3d(i * length, 0.0, 0.0);
    if (i > 0) scene.attachments.push_back({"joint" + std::to_string(i), {i - 1, 1}, {i, 0}});
  }
  scene.nails = {{"pivot", {0, 0}, Path::Still(Vector3d::Zero())}};
  return scene;
}

Scene SpinningBlock() {
  Scene scene;
  scene.gravity.setZero();
  Body block = MakeBlock("block", Vector3d(1.0, 0.6, 0.8), {3, 3, 3}, 5.0);
  block.position = Vector3d(1.0, 2.0, -1.0);
  block.orientation = Eigen::AngleAxisd(0.6, Vector3d(1.0, 1.0, 0.3).normalized());
  block.stretch = Vector3d(1.2, 0.9, 1.0).asDiagonal();
  block.velocity = Vector3d(0.4, -0.3, 0.2);
  block.angular_velocity = Vector3d(1.0, 3.0, -2.0);
  scene.bodies = {block};
  return scene;
}

Body Sheet() { return MakeSheet("sheet", {1.0, 1.0}, {9, 9}, 2.0); }

Body Block(const std::string& name, const Vector3d& position, double mass) {
  Body block = MakeBlock(name, {0.4, 0.4, 0.4}, {3, 3, 3}, mass);
  block.position = position;
  return block;
}

Nail NailWhereItStarts(const Scene& scene, const std::string& name, PointRef point) {
  return {name, point, Path::Still(scene.InitialPoints().col(scene.Index(point)))};
}

Translation Translate(const Scene& scene, const ParameterValues& parameters) {
  Validate(scene);
  return TheBackend().Translate(std::make_shared<Scene>(scene), parameters);
}

Slider SliderAt(const Scene& scene, PointRef point, Slider::Kind kind, const Vector3d& direction) {
  return {.name = "rail",
          .point = point,
          .kind = kind,
          .direction = direction.normalized(),
          .through = scene.InitialPoints().col(scene.Index(point))};
}

const ParameterValues kRk4 = {
    {"integrator", std::string("rk4")}, {"stretch_stiffness", 20.0}, {"volume_stiffness", 20.0}};

std::unique_ptr<Simulation> Start(const Scene& scene, const ParameterValues& parameters) {
  Validate(scene);
  return Translate(scene, parameters).simulation;
}

Vector3d Momentum(const Scene& scene, const Observation& o) {
  return LinearMomentum(scene.Masses(), *o.velocities);
}
Vector3d Spin(const Scene& scene, const Observation& o) {
  return AngularMomentum(scene.Masses(), o.points, *o.velocities, Vector3d::Zero());
}

Observation RunFor(Simulation* simulation, double duration, double h) {
  const auto steps = std::llround(duration / h);
  for (long long i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kAdvanced) << outcome.quantity << ", step " << i;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) break;
  }
  Observation observation;
  simulation->Observe(&observation);
  return observation;
}

double TotalEnergy(const Scene& scene, const Observation& o) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), o.velocities.value()) +
         forces.GravitationalEnergy(o.points) + StoredEnergy(o);
}

double LargestResidual(const Scene& scene, const ParameterValues& parameters, double duration,
                       double h) {
  const auto simulation = Translate(scene, parameters).simulation;
  Observation observation;
  auto balance = [&] {
    simulation->Observe(&observation);
    return TotalEnergy(scene, observation) - observation.work->TotalWork();
  };
  const double start = balance();
  double largest = 0.0;
  for (long long i = 0; i < std::llround(duration / h); ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    largest = std::max(largest, std::abs(balance() - start));
  }
  return largest;
}

double ObservedOrder(double coarse, double fine) { return std::log2(coarse / fine); }

std::unique_ptr<LinearDeformationSystem> MakeSystem(const Scene& scene, int order,
                                                    const LinearMaterial& material,
                                                    const FeedbackOptions& feedback,
                                                    InternalEnergy treatment) {
  Validate(scene);
  std::vector<LinearBody> bodies;
  for (const Body& body : scene.bodies) bodies.emplace_back(body, scene.dimension, order);
  return std::make_unique<LinearDeformationSystem>(scene, std::move(bodies),
                                                   std::vector(scene.bodies.size(), material),
                                                   ContactOptions(), feedback, treatment);
}

MatrixXd DenseJacobian(const LinearDeformationSystem& system) {
  const int dof = system.coordinates();
  const PointConstraints& constraints = system.constraints();
  PointConstraints::Workspace workspace = constraints.MakeWorkspace();
  auto gaps = [&](const VectorXd& q) {
    constraints.MeasureGaps(0.0, q, q, &workspace);
    const MatrixXd gap = workspace.gap;
    return VectorXd(Eigen::Map<const VectorXd>(gap.data(), gap.size()));
  };
  const VectorXd origin = gaps(VectorXd::Zero(dof));
  MatrixXd jacobian(origin.size(), dof);
  for (int i = 0; i < dof; ++i) jacobian.col(i) = gaps(VectorXd::Unit(dof, i)) - origin;
  return jacobian;
}

MatrixXd DenseInverseMass(const LinearDeformationSystem& system) {
  MatrixXd inverse = MatrixXd::Zero(system.coordinates(), system.coordinates());
  for (size_t b = 0; b < system.bodies().size(); ++b) {
    const LinearBody& body = system.bodies()[b];
    const int k = body.columns();
    for (int r = 0; r < body.world_dimension(); ++r) {
      const int first = system.first(static_cast<int>(b)) + r * k;
      inverse.block(first, first, k, k) = body.inverse_mass();
    }
  }
  return inverse;
}

}  // namespace pliant::linear_deformation
