// Bodies that hold the material of the scene: the lattice whose control points are free is one
// element of high order, and the energy, damping, ledger and step limit are those of the material.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/linear_deformation/backend.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;

Material Rubber(ElasticLaw law) {
  return {.density = 1200.0, .youngs_modulus = 3e4, .poisson_ratio = 0.35, .law = law};
}

// A block of eight points, stretched, thrown and spinning, with a spring at a corner.
Scene ThrownBlock(const Material& material, std::array<int, 3> points = {2, 2, 2}) {
  Scene scene;
  scene.name = "thrown";
  scene.gravity = {0.0, -9.81, 0.0};
  Body block = MakeBlock("block", {2.0, 0.6, 0.8}, points, 1.0);
  block.material = material;
  block.mass = material.density * VolumeShares(block, 0.0);
  block.stretch = Vector3d(1.08, 0.97, 0.95).asDiagonal();
  block.velocity = {0.5, 2.0, 0.0};
  block.angular_velocity = {0.3, -0.4, 1.5};
  scene.bodies.push_back(block);
  Spring spring;
  spring.name = "tether";
  spring.a = {0, 0};
  spring.anchor = block.rest.col(0) + Vector3d(-0.2, 0.3, 0.1);
  spring.stiffness = 4e3;
  spring.rest_length = 0.1;
  scene.springs.push_back(spring);
  return scene;
}

// The same in the plane: a triangulated plate.
Scene ThrownPlate(const Material& material) {
  Scene scene = ThrownBlock(material);
  scene.dimension = 2;
  Body plate = MakeSheet("plate", {0.9, 0.5}, {5, 5}, 1.0);
  plate.material = material;
  plate.material->thickness = 0.05;
  plate.mass = material.density * VolumeShares(plate, 0.05);
  plate.velocity = {0.5, 2.0, 0.0};
  plate.angular_velocity = {0.0, 0.0, 1.5};
  plate.stretch = Vector3d(1.06, 0.97, 1.0).asDiagonal();
  scene.bodies = {plate};
  scene.springs[0].anchor = plate.rest.col(0) + Vector3d(-0.2, 0.3, 0.0);
  scene.springs[0].stiffness = 200.0;
  return scene;
}

MatrixTable LatticeOf(double x, double y, double z) {
  MatrixTable table;
  table.scalars = {{"degree_x", x}, {"degree_y", y}, {"degree_z", z}};
  return table;
}

ParameterValues Free(const MatrixTable& lattice, const std::string& inertia = "volume",
                     const std::string& scheme = "rk4") {
  ParameterValues values = With(lattice, scheme);
  values["free_lattice"] = true;
  values["inertia"] = inertia;
  return values;
}

// Where the points are after `time`.
Eigen::Matrix3Xd Later(Simulation* simulation, double h, double time) {
  return RunFor(simulation, h, static_cast<int>(std::lround(time / h))).points;
}

// linear-deformation of the same Bernstein polynomials, with the inertia of the box and the same Gauss
// points, has the same equations in other coordinates: control points in the world in place of a
// frame and amplitudes. What differs is the error of the scheme, of fourth order.
void ExpectTheSameElement(const Scene& scene, int degree) {
  const auto difference = [&](double h) {
    const ParameterValues maps = {{"order", static_cast<std::int64_t>(degree)},
                                  {"basis", std::string("bernstein")},
                                  {"inertia", std::string("box")},
                                  {"integrator", std::string("rk4")}};
    const Translation map =
        linear_deformation::TheBackend().Translate(std::make_shared<const Scene>(scene), maps);
    const Translation lattice = Translated(scene, Free(LatticeOf(degree, degree, degree)));
    EXPECT_EQ(AsFfd(lattice).system().velocities(), 3 * (degree + 1) * (degree + 1) * (degree + 1));
    return (Later(map.simulation.get(), h, 0.2) - Later(lattice.simulation.get(), h, 0.2))
        .colwise()
        .norm()
        .maxCoeff();
  };
  const double coarse = difference(4e-3), fine = difference(2e-3), finest = difference(1e-3);
  EXPECT_LT(finest, 1e-6);
  EXPECT_GT(coarse / fine, 10.0);
  EXPECT_GT(fine / finest, 10.0);
}

TEST(FreeLattice, IsThePolynomialElementOfLinearDeformation) {
  for (const int degree : {1, 2}) {
    ExpectTheSameElement(ThrownBlock(Rubber(ElasticLaw::kStVenantKirchhoff)), degree);
  }
  ExpectTheSameElement(ThrownBlock(Rubber(ElasticLaw::kNeoHookeanStable)), 1);
}

