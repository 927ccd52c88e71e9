// What probes of contact measure, in each formulation: weights at rest, the change of momentum of an impact, and action =
// reaction, of cubes of 8 kg on a floor.
//
//   J_y(t) = p_y(t) − p_y(0) + m g t
//
// exactly where a formulation knows what contact applied in a step, of second order in the step where it knows the force of
// the present state.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kWeight = 8.0 * 9.81;  // N, of a cube

struct ContactWay {
  std::string label;
  bool of_steps;  // knows what contact applied in a step
};
void PrintTo(const ContactWay& way, std::ostream* out) { *out << way.label; }

constexpr char kWays[] = R"(
[backends.ffd]
formulation = "dynamic-ffd"
integrator = "rk4"
contact_stiffness = 2e4
contact_damping = 200.0
[backends.ffd.modes]
degree_x = 1
degree_y = 1
degree_z = 1
[backends.linear]
formulation = "linear-deformation"
integrator = "rk4"
contact_stiffness = 2e4
contact_damping = 200.0
[backends.impulses]
formulation = "linear-deformation"
contact = "impulse"
[backends.elements]
formulation = "finite-elements"
contact_thickness = 1e-3
newton_tolerance = 1e-12
[backends.edges]
formulation = "displacement-constraints"
[backends.positions]
formulation = "position-based"
)";

std::string CubeText(const std::string& name, double width, double height, double speed) {
  const std::string side = std::to_string(width), bottom = std::to_string(height + 0.1);
  return "[[scene.body]]\nname = '" + name + "'\nshape = 'block'\nsize = [" + side + ", 0.2, " +
         side + "]\npoints = [2, 2, 2]\nposition = [0, " + bottom + ", 0]\nvelocity = [0, " +
         std::to_string(speed) + ", 0]\nmass = " + std::to_string(8.0 * width * width / 0.04) +
         "\nmaterial = {youngs_modulus = 1e5, poisson_ratio = 0.3, damping = {stiffness = 0.01}}\n";
}

constexpr char kFloor[] =
    "[[scene.obstacle]]\nname = 'floor'\nshape = 'plane'\nnormal = [0, 1, 0]\n";

std::string ProbeText(const std::string& name, const std::string& measure, const std::string& of,
                      const std::string& more = "component = 'y'\n") {
  return "[[probe]]\nname = '" + name + "'\nmeasure = '" + measure + "'\nof = {" + of + "}\n" +
         more;
}

std::string Head(double duration, double every) {
  return "title = 'cubes'\n[run]\nduration = " + std::to_string(duration) +
         "\nstep = 0.001\nrecord_every = " + std::to_string(every) +
         "\n[scene]\nname = 'cubes'\ndimension = 3\ngravity = [0, -9.81, 0]\n";
}

