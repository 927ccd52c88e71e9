// The commands of the program and their options.

#ifndef PLIANT_APP_CLI_COMMAND_LINE_H_
#define PLIANT_APP_CLI_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

namespace pliant {

// What a command line asks for, once CLI::App::parse() has read it.
struct CommandLine {
  std::function<int()> chosen;  // returns the exit status; null where no command is given
  std::filesystem::path file;   // that it reads: its mistakes come first
};

// All of them. `line` outlives `app`.
void AddCommands(CLI::App* app, CommandLine* line);

// Those that read an experiment, and those that read what runs left.
void AddExperimentCommands(CLI::App* app, CommandLine* line);
void AddResultCommands(CLI::App* app, CommandLine* line);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_COMMAND_LINE_H_
