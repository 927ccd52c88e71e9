// The page of a sweep.

#include <algorithm>
#include <map>

#include "app/report/sweep_report.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/sweep_lines.h"

namespace pliant {
namespace {

Html Header(const Sweep& sweep) {
  const Experiment& base = sweep.base;
  const std::string runs = std::to_string(sweep.points.size() * base.backends.size());
  Html facts = Element("span", "experiment " + base.name) +
               Element("span", "scene " + base.scene->name) +
               Element("span", std::to_string(sweep.points.size()) + " points") +
               Element("span", runs + " runs");
  return Element("header", Element("h1", base.title) + Paragraphs(base.description) +
                               Element("p", facts, {{"class", "facts"}}));
}

Html VariedSection(const Sweep& sweep) {
  Html list;
  for (const VariedKey& varied : sweep.plan().vary) {
    std::string values;
    for (const FileValue& value : varied.values) {
      values += (values.empty() ? "" : ", ") + ValueText(value);
    }
    const std::string unit = varied.unit == "1" ? "" : " " + varied.unit;
    list += Element("dt", Element("code", varied.key)) + Element("dd", values + unit);
  }
  const bool zip = sweep.plan().combination == SweepCombination::kZip;
  const Html words = sweep.plan().vary.size() == 1 ? Html()
                     : zip                         ? Element("p", "The keys change together.")
                           : Element("p", "Every value is run with every other.");
  Html warnings;
  for (const std::string& note : sweep.notes) warnings += Element("p", note);
  for (const std::string& warning : WarningsOf(sweep))
    warnings += Element("p", warning, {{"class", "warning"}});
  return SectionOf("varied", "What is varied", words + Element("dl", list) + warnings);
}

Html CurveSection(const Sweep& sweep, const SweepTable& table,
                  const std::vector<PageFigure>& curves) {
  Html inside;
  for (const PageFigure& curve : curves) inside += FigureOf(curve);
  if (curves.empty()) {
    inside = Element("p", sweep.plan().curves.empty()
                              ? "The experiment has no [[sweep.curve]]."
                              : "No varied key is a number, so there is nothing to plot against.");
  }
  const FindingTable slopes = TableOfSlopes(sweep, table);
  if (!slopes.rows.empty()) inside += TableOf(slopes);
  return SectionOf("curves", "Curves", inside);
}

// A row for each run, with the figures that curves are drawn of.
Html RunSection(const Sweep& sweep, const SweepTable& sweep_table) {
  const ComparisonTable& table = sweep_table.table;
  std::vector<Html> head;
  for (const VariedKey& varied : sweep.plan().vary) head.emplace_back(varied.label);
  head.emplace_back("run");
  head.emplace_back("outcome");
  for (const SweepCurve& curve : sweep.plan().curves) {
    head.emplace_back(Element("code", CurveName(curve, curve.figure)));
  }
  Html rows = Element("thead", HeadRow(head));
  const std::vector<IneffectiveKey> without = IneffectiveKeysOf(sweep);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const SweepPoint& point = sweep.points[sweep_table.points[i]];
    const ComparisonRow& run = table.rows[i];
    std::vector<Html> cells;
    for (size_t key = 0; key < point.values.size(); ++key) {
      const bool has_none = std::ranges::any_of(without, [&](const IneffectiveKey& one) {
        return one.key == key && one.label == run.label;
      });
      cells.emplace_back(ValueText(point.values[key]) + (has_none ? " (no effect)" : ""));
    }
    const std::string folder = point.name + "/" + run.label + "/";
    cells.push_back(run.bundle.empty() ? Html(run.label)
                                       : Element("a", run.label, {{"href", folder}}));
    const bool good = run.outcome.kind == OutcomeKind::kCompleted;
    cells.push_back(Element("span", std::string(ToString(run.outcome.kind)),
                            {{"class", good ? "good" : "bad"}, {"title", run.outcome.reason}}));
    for (const SweepCurve& curve : sweep.plan().curves)
      cells.push_back(Number(CurveValue(curve, sweep_table, i)));
    rows += Row(cells);
  }
  Html inside;
  for (const std::string& share : BehaviourShares(sweep, sweep_table)) {
    inside += Element("p", share + ".");
  }
  inside += Table(rows, "summary") +
            Element("p", Html("All figures of all runs: ") +
                             Element("a", "sweep.csv", {{"href", "sweep.csv"}}) + ".");
  for (const std::string& problem : table.problems) {
    inside += Element("p", "Not measured: " + problem, {{"class", "warning"}});
  }
  return SectionOf("runs", "Runs", inside);
}

}  // namespace

std::string SweepPage(const Sweep& sweep, const SweepTable& table,
                      const std::vector<PageFigure>& curves) {
  return Document(
      sweep.base.title,
      Header(sweep) + Element("main", VariedSection(sweep) + CurveSection(sweep, table, curves) +
                                          RunSection(sweep, table)));
}

}  // namespace pliant