// The columns of a run.
class RecordedRun {
 public:
  RecordedRun(const std::string& text, const std::string& label,
              const std::vector<std::string>& overrides = {}) {
    const ScratchFolder folder;
    WriteFile(folder / "cubes.toml", text + kWays);
    const Experiment experiment = ReadExperiment(folder / "cubes.toml", overrides);
    size_t index = 0;
    while (experiment.backends[index].label != label) ++index;
    Translation translation = TranslateFor(experiment, index);
    warnings_ = translation.warnings;
    if (translation.simulation == nullptr) {
      ADD_FAILURE() << translation.record.WhyUnsupported();
      return;
    }
    const std::vector<SeriesColumn> columns = ColumnsOf(experiment, index);
    RunHooks hooks;
    hooks.on_frame = [&](const Frame& frame) {
      for (size_t c = 0; c < columns.size(); ++c) columns_[columns[c].name].push_back(frame.row[c]);
    };
    Run(experiment, index, translation.simulation.get(), hooks);
  }
  const std::vector<std::optional<double>>& operator[](const std::string& name) const {
    return columns_.at(name);
  }
  size_t records() const { return columns_.at("time_s").size(); }
  double At(const std::string& name, size_t record) const {
    return (*this)[name].at(record).value_or(NAN);
  }
  double Last(const std::string& name) const { return At(name, records() - 1); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::map<std::string, std::vector<std::optional<double>>> columns_;
  std::vector<std::string> warnings_;
};

class ContactProbe : public testing::TestWithParam<ContactWay> {};
INSTANTIATE_TEST_SUITE_P(Ways, ContactProbe,
                         testing::ValuesIn(std::vector<ContactWay>{{"ffd", false},
                                                                   {"linear", false},
                                                                   {"impulses", true},
                                                                   {"elements", true},
                                                                   {"edges", true},
                                                                   {"positions", true}}),
                         [](const auto& info) { return info.param.label; });

// A cube on a block that is twice as wide and four times as heavy.
std::string StackText(double duration) {
  return Head(duration, 0.1) + CubeText("lower", 0.4, 0.001, 0.0) +
         CubeText("upper", 0.2, 0.203, 0.0) + kFloor +
         ProbeText("ground", "contact-force", "body = 'lower'",
                   "component = 'y'\nfrom = 'floor'\n") +
         ProbeText("load", "contact-force", "body = 'lower'", "component = 'y'\nfrom = 'upper'\n") +
         ProbeText("support", "contact-force", "body = 'upper'",
                   "component = 'y'\nfrom = 'lower'\n") +
         ProbeText("all", "contact-force", "body = 'lower'") +
         ProbeText("size", "contact-force", "body = 'upper'", "");
}

TEST_P(ContactProbe, OfAStackAreTheWeightsAboveAndOpposite) {
  // Of edges alone shear is free: after a second such a stack falls.
  const bool shears = GetParam().label == "edges" || GetParam().label == "positions";
  const RecordedRun stack(StackText(shears ? 0.6 : 1.5), GetParam().label);
  EXPECT_NEAR(stack.Last("ground_N"), 5.0 * kWeight, 0.05 * kWeight);
  EXPECT_NEAR(stack.Last("load_N"), -kWeight, 0.02 * kWeight);
  EXPECT_NEAR(stack.Last("size_N"), kWeight, 0.02 * kWeight);
  EXPECT_EQ(stack["ground_N"][0], std::nullopt) << "there is no record before";
  for (size_t i = 1; i < stack.records(); ++i) {
    EXPECT_EQ(stack.At("support_N", i), -stack.At("load_N", i));
    EXPECT_NEAR(stack.At("all_N", i), stack.At("ground_N", i) + stack.At("load_N", i),
                1e-9 * kWeight);
  }
}

std::string ImpactText(double height, double speed, double duration) {
  return Head(duration, 0.004) + CubeText("cube", 0.2, height, speed) + kFloor +
         ProbeText("push", "contact-impulse", "body = 'cube'") +
         ProbeText("force", "contact-force", "body = 'cube'") +
         ProbeText("pair", "contact-impulse", "body = 'cube'", "component = 'y'\nfrom = 'floor'\n");
}

// From the side; it begins and ends within steps, which are made in pieces.
constexpr char kSidePush[] =
    "[[scene.force]]\nname = 'push'\nbody = 'cube'\npoints = 'all'\nforce = [0.1, 0, 0]\n"
    "from = 0.0105\nuntil = 0.0138\n";

// Of the pair, by its impulses, since the record before [N].
double MeanForce(const RecordedRun& impact, size_t record) {
  double squared = 0.0;
  for (const char* axis : {"x", "y", "z"}) {
    const std::string column = "contact_impulse_" + std::string(axis) + ".cube.floor_N_s";
    squared += std::pow(impact.At(column, record) - impact.At(column, record - 1), 2);
  }
  return std::sqrt(squared) / (impact.At("time_s", record) - impact.At("time_s", record - 1));
}

// Largest misfit of the change of momentum [N s].
double MisfitOf(const RecordedRun& impact) {
  double largest = 0.0, sum = 0.0;
  const double before = impact.At("momentum_y_kg_m_s", 0);
  for (size_t i = 0; i < impact.records(); ++i) {
    const double time = impact.At("time_s", i);
    const double change = impact.At("momentum_y_kg_m_s", i) - before + kWeight * time;
    largest = std::max(largest, std::abs(impact.At("push_N_s", i) - change));
    EXPECT_NEAR(impact.At("pair_N_s", i), impact.At("push_N_s", i), 1e-9);
    EXPECT_NEAR(impact.At("contact_impulse_y.cube.floor_N_s", i), impact.At("pair_N_s", i), 1e-9);
    if (i == 0) continue;
    EXPECT_NEAR(impact.At("contact_force.cube.floor_N", i), MeanForce(impact, i), 1e-9);
    sum += impact.At("force_N", i) * (time - impact.At("time_s", i - 1));
    EXPECT_NEAR(sum, impact.At("push_N_s", i), 1e-9) << "the force is its mean between records";
  }
  return largest;
}

TEST_P(ContactProbe, OfAnImpactIsTheChangeOfMomentum) {
  const std::string& label = GetParam().label;
  if (GetParam().of_steps) {
    const RecordedRun impact(ImpactText(0.001, -0.5, 0.048) + kSidePush, label);
    EXPECT_GT(impact.Last("push_N_s"), 3.0) << "it does not touch";
    EXPECT_LT(MisfitOf(impact), 1e-9);
    return;
  }
  // From the touch on, and not to the end of it: the force has no kink.
  std::vector<double> misfits;
  for (const char* step : {"0.0004", "0.0002", "0.0001"}) {
    const RecordedRun impact(
        ImpactText(0.0, -0.2, 0.012), label,
        {"run.step=" + std::string(step), "backends." + label + ".contact_damping=0.0"});
    EXPECT_GT(impact.Last("push_N_s"), 0.5) << "it does not touch";
    misfits.push_back(MisfitOf(impact));
  }
  EXPECT_NEAR(std::log2(misfits[0] / misfits[1]), 2.0, 0.3) << misfits[0] << ' ' << misfits[1];
  EXPECT_NEAR(std::log2(misfits[1] / misfits[2]), 2.0, 0.3) << misfits[1] << ' ' << misfits[2];
  EXPECT_LT(misfits[2], 1e-3);
}

// The cube has come and gone when the second record is made: it touches for some 30 ms.
TEST_P(ContactProbe, WithoutOneTheColumnsOfThePairKnowABlowBetweenTwoRecords) {
  const RecordedRun impact(Head(0.2, 0.2) + CubeText("cube", 0.2, 0.04, -1.0) + kFloor,
                           GetParam().label);
  ASSERT_EQ(impact.records(), 2u);
  const double change =
      impact.At("momentum_y_kg_m_s", 1) - impact.At("momentum_y_kg_m_s", 0) + kWeight * 0.2;
  EXPECT_GT(change, 8.0) << "it does not touch";
  EXPECT_NEAR(impact.At("contact_impulse_y.cube.floor_N_s", 1), change,
              (GetParam().of_steps ? 1e-9 : 0.02) * change);
  EXPECT_NEAR(impact.At("contact_force.cube.floor_N", 1), MeanForce(impact, 1), 1e-9);
  EXPECT_EQ(impact.At("contact_impulse_y.cube.floor_N_s", 0), 0.0);
}

TEST_P(ContactProbe, OfRegionsSumToThatOfTheBody) {
  const std::string text = ImpactText(0.001, -0.5, 0.024) +
                           ProbeText("sole", "contact-impulse", "body = 'cube', points = 'y-'") +
                           ProbeText("top", "contact-impulse", "body = 'cube', points = 'y+'");
  const RecordedRun impact(text, GetParam().label);
  if (GetParam().label == "elements") {
    EXPECT_EQ(impact["sole_N_s"].back(), std::nullopt);
    EXPECT_THAT(impact.warnings(),
                ElementsAre(HasSubstr("probe 'sole' is not defined in finite-elements: its contact "
                                      "is known of whole bodies; measure the whole body: of = "
                                      "{body = \"cube\"}"),
                            HasSubstr("probe 'top' is not defined")));
    return;
  }
  EXPECT_THAT(impact.warnings(), testing::Not(testing::Contains(HasSubstr("probe"))));
  EXPECT_NEAR(impact.Last("sole_N_s"), impact.Last("push_N_s"), 1e-9);
  EXPECT_EQ(impact.Last("top_N_s"), 0.0);
  if (!GetParam().of_steps) return;
  const RecordedRun divided(text + kSidePush, GetParam().label);
  EXPECT_NEAR(divided.At("sole_N_s", 2), divided.At("push_N_s", 2), 1e-9) << "at 8 ms";
  EXPECT_EQ(divided["sole_N_s"][3], std::nullopt) << "of the step to 11 ms the last piece is known";
}

// A method without forces, and one whose forces last no time.
TEST(ContactProbes, ThatAreNotDefinedSayWhy) {
  const std::string push = ProbeText("push", "contact-impulse", "body = 'cube'");
  const std::string why =
      "' is not defined in kinematic-response: it counts no impulses of contact, of points or of "
      "pairs";
  const RecordedRun kinematic(
      Head(0.02, 0.001) +
          "[[scene.body]]\nname = 'cube'\nshape = 'sheet'\nsize = [0.2, 0.2]\npoints = [5, 5]\n"
          "plane = 'xz'\nmass = 1\n" +
          kFloor + push + "[backends.kinematic]\nformulation = 'kinematic-response'\n",
      "kinematic");
  EXPECT_EQ(kinematic["push_N_s"].back(), std::nullopt);
  EXPECT_THAT(kinematic.warnings(), testing::Contains("probe 'push" + why));
  const RecordedRun statics(
      Head(0.01, 0.001) + CubeText("cube", 0.2, 0.0, 0.0) + kFloor + push +
          "[backends.statics]\nformulation = 'finite-elements'\ntime_scheme = 'static'\n"
          "load_time = 0.01\ncontact_thickness = 1e-3\n",
      "statics");
  EXPECT_EQ(statics["push_N_s"].back(), std::nullopt);
  EXPECT_THAT(statics.warnings(), testing::Contains(HasSubstr("it counts no impulses of contact")));
}

}  // namespace
}  // namespace pliant
