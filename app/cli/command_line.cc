#include "app/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "experiments/files/overrides.h"

namespace pliant {
namespace {

// All changes of values come before all removals.
void AddChangeOptions(CLI::App* command, std::vector<std::string>* overrides) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [overrides](const std::vector<std::string>& changes) {
            overrides->insert(overrides->end(), changes.begin(), changes.end());
          },
          "override a value: run.step=0.001, scene.nail[0].from=1; a table adds to what is there")
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

void AddOnly(CLI::App* command, std::vector<std::string>* only) {
  command
      ->add_option("--only", *only,
                   "show only figures whose name contains this (may be repeated): --only contact")
      ->type_name("TEXT");
}

void AddStrict(CLI::App* command, RunRequest* request) {
  command->add_flag(
      "--strict", request->strict,
      "exit status 1 also where a backend refuses the scene, a step did not converge or "
      "a constraint is left open");
}

void AddJobs(CLI::App* command, std::optional<int>* jobs) {
  command->add_option("--jobs", *jobs, "runs at a time; default: as many as the machine has")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
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
  AddJobs(command, &request->jobs);
}

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

void AddCompare(CLI::App* app, CommandLine* line) {
  const auto run = Kept<RunRequest>();
  const auto refined = Kept(false);
  CLI::App* compare = app->add_subcommand(
      "compare", "run every backend of an experiment, print a table, write a report");
  AddRunOptions(compare, run.get());
  AddOverwrite(compare, run.get());
  AddStrict(compare, run.get());
  AddOnly(compare, &run->only);
  compare->add_flag("--refined", *refined,
                    "also run the ladder of [refine], and put the limit of each number beside it");
  Choose(
      compare, line, [=] { return CompareCommand(*run, *refined); }, run);
}

void AddRun(CLI::App* app, CommandLine* line) {
  struct Statics {
    bool asked = false;
    int load_steps = 10;
  };
  const auto run = Kept<RunRequest>();
  const auto statics = Kept<Statics>();
  CLI::App* command = app->add_subcommand("run", "run an experiment and leave run bundles");
  AddRunOptions(command, run.get());
  AddOverwrite(command, run.get());
  AddStrict(command, run.get());
  CLI::Option* flag =
      command->add_flag("--static", statics->asked,
                        "no motion: equilibria of finite-elements while the loads rise to "
                        "their full size at the end of the run, one recorded per load step");
  command->add_option("--load-steps", statics->load_steps, "with --static")
      ->needs(flag)
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  const auto carry_out = [=] {
    if (statics->asked) run->load_steps = statics->load_steps;
    return RunCommand(*run);
  };
  Choose(command, line, carry_out, run);
}

void AddOptimize(CLI::App* app, CommandLine* line) {
  const auto request = Kept<OptimizeRequest>();
  CLI::App* optimize = app->add_subcommand(
      "optimize", "search the numbers that a file's [optimize] table names for a better motion");
  AddFileOptions(optimize, &request->run);
  AddOverwrite(optimize, &request->run);
  optimize
      ->add_option("--method", request->methods,
                   "search by this method only, with its parameters in the file (may be repeated)")
      ->type_name("NAME");
  optimize->add_option("--threads", request->threads, "default: as many as the machine has")
      ->check(CLI::Range(1, 1024));
  optimize->add_flag("--resume", request->resume,
                     "go on where the search of this name was stopped");
  Choose(optimize, line, [=] { return OptimizeCommand(*request); });
}

void AddSweep(CLI::App* app, CommandLine* line) {
  struct Choice {
    int jobs = 1;
    bool resume = false;
  };
  const auto run = Kept<RunRequest>();
  const auto choice = Kept<Choice>();
  CLI::App* sweep = app->add_subcommand(
      "sweep", "run every point of the [sweep] of an experiment, gather a table and a report");
  AddRunOptions(sweep, run.get());
  AddOverwrite(sweep, run.get());
  AddStrict(sweep, run.get());
  sweep->add_option("--jobs", choice->jobs, "runs at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  sweep->add_flag("--resume", choice->resume, "keep whole bundles of points that have not changed");
  Choose(
      sweep, line, [=] { return SweepCommand(*run, choice->jobs, choice->resume); }, run);
}

// Rungs stand beside the runs of other commands.
std::shared_ptr<RefineRequest> Refined() {
  const auto request = Kept<RefineRequest>();
  request->run.out = "runs/refined";
  return request;
}

void AddRefine(CLI::App* app, CommandLine* line) {
  const auto request = Refined();
  CLI::App* refine = app->add_subcommand(
      "refine",
      "run an experiment at finer and finer steps; limits, orders and bands of its figures");
  AddRunOptions(refine, &request->run);
  AddLadderOptions(refine, request.get());
  AddOnly(refine, &request->run.only);
  Choose(refine, line, [=] { return RefineCommand(*request); });
}

void AddYardstick(CLI::App* app, CommandLine* line) {
  const auto run = Kept<RunRequest>();
  const auto jobs = Kept<std::optional<int>>();
  CLI::App* yardstick = app->add_subcommand(
      "yardstick", "find the converged solution of a scene by finite elements, with its error");
  AddFileOptions(yardstick, run.get());
  AddJobs(yardstick, jobs.get());
  Choose(
      yardstick, line, [=] { return YardstickCommand(*run, *jobs); }, run);
}

void AddVerify(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::vector<std::filesystem::path> files;
    bool all = false, quick = false, invariance = false, shortly = false;
  };
  const auto request = Refined();
  const auto choice = Kept<Choice>();
  CLI::App* verify = app->add_subcommand(
      "verify", "say of each [[claim]] of experiments whether it holds in the limit of refinement");
  verify->add_option("FILE", choice->files, "experiment files, or names of those that ship");
  verify->add_flag("--all", choice->all, "every experiment that ships");
  verify->add_flag("--quick", choice->quick, "only the claims that are marked quick, on two rungs");
  verify->add_flag("--invariance", choice->invariance,
                   "instead: whether the motion is the same where the scene is mirrored, rotated, "
                   "translated, renumbered, in other units, at another time, cut in two, recorded "
                   "half as often");
  verify->add_flag("--short", choice->shortly, "with --invariance: only the first few records");
  verify->add_option("--backend", request->run.backends, "with --invariance: only this backend")
      ->type_name("NAME");
  AddChangeOptions(verify, &request->run.overrides);
  verify->add_option("--out", request->run.out, "folder for the ladders")->capture_default_str();
  AddLadderOptions(verify, request.get());
  Choose(verify, line, [=] {
    return choice->invariance
               ? InvarianceCommand(choice->files, choice->all, choice->shortly, request->run)
               : VerifyCommand(choice->files, choice->all, choice->quick, *request);
  });
}

void AddFigure(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::vector<std::string> names;
    bool all = false;
    std::filesystem::path out = "runs/figures";
  };
  const auto choice = Kept<Choice>();
  CLI::App* figure = app->add_subcommand(
      "figure", "draw a figure of a source paper from the experiment that reproduces it");
  figure->add_option("NAME", choice->names, "figures, as `pliant list figures` names them");
  figure->add_flag("--all", choice->all, "every figure that has a picture");
  figure->add_option("--out", choice->out, "folder for the runs and pictures")
      ->capture_default_str();
  Choose(figure, line, [=] { return FigureCommand(choice->names, choice->all, choice->out); });
}

