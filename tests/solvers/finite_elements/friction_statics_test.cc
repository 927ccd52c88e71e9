// Friction of equilibria: what rests, by how much it creeps, what slides off, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/cell_shares.h"
#include "models/scene/shapes.h"
#include "solvers/finite_elements/scene_parts.h"
#include "solvers/finite_elements/statics.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kWeightPerMass = 9.81;  // m/s²

std::unique_ptr<Simulation> StartRubbing(const Scene& scene, ParameterValues parameters = {}) {
  parameters["time_scheme"] = std::string("static");
  return Start(scene, parameters);
}

Body SoftCube(const Vector3d& size, const Eigen::Vector3i& points, double nu, ElasticLaw law) {
  Body cube = MakeBlock("cube", size, {points.x(), points.y(), points.z()}, 1.0);
  cube.material =
      Material{.density = 1000.0, .youngs_modulus = 1e5, .poisson_ratio = nu, .law = law};
  cube.mass = 1000.0 * VolumeShares(cube, 0.0);
  return cube;
}

Obstacle Level(const std::string& name, const Vector3d& normal, const Path& path, double friction) {
  return {.name = name, .shape = Plane{normal}, .motion = path, .friction = friction};
}

void Tilt(double tangent, Scene* scene) {
  scene->gravity =
      kWeightPerMass / std::sqrt(1.0 + tangent * tangent) * Vector3d(-tangent, -1.0, 0.0);
}

// A cube of 0.2 m and 8 kg on a plane whose slope has this tangent; gravity down the slope is along −x.
Scene CubeOnSlope(double tangent, double friction, bool rigid, double above = 0.0) {
  Body cube = SoftCube({0.2, 0.2, 0.2}, {3, 3, 3}, 0.3, ElasticLaw::kNeoHookeanStable);
  cube.rigid = rigid;
  cube.position = {0.0, 0.1 + above, 0.0};
  Scene scene = SceneOf({cube});
  Tilt(tangent, &scene);
  scene.obstacles.push_back(
      Level("slope", Vector3d::UnitY(), Path::Still(Vector3d::Zero()), friction));
  return scene;
}

void TakeLoadSteps(Simulation* simulation, int count) {
  for (int step = 0; step < count; ++step) {
    ASSERT_EQ(simulation->Advance(1.0 / count).kind, StepOutcome::Kind::kAdvanced) << step;
  }
}

Vector3d CentreOf(const Simulation& simulation) { return Observe(simulation).sums->centre; }

double ForceOf(const Simulation& simulation) {  // of the only pair
  const Observation o = Observe(simulation);
  return o.extras.at(o.extras.size() - 2).value();
}

constexpr double kTangent = 0.3, kFriction = 0.5;
// f₁ = 2 y − y² = tan θ/μ, where all places creep alike.
const double kCreep = 1.0 - std::sqrt(1.0 - kTangent / kFriction);

TEST(StaticFriction, TheRecordNamesTheLengthOfItsRise) {
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(CubeOnSlope(kTangent, kFriction, false)),
                             {{"time_scheme", std::string("static")}, {"friction_length", 2e-5}});
  bool named = false;
  for (const TranslatedElement& element : translation.record.Entries()) {
    if (element.element != "obstacle.slope.friction") continue;
    named = true;
    EXPECT_EQ(element.fidelity, Fidelity::kExact);
    EXPECT_NE(element.reason.find("2e-05 m"), std::string::npos) << element.reason;
  }
  EXPECT_TRUE(named);
}

// A rigid block creeps in each load step by the same part of the length on which friction rises, whatever presses.
TEST(StaticFriction, WhatSticksCreepsAsTheRiseOfFrictionSays) {
  for (const bool fine : {false, true}) {
    for (const double length : {4e-5, 2e-5, 1e-5}) {
      for (const int load_steps : {1, 2, 4}) {
        const auto simulation = StartRubbing(CubeOnSlope(kTangent, kFriction, true),
                                             {{"friction_length", length},
                                              {"contact_thickness", fine ? 2e-4 : 1e-3},
                                              {"refinement", std::int64_t{fine ? 2 : 1}}});
        const double start = CentreOf(*simulation).x();
        TakeLoadSteps(simulation.get(), load_steps);
        // It also leans, by what the barrier yields: the centre by much more than the base.
        const Observation o = Observe(*simulation);
        double base = 0.0;
        for (int p = 0; p < o.points.cols(); ++p) {
          if (o.points(1, p) < 0.01) base += o.points(0, p) / 9.0;
        }
        EXPECT_NEAR(start - base, load_steps * kCreep * length, 1e-2 * load_steps * length);
        EXPECT_NEAR(ForceOf(*simulation), 8.0 * kWeightPerMass, 1e-6 * 8.0 * kWeightPerMass);
      }
    }
  }
}

