// What the commands of the program do, as functions: the same functions of the rooms in the same order, so that the
// same files are left. What a command prints is returned.

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <thread>

#include "app/python/loaded_experiment.h"
#include "app/python/values.h"
#include "app/python/watched_work.h"
#include "experiments/bundles/export.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/claimed_experiment.h"
#include "experiments/claims/invariance.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/files/static_experiment.h"
#include "experiments/searches/motion_table.h"
#include "experiments/searches/resumed_search.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/sunk_motions.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep_name.h"
#include "experiments/sweeps/sweep_table.h"
#include "experiments/yardstick/yardstick.h"

namespace pliant {
namespace py = pybind11;
namespace {

using Labels = std::vector<std::string>;
using Folder = std::filesystem::path;

int JobsOf(const std::optional<int>& jobs) {
  if (jobs && *jobs < 1) throw BadInput({"jobs", "jobs is below 1", "use 1 or more"});
  return jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

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

SweepHooks HooksOf(WorkReports& reports, const std::stop_token& stop) {
  SweepHooks hooks;
  hooks.stop = stop;
  hooks.on_progress = [&reports](double fraction) { reports.Progress(fraction); };
  return hooks;
}

// Runs the first ladder of the file, whose limits `pliant compare --refined` puts beside the figures.
std::unique_ptr<Refinement> LimitsTo(const LoadedExperiment& loaded, const Labels& backends,
                                     const Folder& out, const py::object& listener) {
  const std::vector<Ladder> ladders = ReadLadders(loaded.file, loaded.overrides, backends);
  if (ladders.empty()) return nullptr;
  const int workers = JobsOf(std::nullopt);
  std::vector<Refinement> limits =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        reports.Begin("refined in " + ladders.front().axis);
        auto made = RunLadders({ladders.front()}, out, workers, HooksOf(reports, stop));
        reports.End("completed");
        return made;
      });
  return limits.empty() ? nullptr : std::make_unique<Refinement>(std::move(limits.front()));
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

py::dict RefineTo(const LoadedExperiment& loaded, const Labels& backends, const Folder& out,
                  const LadderChoice& choice, const std::optional<int>& jobs,
                  const py::object& listener) {
  const Experiment experiment = loaded.Keeping(backends);
  const std::vector<Ladder> ladders =
      ReadLadders(loaded.file, loaded.overrides, backends, PlanOf(experiment, choice));
  for (const Ladder& ladder : ladders) RequireTranslatable(ladder.rungs);
  const int workers = JobsOf(jobs);
  const auto refinements =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        reports.Begin(experiment.name);
        OutcomeCounts outcomes;
        SweepHooks hooks = HooksOf(reports, stop);
        hooks.on_end = [&outcomes](const SweepRun& run) { outcomes.Add(run); };
        std::vector<Refinement> made = RunLadders(ladders, out, workers, hooks);
        reports.End(outcomes.Text());
        return made;
      });
  py::dict axes;
  for (const Refinement& refinement : refinements) {
    const Folder json = out / experiment.name / ("refine-" + refinement.axis + ".json");
    const std::string text = RefinementJson(refinement, experiment.name);
    WriteFile(json, text);
    py::dict one;
    one["json"] = json.string();
    one["text"] = RefinementText(refinement);
    one["problems"] = refinement.problems;
    axes[py::str(refinement.axis)] = one;
  }
  return axes;
}

py::dict VerifyTo(const LoadedExperiment& loaded, const Folder& out, const LadderChoice& choice,
                  bool quick, const std::optional<int>& jobs, const py::object& listener) {
  const ClaimedExperiment claimed = ReadClaims(loaded.file, loaded.overrides, choice, quick);
  if (claimed.empty()) throw FileError(NoClaims(claimed.file, quick));
  const int workers = JobsOf(jobs);
  const Verification made =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        VerifyHooks hooks;
        hooks.stop = stop;
        hooks.on_part = [&](const std::string& what) { reports.Begin(what); };
        hooks.on_progress = [&](double fraction) { reports.Progress(fraction); };
        hooks.on_part_end = [&](const std::string& words) { reports.End(words); };
        return Verify(claimed, out, workers, hooks);
      });
  const std::vector<VerifiedClaim>& claims = made.claims;
  const Folder json = out / claimed.experiment.name / "claims.json";
  CreateFolder(json.parent_path());
  WriteFile(json, ClaimsJson(claims, claimed.experiment.name));
  py::dict dict;
  dict["json"] = json.string();
  dict["text"] = ClaimsText(claims);
  py::list verdicts;
  for (const VerifiedClaim& claim : claims)
    verdicts.append(py::make_tuple(claim.claim.text, std::string(ToString(claim.verdict))));
  dict["verdicts"] = verdicts;
  return dict;
}

py::dict ToPython(const Invariance& invariance) {
  py::list views;
  for (const SeenOtherwise& seen : invariance.views) {
    const bool is_seen = seen.sameness != Sameness::kNotSeen;
    const bool explained = seen.sameness == Sameness::kExplained;
    const auto if_explained = [explained](const auto& value) {
      return explained ? py::object(py::cast(value)) : py::object(py::none());
    };
    views.append(py::make_tuple(
        seen.view, std::string(ToString(seen.sameness)),
        is_seen ? py::cast(seen.distance) : py::none(), is_seen ? py::cast(seen.since) : py::none(),
        explained ? seen.cause.why : seen.why, if_explained(seen.cause.name),
        if_explained(seen.cause.otherwise), if_explained(seen.without)));
  }
  py::dict one;
  one["refused"] = invariance.refused;
  one["views"] = views;
  one["losses"] = invariance.losses;
  one["warnings"] = invariance.warnings;
  return one;
}

py::dict InvarianceOf(const LoadedExperiment& loaded, const Labels& backends, bool shortly,
                      const py::object& listener) {
  Experiment experiment = loaded.Keeping(backends);
  if (shortly) Shorten(&experiment.plan);
  const auto made = RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
    std::vector<Invariance> all;
    for (size_t i = 0; i < experiment.backends.size() && !stop.stop_requested(); ++i) {
      reports.Begin(experiment.name + " " + experiment.backends[i].label);
      all.push_back(CheckInvariance(experiment, i, stop,
                                    [&](double fraction) { reports.Progress(fraction); }));
      reports.End("checked");
    }
    return all;
  });
  py::dict dict;
  for (const Invariance& invariance : made) dict[py::str(invariance.label)] = ToPython(invariance);
  return dict;
}

py::dict MakeAYardstick(const LoadedExperiment& loaded, const Folder& out,
                        const std::optional<int>& jobs, const py::object& listener) {
  const int workers = JobsOf(jobs);
  const Yardstick made =
      RunWatched(listener, [&](WorkReports& reports, const std::stop_token& stop) {
        YardstickHooks hooks;
        hooks.stop = stop;
        hooks.on_ladder = [&](const std::string& words) { reports.Begin(words); };
        hooks.on_progress = [&](double fraction) { reports.Progress(fraction); };
        return MakeYardstick(*loaded.experiment, out / kYardsticksFolder, workers, hooks);
      });
  py::dict dict;
  dict["settled"] = made.settled;
  dict["spoiled"] = made.spoiled;
  dict["folder"] = made.folder.string();
  dict["text"] = YardstickText(made);
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
  py::class_<LadderChoice>(m, "LadderChoice", "What is said of a ladder instead of [refine].")
      .def(py::init([](std::vector<std::string> axes, bool joint, std::optional<int> levels,
                       std::optional<int> coarser, std::optional<double> ratio) {
             return LadderChoice{std::move(axes), joint, levels, coarser, ratio};
           }),
           py::arg("axes"), py::arg("joint"), py::arg("levels"), py::arg("coarser"),
           py::arg("ratio"));
  const py::class_<Refinement> limits(m, "Limits",
                                      "What the ladder of [refine] says of each figure.");
  m.def("run", &RunTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("load_steps"), py::arg("overwrite"), py::arg("listener"));
  m.def("limits", &LimitsTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("listener"));
  m.def("table", &Table, py::arg("bundles"), py::arg("limits"));
  m.def("sweep", &SweepTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("jobs"), py::arg("resume"), py::arg("overwrite"), py::arg("listener"));
  m.def("optimize", &OptimizeTo, py::arg("experiment"), py::arg("out"), py::arg("threads"),
        py::arg("resume"), py::arg("overwrite"), py::arg("listener"));
  m.def("refine", &RefineTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("choice"), py::arg("jobs"), py::arg("listener"));
  m.def("verify", &VerifyTo, py::arg("experiment"), py::arg("out"), py::arg("choice"),
        py::arg("quick"), py::arg("jobs"), py::arg("listener"));
  m.def("yardstick", &MakeAYardstick, py::arg("experiment"), py::arg("out"), py::arg("jobs"),
        py::arg("listener"));
  m.def("invariance", &InvarianceOf, py::arg("experiment"), py::arg("backends"), py::arg("shortly"),
        py::arg("listener"));
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
