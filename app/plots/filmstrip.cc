#include "app/plots/filmstrip.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr int kStripWidth = 1140;  // px, of the whole strip
constexpr int kGap = 6;            // px, between cells
constexpr int kHeader = 20;        // px, times over the columns
constexpr int kLabel = 22;         // px, name over a row
constexpr int kRefusalPad = 8;     // px, around the reason of a row without frames
constexpr int kFooter = 34;        // px, scale bar and marks
constexpr int kText = 12;          // px
constexpr int kLeastCell = 90;     // px, height
constexpr int kMostCell = 260;     // px, height
constexpr int kAfterText = 28;     // px, before the next mark
const Colour kCellLine{0xd0, 0xd0, 0xd0};
const Colour kQuiet{0x55, 0x55, 0x55};

// Height of a row without frames [px].
double RefusalHeight(const std::string& reason) {
  const QFontMetricsF metrics(FigureFont(kText));
  const QRectF room(0, 0, kStripWidth - 2 * kRefusalPad - 2, 10000);
  return metrics.boundingRect(room, Qt::TextWordWrap, QString::fromStdString(reason)).height() +
         2 * kRefusalPad;
}

struct Layout {
  double cell_width = 0.0, cell_height = 0.0;
  std::vector<double> tops;  // of each row
  double bottom = 0.0;       // under the last row
};

Layout LayOut(const Filmstrip& strip, const Camera& camera) {
  Layout layout;
  const auto columns = static_cast<double>(std::max<size_t>(strip.times.size(), 1));
  const Eigen::Vector2d window = camera.window.sizes();
  layout.cell_width = (kStripWidth - kGap * (columns - 1)) / columns;
  layout.cell_height = std::clamp(std::round(layout.cell_width * window.y() / window.x()),
                                  double{kLeastCell}, double{kMostCell});
  double top = kHeader;
  for (const FilmstripRow& row : strip.rows) {
    layout.tops.push_back(top);
    top += kLabel + (row.refusal.empty() ? layout.cell_height : RefusalHeight(row.refusal)) + kGap;
  }
  layout.bottom = top;
  return layout;
}

QString Seconds(double time) { return QString::fromStdString(Digits(time, 4) + " s"); }

// Cells with too many shapes for vectors: drawn once, for all devices.
using Pictures = std::map<std::pair<size_t, size_t>, ScenePicture>;  // by row and column

class StripPainter {
 public:
  StripPainter(const Filmstrip& strip, const Camera& camera, Pictures* pictures,
               QPaintDevice* device)
      : strip_(strip),
        camera_(camera),
        layout_(LayOut(strip, camera_)),
        pictures_(*pictures),
        painter_(device) {
    painter_.setRenderHint(QPainter::Antialiasing);
  }

  void Paint() {
    painter_.setFont(FigureFont(kText));
    painter_.setPen(ToQColor(kQuiet));
    for (size_t i = 0; i < strip_.times.size(); ++i) {
      Text(QRectF(Left(i), 0, layout_.cell_width, kHeader), Qt::AlignCenter,
           Seconds(strip_.times[i]));
    }
    for (size_t i = 0; i < strip_.rows.size(); ++i) PaintRow(i, layout_.tops[i]);
    PaintFooter();
  }

 private:
  double Left(size_t column) const {
    return static_cast<double>(column) * (layout_.cell_width + kGap);
  }

  void Text(const QRectF& area, int flags, const QString& text) {
    painter_.drawText(area, flags, text);
  }

  // The beginning of `text` that fits into `width`.
  QString Fit(const QString& text, double width, const QFont& font) const {
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
  }

  void PaintRow(size_t number, double top) {
    const FilmstripRow& row = strip_.rows[number];
    const QFont bold = FigureFont(kText, true), plain = FigureFont(kText);
    const QString label = QString::fromStdString(row.label);
    const double label_width = QFontMetricsF(bold).horizontalAdvance(label);
    painter_.fillRect(QRectF(0, top + 5, 12, 12), ToQColor(row.colour));
    painter_.setFont(bold);
    painter_.setPen(Qt::black);
    Text(QRectF(18, top, label_width + 4, kLabel), Qt::AlignVCenter | Qt::AlignLeft, label);
    painter_.setFont(plain);
    painter_.setPen(ToQColor(kQuiet));
    const double left = 18 + label_width + 12;
    Text(QRectF(left, top, kStripWidth - left, kLabel), Qt::AlignVCenter | Qt::AlignLeft,
         Fit(QString::fromStdString(row.outcome), kStripWidth - left, plain));

    if (!row.refusal.empty()) {
      const QRectF area(0.5, top + kLabel, kStripWidth - 1, RefusalHeight(row.refusal));
      painter_.setPen(QPen(ToQColor(kCellLine), 1));
      painter_.setBrush(QColor(0xf6, 0xf6, 0xf6));
      painter_.drawRect(area);
      painter_.setPen(ToQColor(kQuiet));
      Text(area.adjusted(kRefusalPad, 0, -kRefusalPad, 0),
           Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
           QString::fromStdString(row.refusal));
      return;
    }
    for (size_t i = 0; i < row.frames.size(); ++i) {
      const QRectF cell(Left(i) + 0.5, top + kLabel + 0.5, layout_.cell_width - 1,
                        layout_.cell_height - 1);
      if (row.frames[i]) PaintCell(row, *row.frames[i], cell, &pictures_[{number, i}]);
    }
  }

