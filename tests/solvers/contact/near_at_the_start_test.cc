// Bodies that begin on each other: what cannot be decided is refused, and what each pair keeps is said.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/problem.h"
#include "models/scene/forces.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"
#include "tests/observed.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::AllOf;
using testing::HasSubstr;

constexpr double kGravity = 9.81;  // m/s²
const char* const kSweeping[] = {"displacement-constraints", "position-based"};

Translation Translate(const std::string& formulation, const Scene& scene,
                      const ParameterValues& parameters = {}) {
  Validate(scene);
  return FindBackend(formulation)->Translate(std::make_shared<const Scene>(scene), parameters);
}

// Why the formulation does not take the scene; empty where it does.
std::string WhyNot(const std::string& formulation, const Scene& scene,
                   const ParameterValues& parameters = {}) {
  try {
    const Translation translation = Translate(formulation, scene, parameters);
    return translation.simulation != nullptr ? "" : translation.record.WhyUnsupported();
  } catch (const BadInput& bad) {
    return bad.what();
  }
}

std::string SaidOf(const std::string& formulation, const Scene& scene, const std::string& element,
                   const ParameterValues& parameters = {}) {
  for (const TranslatedElement& entry :
       Translate(formulation, scene, parameters).record.Entries()) {
    if (entry.element == element) return entry.reason;
  }
  return "";
}

// Two limp sheets, `gap` apart.
Scene TwoSheets(double gap) {
  Scene scene = SceneOf(
      {MakeSheet("lower", {1.0, 1.0}, {5, 5}, 1.0), MakeSheet("upper", {0.6, 0.6}, {5, 5}, 0.5)});
  scene.bodies[1].position = {0.0, 0.0, gap};
  return scene;
}

// A sheet that is folded along its middle, and meets itself.
Scene Folded(double gap) {
  Scene scene = SceneOf({MakeSheet("cloth", {1.0, 1.0}, {5, 5}, 1.0)});
  Matrix3Xd& rest = scene.bodies[0].rest;
  for (int p = 0; p < rest.cols(); ++p) {
    if (rest(0, p) <= 0.0) continue;
    rest(0, p) *= -1.0;
    rest(2, p) += gap;
  }
  scene.contacts = {{0, 0, false}};
  return scene;
}

ParameterValues Barrier() {
  MatrixTable rigid;
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1}};
  return {{"contact_between", std::string("barrier")}, {"modes", rigid}};
}

Scene ElasticSheets(double gap) {
  Scene scene = TwoSheets(gap);
  for (Body& body : scene.bodies) {
    Material material;
    material.density = 1000.0;
    material.youngs_modulus = 1e6;
    material.poisson_ratio = 0.3;
    material.thickness = 0.001;
    body.material = material;
  }
  return scene;
}

// The thickness that a message names, works.
TEST(NearAtTheStart, ABarrierThatIsTooThickSaysHowThickItMayBe) {
  const Scene near = ElasticSheets(1e-5);
  const std::string why = WhyNot("finite-elements", near, {{"contact_thickness", 0.01}});
  EXPECT_THAT(why, HasSubstr("less than a twentieth of contact_thickness = 0.01 m"));
  const std::string before = "use contact_thickness = ";
  const size_t at = why.find(before);
  ASSERT_NE(at, std::string::npos) << why;
  const double works = std::stod(why.substr(at + before.size()));
  EXPECT_NEAR(works, 2e-4, 1e-6);
  EXPECT_EQ(WhyNot("finite-elements", near, {{"contact_thickness", works}}), "");
  EXPECT_NE(WhyNot("finite-elements", near, {{"contact_thickness", 1.02 * works}}), "");
}

