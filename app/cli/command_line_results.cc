#include "app/cli/command_line.h"
#include "app/cli/command_line_options.h"
#include "app/cli/commands.h"

namespace pliant {
namespace {

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

void AddResultCommands(CLI::App* app, CommandLine* line) {
  for (const auto add :
       {AddReproduce, AddReport, AddJudge, AddProfile, AddExport, AddInspect, AddWorkbench}) {
    add(app, line);
  }
}

}  // namespace pliant
