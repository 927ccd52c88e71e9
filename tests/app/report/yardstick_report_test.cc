// What the report shows of the yardstick: its curves with their bands, its row of key frames, and grey cells.

#include <gmock/gmock.h>

#include <QRegularExpression>
#include <QXmlStreamReader>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "app/report/report.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/yardstick/yardstick.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/yardstick/bar_scene.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A bar of four spans is let go under its weight: as one affine body, and as the finest rung of its yardstick, which is
// within its error.
const std::string kBar = R"(
title = "A bar is let go"
reference = "yardstick"
[run]
duration = 0.2
step = 0.01
record_every = 0.02
[yardstick]
levels = 3
[backends.linear-deformation]
[backends.finite-elements]
refinement = 4
step = 0.0025
)" + std::string(kBarScene);

std::vector<Bundle> Compared(const ScratchFolder& folder, bool with_yardstick = true) {
  WriteFile(folder / "bar.toml", kBar);
  // The yardstick starts from the file's mesh and step.
  if (with_yardstick) {
    MakeYardstick(ReadExperiment(folder / "bar.toml", {"backends.finite-elements.refinement=1",
                                                       "backends.finite-elements.step=0.01"}),
                  folder / "runs" / kYardsticksFolder, 1);
  }
  std::vector<Bundle> bundles;
  for (const BackendRun& run :
       RunComparison(ReadExperiment(folder / "bar.toml"), folder / "runs", {}))
    bundles.push_back(Bundle::Open(run.bundle));
  return bundles;
}

TEST(ReportOfAYardstick, TakesItsSeriesWithTheErrorOfEachColumn) {
  const ScratchFolder folder;
  const std::vector<Bundle> bundles = Compared(folder);
  const ReportData data = CollectReport(bundles);
  ASSERT_TRUE(data.yardstick);
  const std::map<std::string, std::vector<double>> kept = YardstickOf(bundles, kYardstick)->errors;
  EXPECT_EQ(data.yardstick->errors.at("reference_distance_m"), kept.at("points_rms_error_m"));
  EXPECT_EQ(data.yardstick->errors.at("reference_shape_distance_m"),
            kept.at("points_shape_error_m"));
  EXPECT_EQ(data.yardstick->errors.at("reference_placement_distance_m"),
            kept.at("points_placement_error_m"));
  EXPECT_NE(kept.at("points_shape_error_m"), kept.at("points_placement_error_m"));
  const size_t rows = data.yardstick->run.rows.size();
  EXPECT_EQ(rows, 11u);
  for (const char* column : {"kinetic_energy_J", "total_energy_J", "reference_distance_m",
                             "reference_shape_distance_m", "reference_placement_distance_m"}) {
    ASSERT_TRUE(data.yardstick->errors.contains(column)) << column;
    EXPECT_EQ(data.yardstick->errors.at(column).size(), rows);
  }
  // The distances of the affine body to the yardstick are those of the table, over time.
  const RunSeries& affine = data.runs[0].series;
  const auto column =
      std::ranges::find(affine.columns, "reference_distance_m", &SeriesColumn::name);
  ASSERT_NE(column, affine.columns.end());
  double largest = 0.0;
  for (const SeriesRow& row : affine.rows)
    largest = std::max(largest, *row[static_cast<size_t>(column - affine.columns.begin())]);
  const auto figure =
      std::ranges::find(data.table.columns, "distance_to_reference_rms_m", &SeriesColumn::name);
  EXPECT_DOUBLE_EQ(
      largest,
      *data.table.rows[0].values[static_cast<size_t>(figure - data.table.columns.begin())]);
  ASSERT_EQ(data.strip.rows.size(), 3u);
  EXPECT_EQ(data.strip.rows[2].label, kYardstick);
  EXPECT_EQ(data.strip.rows[2].colour, kYardstickColour);
}

// Text of all cells in the table that are marked as not told apart, by the name of their row's figure.
std::vector<std::string> GreyFigures(const std::string& page) {
  std::vector<std::string> figures;
  QXmlStreamReader xml(QString::fromStdString(page));
  std::string figure;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QStringLiteral("code")) figure = xml.readElementText().toStdString();
    if (xml.name() == QStringLiteral("span") &&
        xml.attributes().value("title").startsWith(QStringLiteral("not told apart")))
      figures.push_back(figure);
  }
  return figures;
}

TEST(ReportOfAYardstick, GreysTheDistancesThatAreNotToldApartAndNoOthers) {
  const ScratchFolder folder;
  const std::vector<Bundle> bundles = Compared(folder);
  const ReportData data = CollectReport(bundles);
  WriteReport(data, folder / "report.html");
  const std::string page = ReadFile(folder / "report.html");
  std::vector<std::string> expected;
  for (const SeriesColumn& column : data.table.columns) {
    for (const ComparisonRow& row : data.table.rows)
      if (row.not_told_apart.contains(column.name)) expected.push_back(column.name);
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_THAT(expected, testing::Contains("distance_to_reference_rms_m").Times(1))
      << "the finest rung, not the affine body";
  EXPECT_EQ(GreyFigures(page), expected);
  EXPECT_THAT(page, HasSubstr("Grey: not told apart"));
}

TEST(ReportOfAYardstick, DrawsItsCurveAndItsBand) {
  const ScratchFolder folder;
  WriteReport(Compared(folder), folder / "report.html");
  const auto svg = [&](const std::string& key) {
    return ReadFile(folder / "figures" / (key + ".svg"));
  };
  const std::string extent = svg("total-energy"), distance = svg("reference-distance");
  EXPECT_THAT(extent, HasSubstr(ToHex(kYardstickColour)));
  EXPECT_THAT(extent, HasSubstr("error of the yardstick"));
  EXPECT_THAT(distance, HasSubstr("error of the yardstick"));
  EXPECT_THAT(svg("momentum-residual"), Not(HasSubstr("yardstick"))) << "it has no error";
}

TEST(ReportOfAYardstick, ThatIsNotKeptSaysHowToMakeIt) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(Compared(folder, false));
  EXPECT_FALSE(data.yardstick);
  WriteReport(data, folder / "report.html");
  EXPECT_THAT(ReadFile(folder / "report.html"), HasSubstr("run `pliant yardstick FILE` first"));
}

}  // namespace
}  // namespace pliant
