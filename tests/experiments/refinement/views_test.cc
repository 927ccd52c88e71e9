// The same scene seen otherwise is the same scene: every element is where it was.

#include "experiments/claims/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/invariance.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

const char* const kScenes[] = {"press",    "drop",   "hang",  "spin",
                               "pendulum", "puppet", "slope", "corner-pull"};

std::vector<std::string> NamesOf(const Views& views) {
  std::vector<std::string> names;
  for (const View& view : views.views) names.push_back(view.name);
  return names;
}

TEST(Views, KeepEveryPointVelocityAndMass) {
  for (const char* name : kScenes) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    const Eigen::Matrix3Xd points = scene.InitialPoints(), velocities = scene.InitialVelocities();
    const Views views = ViewsOf(scene);
    EXPECT_GE(views.views.size(), 3u) << name;
    for (const View& view : views.views) {
      SCOPED_TRACE(std::string(name) + " " + view.name);
      EXPECT_LT((view.Back(view.scene.InitialPoints()) - points).cwiseAbs().maxCoeff(), 1e-12);
      const Eigen::Matrix3Xd there = view.scene.InitialVelocities();
      const Eigen::VectorXd masses = view.scene.Masses();
      for (int i = 0; i < points.cols(); ++i) {
        const int column = view.columns[static_cast<size_t>(i)];
        EXPECT_LT((there.col(column) - view.linear * velocities.col(i)).norm(), 1e-12);
        EXPECT_DOUBLE_EQ(masses[column], scene.Masses()[i]);
      }
    }
  }
}

// What nails hold and springs join is still the same point, and obstacles are as far away.
TEST(Views, KeepNailsAndObstacles) {
  for (const char* name : kScenes) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    for (const View& view : ViewsOf(scene).views) {
      SCOPED_TRACE(std::string(name) + " " + view.name);
      if (view.name != "elements in reverse order") {
        for (size_t n = 0; n < scene.nails.size(); ++n) {
          const Nail &here = scene.nails[n], &there = view.scene.nails[n];
          EXPECT_EQ(view.scene.Index(there.point),
                    view.columns[static_cast<size_t>(scene.Index(here.point))]);
          const Eigen::Vector3d carried =
              view.linear * here.path.At(0.3).position + view.translation;
          EXPECT_LT((there.path.At(0.3).position - carried).norm(), 1e-12);
        }
        for (size_t o = 0; o < scene.obstacles.size(); ++o) {
          const Eigen::Vector3d x(0.3, 0.2, scene.dimension == 2 ? 0.0 : 0.1);
          const auto distance = [o](const Scene& of, const Eigen::Vector3d& point) {
            const Obstacle& obstacle = of.obstacles[o];
            return SignedDistance(obstacle.shape, obstacle.motion.At(0.3).position, point).distance;
          };
          const double here = distance(scene, x),
                       there = distance(view.scene, view.linear * x + view.translation);
          EXPECT_NEAR(here, there, 1e-12);
        }
      }
    }
  }
}

std::vector<std::vector<int>> SetsOf(const Body& body, const std::function<int(int)>& image) {
  std::vector<std::vector<int>> sets;
  const auto add = [&](const auto& elements) {
    for (const auto& element : elements) {
      std::vector<int>& set = sets.emplace_back();
      for (const int point : element) set.push_back(image(point));
      std::sort(set.begin(), set.end());
    }
  };
  add(body.edges);
  add(body.faces);
  add(body.tetrahedra);
  add(body.hexahedra);
  std::sort(sets.begin(), sets.end());
  return sets;
}

// Edges, faces and cells are between the same places of the material: the squares of a sheet are cut along one
// diagonal, and a mirror shows the other.
TEST(Views, KeepWhatPointsAreJoinedTo) {
  for (const char* name : {"press", "drop", "hang", "puppet", "slope", "block-on-plank",
                           "ten-blocks", "inverted-elements"}) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    for (const View& view : ViewsOf(scene).views) {
      SCOPED_TRACE(std::string(name) + " " + view.name);
      for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const Body& here = scene.bodies[b];
        const auto there = std::find_if(view.scene.bodies.begin(), view.scene.bodies.end(),
                                        [&](const Body& body) { return body.name == here.name; });
        const int first = scene.Offset(static_cast<int>(b));
        const int first_there =
            view.scene.Offset(static_cast<int>(there - view.scene.bodies.begin()));
        EXPECT_EQ(SetsOf(here,
                         [&](int point) {
                           return view.columns[static_cast<size_t>(first + point)] - first_there;
                         }),
                  SetsOf(*there, [](int point) { return point; }));
      }
    }
  }
}

