// [[probe]]: what is read, and what is said about mistakes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiments/bundles/headline.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/runs/run.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using samples::ReadProbe;
using testing::ElementsAre;
using testing::StartsWith;

constexpr char kProbes[] = R"(
[[probe]]
name = "sag"
measure = "displacement"
component = "y"
of = {body = "cloth", points = [[1, 2], [1, 3]]}
crosses = -0.1

[[probe]]
name = "bend"
measure = "angle"
of = [{body = "rope", point = "start"}, {body = "rope", point = 2}, {body = "rope", point = "end"}]
about = [0, 0, 2]
oscillates = true

[[probe]]
name = "room"
measure = "volume"
of = {body = "brick"}
)";

std::filesystem::path WriteWith(const Folder& folder, const std::string& probes) {
  const auto file = samples::WriteSample(folder);
  folder.Write("sample.toml", samples::SampleExperiment() + probes);
  return file;
}

TEST(Probes, AreReadWithTheirPoints) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteWith(folder, kProbes));
  ASSERT_EQ(experiment.probes.size(), 3);
  const Probe& sag = experiment.probes[0];
  EXPECT_EQ(sag.of[0].body, 2);
  EXPECT_THAT(sag.of[0].points, ElementsAre(1 + 3 * 2, 1 + 3 * 3));
  EXPECT_EQ(*sag.component, 1);
  EXPECT_EQ(MeaningOf(sag), "displacement y of cloth.[[1, 2], [1, 3]]");
  const Probe& bend = experiment.probes[1];
  EXPECT_THAT(bend.of[2].points, ElementsAre(4));
  EXPECT_EQ(*bend.about, Eigen::Vector3d::UnitZ());
  EXPECT_TRUE(experiment.probes[2].of[0].points.empty());
}

TEST(Probes, OfCyclesHaveTheFiguresOfARhythm) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteWith(folder, R"(
[[probe]]
name = "foot"
measure = "position"
component = "y"
of = {body = "cloth", points = [1, 2]}
crosses = 0.01
cycles = true
)"));
  EXPECT_THAT(
      ProbeFigureNames(experiment.probes),
      ElementsAre("foot_min_m", "foot_max_m", "foot_mean_m", "foot_m", "foot_crossing_s",
                  "foot_falls", "foot_first_fall_s", "foot_last_fall_s", "foot_first_interval_s",
                  "foot_interval_s", "foot_interval_spread_s", "foot_below", "foot_return_m"));
  // Down at 1 s, for two seconds, and again at 4 s and at 5.5 s.
  const Curve curve = {{0, 2, 3, 3.5, 4.5, 5, 6}, {0.02, 0.0, 0.01, 0.02, 0.0, 0.02, 0.0}};
  std::map<std::string, std::optional<double>> figures;
  for (const ProbeFigure& figure : ProbeFigures(experiment.probes[0], curve)) {
    figures[figure.is.name] = figure.value;
  }
  EXPECT_DOUBLE_EQ(*figures["foot_falls"], 3.0);
  EXPECT_DOUBLE_EQ(*figures["foot_first_fall_s"], 1.0);
  EXPECT_DOUBLE_EQ(*figures["foot_last_fall_s"], 5.5);
  EXPECT_DOUBLE_EQ(*figures["foot_first_interval_s"], 3.0);
  EXPECT_DOUBLE_EQ(*figures["foot_interval_s"], 2.25);
  EXPECT_DOUBLE_EQ(*figures["foot_interval_spread_s"], 1.5);
  EXPECT_NEAR(*figures["foot_below"], (2.0 + 0.75 + 0.5) / 6.0, 1e-12);
  EXPECT_GT(*figures["foot_return_m"], 0.0);
}

