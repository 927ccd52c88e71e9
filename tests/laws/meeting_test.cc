// Laws of bodies that meet: what two of them exchange is opposite, no energy is made of it, and it
// does not depend on where they are seen from or on the numbers of their points.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/runs/series.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;

struct Meeting {
  Subject subject;
  int dimension;
  int order;  // of the method in contact
  Kept angular;
  bool forces = true;  // not impulses
};
void PrintTo(const Meeting& meeting, std::ostream* out) { PrintTo(meeting.subject, out); }

std::vector<Meeting> Meetings() {
  std::vector<Meeting> meetings;
  for (const Subject& subject : Subjects()) {
    const bool ffd = subject.backend == "dynamic-ffd";
    if (!ffd && subject.backend != "linear-deformation") continue;
    const std::string& v = subject.variant;
    if (v.find("corner") == 0 || v == "posed" || v == "barrier" || v == "rayleigh-mass") continue;
    if (subject.matter == Matter::kPlate) continue;  // the bodies here have no material
    const int dimension = subject.matter == Matter::kCrate ? 2 : 3;
    const int order = std::min(subject.promises.order, 2);
    const Kept angular = subject.promises.spin;
    meetings.push_back({subject, dimension, order, angular, v != "contact-by-impulses"});
    if (!ffd && (v == "rk4" || v == "semi-implicit-euler" || v == "contact-by-impulses")) {
      Meeting planar = meetings.back();
      planar.dimension = 2;
      planar.subject.variant += "-planar";
      meetings.push_back(planar);
    }
  }
  return meetings;
}

// One body is thrown at another, askew and turning; they meet and part.
Scene Thrown(const Meeting& meeting, double friction = 0.0) {
  Scene scene;
  scene.name = "thrown";
  scene.dimension = meeting.dimension;
  scene.gravity.setZero();
  for (const char* name : {"left", "right"}) {
    scene.bodies.push_back(meeting.dimension == 2
                               ? MakeSheet(name, {1.0, 0.8}, {3, 3}, 2.0)
                               : MakeBlock(name, {1.0, 0.8, 1.0}, {3, 3, 3}, 2.0));
  }
  const double out = meeting.dimension == 2 ? 0.0 : 0.1;
  scene.bodies[1].position = {1.02, 0.25, 2.0 * out};
  scene.bodies[1].velocity = {-0.5, 0.1, out};
  scene.bodies[0].velocity = {0.5, 0.0, 0.0};
  scene.bodies[0].angular_velocity = {0.0, out, 0.3};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.05, Vector3d::UnitZ());
  if (friction > 0.0) scene.contacts.push_back({0, 1, false, friction, 0.0});
  return scene;
}

constexpr double kMeetingTime = 0.4;  // s

struct Exchanged {
  double momentum = NAN, angular = NAN, residual = NAN, passive = NAN, energy = NAN;
  Eigen::Matrix3Xd points;
};

Exchanged Meet(const Meeting& meeting, const Scene& scene, double h) {
  Exchanged exchanged;
  const auto simulation = Start(meeting.subject, scene);
  if (!simulation) return exchanged;
  SeriesRecorder recorder(std::make_shared<const Scene>(scene),
                          FindBackend(meeting.subject.backend)->info());
  Observation start;
  simulation->Observe(&start);
  recorder.Row(start, std::nullopt);
  const Observation end =
      RunFor(simulation.get(), h, static_cast<int>(std::lround(kMeetingTime / h)));
  const SeriesRow last = recorder.Row(end, std::nullopt);
  const auto value = [&](const std::string& name) {
    for (size_t c = 0; c < last.size(); ++c) {
      if (recorder.columns()[c].name == name) return last[c].value_or(NAN);
    }
    return static_cast<double>(NAN);
  };
  const MaterialSums before = SumsOf(scene, start), after = SumsOf(scene, end);
  exchanged.momentum = (after.momentum - before.momentum).norm();
  exchanged.angular = (after.angular_momentum - before.angular_momentum).norm();
  exchanged.residual = std::abs(value("residual_energy_J"));
  exchanged.passive = (*end.work)[WorkClass::kContact];
  exchanged.energy = value("total_energy_J");
  exchanged.points = end.points;
  return exchanged;
}

