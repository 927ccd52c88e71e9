// Nails, attachments and sliders that begin to hold and let go: against closed forms and against
// linear deformation, whose constraints come and go by multipliers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/geometry/cubic_segment.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/contact/meeting_surfaces.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;
using testing::IsEmpty;

// Everything that holds points in a way of its own.
struct HoldingWay {
  std::string name;
  std::string formulation;
  ParameterValues parameters;
};
const std::string kSegments = kSweepingFormulations[0], kPoints = kSweepingFormulations[1];
const std::vector<HoldingWay> kHoldingWays = {
    {"segments", kSegments, {}},
    {"remembered", kSegments, {{"warm_start", 0.5}}},
    {"points", kPoints, {}},
    {"rigid among segments", kSegments, {{"rigid_bodies", std::vector<std::string>{"*"}}}},
    {"rigid among points", kPoints, {{"rigid_bodies", std::vector<std::string>{"*"}}}},
};

std::unique_ptr<Simulation> StartTranslated(const std::string& formulation, const Scene& scene,
                                            const ParameterValues& parameters = {}) {
  Translation translation = TranslateBy(formulation, scene, parameters);
  EXPECT_TRUE(translation.record.supported()) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

// To a tolerance that leaves the closed forms alone.
std::unique_ptr<Simulation> StartSwitched(const std::string& formulation, const Scene& scene,
                                          ParameterValues parameters = {}) {
  parameters.insert({"tolerance", 1e-6});
  parameters.insert({"max_sweeps", std::int64_t{20000}});
  return StartTranslated(formulation, scene, parameters);
}

Vector3d MomentumOf(const Scene& scene, const Observation& o) {
  return LinearMomentum(scene.Masses(), *o.velocities);
}

double EnergyIn(const Scene& scene, const Observation& o) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), *o.velocities) + forces.GravitationalEnergy(o.points);
}

// Two rods that swing from a nail.
Scene SwingingRods() {
  Scene scene;
  for (int i = 0; i < 2; ++i) {
    scene.bodies.push_back(MakeChain("rod" + std::to_string(i), {0, 0, 0}, {0.5, 0, 0}, 2, 1.0));
    scene.bodies[i].position = {0.5 * i, 0.0, 0.0};
  }
  scene.attachments = {{"knee", {0, 1}, {1, 0}}};
  scene.nails = {NailWhereItStarts(scene, "pivot", {0, 0})};
  return scene;
}

// Let go, the rods fly on with the momentum they had, as those of linear deformation do.
TEST(HoldsThatSwitch, LetGoLeavesTheMomentumThatWas) {
  Scene scene = SwingingRods();
  scene.nails[0].hold.until = 0.3;
  const double h = 1e-3;
  const auto linear = StartTranslated("linear-deformation", scene);
  const Observation their_release = RunFor(linear.get(), 300, h);
  const Observation their_end = RunFor(linear.get(), 200, h);
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation released = RunFor(simulation.get(), 300, h);
    EXPECT_LT(released.points.col(0).norm(), 1e-6) << name << " lets go too early";
    const Observation flying = RunFor(simulation.get(), 1, h);
    const Vector3d weight = scene.Masses().sum() * scene.gravity;
    EXPECT_LT((MomentumOf(scene, flying) - MomentumOf(scene, released) - h * weight).norm(), 1e-11)
        << name;
    const Observation end = RunFor(simulation.get(), 199, h);
    EXPECT_LT((MomentumOf(scene, end) - MomentumOf(scene, released) - 0.2 * weight).norm(), 1e-10)
        << name;
    EXPECT_LT((MomentumOf(scene, released) - MomentumOf(scene, their_release)).norm(), 0.02)
        << name;
    EXPECT_LT((end.points - their_end.points).colwise().norm().maxCoeff(), 0.01) << name;
    // All energy is accounted for, before and after.
    for (const Observation& o : {released, flying, end}) {
      EXPECT_NEAR(EnergyIn(scene, o), o.work->TotalWork(), 2e-3) << name;
    }
    EXPECT_LE(*end.constraint_error, 1e-6) << name << ": what is let go has no error";
    EXPECT_THAT(simulation->UnmetConstraints(), IsEmpty()) << name;
  }
}