// A block whose sides do not contract (ν = 0), stretched along x and released. With all its mass in the
// volume ∫ρ X² λ̈² makes ρ L²/12 λ̈ = −W'(λ), W = E/8 (λ² − 1)² of St. Venant and Kirchhoff's law:
//
//   λ̈ = a λ − a λ³,   a = 6 E/(ρ L²),   λ(0) = A, λ̇(0) = 0:   λ = A dn(A √(a/2) t, k),   k² = 2 − 2/A²
double DuffingStretch(double amplitude, double a, double time) {
  const double k = std::sqrt(2.0 - 2.0 / (amplitude * amplitude));
  const double argument = amplitude * std::sqrt(0.5 * a) * time;
  // sin φ = sn(u, k) of u = F(φ, k), by bisection: F rises with φ.
  double low = 0.0, high = 10.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (std::ellint_1(k, middle) < argument ? low : high) = middle;
  }
  return amplitude * std::sqrt(1.0 - std::pow(k * std::sin(low), 2));
}

TEST(HeldMaterial, StretchedAndReleasedIsDuffingsOscillator) {
  Material rubber = Rubber(ElasticLaw::kStVenantKirchhoff);
  rubber.poisson_ratio = 0.0;
  Scene scene = ThrownBlock(rubber);
  scene.springs.clear();
  scene.gravity.setZero();
  Body& block = scene.bodies[0];
  block.velocity.setZero();
  block.angular_velocity.setZero();
  constexpr double kAmplitude = 1.25, kTime = 0.6;
  block.stretch = Vector3d(kAmplitude, 1.0, 1.0).asDiagonal();
  const double a = 6.0 * rubber.youngs_modulus / (rubber.density * 2.0 * 2.0);
  const double exact = DuffingStretch(kAmplitude, a, kTime);
  EXPECT_GT(std::abs(exact - kAmplitude), 0.1);
  std::array<double, 3> error;
  for (int level = 0; level < 3; ++level) {
    const Translation released = Translated(scene, Free(LatticeOf(1, 1, 1)));
    const Eigen::Matrix3Xd x = Later(released.simulation.get(), 0.02 * std::pow(0.5, level), kTime);
    const Vector3d extent = x.rowwise().maxCoeff() - x.rowwise().minCoeff();
    error[level] = std::abs(extent.x() / 2.0 - exact);
    EXPECT_NEAR(extent.y(), 0.6, 1e-12);
    EXPECT_NEAR(extent.z(), 0.8, 1e-12);
  }
  EXPECT_LT(error[2], 1e-6);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.5);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 4.0, 0.3);
}

// Energy and momentum: every law, in space and in the plane, of points and of the volume. Total energy
// minus work at the end and at the start; sums where mass lies between the points.
double Missing(const Scene& scene, const ParameterValues& parameters, double h,
               Vector3d* momentum = nullptr) {
  const Translation translation = Translated(scene, parameters);
  const auto energy = [&](const Observation& o) {
    if (!o.sums) return Balance(scene, o);
    return o.sums->kinetic_energy + o.sums->gravitational_energy + StoredEnergy(o) -
           o.work->TotalWork();
  };
  const auto spin = [&](const Observation& o) -> Vector3d {
    const Vector3d sum =
        o.sums ? o.sums->angular_momentum
               : AngularMomentum(scene.Masses(), o.points, *o.velocities, Vector3d::Zero());
    return sum - o.work->angular_impulse;
  };
  Observation start;
  translation.simulation->Observe(&start);
  const Observation end =
      RunFor(translation.simulation.get(), h, static_cast<int>(std::lround(0.2 / h)));
  if (momentum != nullptr) *momentum = spin(end) - spin(start);
  return energy(end) - energy(start);
}

TEST(HeldMaterial, KeepsTheLedgerAtTheOrderOfTheScheme) {
  for (const ElasticLaw law : {ElasticLaw::kLinear, ElasticLaw::kCorotated,
                               ElasticLaw::kNeoHookeanLog, ElasticLaw::kNeoHookeanStable}) {
    Material damped = Rubber(law);
    damped.stiffness_damping = 0.01;
    damped.mass_damping = 0.7;
    for (const std::string inertia : {"points", "volume"}) {
      SCOPED_TRACE(elasticity::NameOf(law) + " " + inertia);
      for (const bool plane : {false, true}) {
        const Scene scene = plane ? ThrownPlate(damped) : ThrownBlock(damped, {3, 3, 3});
        const ParameterValues parameters = Free(LatticeOf(2, 1, plane ? 0 : 1), inertia);
        Vector3d spin;
        const double coarse = Missing(scene, parameters, 2e-3),
                     fine = Missing(scene, parameters, 1e-3, &spin);
        EXPECT_LT(std::abs(fine), 1e-4);
        EXPECT_LT(std::abs(fine), 0.15 * std::abs(coarse));
        EXPECT_LT(spin.norm(), 1e-5);
      }
    }
  }
}

TEST(HeldMaterial, StiffnessDampingLeavesRigidMotionAlone) {
  Material damped = Rubber(ElasticLaw::kNeoHookeanStable);
  damped.stiffness_damping = 0.05;
  Scene scene = ThrownBlock(damped);
  scene.springs.clear();
  scene.bodies[0].stretch.setIdentity();
  scene.bodies[0].angular_velocity.setZero();
  const Translation falling = Translated(scene, Free(LatticeOf(1, 1, 1)));
  const Observation end = RunFor(falling.simulation.get(), 1e-3, 200);
  const Vector3d expected = scene.bodies[0].velocity + 0.2 * scene.gravity;
  EXPECT_LT((end.velocities->colwise() - expected).norm(), 1e-10);
  EXPECT_NEAR(end.work->TotalWork(), 0.0, 1e-9);
}

