// Surfaces that keep their thickness from themselves and from one another.

#include "solvers/contact/surface_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/counted_allocations.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

// Pairs of a point and a face, of all bodies, through which the point goes between two instants.
int Passed(const Scene& scene, const Matrix3Xd& before, const Matrix3Xd& now) {
  int passed = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const int offset = scene.Offset(static_cast<int>(b));
    for (const auto& face : scene.bodies[b].faces) {
      PointAndFace pair;
      for (int c = 0; c < 3; ++c) {
        pair.before[c] = before.col(offset + face[c]);
        pair.corners[c] = now.col(offset + face[c]);
      }
      for (Eigen::Index p = 0; p < now.cols(); ++p) {
        if (p == offset + face[0] || p == offset + face[1] || p == offset + face[2]) continue;
        pair.point_before = before.col(p);
        pair.point = now.col(p);
        passed += ApproachOf(pair, 1e-6).passed ? 1 : 0;
      }
    }
  }
  return passed;
}

struct Way {
  const char* formulation;
  std::int64_t levels;  // of the sweeps
};
constexpr Way kWays[] = {
    {"displacement-constraints", 1}, {"position-based", 1}, {"position-based", 4}};

ParameterValues Surfaces(const Way& way, double thickness) {
  ParameterValues parameters;
  parameters["solver_levels"] = way.levels;
  parameters["surface_thickness"] = thickness;
  parameters["max_sweeps"] = std::int64_t{2000};
  return parameters;
}

// Held along a line beside its middle, both halves of a sheet fall and swing against each other.
Scene ClosingBook() {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, 0.0, -kG};
  for (const int row : {0, 1, 2, 3, 4, 5, 6, 7, 8}) {
    scene.nails.push_back(NailWhereItStarts(scene, "spine", {0, 9 * row + 3}));
  }
  return scene;
}

TEST(SurfaceContacts, AFoldDoesNotPassThroughItself) {
  for (const Way& way : kWays) {
    for (const double thickness : {0.0, 0.03}) {
      const Scene scene = ClosingBook();
      const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, thickness));
      Observation now = Observed(*translation.simulation);
      int passed = 0;
      double crossed = -1.0;  // how far the left edge gets to the right of the other flap
      for (int i = 0; i < 120; ++i) {
        const Matrix3Xd before = now.points;
        now = RunFor(translation.simulation.get(), 1, 0.01);
        passed += Passed(scene, before, now.points);
        for (int row = 0; row < 9; ++row) {
          crossed = std::max(crossed, now.points(0, 9 * row) - now.points(0, 9 * row + 6));
        }
      }
      if (thickness > 0.0) {
        EXPECT_EQ(passed, 0) << way.formulation << " " << way.levels;
        EXPECT_LT(crossed, 0.03) << way.formulation << " " << way.levels;
      } else {
        EXPECT_GT(passed, 5) << way.formulation << " " << way.levels;
        EXPECT_GT(crossed, 0.1) << way.formulation << " " << way.levels;
      }
      // Swept by levels, points leave contacts open between the flaps, and say so.
      for (const UnmetConstraint& unmet : translation.simulation->UnmetConstraints()) {
        EXPECT_TRUE(way.formulation == std::string("position-based") && way.levels > 1)
            << unmet.name;
        EXPECT_LT(unmet.size, 0.25 * thickness) << unmet.name;
      }
    }
  }
}

// What is led out of a contact gets no speed by it: nothing makes energy, however short the steps.
TEST(SurfaceContacts, AFoldMakesNoEnergy) {
  const Scene scene = ClosingBook();
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      const Translation translation =
          TranslateBy(formulation, scene, {{"surface_thickness", 0.05}});
      double lowest = 0.0, made = 0.0, kinetic = 0.0;
      for (int i = 0; i < static_cast<int>(std::lround(0.8 / h)); ++i) {
        translation.simulation->Advance(h);
        Observation now;
        translation.simulation->Observe(&now);
        const double energy = EnergyOf(scene, now);
        lowest = std::min(lowest, energy);
        made = std::max(made, energy - lowest);
        kinetic = std::max(kinetic, KineticEnergy(scene.Masses(), *now.velocities));
      }
      EXPECT_GT(kinetic, 2.0);
      EXPECT_LT(made, 0.01 * kinetic) << formulation << ", step " << h;
    }
  }
}

// Two sheets that meet crosswise and turned, in empty space.
Scene Clash() {
  Scene scene = Weightless({Sheet(9)});
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].mass *= 2.0;
  scene.bodies[1].position = {0.23, 0.31, 0.2};
  scene.bodies[1].orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()));
  scene.bodies[1].position.z() = 0.35;
  scene.bodies[0].velocity = {0.0, 0.3, 1.0};
  scene.bodies[1].velocity = {0.5, 0.0, -1.0};
  return scene;
}