// On levels each level lets go: a rope that was held by all its points falls as it is.
TEST(HoldsThatSwitch, LetGoOnEveryLevel) {
  Scene scene = SceneOf({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0)});
  for (int p = 0; p < 5; ++p) {
    scene.nails.push_back(NailWhereItStarts(scene, "nail" + std::to_string(p), {0, p}));
    scene.nails[p].hold.until = 0.1;
  }
  const auto simulation =
      StartSwitched(kSegments, scene, {{"force_fractions", std::vector<double>{0.4, 0.3, 0.3}}});
  const Observation released = RunFor(simulation.get(), 100, 1e-3);
  EXPECT_LT((released.points - scene.InitialPoints()).norm(), 1e-6);
  const Observation end = RunFor(simulation.get(), 100, 1e-3);
  const Vector3d weight = scene.Masses().sum() * scene.gravity;
  EXPECT_LT((MomentumOf(scene, end) - MomentumOf(scene, released) - 0.1 * weight).norm(), 1e-10);
  const Matrix3Xd ways = end.points - released.points - 0.1 * *released.velocities;
  EXPECT_LT((ways.colwise() - 0.005 * scene.gravity).norm(), 1e-9);
}

// A nail that begins to hold brings its point to it in one step, the one that contains its time;
// before it counts for nothing.
TEST(HoldsThatSwitch, ANailBeginsToHoldInTheStepOfItsTime) {
  Scene scene = SwingingRods();
  Nail catcher = NailWhereItStarts(scene, "catcher", {1, 1});
  catcher.path = Path::Still({0.7, -0.3, 0.1});
  catcher.hold.from = 0.1;
  scene.nails.push_back(catcher);
  scene.nails[0].hold.until = 0.1;
  const double h = 0.01;
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation before = RunFor(simulation.get(), 10, h);
    EXPECT_LT(before.points.col(0).norm(), 1e-6) << name;
    EXPECT_LE(*before.constraint_error, 1e-6) << name;
    EXPECT_THAT(simulation->UnmetConstraints(), IsEmpty()) << name;
    const Observation caught = RunFor(simulation.get(), 1, h);
    EXPECT_LT((caught.points.col(3) - Vector3d(0.7, -0.3, 0.1)).norm(), 1e-6) << name;
    EXPECT_GT(caught.points.col(0).norm(), 1e-3) << name << ": the pivot has let go";
  }
}

// One point, two nails one after the other: neither undoes what the other does.
TEST(HoldsThatSwitch, NailsOfOnePointFollowEachOther) {
  Scene scene = SwingingRods();
  scene.nails.push_back(scene.nails[0]);
  scene.nails[1].name = "next";
  scene.nails[0].hold.until = 0.1;
  scene.nails[1].hold.from = 0.1;
  for (const bool swapped : {false, true}) {
    if (swapped) std::swap(scene.nails[0], scene.nails[1]);
    for (const auto& [name, formulation, parameters] : kHoldingWays) {
      const Observation end = RunFor(StartSwitched(formulation, scene, parameters).get(), 20, 0.01);
      EXPECT_LT(end.points.col(0).norm(), 1e-6) << name;
      EXPECT_GT((end.points.col(3) - Vector3d(1, 0, 0)).norm(), 0.05) << name;
    }
  }
}

// Between two nails an attachment has nothing to do; when they let go it holds.
TEST(HoldsThatSwitch, AttachmentsOutlastTheNailsOfBothEnds) {
  Scene scene = SwingingRods();
  scene.nails = {NailWhereItStarts(scene, "left", {0, 1}),
                 NailWhereItStarts(scene, "right", {1, 0})};
  for (Nail& nail : scene.nails) nail.hold.until = 0.1;
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation held = RunFor(simulation.get(), 10, 0.01);
    EXPECT_LT((held.points.col(1) - Vector3d(0.5, 0, 0)).norm(), 1e-6) << name;
    const Observation free = RunFor(simulation.get(), 10, 0.01);
    EXPECT_LT(free.points(1, 1), -0.04) << name;
    EXPECT_LT((free.points.col(1) - free.points.col(2)).norm(), 1e-6) << name;
  }
  // Also where the nails agree but for rounding.
  scene.nails[1].path = Path::Still({0.5, 1e-17, 0.0});
  const auto simulation = StartSwitched(kPoints, scene);
  EXPECT_LE(*RunFor(simulation.get(), 20, 0.01).constraint_error, 1e-6);
}