// Which of two sheets is above the other, none can tell where they lie on each other: each formulation in which sheets
// meet says so, and runs where they are apart by more than it tolerates.
TEST(NearAtTheStart, SheetsThatLieOnEachOtherAreRefused) {
  for (const char* formulation : kSweeping) {
    for (const double gap : {0.0, 1e-17, -1e-12, 1e-9, 1e-4, -1e-4}) {
      SCOPED_TRACE(testing::Message() << formulation << ' ' << gap);
      EXPECT_THAT(WhyNot(formulation, TwoSheets(gap)),
                  AllOf(HasSubstr("of lower"), HasSubstr("of upper"),
                        HasSubstr("less than the tolerance of the sweeps, 0.0006 m"),
                        HasSubstr("which side each is on cannot be told"),
                        HasSubstr("ignore = true in [contact.lower.upper]")));
    }
    for (const double gap : {7e-4, -7e-4, 0.01}) EXPECT_EQ(WhyNot(formulation, TwoSheets(gap)), "");
    Scene ignored = TwoSheets(0.0);
    ignored.contacts = {{0, 1, true}};
    EXPECT_EQ(WhyNot(formulation, ignored), "");
  }
  const std::string apart = "start 0 m apart: a barrier keeps apart what does not touch";
  ParameterValues affine = Barrier();
  affine.erase("modes");
  EXPECT_THAT(WhyNot("linear-deformation", TwoSheets(0.0), affine), HasSubstr(apart));
  EXPECT_THAT(WhyNot("dynamic-ffd", TwoSheets(0.0), Barrier()), HasSubstr(apart));
  EXPECT_THAT(WhyNot("finite-elements", ElasticSheets(0.0)),
              HasSubstr("surfaces that meet touch at the start; leave a gap of more than"));
  for (const char* formulation : {"linear-deformation", "dynamic-ffd"}) {
    const ParameterValues values = formulation == std::string("dynamic-ffd")
                                       ? ParameterValues{{"modes", Barrier()["modes"]}}
                                       : ParameterValues{};
    EXPECT_THAT(SaidOf(formulation, TwoSheets(0.0), "contact", values),
                HasSubstr("is passed through"))
        << "by penalty, sheets do not meet";
  }
}

TEST(NearAtTheStart, ASheetThatIsFoldedOntoItselfIsRefused) {
  for (const char* formulation : kSweeping) {
    for (const double gap : {0.0, 1e-12, 1e-4}) {
      SCOPED_TRACE(testing::Message() << formulation << ' ' << gap);
      EXPECT_THAT(WhyNot(formulation, Folded(gap)),
                  AllOf(HasSubstr("of cloth"), HasSubstr("which side each is on cannot be told"),
                        HasSubstr("ignore = true in [contact.cloth.cloth]")));
    }
    EXPECT_EQ(WhyNot(formulation, Folded(0.02)), "");
  }
}

// In the plane as well: two ropes.
TEST(NearAtTheStart, RopesThatCrossAreRefused) {
  for (const char* formulation : kSweeping) {
    for (const int dimension : {2, 3}) {
      Scene scene = SceneOf({MakeChain("one", {-1, 0, 0}, {1, 0, 0}, 6, 1.0),
                             MakeChain("other", {0, -1, 0}, {0, 1, 0}, 6, 1.0)},
                            dimension);
      if (dimension == 2) scene.bodies[1].position = {0, 1.0, 0};  // its end lies on the other
      EXPECT_THAT(WhyNot(formulation, scene), HasSubstr("which side each is on cannot be told"))
          << formulation << ' ' << dimension;
    }
  }
}

// A block on, or above, a plank in space.
Scene BlockOnPlank(double gap) {
  Scene scene = SceneOf({MakeBlock("plank", {1.0, 0.1, 0.6}, {5, 2, 4}, 1.0),
                         MakeBlock("block", {0.2, 0.2, 0.2}, {2, 2, 2}, 0.5),
                         MakeBlock("far", {0.2, 0.2, 0.2}, {2, 2, 2}, 0.5)});
  scene.bodies[1].position = {0.03, 0.15 + gap, 0.0};
  scene.bodies[2].position = {0.0, 2.0, 0.0};
  scene.gravity = {0.0, -kGravity, 0.0};
  for (int p = 0; p < scene.bodies[0].size(); ++p) {
    scene.nails.push_back(NailWhereItStarts(scene, "plank", {0, p}));
  }
  return scene;
}

