// What the backend says of a scene, what it refuses, and what it observes.

#include "solvers/dynamic_ffd/backend.h"

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/dynamic_ffd/stable_step.h"
#include "solvers/integration/second_order.h"
#include "solvers/linear_algebra/condition.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/point_oracle.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(DynamicFfd, IsInTheTableOfBackends) { EXPECT_EQ(FindBackend("dynamic-ffd"), &TheBackend()); }

TEST(DynamicFfd, WithoutModesSaysHowToGiveThem) {
  reference::ExpectBadInput("modes", {"set modes ="}, [&] {
    TheBackend().Translate(std::make_shared<const Scene>(TableScene()), {});
  });
}

TEST(DynamicFfd, RefusesABodyWithoutExtent) {
  Scene scene = TableScene();
  scene.bodies.push_back(MakeChain("dot", {1, 1, 0}, {1, 1, 0}, 2, 1.0));
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), With(TableModes(), "rk4"));
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_EQ(EntryOf(translation, "body.dot").fidelity, Fidelity::kUnsupported);
}

TEST(DynamicFfd, AStretchThatTheModesCanShowIsExact) {
  Scene scene = TableScene();
  // The squashes of the table stretch it along x and y.
  scene.bodies[0].stretch = Vector3d(1.2, 0.9, 1.0).asDiagonal();
  scene.bodies[0].position = {3, 1, 0};
  const Translation translation = Translated(scene, With(TableModes(), "rk4"));
  EXPECT_EQ(EntryOf(translation, "body.table.stretch").fidelity, Fidelity::kExact);
  EXPECT_LT(DistanceBetween(Observed(*translation.simulation).points, scene.InitialPoints()).max,
            1e-12);
}

TEST(DynamicFfd, AStretchThatTheModesCannotShowIsProjected) {
  Scene scene = TableScene();
  scene.bodies[0].stretch << 1, 0.3, 0, 0, 1, 0, 0, 0, 1;  // the modes shear along y, not along x
  const Translation translation = Translated(scene, With(TableModes(), "rk4"));
  const TranslatedElement entry = EntryOf(translation, "body.table.stretch");
  EXPECT_EQ(entry.fidelity, Fidelity::kApproximated);
  EXPECT_THAT(entry.reason, testing::HasSubstr("remains of displacements of up to 0.45 m"));
  const Matrix3Xd x = Observed(*translation.simulation).points;
  const VectorXd m = scene.Masses();
  EXPECT_LT((CentreOfMass(m, x) - CentreOfMass(m, scene.InitialPoints())).norm(), 1e-12);
  // The nearest shape: the distance in the mass metric is what the record says.
  const double rms =
      std::sqrt((x - scene.InitialPoints()).colwise().squaredNorm().dot(m) / m.sum());
  char text[32];
  std::snprintf(text, sizeof text, "%.3g m (rms)", rms);
  EXPECT_THAT(entry.reason, testing::HasSubstr(text));
}

TEST(DynamicFfd, StartsWithTheVelocityOfTheSceneAndTheAmplitudesOfTheTable) {
  Scene scene = TableScene();
  scene.bodies[0].position = {3, 1, 0};
  scene.bodies[0].velocity = {1, 2, 0};
  scene.bodies[0].angular_velocity = {0, 0, -2};
  MatrixTable modes = TableModes();
  Translation translation = Translated(scene, With(modes, "rk4"));
  EXPECT_EQ(EntryOf(translation, "body.table.velocity").fidelity, Fidelity::kExact);
  EXPECT_LT((*Observed(*translation.simulation).velocities - scene.InitialVelocities()).norm(),
            1e-12);
  modes.entries[1].scalars["initial"] = 0.3;
  translation = Translated(scene, With(modes, "rk4"));
  EXPECT_THAT(EntryOf(translation, "body.table").reason,
              testing::HasSubstr("starts deformed: horizontal bend at 0.3"));
  const Observation o = Observed(*translation.simulation);
  EXPECT_NEAR(*o.elastic_energy, 600.0 * 0.3 * 0.3, 1e-12);
  EXPECT_NEAR(*o.extras[2], 0.3, 1e-15);
}

