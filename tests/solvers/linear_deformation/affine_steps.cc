#include "tests/solvers/linear_deformation/affine_steps.h"

#include "models/scene/shapes.h"
#include "solvers/integration/second_order.h"
#include "solvers/linear_deformation/linear_deformation_system.h"

namespace pliant::linear_deformation {

using Eigen::Vector3d;
using Eigen::VectorXd;

void PrintTo(const SizeCase& c, std::ostream* out) { *out << c.name; }

Scene AffineSteps::Pair() {
  const SizeCase& c = GetParam();
  const bool planar = c.dimension == 2;
  Scene scene;
  scene.dimension = c.dimension;
  scene.bodies = {c.body, c.body};
  scene.bodies[1].name = "other";
  const int last = c.body.size() - 1;
  scene.bodies[0].orientation = Eigen::AngleAxisd(
      0.4, planar ? Vector3d(0, 0, 1) : Vector3d(Vector3d(1, 2, -1).normalized()));
  scene.bodies[0].stretch(0, 0) = 1.05;
  scene.bodies[1].velocity = Vector3d(0.3, -0.2, planar ? 0.0 : 0.4);
  scene.bodies[1].angular_velocity = Vector3d(0, 0, 1.5);
  const Eigen::Matrix3Xd points = scene.InitialPoints();
  scene.bodies[1].position += points.col(last) - points.col(c.body.size());
  scene.attachments = {{"joint", {0, last}, {1, 0}}};
  Eigen::Matrix3Xd keys = points.col(0).replicate(1, 3);
  keys(0, 1) += 0.05;
  scene.nails = {{"hand", {0, 0}, Path({0.0, 0.2, 0.5}, keys, Path::Interpolation::kCubic)}};
  scene.springs = {{.name = "band",
                    .a = {1, last},
                    .b = {},
                    .anchor = Vector3d(0.5, 0.5, 0.0),
                    .stiffness = 30.0,
                    .damping = 0.4}};
  return scene;
}

INSTANTIATE_TEST_SUITE_P(
    All, AffineSteps,
    testing::Values(SizeCase{"Line2D", 2, MakeChain("line", {0, 0, 0}, {0.5, 0.1, 0}, 3, 1.2)},
                    SizeCase{"Plane2D", 2, MakeSheet("sheet", {0.6, 0.4}, {3, 4}, 1.5)},
                    SizeCase{"Line3D", 3, MakeChain("line", {0, 0, 0}, {0.5, 0.1, 0.2}, 3, 1.2)},
                    SizeCase{"Plane3D", 3, MakeSheet("sheet", {0.6, 0.4}, {3, 4}, 1.5)},
                    SizeCase{"Solid3D", 3, MakeBlock("block", {0.6, 0.4, 0.5}, {3, 2, 3}, 2.0)}),
    [](const auto& info) { return info.param.name; });

void PlainRun(const Scene& scene, const LinearMaterial& material, double h, int steps, VectorXd* q,
              VectorXd* v, Exchange* work) {
  const auto system = MakeSystem(scene, 1, material);
  Integrator integrator((IntegratorOptions()));
  system->InitialState(scene, q, v);
  system->set_step(h);
  for (int i = 0; i < steps; ++i) integrator.Step(*system, i * h, h, q, v, work);
}

void AffineRun(const Scene& scene, const LinearMaterial& material, InternalEnergy treatment,
               double h, int steps, VectorXd* q, VectorXd* v, Exchange* work) {
  const auto system = MakeSystem(scene, 1, material, {}, treatment);
  ASSERT_TRUE(system->has_affine_step());
  system->InitialState(scene, q, v);
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(system->Step(i * h, h, kBound, q, v, work));
}

Exchange ExpectExplicitIsPlain(const Scene& scene, const LinearMaterial& material, int steps,
                               const Nearness& near) {
  constexpr double kStep = 5e-4;  // s
  VectorXd q, v, q_plain, v_plain;
  Exchange work, work_plain;
  PlainRun(scene, material, kStep, steps, &q_plain, &v_plain, &work_plain);
  AffineRun(scene, material, InternalEnergy::kExplicit, kStep, steps, &q, &v, &work);
  EXPECT_LT((q - q_plain).norm(), near.positions);
  EXPECT_LT((v - v_plain).norm(), near.velocities);
  for (int c = 0; c < kWorkClasses; ++c) {
    EXPECT_NEAR(work.work[c], work_plain.work[c], near.energies) << c;
  }
  EXPECT_LT((work.impulse - work_plain.impulse).norm(), near.velocities);
  EXPECT_LT((work.angular_impulse - work_plain.angular_impulse).norm(), near.velocities);
  return work_plain;
}

std::vector<LinearMaterial> Laws(bool has_volume) {
  LinearMaterial material{300.0, 200.0, 1.5, 0.0};
  material.youngs_modulus = 2e4;
  material.thickness = 0.1;
  material.rayleigh_stiffness = 1e-3;
  std::vector<LinearMaterial> laws = {material};
  material.law = MaterialLaw::kStVenantKirchhoff;
  laws.push_back(material);
  material.law = MaterialLaw::kNeoHookean;
  if (has_volume) laws.push_back(material);
  return laws;
}

}  // namespace pliant::linear_deformation