// Two rods in flight are held together for a while: their momentum stays, and so does what they
// have when they are let go; the energy of the catch is the work of constraints.
TEST(HoldsThatSwitch, AttachmentsHoldForAWhileAndKeepTheMomentum) {
  Scene scene = SwingingRods();
  scene.nails.clear();
  scene.gravity.setZero();
  scene.bodies[0].velocity = {0.4, 0.3, 0.0};
  scene.bodies[1].velocity = {-0.4, 0.0, 0.2};
  scene.attachments[0].hold = {0.05, 0.2};
  const double h = 0.01;
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation start = Observed(*simulation);
    const Vector3d momentum = MomentumOf(scene, start);
    const Observation apart = RunFor(simulation.get(), 5, h);
    const auto gap = [](const Observation& o) {
      return (o.points.col(1) - o.points.col(2)).norm();
    };
    EXPECT_NEAR(gap(apart), 0.05 * Vector3d(0.8, 0.3, -0.2).norm(), 1e-9) << name;
    const Observation held = RunFor(simulation.get(), 15, h);
    EXPECT_LT(gap(held), 1e-6) << name;
    const Observation free = RunFor(simulation.get(), 20, h);
    EXPECT_GT((free.points.col(0) - held.points.col(0)).norm(), 0.01) << name;
    for (const Observation& o : {apart, held, free}) {
      EXPECT_LT((MomentumOf(scene, o) - momentum).norm(), 1e-12) << name;
      EXPECT_NEAR(EnergyIn(scene, o) - EnergyIn(scene, start), o.work->TotalWork(), 2e-4) << name;
    }
    EXPECT_LE(*apart.constraint_error, 1e-6) << name;
    EXPECT_LE(*free.constraint_error, 1e-6) << name;
    EXPECT_THAT(simulation->UnmetConstraints(), IsEmpty()) << name;
    // Each rod goes on by itself.
    const Observation later = RunFor(simulation.get(), 1, h);
    for (const int rod : {0, 2}) {
      const auto of = [rod](const Observation& o) {
        return Vector3d(o.velocities->col(rod) + o.velocities->col(rod + 1));
      };
      EXPECT_LT((of(later) - of(free)).norm(), 1e-12) << name;
      EXPECT_LT((of(free) - of(held)).norm(), 1e-9) << name;
    }
  }
}

// A rod whose two points slide on a level rail, until it ends: from there on it falls.
TEST(HoldsThatSwitch, SlidersLetGo) {
  Scene scene = SceneOf({MakeChain("rod", {0, 0, 0}, {0.5, 0, 0}, 2, 1.0)});
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  for (int p : {0, 1}) {
    Slider rail = {.name = "rail" + std::to_string(p), .point = {0, p}};
    rail.hold.until = 0.2;
    scene.sliders.push_back(rail);
  }
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation held = RunFor(simulation.get(), 20, 0.01);
    EXPECT_LT(held.points.row(1).cwiseAbs().maxCoeff(), 1e-6) << name;
    const Observation free = RunFor(simulation.get(), 20, 0.01);
    for (const int p : {0, 1}) {
      const Vector3d v = held.velocities->col(p);
      EXPECT_LT((v - Vector3d::UnitX()).norm(), kG * 0.01) << name;
      EXPECT_LT((free.points.col(p) - held.points.col(p) - 0.2 * v - 0.02 * scene.gravity).norm(),
                1e-9)
          << name;
    }
    EXPECT_LE(*free.constraint_error, 1e-6) << name;
    EXPECT_THAT(simulation->UnmetConstraints(), IsEmpty()) << name;
  }
}

