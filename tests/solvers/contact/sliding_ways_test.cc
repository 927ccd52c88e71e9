// A block that slides without friction on a nailed plank of several cells, in the contact of every formulation. On a
// half-space, which knows no cells, its middle goes on with the speed with which it began, however it bounces and
// bends: a reference that no contact code made. What is left of the cells is bounded here, and said in
// docs/formulations.md; of penalties it has a closed form.
//
// (Rigid blocks of displacement-constraints and position-based: sliding_bodies_test.cc.)

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"
#include "tests/observed.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kGravity = 9.81, kMass = 0.5, kWeight = kMass * kGravity;  // m/s², kg, N
constexpr double kSide = 0.2, kThick = 0.1, kLong = 1.0,
                 kWide = 0.6;  // m, of the block; of the plank
constexpr double kTime = 0.2;  // s
const std::array kGrids = {Eigen::Vector3i(2, 2, 2), Eigen::Vector3i(3, 2, 3),
                           Eigen::Vector3i(5, 2, 4), Eigen::Vector3i(9, 3, 7)};
constexpr std::array kSpeeds = {0.1, 0.5, 2.0};  // m/s

struct Slide {
  int dimension;
  Eigen::Vector3i grid = {5, 2, 4};  // of the plank
  double x = 0.35, speed = 0.5;      // m, m/s: where it begins, and how fast it goes inwards
  double mirror = 1.0;               // −1: from the other end
  double turned = 0.0;               // rad, in space: the block and its way, about the vertical
  double gap = 0.0, lean = 0.0;      // m; rad, in the plane
  int points = 2;                    // of the block, along each side
  bool ends = false;                 // are the ends of the plank alone nailed?
  double modulus = 1e7;              // Pa, of the block
};

std::ostream& operator<<(std::ostream& out, const Slide& slide) {
  return out << slide.dimension << "-D, grid " << slide.grid.transpose() << ", from " << slide.x
             << " m at " << slide.speed << " m/s, mirrored " << slide.mirror << ", turned "
             << slide.turned << ", points " << slide.points;
}

Vector3d VelocityOf(const Slide& slide) {
  return slide.speed *
         Vector3d(-slide.mirror * std::cos(slide.turned), 0.0, std::sin(slide.turned));
}

Scene SceneOfSlide(const Slide& slide) {
  const bool planar = slide.dimension == 2;
  const auto& grid = slide.grid;
  const int n = slide.points;
  Body plank = planar
                   ? MakeSheet("plank", {kLong, kThick}, {grid[0], grid[1]}, 1.0)
                   : MakeBlock("plank", {kLong, kThick, kWide}, {grid[0], grid[1], grid[2]}, 1.0);
  Body block = planar ? MakeSheet("block", {kSide, kSide}, {n, n}, kMass)
                      : MakeBlock("block", {kSide, kSide, kSide}, {n, n, n}, kMass);
  for (Body* body : {&plank, &block}) {
    Material material;
    material.density = 1000.0;
    material.youngs_modulus = body == &plank ? 1e10 : slide.modulus;
    material.poisson_ratio = 0.3;
    material.stiffness_damping = 0.002;
    if (planar) {
      material.thickness = 0.1;
      body->shape = ShapeKind::kProfile;  // with faces
    }
    body->material = material;
  }
  block.position = {slide.mirror * slide.x, 0.5 * (kThick + kSide) + slide.gap, 0.0};
  block.orientation = Quaterniond(AngleAxisd(slide.mirror * slide.turned, Vector3d::UnitY())) *
                      Quaterniond(AngleAxisd(slide.lean, Vector3d::UnitZ()));
  block.velocity = VelocityOf(slide);
  Scene scene = SceneOf({plank, block}, slide.dimension);
  scene.gravity = {0.0, -kGravity, 0.0};
  for (int p = 0; p < plank.size(); ++p) {
    if (slide.ends && std::abs(plank.rest(0, p)) < 0.499 * kLong) continue;
    scene.nails.push_back(NailWhereItStarts(scene, "plank", {0, p}));
  }
  return scene;
}

