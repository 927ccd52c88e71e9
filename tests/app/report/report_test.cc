// The report: self-contained, well formed, escaped, and honest about what is missing.

#include "app/report/report.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/report/html.h"
#include "app/report/page.h"
#include "models/scene/shapes.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/says.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Three runs of a falling sheet: one completed, one diverged, one refused.
ReportData FallingSheet(int rows = 21) {
  Scene scene = SceneOf({MakeSheet("sheet", {1, 1}, {5, 5}, 1.0)});
  scene.name = "fall";
  const Obstacle floor = {
      .name = "floor", .shape = Plane{}, .motion = Path::Still({0, -2, 0}), .friction = 0.3};
  scene.obstacles = {floor};
  scene.nails = {{"corner", {0, 0}, Path::Still({0, 0, 0})}};

  ReportData data;
  data.name = "fall";
  data.title = "A sheet falls";
  data.description = "What it shows.\n\nWhat to look for.";
  data.scene = std::make_shared<Scene>(scene);
  data.plan = {2.0, 0.001, 0.1, 7};
  data.strip.scene = data.scene;
  data.strip.times = KeyTimes(2.0, 3);
  data.table.columns = {{"penetration_max_m", "m", "deepest"}, {"gain_max", "1", "largest gain"}};

  const std::vector<std::string> labels = {"dynamic-ffd", "linear-deformation",
                                           "kinematic-response"};
  for (size_t i = 0; i < labels.size(); ++i) {
    const bool diverged = i == 1, refused = i == 2;
    ReportRun run;
    run.label = labels[i];
    run.backend = {labels[i],
                   "Title of " + labels[i],
                   "Source 1990",
                   "it bends",
                   "it forgets",
                   i == 0 ? "the mass matrix" : "",
                   {}};
    run.colour = StylesOfRuns({labels[i]})[0].colour;
    run.step = 0.001;
    run.parameters = {{"damping", "1/s", "how fast it rests", 0.1, {}, {}},
                      {"sweeps", "1", "how often", std::int64_t{5}, {}, {}}};
    run.values = {{"damping", i == 0 ? 0.25 : 0.1}, {"sweeps", std::int64_t{5}}};
    run.outcome.step = 2000;
    run.outcome.time = 2.0;
    if (diverged) {
      run.outcome.kind = OutcomeKind::kDiverged;
      run.outcome.step = 1001;
      run.outcome.time = 1.0;
      run.outcome.quantity = "energy";
      run.outcome.reason = "diverged at step 1001: energy";
      run.warnings = {"the step is longer than the stability limit"};
    }
    run.translation = {{"gravity", Fidelity::kExact, ""},
                       {"body.sheet", Fidelity::kApproximated, "by few modes"}};
    if (refused) {
      run.outcome.kind = OutcomeKind::kUnsupported;
      run.outcome.step = 0;
      run.outcome.time = 0.0;
      run.outcome.reason = "nail.corner: cannot hold a point";
      run.translation[0] = {"gravity", Fidelity::kIgnored, "no dynamics"};
      run.translation.push_back({"nail.corner", Fidelity::kUnsupported, "cannot hold a point"});
    }
    run.manifest = {{"commit", "abcdef"}, {"seed", "7"}, {"cpu", "processor " + std::to_string(i)}};
    run.manifest_sha256 = std::string(64, 'a');
    run.bundle = "runs/fall/" + labels[i];
    run.series.label = run.series.backend = labels[i];
    run.series.diverged = diverged;
    run.series.columns = SeriesColumns(run.backend);
    FilmstripRow strip{run.label, OutcomeLine(run.outcome), run.colour, diverged, {}, ""};
    if (refused) {
      strip.refusal = run.outcome.reason;
    } else {
      for (int row = 0; row < (diverged ? rows / 2 : rows); ++row) {
        SeriesRow values(run.series.columns.size(), std::sin(row) + 1.5);
        values[0] = 2.0 * row / (rows - 1);
        run.series.rows.push_back(values);
      }
      strip.frames = {KeyFrame{0.0, scene.InitialPoints(), ""}, std::nullopt, std::nullopt};
    }
    data.strip.rows.push_back(strip);
    data.table.rows.push_back({run.label,
                               labels[i],
                               run.outcome,
                               run.bundle,
                               {refused ? std::nullopt : std::optional(1.25e-5), std::nullopt}});
    data.runs.push_back(std::move(run));
  }
  return data;
}

