// Laws of what holds points: the forces of nails, attachments and sliders are what moves the bodies
// besides their weight, and they act in pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

const Vector3d kEarthGravity(0.0, -9.81, 0.0);

// Is the force known of the last step as a whole, not of the present state?
bool OfItsLastStep(const Subject& subject) {
  return subject.backend != "dynamic-ffd" && subject.backend != "linear-deformation";
}

// Those that hold sheets and say with what force: not through the levels of a solver.
std::vector<Subject> Holding() {
  std::vector<Subject> holding;
  for (const Subject& subject : SubjectsThatHold()) {
    if (subject.matter == Matter::kSheet && !subject.parameters.contains("solver_levels")) {
      holding.push_back(subject);
    }
  }
  return holding;
}

class ConstraintForces : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, ConstraintForces, testing::ValuesIn(Holding()),
                         [](const auto& info) { return Name(info.param); });

Nail NailAt(const Scene& scene, const std::string& name, PointRef point) {
  return {name, point, Path::Still(scene.InitialPoints().col(scene.Index(point)))};
}

// Two sheets that turn about each other, joined at a corner. The first one is pulled.
Scene JoinedAndPulled() {
  Scene scene = Joined(Matter::kSheet);
  TimedForce pull;
  pull.name = "pull";
  pull.point = {0, 12};
  pull.force = {-3.0, 1.0, -2.0};
  scene.forces = {pull};
  return scene;
}

Matrix3Xd ForcesOf(const Simulation& simulation) {
  const auto forces = simulation.ConstraintForces();
  EXPECT_TRUE(forces.has_value());
  return forces ? *forces : Matrix3Xd::Zero(3, simulation.scene().PointCount());
}

// Linear and angular momentum about the origin.
Eigen::Vector<double, 6> MomentaOf(const Simulation& simulation) {
  Observation o;
  simulation.Observe(&o);
  const Eigen::VectorXd m = simulation.scene().Masses();
  Eigen::Vector<double, 6> momenta;
  momenta << LinearMomentum(m, *o.velocities),
      AngularMomentum(m, o.points, *o.velocities, Vector3d::Zero());
  return momenta;
}

// Force and moment about the origin of constraint forces and weight, at the present points.
Eigen::Vector<double, 6> WrenchOf(const Simulation& simulation) {
  Observation o;
  simulation.Observe(&o);
  Matrix3Xd forces = ForcesOf(simulation);
  forces += simulation.scene().gravity * simulation.scene().Masses().transpose();
  Eigen::Vector<double, 6> wrench = Eigen::Vector<double, 6>::Zero();
  for (Eigen::Index i = 0; i < forces.cols(); ++i) {
    wrench.head<3>() += forces.col(i);
    wrench.tail<3>() += Vector3d(o.points.col(i)).cross(Vector3d(forces.col(i)));
  }
  return wrench;
}

double StepOf(const Subject& subject) { return OfItsLastStep(subject) ? 2e-3 : 1e-4; }

// As much as a step of the method departs from its equations.
double Tolerance(const Subject& subject) {
  if (!OfItsLastStep(subject)) return subject.promises.order == 1 ? 1e-2 : 1e-4;
  // The levels of the source's prolongation lose momentum.
  return subject.promises.momentum == Kept::kNotPromised ? 0.2 : 1e-9;
}

TEST_P(ConstraintForces, WithTheWeightChangeTheMomentum) {
  const Scene scene = Swinging(Matter::kSheet);
  const auto simulation = Start(GetParam(), scene);
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  const double h = StepOf(GetParam()), weight = 2.0 * 9.81;
  for (const int steps : {20, 100}) {
    RunFor(simulation.get(), h, steps);
    const auto before = MomentaOf(*simulation);
    RunFor(simulation.get(), h, 1);
    auto wrench = WrenchOf(*simulation);
    EXPECT_GT((wrench.head<3>() - weight * Vector3d(0, -1, 0)).norm(), 1.0);
    double between = h;
    if (!OfItsLastStep(GetParam())) {
      RunFor(simulation.get(), h, 1);
      between = 2.0 * h;
    }
    const Eigen::Vector<double, 6> change = (MomentaOf(*simulation) - before) / between;
    const double tolerance = Tolerance(GetParam()) * weight;
    EXPECT_LT((change - wrench).head<3>().norm(), tolerance)
        << change.head<3>().transpose() << " is not " << wrench.head<3>().transpose();
    if (!OfItsLastStep(GetParam())) {
      EXPECT_LT((change - wrench).tail<3>().norm(), tolerance);
    }
  }
}

