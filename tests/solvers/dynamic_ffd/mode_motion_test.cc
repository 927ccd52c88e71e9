// Motions that do not depend on how the modes are written down.

#include <tuple>

#include "solvers/control/tables.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;

Matrix3Xd MovedBy(const Scene& scene, ParameterValues parameters) {
  const Translation translation = Translated(scene, parameters);
  return RunFor(translation.simulation.get(), 2e-3, 250).points;
}

TEST(ModeMotion, IsTheSameWithOrthogonalModes) {
  const Scene scene = SpinningTable();
  ParameterValues parameters = With(LibraryModes(), "rk4");
  const Matrix3Xd as_given = MovedBy(scene, parameters);
  parameters["orthogonal_modes"] = true;
  const Translation mixed = Translated(scene, parameters);
  EXPECT_NEAR(*Observed(*mixed.simulation).extras[1], 1.0, 0.5);  // deformed at the start
  EXPECT_LT((MovedBy(scene, parameters) - as_given).cwiseAbs().maxCoeff(), 1e-9);
  // That the modes act at all: without them the table would be elsewhere.
  MatrixTable still = LibraryModes();
  for (NamedMatrix& entry : still.entries) entry.scalars["initial"] = 0.0;
  EXPECT_GT((MovedBy(scene, With(still, "rk4")) - as_given).cwiseAbs().maxCoeff(), 0.02);
}

TEST(ModeMotion, OrthogonalModesHaveConditionOneUndeformed) {
  MatrixTable modes = LibraryModes();
  for (NamedMatrix& entry : modes.entries) entry.scalars["initial"] = 0.0;
  ParameterValues parameters = With(modes, "rk4");
  EXPECT_GT(*Observed(*Translated(SpinningTable(), parameters).simulation).extras[1], 1.5);
  parameters["orthogonal_modes"] = true;
  EXPECT_NEAR(*Observed(*Translated(SpinningTable(), parameters).simulation).extras[1], 1.0, 1e-9);
}

TEST(ModeMotion, OrthogonalModesRefuseExponentsAndLimits) {
  for (const auto& [key, value, words] :
       {std::tuple{"exponent", 4.0, "an exponent other than 2"}, {"upper", 2.0, "limits"}}) {
    MatrixTable modes = LibraryModes();
    modes.entries[1].scalars[key] = value;
    ParameterValues parameters = With(modes, "rk4");
    Translated(SpinningTable(), parameters);
    parameters["orthogonal_modes"] = true;
    reference::ExpectBadInput("orthogonal_modes", {std::string("mode 'bend' has ") + words},
                              [&] { Translated(SpinningTable(), parameters); });
    parameters["use_modes"] = std::vector<std::string>{"shear", "squash"};
    Translated(SpinningTable(), parameters);
  }
}