TEST(Probes, HaveTheirValuesAtTimesAsFigures) {
  const Folder folder;
  const std::string probe = R"(
[[probe]]
name = "foot"
measure = "position"
component = "y"
of = {body = "cloth", points = [1, 2]}
at = [0.5, 1, 2.0000000000001, 9]
)";
  const Experiment experiment = ReadProbe(WriteWith(folder, probe));
  std::map<std::string, std::optional<double>> figures;
  for (const ProbeFigure& figure : ProbeFigures(experiment.probes[0], {{0, 1, 2}, {3, 5, 1}})) {
    figures[figure.is.name] = figure.value;
  }
  EXPECT_DOUBLE_EQ(*figures.at("foot_at_0.5_s_m"), 4.0);
  EXPECT_DOUBLE_EQ(*figures.at("foot_at_1_s_m"), 5.0);
  EXPECT_DOUBLE_EQ(*figures.at("foot_at_2_s_m"), 1.0);  // the last record, but for rounding
  EXPECT_FALSE(figures.at("foot_at_9_s_m"));
  std::string negative = probe;
  negative.replace(negative.find("0.5"), 3, "-1");
  EXPECT_THAT([&] { ReadProbe(WriteWith(folder, negative)); },
              ThrowsMessage<FileError>(HasSubstr("a time of at must be at least 0")));
}

// sin(2πt) at a hundred records a second: of its second half period alone, and of a time that begins and ends between records.
TEST(Probes, HaveFiguresOfATime) {
  const Folder folder;
  const std::string probe = R"(
[[probe]]
name = "sag"
measure = "position"
component = "y"
of = {body = "cloth", points = [1, 2]}
crosses = -0.5
at = [0.25]
during = [0.5, 1.005]
)";
  const Experiment experiment = ReadProbe(WriteWith(folder, probe));
  Curve sine;
  for (int record = 0; record <= 200; ++record) {
    sine.times.push_back(0.01 * record);
    sine.values.push_back(std::sin(2.0 * std::numbers::pi * 0.01 * record));
  }
  std::map<std::string, ProbeFigure> figures;
  const auto find = [&](const Probe& of, const Curve& curve) {
    figures.clear();
    for (const ProbeFigure& figure : ProbeFigures(of, curve)) figures[figure.is.name] = figure;
  };
  const auto value = [&](const char* name) { return figures.at(name).value; };
  find(experiment.probes[0], sine);
  EXPECT_NEAR(*value("sag_min_m"), -1.0, 1e-12);
  const double after_one = 0.5 * std::sin(2.0 * std::numbers::pi * 0.01);  // half of a record
  EXPECT_NEAR(*value("sag_max_m"), after_one, 1e-12);
  EXPECT_NEAR(*value("sag_crossing_s"), 0.5 + 1.0 / 12.0, 1e-4);
  double sum = 0.0;  // trapezoidal, from 0.5 to 1.005 s
  for (int record = 51; record <= 99; ++record) sum += 0.01 * sine.values[record];
  EXPECT_NEAR(*value("sag_mean_m"), (sum + 0.25 * 0.01 * after_one) / 0.505, 1e-12);
  EXPECT_NEAR(*value("sag_m"), 0.0, 1e-12);
  EXPECT_NEAR(*value("sag_at_0.25_s_m"), 1.0, 1e-12);
  EXPECT_THAT(figures.at("sag_min_m").is.meaning,
              StartsWith("smallest recorded from 0.5 to 1.005 s: "));
  EXPECT_THAT(figures.at("sag_m").is.meaning, StartsWith("at the end: "));
  // A run that ends before has none of them, and one that ends within it has those of what there is.
  find(experiment.probes[0], {{0.0, 0.25, 0.4}, {0.0, 1.0, 2.0}});
  EXPECT_FALSE(value("sag_min_m"));
  EXPECT_EQ(*value("sag_m"), 2.0);
  find(experiment.probes[0], {{0.0, 0.25, 0.7}, {0.0, 1.0, -2.0}});
  EXPECT_EQ(*value("sag_min_m"), -2.0);
  EXPECT_NEAR(*value("sag_max_m"), 1.0 - 3.0 * 0.25 / 0.45, 1e-12);
  // What is not a number outside of it plays no part.
  Curve broken = sine;
  broken.values[10] = std::nan("");
  find(experiment.probes[0], broken);
  EXPECT_NEAR(*value("sag_min_m"), -1.0, 1e-12);
  EXPECT_TRUE(std::isnan(*value("sag_m")));
}