TEST_P(ConstraintForces, ActWhereSomethingHolds) {
  const Scene scene = Swinging(Matter::kSheet);
  const auto simulation = Start(GetParam(), scene);
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  RunFor(simulation.get(), StepOf(GetParam()), 20);
  const Matrix3Xd forces = ForcesOf(*simulation);
  ASSERT_EQ(forces.cols(), 25);
  for (int i = 0; i < 25; ++i) {
    if (i == 20 || i == 24) {
      EXPECT_GT(forces.col(i).norm(), 0.1) << i;
    } else {
      EXPECT_TRUE(forces.col(i).isZero(0.0)) << i;
    }
  }
}

TEST_P(ConstraintForces, AreOppositeAtTheEndsOfAnAttachment) {
  const Scene scene = JoinedAndPulled();
  const auto simulation = Start(GetParam(), scene);
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  RunFor(simulation.get(), StepOf(GetParam()), 20);
  const double h = StepOf(GetParam());
  const auto momentum_of_other = [&] {
    Observation o;
    simulation->Observe(&o);
    return Vector3d(o.velocities->rightCols(25) * scene.bodies[1].mass);
  };
  const Vector3d before = momentum_of_other();
  RunFor(simulation.get(), h, 1);
  const Matrix3Xd forces = ForcesOf(*simulation);
  EXPECT_GT(forces.col(24).norm(), 0.05);
  EXPECT_LT((forces.col(24) + forces.col(25)).norm(), 1e-12);
  EXPECT_LT((forces.rowwise().sum()).norm(), 1e-12);
  double between = h;
  if (!OfItsLastStep(GetParam())) {
    RunFor(simulation.get(), h, 1);
    between = 2.0 * h;
  }
  const Vector3d change = (momentum_of_other() - before) / between;
  EXPECT_LT((change - forces.col(25)).norm(), Tolerance(GetParam()) * 2.0 * 9.81);
}

TEST_P(ConstraintForces, AreZeroWithoutConstraints) {
  const auto simulation = Start(GetParam(), Falling(Matter::kSheet));
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  RunFor(simulation.get(), StepOf(GetParam()), 3);
  const Matrix3Xd forces = ForcesOf(*simulation);
  EXPECT_EQ(forces.cols(), 25);
  EXPECT_TRUE(forces.isZero(0.0));
}

// The forces need no history: a restored run reports the same forces.
TEST_P(ConstraintForces, AskingChangesNothing) {
  const Scene scene = Swinging(Matter::kSheet);
  const auto asked = Start(GetParam(), scene), silent = Start(GetParam(), scene);
  ASSERT_TRUE(asked && silent);
  asked->KeepConstraintForces();
  EXPECT_EQ(asked->ConstraintForces().has_value(), !OfItsLastStep(GetParam()));
  for (int i = 0; i < 60; ++i) {
    asked->Advance(1e-3);
    silent->Advance(1e-3);
    const Matrix3Xd once = ForcesOf(*asked);
    EXPECT_EQ(ForcesOf(*asked), once);
  }
  const Eigen::VectorXd state = asked->Save();
  EXPECT_EQ(state, silent->Save());

  silent->Restore(state);
  silent->KeepConstraintForces();
  EXPECT_EQ(silent->ConstraintForces().has_value(), !OfItsLastStep(GetParam()));
  asked->Advance(1e-3);
  silent->Advance(1e-3);
  EXPECT_EQ(ForcesOf(*asked), ForcesOf(*silent));

  asked->Restore(state);  // what is known of another step is forgotten
  EXPECT_EQ(asked->ConstraintForces().has_value(), !OfItsLastStep(GetParam()));
}