TEST(Views, WithBodiesInReverseOrderHaveEveryPointWhereItWas) {
  const Scene scene = *ReadExperiment(ShippedFile("sheet-on-block")).scene;
  ASSERT_NE(scene.bodies.front().size(), scene.bodies.back().size());
  const std::vector<View> views = ViewsOf(scene).views;
  const auto reversed = std::find_if(views.begin(), views.end(), [](const View& view) {
    return view.name == "bodies in reverse order";
  });
  ASSERT_NE(reversed, views.end());
  const Eigen::Matrix3Xd here = scene.InitialPoints(), there = reversed->scene.InitialPoints();
  EXPECT_EQ(there(Eigen::all, reversed->columns), here);
  for (size_t i = 0; i < scene.nails.size(); ++i) {
    EXPECT_EQ(reversed->scene.Index(reversed->scene.nails[i].point),
              reversed->columns[static_cast<size_t>(scene.Index(scene.nails[i].point))]);
  }
}

// Faces of closed bodies go on to be seen from outside, those of flat ones from +z of their frame; cells are positive.
TEST(Views, KeepTheSideFromWhichElementsAreSeen) {
  const auto volume = [](const Body& body) {
    double sum = 0.0;
    for (const auto& [i, j, k] : body.faces) {
      const Eigen::Vector3d a = body.rest.col(i), b = body.rest.col(j), c = body.rest.col(k);
      sum += body.closed ? a.dot(b.cross(c)) / 6.0 : 0.5 * (b - a).cross(c - a).z();
    }
    return sum;
  };
  for (const char* name : {"press", "drop", "block-on-plank", "ten-blocks"}) {
    const Scene scene = *ReadExperiment(ShippedFile(name)).scene;
    for (const View& view : ViewsOf(scene).views) {
      for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const double here = volume(scene.bodies[b]);
        if (view.name == "bodies in reverse order") continue;
        EXPECT_NEAR(volume(view.scene.bodies[b]), here, 1e-12 * std::abs(here))
            << name << ", " << view.name;
      }
    }
  }
}

TEST(Views, AreMissingOnlyForAReason) {
  const Views hang = ViewsOf(*ReadExperiment(ShippedFile("hang")).scene);
  EXPECT_THAT(NamesOf(hang), testing::Contains("mirrored in x"));
  EXPECT_THAT(NamesOf(hang), testing::Contains("points renumbered by a half turn about x"));
  EXPECT_THAT(NamesOf(hang), testing::Contains("elements in reverse order"));
  ASSERT_EQ(hang.missing.size(), 1u);
  EXPECT_EQ(hang.missing[0].why, "it has one body");
}

Invariance CheckOf(const std::string& name, const std::string& label,
                   const std::vector<std::string>& overrides = {}) {
  Experiment experiment = ReadExperiment(ShippedFile(name), overrides);
  Shorten(&experiment.plan);
  KeepBackends(&experiment, {label});
  return CheckInvariance(experiment, 0);
}

// With a cause or without.
std::vector<std::string> Different(const Invariance& invariance) {
  std::vector<std::string> names;
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.sameness == Sameness::kDiffers || seen.sameness == Sameness::kExplained)
      names.push_back(seen.view);
  }
  return names;
}

// The causes of the views that differ, each once; "" for none.
std::set<std::string> CausesOf(const Invariance& invariance) {
  std::set<std::string> causes;
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.sameness == Sameness::kDiffers) causes.insert("");
    if (seen.sameness == Sameness::kExplained) causes.insert(seen.cause.name);
  }
  return causes;
}

// The side of a sheet is a convention. Casting along its normal throws a slab that shows the sphere its other side.
TEST(Invariance, FindsTheCastingThatKnowsTheSideOfASheet) {
  EXPECT_THAT(Different(CheckOf("press", "kinematic-response")), testing::IsEmpty());
  const Invariance ray =
      CheckOf("press", "kinematic-response", {"backends.kinematic-response.casting=ray"});
  EXPECT_THAT(Different(ray), testing::Contains(testing::HasSubstr("renumbered by a half turn")));
  EXPECT_THAT(CausesOf(ray), testing::ElementsAre("casting"));
}

std::vector<std::string> NotSeen(const Invariance& invariance) {
  std::vector<std::string> names;
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.sameness == Sameness::kNotSeen) names.push_back(seen.view);
  }
  return names;
}

// Bodies in contact are cut into cells along the diagonals of their faces: a mirror that showed them the other diagonal
// found 5 · 10⁻⁸ to 2 · 10⁻⁵ m between the motions.
TEST(Invariance, BodiesInContactAreTheSameInAMirror) {
  for (const auto& [name, label] : {std::pair("block-on-plank", "linear-deformation"),
                                    std::pair("newtons-cradle", "dynamic-ffd")}) {
    const Invariance invariance = CheckOf(name, label);
    EXPECT_THAT(Different(invariance), testing::IsEmpty()) << name;
    EXPECT_THAT(NotSeen(invariance), testing::Not(testing::Contains(testing::StartsWith("mirr"))))
        << name;
  }
}

