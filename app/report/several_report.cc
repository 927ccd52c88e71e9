#include "app/report/several_report.h"

#include "app/report/page.h"
#include "app/report/report.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

std::string PlaceOfPart(const std::filesystem::path& html, size_t number) {
  return html.stem().string() + "-" + std::to_string(number + 1);
}

Html Overview(const std::vector<ReportPart>& parts, const std::filesystem::path& html) {
  Html links, sections;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ReportPart& part = parts[i];
    const std::string id = "part-" + std::to_string(i + 1);
    links += Element("a", part.heading, {{"href", "#" + id}}) + Html::Raw(" ");
    const Html whole = Element("p", Element("a", "Key frames, curves, scene and parameters",
                                            {{"href", PlaceOfPart(html, i) + "/report.html"}}) +
                                        " are in a report of its own.");
    const ReportData& data = part.data;
    const Html words =
        Paragraphs(data.description.empty() ? data.scene->description : data.description);
    sections += SectionOf(id, part.heading, words + OutcomeOf(data) + whole);
  }
  const std::string count = std::to_string(parts.size()) + " experiments or scenes";
  const Html header =
      Element("header", Element("h1", "Report over " + count) +
                            Element("p",
                                    "Each has a table of its own: runs of different scenes "
                                    "have no common figures."));
  return header + Element("nav", links) + Element("main", sections);
}

}  // namespace

void WriteReportOfSeveral(const std::vector<ReportPart>& parts, const std::filesystem::path& html) {
  std::string title;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::filesystem::path folder = html.parent_path() / PlaceOfPart(html, i);
    CreateFolder(folder);
    WriteReport(parts[i].data, folder / "report.html");
    title += (title.empty() ? "" : "; ") + parts[i].heading;
  }
  WriteFile(html, Document(title, Overview(parts, html)));
}

}  // namespace pliant
