#include "app/report/source_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plots/comparison_plots.h"
#include "app/plots/draw.h"
#include "app/plots/frame_sheet.h"
#include "app/plots/ghosts.h"
#include "app/plots/lamp_solid.h"
#include "app/plots/search_plots.h"
#include "app/plots/sweep_plots.h"
#include "app/report/report_data.h"
#include "experiments/bundles/storage.h"
#include "experiments/searches/search_record.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr int kMostAcross = 6;  // frames of one motion, where the table does not say

// Writes the files of one drawing after the other.
class Files {
 public:
  Files(std::string name, std::filesystem::path folder)
      : name_(std::move(name)), folder_(std::move(folder)) {
    CreateFolder(folder_);
  }

  void Save(const Figure& drawn) {
    for (const char* ending : kEndings) SaveFigure(Next(ending), drawn);
    pngs_.push_back(Next(".png"));
  }
  void Save(const Plot& plot) {
    for (const char* ending : kEndings) SavePlot(plot, Next(ending));
    pngs_.push_back(Next(".png"));
  }

  std::vector<std::filesystem::path> Take() { return std::move(pngs_); }

 private:
  static constexpr const char* kEndings[] = {".svg", ".pdf", ".png"};
  std::filesystem::path Next(const char* ending) const {
    const std::string number = pngs_.empty() ? "" : "-" + std::to_string(pngs_.size() + 1);
    return folder_ / (name_ + number + ending);
  }

  const std::string name_;
  const std::filesystem::path folder_;
  std::vector<std::filesystem::path> pngs_;
};

std::string TitleOf(const SourceFigure& figure) { return figure.number + ": " + figure.shows; }

std::string TimeText(double time) { return Digits(time, 4) + " s"; }

// A cell for each frame of one run, or for each run at the one time.
Figure SheetOf(const SourceFigure& figure, const ReportData& data) {
  FrameSheet sheet{TitleOf(figure), 1, {}};
  for (const FilmstripRow& row : data.strip.rows) {
    for (const std::optional<KeyFrame>& frame : row.frames) {
      if (!frame) continue;
      const std::string words = row.frames.size() == 1 ? row.label : TimeText(frame->time);
      sheet.cells.push_back(
          {CellLetter(sheet.cells.size()) + words, data.scene, *frame, row.colour, row.lamp});
    }
  }
  const int most = std::min(kMostAcross, static_cast<int>(sheet.cells.size()));
  sheet.across = figure.picture->across.value_or(std::max(1, most));
  return FrameSheetFigure(sheet);
}

void DrawFrames(const SourceFigure& figure, const std::vector<Bundle>& bundles, Files* files) {
  const FigurePicture& picture = *figure.picture;
  const ReportData data = CollectReport(bundles, 0, picture.frames);
  const bool several = data.strip.rows.size() > 1 && picture.frames.size() > 1;
  if (picture.ghosts) return files->Save(GhostsFigure(data.strip));
  if (several && !picture.across) return files->Save(FilmstripFigure(data.strip));
  files->Save(SheetOf(figure, data));
}

// The run of each point of a sweep at the one time.
void DrawPoints(const SourceFigure& figure, FigureRuns* runs, Files* files) {
  FrameSheet sheet{TitleOf(figure), 1, {}};
  for (size_t i = 0; i < runs->bundles.size(); ++i) {
    std::vector<Bundle> one;
    one.push_back(std::move(runs->bundles[i]));
    const ReportData data = CollectReport(one, 0, figure.picture->frames);
    const FilmstripRow& row = data.strip.rows.front();
    if (row.frames.empty() || !row.frames.back()) continue;
    sheet.cells.push_back({CellLetter(sheet.cells.size()) + runs->names[i], data.scene,
                           *row.frames.back(), row.colour, row.lamp});
  }
  sheet.across = figure.picture->across.value_or(
      std::clamp(static_cast<int>(sheet.cells.size()), 1, kMostAcross));
  files->Save(FrameSheetFigure(sheet));
}