TEST(HeldMaterial, MassDampingSlowsFreeFallExponentially) {
  Material damped = Rubber(ElasticLaw::kCorotated);
  damped.mass_damping = 2.0;
  Scene scene = ThrownBlock(damped);
  scene.springs.clear();
  scene.bodies[0].stretch.setIdentity();
  scene.bodies[0].velocity.setZero();
  scene.bodies[0].angular_velocity.setZero();
  const Translation falling = Translated(scene, Free(LatticeOf(1, 1, 1)));
  const Observation end = RunFor(falling.simulation.get(), 1e-3, 500);
  const double expected = -9.81 / 2.0 * (1.0 - std::exp(-1.0));
  EXPECT_LT((end.velocities->row(1).array() - expected).abs().maxCoeff(), 1e-9);
}

// Without damping semi-implicit Euler is stable below 2/ω, and the estimate finds ω of the body at rest.
TEST(HeldMaterial, StepLimitIsThatOfTheStiffestShape) {
  Scene scene = ThrownBlock(Rubber(ElasticLaw::kLinear));
  scene.springs.clear();
  scene.bodies[0].stretch = 1.001 * Eigen::Matrix3d::Identity();
  scene.bodies[0].velocity.setZero();
  scene.gravity.setZero();  // it would fall out of bounds
  scene.bodies[0].angular_velocity.setZero();
  const ParameterValues parameters = Free(LatticeOf(2, 1, 1), "volume", "semi-implicit-euler");
  const Translation translation = Translated(scene, parameters);
  const auto limits = AsFfd(translation).StepLimits();
  ASSERT_FALSE(limits.empty());
  EXPECT_TRUE(StaysBounded(scene, parameters, 0.99 * limits[0].step));
  EXPECT_FALSE(StaysBounded(scene, parameters, 1.03 * limits[0].step));
}

TranslatedElement MaterialIn(const Scene& scene, const ParameterValues& parameters) {
  for (const TranslatedElement& entry : Translated(scene, parameters).record.Entries()) {
    if (entry.element.ends_with(".material")) return entry;
  }
  ADD_FAILURE();
  return {};
}

TEST(HeldMaterial, IsExactForObjectiveLawsAndSaysWhatItReplaces) {
  const Scene scene = ThrownBlock(Rubber(ElasticLaw::kCorotated), {3, 3, 3});
  ParameterValues parameters = Free(LatticeOf(1, 1, 1));
  const TranslatedElement exact = MaterialIn(scene, parameters);
  EXPECT_EQ(exact.fidelity, Fidelity::kExact);
  EXPECT_THAT(exact.reason, testing::HasSubstr("masses of the volume"));
  const TranslatedElement linear = MaterialIn(ThrownBlock(Rubber(ElasticLaw::kLinear)), parameters);
  EXPECT_EQ(linear.fidelity, Fidelity::kApproximated);

  MatrixTable bend = LatticeOf(2, 2, 1);
  bend.entries = {ShapedMode("bend", {{"shape", "bend"}, {"axis", "x"}, {"toward", "y"}},
                             {{"stiffness", 40.0}})};
  EXPECT_THAT(MaterialIn(scene, With(bend, "rk4")).reason,
              testing::HasSubstr("in place of what the table says"));
  parameters = With(bend, "rk4");
  parameters["elasticity"] = std::string("modes");
  const TranslatedElement modes = MaterialIn(scene, parameters);
  EXPECT_EQ(modes.fidelity, Fidelity::kIgnored);
  EXPECT_THAT(modes.reason, testing::HasSubstr("elasticity = \"modes\""));
}

TEST(FreeLattice, RefusesWhatItCannotBe) {
  const Scene block = ThrownBlock(Rubber(ElasticLaw::kCorotated));
  const auto complaint = [](const Scene& scene, const ParameterValues& parameters) {
    return reference::ComplaintOf(
        [&] { TheBackend().Translate(std::make_shared<const Scene>(scene), parameters); });
  };
  EXPECT_THAT(complaint(block, Free(LatticeOf(2, 2, 2), "points")),
              testing::HasSubstr("do not determine all 81 displacements"));
  ParameterValues named = Free(LatticeOf(1, 1, 1));
  named["orthogonal_modes"] = true;
  EXPECT_THAT(complaint(block, named), testing::HasSubstr("have no names"));
  MatrixTable bend = LatticeOf(2, 2, 1);
  bend.entries = {ShapedMode("bend", {{"shape", "bend"}, {"axis", "x"}, {"toward", "y"}})};
  EXPECT_THAT(complaint(block, Free(bend)), testing::HasSubstr("the table lists 'bend'"));
  Scene bare = block;
  bare.bodies[0].material.reset();
  EXPECT_THAT(complaint(bare, Free(LatticeOf(1, 1, 1))), testing::HasSubstr("holds no material"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
