#include "app/report/page.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "app/report/style_sheet.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr std::string_view kCommandIndent = "    ";

std::string CountOf(size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string Milliseconds(double seconds) { return Digits(seconds * 1e3) + " ms"; }

Html Header(const ReportData& data) {
  Html facts =
      Element("span", "experiment " + data.name) + Element("span", "scene " + data.scene->name) +
      Element("span", CountOf(data.runs.size(), "run")) +
      Element("span",
              Digits(data.plan.duration) + " s in steps of " + Milliseconds(data.plan.step)) +
      Element("span", "seed " + std::to_string(data.plan.seed));
  return Element("header", Element("h1", data.title) +
                               Paragraphs(data.description.empty() ? data.scene->description
                                                                   : data.description) +
                               Element("p", facts, {{"class", "facts"}}));
}

Html Navigation() {
  Html links;
  for (const auto& [id, title] :
       std::vector<std::pair<std::string, std::string>>{{"outcome", "Outcome"},
                                                        {"frames", "Key frames"},
                                                        {"formulations", "Formulations"},
                                                        {"curves", "Curves"},
                                                        {"scene", "Scene"},
                                                        {"parameters", "Parameters"},
                                                        {"reproduce", "How to reproduce it"}}) {
    links += Element("a", title, {{"href", "#" + id}}) + Html::Raw(" ");
  }
  return Element("nav", links);
}

Html FileLinks(const std::string& key) {
  const std::string stem = "figures/" + key;
  return Element("span",
                 Element("a", "SVG", {{"href", stem + ".svg"}}) + " · " +
                     Element("a", "PDF", {{"href", stem + ".pdf"}}),
                 {{"class", "files"}});
}

// What happened on the way, folded where it is long.
Html EventList(const std::vector<SimulationEvent>& events) {
  constexpr size_t kUnfolded = 8;
  if (events.empty()) return {};
  Html list;
  for (const SimulationEvent& event : events) {
    list += Element(
        "li", Element("span", Digits(event.time) + " s", {{"class", "time"}}) + " " + event.what);
  }
  list = Element("ul", list, {{"class", "events"}});
  if (events.size() <= kUnfolded) return list;
  return Element("details", Element("summary", CountOf(events.size(), "event")) + list);
}

Html CurveSection(const ReportData& data, const std::vector<PageFigure>& figures) {
  Html inside = Element(
      "p",
      "Each formulation keeps its colour, dash and marker throughout. A gap, or a curve that is "
      "missing, means that the quantity is not defined there, not that it is 0. A cross ends the "
      "curve of a run that diverged. The numbers of every curve are in series.csv of its bundle.");
  Html refused;
  for (const ReportRun& run : data.runs) {
    if (run.series.rows.empty()) refused += (refused.empty() ? Html() : ", ") + RunName(run);
  }
  if (!refused.empty()) inside += Element("p", "No curve (see above): " + refused + ".");
  for (const PageFigure& figure : figures) inside += FigureOf(figure);
  return SectionOf("curves", "Curves", inside);
}

// What is otherwise for runs of a variant of the scene; empty without any.
Html VariantSection(const ReportData& data) {
  Html list;
  for (const ReportRun& run : data.runs) {
    if (!run.variant.empty()) list += Element("li", RunName(run) + " " + run.variant);
  }
  if (list.empty()) return {};
  return SectionOf("variants", "Variants of the scene",
                   Element("ul", list, {{"class", "runs"}}) +
                       Element("p",
                               "Key frames show each run in its own scene. Distances are measured "
                               "where its points are those of the reference."));
}

// Whether a headline figure is of a quantity that only one formulation has.
bool IsOwn(const SeriesColumn& figure, const ReportData& data) {
  return std::any_of(data.runs.begin(), data.runs.end(), [&](const ReportRun& run) {
    const std::span<const SeriesColumn> columns = run.series.columns;
    const auto extras = columns.last(run.series.extras);
    return std::any_of(extras.begin(), extras.end(), [&](const SeriesColumn& extra) {
      return figure.meaning == extra.meaning ||
             figure.meaning == "smallest recorded: " + extra.meaning ||
             figure.meaning == "largest recorded: " + extra.meaning;
    });
  });
}

Html FigureRow(const ComparisonTable& table, size_t column) {
  const SeriesColumn& figure = table.columns[column];
  const std::string unit = figure.unit == "1" ? "" : " [" + figure.unit + "]";
  std::vector<Html> cells = {Element("span", figure.meaning + unit) + Element("code", figure.name)};
  for (const ComparisonRow& row : table.rows) {
    const Html number = Number(row.values[column]);
    cells.push_back(row.not_told_apart.contains(figure.name)
                        ? Element("span", number,
                                  {{"style", "color:#999"},
                                   {"title",
                                    "not told apart: less than three times the "
                                    "yardstick's own error"}})
                        : number);
    const std::string limit = LimitText(row, figure.name);
    if (!limit.empty()) cells.back() += Element("span", " → " + limit, {{"class", "limit"}});
  }
  return Row(cells);
}

}  // namespace

