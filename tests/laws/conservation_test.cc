// Laws of balance: momentum, energy, and the ledger that must account for it. Each law is measured
// on a ladder of steps, so that a method must not only be near the truth but approach it as fast as
// its documentation says.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/runs/series.h"
#include "models/scene/metrics.h"
#include "solvers/backends.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;

constexpr double kDuration = 0.4;  // s
// What rounding makes of momenta of some kg m/s in some hundred steps of displaced points, whose
// velocities are differences of places over the step.
constexpr double kRounding = 1e-10;

// A quantity at steps h, h/2, h/4, h/8.
using Ladder = std::array<double, 4>;
double StepAt(double coarsest, size_t level) {
  return std::ldexp(coarsest, -static_cast<int>(level));
}
int StepsFor(double h) { return static_cast<int>(std::lround(kDuration / h)); }

// The coarsest step of a ladder on which errors of a smooth motion stay above rounding.
double CoarsestStep(const Subject& subject) { return subject.promises.order > 1 ? 8e-3 : 2e-3; }

std::string Listed(const Ladder& values) {
  std::string list;
  for (const double value : values) list += testing::PrintToString(value) + " ";
  return list;
}

// Errors that fall by 2^p per halving, p within [order − below, order + above] at each halving as
// long as they are above `rounding`.
void ExpectOrder(const Ladder& errors, int order, double below, double above, double rounding) {
  ASSERT_TRUE(std::all_of(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); }))
      << Listed(errors);
  for (size_t i = 0; i + 1 < errors.size() && errors[i + 1] > rounding; ++i) {
    const double observed = std::log2(errors[i] / errors[i + 1]);
    EXPECT_GT(observed, order - below) << "halving " << i << " of " << Listed(errors);
    EXPECT_LT(observed, order + above) << "halving " << i << " of " << Listed(errors);
  }
}

// Errors that fall at least at this order, in the mean over the ladder: for what begins or ends
// inside a step, where single halvings scatter.
void ExpectMeanOrder(const Ladder& errors, double order, double below, double rounding) {
  ASSERT_TRUE(std::all_of(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); }))
      << Listed(errors);
  if (errors.back() < rounding) return;
  const double halvings = static_cast<double>(errors.size() - 1);
  EXPECT_GT(std::log2(errors.front() / errors.back()) / halvings, order - below) << Listed(errors);
}

// What one run changed.
struct Change {
  double energy = NAN;                      // kinetic, gravitational, elastic and spring energy [J]
  double residual = NAN;                    // of the ledger [J]
  double momentum = NAN;                    // kg m/s
  double spin = NAN;                        // angular momentum about the centre of mass [kg m²/s]
  Vector3d fall = Vector3d::Constant(NAN);  // of the centre of mass beyond its parabola [m]
  double damping = NAN;                     // work [J]
  double unexplained = NAN;                 // change of momentum [kg m/s]
  double unexplained_angular = NAN;         // about the origin [kg m²/s]
  Eigen::Matrix3Xd points;
};

double ValueOf(const SeriesRecorder& recorder, const SeriesRow& row, const std::string& name) {
  for (size_t c = 0; c < row.size(); ++c) {
    if (recorder.columns()[c].name == name) return row[c].value_or(NAN);
  }
  return NAN;
}

Change ChangeOver(const Subject& subject, const Scene& scene, double h) {
  Change change;
  const auto simulation = Start(subject, scene);
  if (!simulation) return change;
  SeriesRecorder recorder(std::make_shared<const Scene>(scene),
                          FindBackend(subject.backend)->info());
  Observation start;
  simulation->Observe(&start);
  const SeriesRow first = recorder.Row(start, std::nullopt);
  const Observation end = RunFor(simulation.get(), h, StepsFor(h));
  const SeriesRow last = recorder.Row(end, std::nullopt);
  const auto difference = [&](const std::string& name) {
    return ValueOf(recorder, last, name) - ValueOf(recorder, first, name);
  };
  change.energy = std::abs(difference("total_energy_J"));
  change.residual = std::abs(ValueOf(recorder, last, "residual_energy_J"));
  change.damping = ValueOf(recorder, last, "work_damping_J");
  change.unexplained = ValueOf(recorder, last, "momentum_residual_kg_m_s");
  change.unexplained_angular = ValueOf(recorder, last, "angular_momentum_residual_kg_m2_s");
  const MaterialSums before = SumsOf(scene, start), after = SumsOf(scene, end);
  change.momentum = (after.momentum - before.momentum).norm();
  const auto spin = [](const MaterialSums& sums) -> Vector3d {
    return sums.angular_momentum - sums.centre.cross(sums.momentum);
  };
  change.spin = (spin(after) - spin(before)).norm();
  const double t = kDuration;
  const Vector3d parabola =
      before.centre + t * scene.bodies[0].velocity + 0.5 * t * t * scene.gravity;
  change.fall = after.centre - parabola;
  change.points = end.points;
  return change;
}

