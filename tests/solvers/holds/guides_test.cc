// Sliders and limits as displacement constraints: closed forms, momentum, what is not met.

#include "solvers/holds/guides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/position_based/distance_solver.h"
#include "solvers/projection/scene_edges.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using ::testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

// One point of 2 kg.
Body Bead(const Vector3d& position) {
  return {.name = "bead",
          .rest = Eigen::Matrix3Xd::Zero(3, 1),
          .mass = VectorXd::Constant(1, 2.0),
          .position = position};
}

Scene BeadOn(const Slider& slider, const Vector3d& position) {
  Scene scene = SceneOf({Bead(position)});
  scene.sliders = {slider};
  scene.sliders[0].name = "rail";
  return scene;
}

std::unique_ptr<Simulation> StartWith(const Scene& scene, ParameterValues parameters = {},
                                      const char* formulation = "displacement-constraints") {
  parameters.insert({"tolerance", 1e-7});
  parameters.insert({"max_sweeps", std::int64_t{20000}});
  return TranslateBy(formulation, scene, parameters).simulation;
}

const ParameterValues kRigid = {{"rigid_bodies", std::vector<std::string>{"*"}}};

TEST(SlidingBead, GoesDownALineByWhatGravityHasAlongIt) {
  const Slider rail = {.direction = Vector3d(3, -4, 0) / 5.0};
  const auto simulation = StartWith(BeadOn(rail, {0, 0, 0}), kRigid);
  const Observation end = RunFor(simulation.get(), 500, 0.001);
  const double way = 0.5 * kG * 0.8 * 0.25;
  EXPECT_LT((end.points.col(0) - way * rail.direction).norm(), 1e-6);
  EXPECT_NEAR(end.velocities->col(0).dot(rail.direction), kG * 0.8 * 0.5, 1e-6);
}

TEST(SlidingBead, SwingsUnderASphereAsAPendulum) {
  const Slider rail = {.kind = Slider::Kind::kSurface};
  Scene scene = BeadOn(rail, Vector3d(0.02, -std::sqrt(1.0 - 0.0004), 0));
  scene.obstacles = {{"globe", Sphere{1.0}, Path::Still(Vector3d::Zero())}};
  const auto simulation = StartWith(scene, kRigid);
  const double period = 2.0 * kPi / std::sqrt(kG);
  const int steps = 2000;
  for (const double expected : {0.0, -0.02, 0.0, 0.02, 0.0}) {
    const Observation now = RunFor(simulation.get(), steps / 4, period / steps);
    EXPECT_NEAR(now.points(0, 0), expected, 3e-4);
    EXPECT_NEAR(now.points.col(0).norm(), 1.0, 1e-6);
  }
}

TEST(SlidingBead, FallsFreelyWithinABallAndNoFarther) {
  const Slider rail = {.kind = Slider::Kind::kBall, .radius = 0.5};
  const auto simulation = StartWith(BeadOn(rail, {0, 0, 0}), kRigid);
  EXPECT_NEAR(RunFor(simulation.get(), 300, 0.001).points(1, 0), -0.5 * kG * 0.09, 1e-6);
  const Observation end = RunFor(simulation.get(), 700, 0.001);
  EXPECT_NEAR(end.points(1, 0), -0.5, 1e-5);
}

TEST(SlidingBead, StopsAtTheEndOfASegment) {
  Slider rail = {.kind = Slider::Kind::kCurve};
  rail.corners.resize(3, 2);
  rail.corners << 0, 1, 0, -1, 0, 0;
  const auto simulation = StartWith(BeadOn(rail, {0, 0, 0}), kRigid);
  const Observation half = RunFor(simulation.get(), 400, 0.001);
  const double way = 0.5 * kG * std::sqrt(0.5) * 0.16;
  EXPECT_LT((half.points.col(0) - way * std::sqrt(0.5) * Vector3d(1, -1, 0)).norm(), 1e-5);
  const Observation end = RunFor(simulation.get(), 1000, 0.001);
  EXPECT_LT((end.points.col(0) - Vector3d(1, -1, 0)).norm(), 1e-5);
}

// Coupling says how far an impulse at one point displaces another, for all that moves points.
template <typename Mover>
void ExpectCoupling(const Mover& start, int p, int q) {
  const Vector3d impulse = 1e-7 * Vector3d(0.3, -0.7, 0.5);
  Mover moved = start;
  moved.Push(WeightedPoint{1, {q}, {1.0}}, impulse);
  const WeightedPoint at{1, {p}, {1.0}};
  const Vector3d by = moved.Point(at) - start.Point(at);
  EXPECT_LT((by - start.Coupling(p, q) * impulse).norm(), 1e-5 * impulse.norm()) << p << " " << q;
}

