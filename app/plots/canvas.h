// Where figures are drawn to: SVG text, SVG, PDF and PNG files, with or without a display.

#ifndef PLIANT_APP_PLOTS_CANVAS_H_
#define PLIANT_APP_PLOTS_CANVAS_H_

#include <filesystem>
#include <functional>
#include <string>

class QPaintDevice;

namespace pliant {

// In pixels, 96 per inch.
struct FigureSize {
  int width = 0;
  int height = 0;
};

struct Figure {
  std::string title;
  FigureSize size;
  std::function<void(QPaintDevice*)> paint;
};

// Makes the one QApplication that fonts and plots need, unless there is one. It needs no display
// unless QT_QPA_PLATFORM asks for one.
void EnsureApplication();

// The text of an SVG file.
std::string SvgFile(const std::string& element);

// One <svg> element, fit to stand in an HTML page: no prolog, sized by its view box.
std::string FigureToSvg(const Figure& figure);

// The bytes of a PNG file with `scale` pixels to a pixel of the figure.
std::string FigureToPng(const Figure& figure, double scale = 2.0);

// Writes the format that the ending of `path` names: .svg, .pdf or .png. Throws BadInput for
// another ending and StorageError when the file cannot be written.
void SaveFigure(const std::filesystem::path& path, const Figure& figure);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_CANVAS_H_