Html Paragraphs(const std::string& text) {
  Html html;
  std::istringstream lines(text);
  std::string paragraph, commands;
  auto flush = [&] {
    if (!paragraph.empty()) html += Element("p", paragraph);
    if (!commands.empty()) html += Element("pre", commands);
    paragraph.clear();
    commands.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t") == std::string::npos) {
      flush();
    } else if (line.starts_with(kCommandIndent)) {
      if (!paragraph.empty()) flush();
      commands += line.substr(kCommandIndent.size()) + '\n';
    } else {
      if (!commands.empty()) flush();
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
  }
  flush();
  return html;
}

Html FigureOf(const PageFigure& figure) {
  if (figure.drawing.empty()) {
    return Element("p",
                   Element("strong", figure.title + ".") + " Not defined in any of these runs.",
                   {{"class", "undefined"}});
  }
  const Html caption =
      Element("figcaption", Element("strong", figure.title + ".") + " " +
                                Element("span", figure.reading) + " " + FileLinks(figure.key));
  return Element("figure", caption + Element("div", figure.drawing, {{"class", "paper"}}),
                 {{"id", figure.key}}) +
         Html::Raw("\n");
}

Html SectionOf(const std::string& id, const std::string& title, const Html& inside) {
  return Element("section", Element("h2", title) + inside, {{"id", id}}) + Html::Raw("\n");
}

Html RunName(const ReportRun& run) {
  Html name =
      Element("span", "", {{"class", "patch"}, {"style", "background:" + ToHex(run.colour)}}) +
      Element("span", run.label, {{"class", "run"}});
  if (!run.variant.empty())
    name += Element("abbr", "*", {{"title", run.label + " " + run.variant}});
  return name;
}

Html OutcomeSection(const ReportData& data) {
  return SectionOf("outcome", "Outcome", OutcomeOf(data));
}