struct Way {
  std::string backend;
  ParameterValues parameters;
  double step = 1e-3;  // s
};

ParameterValues With(ParameterValues parameters, const ParameterValues& more) {
  for (const auto& [key, value] : more) parameters[key] = value;
  return parameters;
}

// The block at the end.
struct End {
  double off;   // m, from where a half-space lets it be, along the plank
  double made;  // J, kinetic energy along the plank that it has won
  Vector3d middle;
};

End EndOf(const Way& way, const Slide& slide) {
  const Scene scene = SceneOfSlide(slide);
  Validate(scene);
  Translation translation =
      FindBackend(way.backend)->Translate(std::make_shared<const Scene>(scene), way.parameters);
  if (translation.simulation == nullptr) {
    ADD_FAILURE() << translation.record.WhyUnsupported();
    return {};
  }
  for (int i = 0; i < std::lround(kTime / way.step); ++i) {
    const StepOutcome outcome = translation.simulation->Advance(way.step);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kAdvanced) << outcome.quantity;
    if (outcome.kind != StepOutcome::Kind::kAdvanced) break;
  }
  const Observation end = Observed(*translation.simulation);
  const int n = scene.bodies[1].size();
  const Vector3d middle = end.points.rightCols(n).rowwise().mean();
  const Vector3d velocity = end.velocities->rightCols(n).rowwise().mean();
  const Vector3d goal = scene.bodies[1].position + VelocityOf(slide) * kTime;
  EXPECT_NEAR(middle.y(), 0.5 * (kThick + kSide), 4e-3) << "it stays on the plank";
  return {
      std::hypot(middle.x() - goal.x(), middle.z() - goal.z()),
      0.5 * kMass *
          (std::pow(velocity.x(), 2) + std::pow(velocity.z(), 2) - VelocityOf(slide).squaredNorm()),
      middle};
}

struct Worst {
  double off = 0.0, made = 0.0;
};

// Over grids and speeds, mirrored, in space turned as well.
Worst WorstOf(const Way& way, Slide slide, size_t grids = kGrids.size()) {
  Worst worst;
  for (size_t grid = 0; grid < grids; ++grid) {
    for (const double speed : kSpeeds) {
      for (const double mirror : {1.0, -1.0}) {
        for (const double turned : {0.0, 0.4}) {
          if (slide.dimension == 2 && turned != 0.0) continue;
          slide.grid = kGrids[grid];
          slide.speed = speed, slide.mirror = mirror, slide.turned = turned;
          SCOPED_TRACE(testing::Message() << way.backend << ' ' << slide);
          const End end = EndOf(way, slide);
          worst.off = std::max(worst.off, end.off);
          worst.made = std::max(worst.made, std::abs(end.made));
        }
      }
    }
  }
  std::printf("%s, %d-D: off by at most %.1e m, with %.1e J\n", way.backend.c_str(),
              slide.dimension, worst.off, worst.made);
  return worst;
}

ParameterValues Rigid(int dimension) {
  MatrixTable rigid;
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  if (dimension == 3) rigid.scalars["degree_z"] = 1;
  return {{"modes", rigid}, {"constraint_stiffness", 1e5}, {"constraint_damping", 200.0}};
}

const ParameterValues kAffine = {{"stretch_stiffness", 1e3},
                                 {"volume_stiffness", 1e3},
                                 {"internal_energy", std::string("implicit")}};
const ParameterValues kBarrier = {{"contact_between", std::string("barrier")},
                                  {"contact_stiffness", 1e5},
                                  {"contact_damping", 200.0}};

