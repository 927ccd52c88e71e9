// Options that several commands share, and what a command line keeps of a command that is given.
#ifndef PLIANT_APP_CLI_COMMAND_LINE_OPTIONS_H_
#define PLIANT_APP_CLI_COMMAND_LINE_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"

namespace pliant {

// --set and --unset.
void AddChangeOptions(CLI::App* command, std::vector<std::string>* overrides);
// FILE, changes of it, --seed and --out.
void AddFileOptions(CLI::App* command, RunRequest* request);
// Those, and --backend.
void AddRunOptions(CLI::App* command, RunRequest* request);
void AddOverwrite(CLI::App* command, RunRequest* request);
void AddOnly(CLI::App* command, std::vector<std::string>* only);
void AddStrict(CLI::App* command, RunRequest* request);
void AddJobs(CLI::App* command, std::optional<int>* jobs);
// The ladder of `refine` and `verify`, and --jobs.
void AddLadderOptions(CLI::App* command, RefineRequest* request);

// What a command was asked for lives as long as the functions that refer to it.
template <typename Choice>
std::shared_ptr<Choice> Kept(Choice choice = {}) {
  return std::make_shared<Choice>(std::move(choice));
}

// When `command` is given, `carry_out` is what was chosen; its mistakes are told in the order of `file`, if it has one.
template <typename CarryOut>
void Choose(CLI::App* command, CommandLine* line, CarryOut carry_out,
            std::shared_ptr<RunRequest> of_file = nullptr) {
  command->callback([=] {
    line->chosen = carry_out;
    if (of_file != nullptr) line->file = of_file->file;
  });
}

}  // namespace pliant

#endif  // PLIANT_APP_CLI_COMMAND_LINE_OPTIONS_H_