void AddScript(CLI::App* app, CommandLine* line) {
  const auto run = Kept<RunRequest>();
  const auto toml = Kept<std::filesystem::path>();
  CLI::App* script = app->add_subcommand(
      "script", "run a script in the command language of Faloutsos 1995, see docs/script.md");
  script->add_option("FILE", run->file, "script")->required();
  script->add_option("--write", *toml, "also write the experiment it becomes");
  script->add_option("--out", run->out, "folder for the run bundle")->capture_default_str();
  AddOverwrite(script, run.get());
  AddStrict(script, run.get());
  Choose(
      script, line, [=] { return ScriptCommand(*run, *toml); }, run);
}

void AddCheck(CLI::App* app, CommandLine* line) {
  const auto run = Kept<RunRequest>();
  const auto json = Kept(false);
  CLI::App* check = app->add_subcommand(
      "check",
      "validate an experiment or a scene, report every mistake, "
      "print the translation record of each backend and an estimate of its cost; writes nothing");
  check->add_option("FILE", run->file, "experiment file, or the name of one that ships; or a scene")
      ->required();
  AddChangeOptions(check, &run->overrides);
  check
      ->add_option("--backend", run->backends,
                   "check only this backend, and no search (may be repeated)")
      ->type_name("NAME");
  check
      ->add_option("--out", run->out,
                   "folder of the runs, where a yardstick that is kept is looked for")
      ->capture_default_str();
  check->add_flag("--json", *json, "print mistakes and the record as JSON, for editors");
  Choose(
      check, line, [=] { return CheckCommand(*run, *json); }, run);
}