// Rods that swing from a rail: let go, their weight alone changes their momentum.
TEST(HoldsThatSwitch, SlidersLeaveTheMomentumThatWas) {
  Scene scene = SwingingRods();
  scene.nails.clear();
  Slider rail = {.name = "rail", .point = {0, 0}};
  rail.hold.until = 0.2;
  scene.sliders = {rail};
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const Observation held = RunFor(simulation.get(), 20, 0.01);
    EXPECT_LT(std::abs(held.points(1, 0)), 1e-6) << name;
    const Observation free = RunFor(simulation.get(), 20, 0.01);
    const Vector3d gained = MomentumOf(scene, free) - MomentumOf(scene, held);
    EXPECT_LT((gained - 0.2 * scene.Masses().sum() * scene.gravity).norm(), 1e-10) << name;
  }
}

// From a state before the switches a run continues bit for bit, also one that is past them.
TEST(HoldsThatSwitch, AreNoStateButTheTime) {
  Scene scene = SwingingRods();
  scene.nails[0].hold.until = 0.1;
  scene.nails.push_back(scene.nails[0]);
  scene.nails[1].name = "again";
  scene.nails[1].hold = {0.15, 0.2};
  scene.attachments[0].hold.until = 0.12;
  Slider plane = {.name = "plane",
                  .point = {1, 1},
                  .kind = Slider::Kind::kPlane,
                  .direction = Vector3d::UnitY()};
  plane.through = {0.0, -0.2, 0.0};
  plane.hold = {0.16, 0.22};
  scene.sliders = {plane};
  for (const auto& [name, formulation, parameters] : kHoldingWays) {
    const auto one = StartSwitched(formulation, scene, parameters),
               two = StartSwitched(formulation, scene, parameters);
    for (int i = 0; i < 5; ++i) one->Advance(0.01);
    const VectorXd saved = one->Save();
    for (int i = 0; i < 25; ++i) {
      one->Advance(0.01);
      if (i == 6) two->Restore(one->Save());  // at 0.12, in another simulation
      if (i > 6) two->Advance(0.01);
    }
    EXPECT_EQ(one->Save(), two->Save()) << name;
    const VectorXd end = one->Save();
    one->Restore(saved);
    for (int i = 0; i < 25; ++i) one->Advance(0.01);
    EXPECT_EQ(one->Save(), end) << name;
  }
}

// What is held to a face does not touch it, while it is held.
TEST(HoldsThatSwitch, WhatIsLetGoTouchesAgain) {
  Scene scene = Weightless({Sheet(3)});
  scene.bodies.push_back(Sheet(3));
  scene.bodies[1].name = "other";
  scene.bodies[1].position.z() = 0.5;
  scene.attachments = {{"pin", {0, 4}, {1, 4}, {0.5, 1.0}}, {"pin2", {0, 0}, {1, 0}}};
  const Matrix3Xd rest = scene.InitialPoints();
  MeetingSurfaces surfaces(scene, {.thickness = 0.1}, {false, false}, rest);
  for (const auto& [end, touches] :
       std::vector<std::pair<double, bool>>{{0.5, true}, {0.6, false}, {1.0, false}, {1.1, true}}) {
    surfaces.Begin(rest, end);
    for (int f = 0; f < static_cast<int>(surfaces.faces().size()); ++f) {
      const auto& face = surfaces.faces()[f];
      const auto has = [&face](int p) { return std::ranges::find(face, p) != face.end(); };
      if (has(13)) {
        EXPECT_EQ(surfaces.CanTouch(4, f), touches) << end;
      }
      if (has(9)) {
        EXPECT_FALSE(surfaces.CanTouch(0, f)) << end;
      }
    }
  }
}

