#include "solvers/contact/body_penalty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Two unit plates, the second at `at` from the first.
Scene Plates(const Vector3d& at, double friction = 0.0) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeSheet("a", {1, 1}, {2, 2}, 2.0), MakeSheet("b", {1, 1}, {2, 2}, 3.0)};
  scene.bodies[1].position = at;
  if (friction > 0.0) scene.contacts = {{0, 1, false, friction, 0.0}};
  return scene;
}

PenaltyOptions Options(double damping) {
  PenaltyOptions options;
  options.stiffness = 1000.0;
  options.damping = damping;
  options.tangential_stiffness = 500.0;
  options.tangential_damping = 0.0;
  return options;
}

// Rigid bodies that do not turn, by velocity Verlet: an integrator of its own.
struct Sliding {
  explicit Sliding(const Scene& scene, const PenaltyOptions& options)
      : contact(scene, options), x(scene.InitialPoints()) {}
  void Step(double h) {
    const auto kick = [&](double duration) {
      Matrix3Xd v(3, 8), forces = Matrix3Xd::Zero(3, 8);
      for (int i = 0; i < 8; ++i) v.col(i) = velocity[i / 4];
      Exchange rates;
      contact.AddForces(x, v, forces, &rates);
      passive += duration * rates[WorkClass::kContact];
      for (int b = 0; b < 2; ++b) {
        force[b] = forces.middleCols(4 * b, 4).rowwise().sum();
        velocity[b] += duration / mass[b] * (force[b] + pull[b]);
      }
    };
    kick(0.5 * h);
    for (int b = 0; b < 2; ++b) x.middleCols(4 * b, 4).colwise() += h * velocity[b];
    kick(0.5 * h);
    Matrix3Xd v(3, 8);
    for (int i = 0; i < 8; ++i) v.col(i) = velocity[i / 4];
    passive += contact.Update(x, v);
  }
  double Energy() {
    return 0.5 * (mass[0] * velocity[0].squaredNorm() + mass[1] * velocity[1].squaredNorm()) +
           contact.Energy(x);
  }
  BodyPenalty contact;
  Matrix3Xd x;
  double mass[2] = {2.0, 3.0};
  Vector3d velocity[2] = {Vector3d::Zero(), Vector3d::Zero()};
  Vector3d pull[2] = {Vector3d::Zero(), Vector3d::Zero()};
  Vector3d force[2];
  double passive = 0.0;
};

// Four springs K (two cells of each face) hold the reduced mass for half a period.
TEST(BodyPenalty, TwoPlatesBounceAsOneDimensionSays) {
  Sliding sliding(Plates({1.0, 0, 0}), Options(0.0));
  const double speed = 1e-3;
  sliding.velocity[0] = {speed, 0, 0};
  const double reduced = 2.0 * 3.0 / 5.0, stiffness = 4.0 * 1000.0;
  const double duration = M_PI * std::sqrt(reduced / stiffness);
  const double h = duration / 2000.0;
  double deepest = 0.0;
  int steps = 0, touching = 0;
  for (; steps < 2200; ++steps) {
    sliding.Step(h);
    deepest = std::max(deepest, sliding.x(0, 1) - sliding.x(0, 4));
    touching += !sliding.contact.contacts().empty();
  }
  EXPECT_NEAR(sliding.velocity[0].x(), (2.0 - 3.0) / 5.0 * speed, 1e-5 * speed);
  EXPECT_NEAR(sliding.velocity[1].x(), 2.0 * 2.0 / 5.0 * speed, 1e-5 * speed);
  EXPECT_NEAR(deepest, speed * std::sqrt(reduced / stiffness), 1e-4 * deepest);
  EXPECT_NEAR(touching * h, duration, 2.0 * h);
  EXPECT_EQ(sliding.passive, 0.0);
}

// A damped spring that cannot pull: e = |v⁺|/|v| of m ẍ + c ẋ + k x = 0 until k x + c ẋ = 0.
TEST(BodyPenalty, DampersTakeWhatTheyTakeOfAnOscillator) {
  const double c = 6.0, speed = 1e-3;
  Sliding sliding(Plates({1.0, 0, 0}), Options(c));
  sliding.velocity[0] = {speed, 0, 0};
  const double before = sliding.Energy();
  const double reduced = 6.0 / 5.0, k = 4000.0, damping = 4.0 * c;
  // Closed form: x = v/w e^{−γt} sin wt; force vanishes where tan wt = 2γw/(γ² − w²)… in (0, π).
  const double gamma = damping / (2.0 * reduced), w = std::sqrt(k / reduced - gamma * gamma);
  const double end = std::atan2(2.0 * gamma * w, gamma * gamma - w * w) / w;
  const double left =
      std::exp(-gamma * end) * (std::cos(w * end) - gamma / w * std::sin(w * end));  // of the speed
  for (int i = 0; i < 20000; ++i) sliding.Step(1e-5);
  const double parting = sliding.velocity[1].x() - sliding.velocity[0].x();
  EXPECT_NEAR(parting / speed, -left, 1e-3);
  EXPECT_NEAR(sliding.Energy() - before, sliding.passive, 2e-4 * before);
}

