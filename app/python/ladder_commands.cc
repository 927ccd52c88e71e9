// The commands that say what holds at any step and in any frame, because they run a scene again, on ladders of finer runs
// or written down otherwise: refine, verify, its --invariance, yardstick, and the limits beside the figures of compare.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "app/python/commands.h"
#include "app/python/loaded_experiment.h"
#include "app/python/watched_work.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/claimed_experiment.h"
#include "experiments/claims/invariance.h"
#include "experiments/refinement/ladder_choice.h"
#include "experiments/refinement/refinement.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/yardstick/yardstick.h"

namespace pliant {
namespace py = pybind11;
namespace {

using Labels = std::vector<std::string>;
using Folder = std::filesystem::path;

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

}  // namespace

void BindLadderCommands(py::module_& m) {
  py::class_<LadderChoice>(m, "LadderChoice", "What is said of a ladder instead of [refine].")
      .def(py::init([](std::vector<std::string> axes, bool joint, std::optional<int> levels,
                       std::optional<int> coarser, std::optional<double> ratio) {
             return LadderChoice{std::move(axes), joint, levels, coarser, ratio};
           }),
           py::arg("axes"), py::arg("joint"), py::arg("levels"), py::arg("coarser"),
           py::arg("ratio"));
  const py::class_<Refinement> limits(m, "Limits",
                                      "What the ladder of [refine] says of each figure.");
  m.def("limits", &LimitsTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("listener"));
  m.def("refine", &RefineTo, py::arg("experiment"), py::arg("backends"), py::arg("out"),
        py::arg("choice"), py::arg("jobs"), py::arg("listener"));
  m.def("verify", &VerifyTo, py::arg("experiment"), py::arg("out"), py::arg("choice"),
        py::arg("quick"), py::arg("jobs"), py::arg("listener"));
  m.def("yardstick", &MakeAYardstick, py::arg("experiment"), py::arg("out"), py::arg("jobs"),
        py::arg("listener"));
  m.def("invariance", &InvarianceOf, py::arg("experiment"), py::arg("backends"), py::arg("shortly"),
        py::arg("listener"));
}

}  // namespace pliant