class MeetingBodiesLaw : public testing::TestWithParam<Meeting> {};
INSTANTIATE_TEST_SUITE_P(Backends, MeetingBodiesLaw, testing::ValuesIn(Meetings()),
                         [](const auto& info) {
                           return Name(info.param.subject) +
                                  (info.param.dimension == 2 ? "_plane" : "_space");
                         });

TEST_P(MeetingBodiesLaw, MomentaAreKeptAndTheLedgerCloses) {
  const Meeting& meeting = GetParam();
  for (const double friction : {0.0, 0.5}) {
    const Scene scene = Thrown(meeting, friction);
    std::array<Exchanged, 4> ladder;
    const double coarsest = meeting.order == 1 ? 1e-3 : 4e-3;
    for (size_t i = 0; i < ladder.size(); ++i) {
      ladder[i] = Meet(meeting, scene, std::ldexp(coarsest, -static_cast<int>(i)));
    }
    for (const Exchanged& exchanged : ladder) {
      if (meeting.subject.promises.momentum == Kept::kToRounding) {
        EXPECT_LT(exchanged.momentum, 1e-11);
      }
      if (meeting.angular == Kept::kToRounding) {
        EXPECT_LT(exchanged.angular, 1e-10);  // iterations end at a tolerance
      }
      EXPECT_LT(exchanged.passive, 0.0);
    }
    if (meeting.angular == Kept::kToItsOrder) {
      EXPECT_LT(ladder[3].angular, std::max(1e-10, 0.6 * ladder[0].angular)) << ladder[0].angular;
    }
    if (!meeting.subject.promises.ledger) continue;
    // Contact begins and ends within steps, and friction sticks and slides: single rungs scatter. What
    // is left of 0.5 J falls, or is below a thousandth of it.
    const double coarse = std::max(ladder[0].residual, ladder[1].residual);
    const double fine = std::max(ladder[2].residual, ladder[3].residual);
    // The implicit treatment damps vibrations that these steps do not resolve.
    const bool damps = meeting.subject.parameters.contains("internal_energy");
    EXPECT_LT(fine, std::max(5e-4, (damps ? 1.0 : 0.6) * coarse))
        << friction << ": " << ladder[0].residual << " " << ladder[1].residual << " "
        << ladder[2].residual << " " << ladder[3].residual;
  }
}

// They end where they do, turned about, and with the bodies numbered otherwise.
TEST_P(MeetingBodiesLaw, TheMotionIsTheSameSeenFromElsewhereAndRenumbered) {
  const Meeting& meeting = GetParam();
  if (!meeting.forces)
    GTEST_SKIP() << "impulses of touches that depend on each other are not unique";
  const Scene scene = Thrown(meeting, 0.5);
  const double h = 2e-3;
  const Eigen::Matrix3Xd points = Meet(meeting, scene, h).points;
  ASSERT_EQ(points.cols(), scene.PointCount());
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  motion.translate(Vector3d(0.3, -0.2, meeting.dimension == 2 ? 0.0 : 0.7));
  motion.rotate(Eigen::AngleAxisd(0.8, Vector3d::UnitZ()));
  const Scene carried = Carried(scene, motion);
  EXPECT_LT((Meet(meeting, carried, h).points - motion * points).norm(), 1e-7);

  Scene swapped = scene;  // the other body first
  std::swap(swapped.bodies[0], swapped.bodies[1]);
  const Eigen::Matrix3Xd other = Meet(meeting, swapped, h).points;
  const Eigen::Index n = scene.bodies[0].size();
  EXPECT_LT((other.leftCols(n) - points.rightCols(n)).norm(), 1e-7);
  EXPECT_LT((other.rightCols(n) - points.leftCols(n)).norm(), 1e-7);
}

