// Styles converted to types of Qt; for the .cc files of this room and of those that draw with Qt.

#ifndef PLIANT_APP_PLOTS_QT_STYLE_H_
#define PLIANT_APP_PLOTS_QT_STYLE_H_

#include <QColor>
#include <QFont>
#include <QPen>
#include <vector>

#include "app/plots/style.h"

namespace pliant {

inline constexpr char kFigureFont[] = "DejaVu Sans";

inline QFont FigureFont(int pixels, bool bold = false) {
  QFont font(kFigureFont);
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

inline QColor ToQColor(const Colour& colour, int alpha = 255) {
  return {colour.red, colour.green, colour.blue, alpha};
}

inline QPen ToQPen(const LineStyle& style) {
  QPen pen(ToQColor(style.colour), style.width);
  pen.setCapStyle(Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  const std::vector<double> lengths = LengthsOf(style.dash);
  if (!lengths.empty()) pen.setDashPattern({lengths.begin(), lengths.end()});
  return pen;
}

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_QT_STYLE_H_