TEST(ModeMotion, OfPlanarModesIsTheSameInSpace) {
  Scene scene = SpinningTable();
  const Matrix3Xd plane = MovedBy(scene, With(LibraryModes(), "rk4"));
  scene.dimension = 3;
  MatrixTable modes = LibraryModes();
  modes.scalars["degree_z"] = 0;
  EXPECT_LT((MovedBy(scene, With(modes, "rk4")) - plane).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(ModeMotion, DoesNotDependOnTheDegreeOrTheBasisThatAShapeIsDrawnWith) {
  const Scene scene = SpinningTable();
  const Matrix3Xd cubic = MovedBy(scene, With(LibraryModes(), "rk4"));
  MatrixTable other = LibraryModes();
  other.scalars = {{"degree_x", 6}, {"degree_y", 2}};
  EXPECT_LT((MovedBy(scene, With(other, "rk4")) - cubic).cwiseAbs().maxCoeff(), 1e-10);
  other.scalars = {{"points_x", 9}, {"points_y", 5}};
  other.texts = {{"basis", "b-spline"}};
  EXPECT_LT((MovedBy(scene, With(other, "rk4")) - cubic).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(ModeMotion, OfABlendIsThatOfOneModeWhicheverWayItsWeightsPoint) {
  const Scene scene = SpinningTable();
  MatrixTable blend = LibraryModes();
  blend.entries.push_back({"both",
                           {},
                           {{"stiffness", 400.0}, {"initial", 0.3}},
                           {},
                           {{"blend", {{"bend", 0.5}, {"squash", -1.0}}}}});
  const Matrix3Xd moved = MovedBy(scene, With(blend, "rk4"));
  ParameterValues only = With(blend, "rk4");
  only["use_modes"] = std::vector<std::string>{"shear", "both"};
  EXPECT_LT((MovedBy(scene, only) - moved).cwiseAbs().maxCoeff(), 1e-15);
  MatrixTable turned = blend;
  turned.entries[3].weights["blend"] = {{"bend", -0.5}, {"squash", 1.0}};
  turned.entries[3].scalars["initial"] = -0.3;
  EXPECT_LT((MovedBy(scene, With(turned, "rk4")) - moved).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(ModeMotion, VibratesAtTheFrequencyThatIsAskedFor) {
  Scene scene = TableScene();
  MatrixTable modes;
  modes.entries = {ShapedMode("squash", {{"shape", "squash"}, {"axis", "y"}},
                              {{"damping", 4.0}, {"initial", 0.2}, {"amount", 0.4}})};
  modes.entries[0].scalars = {{"frequency", 2.0}, {"initial", 0.2}};
  const Translation translation = Translated(scene, With(modes, "rk4"));
  const Matrix3Xd start = Observed(*translation.simulation).points;
  // A squash of the resting table turns nothing: after half a period it is as much stretched.
  const Observation half = RunFor(translation.simulation.get(), 1e-3, 250);
  EXPECT_NEAR(half.points(1, 0) - start(1, 0), -2.0 * (start(1, 0) - scene.bodies[0].rest(1, 0)),
              1e-6);
  EXPECT_LT((RunFor(translation.simulation.get(), 1e-3, 250).points - start).norm(), 1e-6);
}

// The bend starts at −0.3 and may not swing beyond 0.1.
MatrixTable LimitedLibraryModes() {
  MatrixTable modes = LibraryModes();
  modes.entries[1].scalars["lower"] = -0.31;
  modes.entries[1].scalars["upper"] = 0.1;
  return modes;
}

TEST(ModeMotion, LimitsHoldWhileTheRestShapeMorphs) {
  Scene scene = SpinningTable();
  Morph morph{"growth", 0, scene.bodies[0].rest, 0.05, 0.4};
  for (int n = 0; n < scene.bodies[0].size(); ++n) {
    const Eigen::Vector3d x = scene.bodies[0].rest.col(n);
    morph.target.col(n) += Eigen::Vector3d(0.2 * x.x() * x.y(), 0.3 * x.y(), 0);
  }
  scene.morphs.push_back(morph);
  const Translation limited = Translated(scene, With(LimitedLibraryModes(), "rk4"));
  const Translation free = Translated(scene, With(LibraryModes(), "rk4"));
  const double before = Balance(scene, Observed(*limited.simulation));
  const Eigen::Vector3d spin = SpinAboutCentre(scene, Observed(*limited.simulation));
  const auto& simulation = AsFfd(limited);
  double highest = -1.0;
  Observation o;
  for (int i = 0; i < 500; ++i) {
    o = RunFor(limited.simulation.get(), 1e-3, 1);
    highest = std::max(highest, simulation.q()[4]);
    ASSERT_LE(simulation.q()[4], 0.1);
    ASSERT_GE(simulation.q()[4], -0.31);
    ASSERT_EQ(simulation.q()[6], scene.morphs[0].At(simulation.time()).value);
    ASSERT_EQ(simulation.v()[6], scene.morphs[0].At(simulation.time()).rate);
  }
  EXPECT_EQ(highest, 0.1);
  const Observation other = RunFor(free.simulation.get(), 1e-3, 500);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -0.1);
  EXPECT_NEAR(Balance(scene, o), before, 1e-3);
  EXPECT_LT((SpinAboutCentre(scene, o) - spin).norm(), 1e-6 * spin.norm());
  EXPECT_LT(((*o.velocities - *other.velocities) * scene.Masses()).norm(), 1e-8);
}

TEST(ModeMotion, KeyFramesKeepWithinLimitsAndLimitsHoldAfterThem) {
  const Scene scene = SpinningTable();
  KeyFrameTable table;
  table.keys.resize(3);
  table.keys[1].time = 0.1;
  table.keys[1].pose = {{"bend", -0.3}};
  table.keys[2].time = 0.2;
  table.keys[2].pose = {{"bend", 0.05}};
  MatrixTable modes = LimitedLibraryModes();
  modes.entries[1].scalars["initial"] = 0.0;
  ParameterValues parameters = With(modes, "rk4");
  parameters["keyframes"] = table;
  const Translation translation = Translated(scene, parameters);
  RunFor(translation.simulation.get(), 1e-3, 200);
  const auto& simulation = AsFfd(translation);
  EXPECT_NEAR(simulation.q()[4], 0.05, 1e-12);
  EXPECT_GT(simulation.v()[4], 1.0);  // on its way to the limit
  const double before = Balance(scene, Observed(simulation));
  double highest = -1.0;
  for (int i = 0; i < 300; ++i) {
    RunFor(translation.simulation.get(), 1e-3, 1);
    highest = std::max(highest, simulation.q()[4]);
    ASSERT_GE(simulation.q()[4], -0.31);
  }
  EXPECT_EQ(highest, 0.1);
  EXPECT_NEAR(Balance(scene, Observed(simulation)), before, 1e-3);

  table.keys[2].pose = {{"bend", 0.2}};
  parameters["keyframes"] = table;
  reference::ExpectBadInput("keyframes.key[2].pose.bend",
                            {"moved to 0.2, outside its limits -0.31 to 0.1"},
                            [&] { Translated(scene, parameters); });
}

TEST(ModeMotion, AFindingSaysHowAlikeTheModesAre) {
  MatrixTable modes = LibraryModes();
  const Translation fine = Translated(SpinningTable(), With(modes, "rk4"));
  ASSERT_EQ(fine.findings.size(), 1u);
  EXPECT_EQ(fine.findings[0].rows.size(), 3u);
  EXPECT_EQ(fine.warnings.size(), 0u);
  modes.entries.push_back(ShapedMode("twin", {{"shape", "squash"}, {"axis", "y"}},
                                     {{"stiffness", 100.0}, {"damping", 4.0}, {"amount", 0.4}}));
  modes.entries.back().scalars["angle"] = 0.01;
  const Translation alike = Translated(SpinningTable(), With(modes, "rk4"));
  ASSERT_EQ(alike.warnings.size(), 1u);
  EXPECT_THAT(alike.warnings[0], testing::HasSubstr("'twin' is 1 'squash'"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