void AddList(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::string what, name;
    bool markdown = false;
  };
  const auto choice = Kept<Choice>();
  CLI::App* list = app->add_subcommand("list", "what there is");
  list->add_option(
          "WHAT", choice->what,
          "backends, elements (what each formulation makes of them), scenes, meshes, experiments, "
          "figures, metrics, parameters, or schema: the format of "
          "files as JSON Schema, for editors")
      ->required();
  list->add_option("NAME", choice->name, "one of them");
  list->add_flag("--markdown", choice->markdown,
                 "parameters: the whole reference of experiment files; figures: the page of the "
                 "figures; elements: docs/elements.md");
  Choose(list, line, [=] { return ListCommand(choice->what, choice->name, choice->markdown); });
}

void AddNew(CLI::App* app, CommandLine* line) {
  const auto file = Kept<std::filesystem::path>();
  const auto first = Kept<FirstChoice>();
  CLI::App* command = app->add_subcommand(
      "new", "write a first experiment, commented and ready to run; without options it asks");
  command->add_option("FILE", *file, "the file to write: first.toml")->required();
  command->add_option("--shape", first->shape, "block, rigid-block, sheet or chain")
      ->capture_default_str();
  command->add_option("--held", first->held, "nothing, one-side or both-sides")
      ->capture_default_str();
  command->add_option("--below", first->below, "nothing, floor or ball")->capture_default_str();
  Choose(command, line, [=] {
    const bool is_chosen =
        command->count("--shape") + command->count("--held") + command->count("--below") > 0;
    return NewCommand(*file, *first, is_chosen);
  });
}

void AddExplain(CLI::App* app, CommandLine* line) {
  const auto words = Kept<std::vector<std::string>>();
  CLI::App* explain = app->add_subcommand(
      "explain", "what the manual says of a key, a quantity, a word or a message");
  explain
      ->add_option("TEXT", *words, "contact_stiffness, made_energy_J, \"gained energy\", a message")
      ->required();
  Choose(explain, line, [=] { return ExplainCommand(fmt::format("{}", fmt::join(*words, " "))); });
}

void AddCompletion(CLI::App* app, CommandLine* line) {
  const auto shell = Kept<std::string>();
  CLI::App* completion = app->add_subcommand(
      "completion", "print the script by which a shell completes commands and options");
  completion->add_option("SHELL", *shell, "bash or zsh")->required();
  Choose(completion, line, [=] { return CompletionCommand(*app, *shell); });
}

void AddReproduce(CLI::App* app, CommandLine* line) {
  const auto bundle = Kept<std::filesystem::path>();
  CLI::App* reproduce = app->add_subcommand(
      "reproduce", "run a bundle again: identical, within tolerance, or different");
  reproduce->add_option("BUNDLE", *bundle, "folder of a run")->required();
  Choose(reproduce, line, [=] { return ReproduceCommand(*bundle); });
}

void AddReport(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::vector<std::filesystem::path> folders;
    std::filesystem::path out;
    std::vector<std::string> only;
  };
  const auto choice = Kept<Choice>();
  CLI::App* report = app->add_subcommand("report", "write the report of run bundles again");
  report->add_option("DIR", choice->folders, "bundles, or folders of bundles")->required();
  report->add_option("--out", choice->out, "the HTML file (default: report.html in the first DIR)");
  AddOnly(report, &choice->only);
  Choose(report, line, [=] { return ReportCommand(choice->folders, choice->out, choice->only); });
}

