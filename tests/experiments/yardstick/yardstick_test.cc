// A bar, held at one end, is let go under its weight; nothing bends. With c² = E/ρ its displacement is
//
//   u(x, t) = g/c² (L x − x²/2) − 16 g L²/(c² π³) Σ_n sin(k_n x) cos(c k_n t) / (2n + 1)³,   k_n = (2n + 1) π/(2 L)
//
// the static displacement, less its share of each mode of a bar fixed at x = 0 and free at L, each with its own frequency.
// Its waves have fronts, so it converges slower than a smooth motion does.

#include "experiments/yardstick/yardstick.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "experiments/comparison/comparison.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/reference_figures.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/yardstick/bar_scene.h"

namespace pliant {
namespace {

constexpr double kLength = 1.0, kGravity = 10.0, kWaveSpeed = 10.0;

double Displacement(double x, double t) {
  const double pi = std::numbers::pi, scale = kGravity / (kWaveSpeed * kWaveSpeed);
  double waves = 0.0;
  for (int n = 0; n < 2000; ++n) {
    const double odd = 2.0 * n + 1.0, k = odd * pi / (2.0 * kLength);
    waves += std::sin(k * x) * std::cos(kWaveSpeed * k * t) / (odd * odd * odd);
  }
  return scale * (kLength * x - 0.5 * x * x) -
         16.0 * scale * kLength * kLength / (pi * pi * pi) * waves;
}

const std::string kBar = R"(
title = "A bar is let go"
HEAD
[run]
duration = 0.4
step = 0.01
record_every = 0.02
[backends.linear-deformation]
[backends.finite-elements]
)" + std::string(kBarScene);

Experiment Bar(const ScratchFolder& folder, const std::string& more = "",
               const std::string& head = "") {
  std::string text = kBar;
  text.replace(text.find("HEAD"), 4, head);
  WriteFile(folder / "bar.toml", text + more);
  return ReadExperiment(folder / "bar.toml");
}

// The rms over the mass of a run from the closed form, at a frame: the ends have half the mass of other points.
double TrueError(const Bundle& run, size_t frame) {
  const Eigen::Matrix3Xd rest = run.experiment().scene->InitialPoints(), now = run.Points(frame);
  double squares = 0.0, mass = 0.0;
  for (Eigen::Index i = 0; i < rest.cols(); ++i) {
    Eigen::Vector3d truth = rest.col(i);
    truth.x() += Displacement(rest(0, i), run.Time(frame));
    const double share = i == 0 || i + 1 == rest.cols() ? 0.5 : 1.0;
    squares += share * (now.col(i) - truth).squaredNorm();
    mass += share;
  }
  return std::sqrt(squares / mass);
}

const Observable& Points(const Yardstick& yardstick) { return yardstick.observables.front(); }

TEST(Yardstick, OfABarContainsTheClosedForm) {
  const ScratchFolder folder;
  const Experiment bar = Bar(folder);
  const Yardstick made = MakeYardstick(bar, folder / "runs" / kYardsticksFolder, 1);
  ASSERT_EQ(made.failure, "");
  EXPECT_TRUE(made.settled) << YardstickText(made);
  EXPECT_THAT(made.spoiled, testing::IsEmpty());
  const KeptYardstick kept = FindYardstick(folder / "runs" / "bar", YardstickAddress(bar));
  EXPECT_TRUE(kept.settled);
  const std::vector<double>& bars = kept.errors.at(kPointErrors[0]);
  ASSERT_EQ(bars.size(), kept.bundle.frame_count());
  double truth = 0.0;
  for (size_t f = 0; f < bars.size(); ++f) {
    truth = std::max(truth, TrueError(kept.bundle, f));
    EXPECT_LE(TrueError(kept.bundle, f), bars[f] + 1e-9) << kept.times[f];
  }
  // A bar of any width contains it: this one is no wider than ten times the truth.
  EXPECT_LT(bars.back(), 10.0 * truth);
  EXPECT_LT(bars.back(), bar.yardstick.tolerance * Points(made).scale);
  RecordProperty("true_error_m", std::to_string(truth));
  RecordProperty("error_bar_m", std::to_string(bars.back()));
}

TEST(Yardstick, SaysUntilWhenItIsGood) {
  const ScratchFolder folder;
  // Three meshes and steps cannot give a hundred-thousandth, least of all after the fronts have been reflected.
  const Experiment bar = Bar(folder, "[yardstick]\ntolerance = 1e-5\nlevels = 3\n");
  const Yardstick made = MakeYardstick(bar, folder / kYardsticksFolder, 1);
  EXPECT_FALSE(made.settled);
  ASSERT_TRUE(made.good_until);  // the first row is the given state
  EXPECT_LT(*made.good_until, 0.1);
  EXPECT_THAT(YardstickText(made), testing::HasSubstr("not settled: errors are within 0.001 %"));
  // The motion itself is good for longer.
  Yardstick longer = made;
  ASSERT_EQ(longer.observables.front().name, "points_rms_m");
  longer.observables.front().good_until = 0.25;
  EXPECT_THAT(YardstickText(longer),
              testing::HasSubstr(" s only, those of points_rms_m until 0.25 s"));
  EXPECT_FALSE(FindYardstick(folder / "bar", YardstickAddress(bar)).settled);
}

TEST(Yardstick, HasAnAddressOfSceneAndTimesOnly) {
  const ScratchFolder folder;
  const std::string address = YardstickAddress(Bar(folder));
  EXPECT_EQ(address.size(), 16u);
  EXPECT_EQ(YardstickAddress(Bar(folder, "", "# a remark")), address);
  EXPECT_EQ(YardstickAddress(Bar(folder, "[yardstick]\ntolerance = 0.1\n")), address);
  Experiment one = Bar(folder);
  KeepBackends(&one, {"linear-deformation"});
  EXPECT_EQ(YardstickAddress(one), address);
  const auto with = [&](const std::string& change) {
    return YardstickAddress(ReadExperiment(folder / "bar.toml", {change}));
  };
  EXPECT_EQ(with("run.step=0.005"), address);
  EXPECT_NE(with("scene.gravity=[9,0,0]"), address);
  EXPECT_NE(with("run.duration=0.2"), address);
  EXPECT_NE(with("backends.finite-elements.contact_thickness=1"), address);
}

// A rigid brick that is thrown and spins. Elements keep it rigid by an energy; what that leaves is measured.
constexpr char kBrick[] = R"(
title = "A rigid brick spins"
[run]
duration = 0.4
step = 0.01
record_every = 0.02
[yardstick]
levels = 3
tolerance = 0.02
[backends.finite-elements]
[scene]
name = "brick"
dimension = 3
gravity = [0, -9.81, 0]
[[scene.body]]
name = "brick"
shape = "block"
size = [0.4, 0.2, 0.2]
points = [2, 2, 2]
mass = 3.0
rigid = true
velocity = [1, 2, 0]
angular_velocity = [0, 0, 3]
)";

