// What all carriers have in common, and the one that deforms by modes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/kinematic_response/carrier.h"
#include "tests/solvers/kinematic_response/crate.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

NamedMatrix LibraryMode(const std::string& shape, const std::string& axis,
                        const std::string& toward, double stiffness, double damping) {
  NamedMatrix entry = {.name = shape + " " + axis, .texts = {{"shape", shape}, {"axis", axis}}};
  if (!toward.empty()) entry.texts["toward"] = toward;
  entry.scalars = {{"amount", 0.4}, {"stiffness", stiffness}, {"damping", damping}};
  return entry;
}
MatrixTable ModesInSpace(double stiffness, double damping = 0.0) {
  MatrixTable table;
  table.entries = {LibraryMode("stretch", "y", "", stiffness, damping),
                   LibraryMode("bend", "y", "x", stiffness, damping),
                   LibraryMode("twist", "y", "", stiffness, damping)};
  return table;
}
MatrixTable ModesInThePlane(double stiffness, double damping = 0.0) {
  MatrixTable table;
  table.entries = {LibraryMode("stretch", "y", "", stiffness, damping),
                   LibraryMode("bend", "x", "y", stiffness, damping),
                   LibraryMode("shear", "x", "y", stiffness, damping)};
  return table;
}
ParameterValues FreeForm(const MatrixTable& modes) {
  return {{"proxy", std::string("free-form")}, {"proxy_modes", modes}};
}

Scene FlyingTube() {
  Scene scene = SpinningTube();
  scene.bodies[0].position = {0.3, -0.2, 0.1};
  return scene;
}

ProxyOptions ProxyOf(const Scene& scene, ProxyKind kind) {
  ProxyOptions options = {.kind = kind};
  if (kind == ProxyKind::kFreeForm) {
    MatrixTable modes = ModesInSpace(20.0);
    modes.entries[0].scalars["initial"] = 0.5;
    modes.entries[1].scalars["initial"] = -0.4;
    modes.entries[1].scalars["initial_rate"] = 3.0;
    modes.entries[2].scalars["initial_rate"] = -2.0;
    std::vector<std::string> warnings;
    options.free_form = ReadFreeFormModes(scene, modes, &warnings);
  }
  return options;
}
constexpr std::array kAllProxies = {ProxyKind::kRigid, ProxyKind::kAffine, ProxyKind::kFreeForm};

// A place beside each of some points of the frame, and a force at the tip of a rod on it.
struct Pull {
  int point;
  Vector3d y, beyond, force;
};
std::vector<Pull> SomePulls(const Carrier& carrier) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto some = [&] {
    return Vector3d(uniform(generator), uniform(generator), uniform(generator));
  };
  std::vector<Pull> pulls;
  for (const int point : {0, 7, 30, 59}) {
    pulls.push_back({point, carrier.points().col(point) + 0.2 * some(), 0.3 * some(), some()});
  }
  return pulls;
}

// --- All carriers ---------------------------------------------------------------------------

TEST(Carriers, RatesAreTheDerivativesOfTheirMaps) {
  const Scene scene = FlyingTube();
  for (const ProxyKind kind : kAllProxies) {
    const Carrier carrier(scene, 0, ProxyOf(scene, kind));
    Carrier before = carrier, after = carrier;
    const double h = 1e-5;
    before.Drift(-h);
    after.Drift(h);
    for (const Pull& pull : SomePulls(carrier)) {
      const Vector3d difference =
          (after.MapAt(pull.point)(pull.y) - before.MapAt(pull.point)(pull.y)) / (2 * h);
      EXPECT_LT((carrier.RateAt(pull.point)(pull.y) - difference).norm(), 1e-8)
          << static_cast<int>(kind);
    }
  }
}

TEST(Carriers, LoadsHaveTheMomentAndThePowerOfTheirForces) {
  const Scene scene = FlyingTube();
  for (const ProxyKind kind : kAllProxies) {
    const Carrier carrier(scene, 0, ProxyOf(scene, kind));
    Load load = carrier.NoLoad();
    Vector3d moment = Vector3d::Zero();
    double power = 0.0;
    for (const Pull& pull : SomePulls(carrier)) {
      carrier.Add(pull.point, pull.y, pull.beyond, pull.force, &load);
      const Vector3d tip = carrier.MapAt(pull.point)(pull.y) + pull.beyond;
      moment += (tip - carrier.centre()).cross(pull.force);
      power += pull.force.dot(carrier.TipVelocity(pull.point, pull.y, pull.beyond));
    }
    EXPECT_LT((load.Moment() - moment).norm(), 1e-13);
    EXPECT_NEAR(carrier.Power(load), power, 1e-12) << static_cast<int>(kind);
  }
}