TEST(SurfaceContacts, KeepMomentumAndTakeEnergy) {
  const Scene scene = Clash();
  const VectorXd m = scene.Masses();
  const Vector3d momentum(1.0, 0.3, -1.0);
  for (const Way& way : kWays) {
    const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    Observation now = Observed(*translation.simulation);
    const double before = KineticEnergy(m, *now.velocities);
    int passed = 0;
    for (int i = 0; i < 60; ++i) {
      const Matrix3Xd x = now.points;
      now = RunFor(translation.simulation.get(), 1, 0.01);
      passed += Passed(scene, x, now.points);
      EXPECT_LT((LinearMomentum(m, *now.velocities) - momentum).norm(), 1e-12);
    }
    EXPECT_EQ(passed, 0);
    const double after = KineticEnergy(m, *now.velocities);
    EXPECT_LT(after, 0.9 * before) << way.formulation;
    EXPECT_LT((*now.work)[WorkClass::kContact], -0.05 * before) << way.formulation;
    EXPECT_NEAR((*now.work)[WorkClass::kContact] + (*now.work)[WorkClass::kConstraint],
                after - before, 1e-3 * before)
        << way.formulation;
  }
}

// Two small plates, one behind the other, come down on a large one at a grazing angle. What goes
// farther aside in a step than a face is wide is past the face that it meets: it is kept on its side
// all the same. What passes beside the border meets nothing.
TEST(SurfaceContacts, AreNotTooSlowForWhatIsFast) {
  struct Flight {
    double speed, from;  // m/s, in steps of 10 ms, and m; a face is 0.125 m wide
    bool meets;
  };
  for (const Way& way : kWays) {
    for (const Flight& flight :
         {Flight{2.0, -0.31, true}, {30.0, -0.31, true}, {30.0, 0.41, false}}) {
      SCOPED_TRACE(testing::Message() << way.formulation << " " << way.levels << ", "
                                      << flight.speed << " " << flight.from);
      const Vector3d velocity = flight.speed * Vector3d(1.0, 0.0, -0.2);
      Scene scene = Weightless({Sheet(9)});
      for (const double steps : {0.0, 1.0}) {
        scene.bodies.push_back(MakeSheet(steps == 0.0 ? "one" : "two", {0.12, 0.12}, {9, 9}, 0.01));
        scene.bodies.back().position =
            Vector3d(flight.from, -0.1, 0.031) + steps * Vector3d(-0.3, 0.0, 0.06);
        scene.bodies.back().velocity = velocity;
      }
      ParameterValues parameters = Surfaces({way.formulation, 1}, 0.01);
      parameters["rigid_bodies"] = std::vector<std::string>{"one", "two"};
      const Translation translation = TranslateBy(way.formulation, scene, parameters);
      Simulation& simulation = *translation.simulation;
      Observation before, now;
      simulation.Observe(&before);
      int passed = 0;
      for (int i = 0; i < (flight.speed < 10.0 ? 12 : 2); ++i) {
        now = RunFor(&simulation, 1, 0.01);
        passed += Passed(scene, before.points, now.points);
        before = now;
      }
      EXPECT_EQ(passed, 0);
      const double change =
          (now.velocities->rightCols(162).colwise() - velocity).colwise().norm().maxCoeff();
      EXPECT_EQ(change > 0.1, flight.meets) << change;
    }
  }
}

TEST(SurfaceContacts, DoNothingFarFromContact) {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, 0.0, -kG};
  scene.nails = {NailWhereItStarts(scene, "left", {0, 0})};
  for (const Way& way : kWays) {
    Observation with, without;
    for (const double thickness : {0.0, 0.002}) {
      const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, thickness));
      (thickness > 0.0 ? with : without) = RunFor(translation.simulation.get(), 30, 0.01);
    }
    EXPECT_EQ(with.points, without.points) << way.formulation;
    EXPECT_EQ(*with.velocities, *without.velocities) << way.formulation;
  }
}

#ifdef PLIANT_COUNTS_ALLOCATIONS
// Once the arrays have grown as far as a clash needs, its steps take no memory.
TEST(SurfaceContacts, TakeNoMemoryOnceTheyHaveGrown) {
  const Scene scene = Clash();
  const long before_all = allocations;
  EXPECT_NE(std::make_unique<Scene>(), nullptr);
  ASSERT_GT(allocations, before_all) << "allocations are not counted";
  for (const Way& way : kWays) {
    const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    Simulation& simulation = *translation.simulation;
    const VectorXd start = simulation.Save();
    for (int i = 0; i < 60; ++i) simulation.Advance(0.01);
    simulation.Restore(start);
    const long before = allocations;
    for (int i = 0; i < 60; ++i) simulation.Advance(0.01);
    EXPECT_EQ(allocations - before, 0) << way.formulation << " " << way.levels;
  }
}
#endif