TEST(DynamicFfd, ObservesTheConditionOfTheMassMatrixItSolvesWith) {
  Scene scene = TableScene();
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  MatrixTable modes = TableModes();
  modes.entries[1].scalars["initial"] = 0.3;
  // The worst body is told, whichever comes first.
  for (const int larger : {1, 0}) {
    scene.bodies[larger].rest = 7.0 * TableScene().bodies[0].rest;
    scene.bodies[1 - larger].rest = TableScene().bodies[0].rest;
    ParameterValues parameters = With(modes, "rk4");
    parameters["origin"] = std::string(larger == 1 ? "centre-of-mass" : "lattice-corner");
    const Translation translation = Translated(scene, parameters);
    const DynamicFfdSimulation& simulation = AsFfd(translation);
    const Observation o = Observed(simulation);
    double raw = 0.0, equilibrated = 0.0, schur = 0.0;
    for (const FfdPart& part : simulation.system().parts()) {
      const MatrixXd mass = MassMatrixByPoints(
          part.body, simulation.q().segment(part.first_q, part.body.coordinates()));
      raw = std::max(raw, ConditionNumber(mass));
      equilibrated = std::max(equilibrated, EquilibratedConditionNumber(mass));
      // The Schur complement is the inverse of the modes' block of M⁻¹.
      const MatrixXd inverse = mass.inverse();
      schur = std::max(schur, ConditionNumber(inverse.bottomRightCorner(4, 4)));
    }
    EXPECT_NEAR(*o.condition_number, raw, 1e-6 * raw);
    EXPECT_NEAR(*o.extras[0], equilibrated, 1e-6 * equilibrated);
    EXPECT_NEAR(*o.extras[1], schur, 1e-6 * schur);
    EXPECT_EQ(*o.regularisation, 0.0);
  }
}

TEST(DynamicFfd, SaysWhatIsNotDefinedHere) {
  const Translation translation = Translated(TableScene(), With(TableModes(), "rk4"));
  const Observation o = RunFor(translation.simulation.get(), 1e-3, 3);
  EXPECT_FALSE(o.constraint_error.has_value());
  EXPECT_FALSE(o.constraint_rate.has_value());
  EXPECT_FALSE(o.iterations.has_value());
  EXPECT_TRUE(translation.warnings.empty());
  Scene turning = TableScene();
  turning.bodies[0].angular_velocity = {0, 0, 2};
  const auto midpoint = Translated(turning, With(TableModes(), "implicit-midpoint")).simulation;
  EXPECT_GT(RunFor(midpoint.get(), 1e-3, 3).iterations.value(), 3);
}

TEST(DynamicFfd, WarnsOfConstraintsThatStartWithAGap) {
  Scene scene = TableScene();
  const Vector3d corner = scene.InitialPoints().col(0);
  scene.nails.push_back({"nail", {0, 0}, Path::Still(corner)});
  EXPECT_TRUE(Translated(scene, With(TableModes(), "rk4")).warnings.empty());
  scene.nails[0].path = Path::Still(corner + Vector3d(0.03, 0.04, 0));
  EXPECT_THAT(Translated(scene, With(TableModes(), "rk4")).warnings,
              testing::ElementsAre("nails and attachments start with gaps of up to 0.05 m, which "
                                   "their springs close abruptly"));
}

TEST(DynamicFfd, DampingIsMinusDGammaDotSquared) {
  // One mode, no rotation: γ̈ M = −2Kγ − Dγ̇ is a damped oscillator with a closed form.
  Scene scene = TableScene();
  MatrixTable modes = TableModes();
  modes.entries = {modes.entries[3]};  // horizontal squash
  modes.entries[0].scalars = {{"stiffness", 700.0}, {"damping", 40.0}, {"initial", 0.2}};
  const Translation translation = Translated(scene, With(modes, "rk4"));
  const DynamicFfdSimulation& simulation = AsFfd(translation);
  const double mass = MassMatrixByPoints(simulation.system().parts()[0].body, simulation.q())(3, 3);
  const double decay = 40.0 / (2.0 * mass), omega = std::sqrt(1400.0 / mass - decay * decay);
  const double t = 0.4;
  RunFor(translation.simulation.get(), 1e-3, 400);
  const double expected =
      0.2 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  EXPECT_NEAR(simulation.q()[3], expected, 1e-9);
  // What is missing of the energy is what the damping took.
  const Observation o = Observed(*translation.simulation);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -1.0);
  EXPECT_NEAR(Balance(scene, o), 700.0 * 0.2 * 0.2, 1e-8);
}

