// Code shared by the commands that run something: the request, the outcome in words, and the
// results of compare and report, which are the summary table on stdout and the report beside the
// bundles.

#ifndef PLIANT_APP_CLI_OUTPUT_H_
#define PLIANT_APP_CLI_OUTPUT_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/comparison_table.h"

namespace pliant {

// All changes of the command line, the seed among them.
std::vector<std::string> OverridesOf(const RunRequest& request);

// Says on stderr where an experiment has no distances because its reference was not chosen.
void WarnOfNoDistances(const RunRequest& request, const Experiment& experiment);

// Says on stderr, where `free` is another name than `name`, that what is in the folder of that name under `request.out`
// stays; `mend` are the options that would use it. Returns `free`.
std::string AnnounceName(const RunRequest& request, const std::string& name,
                         const std::string& free,
                         const std::string& mend = "--overwrite replaces them");

// The outcome in words: its kind and its reason, or only the reason where that names the kind
// ("diverged at step 6: …"); then the constraints that are violated at the end.
std::string OutcomeText(const RunOutcome& outcome);

// Prints the table, indented by two spaces, with aligned columns.
void PrintTable(const FindingTable& table);

// The same as a table of Markdown, without its title and remark.
void PrintMarkdown(const FindingTable& table);
// Throws BadInput unless it is text, csv or markdown.
void RequireTableFormat(const std::string& format);

// Completed without reservation: every step converged, and no constraint is open at the end.
bool IsClean(const RunOutcome& outcome);

// The exit status: kDone if every run completed. A backend that refuses the scene does not count as
// a failure, unless no backend ran at all. `strict`: kDone only if every run is clean and none is refused.
int StatusOf(const std::vector<BackendRun>& runs, bool strict);

// Says on stderr how many runs ended how, and the exit status, which it returns: StatusOf(), unless `otherwise`, of what
// else was asked for, is a failure. `elsewhere`: the folder of the runs, where it is not the one of their name.
int FinishRuns(const std::vector<BackendRun>& runs, bool strict, int otherwise = kDone,
               const std::filesystem::path& elsewhere = {});

// The folder of a renamed experiment; empty where `name` is still what it was `before`.
std::filesystem::path ElsewhereIf(const RunRequest& request, const std::string& before,
                                  const std::string& name);

// Prints the table of these bundles and writes their report to `html` (where the program is built
// with Qt); `amend` may add to the table. Returns kDone, or kRunFailed when something that was asked for could not be measured.
int PrintTableAndReport(const std::vector<std::filesystem::path>& bundles,
                        const std::filesystem::path& html,
                        const std::function<void(ComparisonTable*)>& amend = {});

// Whether `folder` is a result of optimize.
bool IsSearch(const std::filesystem::path& folder);

// Writes the report of a search (where the program is built with Qt).
void WriteReportOfSearch(const std::filesystem::path& folder, const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_OUTPUT_H_
