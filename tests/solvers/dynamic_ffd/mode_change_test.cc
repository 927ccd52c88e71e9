// The state that a change of modes carries over, and runs that change them.

#include "solvers/dynamic_ffd/mode_change.h"

#include <memory>
#include <tuple>

#include "models/scene/metrics.h"
#include "solvers/control/tables.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/says.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

struct Motion {
  Matrix3Xd x, x_dot;
};

Motion MotionOf(const FfdBody& body, const VectorXd& q, const VectorXd& v) {
  Motion motion{Matrix3Xd(3, body.points()), Matrix3Xd(3, body.points())};
  body.Points(q, motion.x);
  body.PointVelocities(q, v, motion.x, motion.x_dot);
  return motion;
}

class CarriedOver : public testing::TestWithParam<int> {
 protected:
  // Two sets of modes of one cloud of points, in a random motion of the first; seed 41.
  void SetUp() override {
    body_ = std::make_unique<FfdBody>(
        RandomFfdBody(GetParam(), 14, 3, FfdOrigin::kCentreOfMass, &random_));
    q_ = RandomCoordinates(*body_, &random_);
    v_ = random_.Vector(body_->velocities());
    motion_ = MotionOf(*body_, q_, v_);
  }

  // The same points in random modes of another lattice, and shapes of driven amplitudes.
  FfdBody Other(int modes, FfdOrigin origin, const std::vector<Matrix3Xd>& driven = {}) {
    const Body points = {.rest = Eigen::Map<const Matrix3Xd>(body_->shapes().col(0).data(), 3, 14),
                         .mass = body_->masses()};
    const Lattice lattice({1, 1, 0}, {-2, -2, -2}, {4, 4, 4});
    std::vector<Matrix3Xd> displacements;
    for (int k = 0; k < modes; ++k) displacements.push_back(random_.Matrix(3, 4));
    return InLattice(GetParam(), points, lattice, displacements, origin, driven);
  }

  RandomNumbers random_{41};
  std::unique_ptr<FfdBody> body_;
  VectorXd q_, v_;
  Motion motion_;
};

TEST_P(CarriedOver, ToModesThatSpanTheSameShapesChangesNoPoint) {
  const Eigen::MatrixXd mix = random_.Matrix(3, 3) + 2.0 * Eigen::Matrix3d::Identity();
  const FfdBody mixed = body_->Recombined(mix);
  const CarriedState carried = CarryOver(*body_, q_, v_, mixed);
  const Motion after = MotionOf(mixed, carried.q, carried.v);
  EXPECT_LT((after.x - motion_.x).norm(), 1e-11);
  EXPECT_LT((after.x_dot - motion_.x_dot).norm(), 1e-10);
  EXPECT_LT((mix * carried.q.tail(3) - q_.tail(3)).norm(), 1e-10);
}

TEST_P(CarriedOver, ToTheSameModesIsTheStateItself) {
  const CarriedState same = CarryOver(*body_, q_, v_, *body_);
  EXPECT_EQ(same.q, q_);
  EXPECT_EQ(same.v, v_);
}

TEST_P(CarriedOver, KeepsTheCentreOfMassAndTheLinearMomentumWhateverTheModes) {
  for (const auto& [kept, origin] : {std::tuple{2, FfdOrigin::kCentreOfMass},
                                     {1, FfdOrigin::kLatticeCorner},
                                     {0, FfdOrigin::kLatticeCorner},
                                     {0, FfdOrigin::kCentreOfMass}}) {
    const FfdBody other = Other(kept, origin);
    const CarriedState carried = CarryOver(*body_, q_, v_, other);
    const Motion after = MotionOf(other, carried.q, carried.v);
    const VectorXd& m = body_->masses();
    EXPECT_GT((after.x - motion_.x).norm(), 0.05);  // something is lost
    EXPECT_LT(((after.x - motion_.x) * m).norm(), 1e-10);
    EXPECT_LT(((after.x_dot - motion_.x_dot) * m).norm(), 1e-10);
    // Σ m x′ × (ẋ′ − ẋ) = 0.
    Vector3d spin = Vector3d::Zero();
    for (int n = 0; n < 14; ++n) {
      spin += m[n] *
              Vector3d(after.x.col(n)).cross(Vector3d(after.x_dot.col(n) - motion_.x_dot.col(n)));
    }
    EXPECT_LT(spin.norm(), 1e-10);
    EXPECT_LT(KineticEnergy(m, after.x_dot), KineticEnergy(m, motion_.x_dot));
  }
}