TEST(DynamicFfd, AnImpulseInThePlaneGivesItsMomentumItsSpinAndItsWorkOnce) {
  for (double time : {0.15, 0.325}) {  // ends of steps of 0.025, rounded before and after them
    for (const char* origin : {"centre-of-mass", "lattice-corner"}) {
      Scene scene = TableScene();
      const Vector3d impulse(3.0, 20.0, 0.0);
      scene.impulses.push_back({"kick", {0, 4}, impulse, time});
      ParameterValues parameters = With(TableModes(), "rk4");
      parameters["origin"] = std::string(origin);
      const auto simulation = Translated(scene, parameters).simulation;
      const Vector3d arm = Observed(*simulation).points.col(4) -
                           CentreOfMass(scene.Masses(), Observed(*simulation).points);
      const Observation o =
          RunFor(simulation.get(), 0.025, static_cast<int>(std::lround(time / 0.025)) + 1);
      // About the corner it is conserved to the order of the scheme only.
      EXPECT_LT((LinearMomentum(scene.Masses(), *o.velocities) - impulse).norm(), 1e-3);
      EXPECT_LT((SpinAboutCentre(scene, o) - arm.cross(impulse)).norm(), 1e-4);
      EXPECT_NEAR(Balance(scene, o), 0.0, 1e-4);
    }
  }
}

TEST(DynamicFfd, APointThatStartsInsideAnObstacleIsAnchoredWhereItStarts) {
  Scene scene = TableScene();
  scene.bodies[0].position = {0, -0.05, 0};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 10.0});
  const auto simulation = Translated(scene, With(TableModes(), "semi-implicit-euler")).simulation;
  const VectorXd state = simulation->Save();
  const Eigen::Map<const Eigen::Matrix<double, 7, Eigen::Dynamic>> entries(
      state.data() + state.size() - 77, 7, 11);
  const Matrix3Xd x = Observed(*simulation).points;
  for (int n = 0; n < 11; ++n) {
    const bool inside = x(1, n) < 0.0;
    EXPECT_EQ(entries(3, n), inside ? 1.0 : 0.0);
    if (inside) {
      EXPECT_EQ(Vector3d(entries.col(n).head<3>()), Vector3d(x.col(n)));
      EXPECT_EQ(Vector3d(entries.col(n).tail<3>()), Vector3d(Vector3d::UnitY()));
    }
  }
  EXPECT_EQ(entries.row(3).sum(), 2.0);  // the feet
}

TEST(DynamicFfd, AFloorCarriesWhatMovesWithItWithoutAForce) {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].velocity = {2, 0, 0};
  scene.obstacles.push_back(
      {"belt", Plane{}, PathThrough({0.0, 10.0}, {{0, 0, 0}, {20, 0, 0}}), 5.0});
  MatrixTable squash = TableModes();
  squash.entries = {squash.entries[2]};  // moves the feet along y only
  const auto simulation = Translated(scene, With(squash, "semi-implicit-euler")).simulation;
  const Observation o = RunFor(simulation.get(), 1e-3, 100);
  EXPECT_LT(o.points.row(1).minCoeff(), -1e-3);  // it is in contact
  EXPECT_NEAR(LinearMomentum(scene.Masses(), *o.velocities).x(), 2.0 * 108.0, 1e-9);
}

TEST(DynamicFfd, SaysThatTheMassMatrixBecameSingular) {
  // A link whose length mode has shrunk it to a point has no inertia to turn.
  Scene scene = Weightless({MakeChain("link", {0, 0, 0}, {1, 0, 0}, 2, 1.0)}, 2);
  MatrixTable modes = LinkModes();
  modes.entries[0].scalars["initial"] = -1.0;
  const auto simulation = Translated(scene, With(modes, "semi-implicit-euler")).simulation;
  const StepOutcome outcome = simulation->Advance(1e-3);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_EQ(outcome.quantity, "mass matrix of body 'link' (singular)");
}

TEST(DynamicFfd, DivergesWithTheQuantityNamed) {
  Scene scene = TableScene();
  MatrixTable modes = TableModes();
  modes.entries[0].scalars["initial"] = 0.1;
  modes.entries[0].scalars["stiffness"] = 1e6;
  const auto simulation = Translated(scene, With(modes, "semi-implicit-euler")).simulation;
  const StepOutcome outcome = AdvanceUntilItStops(simulation.get(), 0.1, 1000);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_THAT(outcome.quantity, testing::HasSubstr("of body 'table'"));
}

TEST(DynamicFfd, ReportsAMidpointIterationThatDoesNotConverge) {
  Scene scene = TableScene();
  MatrixTable modes = TableModes();
  modes.entries[0].scalars["initial"] = 0.1;
  ParameterValues parameters = With(modes, "implicit-midpoint");
  parameters["midpoint_iterations"] = std::int64_t{1};
  const auto simulation = Translated(scene, parameters).simulation;
  EXPECT_EQ(simulation->Advance(0.05).kind, StepOutcome::Kind::kNotConverged);
}

