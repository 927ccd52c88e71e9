#include "app/report/report.h"

#include "app/plots/comparison_plots.h"
#include "app/plots/draw.h"
#include "app/plots/filmstrip.h"
#include "app/report/page.h"
#include "experiments/record/storage.h"

namespace pliant {
namespace {

constexpr size_t kMostInlineSvg = 400'000;  // bytes; above it a picture of pixels is smaller

PageFigure KeyFrames(const ReportData& data, const std::filesystem::path& folder) {
  PageFigure figure;
  figure.key = "key-frames";
  figure.title = "The scene at " + std::to_string(data.strip.times.size()) + " times";
  figure.reading =
      "One camera and one scale for all, so that what differs is the formulation. Obstacles are "
      "drawn where they are at that time.";
  for (const char* ending : {".svg", ".pdf", ".png"}) {
    SaveFilmstrip(data.strip, folder / (figure.key + ending));
  }
  const std::string svg = FilmstripToSvg(data.strip);
  if (svg.size() <= kMostInlineSvg) {
    figure.drawing = Html::Raw(svg);
  } else {
    const FigureSize size = SizeOf(data.strip);
    figure.drawing =
        Html::Raw("<img src=\"" + PngUri(FilmstripToPng(data.strip)) + "\" width=\"" +
                  std::to_string(size.width) + "\" height=\"" + std::to_string(size.height) +
                  "\" alt=\"key frames of every run\" />");
  }
  return figure;
}

}  // namespace

PageFigure CurveFigure(const Plot& plot, const std::filesystem::path& folder) {
  PageFigure figure{plot.key, plot.title, plot.reading, {}};
  if (!HasValues(plot)) return figure;
  SavePlot(plot, folder / (plot.key + ".svg"));
  SavePlot(plot, folder / (plot.key + ".pdf"));
  figure.drawing = Html::Raw(PlotToSvg(plot));
  return figure;
}

void WriteReport(const std::vector<Bundle>& bundles, const std::filesystem::path& html) {
  WriteReport(CollectReport(bundles), html);
}

void WriteReport(const ReportData& data, const std::filesystem::path& html,
                 const std::vector<Plot>& first) {
  const std::filesystem::path folder = html.parent_path() / "figures";
  CreateFolder(folder);
  PageFigures figures;
  figures.key_frames = KeyFrames(data, folder);
  std::vector<RunSeries> series;
  for (const ReportRun& run : data.runs) series.push_back(run.series);
  for (const Plot& plot : first) figures.curves.push_back(CurveFigure(plot, folder));
  for (const Plot& plot : ComparisonPlots(series)) {
    figures.curves.push_back(CurveFigure(plot, folder));
  }
  // The page comes last: where it is, its figures are.
  WriteFile(html, ReportPage(data, figures));
}

}  // namespace pliant
