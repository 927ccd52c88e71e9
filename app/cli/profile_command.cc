// profile: search methods over several problems.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/searches/profiles.h"
#include "experiments/searches/run_searches.h"
#include "models/problem.h"
#ifdef PLIANT_QT
#include "app/report/profile_report.h"
#endif

namespace pliant {
namespace {

// The search at `folder` or below it, or those of the folders in it, in the order of their names.
std::vector<std::filesystem::path> SearchesAt(const std::filesystem::path& folder) {
  if (IsSearch(folder)) return {folder};
  if (IsSearch(folder / kSearchFolder)) return {folder / kSearchFolder};
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (IsSearch(entry.path() / kSearchFolder)) found.push_back(entry.path() / kSearchFolder);
  }
  std::ranges::sort(found);
  if (found.empty()) {
    throw BadInput({"", fmt::format("no search at or below {}", folder.string()),
                    "give the folder that optimize printed"});
  }
  return found;
}

std::vector<SearchedProblem> ProblemsAt(const std::vector<std::filesystem::path>& folders) {
  std::vector<SearchedProblem> problems;
  for (const std::filesystem::path& folder : folders) {
    for (const std::filesystem::path& search : SearchesAt(folder)) {
      SearchRecord record = ReadSearchRecord(search);
      std::string name = record.experiment;
      if (std::ranges::find(problems, name, &SearchedProblem::name) != problems.end()) {
        name = search.string();  // two of one name are told apart by their folders
      }
      problems.push_back({std::move(name), std::move(record)});
    }
  }
  return problems;
}

void WriteReport([[maybe_unused]] const Profiles& profiles, const std::filesystem::path& html) {
#ifdef PLIANT_QT
  WriteProfileReport(profiles, html);
  PrintToStderr(fmt::format("report: {}\n", html.string()));
#else
  PrintToStderr(fmt::format("no report: {} is not written by a build without Qt\n", html.string()));
#endif
}

}  // namespace

int ProfileCommand(const std::vector<std::filesystem::path>& folders, double tolerance,
                   const std::string& format, const std::filesystem::path& out) {
  RequireTableFormat(format);
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw BadInput({"", fmt::format("--tolerance must be between 0 and 1, not {}", tolerance),
                    "0.1 is a tenth of the way from the start to the least cost"});
  }
  const Profiles profiles = ProfilesOf(ProblemsAt(folders), tolerance);
  if (format == "csv") fmt::print("{}", CsvOfProfiles(profiles));
  const std::vector<FindingTable> tables = TablesOfProfiles(profiles);
  for (size_t i = 0; i < tables.size() && format != "csv"; ++i) {
    if (i > 0) fmt::print("\n");
    if (format == "text") {
      PrintTable(tables[i]);
    } else {
      fmt::print("**{}**\n\n", tables[i].title);
      PrintMarkdown(tables[i]);
    }
  }
  std::fflush(stdout);
  for (const std::string& remark : profiles.remarks) PrintToStderr("pliant: " + remark + "\n");
  if (!out.empty()) WriteReport(profiles, out);
  return kDone;
}

}  // namespace pliant
