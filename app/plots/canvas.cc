#include "app/plots/canvas.h"

#include <QApplication>
#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QLoggingCategory>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include "app/plots/qt_style.h"
#include "experiments/bundles/storage.h"
#include "models/problem.h"

namespace pliant {
namespace {

constexpr int kResolution = 96;  // pixels to the inch

QByteArray RawSvg(const Figure& figure) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(kResolution);
  generator.setSize(QSize(figure.size.width, figure.size.height));
  generator.setViewBox(QRect(0, 0, figure.size.width, figure.size.height));
  generator.setTitle(
      QString::fromStdString(figure.title).toHtmlEscaped());  // it does not do so itself
  figure.paint(&generator);
  return buffer.data();
}

QByteArray Pdf(const Figure& figure) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(QString::fromStdString(figure.title));
  writer.setCreator("Pliant");
  writer.setResolution(kResolution);
  constexpr double kPoints = 72.0 / kResolution;
  writer.setPageSize(QPageSize(QSizeF(figure.size.width * kPoints, figure.size.height * kPoints),
                               QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  figure.paint(&writer);
  return buffer.data();
}

// Without what QSvgGenerator repeats at every change of pen: about half the size.
QByteArray Compacted(const QByteArray& svg) {
  static const QRegularExpression font_of_group(
      R"(\s*\nfont-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*" *\n>)");
  static const QRegularExpression empty_group(R"(<g [^>]*>\s*</g>\s*)");
  static const QRegularExpression blank_lines(R"(\s*\n\s*)");
  QString text = QString::fromUtf8(svg);
  text.replace(font_of_group, ">");
  for (const char* given :
       {" transform=\"matrix(1,0,0,1,0,0)\"", " stroke-opacity=\"1\"", " fill-opacity=\"1\"",
        " vector-effect=\"none\"", " font-weight=\"400\"", " font-style=\"normal\""}) {
    text.remove(QLatin1String(given));
  }
  text.remove(empty_group);
  text.replace(blank_lines, "\n");
  return text.toUtf8();
}

}  // namespace

void EnsureApplication() {
  if (QCoreApplication::instance() != nullptr) return;
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  static int argc = 1;
  static char name[] = "pliant";
  static char* argv[] = {name, nullptr};
  // Suppress Qt's warning about a missing XDG_RUNTIME_DIR: it does not matter for a figure.
  QLoggingCategory::setFilterRules("default.warning=false");
  new QApplication(argc, argv);  // lives as long as the program: fonts outlive static objects
  QLoggingCategory::setFilterRules("");
}

std::string SvgFile(const std::string& element) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element + "\n";
}

std::string FigureToSvg(const Figure& figure) {
  EnsureApplication();
  QByteArray svg = RawSvg(figure);
  const qsizetype root = svg.indexOf("<svg");
  const qsizetype inside = svg.indexOf('>', root) + 1;
  const QByteArray box =
      QByteArray::number(figure.size.width) + " " + QByteArray::number(figure.size.height);
  svg.replace(0, inside,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" "
              "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 " +
                  box + "\" width=\"" + QByteArray::number(figure.size.width) + "\" height=\"" +
                  QByteArray::number(figure.size.height) + "\" role=\"img\">");
  // A fallback with nearly the same widths, for when the font is missing.
  svg.replace(QByteArray("font-family=\"") + kFigureFont + "\"",
              QByteArray("font-family=\"") + kFigureFont + ", Verdana, sans-serif\"");
  return Compacted(svg).trimmed().toStdString();
}

std::string FigureToPng(const Figure& figure, double scale) {
  EnsureApplication();
  QImage image(qRound(figure.size.width * scale), qRound(figure.size.height * scale),
               QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::white);
  figure.paint(&image);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data().toStdString();
}

void SaveFigure(const std::filesystem::path& path, const Figure& figure) {
  EnsureApplication();
  QByteArray bytes;
  const std::string ending = path.extension();
  if (ending == ".svg") {
    bytes = QByteArray::fromStdString(SvgFile(FigureToSvg(figure)));
  } else if (ending == ".pdf") {
    bytes = Pdf(figure);
  } else if (ending == ".png") {
    bytes = QByteArray::fromStdString(FigureToPng(figure));
  } else {
    throw BadInput({"figure", "cannot draw a figure into '" + path.string() + "'",
                    "end its name in .svg, .pdf or .png"});
  }
  WriteFile(path, {bytes.constData(), static_cast<size_t>(bytes.size())});
}

}  // namespace pliant
