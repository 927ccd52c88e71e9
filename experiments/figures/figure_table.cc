#include "experiments/figures/figure_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/files/experiment_document.h"
#include "experiments/files/keys.h"
#include "experiments/files/sweep_plan.h"
#include "experiments/runs/run.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

const std::vector<std::string>& CurvesOfSearch() {
  static const std::vector<std::string> names = {"cost", "best-cost", "motion"};
  return names;
}

void RequireKnown(const std::string& name, const std::vector<std::string>& known,
                  const std::string& what, const FilePlace& place) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  FailAt(place, what + " '" + name + "'", DidYouMean(name, known));
}

void RequireColumns(const SourceFigure& figure, const Experiment& experiment) {
  std::vector<std::string> columns;
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    for (const SeriesColumn& column : ColumnsOf(experiment, index)) columns.push_back(column.name);
  }
  for (const std::string& name : figure.picture->curves)
    RequireKnown(name, columns, "no backend of '" + experiment.name + "' records", figure.place);
  if (figure.picture->against)
    RequireKnown(*figure.picture->against, columns,
                 "no backend of '" + experiment.name + "' records", figure.place);
}

void RequireFrames(const SourceFigure& figure, const Experiment& experiment) {
  for (const double time : figure.picture->frames) {
    const double records = time / experiment.plan.record_every;
    if (std::abs(records - std::round(records)) <= 1e-6 && time >= 0.0 &&
        time <= experiment.plan.duration * (1.0 + 1e-9))
      continue;
    FailAt(figure.place, "'" + experiment.name + "' has no record at " + Digits(time) + " s",
           "records are " + Digits(experiment.plan.record_every) + " s apart, until " +
               Digits(experiment.plan.duration) + " s");
  }
}

void RequireSweep(const SourceFigure& figure, const Experiment& experiment) {
  const bool needs = !figure.picture->sweep.empty() || !figure.picture->points.empty();
  if (!needs) return;
  if (experiment.sweep == nullptr)
    FailAt(figure.place, "'" + experiment.name + "' has no [sweep]", "draw frames or curves of it");
  std::vector<std::string> drawn;
  for (const SweepCurve& curve : experiment.sweep->curves) drawn.push_back(curve.figure);
  for (const std::string& name : figure.picture->sweep)
    RequireKnown(name, drawn, "the sweep of '" + experiment.name + "' does not draw", figure.place);
}

}  // namespace

EnumWords<FigureVerdict> WordsOf(FigureVerdict) {
  return {{"reproduced", FigureVerdict::kReproduced},
          {"in spirit", FigureVerdict::kInSpirit},
          {"contradicted", FigureVerdict::kContradicted},
          {"not possible", FigureVerdict::kNotPossible}};
}

void Bind(KeyBinder& b, FigurePicture& picture) {
  b.Title("picture");
  b.Optional("frames", &picture.frames, "s", "times of key frames");
  b.Optional("of", &picture.of, "1", "labels of the backends shown; default: all");
  b.Optional("across", &picture.across, "1",
             "frames beside each other; default: a row for each backend");
  b.Default("ghosts", &picture.ghosts, "1", "draw the frames over each other");
  b.Optional("points", &picture.points, "1",
             "points of the sweep, by their names, with a frame of each");
  b.Optional("curves", &picture.curves, "1", "columns of series.csv, a panel each");
  b.Optional("against", &picture.against, "1", "column on the x axis; default: the time");
  b.Optional("from", &picture.from, "s", "begin of the curves");
  b.Optional("until", &picture.until, "s", "end of the curves");
  b.Optional("sweep", &picture.sweep, "1", "figures of the curves of the sweep");
  b.Default("omitted", &picture.omitted, "1", "last points of the sweep that are not drawn");
  b.Optional("search", &picture.search, "1",
             "of the search: \"cost\", \"best-cost\" or \"motion\", the best motion at `frames`");
  b.Optional("set", &picture.set, "1", "overrides of the experiment, as for --set");
  if (!b.reads()) return;
  const bool of_motion = std::ranges::find(picture.search, "motion") != picture.search.end();
  if (!of_motion) {
    b.ExactlyOne({"frames", "curves", "sweep", "search"}, "the picture",
                 "say what is drawn: frames = [0, 0.5]");
  } else if (picture.frames.empty()) {
    b.Fail("search", "no time of the motion is given", "frames = [0, 0.5]");
  }
  for (const std::string& curve : picture.search)
    RequireKnown(curve, CurvesOfSearch(), "a search has no picture", b.PlaceOf("search"));
  if (picture.across && *picture.across < 1) b.Fail("across", "'across' must be at least 1");
  if (picture.omitted < 0) b.Fail("omitted", "'omitted' must not be negative");
}

