// What pairs exchange by contact, step by step and in every scheme: with the weight it is the change of momentum of each
// body, what one body gets the other one gives, friction's part is Coulomb's, and its work is that of the ledger.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "models/scene/cell_shares.h"
#include "models/scene/contact_pairs.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kGravity = 9.81;  // m/s²
const std::string kEnergyMomentum = "energy-momentum", kAlpha = "generalised-alpha",
                  kEuler = "implicit-euler";

Body SoftBlock(const std::string& name, const Vector3d& size, double damping = 0.0) {
  Body block = MakeBlock(name, size, {2, 2, 2}, 1.0);
  block.material = Material{.density = 1000.0,
                            .youngs_modulus = 1e5,
                            .poisson_ratio = 0.3,
                            .law = ElasticLaw::kNeoHookeanLog,
                            .stiffness_damping = damping};
  block.mass = 1000.0 * VolumeShares(block, 0.0);
  return block;
}

// Bodies that nothing but weight and contact moves, in steps of h.
struct Encounter {
  std::string name;
  Scene scene;
  double h;  // s
  int steps;
  ParameterValues parameters = {};
  std::vector<int> held = {};  // bodies that something else holds
};
void PrintTo(const Encounter& encounter, std::ostream* out) { *out << encounter.name; }

// A slanted cube thrown onto a floor.
Encounter Thrown(const std::string& name, double h, int steps, ParameterValues parameters = {}) {
  Body cube = SoftBlock("cube", {0.2, 0.2, 0.2}, 0.002);
  cube.orientation = Eigen::AngleAxisd(0.3, Vector3d(0.2, 0.3, 1.0).normalized());
  cube.position = {0.0, 0.16, 0.0};
  cube.velocity = {1.0, -0.8, 0.3};
  Scene scene = SceneOf({cube});
  scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}, .friction = 0.4});
  parameters.emplace("contact_thickness", 4e-3);
  return {name, scene, h, steps, std::move(parameters)};
}

// On a belt that moves along and rises.
Encounter OnABelt() {
  Encounter encounter = Thrown("belt", 0.004, 60);
  encounter.scene.obstacles[0].motion =
      PathThrough({0.0, 1.0}, {Vector3d::Zero(), Vector3d(-0.5, 0.2, 0.3)});
  return encounter;
}

// A ball smaller than the way between places meets the faces of a block.
Encounter OnABall() {
  Body block = SoftBlock("block", {0.2, 0.2, 0.2});
  block.position = {0.027, 0.13, 0.019};
  block.velocity = {0.4, -0.8, 0.1};
  Scene scene = SceneOf({block});
  scene.obstacles = {{.name = "far", .shape = Plane{Vector3d::UnitY()}, .friction = 0.0},
                     {.name = "ball", .shape = Sphere{0.02}, .friction = 0.4}};
  scene.obstacles[0].motion = Path::Still({0.0, -5.0, 0.0});
  return {"ball",
          scene,
          0.002,
          60,
          {{"obstacle_contact", std::string("surface")}, {"contact_thickness", 5e-3}}};
}

// A rigid cube between two soft blocks, the last of which has the lowest number.
Encounter Between() {
  Body right = SoftBlock("right", {0.2, 0.2, 0.2}), left = SoftBlock("left", {0.2, 0.2, 0.2});
  Body striker = SoftBlock("striker", {0.1, 0.1, 0.1});
  striker.rigid = true;
  striker.orientation = Eigen::AngleAxisd(0.4, Vector3d(1.0, 2.0, 3.0).normalized());
  striker.velocity = {3.0, 0.2, 0.1};
  right.position = {0.24, 0.03, 0.02};
  left.position = {-0.24, -0.02, 0.03};
  left.velocity = {0.8, 0.3, 0.0};
  Scene scene = Weightless({right, striker, left});
  scene.contacts = {{0, 1, false, 0.3, 0.0}, {1, 2, false, 0.5, 0.0}};
  return {"between", scene, 0.002, 120, {{"contact_thickness", 2e-3}}};
}