TEST(Yardstick, OfARigidBodyIsThatOfTheSceneWhereItsStrainIsSmall) {
  const ScratchFolder folder;
  WriteFile(folder / "brick.toml", kBrick);
  const Yardstick made =
      MakeYardstick(ReadExperiment(folder / "brick.toml"), folder / kYardsticksFolder, 1);
  ASSERT_EQ(made.failure, "");
  EXPECT_THAT(made.spoiled, testing::IsEmpty());
  const Yardstick strict = MakeYardstick(
      ReadExperiment(folder / "brick.toml", {"yardstick.tolerance=1e-8"}), folder / "strict", 1);
  EXPECT_THAT(
      strict.spoiled,
      testing::ElementsAre(testing::HasSubstr("body 'brick' is not rigid enough: a strain of ")));
}

// A chain with a thickness is a rod, whose theory knows two laws; a law that it does not know is another scene's.
TEST(Yardstick, OfARodIsThatOfItsTheory) {
  const ScratchFolder folder;
  const auto spoiled = [&](const std::string& law, const std::string& damping = "0") {
    Experiment bar = Bar(folder, "[yardstick]\nlevels = 3\n");
    bar = ReadExperiment(folder / "bar.toml",
                         {"scene.body.bar.material.law='" + law + "'",
                          "scene.body.bar.material.damping={mass=0,stiffness=" + damping + "}"});
    const Translation translation = TranslateFor(YardstickExperiment(bar), 0);
    for (const TranslatedElement& element : translation.record.Entries()) {
      if (element.element != "body.bar.material") continue;
      EXPECT_THAT(element.reason, testing::HasSubstr("as a rod of Euler–Bernoulli theory"));
    }
    return MakeYardstick(bar, folder / kYardsticksFolder, 1).spoiled;
  };
  EXPECT_THAT(spoiled("corotated"), testing::IsEmpty());
  EXPECT_THAT(spoiled("neo-hookean-log"),
              testing::ElementsAre(
                  testing::AllOf(testing::StartsWith("body.bar.material is approximated"),
                                 testing::HasSubstr("which is neo-hookean-log at small strain"))));
  EXPECT_THAT(spoiled("corotated", "0.001"),
              testing::ElementsAre(testing::HasSubstr("only stretching is damped")));
}