void Bind(KeyBinder& b, SourceFigure& figure) {
  b.Title("[[figure]]");
  b.Required("name", &figure.name, "1", "name of the figure for the command");
  b.Required("number", &figure.number, "1", "number of the figure in the source");
  b.Required("shows", &figure.shows, "1", "the behaviour that it shows");
  b.Required("verdict", &figure.verdict, "1", "whether it is reproduced");
  b.Optional("why", &figure.why, "1", "why it is not simply reproduced");
  b.Optional("experiment", &figure.experiment, "1", "name of the experiment");
  b.Optional("claims", &figure.claims, "1", "texts of the claims that carry it");
  b.Optional("picture", &figure.picture, "1", "what is drawn");
  if (!b.reads()) return;
  figure.place = b.PlaceOf("name");
  const bool possible = figure.verdict != FigureVerdict::kNotPossible;
  if (figure.verdict != FigureVerdict::kReproduced && figure.why.empty())
    b.Fail("verdict", "'" + figure.name + "' does not say why", "add why = \"…\"");
  if (possible && !figure.experiment)
    b.Fail("name", "'" + figure.name + "' names no experiment", "experiment = \"…\"");
  if (possible && figure.claims.empty())
    b.Fail("name", "'" + figure.name + "' names no claim", "claims = [\"…\"]");
  if (possible && !figure.picture)
    b.Fail("name", "'" + figure.name + "' has no picture", "picture = {frames = […]}");
  if (!possible && figure.experiment)
    b.Fail("experiment", "'" + figure.name + "' is not possible, but has an experiment",
           "say in spirit, or remove it");
}

void Bind(KeyBinder& b, FigureSource& source) {
  b.Title("the table of figures");
  b.Required("title", &source.title, "1", "the source, as in the bibliography");
  b.Required("figure", &source.figures, "", "its figures");
}

std::string_view ToString(FigureVerdict verdict) {
  switch (verdict) {
    case FigureVerdict::kReproduced:
      return "reproduced";
    case FigureVerdict::kInSpirit:
      return "reproduced in spirit";
    case FigureVerdict::kContradicted:
      return "contradicted";
    case FigureVerdict::kNotPossible:
      return "not possible";
  }
  return "";
}

FigureSource ReadFigureSource(const std::filesystem::path& file) {
  FileValue table = ReadToml(file);
  return ReadKeys<FigureSource>(&table);
}

std::vector<FigureSource> ReadFigureSources(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<FigureSource> sources;
  std::set<std::string> names;
  for (const std::filesystem::path& file : files) {
    sources.push_back(ReadFigureSource(file));
    for (const SourceFigure& figure : sources.back().figures) {
      if (!names.insert(figure.name).second)
        FailAt(figure.place, "there are two figures '" + figure.name + "'", "rename one");
    }
  }
  return sources;
}

const SourceFigure& FindFigure(const std::vector<FigureSource>& sources, const std::string& name) {
  std::vector<std::string> names;
  for (const FigureSource& source : sources) {
    for (const SourceFigure& figure : source.figures) {
      if (figure.name == name) return figure;
      names.push_back(figure.name);
    }
  }
  throw BadInput({"", "there is no figure '" + name + "'", DidYouMean(name, names)});
}

void RequireFigure(const SourceFigure& figure, const Experiment& experiment) {
  const std::vector<std::string> labels = LabelsOf(experiment);
  std::vector<std::string> texts;
  for (const Claim& claim : experiment.claims) texts.push_back(claim.text);
  for (const std::string& claim : figure.claims)
    RequireKnown(claim, texts, "'" + experiment.name + "' does not claim", figure.place);
  if (!figure.picture) return;
  for (const std::string& label : figure.picture->of)
    RequireKnown(label, labels, "'" + experiment.name + "' has no backend", figure.place);
  RequireColumns(figure, experiment);
  RequireFrames(figure, experiment);
  RequireSweep(figure, experiment);
  const bool searches = experiment.document->root.Find("optimize") != nullptr;
  if (!figure.picture->search.empty() && !searches)
    FailAt(figure.place, "'" + experiment.name + "' has no [optimize]",
           "draw frames or curves of it");
}

}  // namespace pliant