std::optional<size_t> ColumnOf(const RunSeries& run, const std::string& name) {
  const auto found = std::ranges::find(run.columns, name, &SeriesColumn::name);
  if (found == run.columns.end()) return std::nullopt;
  return static_cast<size_t>(found - run.columns.begin());
}

PlottedCurve CurveOf(const RunSeries& run, size_t column, const FigurePicture& picture,
                     const LineStyle& style) {
  PlottedCurve curve{run.label, run.label, style, {}, {}, run.diverged};
  const auto against = ColumnOf(run, picture.against.value_or(run.columns.front().name));
  for (const SeriesRow& row : run.rows) {
    const double time = row[0].value_or(NAN);
    if (!against || time < picture.from.value_or(time) || time > picture.until.value_or(time))
      continue;
    curve.x.push_back(row[*against].value_or(NAN));
    curve.y.push_back(row[column].value_or(NAN));
    if (picture.against) curve.t.push_back(time);
  }
  return curve;
}

void DrawCurves(const SourceFigure& figure, const std::vector<Bundle>& bundles, Files* files) {
  const FigurePicture& picture = *figure.picture;
  const ReportData data = CollectReport(bundles);
  Plot plot;
  plot.key = figure.name;
  plot.title = TitleOf(figure);
  plot.x = {"time", "s"};
  std::vector<std::string> backends;
  for (const ReportRun& run : data.runs) backends.push_back(run.backend.name);
  const std::vector<LineStyle> styles = StylesOfRuns(backends);
  for (const std::string& name : picture.curves) {
    Panel panel;
    for (size_t i = 0; i < data.runs.size(); ++i) {
      const RunSeries& run = data.runs[i].series;
      const auto column = ColumnOf(run, name);
      if (!column) continue;
      panel.y = {WordsOf(run.columns[*column]), run.columns[*column].unit};
      if (picture.against) {
        const SeriesColumn& x = run.columns[*ColumnOf(run, *picture.against)];
        plot.x = {WordsOf(x), x.unit};
      }
      panel.curves.push_back(CurveOf(run, *column, picture, styles[i]));
    }
    plot.panels.push_back(std::move(panel));
  }
  files->Save(plot);
}

void DrawSweep(const SourceFigure& figure, const FigureRuns& runs, Files* files) {
  const auto omitted = static_cast<size_t>(figure.picture->omitted);
  for (Plot plot : SweepPlots(*runs.sweep, *runs.table)) {
    const bool wanted = std::ranges::any_of(figure.picture->sweep, [&](const std::string& name) {
      return plot.key == "sweep-" + name;
    });
    if (!wanted) continue;
    for (PlottedCurve& curve : plot.panels.front().curves) {
      const size_t kept = curve.x.size() - std::min(omitted, curve.x.size());
      curve.x.resize(kept);
      curve.y.resize(kept);
    }
    // With the steepest points left out a linear axis shows the rest.
    if (omitted > 0) plot.panels.front().y.logarithmic = false;
    files->Save(plot);
  }
}

void DrawSearch(const SourceFigure& figure, const FigureRuns& runs, Files* files) {
  const auto wants = [&](const std::string& name) {
    return std::ranges::find(figure.picture->search, name) != figure.picture->search.end();
  };
  if (wants("motion")) DrawFrames(figure, runs.bundles, files);
  for (const Plot& plot : SearchPlots(ReadSearchRecord(runs.search))) {
    if (wants(plot.key)) files->Save(plot);
  }
}

}  // namespace

std::vector<std::filesystem::path> DrawSourceFigure(const SourceFigure& figure, FigureRuns runs,
                                                    const std::filesystem::path& folder) {
  const FigurePicture& picture = *figure.picture;
  Files files(figure.name, folder);
  if (!picture.search.empty()) {
    DrawSearch(figure, runs, &files);
  } else if (!picture.sweep.empty()) {
    DrawSweep(figure, runs, &files);
  } else if (!picture.points.empty()) {
    DrawPoints(figure, &runs, &files);
  } else if (!picture.frames.empty()) {
    DrawFrames(figure, runs.bundles, &files);
  } else {
    DrawCurves(figure, runs.bundles, &files);
  }
  return files.Take();
}

}  // namespace pliant
