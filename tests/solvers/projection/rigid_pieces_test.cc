// Rigid bodies with several attachment points: inertia, gyroscopic motion, corrections, and whole
// scenes against closed forms and against segments, which are the case of two points.

#include "solvers/projection/rigid_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/geometry/rotation.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::testing::HasSubstr;

// The 8 corners of a box; 2 kg.
Body Box(const std::string& name, const Vector3d& size) {
  return MakeBlock(name, {size.x(), size.y(), size.z()}, {2, 2, 2}, 2.0);
}

DisplacementConstraintsOptions AllRigid() {
  DisplacementConstraintsOptions options = SweptTo(1e-9, 100000);
  options.rigid_bodies = {"*"};
  return options;
}

RigidPiece PieceOf(const Body& body, RigidMotion* motion,
                   PieceInertia inertia = PieceInertia::kOfPoints) {
  return RigidPiece(body.rest, body.mass, inertia, motion);
}

TEST(RigidPiece, HasTheInertiaOfItsPoints) {
  Body box = Box("box", {1.0, 2.0, 3.0});
  const Quaterniond turn = Turn(Vector3d(0.3, -0.7, 1.1));
  box.rest = turn.toRotationMatrix() * box.rest;
  box.rest.colwise() += Vector3d(4, 5, 6);
  RigidMotion motion;
  const RigidPiece piece = PieceOf(box, &motion);
  EXPECT_NEAR((motion.centre - Vector3d(4, 5, 6)).norm(), 0.0, 1e-12);
  // m (b² + c²)/4 and so on, each about its axis of the box.
  const Vector3d moments(2.0 * 13 / 4, 2.0 * 10 / 4, 2.0 * 5 / 4);
  for (int k = 0; k < 3; ++k) {
    motion.spin = turn * Vector3d::Unit(k);
    EXPECT_LT((piece.Momentum(motion) - moments[k] * motion.spin).norm(), 1e-12) << k;
    EXPECT_LT((piece.Turned(motion.orientation, piece.Momentum(motion)) - motion.spin).norm(),
              1e-12);
  }
  for (int i = 0; i < box.size(); ++i) {
    const Vector3d at = motion.centre + motion.orientation * piece.arm(i);
    EXPECT_LT((at - box.rest.col(i)).norm(), 1e-12);
  }
}

TEST(RigidPiece, RodAndPointHaveNoInertiaWhereTheyHaveNoExtent) {
  RigidMotion motion;
  const RigidPiece rod = PieceOf(MakeChain("rod", {0, 0, 0}, {0, 2, 0}, 3, 3.0), &motion);
  const Vector3d along(0, 1, 0), across(1, 0, 2);
  EXPECT_LT(rod.Turned(motion.orientation, along).norm(), 1e-12);
  EXPECT_LT((rod.Possible(motion.orientation, along + across) - across).norm(), 1e-12);
  motion.spin = across;
  EXPECT_LT((rod.Momentum(motion) - 2.0 * across).norm(), 1e-12);  // 2 · 1 kg · (1 m)²
}

// A body with two equal moments: its axis goes about the angular momentum with the rate L/J₁.
TEST(RigidPiece, SymmetricTopPrecesses) {
  const Body box = Box("box", {1.0, 1.0, 2.0});
  const double across = 2.0 * 5 / 4, along = 2.0 * 2 / 4;  // J₁, J₃
  double last = 0.0;
  for (const int steps : {100, 200}) {
    RigidMotion motion;
    const RigidPiece piece = PieceOf(box, &motion);
    motion.spin = Vector3d(0.6, 0.0, 2.0);
    const Vector3d momentum(across * 0.6, 0.0, along * 2.0);
    const Quaterniond start = motion.orientation;
    const double time = 3.0;
    for (int i = 0; i < steps; ++i) {
      MoveFreely(piece, time / steps, 0.5, Vector3d::Zero(), Vector3d::Zero(), &motion);
    }
    EXPECT_LT((piece.Momentum(motion) - momentum).norm(), 1e-12);
    const Vector3d axis = motion.orientation * (start.conjugate() * Vector3d::UnitZ());
    const Vector3d expected = Turn(time / across * momentum) * Vector3d::UnitZ();
    const double error = (axis - expected).norm();
    EXPECT_LT(error, 2e-3);
    if (last > 0.0) {
      EXPECT_NEAR(last / error, 4.0, 0.3);  // second order
    }
    last = error;
  }
}