// What tables say of poses, hinges, bones and strokes is carried with the scene.
TEST(Invariance, CharactersAndToolsAreTheSameInAMirror) {
  for (const auto& [name, label] :
       {std::pair("faloutsos-gaits", "upright"), std::pair("faloutsos-modes", "dynamic-ffd"),
        std::pair("faloutsos-cliff", "dynamic-ffd"), std::pair("lamp-dance", "consistent"),
        std::pair("lamp-dance", "printed"), std::pair("harrison-sculpting", "clay"),
        std::pair("harrison-skeleton", "blind"), std::pair("harrison-wrinkles", "strips"),
        std::pair("harrison-wrinkles", "furrowed")}) {
    // Of vectors of equal length "average" takes the first.
    const bool maps = std::string(name) == "harrison-wrinkles";
    const std::string weighting = "backends." + std::string(label) + ".restriction=full-weighting";
    Experiment experiment = ReadExperiment(
        ShippedFile(name), maps ? std::vector{weighting} : std::vector<std::string>{});
    experiment.plan.duration = 4.0 * experiment.plan.record_every;
    KeepBackends(&experiment, {label});
    const Invariance invariance = CheckInvariance(experiment, 0);
    EXPECT_THAT(Different(invariance), testing::IsEmpty()) << name << " " << label;
    EXPECT_THAT(NotSeen(invariance),
                testing::Not(testing::Contains(testing::StartsWith("mirrored in x"))))
        << name << " " << label;
  }
}

// Sliders and limits of a rope on a track; forces that are given over time; a spring between a table and the world.
TEST(Invariance, OtherElementsAreTheSameHoweverTheyAreSeen) {
  EXPECT_THAT(Different(CheckOf("palazzi-trolley", "segments")), testing::IsEmpty());
  EXPECT_THAT(Different(CheckOf("particle-jet", "dynamic-ffd")), testing::IsEmpty());
  EXPECT_THAT(Different(CheckOf("faloutsos-spring", "dynamic-ffd",
                                {"backends.dynamic-ffd.integrator=rk4", "run.step=0.001"})),
              testing::IsEmpty());
}

// An absolute tolerance has the unit of each coordinate: other substeps are chosen in other units. The 4 · 10⁻⁹ m that
// this makes in a scene of two metres are not rounding.
TEST(Invariance, FindsADifferenceOfTwoPartsInABillion) {
  const Invariance invariance = CheckOf("faloutsos-spring", "dynamic-ffd");
  EXPECT_THAT(Different(invariance), testing::ElementsAre("in other units"));
  EXPECT_THAT(CausesOf(invariance), testing::ElementsAre("the tolerance"));
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.view == "in other units") {
      EXPECT_LT(seen.distance, 1e-8);
    }
  }
}

// What words say of the units of numbers is true of the plan of a jump too, which is searched in the units of the lamp. A
// hidden unit made 1.4 cm.
TEST(Invariance, APlannedJumpIsTheSameInOtherUnits) {
  const Invariance invariance = CheckOf("lamp-jump", "torques-alone");
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.view == "in other units") {
      EXPECT_LT(seen.distance, 1e-9);
    }
  }
}

// The sweeps over a net stop at their tolerance, elsewhere where its points are numbered otherwise.
TEST(Invariance, ADifferenceIsPutDownToWhatMakesItFall) {
  Experiment experiment = ReadExperiment(ShippedFile("hang"));
  experiment.plan.duration = 4.0 * experiment.plan.record_every;
  KeepBackends(&experiment, {"displacement-constraints"});
  const Invariance invariance = CheckInvariance(experiment, 0);
  EXPECT_THAT(Different(invariance), testing::Contains("mirrored in x"));
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.view != "mirrored in x") continue;
    EXPECT_EQ(seen.cause.name, "the tolerance");
    EXPECT_GT(seen.without, 0.0);
    EXPECT_LE(seen.without, 0.5 * seen.distance);
  }
}

// Of the eight standard experiments every backend makes the same motion however it is seen. Only the order in which
// sweeps go over a net shows, and no longer does where they converge.
class StandardScenes : public testing::TestWithParam<const char*> {};

TEST_P(StandardScenes, AreTheSameHoweverTheyAreSeen) {
  Experiment experiment = ReadExperiment(ShippedFile(GetParam()));
  Shorten(&experiment.plan);
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const Invariance invariance = CheckInvariance(experiment, i);
    for (const SeenOtherwise& seen : invariance.views)
      EXPECT_NE(seen.sameness, Sameness::kDiffers) << invariance.label << ", " << seen.view;
    const std::string& formulation = experiment.backends[i].backend->info().name;
    if (formulation == "displacement-constraints" || formulation == "position-based") continue;
    EXPECT_THAT(CausesOf(invariance), testing::IsEmpty()) << invariance.label;
  }
}

INSTANTIATE_TEST_SUITE_P(Invariance, StandardScenes, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant
