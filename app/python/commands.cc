// What the commands of the program do, as functions: the same functions of the rooms in the same order, so that the
// same files are left. What a command prints is returned.

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <thread>

#include "app/python/commands.h"
#include "app/python/loaded_experiment.h"
#include "app/python/values.h"
#include "app/python/watched_work.h"
#include "experiments/bundles/export.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/files/static_experiment.h"
#include "experiments/refinement/ladder_choice.h"
#include "experiments/refinement/refinement.h"
#include "experiments/searches/motion_table.h"
#include "experiments/searches/resumed_search.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/sunk_motions.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep_name.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {
namespace py = pybind11;

int JobsOf(const std::optional<int>& jobs) {
  if (jobs && *jobs < 1) throw BadInput({"jobs", "jobs is below 1", "use 1 or more"});
  return jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

SweepHooks HooksOf(WorkReports& reports, const std::stop_token& stop) {
  SweepHooks hooks;
  hooks.stop = stop;
  hooks.on_progress = [&reports](double fraction) { reports.Progress(fraction); };
  return hooks;
}

namespace {

using Labels = std::vector<std::string>;
using Folder = std::filesystem::path;

py::dict ToPython(const BackendRun& run) {
  py::dict one;
  one["label"] = run.label;
  one["outcome"] = std::string(ToString(run.outcome.kind));
  one["reason"] = run.outcome.reason;
  one["unmet"] = UnmetInWords(run.outcome);
  one["sunk"] = SunkInWords(run.outcome);
  one["bundle"] = run.bundle.string();
  one["warnings"] = run.warnings;
  return one;
}

// Says where the runs go instead, where `free` is another name than `name`.
void AnnounceName(WorkReports& reports, const Folder& out, const std::string& name,
                  const std::string& free, const std::string& mend) {
  if (free != name) reports.Say(OtherRunsStay(out, name, free, mend));
}

py::dict RunTo(const LoadedExperiment& loaded, const Labels& backends, const Folder& out,
               const std::optional<int>& load_steps, bool overwrite, const py::object& listener) {
  Experiment experiment = load_steps
                              ? ReadStaticExperiment(loaded.file, loaded.overrides, *load_steps)
                              : loaded.Keeping(backends);
  const auto runs = RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
    if (!overwrite) {
      const std::string free = NameForRuns(experiment, out);
      AnnounceName(reports, out, experiment.name, free, "overwrite=True replaces them");
      experiment.name = free;
    }
    ComparisonHooks hooks;
    hooks.stop = stop;
    hooks.on_begin = [&](const std::string& label, const std::vector<std::string>& warnings) {
      reports.Begin(label);
      for (const std::string& warning : warnings) reports.Say("warning: " + warning);
    };
    hooks.on_progress = [&](const std::string&, double fraction, double) {
      reports.Progress(fraction);
    };
    hooks.on_end = [&](const BackendRun& run) {
      for (const SimulationEvent& event : run.outcome.events)
        reports.Say(fmt::format("at {:.6g} s: {}", event.time, event.what));
      if (const std::string sunk = SunkInWords(run.outcome); !sunk.empty())
        reports.Say("warning: " + sunk);
      reports.End(run.outcome.reason.empty() ? std::string(ToString(run.outcome.kind))
                                             : run.outcome.reason);
    };
    return RunComparison(experiment, out, hooks);
  });
  py::list list;
  for (const BackendRun& run : runs) list.append(ToPython(run));
  py::dict dict;
  dict["runs"] = list;
  dict["folder"] = (out / experiment.name).string();
  return dict;
}

py::dict ToPython(const ComparisonTable& table) {
  py::list columns, rows;
  for (const SeriesColumn& column : table.columns)
    columns.append(py::make_tuple(column.name, column.unit, column.meaning));
  for (const ComparisonRow& row : table.rows) {
    py::list values;
    for (const std::optional<double>& value : row.values) values.append(pliant::ToPython(value));
    py::dict one;
    one["label"] = row.label;
    one["backend"] = row.backend;
    one["outcome"] = std::string(ToString(row.outcome.kind));
    one["bundle"] = row.bundle.string();
    one["values"] = values;
    rows.append(one);
  }
  py::dict dict;
  dict["columns"] = columns;
  dict["rows"] = rows;
  dict["problems"] = table.problems;
  dict["text"] = TableText(table);
  dict["csv"] = TableCsv(table);
  return dict;
}

std::vector<Bundle> OpenAll(const std::vector<Folder>& folders) {
  std::vector<Bundle> bundles;
  for (const Folder& folder : folders) bundles.push_back(Bundle::Open(folder));
  return bundles;
}

py::dict Table(const std::vector<Folder>& folders, const Refinement* limits) {
  std::optional<ComparisonTable> table;
  {
    const py::gil_scoped_release release;
    const std::vector<Bundle> bundles = OpenAll(folders);
    table = CompareBundles(bundles, ReferenceAmong(bundles));
    if (limits != nullptr) AddLimits(*limits, &*table);
  }
  return ToPython(*table);
}