TEST(NearAtTheStart, TheRecordSaysWhatEachPairKeepsAndWhy) {
  for (const char* formulation : kSweeping) {
    SCOPED_TRACE(formulation);
    EXPECT_THAT(
        SaidOf(formulation, BlockOnPlank(0.5), "contact"),
        AllOf(HasSubstr("keep 0.00447 m from each other, a twentieth of the width of the face "
                        "or edge at point 0 of plank, the narrowest"),
              testing::Not(HasSubstr("at the start"))));
    EXPECT_THAT(SaidOf(formulation, BlockOnPlank(0.002), "contact"),
                AllOf(HasSubstr("keep 0.002 m from each other, the distance of "),
                      HasSubstr(" at the start; faces")));
    for (const double gap : {0.0, 1e-13, -1e-13}) {
      EXPECT_THAT(SaidOf(formulation, BlockOnPlank(gap), "contact"),
                  AllOf(HasSubstr("m from each other, twice the tolerance of the sweeps"),
                        HasSubstr("; 'plank' and 'block' keep 0 m, as at the start")));
    }
    EXPECT_THAT(
        SaidOf(formulation, BlockOnPlank(-1e-3), "contact"),
        HasSubstr("; 'plank' and 'block' stay inside each other by 0.001 m, as at the start"));
    Scene stated = BlockOnPlank(0.0);
    stated.contacts = {{1, 0, false, 0.3}};
    EXPECT_THAT(SaidOf(formulation, stated, "contact.block.plank"), HasSubstr("keep 0 m"));
    EXPECT_THAT(SaidOf(formulation, stated, "contact"), testing::Not(HasSubstr("keep 0 m")));
    EXPECT_THAT(SaidOf(formulation, BlockOnPlank(0.5), "contact", {{"surface_thickness", 0.01}}),
                HasSubstr("keep 0.01 m from each other, as surface_thickness says"));
    EXPECT_THAT(WhyNot(formulation, BlockOnPlank(0.5), {{"surface_thickness", 0.3}}),
                HasSubstr("m wide, less than the thickness of 0.3 m"));
  }
}

