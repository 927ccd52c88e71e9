#include "experiments/figures/figure_table.h"
#include "experiments/files/claim.h"
#include "experiments/files/listing.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr char kFiguresIntroduction[] = R"(# Figures of the source papers, reproduced

The numbers of a run that tables call figures are in `pliant list metrics`; `pliant explain NAME` says what one of them is.

`pliant list figures --markdown` prints this page from data/figures. `pliant figure NAME` runs the experiment of
a figure and draws it; `pliant verify EXPERIMENT` says of its claims, which are the values below, whether they
hold in the limit of refinement.

| verdict | meaning |
|---|---|
| reproduced | the experiment shows what the figure shows |
| reproduced in spirit | it shows the behaviour; setup or size differ, or are not printed in the source |
| contradicted | the figure or its text errs, and the experiment shows how |
| not possible | it shows no behaviour of a model: a diagram, a listing, a screenshot |
)";

std::string Cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

// "penetration_m of uniform at 0.6 s: about 0.0667 ± 0.001".
std::string ValueText(const Claim& claim) {
  std::string text = claim.figure.empty() ? "" : "`" + claim.figure + "`";
  text += (text.empty() ? "" : " of ") + claim.of;
  if (claim.at) text += " at " + Digits(*claim.at) + " s";
  for (const std::string& change : claim.set) text += " with " + change;
  if (claim.difference_to) text += " minus that of " + *claim.difference_to;
  if (claim.ratio_to) text += " divided by that of " + *claim.ratio_to;
  return text + ": " + BoundInWords(claim);
}

std::string ClaimsOf(const SourceFigure& figure, const Experiment& experiment) {
  std::string text;
  for (const std::string& words : figure.claims) {
    for (const Claim& claim : experiment.claims) {
      if (claim.text == words)
        text += (text.empty() ? "" : "<br>") + words + " (" + ValueText(claim) + ")";
    }
  }
  return text;
}

std::string Row(const SourceFigure& figure, const std::filesystem::path& experiments) {
  std::string text = "| " + Cell(figure.number) + " | " + Cell(figure.shows) + " | **" +
                     std::string(ToString(figure.verdict)) + "**";
  if (!figure.why.empty()) text += ": " + Cell(figure.why);
  if (!figure.experiment) return text + " | | |\n";
  const Experiment experiment = ReadExperiment(FindExperiment(*figure.experiment, experiments));
  return text + " | " + *figure.experiment + ": " + Cell(ClaimsOf(figure, experiment)) +
         " | `pliant figure " + figure.name + "` |\n";
}

}  // namespace

std::string FiguresPage(const std::vector<FigureSource>& sources,
                        const std::filesystem::path& experiments) {
  std::string text = kFiguresIntroduction;
  for (const FigureSource& source : sources) {
    text += "\n## " + source.title +
            "\n\n| figure | shows | verdict | experiment and what it claims | command "
            "|\n|---|---|---|---|---|\n";
    for (const SourceFigure& figure : source.figures) text += Row(figure, experiments);
  }
  return text;
}

}  // namespace pliant