// A tilted sheet falls onto a rigid slab that is nailed, and comes to lie on it.
TEST(SurfaceContacts, AreOfRigidBodiesToo) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({Sheet(9)});
    scene.gravity = {0.0, 0.0, -kG};
    scene.bodies[0].orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.1, Vector3d::UnitX()));
    scene.bodies.push_back(MakeBlock("slab", {2.0, 2.0, 0.2}, {4, 4, 2}, 2.0));
    scene.bodies[1].position = {0.02, 0.01, -0.25};
    for (const int corner : {0, 3, 12, 15}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {1, corner}));
    }
    ParameterValues parameters = Surfaces({formulation, 1}, 0.02);
    parameters["rigid_bodies"] = std::vector<std::string>{"slab"};
    parameters["surface_friction"] = 0.6;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    Observation now = Observed(*translation.simulation);
    int passed = 0;
    for (int i = 0; i < 100; ++i) {
      const Matrix3Xd before = now.points;
      now = RunFor(translation.simulation.get(), 1, 0.01);
      passed += Passed(scene, before, now.points);
    }
    EXPECT_EQ(passed, 0) << formulation;
    EXPECT_GT(now.points.leftCols(81).row(2).minCoeff(), -0.15 + 0.02 - 1e-3) << formulation;
    EXPECT_LT(now.points.leftCols(81).row(2).maxCoeff(), -0.15 + 0.03) << formulation;
    EXPECT_LT((now.points.rightCols(32) - scene.InitialPoints().rightCols(32)).norm(), 1e-2);
  }
}

// What is pressed on a slab that nothing presses takes and gives nothing there.
TEST(SurfaceContacts, DoNoWorkOnWhatRests) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({Sheet(5)});
    for (int p = 0; p < 25; ++p) {
      const Vector3d weight(0.0, 0.0, -kG * scene.bodies[0].mass[p]);
      scene.forces.push_back({"weight" + std::to_string(p), {0, p}, weight, 0.0, 1.0});
    }
    scene.bodies[0].position.z() = 0.1 + 0.05;
    scene.bodies.push_back(MakeBlock("slab", {2.0, 2.0, 0.2}, {4, 4, 2}, 2.0));
    for (const int corner : {0, 3, 12, 15, 16, 19, 28, 31}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {1, corner}));
    }
    ParameterValues parameters = Surfaces({formulation, 1}, 0.05);
    parameters["rigid_bodies"] = std::vector<std::string>{"slab"};
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 50, 0.01);
    EXPECT_NEAR(end.points(2, 12), 0.15, 1e-3) << formulation;
    EXPECT_NEAR((*end.work)[WorkClass::kContact], 0.0, 0.02) << formulation;
  }
}

// A sheet spins fast enough to break every side of its faces in the first step: then a chip falls
// through them, and on to them where nothing breaks.
TEST(SurfaceContacts, LeaveFacesWithABrokenSide) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool breaks : {false, true}) {
      SCOPED_TRACE(std::string(formulation) + (breaks ? ", broken" : ", whole"));
      Scene scene = Weightless({Sheet(5)});
      scene.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
      scene.bodies.push_back(MakeSheet("chip", {0.04, 0.04}, {2, 2}, 0.1));
      scene.bodies[1].position = {0.12, 0.08, 0.06};
      scene.bodies[1].velocity = {0.0, 0.0, -1.0};
      ParameterValues parameters = Surfaces({formulation, 1}, 0.02);
      parameters["break_force"] = breaks ? 1e-4 : 1e9;
      parameters["break_resolution"] = 1e9;  // nothing is anywhere near to it
      const Translation translation = TranslateBy(formulation, scene, parameters);
      const Observation end = RunFor(translation.simulation.get(), 10, 0.01);
      EXPECT_EQ(translation.simulation->events().empty(), !breaks);
      const double fall = end.velocities->rightCols(4).row(2).mean();
      if (breaks) {
        EXPECT_NEAR(fall, -1.0, 1e-12);
      } else {
        EXPECT_GT(fall, -0.9);
      }
    }
  }
}

