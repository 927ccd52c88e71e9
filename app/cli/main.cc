// Reads the command line, hands over to one command, turns what it throws into an exit status.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"
#include "experiments/files/overrides.h"
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

// All changes of values come before all removals.
void AddChangeOptions(CLI::App* command, std::vector<std::string>* overrides) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [overrides](const std::vector<std::string>& changes) {
            overrides->insert(overrides->end(), changes.begin(), changes.end());
          },
          "override a value: run.step=0.001, scene.nail[0].from=1")
      ->type_name("KEY=VALUE");
  command
      ->add_option_function<std::vector<std::string>>(
          "--unset",
          [overrides](const std::vector<std::string>& keys) {
            for (const std::string& key : keys) overrides->push_back(Removal(key));
          },
          "remove a key or an element: scene.obstacle.ball")
      ->type_name("KEY");
}

void AddFileOptions(CLI::App* command, RunRequest* request) {
  command->add_option("FILE", request->file, "experiment file, or the name of one that ships")
      ->required();
  AddChangeOptions(command, &request->overrides);
  command->add_option("--seed", request->seed, "seed of everything that is random");
  command->add_option("--out", request->out, "folder for the run bundles")->capture_default_str();
}

void AddOverwrite(CLI::App* command, RunRequest* request) {
  command->add_flag("--overwrite", request->overwrite,
                    "replace other runs of this name; without it these get a name of their own");
}

void AddRunOptions(CLI::App* command, RunRequest* request) {
  AddFileOptions(command, request);
  command->add_option("--backend", request->backends, "run only this backend (may be repeated)")
      ->type_name("NAME");
}

void AddStrict(CLI::App* command, RunRequest* request) {
  command->add_flag(
      "--strict", request->strict,
      "exit status 1 also where a backend refuses the scene, a step did not converge or "
      "a constraint is left open");
}

