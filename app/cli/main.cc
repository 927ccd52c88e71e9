// Reads the command line, hands over to one command, turns what it throws into an exit status.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/progress.h"
#include "experiments/bundles/bundle.h"
#include "experiments/files/data_file.h"
#include "experiments/files/experiment.h"
#include "models/near_word.h"
#include "models/problem.h"

namespace pliant {
namespace {

// A standard stream that the parent process has closed leaves its number to the next file that is
// opened: what is meant for stderr would go into a bundle. A folder cannot be written to.
void ReserveStandardDescriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/", O_RDONLY);
  }
}

int Fail(int status, const std::string& message) {
  PrintToStderr(message + "\n");
  return status;
}

// `status`, unless what was printed has not arrived, as on a full disk.
int Finish(int status) {
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (arrived) return status;
  return Fail(kCouldNotWrite,
              fmt::format("pliant: cannot write to stdout: {}", std::strerror(errno)));
}

// Allocations beyond it fail. Returns whether the system takes the limit.
bool LimitMemory(rlim_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

// "4000", "4000M", "4G", "4GB", "4GiB"; of 1024 as the limit that the system takes.
int MegabytesOf(const std::string& text) {
  constexpr double kMost = 1e8;  // MB
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(error == std::errc() ? end : text.data());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const double factor = unit.empty() || unit == "M" || unit == "MB" || unit == "MIB" ? 1.0
                        : unit == "G" || unit == "GB" || unit == "GIB"               ? 1024.0
                                                                                     : 0.0;
  const double megabytes = factor * number;
  if (megabytes >= 1.0 && megabytes <= kMost) return static_cast<int>(megabytes);
  throw CLI::ValidationError("--max-memory",
                             fmt::format("'{}' is no amount of memory; write MB, as "
                                         "4000, or 4G",
                                         text));
}

// CLI11 says "argument was not expected"; a user who mistyped a command wants to know which.
std::string UnknownCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string> of_launcher = {"test", "bench", "python"};
  if (std::find(of_launcher.begin(), of_launcher.end(), word) != of_launcher.end()) {
    return fmt::format("pliant: '{0}' is a command of the launcher; ./pliant {0} in the sources",
                       word);
  }
  names.insert(names.end(), of_launcher.begin(), of_launcher.end());
  return fmt::format("pliant: unknown command '{}'; {}", word, DidYouMean(word, names));
}

// "did you mean --set?" of the first option that the command does not have; else empty.
std::string NearestOption(const CLI::App& app) {
  const CLI::App& command = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : app.remaining(/*recurse=*/true)) {
    if (!word.starts_with("--")) continue;
    if (word.starts_with("--max-memory")) {
      return fmt::format("; --max-memory stands before the command: pliant --max-memory 4G {} …",
                         command.get_name());
    }
    const std::optional<std::string> nearest = NearestWord(word.substr(0, word.find('=')), names);
    if (nearest) return "; did you mean " + *nearest + "?";
  }
  return "";
}

int FailForMemory(const std::optional<int>& most_memory) {
  LimitMemory(RLIM_INFINITY);  // threads of the linear algebra wait for memory, also at the end
  return Fail(kRunFailed,
              fmt::format("pliant: not enough memory for this{}; use fewer points, records or "
                          "backends at once",
                          most_memory ? fmt::format(", more than {} MB", *most_memory) : ""));
}

// The status of a command that has ended by an exception.
int StatusOf(const CommandLine& line, const std::optional<int>& most_memory) {
  try {
    throw;
  } catch (const FileError& error) {
    return Fail(kBadUsage, TextOf(InOrder(error.mistakes(), line.file.string())));
  } catch (const BadInput& error) {
    return Fail(kBadUsage, fmt::format("pliant: {}", error.what()));
  } catch (const StorageError& error) {
    return Fail(kCouldNotWrite, fmt::format("pliant: {}", error.what()));
  } catch (const std::bad_alloc&) {
    return FailForMemory(most_memory);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return Finish(kCouldNotWrite);
    // A thread that the command cannot do without; the limit also counts its stack.
    const auto* of_system = dynamic_cast<const std::system_error*>(&error);
    const bool no_thread =
        of_system != nullptr && of_system->code() == std::errc::resource_unavailable_try_again;
    if (no_thread && most_memory) return FailForMemory(most_memory);
    return Fail(kRunFailed,
                fmt::format("pliant: {}{}", error.what(),
                            no_thread ? ": no thread can be started; end other programs, or raise "
                                        "the limits of memory and processes (ulimit -v, ulimit -u)"
                                      : ""));
  }
}

int Main(int argc, char** argv) {
  SetShippedData(Home() / "data");
  CLI::App app{
      "Pliant compares formulations of deformable models: one scene, described once, runs "
      "through interchangeable backends.",
      "pliant"};
  app.set_version_flag("--version", PLIANT_VERSION);
  app.footer(
      "test, bench and python are commands of the launcher ./pliant.\n"
      "Exit status: 0 done; 1 a run did not complete (its bundle says how); 2 bad usage or a bad "
      "file; 3 could "
      "not write.");
  app.require_subcommand(0, 1);
  std::optional<int> most_memory;
  app.add_option_function<std::string>(
         "--max-memory", [&](const std::string& text) { most_memory = MegabytesOf(text); },
         "MB of memory above which a command ends with a message, before the machine slows "
         "down; pliant --max-memory 4000 run …, or 4G")
      ->type_name("MB");
  CommandLine line;
  AddCommands(&app, &line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return Finish(app.exit(help));
  } catch (const CLI::CallForVersion& version) {
    return Finish(app.exit(version));
  } catch (const CLI::ExtrasError& error) {
    if (app.get_subcommands().empty() && argc > 1) {
      return Fail(kBadUsage, UnknownCommand(app, argv[1]));
    }
    return Fail(kBadUsage,
                fmt::format("pliant: {}{}; see pliant --help", error.what(), NearestOption(app)));
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
    return Fail(kBadUsage, fmt::format("pliant: {}; see pliant{} --help", error.what(), command));
  }
  if (!line.chosen) return Fail(kBadUsage, app.help());
  if (most_memory && !LimitMemory(static_cast<rlim_t>(*most_memory) << 20)) {
    return Fail(kRunFailed, "pliant: this system does not limit memory; leave --max-memory out");
  }
  try {
    return Finish(line.chosen());
  } catch (...) {
    return StatusOf(line, most_memory);
  }
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  pliant::ReserveStandardDescriptors();
  try {
    return pliant::Main(argc, argv);
  } catch (
      const std::bad_alloc&) {  // before there is a command, or where none is left for a message
    constexpr char kNoMemory[] = "pliant: not enough memory\n";
    return write(STDERR_FILENO, kNoMemory, sizeof kNoMemory - 1) < 0 ? pliant::kCouldNotWrite
                                                                     : pliant::kRunFailed;
  }
}
