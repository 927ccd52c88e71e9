#include "app/report/report.h"

#include "app/plots/comparison_plots.h"
#include "app/plots/draw.h"
#include "app/plots/filmstrip.h"
#include "app/plots/ghosts.h"
#include "app/report/page.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

constexpr size_t kMostInlineSvg = 400'000;  // bytes; above it a picture of pixels is smaller

// Draws into the files of figure.key and into the page.
PageFigure PictureFigure(PageFigure figure, const Figure& drawn,
                         const std::filesystem::path& folder) {
  const std::string svg = FigureToSvg(drawn), png = FigureToPng(drawn);
  WriteFile(folder / (figure.key + ".svg"), SvgFile(svg));
  WriteFile(folder / (figure.key + ".png"), png);
  SaveFigure(folder / (figure.key + ".pdf"), drawn);
  if (svg.size() <= kMostInlineSvg) {
    figure.drawing = Html::Raw(svg);
  } else {
    figure.drawing =
        Html::Raw("<img src=\"" + PngUri(png) + "\" width=\"" + std::to_string(drawn.size.width) +
                  "\" height=\"" + std::to_string(drawn.size.height) + "\" alt=\"" + figure.key +
                  " of every run\" />");
  }
  return figure;
}

// What a figure says of the runs that it does not show.
std::string LeftOut(const Filmstrip& strip) {
  if (strip.left_out == 0) return "";
  return " The first " + std::to_string(kMostRows) + " of " +
         std::to_string(kMostRows + strip.left_out) +
         " runs; report on the others by themselves to see theirs.";
}

PageFigure KeyFrames(const ReportData& data, const std::filesystem::path& folder) {
  return PictureFigure(
      {"key-frames",
       "The scene at " + std::to_string(data.strip.times.size()) + " times",
       std::string("All pictures have the same camera and scale, so that only the formulation "
                   "differs. Obstacles are drawn at their positions at that time.") +
           LeftOut(data.strip),
       {}},
      FilmstripFigure(data.strip), folder);
}

PageFigure Ghosts(const ReportData& data, const std::filesystem::path& folder) {
  return PictureFigure({"ghosts",
                        std::to_string(data.ghosts.times.size()) + " poses over each other",
                        std::string("Poses at equal time intervals, early ones pale: far apart "
                                    "where the motion is fast, dark "
                                    "where it comes to rest.") +
                            LeftOut(data.ghosts),
                        {}},
                       GhostsFigure(data.ghosts), folder);
}

}  // namespace

PageFigure CurveFigure(const Plot& plot, const std::filesystem::path& folder,
                       const CallThere& there) {
  PageFigure figure{plot.key, plot.title, plot.reading, {}};
  if (!HasValues(plot)) return figure;
  const auto call = [&there](const std::function<void()>& drawing) {
    there ? there(drawing) : drawing();
  };
  std::string svg;
  call([&] { svg = PlotToSvg(plot); });
  call([&] { WriteFile(folder / (plot.key + ".svg"), SvgFile(svg)); });
  call([&] { SavePlot(plot, folder / (plot.key + ".pdf")); });
  figure.drawing = Html::Raw(svg);
  return figure;
}

void WriteReport(const std::vector<Bundle>& bundles, const std::filesystem::path& html) {
  WriteReport(CollectReport(bundles), html);
}

void WriteReport(const ReportData& data, const std::filesystem::path& html,
                 const std::vector<Plot>& first, const CallThere& there) {
  const std::filesystem::path folder = html.parent_path() / kFiguresFolder;
  CreateFolder(folder);
  PageFigures figures;
  figures.key_frames = KeyFrames(data, folder);
  if (!data.ghosts.rows.empty()) figures.ghosts = Ghosts(data, folder);
  std::vector<RunSeries> series;
  for (const ReportRun& run : data.runs) series.push_back(run.series);
  for (const Plot& plot : first) figures.curves.push_back(CurveFigure(plot, folder, there));
  const YardstickSeries* yardstick = data.yardstick ? &*data.yardstick : nullptr;
  for (const Plot& plot : ComparisonPlots(series, PlotSet::kReport, yardstick)) {
    figures.curves.push_back(CurveFigure(plot, folder, there));
  }
  // The page comes last: where it is, its figures are.
  WriteFile(html, ReportPage(data, figures));
}

}  // namespace pliant