// One plate falls onto another one, in the plane.
Encounter Plates() {
  const auto plate = [](const std::string& name) {
    Body body = MakeSheet(name, {0.3, 0.2}, {3, 3}, 1.0);
    body.shape = ShapeKind::kProfile;
    body.grid = {0, 0, 0};
    body.material = Material{.density = 1000.0,
                             .youngs_modulus = 1e5,
                             .poisson_ratio = 0.3,
                             .law = ElasticLaw::kNeoHookeanLog,
                             .thickness = 0.1};
    return body;
  };
  Scene scene = SceneOf({plate("lower"), plate("upper")}, 2);
  scene.bodies[0].position = {0.0, 0.1, 0.0};
  scene.bodies[1].position = {0.1, 0.335, 0.0};
  scene.bodies[1].orientation = Eigen::AngleAxisd(0.2, Vector3d::UnitZ());
  scene.bodies[1].velocity = {-0.5, -0.8, 0.0};
  scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}, .friction = 0.4});
  scene.contacts = {{0, 1, false, 0.3, 0.0}};
  return {"plates", scene, 0.002, 60, {{"contact_thickness", 4e-3}}};
}

// A heavy rigid cube dents a soft block that stands on nails.
Encounter Dent(const std::string& name, double h) {
  Scene scene = SceneOf({SoftBlock("block", {0.4, 0.2, 0.4}, 0.002)});
  Body cube = SoftBlock("cube", {0.15, 0.15, 0.15});
  cube.rigid = true;
  cube.position = {0.03, 0.181, 0.02};
  cube.velocity = {0.3, -1.0, 0.0};
  scene.bodies.push_back(cube);
  for (int p = 0; p < scene.bodies[0].size(); ++p) {
    if (scene.bodies[0].rest(1, p) < 0.0) {
      scene.nails.push_back(NailWhereItStarts(scene, "nail", {0, p}));
    }
  }
  scene.contacts = {{0, 1, false, 0.2, 0.0}};
  return {name, scene, h, static_cast<int>(std::lround(0.08 / h)), {}, {0}};
}

std::vector<Encounter> Encounters() {
  return {Thrown("thrown", 0.004, 60),
          Thrown("pieces", 0.01, 20, {{"step_tolerance", 0.5}}),
          OnABelt(),
          OnABall(),
          Between(),
          Plates(),
          Dent("dent", 0.004),
          Dent("dent_finer", 0.002),
          Dent("dent_finest", 0.001)};
}

struct PairFigures {
  Vector3d impulse;      // N s
  double force;          // N
  double friction_work;  // J
};

class Watched {
 public:
  Watched(const Scene& scene, ParameterValues parameters) : scene_(scene) {
    parameters.emplace("newton_tolerance", 1e-11);
    parameters.emplace("friction_speed", 1e-2);
    simulation_ = Start(scene, parameters);
    for (const SeriesColumn& extra : TheBackend().info().extras) {
      if (extra.name.find("{pair}") == std::string::npos) ++before_;
    }
    pairs_ = ContactPairs(scene);
  }
  Simulation& simulation() { return *simulation_; }
  const std::vector<ContactPair>& pairs() const { return pairs_; }
  Observation Seen() const { return Observe(*simulation_); }

  PairFigures Of(int pair) const {
    const Observation seen = Seen();
    const auto value = [&](size_t column) {
      return seen.extras.at(before_ + column * pairs_.size() + pair).value();
    };
    return {{value(0), value(1), value(2)}, value(3), value(4)};
  }
  // Σ M v of a body [kg m/s], and its mass.
  std::pair<Vector3d, double> MomentumOf(int body) const {
    Matrix3Xd v;
    Eigen::VectorXd mass;
    for (const NamedArray& array : simulation_->Arrays("nodes")) {
      if (array.name == "v." + scene_.bodies[body].name) v = array.values;
      if (array.name == "mass." + scene_.bodies[body].name) mass = array.values;
    }
    return {v * mass, mass.sum()};
  }
  Vector3d ImpulseOn(int body) const {
    Vector3d sum = Vector3d::Zero();
    for (size_t p = 0; p < pairs_.size(); ++p) {
      if (pairs_[p].body == body) sum += Of(static_cast<int>(p)).impulse;
      if (pairs_[p].other == body) sum -= Of(static_cast<int>(p)).impulse;
    }
    return sum;
  }

 private:
  Scene scene_;
  std::unique_ptr<Simulation> simulation_;
  size_t before_ = 0;  // columns of no pair
  std::vector<ContactPair> pairs_;
};