TEST(Yardstick, RefusesWhatFiniteElementsRefuse) {
  const ScratchFolder folder;
  const Experiment bar =
      Bar(folder, "[[scene.nail]]\nname = 'late'\nbody = 'bar'\npoint = 2\nfrom = 0.1\n");
  EXPECT_THAT(FileErrorOf([&] { MakeYardstick(bar, folder / kYardsticksFolder, 1); }),
              testing::HasSubstr("no yardstick: finite-elements: nail.late"));
}

TEST(Yardstick, ThatIsNotKeptIsAskedForInOneLine) {
  const ScratchFolder folder;
  EXPECT_THAT(FileErrorOf([&] { FindYardstick(folder / "x", "0123456789abcdef"); }),
              testing::HasSubstr("run `pliant yardstick FILE` first"));
}

std::vector<Bundle> Compared(const Experiment& experiment, const ScratchFolder& folder) {
  std::vector<Bundle> bundles;
  for (const BackendRun& run : RunComparison(experiment, folder / "runs", {}))
    bundles.push_back(Bundle::Open(run.bundle));
  return bundles;
}

TEST(YardstickAsReference, IsMeasuredAgainstWithItsOwnErrorBeside) {
  const ScratchFolder folder;
  const Experiment bar = Bar(folder, "", "reference = 'yardstick'");
  MakeYardstick(bar, folder / "runs" / kYardsticksFolder, 1);
  const std::vector<Bundle> bundles = Compared(bar, folder);
  const ComparisonTable table = CompareBundles(bundles, ReferenceAmong(bundles));
  EXPECT_THAT(table.problems, testing::IsEmpty());
  const auto value = [&](size_t row, const std::string& name) {
    const auto found = std::ranges::find(table.columns, name, &SeriesColumn::name);
    return *table.rows[row].values[static_cast<size_t>(found - table.columns.begin())];
  };
  // An affine body stretches evenly, the bar does not: its way from the closed form is that from the yardstick, but
  // for the yardstick's error.
  const std::string rms = "distance_to_reference_rms_m";
  double truth = 0.0;
  for (size_t f = 0; f < bundles[0].frame_count(); ++f)
    truth = std::max(truth, TrueError(bundles[0], f));
  const double error = value(0, "yardstick_error_rms_m");
  EXPECT_NEAR(value(0, rms), truth, error);
  EXPECT_GT(value(0, rms), kToldApart * error);
  EXPECT_FALSE(table.rows[0].not_told_apart.contains(rms));
}

