// list: what there is, printed from the code that uses it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "experiments/bundles/headline.h"
#include "experiments/figures/figure_table.h"
#include "experiments/files/listing.h"
#include "experiments/files/mesh_listing.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"
#include "experiments/manual/element_page.h"
#include "experiments/manual/format_page.h"
#include "experiments/manual/json_schema.h"
#include "experiments/runs/series.h"
#include "models/problem.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

std::vector<std::string> BackendNames() {
  std::vector<std::string> names;
  for (const Backend* backend : Backends()) names.push_back(backend->info().name);
  return names;
}

// The backends to speak of: the one of that name, or all.
std::vector<const Backend*> Chosen(const std::string& name) {
  if (name.empty()) return Backends();
  const Backend* backend = FindBackend(name);
  if (backend == nullptr) {
    throw BadInput(
        {"", fmt::format("there is no backend '{}'", name), DidYouMean(name, BackendNames())});
  }
  return {backend};
}

void ListBackends(const std::string& name) {
  for (const Backend* backend : Chosen(name)) {
    const BackendInfo& info = backend->info();
    fmt::print("{}: {} [{}]\n  {}\n  loses: {}\n", info.name, info.title, info.source, info.summary,
               info.losses);
    if (!info.condition_of.empty()) fmt::print("  condition number: of {}\n", info.condition_of);
    for (const ArrayGroup& group : info.arrays) {
      fmt::print("  records {}: {}\n", group.name, group.meaning);
    }
    fmt::print("\n");
  }
}

void ListColumns(const std::vector<SeriesColumn>& columns, size_t begin) {
  for (size_t i = begin; i < columns.size(); ++i) {
    fmt::print("  {:<32} {:<9} {}\n", columns[i].name, columns[i].unit, columns[i].meaning);
  }
}

// The headline figures of a backend, from number `begin` on.
void ListHeadlineFigures(const BackendInfo& info, size_t begin) {
  const auto figures = HeadlineFigures(Scene(), {}, SeriesColumns(info), {});
  for (size_t i = begin; i < figures.size(); ++i) {
    fmt::print("  {:<32} {:<9} {}\n", figures[i].name, figures[i].unit, figures[i].meaning);
  }
}

void ListMetrics(const std::string& name) {
  const size_t common = SeriesColumns(BackendInfo()).size();
  const size_t common_figures =
      HeadlineFigures(Scene(), {}, SeriesColumns(BackendInfo()), {}).size();
  if (name.empty()) {
    fmt::print("every backend (empty where not defined)\n");
    ListColumns(SeriesColumns(BackendInfo()), 0);
    fmt::print("\nheadline figures of a whole run (summary.json, tables, [[sweep.curve]])\n");
    ListHeadlineFigures(BackendInfo(), 0);
    fmt::print(
        "\nprobes of an experiment ([[probe]]) add columns and figures: pliant check FILE\n");
  }
  for (const Backend* backend : Chosen(name)) {
    const BackendInfo& info = backend->info();
    fmt::print("\n{}\n", info.name);
    fmt::print("  condition_number: {}\n",
               info.condition_of.empty() ? "not defined" : "of " + info.condition_of);
    ListColumns(SeriesColumns(info), common);
    ListHeadlineFigures(info, common_figures);
  }
}

std::string RangeText(const ParameterInfo& info) {
  if (!info.choices.empty()) {
    std::string words;
    for (const std::string& choice : info.choices) words += (words.empty() ? "" : " | ") + choice;
    return words;
  }
  const bool below = std::isfinite(info.range.lower), above = std::isfinite(info.range.upper);
  if (below && above) return fmt::format("{} … {}", info.range.lower, info.range.upper);
  if (below) return fmt::format("{} {}", info.range.open_lower ? ">" : "≥", info.range.lower);
  if (above) return fmt::format("≤ {}", info.range.upper);
  return "";
}

