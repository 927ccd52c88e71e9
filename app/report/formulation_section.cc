// What each formulation is and loses, and what it made of every element of the scene.

#include <algorithm>
#include <array>

#include "app/report/page.h"

namespace pliant {
namespace {

struct FidelityMark {
  const char* css_class;
  const char* sign;  // for readers without colour
};

FidelityMark MarkOf(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::kExact:
      return {"exact", "="};
    case Fidelity::kApproximated:
      return {"approximated", "≈"};
    case Fidelity::kIgnored:
      return {"ignored", "○"};
    case Fidelity::kUnsupported:
      return {"unsupported", "✕"};
  }
  return {"", ""};
}

Html Formulations(const ReportData& data) {
  Html cards;
  std::vector<std::string> seen;  // the same formulation under several labels stands once
  for (const ReportRun& run : data.runs) {
    if (std::find(seen.begin(), seen.end(), run.backend.name) != seen.end()) continue;
    seen.push_back(run.backend.name);
    Html list = Element("dt", "deforms by") + Element("dd", run.backend.summary) +
                Element("dt", "loses") + Element("dd", run.backend.losses);
    if (!run.backend.condition_of.empty()) {
      list +=
          Element("dt", "conditioning") + Element("dd", "measured of " + run.backend.condition_of);
    }
    list += Element("dt", "source") + Element("dd", run.backend.source);
    cards += Element("div",
                     Element("h3", RunName(run) + " " + Element("small", run.backend.title)) +
                         Element("dl", list),
                     {{"class", "card"}});
  }
  return Element("div", cards, {{"class", "cards"}});
}

Html TranslationTable(const ReportData& data) {
  std::vector<std::string> elements;
  for (const ReportRun& run : data.runs) {
    for (const TranslatedElement& entry : run.translation) {
      if (std::find(elements.begin(), elements.end(), entry.element) == elements.end()) {
        elements.push_back(entry.element);
      }
    }
  }
  std::vector<Html> head = {"element of the scene"};
  for (const ReportRun& run : data.runs) head.push_back(RunName(run));
  Html rows = Element("thead", HeadRow(head));
  for (const std::string& element : elements) {
    Html cells = Element("th", Element("code", element), {{"scope", "row"}});
    for (const ReportRun& run : data.runs) {
      const auto entry =
          std::find_if(run.translation.begin(), run.translation.end(),
                       [&](const TranslatedElement& e) { return e.element == element; });
      if (entry == run.translation.end()) {
        cells += Element("td", Number(std::nullopt));
        continue;
      }
      const FidelityMark mark = MarkOf(entry->fidelity);
      Html cell =
          Element("strong", std::string(mark.sign) + " " + std::string(ToString(entry->fidelity)));
      if (!entry->reason.empty()) cell += Html::Raw("<br />") + Html(entry->reason);
      cells += Element("td", cell, {{"class", mark.css_class}});
    }
    rows += Element("tr", cells) + Html::Raw("\n");
  }
  return Table(rows, "translation");
}

}  // namespace

Html TableOf(const FindingTable& table) {
  Html rows =
      Element("thead", HeadRow(std::vector<Html>(table.columns.begin(), table.columns.end())));
  for (const std::vector<std::string>& row : table.rows) {
    rows += Row(std::vector<Html>(row.begin(), row.end()));
  }
  return Table(rows, "summary") + (table.remark.empty() ? Html() : Element("p", table.remark));
}

namespace {

Html Findings(const ReportData& data) {
  Html findings;
  for (const ReportRun& run : data.runs) {
    for (const FindingTable& table : run.findings) {
      findings +=
          Element("h3", RunName(run) + " " + Element("small", table.title)) + TableOf(table);
    }
  }
  return findings;
}

}  // namespace

Html FormulationSection(const ReportData& data) {
  return SectionOf(
      "formulations", "Formulations and their translation of the scene",
      Formulations(data) +
          Element(
              "p",
              "Every formulation received the same scene. A formulation that cannot represent an "
              "element approximates it, ignores it, or refuses the scene; the table states which: "
              "read every difference below with this table in mind.") +
          TranslationTable(data) + Findings(data));
}

}  // namespace pliant