TEST(Coupling, IsWhatAnImpulseElsewhereDisplacesAPointBy) {
  const Scene scene = Weightless({Sheet(3)});
  for (const int q : {0, 1, 2, 4}) {
    DisplacementConstraintsOptions options;
    options.rigid_bodies = {"*"};
    ExpectCoupling(RigidPieces(scene, options.pieces(), scene.InitialPoints()), 1, q);
    options.correction = CorrectionRule::kSource;
    options.translation_factor = 0.7;
    options.rotation_factor = 0.4;
    ExpectCoupling(RigidPieces(scene, options.pieces(), scene.InitialPoints()), 1, q);

    const std::vector<SceneEdge> edges = SceneEdges(scene, {false});
    position_based::DistanceSolver lengths(edges, EdgeLengths(edges, scene.InitialPoints()),
                                           scene.Masses(), {}, {});
    lengths.Load(scene.InitialPoints());
    ExpectCoupling(lengths, 1, q);

    options.rigid_bodies = {};
    const auto simulation = Start(scene, options);
    const SegmentSystem& segments = simulation->levels()[0].segments;
    for (const auto rule : {CorrectionRule::kCorrected, CorrectionRule::kSource}) {
      Eigen::Matrix3Xd centres = segments.centres, axes = segments.axes;
      Corrector corrector(segments.net(), segments.geometry(), {rule, 0.7, 0.4}, &centres, &axes);
      const WeightedPoint at{1, {1}, {1.0}};
      const Vector3d before = corrector.Point(at), impulse = 1e-7 * Vector3d(0.3, -0.7, 0.5);
      const Eigen::Matrix3d coupling = corrector.Coupling(1, q);
      corrector.Push(q, impulse);
      const Vector3d by = corrector.Point(at) - before;
      EXPECT_LT((by - coupling * impulse).norm(), 1e-5 * impulse.norm()) << q;
    }
  }
}

// Two beads that fly apart until the line between them is taut.
TEST(Limits, KeepALengthInItsRange) {
  Scene scene = Weightless({Bead({0, 0, 0})});
  Body other = Bead({1, 0, 0});
  other.name = "other";
  other.velocity = {2.0, 0.5, 0.0};
  scene.bodies.push_back(other);
  scene.limits = {{"line", Limit::Kind::kLength, {{{0, 0}, {1, 0}}}, 0.8, 1.5}};
  const auto simulation = StartWith(scene, kRigid);
  const VectorXd m = scene.Masses();
  bool taut = false;
  for (int i = 0; i < 200; ++i) {
    const Observation now = RunFor(simulation.get(), 1, 0.005);
    const double length = (now.points.col(1) - now.points.col(0)).norm();
    EXPECT_LT(length, 1.5 + 1e-6);
    EXPECT_LT((LinearMomentum(m, *now.velocities) - Vector3d(4.0, 1.0, 0.0)).norm(), 1e-12);
    if (i < 40) {
      EXPECT_LT(now.points.col(0).norm(), 1e-12) << "nothing pulls yet";
    }
    taut = taut || length > 1.5 - 1e-6;
  }
  EXPECT_TRUE(taut);
}

