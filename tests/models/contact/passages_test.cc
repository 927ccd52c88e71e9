#include "models/contact/passages.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// A scene whose bodies move as told, shown `shows` times from time 0 to 1.
struct Shown {
  std::shared_ptr<Scene> scene = std::make_shared<Scene>();
  Body& Add(Body body, const Vector3d& position) {
    scene->bodies.push_back(std::move(body));
    scene->bodies.back().position = position;
    return scene->bodies.back();
  }
  template <typename Moved>
  std::vector<Passage> Passed(int shows, const Moved& moved) const {
    Passages passages(scene);
    for (int i = 0; i <= shows; ++i) {
      const double t = static_cast<double>(i) / shows;
      Matrix3Xd x = scene->InitialPoints();
      moved(t, &x);
      passages.Add(t, x);
    }
    return passages.found();
  }
};

// A beam of two points falls 2 m over a ball of 0.2 m: it is through at the lower side of the ball.
TEST(Passages, ABeamFallsOverABallBetweenItsPoints) {
  for (const int shows : {1, 7, 300}) {
    Shown shown;
    shown.scene->obstacles.push_back({"ball", Sphere{0.2}, Path::Still(Vector3d::Zero())});
    shown.Add(MakeChain("beam", {-1, 0, 0}, {1, 0, 0}, 2, 1.0), {0.3, 1.0, 0.05});
    const auto fall = [](double t, Matrix3Xd* x) { x->row(1).array() -= 2.0 * t; };
    const auto passed = shown.Passed(shows, fall);
    ASSERT_EQ(passed.size(), 1u) << shows;
    EXPECT_EQ(passed[0].body, 0);
    EXPECT_EQ(passed[0].obstacle, 0);
    EXPECT_NEAR(passed[0].time, 0.5 * (1.0 + std::sqrt(0.04 - 0.0025)), 0.003);
    EXPECT_NEAR(passed[0].place.y(), -std::sqrt(0.04 - 0.0025), 0.006);
    // To where it is in the ball, but not through; and back; and beside it.
    EXPECT_TRUE(
        shown.Passed(shows, [](double t, Matrix3Xd* x) { x->row(1).array() -= 1.1 * t; }).empty());
    EXPECT_TRUE(
        shown
            .Passed(2 * shows,
                    [](double t, Matrix3Xd* x) { x->row(1).array() -= 2.2 * std::min(t, 1.0 - t); })
            .empty());
    EXPECT_TRUE(shown
                    .Passed(shows,
                            [](double t, Matrix3Xd* x) {
                              x->row(1).array() -= 2.0 * t;
                              x->row(2).array() += 0.16;
                            })
                    .empty());
  }
}

TEST(Passages, ABallThatIsSmallerThanACellGoesThroughASheet) {
  Shown shown;
  shown.Add(MakeSheet("sheet", {1, 1}, {9, 9}, 1.0), {0, 0, 0});
  Matrix3Xd keys(3, 2);
  keys << 0.03, 0.03, 0.04, 0.04, 1, -1;
  shown.scene->obstacles.push_back(
      {"ball", Sphere{0.02}, Path({0, 1}, keys, Path::Interpolation::kLinear)});
  for (const int shows : {1, 10, 333}) {
    const auto passed = shown.Passed(shows, [](double, Matrix3Xd*) {});
    ASSERT_EQ(passed.size(), 1u);
    EXPECT_NEAR(passed[0].time, 0.51, 0.001);
  }
}

// A point goes round a box, a beam rolls off a ball: neither is through.
TEST(Passages, WhatGoesRoundIsNotThrough) {
  Shown shown;
  shown.scene->obstacles.push_back({"ball", Sphere{0.2}, Path::Still(Vector3d::Zero())});
  shown.Add(MakeChain("beam", {0, 0, -1}, {0, 0, 1}, 2, 1.0), {0, 0, 0});
  // Along the surface, a twentieth of the radius deep, from the top to the bottom.
  const auto roll = [](double t, Matrix3Xd* x) {
    const double radius = t < 0.1 || t > 0.9 ? 0.3 : 0.19;
    x->row(0).array() += radius * std::sin(M_PI * t);
    x->row(1).array() += radius * std::cos(M_PI * t);
  };
  EXPECT_TRUE(shown.Passed(100, roll).empty());
}

// Thinner than a hundredth of its way between two shows.
TEST(Passages, AFastThinSheetGoesThroughAThinPlate) {
  Shown shown;
  shown.Add(MakeSheet("sheet", {1, 1}, {3, 3}, 1.0), {0, 0, 0.55});
  shown.scene->obstacles.push_back({"plate", Box{Vector3d(2, 2, 0.0005)}});
  const auto passed =
      shown.Passed(10, [](double t, Matrix3Xd* x) { x->row(2).array() -= 1.1 * t; });
  ASSERT_EQ(passed.size(), 1u);
  EXPECT_NEAR(passed[0].time, 0.5, 0.001);
}

// Far away a place is known to no more than the rounding of its coordinates.
TEST(Passages, ASheetOfABodyThatHasFlownApartGoesThroughAnother) {
  for (const double scale : {1.0, 1e6, 1e10}) {
    Shown shown;
    shown.Add(MakeSheet("below", {1, 1}, {3, 3}, 1.0), {0, 0, 0});
    shown.Add(MakeSheet("above", {1, 1}, {3, 3}, 1.0), {0.1, 0.13, 0.3});
    const auto fall = [scale](double t, Matrix3Xd* x) {
      *x *= scale;
      x->rightCols(9).row(2).array() -= scale * t;
    };
    const auto passed = shown.Passed(3, fall);
    ASSERT_EQ(passed.size(), 1u) << scale;
    EXPECT_NEAR(passed[0].time, 0.3, 1e-5) << scale;
  }
}

