#include "app/report/refinement_report.h"

#include <cmath>
#include <optional>
#include <set>

#include "app/plots/refinement_plots.h"
#include "app/report/report.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/banded_digits.h"
#include "experiments/refinement/record_spacing.h"

namespace pliant {
namespace {

std::string UnitText(const std::string& unit) { return unit == "1" ? "" : unit; }

// A number with as many digits as the band beside it asks for.
Html Beside(const std::optional<double>& band, const std::optional<double>& value) {
  return Number(value, DigitsWithin(value.value_or(0.0), band.value_or(0.0), 4));
}

// Of a convergence, with two decimals.
Html Order(const std::optional<Convergence>& convergence) {
  if (!convergence || !convergence->order) return Number(std::nullopt);
  return Number(std::round(100.0 * *convergence->order) / 100.0);
}

Html Header(const Experiment& experiment, const std::vector<Refinement>& refinements) {
  Html facts = Element("span", "experiment " + experiment.name) +
               Element("span", "scene " + experiment.scene->name);
  for (const Refinement& refinement : refinements) {
    facts +=
        Element("span", std::to_string(refinement.sizes.size()) + " rungs in " + refinement.axis);
  }
  return Element("header", Element("h1", experiment.title) + Paragraphs(experiment.description) +
                               Element("p", facts, {{"class", "facts"}}));
}

std::vector<PageFigure> Figures(const std::vector<Refinement>& refinements,
                                const std::vector<VerifiedClaim>& claims,
                                const std::filesystem::path& folder,
                                const std::vector<std::string>& only) {
  std::vector<PageFigure> figures;
  std::set<std::string> axes;  // of the claims, whose figure holds those of all changes of the file
  for (const Refinement& refinement : refinements) {
    if (!claims.empty() && !axes.insert(refinement.axis).second) continue;
    std::vector<Plot> plots;
    if (claims.empty()) plots = RefinementPlots(refinement, only);
    if (!claims.empty()) plots.push_back(ClaimPlot(refinement, claims));
    for (const Plot& plot : plots) {
      if (!plot.panels.empty()) figures.push_back(CurveFigure(plot, folder));
    }
  }
  return figures;
}

}  // namespace

Html ClaimSection(const std::vector<VerifiedClaim>& claims) {
  Html rows = Element("thead", HeadRow({"claim", "verdict", "limit", "± band", "as the file has it",
                                        "unit", "order", "trend", "in"}));
  for (const VerifiedClaim& verified : claims) {
    const bool good = verified.verdict == Verdict::kHolds;
    const std::optional<Convergence>& c = verified.convergence;
    const std::optional<double> band = c ? c->band : std::nullopt;
    rows += Row({Element("span", verified.claim.text) +
                     Element("code", verified.claim.of + " " + verified.claim.figure + " " +
                                         BoundInWords(verified.claim)),
                 Element("span", std::string(ToString(verified.verdict)),
                         {{"class", good ? "good" : "bad"}, {"title", verified.why}}),
                 Beside(band, c ? std::optional(c->value) : std::nullopt), Number(band, 2),
                 Beside(band, verified.at_file), UnitText(verified.unit), Order(c),
                 c ? TrendText(*c) : "", verified.axis});
  }
  return SectionOf(
      "claims", "Claims",
      Element(
          "p",
          "A claim holds where the whole band around the limit of refinement is inside its bound. "
          "\"Cannot be told apart\": the bound is inside the band.") +
          Table(rows, "summary"));
}

Html LimitSection(const Refinement& refinement) {
  Html rows = Element("thead", HeadRow({"figure", "as the file has it", "limit", "± band", "unit",
                                        "order", "trend"}));
  Html notes;
  for (const RefinedRun& run : refinement.runs) {
    if (!run.left_out.empty())
      notes += Element("p", run.label + ": left out " + run.left_out + ".", {{"class", "warning"}});
    if (const std::string records = RecordsText(refinement, run); !records.empty())
      notes += Element("p", records + ".", {{"class", "warning"}});
    rows += Element("tr", Element("th", run.label, {{"colspan", "7"}, {"scope", "rowgroup"}}));
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      const SeriesColumn& figure = refinement.figures[f];
      std::vector<std::optional<double>> values;
      for (const auto& of_rung : run.figures) values.push_back(of_rung[f]);
      const auto c = ConvergenceOf(refinement, run, values, figure.unit);
      if (IsCost(figure.name) || !c) continue;
      rows += Row({Element("code", figure.name), Beside(c->band, values[refinement.file_rung]),
                   Beside(c->band, c->value), Number(c->band, 2), UnitText(figure.unit), Order(c),
                   TrendText(*c)});
    }
  }
  return SectionOf("limits-" + refinement.axis, "Limits in " + refinement.axis,
                   notes + Table(rows, "summary"));
}

void WriteRefinementReport(const Experiment& experiment, const std::vector<Refinement>& refinements,
                           const std::vector<VerifiedClaim>& claims,
                           const std::filesystem::path& html,
                           const std::vector<std::string>& only) {
  const std::filesystem::path folder = html.parent_path() / kFiguresFolder;
  CreateFolder(folder);
  Html sections;
  if (!claims.empty()) sections += ClaimSection(claims);
  Html curves;
  for (const PageFigure& figure : Figures(refinements, claims, folder, only))
    curves += FigureOf(figure);
  if (claims.empty()) {
    for (const Refinement& refinement : refinements) sections += LimitSection(refinement);
  }
  if (!curves.empty()) sections += SectionOf("curves", "Curves", curves);
  // The page comes last: where it is, its figures are.
  WriteFile(html, Document(experiment.title,
                           Header(experiment, refinements) + Element("main", sections)));
}

}  // namespace pliant
