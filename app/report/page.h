// The page of a report, section by section.

#ifndef PLIANT_APP_REPORT_PAGE_H_
#define PLIANT_APP_REPORT_PAGE_H_

#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "app/report/html.h"
#include "app/report/report_data.h"

namespace pliant {

// A figure of the page, and the text around it.
struct PageFigure {
  std::string key;  // of its files in figures/
  std::string title;
  std::string reading;
  Html drawing;  // empty: nothing in it is defined in any run
};

struct PageFigures {
  PageFigure key_frames;
  std::optional<PageFigure> ghosts;
  std::vector<PageFigure> curves;
};

// A whole HTML 5 document.
std::string ReportPage(const ReportData& data, const PageFigures& figures);

// Its sections, each a <section>.
Html OutcomeSection(const ReportData& data);
Html OutcomeOf(const ReportData& data);           // what is in that
Html FormulationSection(const ReportData& data);  // what each is, and what it made of the scene
Html SceneSection(const Scene& scene);
Html ParameterSection(const ReportData& data);
Html ReproductionSection(const ReportData& data);

// A heading with a link target.
Html SectionOf(const std::string& id, const std::string& title, const Html& inside);

// A figure with its caption; a sentence where nothing in it is defined.
Html FigureOf(const PageFigure& figure);

Html TableOf(const FindingTable& table);

// Paragraphs of a text are separated by empty lines; lines that begin with four blanks are
// commands.
Html Paragraphs(const std::string& text);

// A whole HTML 5 document with this title.
std::string Document(const std::string& title, const Html& body);

// The name of a run beside a patch of its colour.
Html RunName(const ReportRun& run);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_PAGE_H_
