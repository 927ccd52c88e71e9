#include "experiments/searches/varied_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment_document.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A backend with a table, a list and plain numbers.
struct Knobs {
  double gain = 1.0;
  int count = 2;
  std::vector<double> times = {0.1};
  MatrixTable modes;
  void Bind(ParameterBinder& b) {
    b.Real("gain", &gain, "1", Between(0, 10), "a number");
    b.Integer("count", &count, "1", AtLeast(0), "a whole number");
    b.Reals("times", &times, "s", AtLeast(0), "a list");
    b.Table("modes", &modes, "a table");
  }
};

class KnobBackend : public Backend {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {.name = "knobs"};
    return info;
  }
  std::vector<ParameterInfo> Parameters() const override { return DescribeParameters<Knobs>(); }
  Translation Translate(std::shared_ptr<const Scene> scene, const ParameterValues&) const override {
    return {TranslationRecord(*scene), nullptr, {}};
  }
};

class VariedNumbersTest : public testing::Test {
 protected:
  VariedNumbersTest() {
    WriteFile(folder_ / "scene.toml",
              "name = \"s\"\n[[body]]\nname = \"rope\"\nshape = \"chain\"\nfrom = [0,0,0]\n"
              "to = [1,0,0]\npoints = 3\nmass = 1.0\n");
    WriteFile(folder_ / "modes.toml",
              "length = 2.0\n"
              "[[entry]]\nname = \"bend\"\nstiffness = 40\nvalues = [[1, 2], [3, 4]]\n"
              "[[entry]]\nname = \"squash flat\"\nstiffness = 50.5\nvalues = [[5, 6], [7, 8]]\n");
    WriteFile(
        folder_ / "e.toml",
        "scene = \"scene.toml\"\n[run]\nduration = 1\nstep = 0.1\nrecord_every = 0.1\n"
        "[backends.knobs]\nstep = 0.05\ngain = 2.5\ntimes = [0.25, 0.5]\nmodes = \"modes.toml\"\n");
    experiment_ = ReadExperiment(folder_ / "e.toml", {}, backends_);
  }

  const FileValue& table() const {
    return *experiment_.document->root.Find("backends")->Find("knobs");
  }
  std::unique_ptr<VariedNumbers> Make(const std::vector<Varied>& varied) const {
    return std::make_unique<VariedNumbers>(table(), experiment_.backends[0], varied);
  }

  ScratchFolder folder_;
  KnobBackend backend_;
  std::vector<const Backend*> backends_ = {&backend_};
  Experiment experiment_;
};

