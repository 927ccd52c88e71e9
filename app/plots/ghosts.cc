#include "app/plots/ghosts.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"

namespace pliant {
namespace {

class GhostPainter {
 public:
  explicit GhostPainter(const Filmstrip& strip) : strip_(strip), camera_(CameraOf(strip)) {
    const size_t columns = std::clamp<size_t>(strip.rows.size(), 1, kColumns);
    rows_ = (strip.rows.size() + columns - 1) / columns;
    const auto count = static_cast<double>(columns);
    width_ = (kWidth - kGap * (count - 1.0)) / count;
    const Eigen::Vector2d window = camera_.window.sizes();
    height_ = std::clamp(std::round(width_ * window.y() / window.x()), double{kLeastCell},
                         double{kMostCell});
    columns_ = columns;
  }

  FigureSize size() const { return {kWidth, static_cast<int>(std::ceil(Top(rows_))) + kFooter}; }

  void Paint(QPaintDevice* device) const {
    QPainter painter(device);
    painter.setRenderHint(QPainter::Antialiasing);
    for (size_t i = 0; i < strip_.rows.size(); ++i) {
      const QRectF cell(static_cast<double>(i % columns_) * (width_ + kGap) + 0.5,
                        Top(i / columns_) + kLabel + 0.5, width_ - 1.0, height_ - 1.0);
      PaintRun(i, cell, &painter);
    }
    PaintScale(&painter);
  }

 private:
  static constexpr int kWidth = 1140;      // px, of the figure
  static constexpr size_t kColumns = 3;    // at most
  static constexpr int kGap = 8;           // px, between cells
  static constexpr int kLabel = 22;        // px, name over a cell
  static constexpr int kFooter = 30;       // px, scale bar
  static constexpr int kText = 12;         // px
  static constexpr int kLeastCell = 120;   // px, height
  static constexpr int kMostCell = 420;    // px, height
  static constexpr double kPalest = 0.75;  // of the first pose, towards white

  double Top(size_t row) const { return static_cast<double>(row) * (kLabel + height_ + kGap); }

  void PaintRun(size_t number, const QRectF& cell, QPainter* painter) const {
    const FilmstripRow& run = strip_.rows[number];
    painter->setFont(FigureFont(kText, true));
    painter->setPen(Qt::black);
    painter->fillRect(QRectF(cell.left(), cell.top() - kLabel + 5, 12, 12), ToQColor(run.colour));
    painter->drawText(QRectF(cell.left() + 18, cell.top() - kLabel, cell.width() - 18, kLabel),
                      Qt::AlignVCenter | Qt::AlignLeft, QString::fromStdString(run.label));
    const size_t last = LastOf(run);
    ScenePalette palette;
    palette.lamps = run.lamp;
    const Parts parts = PartsOf(SceneOf(strip_, run));
    if (last < run.frames.size()) {
      DrawScene(painter, cell, parts.ground, Eigen::Matrix3Xd(3, 0), run.frames[last]->time,
                camera_, palette);
    }
    for (size_t f = 0; f < run.frames.size(); ++f) {
      if (!run.frames[f]) continue;
      const double age = last == 0 ? 0.0 : 1.0 - static_cast<double>(f) / static_cast<double>(last);
      palette.body = Lighten(run.colour, kPalest * age);
      ScenePicture& picture = pictures_[{number, f}];
      picture.transparent = true;  // over the poses before it
      DrawScene(painter, cell, parts.bodies, run.frames[f]->points, run.frames[f]->time, camera_,
                palette, &picture);
    }
    painter->setPen(QPen(QColor(0xd0, 0xd0, 0xd0), 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(cell);
  }

  struct Parts {
    Scene ground, bodies;  // what is drawn once, and what over it pose by pose
  };
  static Parts PartsOf(const Scene& scene) {
    Parts parts{scene, scene};
    for (Scene* part : {&parts.ground, &parts.bodies}) {
      part->nails.clear();
      part->attachments.clear();
      part->sliders.clear();
      part->springs.clear();
    }
    parts.bodies.obstacles.clear();
    parts.ground.bodies.clear();
    return parts;
  }

  static size_t LastOf(const FilmstripRow& run) {
    size_t last = run.frames.size();
    for (size_t f = 0; f < run.frames.size(); ++f) {
      if (run.frames[f]) last = f;
    }
    return last;
  }

  void PaintScale(QPainter* painter) const {
    const double scale = PixelsPerMetre(QRectF(0, 0, width_ - 1.0, height_ - 1.0), camera_);
    DrawScaleBar(painter, QPointF(1, Top(rows_) + kFooter / 2.0), scale, 0.4 * width_);
  }

  const Filmstrip& strip_;
  Camera camera_;
  size_t columns_ = 1, rows_ = 1;
  double width_ = 0.0, height_ = 0.0;  // px, of a cell
  // Poses with too many shapes for vectors, by row and frame: drawn once, for all devices.
  mutable std::map<std::pair<size_t, size_t>, ScenePicture> pictures_;
};

}  // namespace

Figure GhostsFigure(const Filmstrip& strip) {
  EnsureApplication();
  const auto painter = std::make_shared<const GhostPainter>(strip);
  return {strip.scene->name + ": ghosts", painter->size(),
          [painter](QPaintDevice* device) { painter->Paint(device); }};
}

}  // namespace pliant