TEST(Probes, RefuseATimeThatIsNone) {
  const Folder folder;
  const auto why = [&folder](const std::string& during) {
    try {
      ReadProbe(WriteWith(folder, R"(
[[probe]]
name = "sag"
measure = "position"
component = "y"
of = {body = "cloth", points = [1, 2]}
during = )" + during + "\n"));
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("[0.0, 0.5]"), "");
  EXPECT_THAT(why("[0.5, 0.5]"), HasSubstr("'during' is [0.5, 0.5]; give the lower end first"));
  EXPECT_THAT(why("[-0.5, 0.5]"),
              HasSubstr("'during' begins at -0.5 s, before the run; the run begins at 0 s"));
  EXPECT_THAT(why("0.5"), HasSubstr("'during'"));
}

TEST(Probes, AreColumnsAndFiguresWithUnits) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteWith(folder, kProbes));
  const std::vector<SeriesColumn> columns = ColumnsOf(experiment, 0);
  const std::vector<std::string> names = ColumnNames(columns);
  EXPECT_THAT(std::vector(names.end() - 3, names.end()),
              ElementsAre("sag_m", "bend_rad", "room_m3"));
  EXPECT_THAT(ProbeFigureNames(experiment.probes),
              ElementsAre("sag_min_m", "sag_max_m", "sag_mean_m", "sag_m", "sag_crossing_s",
                          "bend_min_rad", "bend_max_rad", "bend_mean_rad", "bend_rad",
                          "bend_period_s", "bend_period_drift_s", "bend_decay_1_s", "room_min_m3",
                          "room_max_m3", "room_mean_m3", "room_m3"));
  // A straight fall of 0.3 m in a second, recorded at uneven times.
  std::vector<SeriesRow> rows;
  for (const double t : {0.0, 0.5, 0.7, 1.0}) {
    SeriesRow& row = rows.emplace_back(columns.size());
    row[0] = t;
    row[columns.size() - 3] = -0.3 * t;
  }
  std::map<std::string, std::optional<double>> values;
  for (const HeadlineFigure& figure :
       HeadlineFigures(*experiment.scene, {}, columns, rows, experiment.probes)) {
    EXPECT_FALSE(values.contains(figure.name)) << figure.name;
    values[figure.name] = figure.value;
  }
  EXPECT_DOUBLE_EQ(*values["sag_min_m"], -0.3);
  EXPECT_DOUBLE_EQ(*values["sag_max_m"], 0.0);
  EXPECT_DOUBLE_EQ(*values["sag_mean_m"], -0.15);
  EXPECT_DOUBLE_EQ(*values["sag_m"], -0.3);
  EXPECT_DOUBLE_EQ(*values["sag_crossing_s"], 1.0 / 3.0);
  EXPECT_FALSE(values["bend_period_s"]);
  EXPECT_FALSE(values["room_m3"]);
}

TEST(Probes, OfAnAngleWithoutASignAreToldToShowHalfThePeriod) {
  const Folder folder;
  const auto remark = [&](const std::string& lines) {
    const Experiment experiment = ReadProbe(WriteWith(
        folder,
        "[[probe]]\nname = 'swing'\nmeasure = 'angle'\nof = [{body = 'rope', point = 'start'}, "
        "{body = 'rope', point = 'end'}]\nagainst = [0, -1, 0]\n" +
            lines));
    return TableOfProbes(*experiment.scene, experiment.probes).remark;
  };
  EXPECT_THAT(remark("oscillates = true\n"), testing::HasSubstr("swing: an angle without about"));
  EXPECT_EQ(remark("oscillates = true\nabout = [0, 0, 1]\n"), "");
  EXPECT_EQ(remark(""), "");
}