TEST_P(CarriedOver, ComesNearerThanAnyStateAboutIt) {
  const FfdBody other = Other(2, FfdOrigin::kCentreOfMass);
  const CarriedState carried = CarryOver(*body_, q_, v_, other);
  const auto distance = [&](const VectorXd& q, const VectorXd& v) {
    const Motion there = MotionOf(other, q, v);
    const auto m = body_->masses().cwiseSqrt().asDiagonal();
    return std::pair(((there.x - motion_.x) * m).norm(),
                     ((there.x_dot - motion_.x_dot) * m).norm());
  };
  const auto nearest = distance(carried.q, carried.v);
  for (int i = 0; i < 40; ++i) {
    VectorXd q = carried.q + 1e-2 * random_.Vector(other.coordinates());
    other.Normalize(q);
    EXPECT_GT(distance(q, carried.v).first, nearest.first);
    const VectorXd v = carried.v + 1e-2 * random_.Vector(other.velocities());
    EXPECT_GT(distance(carried.q, v).second, nearest.second);
  }
}

TEST_P(CarriedOver, FindsTheNearestShapeFromFarAway) {
  // Bodies turned inside out by their modes: a whole step of Gauss and Newton overshoots.
  for (int i = 0; i < 60; ++i) {
    q_ = RandomCoordinates(*body_, &random_);
    q_.tail(3) *= 8.0;
    motion_ = MotionOf(*body_, q_, v_);
    const FfdBody other = Other(2, FfdOrigin::kCentreOfMass);
    const CarriedState carried = CarryOver(*body_, q_, v_, other);
    const Motion after = MotionOf(other, carried.q, carried.v);
    VectorXd slope = VectorXd::Zero(other.velocities());
    for (int n = 0; n < 14; ++n) {
      slope += body_->masses()[n] * other.Jacobian(carried.q, n).transpose() *
               (after.x.col(n) - motion_.x.col(n));
    }
    // One of 120 ends in a flat valley; without shorter steps a fifth of them are at 0.1 to 3.
    EXPECT_LT(slope.norm(), 0.02 * motion_.x.norm()) << "case " << i;
  }
}

