// The backend `displacement-constraints`: what it says of a scene, what it refuses, and how a run
// goes on where constraints contradict each other.

#include "solvers/displacement_constraints/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

Translation Translate(const Scene& scene, const ParameterValues& parameters = {}) {
  Validate(scene);
  return TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
}

ParameterValues Fractions(const std::vector<double>& fractions) {
  return {{"force_fractions", fractions}};
}

// One of everything.
Scene Everything() {
  Scene scene;
  Body sheet = Sheet(5);
  sheet.velocity = {0.1, 0.0, 0.0};
  sheet.stretch = Vector3d(1.1, 1.0, 1.0).asDiagonal();
  Body chain = MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0);
  chain.position = {0.55, -0.5, 0.0};
  scene.bodies = {sheet, chain};
  scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.4)};
  scene.obstacles[0].motion = Path::Still({0, -5, 0});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 24})};
  scene.attachments = {{"knot", {0, 4}, {1, 0}}};
  scene.springs = {{"band", {1, 4}, std::nullopt, {3, 0, 0}, 1.0, 0.1, 0.0}};
  scene.forces = {{"wind", {0, 12}, {0, 0, 1}, 0.0, 1.0}};
  scene.impulses = {{"blow", {0, 0}, {0, 0, 1}, 0.5}};
  return scene;
}

TEST(DisplacementBackend, SaysWhatBecomesOfEveryElement) {
  const Translation one = Translate(Everything());
  ASSERT_TRUE(one.record.supported()) << one.record.WhyUnsupported();
  const std::map<std::string, Fidelity> expected = {
      {"gravity", Fidelity::kExact},
      {"body.sheet", Fidelity::kApproximated},
      {"body.sheet.velocity", Fidelity::kExact},
      {"body.sheet.stretch", Fidelity::kIgnored},
      {"body.rope", Fidelity::kApproximated},
      {"obstacle.floor", Fidelity::kApproximated},
      {"obstacle.floor.friction", Fidelity::kApproximated},
      {"nail.hook", Fidelity::kExact},
      {"attachment.knot", Fidelity::kExact},
      {"spring.band", Fidelity::kExact},
      {"force.wind", Fidelity::kExact},
      {"impulse.blow", Fidelity::kExact}};
  for (const auto& [element, fidelity] : expected) {
    EXPECT_EQ(EntryOf(one, element).fidelity, fidelity) << element;
  }
  for (const TranslatedElement& entry : one.record.Entries()) {
    EXPECT_TRUE(expected.contains(entry.element)) << entry.element;
    if (entry.fidelity == Fidelity::kExact) continue;
    EXPECT_NE(entry.reason, "") << entry.element;
  }
  EXPECT_THAT(EntryOf(one, "body.sheet").reason, HasSubstr("rows and columns"));
  EXPECT_THAT(EntryOf(one, "body.rope").reason, HasSubstr("chain"));

  // Levels and the filter spread forces, and the record says so.
  for (const ParameterValues& spreading :
       {Fractions({0.5, 0.5}), ParameterValues{{"filter_fraction", 0.65}}}) {
    const Translation spread = Translate(Everything(), spreading);
    for (const std::string element : {"spring.band", "force.wind", "impulse.blow"}) {
      EXPECT_EQ(EntryOf(spread, element).fidelity, Fidelity::kApproximated);
      EXPECT_THAT(EntryOf(spread, element).reason, HasSubstr("spread it over"));
    }
    EXPECT_EQ(EntryOf(spread, "gravity").fidelity, Fidelity::kExact);
  }
}

TEST(DisplacementBackend, StartsStretchedBodiesWithTheirRestLengths) {
  Scene scene = Everything();
  scene.gravity.setZero();
  scene.attachments.clear();
  scene.nails.clear();
  const Translation translation = Translate(scene);
  const Observation start = Observed(*translation.simulation);
  for (const auto& [a, b] : scene.bodies[0].edges) {
    EXPECT_NEAR((start.points.col(b) - start.points.col(a)).norm(), 0.25, 1e-12);
  }
}

