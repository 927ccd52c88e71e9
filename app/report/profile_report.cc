#include "app/report/profile_report.h"

#include <string>

#include "app/plots/profile_plots.h"
#include "app/report/page.h"
#include "app/report/report.h"
#include "experiments/bundles/storage.h"

namespace pliant {

void WriteProfileReport(const Profiles& profiles, const std::filesystem::path& html) {
  const std::filesystem::path folder = html.parent_path() / kFiguresFolder;
  CreateFolder(folder);
  Html figures, tables;
  for (const Plot& plot : ProfilePlots(profiles)) figures += FigureOf(CurveFigure(plot, folder));
  for (const std::string& remark : profiles.remarks) {
    figures += Element("p", remark, {{"class", "warning"}});
  }
  for (const FindingTable& table : TablesOfProfiles(profiles)) {
    tables += Element("h3", table.title) + TableOf(table);
  }
  const std::string title =
      "Search methods over " + std::to_string(profiles.problems.size()) + " problems";
  // The page comes last: where it is, its figures are.
  WriteFile(html, Document(title, Element("header", Element("h1", title)) +
                                      Element("main", SectionOf("profiles", "Profiles", figures) +
                                                          SectionOf("tables", "Tables", tables))));
}

}  // namespace pliant