// About its middle axis a body turns over, and with unit inertia it does not.
TEST(RigidPiece, TurnsOverAboutItsMiddleAxis) {
  const Body box = Box("box", {1.0, 2.0, 4.0});
  for (const auto inertia : {PieceInertia::kOfPoints, PieceInertia::kUnit}) {
    RigidMotion motion;
    const RigidPiece piece = PieceOf(box, &motion, inertia);
    const Quaterniond start = motion.orientation;
    motion.spin = Vector3d(0.01, 3.0, 0.0);
    const double energy = motion.spin.dot(piece.Momentum(motion));
    double least = 1.0;
    for (int i = 0; i < 5000; ++i) {
      MoveFreely(piece, 0.002, 0.5, Vector3d::Zero(), Vector3d::Zero(), &motion);
      const Vector3d middle = motion.orientation * (start.conjugate() * Vector3d::UnitY());
      least = std::min(least, middle.y());
    }
    if (inertia == PieceInertia::kUnit) {
      EXPECT_GT(least, 0.99);
    } else {
      EXPECT_LT(least, -0.9);
    }
    EXPECT_NEAR(motion.spin.dot(piece.Momentum(motion)) / energy, 1.0, 1e-4);
  }
}

TEST(RigidPieces, MobilityIsWhatAnImpulseDisplacesAPointBy) {
  RandomNumbers random(7);
  const Scene scene = Weightless({Box("box", {1.0, 0.5, 0.7})});
  for (const auto rule : {CorrectionRule::kCorrected, CorrectionRule::kSource}) {
    DisplacementConstraintsOptions options = AllRigid();
    options.correction = rule;
    options.rotation_factor = 0.0;  // the source's stiffness knows translations only
    const RigidPieces start(scene, options.pieces(), scene.InitialPoints());
    const WeightedPoint one{1, {3}, {1.0}}, mean{3, {0, 1, 6}, {0.2, 0.5, 0.3}};
    for (const WeightedPoint& point : {one, mean}) {
      const Vector3d impulse = 1e-6 * random.Vector();
      RigidPieces moved = start;
      moved.Push(point, impulse);
      const Vector3d by = moved.Point(point) - start.Point(point);
      EXPECT_LT((by - start.Mobility(point) * impulse).norm(), 1e-5 * by.norm());
      EXPECT_LE(by.norm(), (1.0 + 1e-5) * start.LargestMobility(point) * impulse.norm());
      if (rule == CorrectionRule::kCorrected && point.count == 1) {
        EXPECT_GT((by - impulse / 2.0).norm(), 0.1 * by.norm()) << "it turns";
      }
    }
  }
}

// A body of two points is a segment: the same motion in the plane, with every update of velocities.
TEST(RigidPieces, OfTwoPointsMoveAsSegmentsDo) {
  Scene scene = SceneOf({MakeChain("upper", {0, 0, 0}, {1, 0, 0}, 2, 1.0),
                         MakeChain("lower", {1, 0, 0}, {1.5, 0.5, 0}, 2, 0.5)});
  scene.bodies[1].angular_velocity = {0.0, 0.0, 2.0};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  scene.attachments = {{"elbow", {0, 1}, {1, 0}}};
  scene.impulses = {{"blow", {1, 1}, {0.3, 0.1, 0.0}, 0.05}};
  for (const auto update :
       {VelocityUpdate::kCorrected, VelocityUpdate::kEulerCromer, VelocityUpdate::kPrinted}) {
    for (const auto inertia : {SegmentInertia::kLumped, SegmentInertia::kIdentity}) {
      DisplacementConstraintsOptions options = AllRigid();
      options.velocity_update = update;
      options.inertia = inertia;
      const auto rigid = Start(scene, options);
      options.rigid_bodies = {};
      const auto segments = Start(scene, options);
      const Observation a = RunFor(rigid.get(), 200, 0.002);
      const Observation b = RunFor(segments.get(), 200, 0.002);
      EXPECT_GT((b.points - scene.InitialPoints()).norm(), 0.5);
      EXPECT_LT((a.points - b.points).norm(), 1e-6);
      EXPECT_LT((*a.velocities - *b.velocities).norm(), 1e-5);
      for (int w = 0; w < kWorkClasses; ++w) {
        EXPECT_NEAR(a.work->work[w], b.work->work[w], 1e-5) << w;
      }
    }
  }
}

// A block on a nail swings with 2π √((J + m l²)/(m g l)), whatever else of the world is points.
TEST(RigidPieces, BlockSwingsWithThePeriodOfAPhysicalPendulum) {
  Scene scene = SceneOf({MakeBlock("block", {0.4, 1.0, 0.2}, {3, 3, 3}, 3.0)});
  const Eigen::Matrix3Xd rest = scene.InitialPoints();
  const int top = 1 + 3 * (2 + 3 * 1);  // the middle of the upper face
  scene.nails = {NailWhereItStarts(scene, "hook", {0, top})};
  double about_nail = 0.0;  // J + m l²
  for (int i = 0; i < rest.cols(); ++i) {
    const Vector3d r = rest.col(i) - rest.col(top);
    about_nail += scene.bodies[0].mass[i] * r.head<2>().squaredNorm();
  }
  const double period = 2.0 * std::numbers::pi * std::sqrt(about_nail / (3.0 * kG * 0.5));
  scene.impulses = {{"push", {0, 13}, {0.01, 0.0, 0.0}, 0.0}};
  for (const char* formulation : kSweepingFormulations) {
    const ParameterValues parameters = {{"rigid_bodies", std::vector<std::string>{"block"}},
                                        {"tolerance", 1e-9},
                                        {"max_sweeps", std::int64_t{100000}}};
    const auto simulation = TranslateBy(formulation, scene, parameters).simulation;
    Observation o;
    double x = 0.0, crossed = 0.0;
    int crossings = 0;
    const double h = 0.002;
    while (crossings < 4) {  // from right to left and back
      ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
      simulation->Observe(&o);
      const double now = o.points(0, 13);
      if (x != 0.0 && (x > 0.0) != (now > 0.0)) {
        ++crossings;
        crossed = o.time - h * now / (now - x);
      }
      x = now;
    }
    EXPECT_NEAR(crossed, 2.0 * period, 0.003 * period);
    for (int i = 1; i < rest.cols(); ++i) {  // it stays rigid
      EXPECT_NEAR((o.points.col(i) - o.points.col(0)).norm(), (rest.col(i) - rest.col(0)).norm(),
                  1e-12);
    }
  }
}