// A box slides over a slab that is nailed: μ g slows it down.
TEST(SurfaceContacts, RubAsCoulombSays) {
  for (const double friction : {0.0, 0.2}) {
    Scene scene = Weightless({MakeBlock("slab", {4.0, 1.0, 0.2}, {5, 2, 2}, 1.0)});
    scene.gravity = {0.0, 0.0, -10.0};
    for (const int corner : {0, 4, 5, 9, 10, 14, 15, 19}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {0, corner}));
    }
    scene.bodies.push_back(MakeBlock("box", {0.3, 0.3, 0.1}, {2, 2, 2}, 0.01));
    scene.bodies[1].position = {-1.03, 0.02, 0.1 + 0.05 + 0.0201};
    scene.bodies[1].velocity = {2.0, 0.0, 0.0};
    ParameterValues parameters = Surfaces(kWays[0], 0.02);
    parameters["rigid_bodies"] = std::vector<std::string>{"*"};
    parameters["surface_friction"] = friction;
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(kWays[0].formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 100, 0.005);
    const Vector3d mean = end.velocities->rightCols(8).rowwise().mean();
    EXPECT_NEAR(mean.x(), 2.0 - friction * 10.0 * 0.5, 0.05) << friction;
    EXPECT_NEAR(end.points.rightCols(8).row(2).minCoeff(), 0.12, 1e-3);
  }
}

TEST(SurfaceContacts, ContinueFromASavedState) {
  const Scene scene = Clash();
  for (const Way& way : kWays) {
    const Translation first = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    RunFor(first.simulation.get(), 20, 0.01);
    const VectorXd state = first.simulation->Save();
    const Observation straight = RunFor(first.simulation.get(), 20, 0.01);
    const Translation second = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    second.simulation->Restore(state);
    EXPECT_EQ(RunFor(second.simulation.get(), 20, 0.01).points, straight.points);
  }
}
TEST(BodiesThatMeet, AreThemselvesWhereTheSceneSaysSo) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool asked : {false, true}) {
      Scene scene = ClosingBook();
      if (asked) scene.contacts = {{0, 0, false}};
      const Translation translation =
          TranslateBy(formulation, scene, {{"max_sweeps", std::int64_t{2000}}});
      Observation now = Observed(*translation.simulation);
      int passed = 0;
      for (int i = 0; i < 120; ++i) {
        const Matrix3Xd before = now.points;
        now = RunFor(translation.simulation.get(), 1, 0.01);
        passed += Passed(scene, before, now.points);
      }
      EXPECT_EQ(passed > 0, !asked) << formulation << " " << passed;
    }
  }
}

TEST(SurfaceContacts, SayWhatIsWrong) {
  const auto why = [](const Scene& scene, const Way& way, double thickness) -> std::string {
    try {
      TranslateBy(way.formulation, scene, Surfaces(way, thickness));
    } catch (const BadInput& bad) {
      EXPECT_EQ(bad.problem().where, "surface_thickness");
      return bad.problem().what + "; " + bad.problem().mend;
    }
    return "";
  };
  for (const Way& way : kWays) {
    EXPECT_EQ(why(Weightless({Sheet(9)}), way, 0.05), "");
    EXPECT_THAT(why(Weightless({Sheet(9)}), way, 1e-4),
                HasSubstr("tolerance of the sweeps, 0.0005 m"));
    EXPECT_EQ(why(Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 9, 1.0)}), way, 0.05), "");
    EXPECT_THAT(why(Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 9, 1.0)}), way, 0.126),
                HasSubstr("edge at point 0 of rope is only 0.125 m wide"));
    // Right triangles with legs of 1/8 m: their height is 1/(8 √2) m.
    EXPECT_EQ(why(Weightless({Sheet(9)}), way, 0.088), "");
    EXPECT_THAT(why(Weightless({Sheet(9)}), way, 0.089),
                HasSubstr("0.0884 m wide, less than the thickness of 0.089 m; reduce"));
  }
  Scene two = Weightless({Sheet(9)});
  two.bodies.push_back(two.bodies[0]);
  two.bodies[1].name = "other";
  two.bodies[1].position = {0.01, 0.02, 0.04};
  EXPECT_EQ(why(two, kWays[0], 0.03), "");
  EXPECT_THAT(why(two, kWays[0], 0.05),
              testing::MatchesRegex("contact of .* starts at 0.04 m, closer than the thickness of "
                                    "0.05 m; .*"));
}

TEST(SurfaceContacts, AreInTheRecord) {
  Scene scene = Weightless({Sheet(5)});
  const auto said = [&scene](double thickness) {
    return TranslateBy(kWays[0].formulation, scene, Surfaces(kWays[0], thickness))
        .record.Entries()[0]
        .reason;
  };
  EXPECT_THAT(said(0.0), HasSubstr("its surface passes through itself"));
  EXPECT_THAT(said(0.05),
              HasSubstr("its surface keeps 0.05 m from itself and those of other bodies"));
}

}  // namespace
}  // namespace pliant