TEST(Probes, StandInTheResolvedExperiment) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteWith(folder, kProbes));
  const std::string resolved = experiment.Resolved(1);
  const Experiment again = ReadProbe(folder.Write("resolved.toml", resolved));
  ASSERT_EQ(again.probes.size(), 3);
  EXPECT_EQ(again.probes[0].of[0].points, experiment.probes[0].of[0].points);
  EXPECT_EQ(again.Resolved(0), resolved);
}

TEST(Probes, AreReachedByOverrides) {
  const Folder folder;
  const Experiment experiment =
      ReadProbe(WriteWith(folder, kProbes), {"probe.sag.component=\"x\""});
  EXPECT_EQ(*experiment.probes[0].component, 0);
}

struct ProbeSlip {
  const char *from, *to, *at;
  std::vector<const char*> says;
};
class ProbeMistake : public testing::TestWithParam<ProbeSlip> {};

TEST_P(ProbeMistake, IsToldAtItsPlace) {
  const ProbeSlip& slip = GetParam();
  const Folder folder;
  const std::string probes = samples::Replaced(kProbes, slip.from, slip.to);
  const auto file = WriteWith(folder, probes);
  const std::string text = samples::SampleExperiment() + probes;
  ExpectComplaint(ErrorOf(file), file.string(), PlaceOfText(text, slip.at), slip.says);
}

INSTANTIATE_TEST_SUITE_P(
    Probes, ProbeMistake,
    testing::Values(
        ProbeSlip{
            "\"displacement\"", "\"displacment\"", "\"displacment\"", {"mean 'displacement'?"}},
        ProbeSlip{"component = \"y\"",
                  "component = \"up\"",
                  "\"up\"",
                  {"component", "'component' cannot be 'up'"}},
        ProbeSlip{"component = \"y\"",
                  "componnet = \"y\"",
                  "componnet",
                  {"[[probe]]", "mean 'component'?"}},
        ProbeSlip{"\"cloth\"", "\"cloht\"", "\"cloht\"", {"no body 'cloht'", "mean 'cloth'?"}},
        ProbeSlip{"[1, 3]]}", "[1, 9]]}", "[1, 9]", {"cloth"}},
        ProbeSlip{
            "\"room\"", "\"sag\"", "\"sag\"\nmeasure = \"volume\"", {"two elements named 'sag'"}},
        ProbeSlip{"\"room\"", "\"my room\"", "\"my room\"", {"name of a column"}},
        ProbeSlip{"{body = \"brick\"}",
                  "{body = \"cloth\"}",
                  "{body = \"cloth\"}",
                  {"enclose no volume", "area"}},
        ProbeSlip{"crosses = -0.1",
                  "cycles = true",
                  "true",
                  {"cycles are counted at a value", "add crosses"}},
        ProbeSlip{"about = [0, 0, 2]", "about = [0, 0, 0]", "[0, 0, 0]", {"no direction"}},
        ProbeSlip{"about = [0, 0, 2]", "against = [0, -1, 0]", "[0, -1, 0]", {"two places"}}));

TEST(Probes, WithTheNameOfAColumnOrAFigureAreRefused) {
  const Folder folder;
  for (const char* name : {"penetration", "penetration_max", "sag_max"}) {
    const std::string probes = samples::Replaced(
        kProbes, "name = \"room\"\nmeasure = \"volume\"\nof = {body = \"brick\"}",
        "name = \"" + std::string(name) +
            "\"\nmeasure = \"distance\"\nof = [{body = \"rope\"}, {body = \"brick\"}]");
    const Experiment experiment = ReadProbe(WriteWith(folder, probes));
    EXPECT_THAT(FileErrorOf([&] { RequireDistinctFigures(experiment); }),
                Says({"sample.toml", name, "give it another name"}));
  }
}

}  // namespace
}  // namespace pliant