void ListParameters(const Backend& backend) {
  fmt::print("{}\n", backend.info().name);
  for (const ParameterInfo& info : backend.Parameters()) {
    const bool is_table = IsDataTable(info.default_value);
    const std::string standard =
        is_table ? "(a data file)" : WriteInline(ToFileValue(info.default_value));
    const std::string unit = info.unit == "1" ? "" : " " + info.unit;
    const std::string range = RangeText(info);
    fmt::print("  {} = {}{}{}\n      {}\n", info.name, standard, unit,
               range.empty() ? "" : "   (" + range + ")", info.meaning);
    if (!info.counts_when.empty()) fmt::print("      counts only when {}\n", info.counts_when);
  }
  fmt::print("\n");
}

// All of them, or the one of that name, or those of the folder of that name.
void ListFiles(const std::vector<ListedFile>& files, const std::string& name) {
  std::vector<ListedFile> chosen;
  std::vector<std::string> names;
  for (const ListedFile& file : files) {
    if (name.empty() || name == file.name || name == file.group) chosen.push_back(file);
    names.push_back(file.name);
  }
  if (chosen.empty() && !name.empty()) {
    throw BadInput(
        {"", fmt::format("nothing to list is called '{}'", name), DidYouMean(name, names)});
  }
  std::string group;
  for (const ListedFile& file : chosen) {
    if (file.group != group) fmt::print("\n{}/\n", file.group);
    group = file.group;
    fmt::print("{:<20} {}{}\n", file.name, file.has_sweep ? "[sweep] " : "", file.summary);
  }
}

// All of them, or those of the source of that name: "Harrison 1994".
void ListFigures(const std::vector<FigureSource>& sources, const std::string& name, bool markdown) {
  if (markdown) {
    fmt::print("{}", FiguresPage(sources, Home() / "experiments"));
    return;
  }
  std::vector<std::string> titles;
  for (const FigureSource& source : sources) titles.push_back(source.title);
  if (!name.empty() && std::find(titles.begin(), titles.end(), name) == titles.end()) {
    throw BadInput({"", fmt::format("there is no source '{}'", name), DidYouMean(name, titles)});
  }
  for (const FigureSource& source : sources) {
    if (!name.empty() && name != source.title) continue;
    fmt::print("\n{}\n", source.title);
    for (const SourceFigure& figure : source.figures)
      fmt::print("{:<22} {:<21} {}\n", figure.name, ToString(figure.verdict), figure.shows);
  }
}

}  // namespace

int ListCommand(const std::string& what, const std::string& name, bool markdown) {
  if (markdown && what != "parameters" && what != "figures" && what != "elements") {
    throw BadInput({"", fmt::format("'{}' cannot be listed with --markdown", what),
                    "pliant list parameters --markdown, or figures, or elements"});
  }
  if (what == "backends") {
    ListBackends(name);
  } else if (what == "metrics") {
    ListMetrics(name);
  } else if (what == "parameters") {
    if (markdown) {
      fmt::print("{}", FormatPage());
    } else {
      for (const Backend* backend : Chosen(name)) ListParameters(*backend);
    }
  } else if (what == "elements") {
    const std::vector<SampledElement> elements = SampleElements();
    fmt::print("{}", markdown ? ElementPage(elements) : ElementTable(elements));
  } else if (what == "schema") {
    if (!name.empty() && name != "experiment" && name != "scene") {
      throw BadInput({"", fmt::format("there is no schema '{}'", name),
                      DidYouMean(name, {"experiment", "scene"})});
    }
    fmt::print("{}", name == "scene" ? SceneSchema() : ExperimentSchema());
  } else if (what == "figures") {
    ListFigures(ReadFigureSources(Home() / "data" / "figures"), name, markdown);
  } else if (what == "scenes") {
    ListFiles(ListScenes(Home() / "data" / "scenes"), name);
  } else if (what == "meshes") {
    ListFiles(ListMeshes(Home() / "data" / "meshes"), name);
  } else if (what == "experiments") {
    ListFiles(ListExperiments(Home() / "experiments"), name);
  } else {
    const std::vector<std::string> all = {"backends", "elements",    "scenes",
                                          "meshes",   "experiments", "figures",
                                          "metrics",  "parameters",  "schema"};
    if (what.empty()) {
      throw BadInput({"", "what should be listed?",
                      fmt::format("write one of: pliant list {}", fmt::join(all, ", "))});
    }
    throw BadInput({"", fmt::format("cannot list '{}'", what), DidYouMean(what, all)});
  }
  return kDone;
}

}  // namespace pliant