TEST(YardstickAsReference, DoesNotTellApartWhatIsWithinItsError) {
  const ScratchFolder folder;
  Experiment bar = Bar(folder, "[yardstick]\nlevels = 3\n", "reference = 'yardstick'");
  MakeYardstick(bar, folder / "runs" / kYardsticksFolder, 1);
  // The finest rung itself, and the file's.
  bar = ReadExperiment(folder / "bar.toml", {"backends.finite-elements.refinement=4",
                                             "backends.finite-elements.step=0.0025"});
  const std::vector<Bundle> bundles = Compared(bar, folder);
  const ComparisonTable table = CompareBundles(bundles, ReferenceAmong(bundles));
  const std::string rms = "distance_to_reference_rms_m";
  EXPECT_TRUE(table.rows[1].not_told_apart.contains(rms));
  EXPECT_THAT(TableText(table), testing::HasSubstr("in parentheses: not told apart"));

  // The same mesh with twice the step has a distance, which is less than the yardstick knows.
  Experiment longer = ReadExperiment(folder / "bar.toml", {"backends.finite-elements.refinement=4",
                                                           "backends.finite-elements.step=0.005"});
  longer.name = "longer";
  const std::vector<Bundle> others = Compared(longer, folder);
  const ComparisonTable near = CompareBundles(others, ReferenceAmong(others));
  const auto value = [&](const std::string& name) {
    const auto found = std::ranges::find(near.columns, name, &SeriesColumn::name);
    return *near.rows[1].values[static_cast<size_t>(found - near.columns.begin())];
  };
  EXPECT_GT(value(rms), 1e-2 * value("yardstick_error_rms_m"));
  EXPECT_LT(value(rms), kToldApart * value("yardstick_error_rms_m"));
  EXPECT_TRUE(near.rows[1].not_told_apart.contains(rms));
}

// As a sweep draws it: the largest way of the free end among the recorded times.
TEST(YardstickAsReference, FiguresOfAProbeContainTheClosedForm) {
  const ScratchFolder folder;
  const Experiment bar = Bar(folder,
                             "[[probe]]\nname = 'tip'\nmeasure = 'displacement'\n"
                             "component = 'x'\nof = {body = 'bar', points = [4]}\n",
                             "reference = 'yardstick'");
  MakeYardstick(bar, folder / "runs" / kYardsticksFolder, 1);
  const ReferenceFigures yardstick = FiguresOfReference(Compared(bar, folder), "yardstick");
  EXPECT_EQ(yardstick.name, "yardstick");
  double most = 0.0;
  for (int i = 0; i <= 20; ++i) most = std::max(most, Displacement(kLength, 0.02 * i));
  const FigureLimit tip = yardstick.values.at("tip_max_m");
  EXPECT_NEAR(tip.value, most, tip.band);
  EXPECT_GT(tip.band, 0.0);
  EXPECT_LT(tip.band, 0.03 * most) << "wave fronts: it is 2 % of the way";
  EXPECT_NEAR(yardstick.values.at("tip_m").value, Displacement(kLength, 0.4),
              yardstick.values.at("tip_m").band);
  EXPECT_FALSE(yardstick.values.contains("iterations_total")) << "what it costs is no solution";
}

TEST(YardstickAsReference, ThatIsNotKeptIsAProblemOfTheTable) {
  const ScratchFolder folder;
  const std::vector<Bundle> bundles = Compared(Bar(folder, "", "reference = 'yardstick'"), folder);
  const ComparisonTable table = CompareBundles(bundles, ReferenceAmong(bundles));
  EXPECT_THAT(table.problems,
              testing::ElementsAre(testing::HasSubstr("run `pliant yardstick FILE` first")));
}

TEST(YardstickPlan, RefusesWhatMeasuresNothing) {
  const ScratchFolder folder;
  EXPECT_THAT(FileErrorOf([&] { Bar(folder, "[yardstick]\ntolerance = 0\n"); }),
              testing::HasSubstr("'tolerance' must be more than 0"));
  EXPECT_THAT(FileErrorOf([&] { Bar(folder, "[yardstick]\nlevels = 2\n"); }),
              testing::HasSubstr("levels = 3"));
}

}  // namespace
}  // namespace pliant