TEST_P(CarriedOver, DrivenAmplitudesStayWhatTimeMakesThem) {
  const std::vector<Matrix3Xd> grown = {0.5 * random_.Matrix(3, 14)};
  const FfdBody from = Other(3, FfdOrigin::kCentreOfMass, grown);
  const FfdBody to = Other(2, FfdOrigin::kCentreOfMass, grown);
  VectorXd q = RandomCoordinates(from, &random_), v = random_.Vector(from.velocities());
  q.tail<1>()[0] = 0.7;
  v.tail<1>()[0] = -1.3;
  const CarriedState carried = CarryOver(from, q, v, to);
  EXPECT_EQ(carried.q.tail<1>()[0], 0.7);
  EXPECT_EQ(carried.v.tail<1>()[0], -1.3);
  const Motion before = MotionOf(from, q, v), after = MotionOf(to, carried.q, carried.v);
  EXPECT_LT(((after.x_dot - before.x_dot) * from.masses()).norm(), 1e-10);
  EXPECT_LT(((after.x - before.x) * from.masses()).norm(), 1e-10);
  // What is left of the velocities is orthogonal to every motion that is free: Jᵀ m (ẋ′ − ẋ) = 0.
  VectorXd left = VectorXd::Zero(to.velocities());
  for (int n = 0; n < 14; ++n) {
    left += from.masses()[n] * to.Jacobian(carried.q, n).transpose() *
            (after.x_dot.col(n) - before.x_dot.col(n));
  }
  EXPECT_LT(left.head(to.velocities() - 1).norm(), 1e-10);
  EXPECT_GT(std::abs(left.tail<1>()[0]), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, CarriedOver, testing::Values(2, 3));

struct Change {
  double at;
  std::string to;
};

ParameterValues Library(const std::vector<Change>& changes) {
  ParameterValues parameters = With(LibraryModes(), "rk4");
  if (changes.empty()) return parameters;
  std::vector<double> at;
  std::vector<std::string> to;
  for (const Change& change : changes) {
    at.push_back(change.at);
    to.push_back(change.to);
  }
  parameters["change_modes_at"] = at;
  parameters["change_modes_to"] = to;
  return parameters;
}

Matrix3Xd Moved(const Scene& scene, const ParameterValues& parameters) {
  const Translation translation = Translated(scene, parameters);
  return RunFor(translation.simulation.get(), 2e-3, 250).points;
}

TEST(ChangeOfModes, ToTheSameModesChangesNothing) {
  const Scene scene = SpinningTable();
  const std::string all = "squash, bend,shear";
  EXPECT_EQ(Moved(scene, Library({{0.1, all}, {0.301, all}})), Moved(scene, Library({})));
}

TEST(ChangeOfModes, KeepsMomentumAndTheLedgerAndTheFlightOfTheCentre) {
  const Scene scene = SpinningTable();
  const auto momentum = [&](const Observation& o) {
    return Vector3d(*o.velocities * scene.Masses());
  };
  const Translation changed = Translated(scene, Library({{0.1, "shear"}}));
  const Translation unchanged = Translated(scene, Library({}));
  const double start = Balance(scene, Observed(*changed.simulation));
  // Before the change, nothing.
  EXPECT_EQ(RunFor(changed.simulation.get(), 2e-3, 50).points,
            RunFor(unchanged.simulation.get(), 2e-3, 50).points);
  const Observation o = RunFor(changed.simulation.get(), 2e-3, 50);
  const Observation other = RunFor(unchanged.simulation.get(), 2e-3, 50);
  EXPECT_GT((o.points - other.points).norm(), 0.01);
  EXPECT_LT((momentum(o) - momentum(other)).norm(), 1e-9);
  EXPECT_LT(((o.points - other.points) * scene.Masses()).norm(), 1e-9);
  EXPECT_LT((*o.work)[WorkClass::kControl], -0.1);  // the lost shapes had energy
  EXPECT_NEAR(Balance(scene, o), start, 1e-6);
  ASSERT_EQ(changed.findings.size(), 2u);
  EXPECT_THAT(changed.findings[1].title, HasSubstr("from 0.1 s on"));
  EXPECT_EQ(changed.findings[1].rows.size(), 1u);
  const std::string said = EntryOf(changed, "body.table").reason;
  EXPECT_THAT(said, HasSubstr("squash at 0.4; from 0.1 s on it moves rigidly and in 1 modes only: "
                              "shear, and continues"));
}

TEST(ChangeOfModes, TakesPlaceInTheFirstStepThatBeginsThen) {
  const Scene scene = SpinningTable();
  const auto amplitudes = [&](double at, int steps) {
    const Translation translation = Translated(scene, Library({{at, "shear"}}));
    RunFor(translation.simulation.get(), 2e-3, steps);
    return AsFfd(translation).q().size() - 3;
  };
  EXPECT_EQ(amplitudes(0.1, 50), 3);
  EXPECT_EQ(amplitudes(0.1, 51), 1);
  EXPECT_EQ(amplitudes(0.0995, 51), 1);
  EXPECT_EQ(amplitudes(0.1005, 51), 3);
  EXPECT_EQ(amplitudes(0.1005, 52), 1);
}

TEST(ChangeOfModes, GoesOnFromASavedStateOfAnyStage) {
  Scene scene = SpinningTable();
  scene.bodies[0].position.y() = 0.8;
  scene.bodies[0].velocity.y() = 0.0;
  scene.obstacles.push_back({.name = "ground", .friction = 0.5});
  const Translation translation =
      Translated(scene, Library({{0.05, "shear"}, {0.1, "bend, squash"}}));
  Simulation& simulation = *translation.simulation;
  const VectorXd early = simulation.Save();
  RunFor(&simulation, 2e-3, 40);
  const VectorXd middle = simulation.Save();
  EXPECT_EQ(middle.size(), early.size());
  const Observation end = RunFor(&simulation, 2e-3, 300);
  ASSERT_NE((*end.work)[WorkClass::kContact], 0.0);
  const VectorXd late = simulation.Save();
  simulation.Restore(middle);
  EXPECT_EQ(RunFor(&simulation, 2e-3, 300).points, end.points);
  EXPECT_EQ(simulation.Save(), late);
  simulation.Restore(early);
  EXPECT_EQ(RunFor(&simulation, 2e-3, 340).points, end.points);
  EXPECT_EQ(simulation.Save(), late);
}

// A servo on the squash whose pose changes at 0.15 s.
ControlTable Servo() {
  ControlTable table;
  table.servos = {{"squash", 3000.0, 40.0, -1.0, 1.0}};
  ControlTable::Entry low, high;
  low.name = "low";
  low.targets = {{"squash", 0.3}};
  low.duration = 0.15;
  high = low;
  high.name = "high";
  high.targets = {{"squash", -0.3}};
  table.poses = {low, high};
  return table;
}

TEST(ChangeOfModes, PosesGoOnWithTheirServosWhereverTheirModesStand) {
  const Scene scene = SpinningTable();
  ParameterValues steady = Library({}),
                  changing = Library({{0.05, "squash, bend, shear"}, {0.1, "squash, bend"}});
  steady["control"] = changing["control"] = Servo();
  const Translation changed = Translated(scene, changing);
  const Observation o = RunFor(changed.simulation.get(), 2e-3, 110);
  EXPECT_EQ(*o.extras[4], 1.0);  // 0.22 s: the second pose
  const auto& simulation = AsFfd(changed);
  RunFor(changed.simulation.get(), 2e-3, 30);
  EXPECT_LT(simulation.q()[4], -0.15);  // the squash now follows the bend, and goes to its target
  EXPECT_NEAR(Balance(scene, Observed(simulation)),
              Balance(scene, Observed(*Translated(scene, steady).simulation)), 1e-3);
}

KeyFrameTable Keys(double end) {
  KeyFrameTable table;
  table.keys.resize(2);
  table.keys[1].time = end;
  table.keys[1].pose = {{"bend", 0.5}};
  table.keys[1].displacement = {1, 1, 0};
  return table;
}

TEST(ChangeOfModes, AtTheEndOfKeyFramesHandsTheMotionOver) {
  // What is led in the bend goes on in the squash: key frames that are over name nothing.
  const Scene scene = SpinningTable();
  ParameterValues parameters = Library({{0.2, "squash"}});
  parameters["keyframes"] = Keys(0.2);
  const Translation handed = Translated(scene, parameters);
  const Observation led = RunFor(handed.simulation.get(), 2e-3, 100);
  const Vector3d momentum = *led.velocities * scene.Masses();
  const Observation free = RunFor(handed.simulation.get(), 2e-3, 50);
  const Vector3d fallen = momentum + 0.1 * scene.gravity * scene.Masses().sum();
  EXPECT_LT((*free.velocities * scene.Masses() - fallen).norm(), 1e-9);
  EXPECT_NEAR(Balance(scene, free), Balance(scene, led), 1e-6);
}

TEST(ChangeOfModes, DuringKeyFramesLeavesTheBodyWhereItIsLed) {
  const Scene scene = SpinningTable();
  ParameterValues parameters = Library({}), changing = Library({{0.1, "bend"}});
  parameters["keyframes"] = changing["keyframes"] = Keys(0.4);
  const Translation one = Translated(scene, parameters), other = Translated(scene, changing);
  EXPECT_LT((RunFor(one.simulation.get(), 2e-3, 150).points -
             RunFor(other.simulation.get(), 2e-3, 150).points)
                .norm(),
            1e-12);
}

std::string Refusal(const Scene& scene, const ParameterValues& parameters) {
  return reference::PlacedComplaintOf([&] { Translated(scene, parameters); });
}

TEST(ChangeOfModes, RefusesWhatMakesNoSense) {
  const Scene scene = SpinningTable();
  const auto refusal = [&](const std::vector<Change>& changes) {
    return Refusal(scene, Library(changes));
  };
  EXPECT_THAT(refusal({{1.0, "bend"}, {1.0, "shear"}}),
              HasSubstr("change_modes_at: the times do not increase"));
  EXPECT_THAT(refusal({{0.0, "bend"}}),
              HasSubstr("change_modes_at: change_modes_at = 0 is out of"));
  EXPECT_THAT(refusal({{std::nan(""), "bend"}}), HasSubstr("change_modes_at"));
  EXPECT_THAT(refusal({{1.0, " , "}}), HasSubstr("change_modes_to: an empty set of modes at 1 s"));
  EXPECT_THAT(refusal({{0.5, "bend"}, {1.0, "bent"}}),
              HasSubstr("change_modes_to: from 1 s on: the mode table has no mode 'bent'"));
  EXPECT_THAT(refusal({{1.0, "bent"}}), HasSubstr("did you mean 'bend'?"));
  EXPECT_THAT(refusal({{1.0, "bend, bend"}}), HasSubstr("selected twice"));
  ParameterValues parameters = Library({{1.0, "bend"}});
  parameters["change_modes_at"] = std::vector<double>{1.0, 2.0};
  EXPECT_THAT(Refusal(scene, parameters), HasSubstr("change_modes_at: 1 sets of modes in "
                                                    "change_modes_to for 2 times"));
}

TEST(ChangeOfModes, RefusesControlAndKeyFramesOfModesNoLongerThere) {
  ParameterValues parameters = Library({{0.1, "bend"}});
  parameters["control"] = Servo();
  EXPECT_THAT(Refusal(SpinningTable(), parameters),
              HasSubstr("change_modes_to: from 0.1 s on: body 'table' has no mode "
                        "'squash'"));
  parameters = Library({{0.1, "squash"}});
  parameters["keyframes"] = Keys(0.2);
  EXPECT_THAT(Refusal(SpinningTable(), parameters), Says({"'bend'", "change_modes_to"}));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
