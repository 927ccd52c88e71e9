// The page of a sweep, from runs to the file.

#include "app/report/sweep_report.h"

#include <gmock/gmock.h>

#include <QXmlStreamReader>

#include "experiments/sweeps/run_sweep.h"
#include "tests/experiments/sweeps/sweeps.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string XmlErrorOf(const std::string& text) {
  QXmlStreamReader reader(QByteArray::fromStdString(text));
  while (!reader.atEnd()) reader.readNext();
  return reader.hasError() ? reader.errorString().toStdString() : "";
}

TEST(SweepReport, ShowsCurvesAndEveryRunAndIsWellFormed) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b", "kinematic = true"),
                                   "[sweep]\ncombine = 'zip'\n" +
                                       Vary("backends.a.drift",
                                            "values = [0.1, 1, 10]\nscale = 'logarithmic'\n"
                                            "label = 'error < 11'") +
                                       Vary("backends.a.diverges_at", "values = [0, 0, 3]") +
                                       "[[sweep.curve]]\nfigure = 'residual_energy_max_J'\n"
                                       "[[sweep.curve]]\nfigure = 'constraint_error_max_m'\n");
  const SweepTable table = CollectSweep(sweep, RunSweep(sweep, folder / "runs", {}));
  const std::filesystem::path html = folder / "runs" / "fall" / "sweep.html";
  WriteSweepReport(sweep, table, html);
  const std::string page = ReadFile(html);
  EXPECT_EQ(XmlErrorOf(page), "");
  EXPECT_THAT(page,
              Says({"<h1>A fall</h1>", "error &lt; 11", "href=\"drift=10_diverges_at=3/a/\"",
                    "diverged at step 3: height", "figures/sweep-residual_energy_max_J.svg"}));
  EXPECT_THAT(page, HasSubstr("Not defined in any of these runs"));  // there are no nails
  EXPECT_TRUE(
      std::filesystem::exists(html.parent_path() / "figures" / "sweep-residual_energy_max_J.pdf"));
  EXPECT_FALSE(
      std::filesystem::exists(html.parent_path() / "figures" / "sweep-constraint_error_max_m.svg"));
}

TEST(SweepReport, SaysWhyThereIsNoCurve) {
  const ScratchFolder folder;
  const Sweep none = FallingSweep(folder, Falling("a"), Vary("run.seed", "values = [1]"));
  EXPECT_THAT(SweepPage(none, {}, {}), HasSubstr("has no [[sweep.curve]]"));
  const Sweep words = FallingSweep(folder, Falling("a"),
                                   Vary("backends.a.kinematic", "values = [true, false]") +
                                       "[[sweep.curve]]\nfigure = 'edge_strain_max'\n");
  const std::string page = SweepPage(words, {}, {});
  EXPECT_THAT(page, HasSubstr("No varied key is a number"));
  EXPECT_THAT(page, Not(HasSubstr("has no [[sweep.curve]]")));
}

}  // namespace
}  // namespace pliant
