#include "app/cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "experiments/bundles/bundle.h"
#include "experiments/comparison/chosen_figures.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/contact_notes.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/comparison/scene_groups.h"
#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/searches/search_record.h"
#ifdef PLIANT_QT
#include "app/report/report.h"
#include "app/report/search_report.h"
#include "app/report/several_report.h"
#endif

namespace pliant {

namespace {

// Columns of characters, not of bytes: 'φ' is one.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

// A bar within a cell would end it.
std::string MarkdownCell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

}  // namespace

std::vector<std::string> OverridesOf(const RunRequest& request) {
  std::vector<std::string> overrides = request.overrides;
  if (request.seed) overrides.push_back(fmt::format("run.seed={}", *request.seed));
  return overrides;
}

void WarnOfNoDistances(const RunRequest& request, const Experiment& experiment) {
  if (request.backends.empty()) return;
  if (const std::string why = WhyNoDistances(experiment); !why.empty()) PrintToStderr(why + "\n");
}

std::string AnnounceName(const RunRequest& request, const std::string& name,
                         const std::string& free, const std::string& mend) {
  if (free != name) PrintToStderr(OtherRunsStay(request.out, name, free, mend) + "\n");
  return free;
}

std::string OutcomeText(const RunOutcome& outcome) {
  const std::string kind(ToString(outcome.kind)), unmet = UnmetInWords(outcome);
  const std::string more = unmet.empty() ? "" : "; " + unmet;
  if (outcome.reason.empty()) return kind + more;
  if (outcome.reason.find(kind) != std::string::npos) return outcome.reason + more;
  return kind + ": " + outcome.reason + more;
}

void PrintMarkdown(const FindingTable& table) {
  const auto print = [](const std::vector<std::string>& row) {
    std::string line = "|";
    for (const std::string& cell : row) line += " " + MarkdownCell(cell) + " |";
    fmt::print("{}\n", line);
  };
  print(table.columns);
  print(std::vector<std::string>(table.columns.size(), "---"));
  for (const std::vector<std::string>& row : table.rows) print(row);
}

void RequireTableFormat(const std::string& format) {
  if (format == "text" || format == "csv" || format == "markdown") return;
  throw BadInput({"", fmt::format("unknown format '{}'", format),
                  DidYouMean(format, {"text", "csv", "markdown"})});
}

void PrintTable(const FindingTable& table) {
  std::vector<size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(Width(column));
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  auto print = [&](const std::vector<std::string>& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i] + std::string(widths[i] - Width(row[i]), ' ');
    }
    fmt::print("  {}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  };
  fmt::print("  {}:\n", table.title);
  print(table.columns);
  for (const auto& row : table.rows) print(row);
  if (!table.remark.empty()) fmt::print("    {}\n", table.remark);
}

bool IsClean(const RunOutcome& outcome) {
  return outcome.kind == OutcomeKind::kCompleted && outcome.not_converged_steps == 0 &&
         outcome.unmet_count == 0;
}

int StatusOf(const std::vector<BackendRun>& runs, bool strict) {
  bool any_ran = false;
  for (const BackendRun& run : runs) {
    if (strict && !IsClean(run.outcome)) return kRunFailed;
    if (run.outcome.kind == OutcomeKind::kUnsupported) continue;
    if (run.outcome.kind != OutcomeKind::kCompleted) return kRunFailed;
    any_ran = true;
  }
  return any_ran ? kDone : kRunFailed;
}

std::filesystem::path ElsewhereIf(const RunRequest& request, const std::string& before,
                                  const std::string& name) {
  return before == name ? std::filesystem::path() : request.out / name;
}

int FinishRuns(const std::vector<BackendRun>& runs, bool strict, int otherwise,
               const std::filesystem::path& elsewhere) {
  std::string counts;
  const auto count = [&](const std::string& words, const auto& is_counted) {
    const auto n = std::count_if(runs.begin(), runs.end(),
                                 [&](const BackendRun& run) { return is_counted(run.outcome); });
    if (n > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, words);
  };
  count("completed", IsClean);
  count("completed with steps that did not converge or constraints left open",
        [](const RunOutcome& o) { return o.kind == OutcomeKind::kCompleted && !IsClean(o); });
  for (const OutcomeKind kind : kAllOutcomes) {
    if (kind == OutcomeKind::kCompleted) continue;
    count(std::string(ToString(kind)), [kind](const RunOutcome& o) { return o.kind == kind; });
  }
  const int status = otherwise == kDone ? StatusOf(runs, strict) : otherwise;
  const bool stricter = status == kDone && StatusOf(runs, true) != kDone;
  const bool of_problem = status != kDone && StatusOf(runs, strict) == kDone;
  // So that this is the last line also where both go into one file. main() sees what does not arrive.
  std::fflush(stdout);
  PrintToStderr(fmt::format("{} run{}: {}; exit status {}{}{}\n", runs.size(),
                            runs.size() == 1 ? "" : "s", counts.empty() ? "none began" : counts,
                            status,
                            stricter     ? " (1 with --strict)"
                            : of_problem ? ", since a problem is named above"
                                         : "",
                            elsewhere.empty() ? "" : "; the results are in " + elsewhere.string()));
  return status;
}

namespace {

void WriteReportOf([[maybe_unused]] const std::vector<SceneGroup>& groups,
                   [[maybe_unused]] const std::vector<std::vector<Bundle>>& parts,
                   const std::filesystem::path& html,
                   [[maybe_unused]] const std::function<void(ComparisonTable*)>& amend) {
#ifdef PLIANT_QT
  std::vector<ReportPart> pages;
  for (size_t i = 0; i < parts.size(); ++i) {
    pages.push_back({groups[i].heading, CollectReport(parts[i])});
    if (amend) amend(&pages.back().data.table);
  }
  if (pages.size() == 1) {
    WriteReport(pages.front().data, html);
  } else {
    WriteReportOfSeveral(pages, html);
  }
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
}

}  // namespace

int PrintTableAndReport(const std::vector<std::filesystem::path>& paths,
                        const std::filesystem::path& html,
                        const std::function<void(ComparisonTable*)>& amend) {
  // One damaged bundle does not hide the others.
  std::vector<Bundle> bundles;
  bool all_opened = true;  // and measured
  for (const std::filesystem::path& path : paths) {
    try {
      bundles.push_back(Bundle::Open(path));
    } catch (const FileError& error) {
      if (paths.size() == 1) throw;
      PrintToStderr(fmt::format("pliant: {} is left out: {}\n", path.string(), error.what()));
      all_opened = false;
    }
  }
  if (bundles.empty()) throw BadInput({"", "no bundle can be read", "run the experiment again"});
  std::vector<const Bundle*> all;
  for (const Bundle& bundle : bundles) all.push_back(&bundle);
  const std::vector<SceneGroup> groups = GroupByScene(all);
  std::vector<std::vector<Bundle>> parts;
  for (const SceneGroup& group : groups) {
    std::vector<const Bundle*> runs;
    for (const size_t member : group.members) runs.push_back(all[member]);
    const std::vector<size_t> order = OrderOfRuns(runs);
    parts.emplace_back();
    for (const size_t run : order) parts.back().push_back(std::move(bundles[group.members[run]]));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts.size() > 1) fmt::print("{}:\n", groups[i].heading);
    ComparisonTable table = CompareBundles(parts[i], ReferenceAmong(parts[i]));
    PutFirst(ProbeFigureNames(parts[i].front().experiment().probes), &table);
    if (amend) amend(&table);
    if (std::string note = ContactForceNote(parts[i], table); !note.empty())
      table.notes.push_back(std::move(note));
    fmt::print("{}\n", TableText(table));
    all_opened = all_opened && table.problems.empty();
  }
  WriteReportOf(groups, parts, html, amend);
  return all_opened ? kDone : kRunFailed;
}

bool IsSearch(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kSearchFile);
}

void WriteReportOfSearch([[maybe_unused]] const std::filesystem::path& folder,
                         const std::filesystem::path& html) {
#ifdef PLIANT_QT
  WriteSearchReport(folder, html);
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
}

}  // namespace pliant