class Report : public testing::Test {
 protected:
  std::string Write(const ReportData& data) {
    WriteReport(data, folder_ / "report.html");
    QFile file(QString::fromStdString((folder_ / "report.html").string()));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll().toStdString();
  }

  const ScratchFolder folder_;
};

struct Parsed {
  std::set<QString> ids;
  std::vector<QString> links;    // href
  std::vector<QString> sources;  // src and everything else that loads
  int sections = 0, figures = 0;
};

// The page is written so that it is XML too: what is not balanced or escaped fails here.
Parsed Parse(const std::string& page) {
  Parsed parsed;
  QXmlStreamReader reader(QByteArray::fromStdString(page));
  while (!reader.atEnd()) {
    if (reader.readNext() != QXmlStreamReader::StartElement) continue;
    const QString name = reader.name().toString();
    parsed.sections += name == "section" ? 1 : 0;
    parsed.figures += name == "figure" ? 1 : 0;
    EXPECT_TRUE(name != "script" && name != "link" && name != "iframe" && name != "object");
    for (const QXmlStreamAttribute& attribute : reader.attributes()) {
      const QString value = attribute.value().toString();
      if (attribute.name() == QLatin1String("id")) {
        EXPECT_TRUE(parsed.ids.insert(value).second) << "twice: " << value.toStdString();
      } else if (attribute.name() == QLatin1String("href")) {
        parsed.links.push_back(value);
      } else if (attribute.name() == QLatin1String("src") ||
                 attribute.name() == QLatin1String("srcset") ||
                 attribute.name() == QLatin1String("data")) {
        parsed.sources.push_back(value);
      }
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString() << " in line "
                                  << reader.lineNumber();
  return parsed;
}

TEST_F(Report, IsWellFormedAndNeedsNothingFromOutside) {
  const std::string page = Write(FallingSheet());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  const Parsed parsed = Parse(page);
  EXPECT_EQ(parsed.sections, 7);
  EXPECT_GT(parsed.figures, 8);
  for (const QString& source : parsed.sources) EXPECT_TRUE(source.startsWith("data:"));
  for (const QString& link : parsed.links) {
    if (link.startsWith('#')) {
      EXPECT_TRUE(parsed.ids.contains(link.mid(1))) << link.toStdString();
    } else {
      EXPECT_TRUE(std::filesystem::exists(folder_ / link.toStdString())) << link.toStdString();
    }
  }
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST_F(Report, LeavesEveryFigureBesideIt) {
  Write(FallingSheet());
  for (const char* name : {"key-frames.svg", "key-frames.pdf", "key-frames.png", "total-energy.svg",
                           "total-energy.pdf", "residual-energy.svg", "momentum.svg",
                           "condition-number.pdf", "penetration.svg", "step-time.svg"}) {
    EXPECT_GT(std::filesystem::file_size(folder_ / "figures" / name), 500U) << name;
  }
}

TEST(ReportParagraphs, EndAtEmptyLinesAndAtCommands) {
  const std::string html = Paragraphs("a\nb\n\nc\n    run x\n      more\nd <e>").markup();
  EXPECT_THAT(html,
              Says({"<p>a b</p>", "<p>c</p>", "<pre>run x\n  more\n</pre>", "<p>d &lt;e&gt;</p>"}));
}

TEST_F(Report, SaysWhoRefusedAndWhoDiverged) {
  const std::string page = Write(FallingSheet());
  EXPECT_THAT(page,
              Says({"refused the scene", "diverged at step 1001: energy; last good state at 1 s",
                    "× diverged: linear-deformation at", "completed: 2000 steps, 2 s",
                    "the step is longer than the stability limit",
                    "<td class=\"unsupported\"><strong>✕ unsupported</strong><br />"
                    "cannot hold a point</td>"}));
}

TEST_F(Report, EscapesWhatComesFromFiles) {
  ReportData data = FallingSheet();
  const std::string evil = "<script>alert('1 & 2')</script>\"";
  data.title = data.description = evil;
  data.runs[0].label = data.runs[0].series.label = data.strip.rows[0].label = evil;
  data.runs[0].warnings = {evil};
  data.runs[0].translation[0].reason = data.runs[0].translation[0].element = evil;
  data.runs[0].values["damping"] = evil;
  data.runs[0].manifest["cpu"] = evil;
  data.runs[0].bundle = evil;
  data.runs[0].backend.summary = data.runs[0].parameters[0].meaning = evil;
  data.strip.rows[2].refusal = evil;
  data.table.columns[0].meaning = evil;
  data.table.problems = {evil};
  auto scene = std::make_shared<Scene>(*data.scene);
  scene->name = scene->description = scene->bodies[0].name = scene->nails[0].name = evil;
  data.scene = data.strip.scene = scene;
  const std::string page = Write(data);
  Parse(page);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert("));
}

TEST(OutcomeSection, TellsNotDefinedFromZero) {
  ReportData data = FallingSheet();
  data.table.rows[1].values[0] = 0.0;
  const std::string section = OutcomeSection(data).markup();
  EXPECT_THAT(section, Says({"1.25×10<sup>−5</sup>", "<td>0</td>", "title=\"not defined\">–</span>",
                             "Not defined in any run: gain_max."}));
}

TEST(OutcomeSection, KeepsQuantitiesOfOneFormulationApart) {
  ReportData data = FallingSheet();
  data.runs[0].series.columns.push_back({"gain", "1", "gain of one"});
  data.runs[0].series.extras = 1;
  data.table.columns[1] = {"gain_max", "1", "largest recorded: gain of one"};
  data.table.rows[0].values[1] = 7.5;
  const std::string section = OutcomeSection(data).markup();
  const size_t details = section.find("<details>");
  ASSERT_NE(details, std::string::npos);
  EXPECT_GT(section.find("gain_max"), details);
  EXPECT_LT(section.find("penetration_max_m"), details);
}

TEST(OutcomeSection, TellsWhatHappenedAndFoldsALongList) {
  ReportData data = FallingSheet();
  EXPECT_THAT(OutcomeSection(data).markup(), Not(HasSubstr("events")));
  data.runs[0].outcome.events = {{0.25, "the sheet collapsed: det m <= 0"}};
  const std::string section = OutcomeSection(data).markup();
  EXPECT_THAT(section, HasSubstr("0.25 s</span> the sheet collapsed: det m &lt;= 0</li>"));
  EXPECT_THAT(section, Not(HasSubstr("<details>")));
  data.runs[0].outcome.events.resize(9, {0.5, "again"});
  EXPECT_THAT(OutcomeSection(data).markup(), HasSubstr("<summary>9 events</summary>"));
}

TEST(OutcomeSection, ShowsWhatCouldNotBeMeasured) {
  ReportData data = FallingSheet();
  data.table.problems = {"a time without a partner"};
  EXPECT_THAT(OutcomeSection(data).markup(), HasSubstr("Not measured: a time without a partner"));
}

TEST(ParameterSection, MarksWhatIsNotAtItsDefault) {
  const std::string section = ParameterSection(FallingSheet()).markup();
  EXPECT_THAT(section, Says({"<tr class=\"changed\"><td><code>damping</code></td><td>0.25</td>",
                             "not at its default: damping", "all at their defaults",
                             "<tr><td><code>sweeps</code></td><td>5</td>"}));
}

TEST(SceneSection, DescribesEveryElement) {
  const ReportData data = FallingSheet();
  const std::string section = SceneSection(*data.scene).markup();
  EXPECT_THAT(section, HasSubstr("25 (5 × 5) points, 1 kg, 1 × 1 × 0 m"));
  EXPECT_THAT(section, HasSubstr("plane, normal (0, 1, 0); still; friction 0.3"));
  EXPECT_THAT(section, HasSubstr("(0, -9.81, 0) m/s²"));
  for (const std::string element : {"body.sheet", "obstacle.floor", "nail.corner", "gravity"}) {
    EXPECT_THAT(section, HasSubstr("<code>" + element + "</code>"));
  }
}

// Boxes and capsules by their whole size, spheres by their radius.
TEST(SceneSection, TellsTheSizeOfObstacles) {
  Scene scene = SceneOf({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  const Path still = Path::Still(Eigen::Vector3d::Zero());
  scene.obstacles = {{"crate", Box{Eigen::Vector3d(0.2, 0.3, 0.45)}, still},
                     {"ball", Sphere{0.35}, still},
                     {"bar", Capsule{Eigen::Vector3d(0.0, 0.6, 0.0), 0.05}, still}};
  const std::string section = SceneSection(scene).markup();
  EXPECT_THAT(section, HasSubstr("box, 0.4 × 0.6 × 0.9 m"));
  EXPECT_THAT(section, HasSubstr("sphere, radius 0.35 m"));
  EXPECT_THAT(section, HasSubstr("capsule, axis 1.2 m, radius 0.05 m"));
}

TEST(SceneSection, CountsElementsOfOneName) {
  Scene scene = SceneOf({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  for (int i = 0; i < 3; ++i) scene.nails.push_back({"pin", {0, i}, Path::Still({0, 0, 0})});
  EXPECT_THAT(SceneSection(scene).markup(), HasSubstr("3, each holds a point at its position"));
}

TEST(ReproductionSection, GivesTheCommandsAndSharedFactsOnce) {
  const std::string section = ReproductionSection(FallingSheet()).markup();
  EXPECT_THAT(section, Says({"pliant reproduce runs/fall/dynamic-ffd\n",
                             "<td colspan=\"3\">abcdef</td>", "<td>processor 1</td>"}));
  EXPECT_THAT(section, HasSubstr(std::string(64, 'a')));
}

TEST_F(Report, StaysSmallForLongRuns) {
  const std::string page = Write(FallingSheet(20001));
  EXPECT_LT(page.size(), 5'000'000U);
}

TEST_F(Report, APageCanBeWrittenWhenEveryBackendRefused) {
  ReportData data = FallingSheet();
  for (size_t i = 0; i < 2; ++i) {
    data.runs[i].outcome = data.runs[2].outcome;
    data.runs[i].series.rows.clear();
    data.strip.rows[i].frames.clear();
    data.strip.rows[i].refusal = "no";
  }
  const Parsed parsed = Parse(Write(data));
  EXPECT_EQ(parsed.figures, 1) << "the key frames, which say why";
}

TEST(Number, IsReadable) {
  EXPECT_EQ(Number(1240.4).markup(), "1240");
  EXPECT_EQ(Number(-0.25).markup(), "−0.250");
  EXPECT_EQ(Number(0.0).markup(), "0");
  EXPECT_THAT(Number(0.000191).markup(), HasSubstr("1.91×10<sup>−4</sup>"));
  EXPECT_THAT(Number(-2.5e7).markup(), HasSubstr("−2.50×10<sup>7</sup>"));
  EXPECT_THAT(Number(std::nan("")).markup(), HasSubstr("NaN"));
}

}  // namespace
}  // namespace pliant
