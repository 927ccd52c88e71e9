// figure: the figures of the sources, drawn from the experiments that reproduce them.

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/figures/figure_table.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/sweep_table.h"
#ifdef PLIANT_QT
#include "app/report/source_figure.h"
#endif

namespace pliant {
namespace {

#ifdef PLIANT_QT

int Threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// Runs what the picture needs, unless this program has run it before, and draws it.
class FigureMaker {
 public:
  FigureMaker(const SourceFigure& figure, std::filesystem::path out, std::stop_token stop,
              Progress* progress)
      : figure_(figure),
        picture_(*figure.picture),
        file_(ExperimentNamed(*figure.experiment)),
        folder_(out),
        // Another experiment than the file has runs of its own.
        out_(picture_.set.empty() ? out : out / figure.name),
        stop_(std::move(stop)),
        progress_(progress) {}

  // The pictures; empty after a stop.
  std::vector<std::filesystem::path> Make() {
    const Experiment experiment = ReadExperiment(file_, picture_.set);
    RequireFigure(figure_, experiment);
    if (!picture_.search.empty()) {
      Search(experiment);
    } else if (!picture_.sweep.empty() || !picture_.points.empty()) {
      SweepPoints(experiment);
    } else {
      RunFile(experiment);
    }
    if (stop_.stop_requested()) return {};
    return DrawSourceFigure(figure_, std::move(runs_), folder_ / "figures");
  }

 private:
  void RunFile(Experiment experiment) {
    KeepBackends(&experiment, picture_.of);
    Sweep file{experiment, {{"file", {}, experiment}}, Backends()};
    Open(Run(file));
  }

  void SweepPoints(const Experiment& experiment) {
    sweep_ = ReadSweep(file_, picture_.set, picture_.of);
    if (!picture_.points.empty()) KeepPoints(experiment);
    const std::vector<SweepRun> results = Run(sweep_);
    if (stop_.stop_requested()) return;
    if (!picture_.points.empty()) {
      Open(results);
      for (const SweepRun& run : results) runs_.names.push_back(sweep_.points[run.point].name);
      return;
    }
    table_ = CollectSweep(sweep_, results);
    runs_.sweep = &sweep_;
    runs_.table = &table_;
  }

  void KeepPoints(const Experiment& experiment) {
    std::vector<SweepPoint> kept;
    std::vector<std::string> names;
    for (const SweepPoint& point : sweep_.points) names.push_back(point.name);
    for (const std::string& wanted : picture_.points) {
      const auto found = std::ranges::find(names, wanted);
      if (found == names.end())
        FailAt(figure_.place,
               "the sweep of '" + experiment.name + "' has no point '" + wanted + "'",
               DidYouMean(wanted, names));
      kept.push_back(sweep_.points[static_cast<size_t>(found - names.begin())]);
    }
    sweep_.points = std::move(kept);
  }

  void Search(const Experiment& experiment) {
    const SearchPlan plan = ReadSearchPlan(experiment);
    SearchesHooks hooks;
    hooks.stop = stop_;
    const double total =
        static_cast<double>(plan.trials) * static_cast<double>(plan.searches.size());
    double done = 0.0;
    hooks.on_trial = [&](size_t, const Trial&) { progress_->Update(++done / total); };
    // Trials are the same on every machine, but a search of another program must not be taken for one of this.
    const SearchesResult result = RunSearches(plan, out_, Threads(), false, hooks);
    if (stop_.stop_requested()) return;
    runs_.search = result.folder;
    runs_.bundles.push_back(Bundle::Open(result.folder / "best", Backends()));
  }

  std::vector<SweepRun> Run(const Sweep& sweep) {
    RequireTranslatable(sweep);
    SweepHooks hooks;
    hooks.stop = stop_;
    hooks.on_progress = [this](double fraction) { progress_->Update(fraction); };
    return RunSweep(sweep, out_, {Threads(), true, true}, hooks);
  }

  void Open(const std::vector<SweepRun>& results) {
    if (stop_.stop_requested()) return;
    for (const SweepRun& run : results)
      runs_.bundles.push_back(Bundle::Open(run.run.bundle, Backends()));
  }

  const SourceFigure& figure_;
  const FigurePicture& picture_;
  const std::filesystem::path file_, folder_, out_;
  const std::stop_token stop_;
  Progress* const progress_;
  Sweep sweep_;
  SweepTable table_;
  FigureRuns runs_;
};

#endif

void PrintFigure(const SourceFigure& figure) {
  fmt::print("{}, {}: {}\n  {}{}\n", figure.name, figure.number, figure.shows,
             ToString(figure.verdict), figure.why.empty() ? "" : ": " + figure.why);
  if (!figure.experiment) return;
  fmt::print("  experiment: {}\n", *figure.experiment);
  for (const std::string& claim : figure.claims) fmt::print("  claim: {}\n", claim);
}

}  // namespace

int FigureCommand(const std::vector<std::string>& names, bool all,
                  [[maybe_unused]] const std::filesystem::path& out) {
  const std::vector<FigureSource> sources = ReadFigureSources(Home() / "data" / "figures");
  std::vector<const SourceFigure*> asked;
  for (const std::string& name : names) asked.push_back(&FindFigure(sources, name));
  for (const FigureSource& source : sources) {
    for (const SourceFigure& figure : source.figures) {
      if (all && figure.picture) asked.push_back(&figure);
    }
  }
  if (asked.empty()) {
    throw BadInput({"", "no figure is named", "name one of `pliant list figures`, or give --all"});
  }
  for (const SourceFigure* figure : asked) {
    PrintFigure(*figure);
    if (!figure->picture) continue;
#ifdef PLIANT_QT
    const InterruptWatch interrupt;
    Progress progress(1);
    progress.Begin(figure->name);
    const auto pictures = FigureMaker(*figure, out, interrupt.token(), &progress).Make();
    progress.End(interrupt.token().stop_requested() ? "stopped" : "drawn");
    if (interrupt.token().stop_requested()) return kRunFailed;
    for (const std::filesystem::path& picture : pictures)
      fmt::print("  picture: {}\n", picture.string());
#else
    fmt::print("  no picture: a build without Qt draws none\n");
#endif
    std::fflush(stdout);
  }
  return kDone;
}

}  // namespace pliant
