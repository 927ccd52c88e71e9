// Contact begins and ends within steps, and nothing locates that moment: the force of contact has a kink or a jump
// there, which no scheme integrates to a high order. Each formulation whose scheme is above first order where forces
// are smooth keeps that order across the onset, or says in its losses, and at each obstacle of its translation record,
// which order is left. What it says is measured.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "solvers/backends.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;

constexpr const char* kWithin = "begins and ends within steps";

class ContactOnset : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, ContactOnset, testing::ValuesIn(SubjectsWithInertia()),
                         [](const auto& info) { return Name(info.param); });

// A slanted body that flies at 1 m/s into a still floor, without gravity; it reaches the floor after `time` [s].
Scene Dropped(Matter matter, double time) {
  Scene scene = Resting(matter);
  Body& body = scene.bodies[0];
  body.orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
  body.velocity = {0.1, -1.0, 0.0};
  const double lowest = scene.InitialPoints().row(1).minCoeff();
  scene.obstacles.push_back(
      {.name = "floor", .shape = Plane{}, .motion = Path::Still({0.0, lowest - time, 0.0})});
  return scene;
}

// The exponent p with which distances between runs at h and h/2 fall, by least squares over h, h/2, …; the distances
// are the rms over drops whose contact begins at other fractions of a step, which hides where in a step it falls.
double MeasuredOrder(const Subject& subject) {
  constexpr int kRuns = 6, kDrops = 7;
  constexpr double kFirst = 0.004, kDuration = 0.16;
  std::vector<double> squares(kRuns - 1, 0.0);
  for (int drop = 0; drop < kDrops; ++drop) {
    const Scene scene = Dropped(subject.matter, 0.08 + 0.00037 * drop);
    Eigen::Matrix3Xd before;
    for (int run = 0; run < kRuns; ++run) {
      const auto simulation = Start(subject, scene);
      if (simulation == nullptr) return NAN;
      const double h = std::ldexp(kFirst, -run);
      const Observation end =
          RunFor(simulation.get(), h, static_cast<int>(std::lround(kDuration / h)));
      if (run > 0) {
        const double d = DistanceBetween(end.points, before).rms;
        squares[static_cast<size_t>(run - 1)] += d * d;
      }
      before = end.points;
      const double up = SumsOf(scene, end).momentum.y() / scene.Masses().sum() + 1.0;
      EXPECT_GT(up, 0.01) << "the floor does not push it";
    }
  }
  double xy = 0.0, xx = 0.0;
  const double middle = 0.5 * (kRuns - 2);
  for (int i = 0; i + 1 < kRuns; ++i) {
    xy -= (i - middle) * 0.5 * std::log2(squares[static_cast<size_t>(i)]);
    xx += (i - middle) * (i - middle);
  }
  return xy / xx;
}

// What the record says of the floor; the order of the scheme where it says nothing.
int StatedOrder(const Subject& subject) {
  const Translation translation =
      FindBackend(subject.backend)
          ->Translate(std::make_shared<Scene>(Dropped(subject.matter, 0.08)), subject.parameters);
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.element != "obstacle.floor") continue;
    if (entry.reason.find(kWithin) == std::string::npos) return subject.promises.order;
    const std::string rest = entry.reason.substr(entry.reason.find(kWithin));
    if (rest.find("of first order") != std::string::npos) return 1;
    if (rest.find("of second order at most") != std::string::npos) return 2;
  }
  ADD_FAILURE() << "the record does not know the floor, or states no order";
  return 0;
}

void ExpectStatedOrder(const Subject& subject) {
  const int stated = std::min(StatedOrder(subject), subject.promises.order);
  EXPECT_GT(MeasuredOrder(subject), stated - 0.4);
  if (stated == subject.promises.order) return;
  EXPECT_NE(FindBackend(subject.backend)->info().losses.find(kWithin), std::string::npos);
}

TEST_P(ContactOnset, KeepsTheOrderOrSaysWhatIsLeftOfIt) {
  if (GetParam().promises.order < 2) GTEST_SKIP() << "has no order to lose";
  ExpectStatedOrder(GetParam());
}

TEST_P(ContactOnset, OfASpringAloneIsWhatTheRecordSays) {
  Subject subject = GetParam();
  if (subject.promises.order < 2 || !subject.parameters.contains("contact_damping")) {
    GTEST_SKIP() << "has no order to lose, or no damper";
  }
  subject.parameters["contact_damping"] = 0.0;
  const bool penalty =
      subject.backend != "kinematic-response" && !subject.parameters.contains("contact");
  if (penalty) {
    EXPECT_EQ(StatedOrder(subject), 2) << "a kink of the force leaves that";
  }
  ExpectStatedOrder(subject);
}

}  // namespace
}  // namespace pliant::laws
