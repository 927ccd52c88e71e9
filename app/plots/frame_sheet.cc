#include "app/plots/frame_sheet.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>

#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"

namespace pliant {
namespace {

class SheetPainter {
 public:
  explicit SheetPainter(const FrameSheet& sheet) : sheet_(sheet) {
    ShownRun shown;
    for (const SheetCell& cell : sheet.cells) {
      shown.times.push_back(cell.frame.time);
      shown.points.push_back(cell.frame.points);
    }
    camera_ = FitCamera(*sheet.cells.front().scene, {shown});
    const auto across = static_cast<double>(sheet.across);
    width_ = std::min<double>(kWidestCell, (kWidth - kGap * (across - 1.0)) / across);
    const Eigen::Vector2d window = camera_.window.sizes();
    height_ = std::clamp(std::round(width_ * window.y() / window.x()), double{kLeastCell},
                         double{kMostCell});
    rows_ = (sheet.cells.size() + Across() - 1) / Across();
  }

  FigureSize size() const {
    return {static_cast<int>(std::ceil(Left(Across()) - kGap)),
            static_cast<int>(std::ceil(Top(rows_))) + kFooter};
  }

  void Paint(QPaintDevice* device) const {
    QPainter painter(device);
    painter.setRenderHint(QPainter::Antialiasing);
    for (size_t i = 0; i < sheet_.cells.size(); ++i) {
      const QRectF area(Left(i % Across()) + 0.5, Top(i / Across()) + 0.5, width_ - 1.0,
                        height_ - 1.0);
      PaintCell(i, area, &painter);
    }
    const double scale = PixelsPerMetre(QRectF(0, 0, width_ - 1.0, height_ - 1.0), camera_);
    DrawScaleBar(&painter, QPointF(1, Top(rows_) + kFooter / 2.0), scale, 0.6 * width_);
  }

 private:
  size_t Across() const { return static_cast<size_t>(sheet_.across); }
  double Left(size_t column) const { return static_cast<double>(column) * (width_ + kGap); }
  double Top(size_t row) const { return static_cast<double>(row) * (kLabel + height_ + kGap); }

  void PaintCell(size_t number, const QRectF& area, QPainter* painter) const {
    const SheetCell& cell = sheet_.cells[number];
    ScenePalette palette;
    palette.body = cell.colour;
    palette.lamps = cell.lamp;
    DrawScene(painter, area, *cell.scene, cell.frame.points, cell.frame.time, camera_, palette,
              &pictures_[number]);
    painter->setPen(QPen(QColor(0xd0, 0xd0, 0xd0), 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(area);
    painter->setPen(Qt::black);
    painter->setFont(FigureFont(kText));
    painter->drawText(QRectF(area.left(), area.bottom(), area.width(), kLabel), Qt::AlignCenter,
                      QString::fromStdString(cell.label));
  }

  static constexpr int kWidth = 1140;      // px, of the sheet
  static constexpr int kWidestCell = 460;  // px
  static constexpr int kGap = 8;           // px, between cells
  static constexpr int kLabel = 22;        // px, under a cell
  static constexpr int kFooter = 30;       // px, scale bar
  static constexpr int kText = 12;         // px
  static constexpr int kLeastCell = 60;    // px, height
  static constexpr int kMostCell = 420;    // px, height

  const FrameSheet sheet_;
  Camera camera_;
  size_t rows_ = 1;
  double width_ = 0.0, height_ = 0.0;  // px, of a cell
  // Cells with too many shapes for vectors: drawn once, for all devices.
  mutable std::map<size_t, ScenePicture> pictures_;
};

}  // namespace

std::string CellLetter(size_t cell) {
  constexpr size_t kLetters = 26;
  return "(" +
         (cell < kLetters ? std::string(1, static_cast<char>('a' + cell))
                          : std::to_string(cell + 1)) +
         ") ";
}

Figure FrameSheetFigure(const FrameSheet& sheet) {
  EnsureApplication();
  const auto painter = std::make_shared<const SheetPainter>(sheet);
  return {sheet.title, painter->size(),
          [painter](QPaintDevice* device) { painter->Paint(device); }};
}

}  // namespace pliant
