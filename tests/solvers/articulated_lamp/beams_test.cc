// Jumps below what hangs over their way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "models/articulated_lamp/kinematics.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "tests/observed.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

// Over the middle of a jump of 0.6 m, with its underside at `bottom`.
Scene WithBeam(double bottom) {
  Scene scene = LampScene();
  scene.obstacles.push_back({"beam", Box{.half_size = {0.15, 0.05, 1.0}},
                             Path::Still(Eigen::Vector3d(0.3, bottom + 0.05, 0.0)), 0.8, 0.0});
  return scene;
}

LampJumpProblem JumpBelow(double bottom, double clearance) {
  const Scene scene = WithBeam(bottom);
  LampJumpProblem problem = JumpFrom(scene, ReadLampBody(scene.bodies[0]), 0.6);
  problem.flight_duration = 0.3;
  problem.beam_clearance = clearance;
  return problem;
}

LampJumpMotion SolveRefined(const LampJumpProblem& problem, int refinements) {
  LampJumpOptions options;
  options.step = 0.04;
  options.meshes.refinements = refinements;
  LampJumpMotion motion = SolveLampJump(problem, options);
  EXPECT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  return motion;
}

// y of the highest hinge or end of the head below the beam, over a fine comb of times.
double HighestBelow(const LampJumpProblem& problem, const LampTrajectory& motion) {
  const Lamp lamp(problem.lamp, problem.gravity);
  const LampJumpProblem::Beam& beam = problem.beams.at(0);
  double highest = 0.0;
  for (double t = 0.0; t < motion.duration(); t += 0.0005) {
    const LampSample at = motion.At(lamp, t);
    const auto links = LinkStates<double>(lamp, at.q, at.v);
    for (int j = 1; j < kLampLinks; ++j) {
      const Eigen::Vector2d end = links[j].origin + lamp.link(j).length * links[j].direction;
      if (end.x() >= beam.left && end.x() <= beam.right) highest = std::max(highest, end.y());
    }
  }
  return highest;
}

TEST(Beams, AreBoxesThatHangAboveTheLamp) {
  const LampJumpProblem below = JumpBelow(0.6, 0.0);
  ASSERT_EQ(below.beams.size(), 1u);
  EXPECT_EQ(below.beams[0].name, "beam");
  EXPECT_NEAR(below.beams[0].bottom, 0.6, 1e-12);
  EXPECT_NEAR(below.beams[0].left, 0.15, 1e-12);
  EXPECT_NEAR(below.beams[0].right, 0.45, 1e-12);
  EXPECT_TRUE(below.rises.empty());
  EXPECT_EQ(below.end_height, 0.0);
  // A rail at the height of its head is jumped over.
  const LampJumpProblem over = JumpBelow(0.4, 0.0);
  EXPECT_TRUE(over.beams.empty());
  EXPECT_EQ(over.rises.size(), 1u);
  // Where it lands below a beam it lands on the ground.
  const Scene scene = WithBeam(0.6);
  EXPECT_EQ(JumpFrom(scene, ReadLampBody(scene.bodies[0]), 0.3).end_height, 0.0);
}

// As high as may be where it would be higher, between the nodes too as the mesh gets finer, and dearer for that.
TEST(Beams, ArePassedBelow) {
  const LampJumpProblem problem = JumpBelow(0.6, 0.06), free = JumpBelow(5.0, 0.06);
  const LampJumpMotion unhindered = SolveRefined(free, 1);
  ASSERT_GT(HighestBelow(problem, unhindered.trajectory), 0.56);
  double before = 1.0;
  for (const int refinements : {0, 1, 2}) {
    const LampJumpMotion motion = SolveRefined(problem, refinements);
    const double beyond = HighestBelow(problem, motion.trajectory) - 0.54;
    EXPECT_LT(beyond, 0.6 * before);
    EXPECT_GT(beyond, -1e-3);  // it needs all the room there is
    before = std::max(beyond, 1e-5);
    EXPECT_GT(motion.summary().final_cost, 1.01 * unhindered.summary().final_cost);
  }
  EXPECT_LT(before, 5e-3);
  // One that is out of reach costs nothing.
  LampJumpProblem none = free;
  none.beams.clear();
  EXPECT_NEAR(SolveRefined(none, 1).summary().final_cost, unhindered.summary().final_cost,
              1e-6 * unhindered.summary().final_cost);
}

// With some room the lamp does not touch the beam when the plan is replayed with contact on all its links. Without, it does between the nodes of
// the mesh.
TEST(Beams, AreNotTouchedByTheLampThatKnowsThem) {
  const auto replay = [](const Scene& scene, const ParameterValues& more) {
    ParameterValues parameters = {{"controller", std::string("planned")},
                                  {"jump_distance", 0.6},
                                  {"jump_flight", 0.3},
                                  {"jump_clearance", 0.04},
                                  {"plan_step", 0.02},
                                  {"plan_refinements", std::int64_t{0}},
                                  {"link_contact", true}};
    for (const auto& [name, value] : more) parameters[name] = value;
    const auto simulation = Translated(scene, parameters);
    double highest_energy = 0.0;
    Observation o;
    while (simulation->time() < 1.3) {
      EXPECT_EQ(simulation->Advance(5e-4).kind, StepOutcome::Kind::kAdvanced);
      simulation->Observe(&o);
      if (Extra(o, "clearance_m") > 1e-3) {  // in the air only the beam is touched
        highest_energy = std::max(highest_energy, o.contact_energy.value_or(0.0));
      }
    }
    return highest_energy;
  };
  EXPECT_EQ(replay(WithBeam(0.588), {}), 0.0);
  EXPECT_GT(replay(WithBeam(0.588), {{"jump_clearance", 0.0}}), 0.0);
}

}  // namespace
}  // namespace pliant::articulated_lamp