void AddJudge(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::vector<std::filesystem::path> runs, by;
    std::string format = "text";
  };
  const auto choice = Kept<Choice>();
  CLI::App* judge = app->add_subcommand(
      "judge", "the cost of every motion by the [optimize] tables of experiments, side by side");
  judge->add_option("RUNS", choice->runs, "bundles, or folders of bundles and searches")
      ->required();
  judge
      ->add_option("--by", choice->by,
                   "experiment with an [optimize] table, or the name of one that ships (may be "
                   "repeated)")
      ->type_name("FILE")
      ->required();
  judge->add_option("--format", choice->format, "text, csv or markdown")->capture_default_str();
  Choose(judge, line, [=] { return JudgeCommand(choice->runs, choice->by, choice->format); });
}

void AddProfile(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::vector<std::filesystem::path> folders;
    double tolerance = 0.1;
    std::string format = "text";
    std::filesystem::path out;
  };
  const auto choice = Kept<Choice>();
  CLI::App* profile = app->add_subcommand(
      "profile", "search methods over several problems: success, performance and data profiles");
  profile
      ->add_option("SEARCHES", choice->folders,
                   "folders that optimize left, each of one problem, or folders of them")
      ->required();
  profile
      ->add_option("--tolerance", choice->tolerance,
                   "share of the way from the cost of the start to the least that any search found "
                   "which a solved search may lack")
      ->capture_default_str();
  profile->add_option("--format", choice->format, "text, csv or markdown")->capture_default_str();
  profile->add_option("--out", choice->out,
                      "also write figures and tables as this HTML file, figures/ beside it");
  Choose(profile, line, [=] {
    return ProfileCommand(choice->folders, choice->tolerance, choice->format, choice->out);
  });
}

void AddExport(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::filesystem::path bundle, out;
    std::string format;
    bool motion_only = false;
  };
  const auto choice = Kept<Choice>();
  CLI::App* command =
      app->add_subcommand("export", "write the frames of a bundle for other programs");
  command->add_option("BUNDLE", choice->bundle, "folder of a run")->required();
  command->add_option("--format", choice->format, "vtk, xdmf, obj or csv")->required();
  command->add_option("--out", choice->out, "folder to write to (default: BUNDLE-<format>)");
  command->add_flag("--motion-only", choice->motion_only,
                    "neither forces nor elements of the method, for which vtk and xdmf make "
                    "the steps of the run again");
  Choose(command, line, [=] {
    return ExportCommand(choice->bundle, choice->format, choice->out, !choice->motion_only);
  });
}

void AddInspect(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::filesystem::path bundle, out;
    std::optional<double> time;
  };
  const auto choice = Kept<Choice>();
  CLI::App* inspect = app->add_subcommand(
      "inspect", "print the matrices and vectors of a formulation at a recorded time of a run");
  inspect->add_option("BUNDLE", choice->bundle, "folder of a run")->required();
  inspect->add_option("--time", choice->time, "the nearest recorded time [s] (default: the last)")
      ->type_name("T");
  inspect
      ->add_option("--out", choice->out,
                   "also write them to this file: HDF5, or text where its name ends with .txt")
      ->type_name("FILE");
  Choose(inspect, line, [=] { return InspectCommand(choice->bundle, choice->time, choice->out); });
}

void AddWorkbench(CLI::App* app, CommandLine* line) {
  const auto path = Kept<std::filesystem::path>();
  CLI::App* workbench =
      app->add_subcommand("workbench", "every backend side by side on one clock, in a window");
  workbench->add_option("PATH", *path, "experiment, scene, bundle or folder of bundles");
  Choose(workbench, line, [=] { return WorkbenchCommand(*path); });
}

}  // namespace

void AddCommands(CLI::App* app, CommandLine* line) {
  for (const auto add :
       {AddCompare,   AddRun,    AddOptimize, AddSweep,   AddRefine, AddYardstick, AddVerify,
        AddFigure,    AddScript, AddCheck,    AddList,    AddNew,    AddExplain,   AddCompletion,
        AddReproduce, AddReport, AddJudge,    AddProfile, AddExport, AddInspect,   AddWorkbench}) {
    add(app, line);
  }
}

}  // namespace pliant