// A ring of three bodies, joined at points of the scene's choosing, in space and struck: momentum
// stays, joints close, among segments and among points alike, beside a rope that is not rigid.
TEST(RigidPieces, JoinedBodiesKeepTheirMomentum) {
  Scene scene = Weightless({Box("left", {1, 1, 1})});
  Body right = Box("right", {1, 1, 1});
  right.position = {1, 0, 0};
  scene.bodies.push_back(right);
  scene.bodies.push_back(MakeChain("rope", {0.5, 0.5, 0.5}, {0.5, 1.5, 0.5}, 5, 0.5));
  scene.attachments = {{"near", {0, 1}, {1, 0}}, {"far", {0, 3}, {1, 2}}, {"tail", {0, 7}, {2, 0}}};
  scene.contacts = {{.a = 1, .b = 2, .ignored = true}};  // joints alone, to rounding
  const Vector3d impulse(0.2, -0.4, 0.7);
  scene.impulses = {{"blow", {1, 5}, impulse, 0.0}};
  const VectorXd m = scene.Masses();
  for (const char* rule : kSweepingFormulations) {
    const auto simulation =
        TranslateBy(rule, scene, {{"rigid_bodies", std::vector<std::string>{"left", "right"}}})
            .simulation;
    const Observation end = RunFor(simulation.get(), 200, 0.005);
    EXPECT_LT((LinearMomentum(m, *end.velocities) - impulse).norm(), 1e-12) << rule;
    EXPECT_LT(*end.constraint_error, 0.004 * 0.25 + 1e-12);
    EXPECT_GT((end.points - scene.InitialPoints()).norm(), 0.5);
  }
}

// What falls on a floor rests there, on all the points that touch it.
TEST(RigidPieces, RestOnAFloor) {
  Scene scene = SceneOf({Box("box", {1, 1, 1})});
  scene.bodies[0].position = {0, 0.6, 0};
  scene.bodies[0].orientation = Turn(Vector3d(0.05, 0.0, 0.08));
  scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.5)};
  DisplacementConstraintsOptions options = AllRigid();
  options.tolerance = 1e-4;
  options.bounce = 0.0;
  const auto simulation = Start(scene, options);
  const Observation end = RunFor(simulation.get(), 1500, 0.002);
  EXPECT_GT(end.points.row(1).minCoeff(), -2e-4);
  EXPECT_NEAR(end.points.row(1).mean(), 0.5, 2e-3);
  EXPECT_LT(end.velocities->colwise().norm().maxCoeff(), 0.02);
}

TEST(RigidPieces, AreNamedByTheirBodies) {
  Scene scene = Weightless({Box("box", {1, 1, 1})});
  scene.bodies.push_back(Sheet(5));
  const auto translate = [&scene](const ParameterValues& parameters,
                                  const char* formulation = "displacement-constraints") {
    return TranslateBy(formulation, scene, parameters);
  };
  const auto names = [](std::vector<std::string> list) { return list; };
  const Translation some = translate({{"rigid_bodies", names({"box"})}});
  EXPECT_THAT(some.record.Entries()[0].reason, HasSubstr("rigid body with the inertia"));
  EXPECT_THAT(some.record.Entries()[1].reason, HasSubstr("net of rigid segments"));
  const Translation unit =
      translate({{"rigid_bodies", names({"*"})}, {"inertia", std::string("identity")}});
  EXPECT_THAT(unit.record.Entries()[1].reason, HasSubstr("unit inertia"));
  reference::ExpectBadInput("rigid_bodies", {"box"}, [&] {
    translate({{"rigid_bodies", names({"bix"})}});
  });
  scene.bodies.erase(scene.bodies.begin());
  EXPECT_THROW(translate({{"rigid_bodies", names({"sheet"})},
                          {"force_fractions", std::vector<double>{0.5, 0.5}}}),
               BadInput);
  for (const char* formulation : kSweepingFormulations) {
    EXPECT_THROW(translate({{"rigid_bodies", names({"sheet"})}, {"solver_levels", std::int64_t{2}}},
                           formulation),
                 BadInput);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