// An elbow that a blow folds, or opens, up to its stop; and one that does not give at all.
TEST(Limits, KeepAnAngleInItsRange) {
  for (const auto& [formulation, how] :
       {std::pair("displacement-constraints", ParameterValues{}),
        std::pair("position-based", ParameterValues{}),
        std::pair("displacement-constraints", kRigid), std::pair("position-based", kRigid)}) {
    Scene scene = Weightless({MakeChain("upper", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
    scene.bodies.push_back(MakeChain("lower", {1, 0, 0}, {1.6, 0.8, 0}, 2, 1.0));
    scene.attachments = {{"elbow", {0, 1}, {1, 0}}};
    const double start = std::atan2(0.8, -0.6);
    for (const auto& [least, most, blow] : {std::tuple{1.0, kPi, Vector3d(-1, 0.2, 0)},
                                            {0.0, 2.4, Vector3d(1, -1.0, 0.1)},
                                            {start, start, Vector3d(0.3, 0.5, 0.7)}}) {
      scene.limits = {{"stop", Limit::Kind::kAngle, {{{0, 0}, {0, 1}, {1, 1}}}, least, most}};
      scene.impulses = {{"blow", {1, 1}, blow, 0.0}};
      const auto simulation = StartWith(scene, how, formulation);
      double lowest = kPi, highest = 0.0;
      Observation now;
      for (int i = 0; i < 300; ++i) {
        now = RunFor(simulation.get(), 1, 0.005);
        const double angle = AngleAt(now.points.col(0), now.points.col(1), now.points.col(3)).value;
        lowest = std::min(lowest, angle);
        highest = std::max(highest, angle);
      }
      EXPECT_GT(lowest, least - 1e-5);
      EXPECT_LT(highest, most + 1e-5);
      if (most == kPi) {
        EXPECT_LT(lowest, least + 1e-3) << "it is met";
      }
      if (least == 0.0) {
        EXPECT_GT(highest, most - 1e-3) << "it is met";
      }
      EXPECT_LT((LinearMomentum(scene.Masses(), *now.velocities) - blow).norm(), 1e-11);
    }
  }
}

// Two boxes that are joined at a corner: one turns about an edge of the other until the stop
// carries that along.
TEST(Limits, KeepATwistInItsRange) {
  Scene scene = Weightless({MakeBlock("left", {1, 1, 1}, {2, 2, 2}, 2.0)});
  Body right = MakeBlock("right", {1, 1, 1}, {2, 2, 2}, 2.0);
  right.position = {1, 0, 0};
  right.angular_velocity = {3.0, 0.0, 0.0};
  scene.bodies.push_back(right);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  scene.attachments = {{"joint", {0, 5}, {1, 4}}};
  scene.limits = {{"stop", Limit::Kind::kTwist, {{{0, 0}, {0, 4}, {0, 5}, {1, 2}}}, -0.4, 0.6}};
  const auto simulation = StartWith(scene, kRigid);
  const auto twist = [&](const Eigen::Matrix3Xd& x) {
    return TwistAbout(x.col(0), x.col(4), x.col(5), x.col(10)).value;
  };
  const double first = twist(start);
  double lowest = 0.0, highest = 0.0;
  for (int i = 0; i < 400; ++i) {
    const Observation now = RunFor(simulation.get(), 1, 0.005);
    const double turned = std::remainder(twist(now.points) - first, 2.0 * kPi);
    lowest = std::min(lowest, turned);
    highest = std::max(highest, turned);
  }
  EXPECT_LT(highest, 0.6 + 1e-4);
  EXPECT_GT(lowest, -0.4 - 1e-4);
  EXPECT_GT(std::max(highest - 0.6, -0.4 - lowest), -1e-3) << "it is met";
}

TEST(Guided, RecordsSaySo) {
  Scene scene = Weightless({Sheet(5)});
  Slider rail = {.name = "rail"};
  scene.sliders = {rail};
  scene.limits = {{"fold", Limit::Kind::kAngle, {{{0, 0}, {0, 12}, {0, 24}}}, 1.0, 4.0}};
  scene.limits[0].most = kPi;
  const auto record = [&scene](ParameterValues parameters) {
    return TranslateBy("displacement-constraints", scene, parameters).record;
  };
  for (const TranslatedElement& entry : record({}).Entries()) {
    if (entry.element == "body.sheet") continue;
    EXPECT_EQ(entry.fidelity, Fidelity::kExact) << entry.element;
  }
  for (const TranslatedElement& entry :
       record({{"force_fractions", std::vector<double>{0.5, 0.5}}}).Entries()) {
    EXPECT_EQ(entry.fidelity, Fidelity::kApproximated) << entry.element;
  }
  scene.sliders[0].hold.until = 1.0;
  EXPECT_TRUE(record({}).supported());
}

// A rope of 1 m between a nail and a slider 1.5 m away: neither assembly nor sweeps can meet both;
// all that misses is named, the worst first, and the run goes on.
TEST(UnmetConstraints, AreListedTheWorstFirst) {
  Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  Slider rail = {.name = "rail", .point = {0, 4}, .kind = Slider::Kind::kPlane};
  rail.through = {1.5, 0, 0};
  scene.sliders = {rail};
  scene.limits = {{"fold", Limit::Kind::kAngle, {{{0, 1}, {0, 2}, {0, 3}}}, 0.0, 1.0}};
  for (const char* formulation : kSweepingFormulations) {
    const Translation translation = TranslateBy(formulation, scene);
    ASSERT_EQ(translation.warnings.size(), 1u);
    ASSERT_EQ(translation.findings.size(), 1u);
    const FindingTable& table = translation.findings[0];
    EXPECT_THAT(translation.warnings[0], HasSubstr(table.rows[0][0]));
    Simulation& simulation = *translation.simulation;
    const StepOutcome outcome = simulation.Advance(0.01);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
    EXPECT_EQ(simulation.Advance(0.01).kind, StepOutcome::Kind::kNotConverged);
    const std::vector<UnmetConstraint> unmet = simulation.UnmetConstraints();
    ASSERT_GE(unmet.size(), 2u);
    double in_all = 0.0;
    bool rail_named = false;
    for (size_t i = 0; i < unmet.size(); ++i) {
      if (i > 0) {
        EXPECT_LE(unmet[i].size, unmet[i - 1].size);
      }
      rail_named = rail_named || (unmet[i].name == "slider 'rail'" && unmet[i].unit == "m");
      if (unmet[i].unit == "m") in_all += unmet[i].size;
    }
    EXPECT_TRUE(rail_named);
    EXPECT_GT(in_all, 0.49) << "the half metre that is missing is somewhere";
  }
  scene.sliders.clear();
  scene.limits.clear();
  EXPECT_TRUE(StartWith(scene)->UnmetConstraints().empty());
}

}  // namespace
}  // namespace pliant::displacement_constraints
