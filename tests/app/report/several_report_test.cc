// Reports in which a backend ran a variant of the scene, and reports over several scenes.

#include "app/report/several_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plots/filmstrip.h"
#include "app/report/page.h"
#include "app/report/report.h"
#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Bundle> Ran(const ScratchFolder& folder, const std::string& of_b,
                        const std::string& head = "") {
  const Experiment experiment = FallingExperiment(folder, Falling("b", of_b) + Falling("a"), head);
  std::vector<Bundle> bundles;
  for (const BackendRun& run : RunComparison(experiment, folder / "runs", {})) {
    bundles.push_back(Bundle::Open(run.bundle, TestBackends()));
  }
  return bundles;
}

TEST(ReportOfAVariant, ShowsEachRunInItsSceneAndSaysWhatIsOtherwise) {
  const ScratchFolder folder;
  const std::vector<Bundle> bundles =
      Ran(folder, "unset = ['scene.body.rope']\n", "reference = 'a'\n");
  const ReportData data = CollectReport(bundles);
  EXPECT_EQ(data.scene->bodies.size(), 2u) << "the scene of the experiment, though b comes first";
  ASSERT_EQ(data.strip.rows.size(), 2u);
  EXPECT_EQ(SceneOf(data.strip, data.strip.rows[0]).bodies.size(), 1u);
  EXPECT_EQ(&SceneOf(data.strip, data.strip.rows[1]), data.scene.get());
  EXPECT_EQ(data.runs[0].variant, "runs a variant of the scene: without scene.body.rope");
  EXPECT_THAT(data.runs[1].variant, IsEmpty());
  for (const SeriesColumn& column : data.runs[0].series.columns)
    EXPECT_THAT(column.name, Not(HasSubstr("reference")));

  WriteReport(CollectReport(bundles, 3), folder / "report.html");
  const std::string page = ReadFile(folder / "report.html");
  EXPECT_THAT(page, AllOf(HasSubstr("Variants of the scene"), HasSubstr(">*</abbr>"),
                          HasSubstr("Blank: no distance of b to a")));
  EXPECT_THAT(page, Not(HasSubstr("Not measured:")));
  const ScratchFolder plain;
  WriteReport(Ran(plain, ""), plain / "report.html");
  EXPECT_THAT(ReadFile(plain / "report.html"),
              AllOf(Not(HasSubstr("Variants of the scene")), Not(HasSubstr("</abbr>"))));
}

TEST(ReportOfSeveral, IsHeadedByTheirNamesAndLinksAWholeReportOfEach) {
  const ScratchFolder folder, other;
  std::vector<ReportPart> parts;
  parts.push_back({"fall", CollectReport(Ran(folder, ""))});
  parts.push_back({"slab (scene <slab>)", CollectReport(Ran(other, "", ""))});
  WriteReportOfSeveral(parts, folder / "all.html");
  const std::string page = ReadFile(folder / "all.html");
  EXPECT_THAT(page, AllOf(HasSubstr(">fall</h2>"), HasSubstr(">slab (scene &lt;slab&gt;)</h2>"),
                          HasSubstr("href=\"all-1/report.html\""),
                          HasSubstr("href=\"all-2/report.html\"")));
  for (const char* part : {"all-1", "all-2"}) {
    EXPECT_THAT(ReadFile(folder / part / "report.html"), HasSubstr("Key frames"));
    EXPECT_TRUE(std::filesystem::exists(folder / part / "figures/key-frames.svg"));
  }
}

}  // namespace
}  // namespace pliant