Html OutcomeOf(const ReportData& data) {
  Html list;
  for (const ReportRun& run : data.runs) {
    Html item = RunName(run) + " " +
                Element("span", OutcomeLine(run.outcome),
                        {{"class", run.outcome.kind == OutcomeKind::kCompleted && !run.outcome.sunk
                                       ? "good"
                                       : "bad"}});
    if (run.outcome.kind == OutcomeKind::kUnsupported) {
      item += Element("p", run.outcome.reason, {{"class", "warning"}});
    }
    if (const std::string unmet = UnmetInWords(run.outcome); !unmet.empty()) {
      item += Element("p", unmet, {{"class", "warning"}});
    }
    if (const std::string sunk = SunkInWords(run.outcome); !sunk.empty()) {
      item += Element("p", sunk, {{"class", "warning"}});
    }
    for (const std::string& warning : run.warnings) {
      item += Element("p", warning, {{"class", "warning"}});
    }
    item += EventList(run.outcome.events);
    list += Element("li", item);
  }
  Html inside = Element("ul", list, {{"class", "runs"}});
  for (const FindingTable& table : data.tables) {
    inside += Element("h3", table.title) + TableOf(table);
  }

  std::vector<Html> head = {"headline figure"};
  for (const ReportRun& run : data.runs) head.push_back(RunName(run));
  Html common = Element("thead", HeadRow(head)), own = common;
  std::string undefined;
  bool has_own = false;
  for (size_t column = 0; column < data.table.columns.size(); ++column) {
    const SeriesColumn& figure = data.table.columns[column];
    const bool defined =
        std::any_of(data.table.rows.begin(), data.table.rows.end(),
                    [&](const ComparisonRow& row) { return row.values[column].has_value(); });
    if (!defined) {
      undefined += (undefined.empty() ? "" : ", ") + figure.name;
    } else if (IsOwn(figure, data)) {
      own += FigureRow(data.table, column);
      has_own = true;
    } else {
      common += FigureRow(data.table, column);
    }
  }
  inside += Table(common, "summary");
  if (has_own) {
    inside += Element("details", Element("summary", "Figures that only one formulation has") +
                                     Table(own, "summary"));
  }
  if (std::ranges::any_of(data.table.rows,
                          [](const ComparisonRow& row) { return !row.not_told_apart.empty(); })) {
    inside += Element("p", "Grey: not told apart, less than three times the yardstick's own error.",
                      {{"class", "undefined"}});
  }
  if (std::ranges::any_of(data.table.rows,
                          [](const ComparisonRow& row) { return !row.limits.empty(); })) {
    inside += Element("p", "After the arrow: the limit of refinement and its band.",
                      {{"class", "undefined"}});
  }
  if (!undefined.empty()) {
    inside += Element("p", "Not defined in any run: " + undefined + ".", {{"class", "undefined"}});
  }
  for (const std::string& weak : data.table.yardstick) {
    inside += Element("p", "Yardstick: " + weak, {{"class", "warning"}});
  }
  for (const std::string& from : data.table.provenance) {
    inside += Element("p", "Reference: " + from, {{"class", "undefined"}});
  }
  for (const std::string& why : data.table.blanks) {
    inside += Element("p", "Blank: " + why, {{"class", "undefined"}});
  }
  for (const std::string& note : data.table.notes) {
    inside += Element("p", "Note: " + note, {{"class", "undefined"}});
  }
  for (const std::string& problem : data.table.problems) {
    inside += Element("p", "Not measured: " + problem, {{"class", "warning"}});
  }
  return inside;
}

std::string ReportPage(const ReportData& data, const PageFigures& figures) {
  Html frames = FigureOf(figures.key_frames);
  if (figures.ghosts) frames += FigureOf(*figures.ghosts);
  return Document(
      data.title,
      Header(data) + Navigation() +
          Element("main", OutcomeSection(data) + SectionOf("frames", "Key frames", frames) +
                              FormulationSection(data) + CurveSection(data, figures.curves) +
                              SceneSection(*data.scene) + VariantSection(data) +
                              ParameterSection(data) + ReproductionSection(data)));
}

std::string Document(const std::string& title, const Html& body) {
  const Html head = Html::Raw(
                        "<meta charset=\"utf-8\" />\n<meta name=\"viewport\" "
                        "content=\"width=device-width, initial-scale=1\" />\n"
                        "<meta name=\"generator\" content=\"Pliant\" />\n") +
                    Element("title", title) + Element("style", Html::Raw(kStyleSheet));
  return "<!DOCTYPE html>\n" +
         Element("html", Element("head", head) + Html::Raw("\n") + Element("body", body),
                 {{"lang", "en"}})
             .markup() +
         "\n";
}

}  // namespace pliant