// Through its preroll a nail leads its point along the cubic between both motions, whatever holds
// the point then, and the point has the velocity of the path when it is there. The way is state.
TEST(HoldsThatSwitch, APrerollLeadsToThePath) {
  std::vector<HoldingWay> ways = kHoldingWays;
  ways.push_back({"on levels", kSegments, {{"force_fractions", std::vector{0.5, 0.5}}}});
  ways.push_back({"through levels", kSegments, {{"solver_levels", std::int64_t{2}}}});
  for (const auto& [name, formulation, parameters] : ways) {
    SCOPED_TRACE(name);
    Scene scene = SceneOf({MakeChain("rod", {0, 0, 0}, {0.5, 0, 0}, 3, 1.0)});
    scene.bodies[0].velocity = {0.5, 0.3, 0.0};
    Nail nail{"hook", {0, 0}, Path::Still({0.2, 0.1, 0.05})};
    nail.hold.from = 0.2;
    nail.preroll = 0.1;
    scene.nails = {nail};
    const auto simulation = StartSwitched(formulation, scene, parameters);
    const double h = 0.0025;
    Observation o = RunFor(simulation.get(), 40, h);  // t = 0.1
    const Vector3d x0 = o.points.col(0), v0 = o.velocities->col(0);
    const CubicSegment way =
        CubicSegment::Join(0.1, x0, v0, 0.2, nail.path.At(0.2).position, Vector3d::Zero());
    o = RunFor(simulation.get(), 20, h);
    EXPECT_LT((o.points.col(0) - way.At(0.15).position).norm(), 0.25e-6);
    const VectorXd saved = simulation->Save();
    o = RunFor(simulation.get(), 20, h);
    EXPECT_LT((o.points.col(0) - nail.path.At(0.2).position).norm(), 0.25e-6);
    const Vector3d last = (way.At(0.2).position - way.At(0.2 - h).position) / h;
    EXPECT_LT((o.velocities->col(0) - last).norm(), h * kG) << "as it moved in the last step";
    const VectorXd end = simulation->Save();
    const auto other = StartSwitched(formulation, scene, parameters);
    other->Restore(saved);
    RunFor(other.get(), 20, h);
    EXPECT_EQ(other->Save(), end);
  }
}

// Coarse levels of the sweeps hold what nails hold now: what was let go before a blow has all of
// its momentum, and what is held from then on stays where it is.
TEST(HoldsThatSwitch, SweepsThroughLevelsKnowWhatHolds) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({MakeSheet("sheet", {1.0, 1.0}, {9, 9}, 1.0)});
    for (const int p : {0, 8, 72, 80, 40}) {
      scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(p), {0, p}));
      scene.nails.back().hold.until = 0.05;
    }
    const Vector3d blow(0.005, 0.01, 0.05);
    scene.impulses = {{"blow", {0, 10}, blow, 0.1}};
    const ParameterValues parameters = {{"solver_levels", std::int64_t{4}}};
    const auto free = StartTranslated(formulation, scene, parameters);
    const Observation flown = RunFor(free.get(), 30, 0.01);
    EXPECT_LT((MomentumOf(scene, flown) - blow).norm(), 1e-12) << formulation;

    scene.nails = {scene.nails.back()};  // the middle
    scene.nails[0].hold = {0.05, 1.0};
    const auto held = StartTranslated(formulation, scene, parameters);
    const Observation kept = RunFor(held.get(), 30, 0.01);
    for (const Nail& nail : scene.nails) {
      const int p = scene.Index(nail.point);
      EXPECT_LT((kept.points.col(p) - scene.InitialPoints().col(p)).norm(), 0.004 / 8) << p;
    }
    EXPECT_LT(flown.iterations.value(), 30 * 20);
  }
}

TEST(HoldsThatSwitch, AreInTheRecord) {
  Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  const auto entry = [&scene](const ParameterValues& parameters) {
    const Translation translation = TranslateBy(kSegments, scene, parameters);
    for (const TranslatedElement& said : translation.record.Entries()) {
      if (said.element == "nail.hook.switch") return said;
    }
    return TranslatedElement{};
  };
  EXPECT_EQ(entry({}).element, "") << "what always holds has no switch";
  scene.nails[0].hold.until = 0.4;
  EXPECT_EQ(entry({}).fidelity, Fidelity::kExact);
  EXPECT_EQ(entry({{"solver_levels", std::int64_t{3}}}).fidelity, Fidelity::kExact);
  scene.nails[0].hold.from = 0.2;
  EXPECT_EQ(entry({}).fidelity, Fidelity::kApproximated);
  EXPECT_THAT(entry({}).reason, HasSubstr("in one step"));
  scene.nails[0].preroll = 0.1;
  EXPECT_EQ(entry({}).fidelity, Fidelity::kExact);
  EXPECT_THAT(entry({}).reason, HasSubstr("cubic"));
}

}  // namespace
}  // namespace pliant