TEST(DisplacementBackend, RefusesFractionsWhoseSumIsNotOne) {
  for (const std::vector<double>& fractions :
       {std::vector{0.5, 0.4}, std::vector{0.9}, std::vector{0.5, 0.5, 0.5}}) {
    reference::ExpectBadInput("force_fractions",
                              {"the sum of force_fractions is", "make the sum 1"},
                              [&] { Translate(Weightless({Sheet(9)}), Fractions(fractions)); });
  }
  EXPECT_THROW(Translate(Weightless({Sheet(9)}), Fractions({})), BadInput);
  EXPECT_THROW(Translate(Weightless({Sheet(9)}), Fractions({1.5, -0.5})), BadInput);
  EXPECT_NE(Translate(Weightless({Sheet(9)}), Fractions({0.1, 0.2, 0.7})).simulation, nullptr);
}

TEST(DisplacementBackend, NamesTheTwoSizesNextToOneThatHasNoLevels) {
  const auto expect = [](const std::vector<std::string>& said, const Body& body,
                         const std::vector<double>& fractions) {
    reference::ExpectBadInput("force_fractions", said,
                              [&] { Translate(Weightless({body}), Fractions(fractions)); });
  };
  expect({"'sheet' has 7 points", "5 or 9 points"}, Sheet(7), {0.5, 0.5});
  expect({"20 points", "17 or 33 points"}, MakeSheet("sheet", {1, 1}, {9, 20}, 1.0), {0.5, 0.5});
  expect({"5 or 9 points"}, MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 6, 1.0), {0.5, 0.5});
  expect({"names 4 levels", "at most 3 fractions"}, Sheet(5), {0.25, 0.25, 0.25, 0.25});
  expect({"'cube' is neither a chain nor a sheet", "[1]"},
         MakeBlock("cube", {1, 1, 1}, {3, 3, 3}, 1.0), {0.5, 0.5});
  EXPECT_NO_THROW(Translate(Weightless({Sheet(5)}), Fractions({0.5, 0.25, 0.25})));
  EXPECT_NO_THROW(Translate(Weightless({Sheet(7)}), Fractions({1.0}))) << "needs no such size";
}

TEST(DisplacementBackend, RefusesFewerSweepsAtMostThanAtLeast) {
  const Scene scene = Weightless({Sheet(3)});
  for (const char* formulation : kSweepingFormulations) {
    ParameterValues parameters = {{"min_sweeps", std::int64_t{9}}, {"max_sweeps", std::int64_t{9}}};
    EXPECT_NE(TranslateBy(formulation, scene, parameters).simulation, nullptr);
    parameters["max_sweeps"] = std::int64_t{8};
    EXPECT_THROW(TranslateBy(formulation, scene, parameters), BadInput);
  }
}

TEST(DisplacementBackend, RefusesWhatHasNoSegments) {
  Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  scene.bodies[0].rest.col(2) = scene.bodies[0].rest.col(1);
  Translation translation = TheBackend().Translate(std::make_shared<const Scene>(scene), {});
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_THAT(translation.record.WhyUnsupported(),
              HasSubstr("edge from point 1 to point 2 has no length"));

  scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  scene.bodies[0].edges.pop_back();
  translation = TheBackend().Translate(std::make_shared<const Scene>(scene), {});
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_THAT(translation.record.WhyUnsupported(), HasSubstr("point 2 has no edge"));
}

TEST(DisplacementBackend, WarnsOfPartsThatNothingJoins) {
  Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 6, 1.0)});
  EXPECT_TRUE(Translate(scene).warnings.empty());
  std::swap(scene.bodies[0].edges[0], scene.bodies[0].edges[4]);
  EXPECT_TRUE(Translate(scene).warnings.empty()) << "whatever the order of the edges";
  scene.bodies[0].edges.erase(scene.bodies[0].edges.begin() + 2);
  const std::vector<std::string> warnings = Translate(scene).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("'rope' has 2 parts that no edge joins"));
}