TEST(Passages, BlocksGoThroughOneAnother) {
  for (const int points : {2, 3}) {
    Shown shown;
    shown.Add(MakeBlock("left", {1, 1, 1}, {points, points, points}, 1.0), {-1.5, 0, 0});
    shown.Add(MakeBlock("right", {1, 1, 1}, {points, points, points}, 1.0), {0, 0.1, 0.2});
    const int size = shown.scene->bodies[0].size();
    const auto move = [size](double way) {
      return [size, way](double t, Matrix3Xd* x) { x->leftCols(size).row(0).array() += way * t; };
    };
    for (const int shows : {1, 30}) {
      const auto passed = shown.Passed(shows, move(3.0));
      ASSERT_EQ(passed.size(), 1u);
      EXPECT_EQ(passed[0].other, 1 - passed[0].body);
      EXPECT_NEAR(passed[0].time, 0.5, 1e-5);  // its front comes out after 1.5 m
      EXPECT_TRUE(shown.Passed(shows, move(1.2)).empty()) << "it is in, but not through";
      EXPECT_TRUE(shown.Passed(shows, move(0.4)).empty());
    }
  }
}

TEST(Passages, AChainGoesThroughASheetAndThroughAnotherChain) {
  Shown shown;
  shown.Add(MakeSheet("sheet", {1, 1}, {3, 3}, 1.0), {0, 0, 0});
  shown.Add(MakeChain("chain", {-0.2, 0.1, 0}, {0.2, 0.1, 0}, 3, 1.0), {0, 0, 0.5});
  const auto fall = [](double t, Matrix3Xd* x) { x->rightCols(3).row(2).array() -= t; };
  ASSERT_EQ(shown.Passed(3, fall).size(), 1u);
  EXPECT_NEAR(shown.Passed(3, fall)[0].time, 0.5, 1e-5);
  shown.scene->attachments.push_back({"knot", {0, 0}, {1, 0}});
  EXPECT_TRUE(shown.Passed(3, fall).empty()) << "bodies that are attached are left out";

  Shown chains;
  chains.Add(MakeChain("still", {0, -0.5, 0}, {0, 0.5, 0}, 2, 1.0), {0, 0, 0});
  chains.Add(MakeChain("falling", {-0.2, 0.1, 0}, {0.3, 0.1, 0}, 2, 1.0), {0, 0, 0.25});
  const auto down = [](double t, Matrix3Xd* x) { x->rightCols(2).row(2).array() -= t; };
  ASSERT_EQ(chains.Passed(3, down).size(), 1u);
  EXPECT_NEAR(chains.Passed(3, down)[0].time, 0.25, 1e-5);
}

TEST(Passages, InThePlane) {
  Shown shown;
  shown.scene->dimension = 2;
  shown.Add(MakeRing("ring", 0.5, 16, 1.0), {0, 0, 0});
  shown.Add(MakeChain("rod", {-0.1, 0, 0}, {0.1, 0.02, 0}, 2, 1.0), {0, 1.0, 0});
  const auto fall = [](double t, Matrix3Xd* x) { x->rightCols(2).row(1).array() -= t; };
  const auto passed = shown.Passed(4, fall);
  ASSERT_EQ(passed.size(), 1u);
  EXPECT_NEAR(passed[0].time, 0.5, 0.03);
}

// A corner of the upper of two flush blocks sinks in by a centimetre and slides out again by the side, which a strain
// has made a little more than perpendicular to the top. Where it goes on to the bottom, it is through, but not along the side,
// a millimetre deep.
TEST(Passages, WhatSlidesOutByTheNextSideIsNotThrough) {
  Shown shown;
  shown.scene->dimension = 2;
  shown.Add(MakeSheet("lower", {1, 1}, {2, 2}, 1.0), {0, 0, 0});
  shown.Add(MakeSheet("upper", {1, 1}, {2, 2}, 1.0), {-1e-3, 1, 0});
  for (Body& body : shown.scene->bodies) body.shape = ShapeKind::kProfile;
  for (const double lean : {0.0, 1e-16, 1e-3, 0.05}) {
    const auto aside = [lean](double depth, double inwards) {
      return [lean, depth, inwards](double t, Matrix3Xd* x) {
        // The right side leans over, its foot inwards.
        for (int p = 0; p < 4; ++p) {
          if ((*x)(0, p) > 0.0 && (*x)(1, p) < 0.0) (*x)(0, p) -= lean;
        }
        x->rightCols(4).row(1).array() -= depth * std::min(1.0, 2.0 * t);
        x->rightCols(4).row(0).array() += std::max(0.0, 2.0 * t - 1.0) * 0.01 - inwards;
      };
    };
    for (const int shows : {2, 20}) {
      EXPECT_TRUE(shown.Passed(shows, aside(0.01, 0.0)).empty()) << lean << ' ' << shows;
      EXPECT_EQ(shown.Passed(shows, aside(1.5, 0.3)).size(), 1u) << lean << ' ' << shows;
      EXPECT_TRUE(shown.Passed(shows, aside(1.5, 0.0)).empty()) << lean << ' ' << shows;
    }
  }
}

}  // namespace
}  // namespace pliant
