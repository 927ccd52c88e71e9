// Bodies that land and fly, for tests of what carries surfaces, and what holds of every carrier.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_CRATE_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_CRATE_H_

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/scene.h"
#include "models/scene/shapes.h"
#include "tests/observed.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {

// A box-like outline of 3 kg above a floor.
inline Scene Crate(double height) {
  Body crate = {.name = "crate", .shape = ShapeKind::kProfile, .rest = Eigen::Matrix3Xd(3, 8)};
  crate.rest << -0.5, 0.0, 0.5, 0.5, 0.5, 0.0, -0.5, -0.5,  //
      0.0, 0.0, 0.0, 0.4, 0.8, 0.8, 0.8, 0.4,               //
      0, 0, 0, 0, 0, 0, 0, 0;
  crate.mass = Eigen::VectorXd::Constant(8, 3.0 / 8);
  for (int i = 0; i < 8; ++i) crate.edges.push_back({i, (i + 1) % 8});
  crate.position = {0, height, 0};
  Scene scene = SceneOf({crate}, 2);
  scene.obstacles.push_back(
      {"floor", Plane{Eigen::Vector3d::UnitY()}, Path::Still(Eigen::Vector3d::Zero()), 0.0});
  return scene;
}
// A tube of 2 kg that flies and spins.
inline Scene SpinningTube() {
  Scene scene = SceneOf({MakeTube("tube", 0.5, 1.0, {12, 5}, 2.0)});
  Body& body = scene.bodies[0];
  body.orientation = Eigen::AngleAxisd(0.8, Eigen::Vector3d(1, 1, 0).normalized());
  body.velocity = {1.0, 2.0, 0.0};
  body.angular_velocity = {0.5, 1.0, -2.0};
  return scene;
}

// Half a second of flight without weight: what the material loses is what its damping takes.
inline void ExpectBooksItsDamping(Scene scene, const ParameterValues& proxy) {
  scene.gravity.setZero();
  const auto simulation = Started(scene, With(proxy, "rides", std::string("always")));
  Observation o = Observed(*simulation);
  const Eigen::VectorXd masses = scene.Masses();
  const double before = KineticEnergy(masses, *o.velocities) + *o.elastic_energy;
  o = After(simulation.get(), 5e-4, 1000);
  const double after = KineticEnergy(masses, *o.velocities) + *o.elastic_energy;
  const double taken = (*o.work)[WorkClass::kDamping];
  EXPECT_LT(taken, -0.2);
  EXPECT_NEAR(after - before, taken, 2e-3 * std::abs(taken));
}

// The largest reaction [N] and elastic energy [J] of 0.3 s on the floor.
struct Landing {
  double largest_reaction = 0.0, most_elastic = 0.0;
};
// Momentum changes by the reaction and the weight of 3 kg, and by nothing else.
inline Landing ExpectMomentumOfReactionAndWeight(const Scene& scene, Simulation* simulation) {
  const double h = 2e-4;
  double impulse = 0.0;  // of the reaction, by the trapezoidal rule
  Landing landing;
  Observation o = Observed(*simulation);
  double before = *o.extras[3];
  for (int i = 0; i < 1500; ++i) {
    o = After(simulation, h, 1);
    impulse += 0.5 * h * (before + *o.extras[3]);
    before = *o.extras[3];
    landing.largest_reaction = std::max(landing.largest_reaction, before);
    landing.most_elastic = std::max(landing.most_elastic, o.elastic_energy.value_or(0.0));
  }
  EXPECT_GT(landing.largest_reaction, 3.0 * kGravity);
  const Eigen::Vector3d p = LinearMomentum(scene.Masses(), *o.velocities);
  EXPECT_NEAR(p.y(), impulse - 3.0 * kGravity * 1500 * h, 1e-9);
  EXPECT_NEAR(p.x(), 0.0, 1e-10);
  return landing;
}

// Contact is a spring of 3 kN/m under each point; nothing is damped or kept.
inline ParameterValues OnSprings(ParameterValues proxy, double stiffness = 3000.0) {
  proxy["absorption"] = Numbers{0.0};
  proxy["relaxation_time"] = Numbers{0.0};
  proxy["contact_stiffness"] = stiffness;
  proxy["contact_damping"] = 0.0;
  return proxy;
}

// Dropped on springs, a crate that deforms flies again with what contact took from it. `balance` and
// `work`: what may be missing, and what contact may keep [J].
inline void ExpectContactGivesBackWhatItTook(const ParameterValues& proxy, double balance,
                                             double work) {
  const Scene scene = Crate(0.05);
  const auto simulation = Started(scene, OnSprings(proxy));
  const Eigen::VectorXd masses = scene.Masses();
  double most = 0.0;
  Observation o = Observed(*simulation);
  const auto energy = [&](const Observation& at) {
    return KineticEnergy(masses, *at.velocities) + *at.elastic_energy +
           3.0 * kGravity * CentreOfMass(masses, at.points).y();
  };
  const double before = energy(o);
  for (int i = 0; i < 8000; ++i) {
    o = After(simulation.get(), 5e-5, 1);
    most = std::max(most, *o.elastic_energy);
    if (*o.extras[3] == 0.0 && o.time > 0.15 && most > 0.0) break;
  }
  EXPECT_EQ(*o.extras[3], 0.0);  // it flies again
  EXPECT_GT(most, 0.01);         // and swings in shape
  EXPECT_NEAR(energy(o) - before, (*o.work)[WorkClass::kContact], balance);
  EXPECT_LT(std::abs((*o.work)[WorkClass::kContact]), work);
}

// The points of a crate 0.3 s after it began to fall on one of its corners.
inline Eigen::Matrix3Xd LandedOnACorner(const ParameterValues& proxy) {
  Scene scene = Crate(0.2);
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitZ());
  return After(Started(scene, OnSprings(proxy, 500.0)).get(), 2e-4, 1500).points;
}

inline void ExpectIsTheRigidOneInTheLimit(const ParameterValues& soft,
                                          const ParameterValues& stiff) {
  const Eigen::Matrix3Xd rigid = LandedOnACorner({});
  const double far = DistanceBetween(LandedOnACorner(soft), rigid).max;
  EXPECT_GT(far, 5e-3);
  EXPECT_LT(DistanceBetween(LandedOnACorner(stiff), rigid).max, 0.05 * far);
}

}  // namespace pliant::kinematic_response

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_CRATE_H_