// Saved in the middle of the contact, a run goes on bit for bit.
TEST_P(MeetingBodiesLaw, ARestoredStateGoesOnBitForBit) {
  const Meeting& meeting = GetParam();
  const Scene scene = Thrown(meeting, 0.5);
  const auto one = Start(meeting.subject, scene), other = Start(meeting.subject, scene);
  ASSERT_TRUE(one && other);
  bool in_contact = false;
  for (int part = 0; part < 20; ++part) {
    const Observation end = RunFor(one.get(), 2e-3, 10);
    in_contact = in_contact || !meeting.forces || end.contact_energy.value_or(0.0) > 0.0;
    if (part == 6) other->Restore(one->Save());
    if (part > 6) {
      const Observation again = RunFor(other.get(), 2e-3, 10);
      ASSERT_EQ(again.points, end.points) << part;
      ASSERT_EQ(again.contact_energy, end.contact_energy) << part;
      ASSERT_EQ(again.work->Numbers(), end.work->Numbers()) << part;
    }
  }
  EXPECT_TRUE(in_contact);
}

// Ignored by the scene, they pass through each other and keep their velocities.
TEST_P(MeetingBodiesLaw, IgnoredBodiesPassThroughEachOther) {
  const Meeting& meeting = GetParam();
  Scene scene = Thrown(meeting);
  scene.contacts.push_back({0, 1, true});
  const auto simulation = Start(meeting.subject, scene);
  ASSERT_NE(simulation, nullptr);
  const Observation end = RunFor(simulation.get(), 2e-3, 200);
  const Eigen::Index n = scene.bodies[0].size();
  const Vector3d mean = end.velocities->leftCols(n).rowwise().mean();
  EXPECT_LT((mean - scene.bodies[0].velocity).norm(), 1e-9);
}

// Five rigid blocks in a row: one hands the velocity of the first to the next, in order.
TEST(NewtonsCradle, HandsTheVelocityOnInOrder) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity.setZero();
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(MakeSheet("block-" + std::to_string(i), {1.0, 1.0}, {2, 2}, 1.0));
    scene.bodies.back().position = {1.1 * i, 0.0, 0.0};
  }
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  const double stiffness = 1e4;  // N/m
  MatrixTable rigid;             // no modes
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  const auto simulation = Start({"dynamic-ffd",
                                 "rigid",
                                 Matter::kPlate,
                                 {{"modes", rigid},
                                  {"integrator", std::string("rk4")},
                                  {"contact_stiffness", stiffness},
                                  {"contact_damping", 0.0}}},
                                scene);
  ASSERT_NE(simulation, nullptr);
  // A contact of two equal masses on four springs lasts half a period, in which the place where they
  // touch goes on with half the velocity; a block is half as fast as it will be in the middle of it.
  const double lasts = M_PI * std::sqrt(0.5 / (4.0 * stiffness)), h = 1e-4;
  std::array<double, 5> started = {0, NAN, NAN, NAN, NAN};
  Observation o;
  for (int step = 1; step <= 9000; ++step) {
    simulation->Advance(h);
    simulation->Observe(&o);
    for (int i = 1; i < 5; ++i) {
      const double speed = o.velocities->middleCols(4 * i, 4).row(0).mean();
      if (std::isnan(started[i]) && speed > 0.5) started[i] = step * h;
    }
  }
  for (int i = 1; i < 5; ++i) {
    EXPECT_NEAR(started[i], 0.1 * i + 0.5 * i * lasts, 0.05 * lasts * i + h) << i;
  }
  for (int i = 0; i < 5; ++i) {
    const Eigen::Vector3d velocity = o.velocities->middleCols(4 * i, 4).rowwise().mean();
    EXPECT_LT((velocity - Vector3d(i == 4 ? 1.0 : 0.0, 0.0, 0.0)).norm(), 1e-4) << i;
  }
}

}  // namespace
}  // namespace pliant::laws