// A stack of rigid blocks that begin on each other. What sweeps leave open brings a block inside the one below it, by up to
// their tolerance; led back to where it keeps, within a step, it would gain energy at every step. It comes
// out by no more than the step would have brought it in. What is made falls with the square of the step (1.2, 0.31 and 0.08 mJ of four
// blocks) and with kRestAccuracy (2.5 µJ at a hundredth of it); it stays below the energy of the speed g h/2 of what rests.
TEST(NearAtTheStart, AStackComesOutNoFasterThanItFalls) {
  for (const auto& [blocks, h] : {std::pair(4, 4e-3), std::pair(4, 2e-3), std::pair(4, 1e-3),
                                  std::pair(8, 4e-3), std::pair(8, 2e-3)}) {
    Scene scene = SceneOf({}, 2);
    scene.gravity = {0.0, -kGravity, 0.0};
    std::vector<std::string> rigid;
    for (int b = 0; b < blocks; ++b) {
      Body block = MakeSheet("block-" + std::to_string(b), {0.2, 0.2}, {3, 3}, 1.0 + b);
      block.position = {0.01 * (b % 2), 0.2 * b, 0.0};
      if (b > 0) rigid.push_back(block.name);
      scene.bodies.push_back(block);
    }
    for (int p = 0; p < scene.bodies[0].size(); ++p) {
      scene.nails.push_back(NailWhereItStarts(scene, "block-0", {0, p}));
    }
    const Translation translation =
        Translate("displacement-constraints", scene, {{"rigid_bodies", rigid}});
    const SceneForces forces(scene);
    double least = std::numeric_limits<double>::infinity(), made = 0.0;
    double first = 0.0;
    for (int i = 0; i < std::lround(0.3 / h); ++i) {
      EXPECT_EQ(translation.simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
      const Observation now = Observed(*translation.simulation);
      const double energy =
          KineticEnergy(forces.masses(), *now.velocities) + forces.GravitationalEnergy(now.points);
      if (i == 0) first = energy;
      least = std::min(least, energy);
      made = std::max(made, energy - least);
    }
    const double moving = forces.masses().tail(9 * (blocks - 1)).sum();
    EXPECT_LT(made, 0.5 * moving * std::pow(0.5 * kGravity * h, 2)) << blocks << " blocks, " << h;
    EXPECT_LT(first - least, moving * kGravity * 2e-4) << "a sunk stack: " << blocks << ", " << h;
  }
}

// Blocks of one size stand flush on each other: each corner lies on a corner, and is on the edge at whose end it lies. What
// comes of it is of second order in the step.
TEST(NearAtTheStart, AFlushBlockRestsOnItsEqual) {
  for (const char* formulation : kSweeping) {
    for (const int dimension : {2, 3}) {
      for (const bool rigid : {true, false}) {
        SCOPED_TRACE(testing::Message() << formulation << ' ' << dimension << ' ' << rigid);
        Scene scene = SceneOf({}, dimension);
        scene.gravity = {0.0, -kGravity, 0.0};
        for (const char* name : {"low", "high"}) {
          scene.bodies.push_back(dimension == 2 ? MakeSheet(name, {1.0, 1.0}, {2, 2}, 1.0)
                                                : MakeBlock(name, {1.0, 1.0, 1.0}, {2, 2, 2}, 1.0));
        }
        scene.bodies[1].position.y() = 1.0;
        for (int p = 0; p < scene.bodies[0].size(); ++p) {
          scene.nails.push_back(NailWhereItStarts(scene, "low", {0, p}));
        }
        ParameterValues parameters;
        if (rigid) parameters["rigid_bodies"] = std::vector<std::string>{"high"};
        const SceneForces forces(scene);
        std::array<double, 2> made{};
        for (const size_t fine : {0, 1}) {
          const double step = fine == 0 ? 0.004 : 0.001;
          const Translation translation = Translate(formulation, scene, parameters);
          double least = std::numeric_limits<double>::infinity();
          for (int i = 0; i < std::lround(0.3 / step); ++i) {
            EXPECT_EQ(translation.simulation->Advance(step).kind, StepOutcome::Kind::kAdvanced);
            const Observation now = Observed(*translation.simulation);
            const double energy = KineticEnergy(forces.masses(), *now.velocities) +
                                  forces.GravitationalEnergy(now.points);
            least = std::min(least, energy);
            made[fine] = std::max(made[fine], energy - least);
          }
          const Matrix3Xd way = Observed(*translation.simulation).points - scene.InitialPoints();
          EXPECT_GT(way.row(1).minCoeff(), -1e-3);
          EXPECT_LT(way.row(1).maxCoeff(), 1e-3);
          EXPECT_LT(way.row(0).cwiseAbs().maxCoeff(), 5e-4);
        }
        EXPECT_LT(made[0], 3e-3) << "J";
        EXPECT_GT(std::log2(made[0] / made[1]) / 2.0, 1.8);
      }
    }
  }
}

// What the sweeps leave open adds up in a tall stack. However small their tolerance, bodies that are a little inside each
// other still touch: in 0.3 s the upper block would fall by 0.44 m.
TEST(NearAtTheStart, AStackOfTenBlocksIsHeld) {
  for (const char* formulation : kSweeping) {
    for (const double tolerance : {4e-3, 4e-4}) {
      SCOPED_TRACE(testing::Message() << formulation << ' ' << tolerance);
      Scene scene = SceneOf({}, 2);
      scene.gravity = {0.0, -kGravity, 0.0};
      for (int b = 0; b < 10; ++b) {
        scene.bodies.push_back(MakeSheet("block-" + std::to_string(b), {1.0, 1.0}, {2, 2}, 1.0));
        scene.bodies[b].position.y() = b;
      }
      for (int p = 0; p < scene.bodies[0].size(); ++p) {
        scene.nails.push_back(NailWhereItStarts(scene, "block-0", {0, p}));
      }
      const Translation translation =
          Translate(formulation, scene,
                    {{"rigid_bodies", std::vector<std::string>{"*"}}, {"tolerance", tolerance}});
      for (int i = 0; i < 75; ++i) translation.simulation->Advance(0.004);
      const Matrix3Xd way = Observed(*translation.simulation).points - scene.InitialPoints();
      EXPECT_GT(way.row(1).minCoeff(), -0.15);
    }
  }
}

}  // namespace
}  // namespace pliant