  void PaintCell(const FilmstripRow& row, const KeyFrame& frame, const QRectF& cell,
                 ScenePicture* picture) {
    ScenePalette palette;
    palette.body = row.colour;
    palette.lamps = row.lamp;
    DrawScene(&painter_, cell, SceneOf(strip_, row), frame.points, frame.time, camera_, palette,
              picture);
    painter_.setPen(QPen(ToQColor(kCellLine), 1));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(cell);
    if (frame.remark.empty()) return;
    const QFont font = FigureFont(kText - 1);
    const QRectF strip(cell.left() + 1, cell.top() + 1, cell.width() - 2, 17);
    painter_.fillRect(strip, QColor(0xff, 0xf3, 0xcd));
    painter_.setFont(font);
    painter_.setPen(QColor(0x5c, 0x3c, 0x00));
    Text(strip, Qt::AlignCenter, Fit(QString::fromStdString(frame.remark), strip.width(), font));
  }

  // Scale bar and the meaning of the marks.
  void PaintFooter() {
    const QRectF cell(0, 0, layout_.cell_width - 1, layout_.cell_height - 1);
    const double scale = PixelsPerMetre(cell, camera_);
    double left = DrawScaleBar(&painter_, QPointF(1, layout_.bottom + kFooter / 2.0), scale,
                               0.6 * layout_.cell_width) +
                  kAfterText;
    if (AnyHolds(strip_.scene->nails)) left = FooterMark(left, SceneMark::kNail, "nail");
    if (AnyHolds(strip_.scene->attachments)) {
      left = FooterMark(left, SceneMark::kAttachment, "attachment");
    }
    if (AnyHolds(strip_.scene->sliders)) left = FooterMark(left, SceneMark::kSlider, "slider");
    const std::vector<Spring>& springs = strip_.scene->springs;
    if (std::any_of(springs.begin(), springs.end(), IsElastic)) {
      FooterMark(left, SceneMark::kSpring, "spring");
    }
  }

  // At a time shown.
  template <typename Held>
  bool AnyHolds(const std::vector<Held>& elements) const {
    return std::any_of(elements.begin(), elements.end(), [&](const Held& held) {
      return std::any_of(strip_.times.begin(), strip_.times.end(),
                         [&](double time) { return Holds(held.hold, time); });
    });
  }

  double FooterText(double left, const QString& text) {
    const double width = QFontMetricsF(FigureFont(kText)).horizontalAdvance(text);
    painter_.setPen(Qt::black);
    Text(QRectF(left, layout_.bottom, width + 4, kFooter), Qt::AlignVCenter, text);
    return left + width + kAfterText;
  }

  double FooterMark(double left, SceneMark mark, const QString& text) {
    const double width = mark == SceneMark::kSpring ? 34 : 12;
    DrawMark(&painter_, QRectF(left, layout_.bottom, width, kFooter), mark, {});
    return FooterText(left + width + 6, text);
  }

  const Filmstrip& strip_;
  const Camera& camera_;
  Layout layout_;
  Pictures& pictures_;
  QPainter painter_;
};

}  // namespace

std::vector<double> KeyTimes(double duration, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(duration * i / (count - 1));
  return times;
}

std::vector<std::optional<size_t>> KeyRecords(const std::vector<double>& times,
                                              const std::vector<double>& records) {
  std::vector<std::optional<size_t>> chosen;
  bool ended = records.empty();
  for (const double time : times) {
    if (ended) {
      chosen.emplace_back(std::nullopt);
      continue;
    }
    const auto after = std::lower_bound(records.begin(), records.end(), time);
    auto nearest = after;
    if (after == records.end() ||
        (after != records.begin() && time - *(after - 1) <= *after - time)) {
      nearest = after - 1;
    }
    chosen.emplace_back(static_cast<size_t>(nearest - records.begin()));
    const double rhythm = records.size() > 1 ? records[1] - records[0] : 0.0;
    ended = time > records.back() + rhythm;
  }
  return chosen;
}

const Scene& SceneOf(const Filmstrip& strip, const FilmstripRow& row) {
  return row.scene == nullptr ? *strip.scene : *row.scene;
}

Camera CameraOf(const Filmstrip& strip) {
  std::vector<ShownRun> runs;
  for (const FilmstripRow& row : strip.rows) {
    ShownRun run;
    run.diverged = row.diverged;
    for (const std::optional<KeyFrame>& frame : row.frames) {
      if (!frame) continue;
      run.times.push_back(frame->time);
      run.points.push_back(frame->points);
    }
    if (!run.times.empty()) runs.push_back(std::move(run));
  }
  return FitCamera(*strip.scene, runs);
}

Figure FilmstripFigure(const Filmstrip& strip) {
  EnsureApplication();
  const Camera camera = CameraOf(strip);
  const Layout layout = LayOut(strip, camera);
  const auto pictures = std::make_shared<Pictures>();
  return {strip.scene->name + ": key frames",
          {kStripWidth, static_cast<int>(std::ceil(layout.bottom)) + kFooter},
          [&strip, camera, pictures](QPaintDevice* device) {
            StripPainter(strip, camera, pictures.get(), device).Paint();
          }};
}

}  // namespace pliant