TEST_F(VariedNumbersTest, AreFoundByDottedKeysWithStars) {
  const auto varied = Make({{"gain", 0, 10, {}},
                            {"times", 0, 1, {}},
                            {"modes.entry.*.stiffness", 0, 100, {}},
                            {"modes.entry.squash flat.values.1", 0, 9, {}}});
  const MotionNumbers& numbers = varied->numbers();
  EXPECT_THAT(numbers.names,
              ElementsAre("gain", "times.0", "times.1", "modes.entry.bend.stiffness",
                          "modes.entry.squash flat.stiffness", "modes.entry.squash flat.values.1.0",
                          "modes.entry.squash flat.values.1.1"));
  EXPECT_THAT(numbers.start, ElementsAre(2.5, 0.25, 0.5, 40.0, 50.5, 7.0, 8.0));
  EXPECT_THAT(numbers.lower, ElementsAre(0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(numbers.upper, ElementsAre(10, 1, 1, 100, 100, 9, 9));
}

TEST_F(VariedNumbersTest, AStarStandsForWhatHasTheRestOfTheKey) {
  const auto varied = Make({{"modes.*.bend.stiffness", 0, 100, {}}});  // of modes.length it has not
  EXPECT_THAT(varied->numbers().names, ElementsAre("modes.entry.bend.stiffness"));
}

TEST_F(VariedNumbersTest, ApplyChangesTheseNumbersAndNoOthers) {
  const auto varied = Make({{"modes.entry.bend", 0, 100, {}}, {"times.1", 0, 1, {}}});
  const ParameterValues same = varied->Apply(varied->numbers().start);
  EXPECT_EQ(std::get<std::vector<double>>(same.at("times")), (std::vector<double>{0.25, 0.5}));
  Eigen::VectorXd x = varied->numbers().start;
  ASSERT_EQ(x.size(), 6);  // stiffness, four values, one time
  x << 41.0, 1.0, 2.0, 33.0, 4.0, 0.75;
  for (int repeat = 0; repeat < 2; ++repeat) {  // nothing of a former call stays
    const ParameterValues values = varied->Apply(x);
    EXPECT_EQ(std::get<double>(values.at("gain")), 2.5);
    EXPECT_EQ(std::get<std::vector<double>>(values.at("times")), (std::vector<double>{0.25, 0.75}));
    const auto& modes = *ValueAs<MatrixTable>(values.at("modes"));
    EXPECT_EQ(modes.scalars.at("length"), 2.0);
    EXPECT_EQ(modes.entries[0].scalars.at("stiffness"), 41.0);
    EXPECT_EQ(modes.entries[0].values(1, 0), 33.0);
    EXPECT_EQ(modes.entries[1].scalars.at("stiffness"), 50.5);
    EXPECT_EQ(modes.entries[1].values(1, 0), 7.0);
    varied->Apply(varied->numbers().upper);
  }
  // The experiment itself is as it was.
  EXPECT_EQ(std::get<double>(table().Find("times")->array()->at(1).data), 0.5);
}

TEST_F(VariedNumbersTest, ChangedAreTheParametersWithTheseNumbersAlone) {
  const auto varied = Make({{"times.1", 0, 1, {}}, {"gain", 0, 10, {}}});
  const ParameterValues changed = varied->Changed(Eigen::Vector2d(0.75, 3.0));
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_EQ(std::get<double>(changed.at("gain")), 3.0);
  EXPECT_EQ(std::get<std::vector<double>>(changed.at("times")), (std::vector<double>{0.25, 0.75}));
}

TEST_F(VariedNumbersTest, ApplyRefusesWhatTheReaderRefuses) {
  const auto varied = Make({{"gain", -5, 10, {}}});
  EXPECT_THAT([&] { varied->Apply(Eigen::VectorXd::Constant(1, -1.0)); },
              ThrowsMessage<FileError>(HasSubstr("gain")));
}

TEST_F(VariedNumbersTest, TellWhatIsWrongWithAKey) {
  const auto error = [&](const std::vector<Varied>& varied) -> std::string {
    try {
      Make(varied);
      return "";
    } catch (const FileError& e) {
      return e.what();
    }
  };
  EXPECT_THAT(error({{"gian", 0, 10, {}}}), HasSubstr("did you mean 'gain'"));
  EXPECT_THAT(error({{"modes.entry.bent.stiffness", 0, 100, {}}}),
              HasSubstr("did you mean 'bend'"));
  EXPECT_THAT(error({{"modes.entry.*.stifness", 0, 100, {}}}),
              HasSubstr("did you mean 'stiffness'"));
  EXPECT_THAT(error({{"modes.entry.bend.name", 0, 100, {}}}), HasSubstr("matches no number"));
  EXPECT_THAT(error({{"gain", 0, 10, {}}, {"gain", 0, 5, {}}}), HasSubstr("varied twice"));
  EXPECT_THAT(error({{"gain", 3, 10, {}}}), HasSubstr("'gain' starts at 2.5, outside its bounds"));
  EXPECT_THAT(error({{"gain", 0, 2, {}}}), HasSubstr("outside"));
  EXPECT_THAT(error({{"step", 0.01, 1, {}}}),
              HasSubstr("'step' is not a parameter of the formulation"));
}

}  // namespace
}  // namespace pliant