// Forces at displaced places, for an instant: what Newton and Euler say of the undeformed points.
TEST(Carriers, KicksBalanceMomentumSpinAndEnergy) {
  const Scene scene = FlyingTube();
  const Eigen::VectorXd m = scene.Masses();
  for (const ProxyKind kind : kAllProxies) {
    Carrier carrier(scene, 0, ProxyOf(scene, kind));
    Load load = carrier.NoLoad();
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (const Pull& pull : SomePulls(carrier)) {
      carrier.Add(pull.point, pull.y, pull.beyond, pull.force, &load);
      force += pull.force;
      moment += (carrier.MapAt(pull.point)(pull.y) + pull.beyond).cross(pull.force);
    }
    Matrix3Xd x(3, m.size()), v(3, m.size()), after(3, m.size());
    carrier.PlacePoints(x, v);
    const double power_before = carrier.Power(load), h = 0.1;
    carrier.Kick(load, h);
    carrier.PlacePoints(x, after);
    const Vector3d origin = Vector3d::Zero();
    EXPECT_LT((LinearMomentum(m, after) - LinearMomentum(m, v) - h * force).norm(), 1e-12);
    EXPECT_LT((AngularMomentum(m, x, after, origin) - AngularMomentum(m, x, v, origin) - h * moment)
                  .norm(),
              1e-12)
        << static_cast<int>(kind);
    EXPECT_NEAR(KineticEnergy(m, after) - KineticEnergy(m, v),
                0.5 * h * (power_before + carrier.Power(load)), 1e-12)
        << static_cast<int>(kind);
  }
}

// --- The free-form proxy --------------------------------------------------------------------

// A point that the surface displaced is carried as the material there: to second order in how far.
TEST(FreeFormProxy, CarriesPlacesBesideAPointAsTheLatticeDoes) {
  const auto error = [](double way) {
    Scene scene = FlyingTube();
    Body& body = scene.bodies[0];
    body.rest.row(1) *= 1.6;  // its lattice is no cube
    body.rest.conservativeResize(3, 61);
    body.rest.col(60) = body.rest.col(31) + way * Vector3d(0.3, 0.2, -0.25);
    body.mass.conservativeResize(61);
    body.mass[60] = 1e-6;
    const Carrier carrier(scene, 0, ProxyOf(scene, ProxyKind::kFreeForm));
    const Vector3d there = carrier.points().col(60);
    EXPECT_GT((carrier.MapAt(60).linear - carrier.MapAt(31).linear).norm(), 0.0);
    return (carrier.MapAt(31)(there) - carrier.MapAt(60)(there)).norm();
  };
  const double far = error(0.2), near = error(0.1);
  EXPECT_LT(far, 0.02);
  EXPECT_NEAR(near / far, 0.25, 0.05);
}

TEST(FreeFormProxy, FliesAsTheDynamicFfdBackendDoes) {
  const Scene scene = FlyingTube();
  for (const double damping : {0.0, 2.0}) {
    MatrixTable modes = ModesInSpace(20.0, damping);
    modes.entries[0].scalars["initial"] = 0.3;
    modes.entries[1].scalars["initial"] = 0.4;
    const auto other = FindBackend("dynamic-ffd")
                           ->Translate(std::make_shared<const Scene>(scene),
                                       {{"modes", modes}, {"integrator", std::string("rk4")}});
    const Observation b = After(other.simulation.get(), 0.4 / 400, 400);
    const auto difference = [&](int steps) {
      const auto riding = Started(scene, FreeForm(modes));
      const Observation a = After(riding.get(), 0.4 / steps, steps);
      EXPECT_NEAR(*a.elastic_energy, *b.elastic_energy, 0.02 * *b.elastic_energy + 1e-4);
      return DistanceBetween(a.points, b.points).max;
    };
    const double coarse = difference(200), fine = difference(400);
    EXPECT_LT(coarse, 1e-3) << damping;
    EXPECT_NEAR(fine / coarse, 0.25, 0.05) << damping;  // second order
  }
}

TEST(FreeFormProxy, BooksWhatItsDampingTakes) {
  MatrixTable modes = ModesInSpace(20.0, 2.0);
  modes.entries[1].scalars["initial"] = 0.4;
  ExpectBooksItsDamping(FlyingTube(), FreeForm(modes));
}