// Pressed together by N and pulled along by T: they stick where T < μ N, at the stretch of the
// springs, and slide above, with T − μ N.
TEST(BodyPenalty, FrictionSticksBelowTheConeAndSlidesAbove) {
  const double press = 1.0, friction = 0.5, h = 2e-4;
  for (const double pull : {0.4, 0.6}) {
    Sliding sliding(Plates({0.1, 0.99999, 0}, friction), Options(20.0));
    sliding.mass[0] = sliding.mass[1] = 1.0;
    sliding.pull[0] = {0, press, 0};
    sliding.pull[1] = {0, -press, 0};
    for (int i = 0; i < 10000; ++i) {
      // The first half of the time without the pull, for the depth to settle.
      const double now = i < 5000 ? 0.0 : 1.0;
      sliding.pull[0].x() = pull * now;
      sliding.pull[1].x() = -pull * now;
      sliding.Step(h);
      if (i < 5000) continue;
      // Sticking would oscillate for ever: a drag along.
      if (pull < 0.5) {
        for (Vector3d& v : sliding.velocity) v.x() *= 0.99;
      }
    }
    const double slid = sliding.x(0, 0) - sliding.x(0, 4) + 0.1;
    if (pull < 0.5) {
      EXPECT_NEAR(sliding.force[0].x(), -pull, 1e-3);
      EXPECT_LT(std::abs(sliding.velocity[0].x()), 1e-6);
      EXPECT_LT(slid, 1e-3);
    } else {
      EXPECT_NEAR(sliding.force[0].x(), -friction * press, 2e-3);
      // Until the four springs are at the cone, a half of the mass swings on them; then it is
      // pulled with what the cone leaves: 2 (pull − μ N) on two equal masses of 1 kg.
      const double k = 4.0 * 500.0, reduced = 0.5, w = std::sqrt(k / reduced);
      const double at_cone = friction * press / k, angle = std::acos(1.0 - at_cone * k / pull);
      const double speed = pull / k * w * std::sin(angle), left = 1.0 - angle / w;
      EXPECT_NEAR(slid, at_cone + speed * left + (pull - friction * press) * left * left, 3e-4);
      EXPECT_NEAR(sliding.passive, -friction * press * slid, 2e-3);
    }
    EXPECT_LT((sliding.force[0] + sliding.force[1]).norm(), 1e-12);
  }
}

TEST(BodyPenalty, EntryPlacesAreState) {
  Sliding one(Plates({0.1, 0.9999, 0}, 0.5), Options(1.0));
  one.velocity[0] = {0.01, 0.0, 0};
  for (int i = 0; i < 20; ++i) one.Step(1e-3);
  Eigen::VectorXd state(one.contact.StateSize());
  one.contact.Save(state);
  EXPECT_GT(state.norm(), 0.0);
  Sliding other(Plates({0.1, 0.9999, 0}, 0.5), Options(1.0));
  other.x = one.x;
  for (int b = 0; b < 2; ++b) other.velocity[b] = one.velocity[b];
  other.contact.Restore(state);
  for (int i = 0; i < 20; ++i) {
    one.Step(1e-3);
    other.Step(1e-3);
    ASSERT_EQ(one.x, other.x);
  }
  EXPECT_EQ(Sliding(Plates({0.1, 0.9, 0}), Options(1.0)).contact.StateSize(), 0);
}

TEST(BodyPenalty, TheRecordSpeaksOfThickAndThinBodies) {
  Scene scene = Plates({3, 0, 0});
  scene.bodies.push_back(MakeChain("line", {0, 2, 0}, {1, 2, 0}, 3, 1.0));
  scene.contacts = {{0, 1, false, 0.5, 0.25}, {1, 2, false, 0.5, 0.0}, {0, 0}, {0, 2, true}};
  TranslationRecord record(scene);
  SayBodiesMeet(scene, "how", "rubs", Fidelity::kExact, "", &record);
  const auto of = [&](const std::string& element) {
    for (const TranslatedElement& entry : record.Entries()) {
      if (entry.element == element) return entry;
    }
    return TranslatedElement{"", Fidelity::kUnsupported, "missing"};
  };
  EXPECT_EQ(of("contact.a.b").reason, "how");
  EXPECT_EQ(of("contact.a.b.friction").reason, "rubs");
  EXPECT_EQ(of("contact.a.b.restitution").fidelity, Fidelity::kExact);
  EXPECT_EQ(of("contact.b.line").fidelity, Fidelity::kIgnored);
  EXPECT_THAT(of("contact.b.line").reason, testing::HasSubstr("'line' is passed through"));
  EXPECT_EQ(of("contact.a.a").fidelity, Fidelity::kIgnored);
  EXPECT_EQ(of("contact.a.line").fidelity, Fidelity::kExact);
}

}  // namespace
}  // namespace pliant