// The push and the friction on it, its weight and their moments, of the nodes: elasticity is in balance with itself.
TEST(StaticFriction, ForcesAndMomentsOfABlockThatRestsAreInBalance) {
  for (const int points : {2, 3, 4}) {
    Scene scene = CubeOnSlope(kTangent, kFriction, false);
    scene.bodies[0] =
        SoftCube({0.2, 0.2, 0.2}, {points, points, points}, 0.3, ElasticLaw::kNeoHookeanStable);
    scene.bodies[0].position = {0.0, 0.1, 0.0};
    std::vector<std::unique_ptr<const ElasticPart>> parts;
    parts.push_back(MakePart(scene, 0, 1, false).part);
    const Discretisation bodies(std::move(parts));
    Contact contact(scene, bodies, {.thickness = 1e-3, .statics = true});
    Matrix3Xd q = bodies.InitialNodes(scene);
    StaticLoad load;
    load.force = scene.gravity * (bodies.mass() * Eigen::VectorXd::Ones(q.cols())).transpose();
    load.contact = &contact;
    LoadStepStart start;
    load.start = &start;
    ASSERT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
    Matrix3Xd push = Matrix3Xd::Zero(3, q.cols()), friction = push;
    contact.AddForces(0.0, q, &push);
    contact.AddFriction({start.q, q, 0.0, 0.0}, false, &friction);
    const double weight = 8.0 * kWeightPerMass, c = 1.0 / std::sqrt(1.0 + kTangent * kTangent);
    const Vector3d pushed = push.rowwise().sum(), rubbed = friction.rowwise().sum();
    EXPECT_NEAR((pushed - Vector3d(0.0, weight * c, 0.0)).norm(), 0.0, 1e-6 * weight);
    EXPECT_NEAR((rubbed - Vector3d(weight * kTangent * c, 0.0, 0.0)).norm(), 0.0, 1e-6 * weight);
    Vector3d moment = Vector3d::Zero();
    const Matrix3Xd all = push + friction + load.force;
    for (int n = 0; n < q.cols(); ++n) {
      moment += Vector3d(q.col(n)).cross(Vector3d(all.col(n)));
    }
    EXPECT_NEAR(moment.norm(), 0.0, 1e-6 * weight);
    // What sticks bears less than Coulomb's.
    EXPECT_LT(rubbed.norm(), kFriction * pushed.norm());
  }
}

// Down the slope, of the top, where nothing is pressed aside (ν = 0) and friction bears more than twice what it must.
TEST(StaticFriction, ABlockThatSticksDeformsAsOneThatIsGlued) {
  constexpr double kSlope = 0.2;
  Scene scene = SceneOf({SoftCube({0.2, 0.1, 0.2}, {3, 2, 3}, 0.0, ElasticLaw::kLinear)});
  scene.bodies[0].position = {0.0, 0.05, 0.0};
  Tilt(kSlope, &scene);
  Scene glued = scene;
  for (int p = 0; p < scene.PointCount(); ++p) {
    if (scene.InitialPoints()(1, p) < 1e-6) {
      glued.nails.push_back(NailWhereItStarts(glued, "base", {0, p}));
    }
  }
  const auto top = [](const Simulation& simulation) {
    const Matrix3Xd x = Observe(simulation).points;
    double sum = 0.0;
    int count = 0;
    for (int p = 0; p < x.cols(); ++p) {
      if (x(1, p) < 0.05) continue;
      sum += x(0, p);
      ++count;
    }
    return sum / count;
  };
  const auto truth = StartRubbing(glued);
  const double start = top(*truth);
  TakeLoadSteps(truth.get(), 1);
  const double moved = top(*truth) - start;
  EXPECT_NEAR(moved, -1000.0 * 9.81 * kSlope * 0.01 / 1e5,
              1.2e-4);  // ρ g sin θ H²/(2 G), and bending
  scene.obstacles.push_back(Level("slope", Vector3d::UnitY(), Path::Still(Vector3d::Zero()), 1.0));
  std::vector<double> off;
  for (const double part : {1.0, 0.5, 0.25}) {
    const auto simulation =
        StartRubbing(scene, {{"contact_thickness", 4e-4 * part}, {"friction_length", 2e-5 * part}});
    TakeLoadSteps(simulation.get(), 1);
    off.push_back(top(*simulation) - start - moved);
  }
  EXPECT_LT(std::abs(off[0]), 0.2 * std::abs(moved));
  for (const int i : {0, 1}) EXPECT_NEAR(off[i] / off[i + 1], 2.0, 0.25);
}