TEST(StableStep, IsWhereSemiImplicitEulerBeginsToDiverge) {
  // A link nailed at both ends by springs that are stiff against everything else.
  Scene scene = Weightless({MakeChain("link", {0, 0, 0}, {1, 0, 0}, 2, 1.0)}, 2);
  for (int i : {0, 1}) {
    scene.nails.push_back({"nail", {0, i}, Path::Still({static_cast<double>(i), 0.01, 0})});
  }
  MatrixTable soft = LinkModes();
  soft.entries[0].scalars = {{"stiffness", 1.0}};
  for (double damping : {0.0, 40.0}) {
    ParameterValues parameters = With(soft, "semi-implicit-euler");
    parameters["constraint_damping"] = damping;
    const Translation translation = Translated(scene, parameters);
    const DynamicFfdSimulation& simulation = AsFfd(translation);
    const double limit =
        EstimateStableStep(scene, simulation.system(), simulation.q(), {}, {2e4, damping}).free;
    // Two point masses of ½ kg: ω² = k/m, c/m of each.
    const double c = damping / 0.5, omega_squared = 2e4 / 0.5;
    EXPECT_NEAR(limit, 4.0 / (c + std::sqrt(c * c + 4.0 * omega_squared)), 1e-3 * limit);
    EXPECT_TRUE(StaysBounded(scene, parameters, 0.95 * limit)) << damping;
    EXPECT_FALSE(StaysBounded(scene, parameters, 1.05 * limit)) << damping;
    ASSERT_EQ(simulation.StepLimits().size(), 1u);
    EXPECT_EQ(simulation.StepLimits()[0].of, "semi-implicit Euler");
    EXPECT_EQ(simulation.StepLimits()[0].step, limit);
  }
}

// Two links, each of two masses of ½ kg that move freely: a turn and the length are all they share.
struct FreeLinks {
  FreeLinks() {
    scene.gravity.setZero();
    scene.dimension = 2;
    for (int i : {0, 1}) {
      scene.bodies.push_back(MakeChain("link" + std::to_string(i), {0, 0, 0}, {1, 0, 0}, 2, 1.0));
      scene.bodies[i].position = Vector3d(0, i, 0);
    }
    modes.entries[0].scalars = {{"stiffness", 0.0}};
  }
  StableStep Estimate(const PenaltyOptions& contact = {},
                      const ConstraintSpringOptions& constraints = {}) const {
    const Translation translation = Translated(scene, With(modes, "rk4"));
    const DynamicFfdSimulation& simulation = AsFfd(translation);
    return EstimateStableStep(scene, simulation.system(), simulation.q(), contact, constraints);
  }
  Scene scene;
  MatrixTable modes = LinkModes();
};

TEST(StableStep, IsThatOfTheModesOfAFreeBody) {
  // V = K γ² and −D γ̇ on M = Σ m b² = 2 · ½ · ½²: ω² = 2K/M, c = D/M.
  FreeLinks links;
  links.modes.entries[0].scalars = {{"stiffness", 50.0}, {"damping", 3.0}};
  const double mass = 0.25, limit = StableEulerStep(2.0 * 50.0 / mass, 3.0 / mass);
  EXPECT_NEAR(links.Estimate().free, limit, 1e-9);
  ParameterValues parameters = With(links.modes, "semi-implicit-euler");
  links.modes.entries[0].scalars["initial"] = 1e-3;
  parameters["modes"] = links.modes;
  EXPECT_TRUE(StaysBounded(links.scene, parameters, 0.99 * limit));
  EXPECT_FALSE(StaysBounded(links.scene, parameters, 1.01 * limit));
}

// Where a state overflows no matrix can be factorised: what grew is named, not the matrix.
TEST(Divergence, OfAnOverflowNamesTheAmplitudes) {
  for (const char* scheme : {"semi-implicit-euler", "rk4"}) {
    FreeLinks links;
    links.modes.entries[0].scalars = {{"stiffness", 1e14}, {"initial", 1e-3}};
    const auto simulation = Translated(links.scene, With(links.modes, scheme)).simulation;
    StepOutcome outcome;
    for (int i = 0; i < 100 && outcome.kind == StepOutcome::Kind::kAdvanced; ++i) {
      outcome = simulation->Advance(1.0);
    }
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged) << scheme;
    EXPECT_EQ(outcome.quantity.find("amplitudes of the modes"), 0u) << outcome.quantity;
  }
}