py::dict SweepTo(const LoadedExperiment& loaded, const Labels& backends, const Folder& out,
                 int jobs, bool resume, bool overwrite, const py::object& listener) {
  Sweep sweep = ReadSweep(loaded.file, loaded.overrides, backends);
  RequireTranslatable(sweep);
  const SweepOptions options{JobsOf(jobs), resume};
  Folder folder;
  const auto [runs, table] =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        if (resume) {
          Rename(NameForResumedSweep(sweep, out), &sweep);
        } else if (!overwrite) {
          const std::string free = NameForSweep(sweep, out);
          AnnounceName(reports, out, sweep.base.name, free,
                       "resume=True keeps those that have not changed and replaces the others, "
                       "overwrite=True replaces all");
          Rename(free, &sweep);
        }
        folder = out / sweep.base.name;
        for (const std::string& note : sweep.notes) reports.Say("note: " + note);
        for (const std::string& warning : WarningsOf(sweep)) reports.Say("warning: " + warning);
        reports.Begin(fmt::format("{}, {} runs", sweep.base.name,
                                  sweep.points.size() * sweep.base.backends.size()));
        SweepHooks hooks = HooksOf(reports, stop);
        OutcomeCounts outcomes;
        hooks.on_end = [&](const SweepRun& run) {
          outcomes.Add(run);
          if (run.run.outcome.kind == OutcomeKind::kCompleted) return;
          reports.Say(fmt::format("{} {}: {} {}", sweep.points[run.point].name, run.run.label,
                                  ToString(run.run.outcome.kind), run.run.outcome.reason));
        };
        std::vector<SweepRun> made = RunSweep(sweep, out, options, hooks);
        SweepTable collected = CollectSweep(sweep, made);  // after a stop too
        CreateFolder(folder);
        WriteFile(folder / kSweepFile, SweepCsv(sweep, collected));
        reports.End(outcomes.Text());
        return std::make_pair(std::move(made), std::move(collected));
      });
  py::list list;
  for (const SweepRun& run : runs) {
    py::dict one = ToPython(run.run);
    one["point"] = sweep.points[run.point].name;
    one["kept"] = run.kept;
    list.append(one);
  }
  py::dict dict;
  dict["folder"] = folder.string();
  dict["csv"] = (folder / kSweepFile).string();
  dict["runs"] = list;
  dict["problems"] = table.table.problems;
  dict["shares"] = BehaviourShares(sweep, table);
  dict["warnings"] = WarningsOf(sweep);
  return dict;
}

// What would use the search that is in the way of a new one.
const char* WaysToUse(const SearchPlan& plan, const Folder& out) {
  return HasSearchToResume(plan, out)
             ? "resume=True goes on with the search that is there, overwrite=True replaces it"
             : "it is another search, with which resume=True cannot go on; overwrite=True "
               "replaces it";
}

py::dict OptimizeTo(const LoadedExperiment& loaded, const Folder& out,
                    const std::optional<int>& threads, bool resume, bool overwrite,
                    const py::object& listener) {
  SearchPlan plan = ReadSearchPlan(*loaded.experiment);
  const int workers = JobsOf(threads);
  const SearchesResult result =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        const auto total =
            static_cast<double>(plan.trials) * static_cast<double>(plan.searches.size());
        double done = 0.0;
        if (resume) {
          plan.experiment.name = NameForResumedSearch(plan, out);
        } else if (!overwrite) {
          std::string& name = plan.experiment.name;
          const std::string free = NameForNewSearch(name, out);
          AnnounceName(reports, out, name, free, WaysToUse(plan, out));
          name = free;
        }
        SearchesHooks hooks;
        hooks.stop = stop;
        hooks.on_past = [&](const std::vector<SearchHistory>& past) { done += TrialsIn(past); };
        hooks.on_trial = [&](size_t, const Trial&) { reports.Progress(++done / total); };
        reports.Begin(plan.experiment.name);
        for (const std::string& warning : plan.warnings) reports.Say("warning: " + warning);
        SearchesResult made = RunSearches(plan, out, workers, resume, hooks);
        if (!made.folder.empty()) {
          const SearchRecord record = ReadSearchRecord(made.folder);
          for (const std::string& warning :
               WarningsOfSunkMotions(record, OpenMotions(record, made.folder)))
            reports.Say("warning: " + warning);
        }
        reports.End(std::string(ToString(made.outcome)));
        return made;
      });
  py::dict dict;
  dict["outcome"] = std::string(ToString(result.outcome));
  dict["folder"] = result.folder.string();
  if (!result.folder.empty()) {
    const SearchRecord record = ReadSearchRecord(result.folder);
    dict["motions"] = ToPython(TableOfMotions(record, OpenMotions(record, result.folder)));
  }
  return dict;
}

py::dict ReproduceBundle(const Folder& folder, const py::object& listener) {
  const Bundle bundle = Bundle::Open(folder);
  const auto reproduction =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        RunHooks hooks;
        hooks.stop = stop;
        hooks.on_step = [&](double time, double duration) { reports.Progress(time / duration); };
        reports.Begin(bundle.label());
        auto made = Reproduce(bundle, hooks);
        reports.End(made ? made->words.substr(0, made->words.find('\n')) : "stopped");
        return made;
      });
  py::dict dict;
  constexpr const char* kVerdicts[] = {"identical", "within tolerance", "different"};
  dict["verdict"] = kVerdicts[static_cast<size_t>(reproduction->verdict)];
  dict["words"] = reproduction->words;
  return dict;
}

}  // namespace

void BindCommands(py::module_& m) {
  m.def("run", &RunTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("load_steps"), py::arg("overwrite"), py::arg("listener"));
  m.def("table", &Table, py::arg("bundles"), py::arg("limits"));
  m.def("sweep", &SweepTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("jobs"), py::arg("resume"), py::arg("overwrite"), py::arg("listener"));
  m.def("optimize", &OptimizeTo, py::arg("experiment"), py::arg("out"), py::arg("threads"),
        py::arg("resume"), py::arg("overwrite"), py::arg("listener"));
  m.def("reproduce", &ReproduceBundle, py::arg("bundle"), py::arg("listener"));
  m.def(
      "export",
      [](const Folder& bundle, const std::string& format, const Folder& out) {
        const py::gil_scoped_release release;
        return ExportBundle(Bundle::Open(bundle), format, out).file.string();
      },
      py::arg("bundle"), py::arg("format"), py::arg("out"));
}

}  // namespace pliant
