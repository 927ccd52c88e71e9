// The commands of `pliant`. Each returns an exit status: 0 done, 1 a run diverged or failed, 2 bad
// usage or a bad file (thrown as FileError or BadInput), 3 could not write (StorageError).

#ifndef PLIANT_APP_CLI_COMMANDS_H_
#define PLIANT_APP_CLI_COMMANDS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/manual/first_experiment.h"
#include "experiments/refinement/ladder_choice.h"

namespace CLI {
class App;
}

namespace pliant {

inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kCouldNotWrite = 3;

struct RunRequest {
  std::filesystem::path file;
  std::vector<std::string> backends;   // labels; all when empty
  std::vector<std::string> overrides;  // key=value, or Removal()
  std::optional<std::uint64_t> seed;
  std::filesystem::path out = "runs";
  bool overwrite = false;  // runs of the name that would be lost; else these get another name
  bool strict = false;     // only runs without any reservation are status 0
  std::vector<std::string> only;  // parts of the names of figures that tables show; all when empty
  std::optional<int> load_steps;  // equilibria of finite elements in so many load steps, no motion
};

// Runs the backends of an experiment; `compare` adds the table and the report; `refined` also the limit of
// each number under refinement and its band.
int RunCommand(const RunRequest& request);
int CompareCommand(const RunRequest& request, bool refined);

struct OptimizeRequest {
  RunRequest run;  // `backends` has no meaning: the file says which one is searched
  std::vector<std::string> methods;  // labels or names of methods; those of the file when empty
  std::optional<int> threads;        // as many as the machine has when absent
  bool resume = false;
};

// Searches the numbers that the [optimize] table of an experiment names; Ctrl-C keeps the best.
int OptimizeCommand(const OptimizeRequest& request);

// Runs every point of the [sweep] of an experiment, `jobs` runs at a time; leaves sweep.csv and a
// report beside the folders of the points. `resume` keeps whole bundles of unchanged points.
int SweepCommand(const RunRequest& request, int jobs, bool resume);

struct RefineRequest {
  RunRequest run;
  LadderChoice ladder;
  std::optional<int> jobs;  // as many as the machine has when absent
};

// Runs an experiment on ladders of finer runs and prints the limit of each headline figure with its band;
// leaves JSON and a report beside the rungs. Runs that this program has made before are kept.
int RefineCommand(const RefineRequest& request);

// Refines the finite elements of an experiment's scene until they are converged and keeps them under
// `out`/yardsticks; kRunFailed when they cannot be settled or solve another scene.
int YardstickCommand(const RunRequest& request, std::optional<int> jobs);

// Says of each [[claim]] of the files (of all that ship: `all`) whether it holds in the limit; kRunFailed
// when one does not. `quick`: only claims marked quick, on two rungs.
int VerifyCommand(const std::vector<std::filesystem::path>& files, bool all, bool quick,
                  const RefineRequest& request);

// Says of each backend of the files whether it gives the same motion of its scene mirrored, rotated,
// translated, renumbered, cut in two and recorded half as often; kRunFailed when one does not.
// `shortly`: of the first few records only.
int InvarianceCommand(const std::vector<std::filesystem::path>& files, bool all, bool shortly,
                      const RunRequest& request);

// Runs the experiments of these figures of the sources (data/figures; `all`: of every one that has a picture) and
// draws them into `out`/figures. Runs that this program has made before are kept.
int FigureCommand(const std::vector<std::string>& names, bool all,
                  const std::filesystem::path& out);

// Runs a script in the command language of [Faloutsos 1995, App. C]; writes the experiment it
// became to the file `write`, unless that is empty.
int ScriptCommand(const RunRequest& request, const std::filesystem::path& write);

// Validates an experiment, of it the requested backends alone, or a scene file; throws all mistakes at once. Prints what
// each backend would do with each element of the scene; with `json` the record, or the mistakes, as one JSON object on stdout.
int CheckCommand(const RunRequest& request, bool json);

// Lists backends, scenes, experiments, figures, metrics or parameters, or prints the schema of experiments (of scenes
// where `name` is "scene"); `name` restricts the list, for
// example to the parameters of one backend or to the files of one folder. `markdown` prints the
// whole reference of experiment files, or the page of the figures.
int ListCommand(const std::string& what, const std::string& name, bool markdown);

// Writes a first experiment to `file`, and the mode table that it needs beside it; asks for the choice when not `chosen` and a
// person answers. Nothing is overwritten.
int NewCommand(const std::filesystem::path& file, FirstChoice choice, bool chosen);

// Prints what docs/ says of a key, a recorded quantity, a word or a message; throws BadInput when it says nothing.
int ExplainCommand(const std::string& text);

// Prints the script by which `shell` (bash or zsh) completes the commands and options of `app`.
int CompletionCommand(const CLI::App& app, const std::string& shell);

// Opens the desktop program with an experiment, a scene, a bundle or a folder of bundles; with
// nothing when `open` is empty.
int WorkbenchCommand(const std::filesystem::path& open);

int ReproduceCommand(const std::filesystem::path& bundle);
int ReportCommand(const std::vector<std::filesystem::path>& folders,
                  const std::filesystem::path& out, const std::vector<std::string>& only);

// Judges every run bundle at or below `runs` by the cost of each file's [optimize] table; `format` is text, csv or
// markdown. kRunFailed when a cost needs what a motion lacks.
int JudgeCommand(const std::vector<std::filesystem::path>& runs,
                 const std::vector<std::filesystem::path>& by, const std::string& format);
// Prints performance and data profiles of the methods of several searches, at or directly below `folders`; `tolerance`: τ of
// experiments/searches/profiles.h; formats as above. Writes them as a page to `out` where it is not empty.
int ProfileCommand(const std::vector<std::filesystem::path>& folders, double tolerance,
                   const std::string& format, const std::filesystem::path& out);
int ExportCommand(const std::filesystem::path& bundle, const std::string& format,
                  const std::filesystem::path& out, bool again);

// Prints the arrays of the formulation at the recorded time nearest to `time` (the last one when
// absent); with `out` it also writes them there, as HDF5.
int InspectCommand(const std::filesystem::path& bundle, std::optional<double> time,
                   const std::filesystem::path& out);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_COMMANDS_H_