TEST(StaticFriction, WhatFrictionCannotHoldSlidesOff) {
  for (const bool rigid : {false, true}) {
    for (const auto& [tangent, friction] : {std::pair{0.51, 0.5}, {1.0, 0.5}, {0.1, 0.0}}) {
      for (const double above : {0.0, 0.05}) {
        if (!rigid && above > 0.0) continue;  // for its time
        const auto simulation = StartRubbing(CubeOnSlope(tangent, friction, rigid, above));
        const StepOutcome outcome = simulation->Advance(1.0);
        EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
        EXPECT_NE(outcome.quantity.find("slide off"), std::string::npos)
            << outcome.quantity << rigid << ' ' << tangent << ' ' << above;
        EXPECT_LT(*Observe(*simulation).iterations, 1200);
      }
    }
    for (const auto& [tangent, friction] : {std::pair{0.49, 0.5}, {0.1, 0.101}, {0.0, 0.0}}) {
      const auto simulation = StartRubbing(CubeOnSlope(tangent, friction, rigid, 0.05));
      EXPECT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kAdvanced)
          << tangent << friction << rigid;
      EXPECT_NEAR(ForceOf(*simulation), 8.0 * kWeightPerMass, 1e-6 * 8.0 * kWeightPerMass);
    }
  }
}

// Mean stress over strain of a cube between two plates, which approach each other by 2 %.
double StiffnessBetweenPlates(int points, double friction, double part) {
  constexpr double kSide = 0.2;
  Scene scene = Weightless(
      {SoftCube(Vector3d::Constant(kSide), {points, points, points}, 0.3, ElasticLaw::kLinear)});
  scene.bodies[0].position = {0.0, 0.5 * kSide, 0.0};
  scene.obstacles = {
      Level("below", Vector3d::UnitY(), Path::Still(Vector3d::Zero()), friction),
      Level("above", -Vector3d::UnitY(),
            PathThrough({0.0, 1.0}, {Vector3d(0.0, kSide, 0.0), Vector3d(0.0, 0.98 * kSide, 0.0)}),
            friction)};
  const auto simulation =
      StartRubbing(scene, {{"contact_thickness", 1e-3 * part}, {"friction_length", 1e-5 * part}});
  TakeLoadSteps(simulation.get(), 2);
  const Observation o = Observe(*simulation);
  // Of the whole height: what the barriers yield is no strain.
  double top = 0.0, bottom = 0.0;
  for (int p = 0; p < points * points * points; ++p) {
    const double rest = scene.InitialPoints()(1, p);
    if (rest < 1e-6) bottom += o.points(1, p) / (points * points);
    if (rest > kSide - 1e-6) top += o.points(1, p) / (points * points);
  }
  const double force = o.extras.at(o.extras.size() - 4).value();
  EXPECT_NEAR(force, o.extras.at(o.extras.size() - 3).value(), 1e-6 * force) << "of both plates";
  EXPECT_LE((*o.work)[WorkClass::kContact], 0.0);
  return force / (kSide * kSide) / (1.0 - (top - bottom) / kSide);
}

// The same with its faces nailed to the plates.
double StiffnessWhenGlued(int points) {
  constexpr double kSide = 0.2;
  Scene scene = Weightless(
      {SoftCube(Vector3d::Constant(kSide), {points, points, points}, 0.3, ElasticLaw::kLinear)});
  const Matrix3Xd rest = scene.InitialPoints();
  for (int p = 0; p < rest.cols(); ++p) {
    if (std::abs(rest(1, p)) < 0.49 * kSide) continue;
    const Vector3d at = rest.col(p), to = at - Vector3d(0.0, 0.01 * at.y() / 0.5, 0.0);
    scene.nails.push_back(
        {at.y() > 0.0 ? "above" : "below", {0, p}, PathThrough({0.0, 1.0}, {at, to})});
  }
  const auto simulation = StartRubbing(scene);
  TakeLoadSteps(simulation.get(), 1);
  return 2.0 * *Observe(*simulation).elastic_energy / (0.02 * 0.02 * std::pow(kSide, 3));
}

TEST(StaticFriction, ABlockBetweenPlatesIsStifferTheMoreTheyRub) {
  for (const int points : {2, 3, 4}) {
    const double glued = StiffnessWhenGlued(points);
    double last = 0.0;
    for (const double friction : {0.0, 0.05, 0.15, 0.45, 1.5}) {
      const double now = StiffnessBetweenPlates(points, friction, 0.1);
      if (friction == 0.0) {
        EXPECT_NEAR(now, 1e5, 2e-3 * 1e5);  // uniaxial: E
      } else {
        EXPECT_GT(now, last);
      }
      EXPECT_LT(now, 1.003 * glued);
      last = now;
    }
    EXPECT_NEAR(last, glued, 5e-3 * glued);
  }
}

// The reflection in the plane x = 0 of a cube that slips on its edges.
TEST(StaticFriction, AMirroredSceneHasAMirroredEquilibrium) {
  std::vector<Matrix3Xd> found;
  Matrix3Xd rest;
  for (const double side : {1.0, -1.0}) {
    Scene scene = CubeOnSlope(side * 0.2, 0.25, false, 0.01);
    const auto simulation = StartRubbing(scene);
    TakeLoadSteps(simulation.get(), 2);
    found.push_back(Observe(*simulation).points);
    rest = scene.bodies[0].rest;
  }
  for (int p = 0; p < rest.cols(); ++p) {
    int mirrored = 0;
    const Vector3d at(-rest(0, p), rest(1, p), rest(2, p));
    (rest.colwise() - at).colwise().norm().minCoeff(&mirrored);
    const Vector3d image(-found[1](0, mirrored), found[1](1, mirrored), found[1](2, mirrored));
    EXPECT_NEAR((found[0].col(p) - image).norm(), 0.0, 1e-8);
  }
}

// A block that hangs on its upper face, from a floor that comes up and slides along under it.
Scene DraggedBlock() {
  Scene scene =
      Weightless({SoftCube({0.2, 0.1, 0.2}, {3, 2, 3}, 0.3, ElasticLaw::kNeoHookeanStable)});
  const Matrix3Xd rest = scene.InitialPoints();
  for (int p = 0; p < rest.cols(); ++p) {
    if (rest(1, p) > 0.049) scene.nails.push_back(NailWhereItStarts(scene, "top", {0, p}));
  }
  scene.obstacles = {Level(
      "floor", Vector3d::UnitY(),
      PathThrough({0.0, 1.0}, {Vector3d(0.0, -0.05, 0.0), Vector3d(0.02, -0.045, 0.0)}), 0.3)};
  return scene;
}

// What friction and the floor do is what the block stores and loses; the error is of more than first order in the load step.
TEST(StaticFriction, TheLedgerClosesAsLoadStepsBecomeShorter) {
  std::vector<double> left;
  for (const int load_steps : {5, 10, 20}) {
    const auto simulation =
        StartRubbing(DraggedBlock(), {{"contact_thickness", 5e-4}, {"friction_length", 1e-6}});
    const double start = TotalEnergy(Observe(*simulation));
    double rubbed = 0.0;
    for (int step = 0; step < load_steps; ++step) {
      ASSERT_EQ(simulation->Advance(1.0 / load_steps).kind, StepOutcome::Kind::kAdvanced) << step;
      const double now = (*Observe(*simulation).work)[WorkClass::kContact];
      EXPECT_LE(now, rubbed) << "friction gives energy";
      rubbed = now;
    }
    const Observation end = Observe(*simulation);
    left.push_back((TotalEnergy(end) - start - end.work->TotalWork()) / std::abs(rubbed));
    EXPECT_LT(rubbed, -0.1 * (*end.work)[WorkClass::kMovedObstacle]);
  }
  EXPECT_LT(std::abs(left[2]), 1e-3);
  for (const int i : {0, 1}) EXPECT_GT(left[i] / left[i + 1], 2.0);
}

// What was saved goes on bit for bit, with the force and the friction it had.
TEST(StaticFriction, ARestoredRunGoesOnAsIfNothingHadHappened) {
  const auto one = StartRubbing(DraggedBlock()), other = StartRubbing(DraggedBlock());
  for (int step = 0; step < 3; ++step) one->Advance(0.1);
  other->Restore(one->Save());
  EXPECT_EQ(ForceOf(*one), ForceOf(*other));
  one->Advance(0.1);
  other->Advance(0.1);
  EXPECT_EQ(Observe(*one).points, Observe(*other).points);
  EXPECT_EQ(ForceOf(*one), ForceOf(*other));
}

// A block that lies on one that is nailed to the ground, both tilted: what holds it is friction between bodies.
TEST(StaticFriction, ABlockRestsOnABlockThatSlants) {
  Scene scene = CubeOnSlope(kTangent, 0.0, false, 0.0015);
  scene.obstacles.clear();
  Body below = SoftCube({0.4, 0.2, 0.4}, {2, 2, 2}, 0.3, ElasticLaw::kNeoHookeanStable);
  below.name = "below";
  below.position = {0.0, -0.1, 0.0};
  scene.bodies.push_back(below);
  for (int p = 0; p < below.size(); ++p) {
    if (below.rest(1, p) < -0.09) scene.nails.push_back(NailWhereItStarts(scene, "ground", {1, p}));
  }
  scene.contacts.push_back({.a = 0, .b = 1, .ignored = false, .friction = kFriction});
  const auto simulation = StartRubbing(scene, {{"contact_thickness", 2e-3}});
  EXPECT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kAdvanced);
  EXPECT_NEAR(ForceOf(*simulation), 8.0 * kWeightPerMass, 1e-6 * 8.0 * kWeightPerMass);
}

}  // namespace
}  // namespace pliant::finite_elements