class ContactImpulsesOf : public testing::TestWithParam<std::tuple<Encounter, std::string>> {
 protected:
  ParameterValues Parameters() const {
    ParameterValues parameters = std::get<0>(GetParam()).parameters;
    parameters["time_scheme"] = std::get<1>(GetParam());
    return parameters;
  }
};
INSTANTIATE_TEST_SUITE_P(Encounters, ContactImpulsesOf,
                         testing::Combine(testing::ValuesIn(Encounters()),
                                          testing::Values(kEnergyMomentum, kAlpha, kEuler)),
                         [](const auto& info) {
                           std::string name =
                               std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// After every step, at any step: the tolerance is that of Newton's iteration.
TEST_P(ContactImpulsesOf, AreTheChangeOfMomentumOfEachBody) {
  const Encounter& encounter = std::get<0>(GetParam());
  const Scene& scene = encounter.scene;
  Watched watched(scene, Parameters());
  const int bodies = static_cast<int>(scene.bodies.size());
  std::vector<Vector3d> start;
  for (int b = 0; b < bodies; ++b) start.push_back(watched.MomentumOf(b).first);
  std::vector<PairFigures> before;
  for (size_t p = 0; p < watched.pairs().size(); ++p) before.push_back(watched.Of(p));
  std::vector<double> most(watched.pairs().size(), 0.0);
  for (int step = 1; step <= encounter.steps; ++step) {
    ASSERT_EQ(watched.simulation().Advance(encounter.h).kind, StepOutcome::Kind::kAdvanced) << step;
    for (int b = 0; b < bodies; ++b) {
      if (std::ranges::count(encounter.held, b) > 0) continue;
      const auto [momentum, mass] = watched.MomentumOf(b);
      const Vector3d given = watched.ImpulseOn(b) + step * encounter.h * mass * scene.gravity;
      EXPECT_LT((momentum - start[b] - given).norm(), 1e-7) << scene.bodies[b].name << ' ' << step;
    }
    double friction = 0.0;
    for (size_t p = 0; p < before.size(); ++p) {
      const PairFigures now = watched.Of(p);
      EXPECT_NEAR(now.force, (now.impulse - before[p].impulse).norm() / encounter.h,
                  1e-10 * (1.0 + now.force));
      EXPECT_LE(now.friction_work, before[p].friction_work) << "friction gives energy";
      friction += now.friction_work;
      most[p] = std::max(most[p], now.impulse.norm());
      before[p] = now;
    }
    EXPECT_NEAR(friction, (*watched.Seen().work)[WorkClass::kContact], 1e-10);
  }
  for (size_t p = 0; p < before.size(); ++p) {
    const std::string name = NameOf(scene, watched.pairs()[p]);
    if (name == "block.far" || name == "right.left" || name == "upper.floor") continue;
    EXPECT_GT(most[p], 0.1) << name << " does not touch";
    EXPECT_LT(before[p].friction_work, -1e-4) << name << " does not rub";
  }
}

TEST_P(ContactImpulsesOf, ContinueFromASavedState) {
  const Encounter& encounter = std::get<0>(GetParam());
  Watched one(encounter.scene, Parameters()), other(encounter.scene, Parameters());
  const auto advance = [&](Watched* watched, int steps) {
    for (int i = 0; i < steps; ++i) watched->simulation().Advance(encounter.h);
  };
  advance(&one, encounter.steps / 2);
  other.simulation().Restore(one.simulation().Save());
  for (int step = 0; step < 5; ++step) {
    for (size_t p = 0; p < one.pairs().size(); ++p) {
      const PairFigures a = one.Of(p), b = other.Of(p);
      EXPECT_EQ(a.impulse, b.impulse);
      EXPECT_EQ(a.force, b.force);
      EXPECT_EQ(a.friction_work, b.friction_work);
    }
    advance(&one, 1);
    advance(&other, 1);
  }
}

class ContactImpulsesIn : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Schemes, ContactImpulsesIn,
                         testing::Values(kEnergyMomentum, kAlpha, kEuler), [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// What slides faster than the friction speed has μ times the impulse of the push, against its way.
TEST_P(ContactImpulsesIn, SlidingIsCoulombs) {
  Body cube = SoftBlock("cube", {0.2, 0.2, 0.2}, 0.01);
  cube.position = {0.0, 0.1, 0.0};
  cube.velocity = {-2.0, 0.0, 0.0};
  Scene scene = SceneOf({cube});
  scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}, .friction = 0.3});
  Watched watched(scene, {{"time_scheme", GetParam()}});
  for (int step = 0; step < 40; ++step) watched.simulation().Advance(0.005);
  const PairFigures pair = watched.Of(0);
  EXPECT_NEAR(pair.impulse.y(), 8.0 * kGravity * 0.2, 0.1 * 8.0 * kGravity * 0.2);
  // The friction of generalised-α is that of the push at the end of the step, not of the mean.
  const double tolerance = GetParam() == kAlpha ? 0.02 : 1e-4;
  EXPECT_NEAR(pair.impulse.x(), 0.3 * pair.impulse.y(), tolerance * 0.3 * pair.impulse.y());
}