TEST(StableStep, CountsASpringOnceToAnAnchorAndTwiceToAPoint) {
  FreeLinks links;
  links.scene.springs = {{.name = "band", .a = {0, 1}, .stiffness = 300.0, .damping = 4.0}};
  links.scene.bodies[1].mass *= 100.0;  // so that the end on the light body is the one that counts
  EXPECT_NEAR(links.Estimate().free, StableEulerStep(300.0 / 0.5, 4.0 / 0.5), 1e-12);
  for (bool first : {true, false}) {  // whichever body is the first end
    links.scene.springs[0].a = first ? PointRef{0, 1} : PointRef{1, 0};
    links.scene.springs[0].b = first ? PointRef{1, 0} : PointRef{0, 1};
    EXPECT_NEAR(links.Estimate().free, StableEulerStep(600.0 / 0.5, 8.0 / 0.5), 1e-12);
  }
  links.scene.springs.clear();
  for (bool first : {true, false}) {
    links.scene.attachments = {{"joint", first ? PointRef{0, 1} : PointRef{1, 0},
                                first ? PointRef{1, 0} : PointRef{0, 1}}};
    EXPECT_NEAR(links.Estimate({}, {1e3, 2.0}).free, StableEulerStep(2e3 / 0.5, 4.0 / 0.5), 1e-12);
  }
}

TEST(StableStep, OfAFreePointInContactIsThatOfItsMass) {
  // Each point has its own two coordinates, so that one contact and all are alike.
  FreeLinks links;
  EXPECT_TRUE(std::isinf(links.Estimate({1000.0, 3.0, 800.0, 5.0}).all_contacts));  // with nothing
  links.scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -5, 0}), 0.0});
  const StableStep step = links.Estimate({1000.0, 3.0, 800.0, 5.0});
  EXPECT_TRUE(std::isinf(step.free));
  EXPECT_NEAR(step.one_contact, StableEulerStep(1000.0 / 0.5, 5.0 / 0.5), 1e-12);
  EXPECT_NEAR(step.all_contacts, StableEulerStep(1000.0 / 0.5, 5.0 / 0.5), 1e-12);
}

// A spring holds a heavy point, and a light one gives way most: the sum of both rates is more than any motion has, and one
// point in contact was said to allow a shorter step than all of them.
TEST(StableStep, WithOnePointInContactIsNotShorterThanWithAll) {
  FreeLinks links;
  links.scene.bodies[0].mass << 0.25, 1.0;
  links.scene.springs.push_back({.name = "anchor", .a = {0, 1}, .b = {}, .stiffness = 4000.0});
  links.scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -5, 0}), 0.0});
  const StableStep step = links.Estimate({1000.0, 0.0, 1000.0, 0.0});
  EXPECT_NEAR(step.free, StableEulerStep(4000.0, 0.0), 1e-12);
  EXPECT_NEAR(step.all_contacts, StableEulerStep((4000.0 + 1000.0) / 1.0, 0.0), 1e-12);
  EXPECT_NEAR(step.one_contact, step.all_contacts, 1e-12);  // the heavy one is the worst to touch
}

TEST(StableStep, IsSaidForOneContactAndForAll) {
  Scene scene = TableScene();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.0});
  const Translation translation = Translated(scene, With(TableModes(), "semi-implicit-euler"));
  const DynamicFfdSimulation& simulation = AsFfd(translation);
  const StableStep step =
      EstimateStableStep(scene, simulation.system(), simulation.q(), {1e6, 0, 1e6, 0}, {});
  EXPECT_LT(step.all_contacts, step.one_contact);
  EXPECT_LT(step.one_contact, step.free);
  // All points: JᵀJ summed with equal weights; a free particle of the least mass is an upper bound
  // of the mobility of a point.
  EXPECT_GT(step.all_contacts, 0.99 * 2.0 / std::sqrt(1e6 / 8.0));
  const std::vector<StepLimit> limits = simulation.StepLimits();
  ASSERT_EQ(limits.size(), 3u);
  EXPECT_EQ(limits[1].of, "semi-implicit Euler with one point in contact");
  EXPECT_EQ(limits[2].of, "semi-implicit Euler with every point in contact");
  EXPECT_LT(limits[2].step, limits[1].step);
  EXPECT_LT(limits[1].step, limits[0].step);
  // Of every scheme that has one.
  const Translation fourth = Translated(scene, With(TableModes(), "rk4"));
  ASSERT_EQ(AsFfd(fourth).StepLimits().size(), 3u);
  EXPECT_EQ(AsFfd(fourth).StepLimits()[2].of, "Runge–Kutta 4 with every point in contact");
  EXPECT_GT(AsFfd(fourth).StepLimits()[2].step, limits[2].step);
  const Translation adaptive = Translated(scene, With(TableModes(), "bogacki-shampine"));
  EXPECT_TRUE(AsFfd(adaptive).StepLimits().empty());
}

}  // namespace
}  // namespace pliant::dynamic_ffd