TEST(FreeFormProxy, BooksWhatLimitsOfItsModesTake) {
  Scene scene = FlyingTube();
  scene.gravity.setZero();
  scene.bodies[0].angular_velocity.setZero();
  MatrixTable modes = ModesInSpace(20.0);
  modes.entries[0].scalars["initial_rate"] = 12.0;
  modes.entries[0].scalars["upper"] = 0.2;
  const auto simulation = Started(scene, With(FreeForm(modes), "rides", std::string("always")));
  Observation o = Observed(*simulation);
  const Eigen::VectorXd masses = scene.Masses();
  const double before = KineticEnergy(masses, *o.velocities) + *o.elastic_energy;
  double highest = 0.0;  // V of the stretch, 20 γ²
  for (int i = 0; i < 2000; ++i) {
    o = After(simulation.get(), 1e-4, 1);
    highest = std::max(highest, *o.elastic_energy);
  }
  const double after = KineticEnergy(masses, *o.velocities) + *o.elastic_energy;
  const double taken = (*o.work)[WorkClass::kDamping];
  EXPECT_LT(taken, -0.2);
  EXPECT_NEAR(after - before, taken, 5e-3 * std::abs(taken));
  EXPECT_NEAR(highest, 20.0 * 0.2 * 0.2, 1e-3);
}

TEST(FreeFormProxy, MomentumChangesByTheReactionAndTheWeight) {
  Scene scene = Crate(0.05);
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitZ());
  scene.bodies[0].position.y() = 0.12;
  const auto simulation = Started(scene, OnSprings(FreeForm(ModesInThePlane(30.0))));
  EXPECT_GT(ExpectMomentumOfReactionAndWeight(scene, simulation.get()).most_elastic, 0.05);
}

TEST(FreeFormProxy, ContactGivesBackWhatItTookWithoutRelaxation) {
  ExpectContactGivesBackWhatItTook(FreeForm(ModesInThePlane(30.0)), 2e-3, 2e-3);
}

TEST(FreeFormProxy, IsTheRigidOneInTheLimit) {
  ExpectIsTheRigidOneInTheLimit(FreeForm(ModesInThePlane(20.0)), FreeForm(ModesInThePlane(2000.0)));
  // Without modes it is a rigid body.
  MatrixTable none;
  none.scalars = {{"degree_x", 3.0}, {"degree_y", 3.0}};
  EXPECT_LT(DistanceBetween(LandedOnACorner(FreeForm(none)), LandedOnACorner({})).max, 1e-6);
}

TEST(FreeFormProxy, AtRestTheReactionCarriesTheWeightAndNothingIsInTheFloor) {
  ParameterValues controls = OnSprings(FreeForm(ModesInThePlane(30.0, 2.0)));
  controls["absorption"] = Numbers{0.3};
  controls["contact_damping"] = 60.0;
  const auto simulation = Started(Crate(0.002), controls);
  const Observation o = After(simulation.get(), 5e-4, 8000);
  EXPECT_NEAR(*o.extras[3], 3.0 * kGravity, 0.02 * 3.0 * kGravity);
  EXPECT_LT(MeasurePenetration(simulation->scene(), o.time, o.points)->max, 1e-9);
  EXPECT_GT(*o.elastic_energy, 1e-4);  // it sags
}

TEST(FreeFormProxy, DividesStepsThatItsOwnMotionNeeds) {
  const auto passes = [](double stiffness) {
    const auto simulation = Started(Crate(0.5), FreeForm(ModesInThePlane(stiffness)));
    return *After(simulation.get(), 0.01, 1).iterations;
  };
  EXPECT_GT(passes(1e5), 5 * passes(1e3));
}

TEST(FreeFormProxy, ReportsAFoldedBody) {
  Scene scene = Crate(0.3);
  scene.bodies[0].velocity = {0, -20, 0};
  const auto simulation = Started(scene, OnSprings(FreeForm(ModesInThePlane(0.05)), 1e5));
  const StepOutcome outcome = AdvanceUntilItStops(simulation.get(), 1e-3, 2000);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_EQ(outcome.quantity, "volume of the proxy");
}

TEST(FreeFormProxy, IsSaidToBeOneAndWhatIsWrongWithItsModes) {
  const Scene scene = Crate(1.0);
  const auto reason = [&scene](const std::string& element) {
    return Entry(scene, element, FreeForm(ModesInThePlane(30.0))).reason;
  };
  EXPECT_THAT(
      reason("body.crate"),
      HasSubstr("rides on a free-form proxy, which the reaction of the pressed surface moves; "
                "that is a body of dynamic-ffd, in the modes of proxy_modes"));
  EXPECT_THAT(reason("gravity"), HasSubstr("free-form proxy"));
  EXPECT_THAT(Complaint(scene, {{"proxy", std::string("free-form")}}),
              HasSubstr("proxy_modes: a free-form proxy deforms by modes, but none are given"));
  MatrixTable twice = ModesInThePlane(30.0);
  twice.entries.push_back(twice.entries[1]);
  twice.entries[3].name = "again";
  EXPECT_THAT(Complaint(scene, FreeForm(twice)), HasSubstr("proxy_modes.entry[3]: "));
  EXPECT_THAT(
      Translated(scene, {{"proxy_modes", ModesInThePlane(30.0)}}).warnings,
      testing::ElementsAre("proxy_modes has no effect: it counts only when proxy = free-form"));
}

}  // namespace
}  // namespace pliant::kinematic_response
