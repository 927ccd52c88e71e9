#include "app/cli/command_line.h"
#include "app/cli/command_line_options.h"
#include "app/cli/commands.h"

namespace pliant {
namespace {

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
}  // namespace

void AddExperimentCommands(CLI::App* app, CommandLine* line) {
  for (const auto add : {AddCompare, AddRun, AddOptimize, AddSweep, AddRefine, AddYardstick,
                         AddVerify, AddFigure, AddScript, AddCheck}) {
    add(app, line);
  }
}

}  // namespace pliant
