#include "app/cli/command_line_options.h"

#include "experiments/files/overrides.h"

namespace pliant {

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
}  // namespace pliant