// At rest the impulse of a time is the weight times it, and the force of every step the weight.
TEST_P(ContactImpulsesIn, AtRestAreTheWeight) {
  Body cube = SoftBlock("cube", {0.2, 0.2, 0.2}, 0.01);
  cube.position = {0.0, 0.1, 0.0};
  Scene scene = SceneOf({cube});
  scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}});
  Watched watched(scene, {{"time_scheme", GetParam()}});
  for (int step = 0; step < 200; ++step) watched.simulation().Advance(0.01);
  const double weight = 8.0 * kGravity;
  const double before = watched.Of(0).impulse.y();
  for (int step = 0; step < 50; ++step) {
    watched.simulation().Advance(0.01);
    EXPECT_NEAR(watched.Of(0).force, weight, 1e-3 * weight);
  }
  EXPECT_NEAR(watched.Of(0).impulse.y() - before, weight * 0.5, 1e-5 * weight);
}

// Where Newton's iteration fails the step is halved, and its parts count.
TEST_P(ContactImpulsesIn, CountHalvedSteps) {
  const int most = GetParam() == kAlpha ? 7 : 10;
  Encounter encounter =
      Thrown("halved", 0.01, 20, {{"newton_iterations", most}, {"newton_tolerance", 1e-9}});
  encounter.scene.obstacles[0].friction = 0.0;  // with which the iteration fails at any step
  ParameterValues parameters = encounter.parameters;
  parameters["time_scheme"] = GetParam();
  Watched watched(encounter.scene, parameters);
  const auto [start, mass] = watched.MomentumOf(0);
  bool halved = false;
  for (int step = 1; step <= encounter.steps; ++step) {
    const auto iterations = watched.Seen().iterations;
    ASSERT_EQ(watched.simulation().Advance(encounter.h).kind, StepOutcome::Kind::kAdvanced) << step;
    halved |= *watched.Seen().iterations - *iterations > most;
    const Vector3d given =
        watched.ImpulseOn(0) + step * encounter.h * mass * encounter.scene.gravity;
    EXPECT_LT((watched.MomentumOf(0).first - start - given).norm(), 1e-5) << step;
  }
  EXPECT_TRUE(halved);
}

// Equilibria have no impulse, but a force.
TEST(ContactOfEquilibria, IsAForceAndNoImpulse) {
  Body cube = SoftBlock("cube", {0.2, 0.2, 0.2});
  cube.position = {0.0, 0.1, 0.0};
  Scene scene = SceneOf({cube});
  scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}});
  for (const Vector3d& way : {Vector3d(1.0, 0.0, 0.0), Vector3d(0.0, 0.0, 1.0)}) {
    scene.sliders.push_back({});
    scene.sliders.back().name = "side";
    scene.sliders.back().point = {0, 0};
    scene.sliders.back().kind = Slider::Kind::kPlane;
    scene.sliders.back().direction = way;
    scene.sliders.back().through = scene.InitialPoints().col(0);
  }
  const auto simulation = Start(scene, {{"time_scheme", std::string("static")}});
  for (int step = 0; step < 4; ++step) {
    ASSERT_EQ(simulation->Advance(0.25).kind, StepOutcome::Kind::kAdvanced);
  }
  const Observation seen = Observe(*simulation);
  const size_t n = seen.extras.size();
  EXPECT_NEAR(seen.extras.at(n - 2).value(), 8.0 * kGravity, 1e-6 * 8.0 * kGravity);
  for (const size_t back : {1, 3, 4, 5}) EXPECT_FALSE(seen.extras.at(n - back).has_value()) << back;
}

}  // namespace
}  // namespace pliant::finite_elements