// Three spokes, a rim that closes, a tail, and a part by itself: no grid, no chain.
TEST(DisplacementBackend, MovesAnyGraph) {
  Eigen::Matrix3Xd points(3, 8);
  points << 0, 1, -0.5, -0.5, 2, 3, 9, 9, 0, 0, 0.8, -0.8, 0, 0.5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0;
  Scene scene = Weightless(
      {MakeGraph("wheel", points, {{0, 1}, {0, 2}, {0, 3}, {1, 2, 3, 1}, {1, 4, 5}, {6, 7}}, 1.0)});
  ASSERT_EQ(scene.bodies[0].edges.size(), 9u);
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "hub", {0, 0})};
  for (const char* formulation : kSweepingFormulations) {
    const Translation translation = TranslateBy(formulation, scene);
    ASSERT_EQ(translation.warnings.size(), 1u);
    EXPECT_THAT(translation.warnings[0], HasSubstr("'wheel' has 2 parts"));
    EXPECT_THAT(translation.record.Entries()[1].reason, HasSubstr("its lines"));
    const Observation end = RunFor(translation.simulation.get(), 100, 0.01);
    for (const auto& [a, b] : scene.bodies[0].edges) {
      const double length = (points.col(b) - points.col(a)).norm();
      EXPECT_NEAR((end.points.col(b) - end.points.col(a)).norm(), length, 0.01) << a << " " << b;
    }
    EXPECT_LT(end.points.col(0).norm(), 0.01) << "the hub is held";
    EXPECT_NEAR(end.points(1, 6), -0.5 * kG, 0.1) << "the part by itself falls";
    EXPECT_GT((end.points.col(5) - points.col(5)).norm(), 0.5) << "the tail swings";
  }
}

TEST(DisplacementBackend, WarnsWhereTheSourceRuleDiverges) {
  const Scene scene = Weightless({Sheet(5)});
  ParameterValues parameters = {{"correction", std::string("source")},
                                {"inertia", std::string("rod")}};
  const std::vector<std::string> warnings = Translate(scene, parameters).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("sweeps do not converge"));
  parameters["rotation_factor"] = 0.25;
  EXPECT_TRUE(Translate(scene, parameters).warnings.empty());
  parameters["rotation_factor"] = 1.0;
  parameters["inertia"] = std::string("identity");
  EXPECT_TRUE(Translate(scene, parameters).warnings.empty());
  EXPECT_TRUE(Translate(scene).warnings.empty());
}

TEST(DisplacementBackend, TellsByHowMuchTheSourceRuleOvershoots) {
  // Equal rods: 1 − t_f − r_f m/2 (3/m + 3/m).
  const Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  const std::vector<std::string> warnings = Translate(scene, {{"correction", std::string("source")},
                                                              {"inertia", std::string("rod")},
                                                              {"translation_factor", 0.5},
                                                              {"rotation_factor", 1.0}})
                                                .warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("multiplies some gaps by -2.5 per correction"));
}

// Two nails further apart than the chain between them is long.
Scene Contradiction() {
  Scene scene = SceneOf({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0)});
  scene.nails = {{"left", {0, 0}, Path::Still({0, 0, 0})},
                 {"right", {0, 4}, Path::Still({1.5, 0, 0})}};
  return scene;
}

TEST(DisplacementBackend, WarnsOfAnAssemblyThatCannotClose) {
  const Translation translation = Translate(Contradiction());
  ASSERT_EQ(translation.warnings.size(), 1u);
  EXPECT_THAT(translation.warnings[0], HasSubstr("the initial assembly leaves a gap"));
  ASSERT_EQ(translation.findings.size(), 1u);
  EXPECT_THAT(translation.warnings[0], HasSubstr(translation.findings[0].rows.at(0).at(0)));
  Scene scene = Contradiction();
  scene.nails[1].path = Path::Still({0.7, 0.2, 0.0});
  EXPECT_TRUE(Translate(scene).warnings.empty()) << "this one closes";
}

