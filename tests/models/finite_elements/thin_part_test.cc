#include "models/finite_elements/thin_part.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/problem.h"
#include "models/scene/shapes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

Body WithMaterial(Body body) {
  body.material =
      Material{.density = 900.0, .youngs_modulus = 1e5, .poisson_ratio = 0.3, .thickness = 0.01};
  return body;
}

Body SomeChain() {
  return MakeChain("chain", Vector3d(0.1, 0.2, 0.0), Vector3d(1.0, 0.4, 0.0), 5, 0.3);
}

std::string Refusal(const Body& body, int dimension) {
  try {
    MakeThinPart(body, dimension, 1);
  } catch (const BadInput& bad) {
    return bad.problem().where + ": " + bad.problem().what;
  }
  return "";
}

TEST(ThinPart, KeepsThePointsAndTheMassOfEveryShape) {
  for (const int refinement : {1, 2, 3}) {
    for (const Body& body :
         {MakeSheet("sheet", Vector2d(1.2, 0.7), {5, 4}, 0.3),
          MakeTube("tube", 0.3, 1.0, {6, 3}, 0.3), MakeTube("prism", 0.3, 1.0, {3, 2}, 0.3),
          MakeTorus("torus", 0.5, 0.2, {7, 5}, 0.3), SomeChain()}) {
      ASSERT_TRUE(IsThin(body));
      const auto part = MakeThinPart(WithMaterial(body), 3, refinement);
      EXPECT_LT((part->rest() * part->embedding().transpose() - body.rest).norm(), 1e-12)
          << body.name;
      EXPECT_NEAR(part->mass().sum(), 0.3, 1e-12) << body.name;
      EXPECT_FALSE(part->planar());
    }
    for (const Body& body : {SomeChain(), MakeRing("ring", 0.4, 9, 0.3)}) {
      const auto part = MakeThinPart(WithMaterial(body), 2, refinement);
      EXPECT_LT((part->rest() * part->embedding().transpose() - body.rest).norm(), 1e-12)
          << body.name;
      EXPECT_NEAR(part->mass().sum(), 0.3, 1e-12) << body.name;
      EXPECT_TRUE(part->planar());
    }
  }
}

TEST(ThinPart, CellsAreDividedByTheRefinement) {
  const Body tube = WithMaterial(MakeTube("tube", 0.3, 1.0, {6, 3}, 0.3));
  EXPECT_EQ(MakeThinPart(tube, 3, 1)->element_count(), 6 * 2);
  EXPECT_EQ(MakeThinPart(tube, 3, 3)->element_count(), 18 * 6);
}

TEST(ThinPart, RefusesWhatItCannotMake) {
  EXPECT_EQ(Refusal(SomeChain(), 3), "material: body 'chain' has no material with a thickness");
  EXPECT_NE(Refusal(WithMaterial(MakeRing("ring", 0.4, 9, 0.3)), 3).find("twist"),
            std::string::npos);
  EXPECT_EQ(Refusal(WithMaterial(MakeSheet("sheet", Vector2d(1.0, 1.0), {3, 3}, 1.0)), 2),
            "shape: the surface 'sheet' needs a 3-D scene");
  Body bent = WithMaterial(MakeSheet("sheet", Vector2d(1.0, 1.0), {3, 3}, 1.0));
  bent.rest(2, 4) += 0.1;
  EXPECT_EQ(Refusal(bent, 3),
            "shape: point 4 of body 'sheet' does not lie evenly spaced on a rectangle");
  EXPECT_FALSE(IsThin(MakeBlock("block", Vector3d::Ones(), {2, 2, 2}, 1.0)));
}

}  // namespace
}  // namespace pliant::finite_elements