// The edges of a block come over the cells of the plank: the sides of the block, which are in these cells as well,
// bear nothing. Where the block hangs over the end of the plank, the plank's end is in it, and the resultant that tells
// which sides bear leans a little.
TEST(SlidingWays, ImpulsesBetweenBodiesKnowNoCells) {
  const Way way{"linear-deformation", With(kAffine, {{"contact", std::string("impulse")}})};
  for (const int points : {2, 3}) {
    Slide slide{2};
    slide.points = points;
    EXPECT_LT(WorstOf(way, slide).off, 1e-9);
    slide.x = 0.5 * (kLong - kSide);  // flush with the end
    EXPECT_LT(WorstOf(way, slide).off, 1e-9);
  }
  EXPECT_LT(WorstOf(way, Slide{3}).off, 1e-9);
  Slide flush{3};
  flush.x = 0.5 * (kLong - kSide);  // turned, its corner hangs over
  EXPECT_LT(WorstOf(way, flush, 3).off, 1e-4);
}

// In the plane, a cell that a block covers to a share f, at s from its middle in the mean, has the depth d = f (δ + θ s): the
// block sinks in by δ and leans by θ so that its energy is least, U(x) = −½ W² (H⁻¹)₁₁ with H = K Σ a aᵀ, a = (f, f s). It
// changes as the block comes over other cells, and dampers take C Σ ḋ².
struct Rest {
  double depth, lean, energy;  // m, rad, J
  Eigen::VectorXd depths;      // of the cells [m]
};

Rest RestAt(double stiffness, int points, double x) {
  const int halves = 2 * (points - 1);
  const double half = kLong / halves;
  Eigen::MatrixX2d a = Eigen::MatrixX2d::Zero(2 + halves, 2);
  a.topRows(2) << 1.0, -0.25 * kSide, 1.0, 0.25 * kSide;  // the two halves of its own side
  for (int i = 0; i < halves; ++i) {
    const double begin = std::max(x - 0.5 * kSide, -0.5 * kLong + i * half);
    const double end = std::min(x + 0.5 * kSide, -0.5 * kLong + (i + 1) * half);
    if (end <= begin) continue;
    const double share = (end - begin) / half;
    a.row(2 + i) << share, share * (0.5 * (begin + end) - x);
  }
  const Eigen::Matrix2d h = stiffness * a.transpose() * a;
  const Eigen::Vector2d rest = kWeight * h.inverse().col(0);
  return {rest[0], rest[1], -0.5 * kWeight * rest[0], a * rest};
}

// Where it is after kTime, if it moves so slowly that it is always at rest across its way.
double PlaceBySprings(double stiffness, double damping, int points, double x, double speed) {
  constexpr int kSteps = 4000;
  constexpr double kStep = kTime / kSteps, kStride = 1e-6;  // s, m
  const auto rate = [&](double at, double v) {
    const Rest left = RestAt(stiffness, points, at - kStride);
    const Rest right = RestAt(stiffness, points, at + kStride);
    const double slope = (right.energy - left.energy) / (2.0 * kStride);
    const double depths = (right.depths - left.depths).squaredNorm() / (4.0 * kStride * kStride);
    return -(slope + damping * v * depths) / kMass;
  };
  double v = -speed;
  for (int i = 0; i < kSteps; ++i) {  // midpoint rule
    const double half_v = v + 0.5 * kStep * rate(x, v);
    const double half_x = x + 0.5 * kStep * v;
    v += kStep * rate(half_x, half_v);
    x += kStep * half_v;
  }
  return x;
}

TEST(SlidingWays, APenaltyIsAPotentialOfTheCellsThatAreCovered) {
  constexpr double kDamping = 60.0;  // N s/m
  const Way ways[] = {{"linear-deformation", kAffine, 5e-4}, {"dynamic-ffd", Rigid(2), 1e-4}};
  for (Way way : ways) {
    for (const double stiffness : {2000.0, 10000.0}) {
      way.parameters["contact_stiffness"] = stiffness;
      way.parameters["contact_damping"] = kDamping;
      for (const int points : {3, 5, 6}) {
        for (const double speed : {0.1, 0.25}) {
          for (const double mirror : {1.0, -1.0}) {
            Slide slide{2, {points, 2, 2}, 0.33, speed, mirror};
            slide.ends = way.backend == "dynamic-ffd";
            const Rest rest = RestAt(stiffness, points, slide.x);
            slide.gap = -rest.depth, slide.lean = -mirror * rest.lean;
            SCOPED_TRACE(testing::Message() << way.backend << ' ' << slide << ", " << stiffness);
            const double place = PlaceBySprings(stiffness, kDamping, points, slide.x, speed);
            const double aside = place - (slide.x - speed * kTime);
            const double found = mirror * EndOf(way, slide).middle.x() - place;
            EXPECT_LT(std::abs(found), 0.1 * std::abs(aside) + 0.03 * rest.depth) << "of " << aside;
          }
        }
      }
    }
  }
}

TEST(SlidingWays, SoftSpringsAndStiffOnesAreOffAsLittleAsTheySay) {
  for (const int dimension : {2, 3}) {
    Slide slide{dimension};
    EXPECT_LT(WorstOf({"linear-deformation", kAffine, 5e-4}, slide).off, 2e-4);
    EXPECT_LT(
        WorstOf({"linear-deformation", With(kAffine, {{"contact_stiffness", 1e5}}), 2e-4}, slide)
            .off,
        1e-5);
  }
}

// A barrier is a sum over pairs: as points and edges come over other faces and edges, more or fewer pairs carry the
// weight. It stores W √(W d/(n K)) and less; where edges of the block lie exactly over edges of the plank, on a ridge of that
// potential, the block is pushed aside, and goes on with what that gives it: 3 mm in 0.2 s.
TEST(SlidingWays, ABarrierIsAPotentialOfThePairsThatAreNear) {
  constexpr double kGap = 1e-3;
  for (const int dimension : {2, 3}) {
    Slide slide{dimension};
    slide.gap = kGap;
    const Worst worst = WorstOf({"linear-deformation", With(kAffine, kBarrier)}, slide);
    EXPECT_LT(worst.off, dimension == 2 ? 2e-5 : 4e-3);
    EXPECT_LT(worst.made, dimension == 2 ? 2e-4 : 3e-3);
    slide.ends = true;
    const Worst of_ffd = WorstOf({"dynamic-ffd", With(Rigid(dimension), kBarrier), 1e-4}, slide,
                                 dimension == 2 ? 4 : 2);
    EXPECT_LT(of_ffd.off, 3e-4);
    EXPECT_LT(of_ffd.made, 3e-3);
  }
}

// Stiff and soft.
TEST(SlidingWays, FiniteElementsSlideOnTheirBarrier) {
  for (const double modulus : {1e7, 1e5}) {
    Slide slide{2};
    slide.modulus = modulus;
    slide.gap = modulus > 1e6 ? 1.998e-3 : 1.98e-3;  // where the barrier bears about its weight
    EXPECT_LT(WorstOf({"finite-elements", {{"contact_thickness", 2e-3}}}, slide).off,
              modulus > 1e6 ? 5e-5 : 2e-4);
  }
}

TEST(SlidingWays, FiniteElementsSlideOnTheirBarrierInSpace) {
  for (const Eigen::Vector3i& grid : {kGrids[0], kGrids[1]}) {
    for (const double speed : {0.1, 2.0}) {
      Slide slide{3, grid};
      slide.speed = speed, slide.gap = 1.998e-3;
      SCOPED_TRACE(slide);
      const double off = EndOf({"finite-elements", {{"contact_thickness", 2e-3}}}, slide).off;
      std::printf("finite-elements, 3-D: off by %.1e m\n", off);
      std::fflush(stdout);
      EXPECT_LT(off, 2e-4);
    }
  }
}

TEST(SlidingWays, SoftBlocksOfTheProjectionsKnowNoCells) {
  for (const char* formulation : {"displacement-constraints", "position-based"}) {
    for (const int dimension : {2, 3}) {
      for (const int points : {2, 3}) {
        Slide slide{dimension};
        slide.points = points;
        const Worst worst = WorstOf({formulation, {{"bounce", 0.0}}, 2e-3}, slide);
        EXPECT_LT(worst.off, formulation == std::string("position-based") ? 1e-7 : 2e-4);
      }
    }
  }
}

}  // namespace
}  // namespace pliant