TEST(DisplacementBackend, NamesTheWorstConstraintAndGoesOn) {
  const Translation translation = Translate(Contradiction());
  Simulation& simulation = *translation.simulation;
  for (int i = 0; i < 50; ++i) {
    const StepOutcome outcome = simulation.Advance(0.01);
    ASSERT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
    EXPECT_THAT(outcome.quantity,
                testing::AnyOf(HasSubstr("nail 'left'"), HasSubstr("nail 'right'"),
                               HasSubstr("joint at point")))
        << "step " << i;
  }
  EXPECT_NEAR(simulation.time(), 0.5, 1e-12);
  const Observation o = Observed(simulation);
  EXPECT_TRUE(o.points.allFinite());
  // The half metre that is missing is shared by four joints and two nails.
  EXPECT_GT(*o.constraint_error, 0.5 / 6 - 1e-6);
  EXPECT_LT(*o.constraint_error, 0.5);
  EXPECT_LT(o.points.row(1).cwiseAbs().maxCoeff(), 0.2) << "it hangs between its nails";
}

// A single contradiction is named by what it is.
TEST(DisplacementBackend, NamesNailsAttachmentsJointsAndContacts) {
  const auto worst = [](const Scene& scene, const ParameterValues& parameters = {}) {
    const Translation translation = Translate(scene, parameters);
    const StepOutcome outcome = translation.simulation->Advance(0.01);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
    return outcome.quantity;
  };
  // The last to be relaxed in a sweep are the joints, so that what is left is left at the holds.
  Scene nailed = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  nailed.nails = {{"left", {0, 0}, Path::Still({0, 0, 0})},
                  {"far", {0, 1}, Path::Still({2, 0, 0})}};
  EXPECT_THAT(worst(nailed), HasSubstr("nail '"));

  Scene tied = Weightless({MakeChain("one", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  tied.bodies.push_back(MakeChain("two", {3, 0, 0}, {4, 0, 0}, 2, 1.0));
  tied.nails = {{"a", {0, 0}, Path::Still({0, 0, 0})}, {"b", {1, 1}, Path::Still({4, 0, 0})}};
  tied.attachments = {{"knot", {0, 1}, {1, 0}}};
  EXPECT_THAT(worst(tied), testing::AnyOf(HasSubstr("attachment 'knot'"), HasSubstr("nail '")));

  Scene pressed = Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  pressed.nails = {{"left", {0, 0}, Path::Still({0, -0.5, 0})},
                   {"right", {0, 1}, Path::Still({1, -0.5, 0})}};
  pressed.obstacles = {Floor("floor", Vector3d::UnitY())};
  EXPECT_THAT(worst(pressed), testing::AnyOf(HasSubstr("nail '"), HasSubstr("contact of point")));
}

// The blow of data/scenes/corner-pull.toml. Where the sheet folds, a step needs up to 180 sweeps to
// get below the tolerance: Gauss–Seidel takes a gap along a row of 16 segments bit by bit. The
// default limit leaves room for that.
TEST(DisplacementBackend, ConvergesOnAStruckSheetWithItsDefaults) {
  Scene scene = Weightless({MakeSheet("sheet", {2.0, 2.0}, {17, 17}, 2.0)});
  scene.impulses = {{"blow", {0, 288}, {0.1, 0.1, 0.3}, 0.1}};
  const Translation translation = Translate(scene);
  Observation before, after = Observed(*translation.simulation);
  std::int64_t most = 0;
  for (int i = 0; i < 1500; ++i) {
    before = after;
    after = RunFor(translation.simulation.get(), 1, 1e-3);
    most = std::max(most, *after.iterations - *before.iterations);
  }
  EXPECT_GT(most, 100) << "fewer would not have done";
  EXPECT_LE(*after.constraint_error, 0.004 * 2.0 / 16);
}

TEST(DisplacementBackend, ReportsWhatTheProlongationDoesToMomentum) {
  for (const std::string prolongation : {"source", "balanced"}) {
    ParameterValues parameters = Fractions({0.5, 0.3, 0.2});
    parameters["prolongation"] = prolongation;
    EXPECT_THAT(EntryOf(Translate(Everything(), parameters), "body.rope").reason,
                HasSubstr(prolongation == "source" ? "momentum drift" : "conserves its linear"));
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