TEST_P(ConstraintForces, TurnWithTheScene) {
  const Scene scene = Swinging(Matter::kSheet);
  const Eigen::Isometry3d motion = Eigen::Translation3d(0.3, -0.5, 1.0) *
                                   Eigen::AngleAxisd(1.1, Vector3d(0.2, 1.0, -0.4).normalized());
  const auto here = Start(GetParam(), scene), there = Start(GetParam(), Carried(scene, motion));
  ASSERT_TRUE(here && there);
  for (Simulation* simulation : {here.get(), there.get()}) {
    simulation->KeepConstraintForces();
    RunFor(simulation, StepOf(GetParam()), 10);
  }
  const Matrix3Xd expected = motion.linear() * ForcesOf(*here);
  EXPECT_LT((ForcesOf(*there) - expected).norm(), 1e-6 * expected.norm());
}

TEST(ConstraintForcesOfMethods, AreNotDefinedWithoutForces) {
  for (const Subject& subject : Subjects()) {
    if (subject.promises.holds) continue;
    const auto simulation = Start(subject, Pressed(subject.matter));
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    RunFor(simulation.get(), 1e-3, 3);
    EXPECT_FALSE(simulation->ConstraintForces()) << Name(subject);
  }
}

// Which constraint displaced a point through the coarser levels of a solver is not known.
TEST(ConstraintForcesOfMethods, AreNotDefinedForSweepsThroughLevels) {
  for (const char* backend : {"displacement-constraints", "position-based"}) {
    const Subject subject = {
        backend, "through levels", Matter::kSheet, {{"solver_levels", std::int64_t{2}}}};
    const auto simulation = Start(subject, Swinging(Matter::kSheet));
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    RunFor(simulation.get(), 1e-3, 3);
    EXPECT_FALSE(simulation->ConstraintForces()) << backend;
  }
}

Subject Choosing(const std::string& backend, ParameterValues parameters = {}) {
  return {backend, "chosen", Matter::kSheet, std::move(parameters)};
}

// On a rail that slopes at 45° the force is at right angles to it and moves the sheet with the
// weight.
TEST(ConstraintForcesOfMethods, OfSlidersAreAcrossTheirWay) {
  Scene scene = Resting(Matter::kSheet);
  scene.gravity = kEarthGravity;
  Slider rail;
  rail.name = "rail";
  rail.point = {0, 7};
  rail.direction = Vector3d(1, -1, 0).normalized();
  rail.through = scene.InitialPoints().col(7);
  scene.sliders = {rail};
  for (const Subject& subject :
       {Choosing("linear-deformation", {{"integrator", std::string("rk4")}}),
        Choosing("displacement-constraints"), Choosing("position-based")}) {
    const auto simulation = Start(subject, scene);
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    const double h = StepOf(subject);
    RunFor(simulation.get(), h, 20);
    const auto before = MomentaOf(*simulation);
    RunFor(simulation.get(), h, 1);
    const Vector3d wrench = WrenchOf(*simulation).head<3>();
    const Matrix3Xd forces = ForcesOf(*simulation);
    double between = h;
    if (!OfItsLastStep(subject)) {
      RunFor(simulation.get(), h, 1);
      between = 2.0 * h;
    }
    const Vector3d change = (MomentaOf(*simulation) - before).head<3>() / between;
    EXPECT_GT(forces.col(7).norm(), 1.0) << subject.backend;
    EXPECT_NEAR(forces.col(7).dot(rail.direction), 0.0, 1e-9) << subject.backend;
    EXPECT_TRUE(forces.leftCols(7).isZero(0.0) && forces.rightCols(17).isZero(0.0));
    EXPECT_LT((change - wrench).norm(), 1e-3) << subject.backend;
  }
}

// Of a combination that is held each point bears its share.
TEST(ConstraintForcesOfMethods, OfCombinationsAreSharedByWeight) {
  Scene scene = Resting(Matter::kSheet);
  scene.gravity = kEarthGravity;
  Combination held;
  held.name = "held";
  held.terms = {{{0, 3}, 0.25}, {{0, 21}, 0.75}};
  const Matrix3Xd x = scene.InitialPoints();
  held.path = Path::Still(0.25 * x.col(3) + 0.75 * x.col(21));
  scene.combinations = {held};
  scene.nails = {NailAt(scene, "corner", {0, 0})};  // a row before it
  const auto simulation = Start(Choosing("linear-deformation"), scene);
  ASSERT_NE(simulation, nullptr);
  RunFor(simulation.get(), 1e-4, 20);
  const Matrix3Xd forces = ForcesOf(*simulation);
  EXPECT_GT(forces.col(3).norm(), 0.1);
  EXPECT_LT((forces.col(21) - 3.0 * forces.col(3)).norm(), 1e-12);
  EXPECT_GT((forces.col(0) - forces.col(3)).norm(), 0.1);
}

// What a behaviour holds is held, from the step on in which it does. Its row comes after those of
// the slider.
TEST(ConstraintForcesOfMethods, OfBehavioursComeWithThem) {
  Scene scene = Resting(Matter::kSheet);
  scene.gravity = kEarthGravity;
  scene.nails = {NailAt(scene, "corner", {0, 0})};
  Action wait, tie;
  wait.kind = Action::Kind::kWait;
  wait.duration = 0.01;
  tie.kind = Action::Kind::kConnect;
  tie.point = {0, 24};
  tie.goal = Goal(Vector3d(scene.InitialPoints().col(24)));
  scene.behaviours = {{"grip", {wait, tie}}};
  Slider rail;
  rail.name = "rail";
  rail.point = {0, 4};
  rail.direction = Vector3d::UnitX();
  rail.through = scene.InitialPoints().col(4);
  scene.sliders = {rail};
  const auto simulation =
      Start(Choosing("linear-deformation", {{"integrator", std::string("rk4")}}), scene);
  ASSERT_NE(simulation, nullptr);
  RunFor(simulation.get(), 1e-3, 5);
  EXPECT_TRUE(ForcesOf(*simulation).col(24).isZero(0.0));
  RunFor(simulation.get(), 1e-3, 15);
  EXPECT_GT(ForcesOf(*simulation).col(24).norm(), 0.1);
  EXPECT_GT(ForcesOf(*simulation).col(4).norm(), 0.1);
  EXPECT_NEAR(ForcesOf(*simulation)(0, 4), 0.0, 1e-9);
  const auto before = MomentaOf(*simulation);
  RunFor(simulation.get(), 1e-4, 1);
  const auto wrench = WrenchOf(*simulation);
  RunFor(simulation.get(), 1e-4, 1);
  EXPECT_LT(((MomentaOf(*simulation) - before) / 2e-4 - wrench).norm(), 0.01);
}

// Between two nails that are farther apart than the edge is long it pulls both, if it gives.
TEST(ConstraintForcesOfMethods, HoldAgainstTheEdgesBetweenNails) {
  Scene scene;
  scene.gravity = kEarthGravity;
  scene.bodies = {MakeChain("cord", {0, 0, 0}, {1, 0, 0}, 2, 0.5)};
  scene.nails = {{"left", {0, 0}, Path::Still(Vector3d::Zero())},
                 {"right", {0, 1}, Path::Still(Vector3d(1.01, 0, 0))}};
  const auto simulation = Start(Choosing("position-based", {{"compliance", 1e-4}}), scene);
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  RunFor(simulation.get(), 1e-3, 5);
  const Matrix3Xd forces = ForcesOf(*simulation);
  const double tension = 0.01 / 1e-4, half_weight = 0.5 * 0.5 * 9.81;
  EXPECT_LT((forces.col(0) - Vector3d(-tension, half_weight, 0)).norm(), 1e-6 * tension) << forces;
  EXPECT_LT((forces.col(1) - Vector3d(tension, half_weight, 0)).norm(), 1e-6 * tension) << forces;
}

// A sheet lies on another one that is nailed at all its points: the nails bear both.
TEST(ConstraintForcesOfMethods, HoldAgainstSurfaces) {
  Scene scene = Resting(Matter::kSheet);
  const Eigen::Quaterniond level(Eigen::AngleAxisd(-std::acos(0.0), Vector3d::UnitX()));
  scene.gravity = kEarthGravity;
  scene.bodies[0].orientation = level;
  Body other = scene.bodies[0];
  other.name = "other";
  other.position.y() += 0.03;
  scene.bodies.push_back(other);
  for (int i = 0; i < 25; ++i) {
    scene.nails.push_back(NailAt(scene, "nail" + std::to_string(i), {0, i}));
  }
  for (const char* backend : {"displacement-constraints", "position-based"}) {
    const auto simulation = Start(Choosing(backend, {{"surface_thickness", 0.02}}), scene);
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    const double h = 1e-3, weight = 4.0 * 9.81;
    double largest = 0.0;
    for (int i = 0; i < 120; ++i) {
      const auto before = MomentaOf(*simulation);
      RunFor(simulation.get(), h, 1);
      const Vector3d change = (MomentaOf(*simulation) - before).head<3>() / h;
      const Vector3d wrench = WrenchOf(*simulation).head<3>();
      ASSERT_LT((change - wrench).norm(), 1e-6 * weight) << backend << " " << i;
      largest = std::max(largest, ForcesOf(*simulation).row(1).sum());
    }
    EXPECT_GT(largest, 0.8 * weight) << backend;  // it has landed
  }
}

// The parameters of each method under which a link of two points is stiff.
std::vector<Subject> Stiff() {
  const ParameterValue rk4 = std::string("rk4");
  MatrixTable rigid;
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1},
                   {"size_x", 1.0}, {"size_y", 1.0}, {"size_z", 1.0}};
  return {{"linear-deformation",
           "stiff",
           Matter::kSheet,
           {{"integrator", rk4}, {"stretch_stiffness", 1e4}}},
          {"dynamic-ffd",  // springs that do not ring long
           "rigid",
           Matter::kSheet,
           {{"integrator", rk4}, {"modes", rigid}, {"constraint_damping", 200.0}}},
          {"displacement-constraints", "segments", Matter::kSheet, {}},
          {"position-based", "points", Matter::kSheet, {}},
          {"displacement-constraints",
           "rigid",
           Matter::kSheet,
           {{"rigid_bodies", std::vector<std::string>{"*"}}}}};
}

// A rod with half its mass m at each end starts level and at rest, with one end nailed. At the
// angle θ from the vertical the nail bears the half on it, ½ m g, and along the rod three times the
// part 3 · ½ m g cos θ: weight and centripetal force ½ m (g cos θ + ℓ θ̇²), ½ ℓ θ̇² = g cos θ.
TEST(ConstraintForcesOfMethods, OfARigidPendulumAreThoseOfMechanics) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity = kEarthGravity;
  scene.bodies = {MakeChain("rod", {0, 0, 0}, {0.8, 0, 0}, 2, 3.0)};
  scene.nails = {{"pivot", {0, 0}, Path::Still(Vector3d::Zero())}};
  for (const Subject& subject : Stiff()) {
    SCOPED_TRACE(Name(subject));
    const auto simulation = Start(subject, scene);
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    const Observation o = RunFor(simulation.get(), 1e-4, 3500);
    const Vector3d along = (o.points.col(1) - o.points.col(0)).normalized();
    ASSERT_LT(along.y(), -0.5);
    const double half = 0.5 * 3.0 * 9.81;
    const Vector3d expected = half * Vector3d::UnitY() + 3.0 * half * along.y() * along;
    const Matrix3Xd forces = ForcesOf(*simulation);
    EXPECT_LT((forces.col(0) - expected).norm(), 0.02 * expected.norm())
        << forces.col(0).transpose() << " is not " << expected.transpose();
    EXPECT_TRUE(forces.col(1).isZero(0.0));
  }
}

}  // namespace
}  // namespace pliant::laws