Ladder LadderOf(const Subject& subject, const Scene& scene, double coarsest,
                double Change::*quantity) {
  Ladder ladder;
  for (size_t i = 0; i < ladder.size(); ++i) {
    ladder[i] = ChangeOver(subject, scene, StepAt(coarsest, i)).*quantity;
  }
  return ladder;
}

// A quantity that nature keeps, as well as it is promised to be kept. Where the leading error
// vanishes a method may gain up to two orders.
void ExpectKept(Kept kept, const Ladder& changes, int order) {
  if (kept == Kept::kToRounding) {
    for (const double change : changes) EXPECT_LT(change, kRounding) << Listed(changes);
  } else if (kept == Kept::kToItsOrder) {
    ExpectOrder(changes, order, 0.5, 2.1, 1e-11);
  }
}

class Conservation : public testing::TestWithParam<Subject> {
 protected:
  const Subject& subject() const { return GetParam(); }
  const Promises& promises() const { return GetParam().promises; }
  Ladder Of(const Scene& scene, double Change::*quantity) const {
    return LadderOf(subject(), scene, CoarsestStep(subject()), quantity);
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, Conservation, testing::ValuesIn(SubjectsWithInertia()),
                         [](const auto& info) { return Name(info.param); });

TEST_P(Conservation, StartsWithTheMomentumOfItsScene) {
  const Scene scene = Flying(subject().matter);
  const auto simulation = Start(subject(), scene);
  ASSERT_NE(simulation, nullptr);
  Observation start;
  simulation->Observe(&start);
  const Vector3d expected = scene.Masses().sum() * scene.bodies[0].velocity;
  EXPECT_LT((SumsOf(scene, start).momentum - expected).norm(), 1e-12);
}

TEST_P(Conservation, LinearMomentumWithoutForces) {
  ExpectKept(promises().momentum, Of(Flying(subject().matter), &Change::momentum),
             promises().order);
}

TEST_P(Conservation, SpinWithoutForces) {
  ExpectKept(promises().spin, Of(Flying(subject().matter), &Change::spin), promises().order);
}

TEST_P(Conservation, EnergyWithoutForces) {
  ExpectKept(promises().energy, Of(Flying(subject().matter), &Change::energy), promises().order);
}

// Forces between two bodies are opposite: together they keep their momentum.
TEST_P(Conservation, LinearMomentumOfJoinedBodies) {
  if (!promises().holds || subject().parameters.contains("control")) {
    GTEST_SKIP() << "joins no bodies, or is for one";
  }
  // Short enough for the stiff springs that stand in for the joint.
  ExpectKept(promises().momentum,
             LadderOf(subject(), Joined(subject().matter), 1e-3, &Change::momentum),
             promises().order);
}

// Times written as ends of steps, which rounding puts before or after them.
TEST_P(Conservation, AnImpulseActsExactlyOnce) {
  // The hinges of a posed lamp move it by more than that.
  if (subject().matter == Matter::kLamp && subject().variant != "limp")
    GTEST_SKIP() << "it moves itself";
  for (const double time : {0.15, 0.325}) {
    Scene scene = Resting(subject().matter);
    const Vector3d impulse(0.0, 1e-3, 0.0);
    scene.impulses.push_back({"kick", {0, 5}, impulse, time});
    const auto simulation = Start(subject(), scene);
    ASSERT_NE(simulation, nullptr);
    const double h = 0.025;
    const Observation end =
        RunFor(simulation.get(), h, static_cast<int>(std::lround(time / h)) + 2);
    const double tolerance = promises().momentum == Kept::kToRounding   ? 1e-9
                             : promises().momentum == Kept::kToItsOrder ? 1e-2
                                                                        : 5e-2;
    EXPECT_LT((SumsOf(scene, end).momentum - impulse).norm(), tolerance * impulse.norm()) << time;
  }
}

// Methods of second order are exact on a parabola. Of those of first order some are, and the others
// fall h g t/2 too far: theirs is the velocity of the end of each step.
TEST_P(Conservation, CentreOfMassFallsOnAParabola) {
  if (promises().momentum == Kept::kNotPromised) GTEST_SKIP() << "something else moves it";
  const Scene scene = Falling(subject().matter);
  Ladder errors;
  for (size_t i = 0; i < errors.size(); ++i) {
    const double h = StepAt(CoarsestStep(subject()), i);
    const Vector3d fall = ChangeOver(subject(), scene, h).fall;
    errors[i] = fall.norm();
    if (promises().momentum != Kept::kToRounding) continue;
    const Vector3d too_far = 0.5 * h * kDuration * scene.gravity;
    const bool is_exact = fall.norm() < kRounding;
    EXPECT_TRUE(is_exact || (promises().order == 1 && (fall - too_far).norm() < kRounding))
        << fall.transpose();
  }
  if (promises().momentum == Kept::kToItsOrder) {
    ExpectOrder(errors, promises().order, 0.1, 0.1, 1e-12);
  }
}

// Of the trajectory itself: the differences between runs of h and h/2 fall as h^p.
TEST_P(Conservation, MotionConvergesAtItsOrder) {
  if (promises().order == 0) GTEST_SKIP() << "no order is promised";
  const Scene scene = Flying(subject().matter);
  Ladder differences;
  Eigen::Matrix3Xd last;
  for (size_t i = 0; i <= differences.size(); ++i) {
    const Change change = ChangeOver(subject(), scene, StepAt(CoarsestStep(subject()), i));
    if (i > 0) differences[i - 1] = (change.points - last).norm();
    last = change.points;
  }
  ExpectOrder(differences, promises().order, 0.25, 0.25, 1e-10);
}

TEST_P(Conservation, LedgerClosesAtTheOrderOfTheScheme) {
  if (!promises().ledger) GTEST_SKIP() << "not promised";
  for (const Scene& scene : {Falling(subject().matter), Driven(subject().matter)}) {
    ExpectMeanOrder(LadderOf(subject(), scene, 2e-3, &Change::residual), promises().order, 0.25,
                    promises().ledger_rounding);
  }
}

// Where in its step a point touches is chance, and the error of that step goes with it: the mean of
// runs that begin a little differently.
TEST_P(Conservation, LedgerClosesInContact) {
  if (!promises().ledger) GTEST_SKIP() << "not promised";
  // Plates strain as a whole when one point touches: theirs scatter more.
  const int runs = subject().matter == Matter::kPlate ? 24 : 6;
  Ladder mean{};
  for (int run = 0; run < runs; ++run) {
    Scene scene = Pressed(subject().matter);
    scene.bodies[0].velocity += 7e-3 * run * Vector3d(1.0, 1.3, scene.dimension == 2 ? 0.0 : 1.7);
    const Ladder one = LadderOf(subject(), scene, 2e-3, &Change::residual);
    for (size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / runs;
  }
  ExpectMeanOrder(mean, std::min<double>(promises().order, promises().contact_order), 0.25,
                  promises().ledger_rounding);
}

// What acts from outside, as reported, is what changes the momentum: gravity, forces, impulses,
// springs to the world, obstacles.
TEST_P(Conservation, ReportedImpulsesExplainTheMomentum) {
  if (!promises().impulses) GTEST_SKIP() << "not promised";
  for (const Scene& scene :
       {Falling(subject().matter), Pressed(subject().matter), Driven(subject().matter)}) {
    ExpectKept(promises().momentum, LadderOf(subject(), scene, 2e-3, &Change::unexplained),
               promises().order);
    if (promises().spin == Kept::kNotPromised || !promises().moments) continue;
    if (!promises().angular_impulses && !scene.obstacles.empty()) continue;
    ExpectMeanOrder(LadderOf(subject(), scene, 2e-3, &Change::unexplained_angular),
                    promises().order, 0.25, 1e-10);
  }
}

// Dampers only take.
TEST_P(Conservation, DampingGivesNoEnergy) {
  for (const Scene& scene : {Flying(subject().matter), Pressed(subject().matter)}) {
    const double work = ChangeOver(subject(), scene, 2e-3).damping;
    EXPECT_LE(work, 0.0);
  }
}

}  // namespace
}  // namespace pliant::laws