void AddLadderOptions(CLI::App* command, RefineRequest* request) {
  command
      ->add_option(
          "--in", request->ladder.axes,
          "step, resolution, order, levels, tolerance or contact-stiffness (may be repeated)")
      ->type_name("AXIS");
  command->add_flag("--joint", request->ladder.joint, "refine along all axes at once");
  command->add_option("--levels", request->ladder.levels, "rungs of the ladder")
      ->type_name("N")
      ->check(CLI::Range(2, 32));
  command
      ->add_option("--coarser", request->ladder.coarser,
                   "how many of these rungs are coarser than the file")
      ->type_name("N")
      ->check(CLI::Range(0, 31));
  command->add_option("--ratio", request->ladder.ratio, "ratio of neighbouring rungs")
      ->check(CLI::Range(1.01, 100.0));
  command
      ->add_option("--jobs", request->jobs, "runs at a time; default: as many as the machine has")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
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

int Main(int argc, char** argv) {
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
  app.add_option("--max-memory", most_memory,
                 "MB of memory above which a command ends with a message, before the machine slows "
                 "down; pliant --max-memory 4000 run …")
      ->type_name("MB")
      ->check(CLI::Range(1, 100'000'000));
  std::function<int()> chosen;

  RunRequest run;
  CLI::App* compare =
      app.add_subcommand("compare",
                         "run every backend of an experiment, print a table, write a "
                         "report");
  AddRunOptions(compare, &run);
  AddOverwrite(compare, &run);
  AddStrict(compare, &run);
  bool refined = false;
  compare->add_flag("--refined", refined,
                    "also run the ladder of [refine], and put the limit of each number beside it");
  compare->callback([&] { chosen = [&] { return CompareCommand(run, refined); }; });
  CLI::App* run_command = app.add_subcommand("run", "run an experiment and leave run bundles");
  AddRunOptions(run_command, &run);
  AddOverwrite(run_command, &run);
  AddStrict(run_command, &run);
  bool statics = false;
  int load_steps = 10;
  CLI::Option* static_flag =
      run_command->add_flag("--static", statics,
                            "no motion: equilibria of finite-elements while the loads rise to "
                            "their full size at the end of the run, one recorded per load step");
  run_command->add_option("--load-steps", load_steps, "with --static")
      ->needs(static_flag)
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  run_command->callback([&] {
    if (statics) run.load_steps = load_steps;
    chosen = [&] { return RunCommand(run); };
  });

  OptimizeRequest optimize_request;
  CLI::App* optimize = app.add_subcommand(
      "optimize", "search the numbers that a file's [optimize] table names for a better motion");
  AddFileOptions(optimize, &optimize_request.run);
  AddOverwrite(optimize, &optimize_request.run);
  optimize->add_option("--threads", optimize_request.threads, "default: as many as the machine has")
      ->check(CLI::Range(1, 1024));
  optimize->add_flag("--resume", optimize_request.resume,
                     "go on where the search of this name was stopped");
  optimize->callback([&] { chosen = [&] { return OptimizeCommand(optimize_request); }; });

  int jobs = 1;
  bool resume = false;
  CLI::App* sweep = app.add_subcommand(
      "sweep", "run every point of the [sweep] of an experiment, gather a table and a report");
  AddRunOptions(sweep, &run);
  AddOverwrite(sweep, &run);
  AddStrict(sweep, &run);
  sweep->add_option("--jobs", jobs, "runs at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  sweep->add_flag("--resume", resume, "keep whole bundles of points that have not changed");
  sweep->callback([&] { chosen = [&] { return SweepCommand(run, jobs, resume); }; });

  RefineRequest refine_request;
  refine_request.run.out =
      "runs/refined";  // beside the runs of other commands, which are not rungs
  CLI::App* refine = app.add_subcommand(
      "refine",
      "run an experiment at finer and finer steps; limits, orders and bands of its figures");
  AddRunOptions(refine, &refine_request.run);
  AddLadderOptions(refine, &refine_request);
  refine->callback([&] { chosen = [&] { return RefineCommand(refine_request); }; });

  std::optional<int> yardstick_jobs;
  CLI::App* yardstick = app.add_subcommand(
      "yardstick", "find the converged solution of a scene by finite elements, with its error");
  AddFileOptions(yardstick, &run);
  yardstick
      ->add_option("--jobs", yardstick_jobs, "runs at a time; default: as many as the machine has")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  yardstick->callback([&] { chosen = [&] { return YardstickCommand(run, yardstick_jobs); }; });

  std::vector<std::filesystem::path> claimed;
  bool all = false, quick = false;
  CLI::App* verify = app.add_subcommand(
      "verify", "say of each [[claim]] of experiments whether it holds in the limit of refinement");
  verify->add_option("FILE", claimed, "experiment files, or names of those that ship");
  verify->add_flag("--all", all, "every experiment that ships");
  verify->add_flag("--quick", quick, "only the claims that are marked quick, on two rungs");
  bool invariance = false;
  verify->add_flag("--invariance", invariance,
                   "instead: whether the motion is the same where the scene is mirrored, rotated, "
                   "translated, renumbered, in other units, at another time, cut in two, recorded "
                   "half as often");
  bool shortly = false;
  verify->add_flag("--short", shortly, "with --invariance: only the first few records");
  verify
      ->add_option("--backend", refine_request.run.backends, "with --invariance: only this backend")
      ->type_name("NAME");
  AddChangeOptions(verify, &refine_request.run.overrides);
  verify->add_option("--out", refine_request.run.out, "folder for the ladders")
      ->capture_default_str();
  AddLadderOptions(verify, &refine_request);
  verify->callback([&] {
    chosen = [&] {
      return invariance ? InvarianceCommand(claimed, all, shortly, refine_request.run)
                        : VerifyCommand(claimed, all, quick, refine_request);
    };
  });

  std::vector<std::string> figures;
  bool all_figures = false;
  std::filesystem::path figure_out = "runs/figures";
  CLI::App* figure = app.add_subcommand(
      "figure", "draw a figure of a source paper from the experiment that reproduces it");
  figure->add_option("NAME", figures, "figures, as `pliant list figures` names them");
  figure->add_flag("--all", all_figures, "every figure that has a picture");
  figure->add_option("--out", figure_out, "folder for the runs and pictures")
      ->capture_default_str();
  figure->callback(
      [&] { chosen = [&] { return FigureCommand(figures, all_figures, figure_out); }; });

  std::filesystem::path script_toml;
  CLI::App* script = app.add_subcommand(
      "script", "run a script in the command language of Faloutsos 1995, see docs/script.md");
  script->add_option("FILE", run.file, "script")->required();
  script->add_option("--write", script_toml, "also write the experiment it becomes");
  script->add_option("--out", run.out, "folder for the run bundle")->capture_default_str();
  AddOverwrite(script, &run);
  AddStrict(script, &run);
  script->callback([&] { chosen = [&] { return ScriptCommand(run, script_toml); }; });

  CLI::App* check = app.add_subcommand(
      "check",
      "validate an experiment or a scene, report every mistake, "
      "print the translation record of each backend and an estimate of its cost; writes nothing");
  check->add_option("FILE", run.file, "experiment file, or the name of one that ships; or a scene")
      ->required();
  AddChangeOptions(check, &run.overrides);
  bool check_json = false;
  check->add_flag("--json", check_json, "print mistakes and the record as JSON, for editors");
  check->callback(
      [&] { chosen = [&] { return CheckCommand(run.file, run.overrides, check_json); }; });

  std::string what, name;
  bool markdown = false;
  CLI::App* list = app.add_subcommand("list", "what there is");
  list->add_option(
          "WHAT", what,
          "backends, scenes, experiments, figures, metrics, parameters, or schema: the format of "
          "files as JSON Schema, for editors")
      ->required();
  list->add_option("NAME", name, "one of them");
  list->add_flag(
      "--markdown", markdown,
      "parameters: the whole reference of experiment files; figures: the page of the figures");
  list->callback([&] { chosen = [&] { return ListCommand(what, name, markdown); }; });

  std::filesystem::path first_file;
  FirstChoice first;
  CLI::App* new_command = app.add_subcommand(
      "new", "write a first experiment, commented and ready to run; without options it asks");
  new_command->add_option("FILE", first_file, "the file to write: first.toml")->required();
  new_command->add_option("--shape", first.shape, "block, sheet or chain")->capture_default_str();
  new_command->add_option("--held", first.held, "nothing, one-side or both-sides")
      ->capture_default_str();
  new_command->add_option("--below", first.below, "nothing, floor or ball")->capture_default_str();
  new_command->callback([&] {
    const bool is_chosen = new_command->count("--shape") + new_command->count("--held") +
                               new_command->count("--below") >
                           0;
    chosen = [&, is_chosen] { return NewCommand(first_file, first, is_chosen); };
  });

  std::vector<std::string> words;
  CLI::App* explain = app.add_subcommand(
      "explain", "what the manual says of a key, a quantity, a word or a message");
  explain
      ->add_option("TEXT", words, "contact_stiffness, made_energy_J, \"gained energy\", a message")
      ->required();
  explain->callback(
      [&] { chosen = [&] { return ExplainCommand(fmt::format("{}", fmt::join(words, " "))); }; });

  std::string shell;
  CLI::App* completion = app.add_subcommand(
      "completion", "print the script by which a shell completes commands and options");
  completion->add_option("SHELL", shell, "bash or zsh")->required();
  completion->callback([&] { chosen = [&] { return CompletionCommand(app, shell); }; });

  std::filesystem::path bundle;
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "run a bundle again: identical, within tolerance, or different");
  reproduce->add_option("BUNDLE", bundle, "folder of a run")->required();
  reproduce->callback([&] { chosen = [&] { return ReproduceCommand(bundle); }; });

  std::vector<std::filesystem::path> folders;
  std::filesystem::path report_out;
  CLI::App* report = app.add_subcommand("report", "write the report of run bundles again");
  report->add_option("DIR", folders, "bundles, or folders of bundles")->required();
  report->add_option("--out", report_out, "the HTML file (default: report.html in the first DIR)");
  report->callback([&] { chosen = [&] { return ReportCommand(folders, report_out); }; });

  std::string format;
  std::filesystem::path export_out;
  bool motion_only = false;
  CLI::App* export_command =
      app.add_subcommand("export", "write the frames of a bundle for other programs");
  export_command->add_option("BUNDLE", bundle, "folder of a run")->required();
  export_command->add_option("--format", format, "vtk, xdmf, obj or csv")->required();
  export_command->add_option("--out", export_out, "folder to write to (default: BUNDLE-<format>)");
  export_command->add_flag("--motion-only", motion_only,
                           "neither forces nor elements of the method, for which vtk and xdmf make "
                           "the steps of the run again");
  export_command->callback(
      [&] { chosen = [&] { return ExportCommand(bundle, format, export_out, !motion_only); }; });

  std::optional<double> inspect_time;
  std::filesystem::path inspect_out;
  CLI::App* inspect = app.add_subcommand(
      "inspect", "print the matrices and vectors of a formulation at a recorded time of a run");
  inspect->add_option("BUNDLE", bundle, "folder of a run")->required();
  inspect->add_option("--time", inspect_time, "the nearest recorded time [s] (default: the last)")
      ->type_name("T");
  inspect
      ->add_option("--out", inspect_out,
                   "also write them to this file: HDF5, or text where its name ends with .txt")
      ->type_name("FILE");
  inspect->callback(
      [&] { chosen = [&] { return InspectCommand(bundle, inspect_time, inspect_out); }; });

  CLI::App* workbench =
      app.add_subcommand("workbench", "every backend side by side on one clock, in a window");
  workbench->add_option("PATH", bundle, "experiment, scene, bundle or folder of bundles");
  workbench->callback([&] { chosen = [&] { return WorkbenchCommand(bundle); }; });

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
    return Fail(kBadUsage, fmt::format("pliant: {}; see pliant --help", error.what()));
  } catch (const CLI::ParseError& error) {
    return Fail(kBadUsage, fmt::format("pliant: {}; see pliant --help", error.what()));
  }
  if (!chosen) return Fail(kBadUsage, app.help());
  if (most_memory && !LimitMemory(static_cast<rlim_t>(*most_memory) << 20)) {
    return Fail(kRunFailed, "pliant: this system does not limit memory; leave --max-memory out");
  }
  try {
    return Finish(chosen());
  } catch (const FileError& error) {
    return Fail(kBadUsage, TextOf(InOrder(error.mistakes(), run.file.string())));
  } catch (const BadInput& error) {
    return Fail(kBadUsage, fmt::format("pliant: {}", error.what()));
  } catch (const StorageError& error) {
    return Fail(kCouldNotWrite, fmt::format("pliant: {}", error.what()));
  } catch (const std::bad_alloc&) {
    LimitMemory(RLIM_INFINITY);  // threads of the linear algebra wait for memory, also at the end
    return Fail(kRunFailed,
                fmt::format("pliant: not enough memory for this{}; use fewer points, records or "
                            "backends at once",
                            most_memory ? fmt::format(", more than {} MB", *most_memory) : ""));
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return Finish(kCouldNotWrite);
    return Fail(kRunFailed, fmt::format("pliant: {}", error.what()));
  }
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  pliant::ReserveStandardDescriptors();
  return pliant::Main(argc, argv);
}
