#include "app/workbench/editors/number_strip.h"

#include <QHelpEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/workbench/widgets/palette.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kInfinityBand = 0.26;  // of the field, above the largest number
constexpr double kReach = 18.0;         // pixels around a place
constexpr double kSide = 6.0;           // pixels, right of the field
constexpr double kApart = 3.0;          // pixels between labels

QString Text(double value) {
  return std::isinf(value) ? QString(value > 0 ? "∞" : "−∞")
                           : QString::fromStdString(Digits(value, 4));
}

// "0.2", "inf", "∞".
double NumberIn(QString text) {
  text = text.trimmed().replace("∞", "inf").replace(',', '.');
  if (text == "inf" || text == "+inf") return kInfinity;
  bool is_number = false;
  const double value = text.toDouble(&is_number);
  return is_number ? value : std::nan("");
}

}  // namespace

NumberStrip::NumberStrip(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setSizePolicy(policy);
}

void NumberStrip::SetList(const NumberList& list, bool differs) {
  list_ = list;
  differs_ = differs;
  dragging_ = false;
  chosen_ = std::min(chosen_, list_.values.size() - 1);
  scale_ = ScaleOf(list_);
  setFixedHeight(sizeHint().height());
  update();
}

QSize NumberStrip::sizeHint() const { return {260, (9 + LabelLines()) * fontMetrics().height()}; }
QSize NumberStrip::minimumSizeHint() const { return {140, sizeHint().height()}; }

// Names of several words take two lines.
int NumberStrip::LabelLines() const {
  return std::any_of(list_.labels.begin(), list_.labels.end(),
                     [](const std::string& label) { return label.find(' ') != label.npos; })
             ? 2
             : 1;
}

QRectF NumberStrip::Field() const {
  const double line = fontMetrics().height();
  const double left = fontMetrics().horizontalAdvance("−0.0005") + 8, most = width() - left - kSide;
  // Half of the excess width of the last label extends beyond its slot.
  const double over =
      places() == 0 ? 0.0 : WidthOf(places() - 1) - most / static_cast<double>(places());
  return {left, 1.9 * line, most - 0.5 * std::max(0.0, over),
          height() - (3.7 + LabelLines()) * line};
}

QPointF NumberStrip::PlaceOf(size_t place, double value) const {
  const QRectF field = Field();
  const double x = field.left() + field.width() * (static_cast<double>(place % places()) + 0.5) /
                                      static_cast<double>(places());
  const double band = scale_.infinite ? kInfinityBand * field.height() : 0.0;
  if (std::isinf(value) && value > 0.0) return {x, field.top() + 0.25 * band};
  const double part = (value - scale_.lower) / (scale_.upper - scale_.lower);
  const double y = field.bottom() - std::clamp(part, 0.0, 1.0) * (field.height() - band);
  return {x, y};
}

QPointF NumberStrip::PlaceOf(size_t place) const { return PlaceOf(place, list_.values[place]); }

double NumberStrip::ValueAt(double y) const {
  const QRectF field = Field();
  const double band = scale_.infinite ? kInfinityBand * field.height() : 0.0;
  if (scale_.infinite && y < field.top() + 0.6 * band) return kInfinity;
  const double part = (field.bottom() - y) / (field.height() - band);
  const double value = scale_.lower + part * (scale_.upper - scale_.lower);
  return scale_.grain * std::round(value / scale_.grain);
}

// In the column under the mouse, the row whose value is nearest.
size_t NumberStrip::Nearest(const QPointF& at) const {
  const QRectF field = Field();
  const double part = (at.x() - field.left()) / field.width();
  const auto column = static_cast<size_t>(std::clamp(
      std::floor(part * static_cast<double>(places())), 0.0, static_cast<double>(places() - 1)));
  size_t nearest = column;
  for (size_t i = column; i < list_.values.size(); i += places()) {
    if (std::abs(PlaceOf(i).y() - at.y()) < std::abs(PlaceOf(nearest).y() - at.y())) nearest = i;
  }
  return nearest;
}

void NumberStrip::Move(size_t place, double to) {
  NumberMove move = Moved(list_, place, to);
  list_.values = std::move(move.values);
  update();
  emit Message(QString::fromStdString(move.why));
  emit Dragged(list_.values);
}

void NumberStrip::PaintAxis(QPainter* painter) const {
  const QRectF field = Field();
  const QPalette& colours = palette();
  const QColor faint = colours.color(QPalette::Mid);
  painter->fillRect(field, colours.color(QPalette::Base));
  // The allowed range of each column.
  QColor allowed = colours.color(QPalette::Highlight);
  allowed.setAlpha(22);
  const double half = 0.4 * field.width() / static_cast<double>(places());
  for (size_t i = 0; i < places(); ++i) {
    const Range& range = list_.ranges[i % list_.ranges.size()];
    const QPointF low = PlaceOf(i, std::max(range.lower, scale_.lower));
    const QPointF high =
        PlaceOf(i, range.infinite ? kInfinity : std::min(range.upper, scale_.upper));
    painter->fillRect(QRectF(QPointF(low.x() - half, high.y()), QPointF(low.x() + half, low.y())),
                      allowed);
  }
  painter->setPen(faint);
  painter->drawRect(field);
  const auto tick = [&](double value) {
    const double y = PlaceOf(0, value).y();
    painter->setPen(faint);
    painter->drawLine(QPointF(field.left(), y), QPointF(field.right(), y));
    painter->setPen(colours.color(QPalette::Text));
    const double line = fontMetrics().height();
    painter->drawText(QRectF(0, y - line / 2, field.left() - 4, line),
                      Qt::AlignRight | Qt::AlignVCenter, Text(value));
  };
  tick(scale_.lower);
  tick(scale_.upper);
  if (scale_.lower < 0.0 && scale_.upper > 0.0) tick(0.0);
  if (scale_.infinite) tick(kInfinity);
}

void NumberStrip::PaintValues(QPainter* painter) const {
  const QPalette& colours = palette();
  const QColor ink =
      colours.color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Highlight);
  const double half = 0.22 * Field().width() / static_cast<double>(places());
  const size_t rows = list_.values.size() / places();
  for (size_t row = 0; row < rows; ++row) {
    QColor tone = ink;
    tone.setAlphaF(
        rows == 1 ? 1.0F : 1.0F - 0.6F * static_cast<float>(row) / static_cast<float>(rows - 1));
    QPainterPath curve;
    for (size_t i = row * places(); i < (row + 1) * places(); ++i) {
      const QPointF at = PlaceOf(i);
      i % places() == 0 ? curve.moveTo(at) : curve.lineTo(at);
      if (list_.look == NumberList::Look::kBars) {
        const double zero = PlaceOf(i, std::clamp(0.0, scale_.lower, scale_.upper)).y();
        QColor fill = tone;
        fill.setAlphaF(0.55F);
        painter->fillRect(QRectF(QPointF(at.x() - half, std::min(at.y(), zero)),
                                 QPointF(at.x() + half, std::max(at.y(), zero))),
                          fill);
        painter->setPen(QPen(tone, 3));
        painter->drawLine(QPointF(at.x() - half, at.y()), QPointF(at.x() + half, at.y()));
      }
    }
    if (list_.look == NumberList::Look::kCurve) {
      painter->setPen(QPen(tone, 1.5));
      painter->setBrush(Qt::NoBrush);
      painter->drawPath(curve);
      painter->setBrush(tone);
      for (size_t i = row * places(); i < (row + 1) * places(); ++i) {
        painter->drawEllipse(PlaceOf(i), 4.5, 4.5);
      }
    }
  }
  if (hasFocus() && chosen_ < list_.values.size()) {
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colours.color(QPalette::Text), 1.0));
    painter->drawEllipse(PlaceOf(chosen_), 8, 8);
  }
}

// Width of the label in one line; of several words, of the longest.
double NumberStrip::WidthOf(size_t place) const {
  int width = 0;
  for (const QString& word : QString::fromStdString(list_.labels[place]).split(' ')) {
    width = std::max(width, fontMetrics().horizontalAdvance(word));
  }
  return width;
}

// A name wider than its slot uses the room that its neighbours leave, and the room at the ends.
NumberStrip::Label NumberStrip::LabelOf(size_t place) const {
  const QRectF field = Field();
  const double slot = field.width() / static_cast<double>(places());
  const auto half = [&](size_t i) { return 0.5 * std::min(slot, WidthOf(i)); };
  const auto middle = [&](size_t i) {
    return field.left() + (static_cast<double>(i) + 0.5) * slot;
  };
  const double left = place == 0 ? 0.0 : middle(place - 1) + half(place - 1) + kApart;
  const double right =
      place + 1 == places() ? width() : middle(place + 1) - half(place + 1) - kApart;
  const double line = fontMetrics().height();
  QString text = QString::fromStdString(list_.labels[place]);
  double wanted = WidthOf(place);
  if (text.contains(' ')) {  // breaks between words when they do not fit in one line
    const double whole = fontMetrics().horizontalAdvance(text);
    wanted = std::min(whole, std::max(wanted, slot - kApart));
  }
  const double used = std::min(wanted, right - left);
  const double at = std::clamp(middle(place) - 0.5 * used, left, right - used);
  if (!text.contains(' ') && wanted > used) {
    text = fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(used));
  }
  return {{at, field.bottom() + 1.55 * line, used, LabelLines() * line}, text};
}

void NumberStrip::PaintLabels(QPainter* painter) const {
  const QRectF field = Field();
  const double line = fontMetrics().height();
  QFont title = font();
  title.setBold(differs_);
  painter->setFont(title);
  painter->setPen(differs_ ? ReadableInk({0xb3, 0x4a, 0x00}) : palette().color(QPalette::Text));
  const QString unit = list_.unit.empty() ? "" : QString(" [%1]").arg(list_.unit.c_str());
  painter->drawText(QRectF(2, 0, width() - 4, 1.3 * line), Qt::AlignLeft | Qt::AlignVCenter,
                    QString::fromStdString(list_.title) + unit);
  painter->setFont(font());
  painter->setPen(palette().color(QPalette::Text));
  const double slot = field.width() / static_cast<double>(places());
  for (size_t i = 0; i < places(); ++i) {
    const double left = field.left() + static_cast<double>(i) * slot;
    QStringList numbers;
    for (size_t k = i; k < list_.values.size(); k += places()) numbers << Text(list_.values[k]);
    painter->drawText(QRectF(left, field.bottom() + 0.5 * line, slot, line), Qt::AlignCenter,
                      numbers.join(" → "));
    const Label label = LabelOf(i);
    painter->drawText(label.box.adjusted(-1, 0, 1, 0),
                      Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, label.text);
  }
}

void NumberStrip::paintEvent(QPaintEvent* /*event*/) {
  if (list_.values.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  PaintAxis(&painter);
  PaintValues(&painter);
  PaintLabels(&painter);
}

void NumberStrip::mousePressEvent(QMouseEvent* event) {
  const QRectF field = Field().adjusted(0, -kReach, 0, kReach);
  if (event->button() != Qt::LeftButton || !field.contains(event->position())) return;
  chosen_ = Nearest(event->position());
  before_ = list_.values;
  dragging_ = true;
  Move(chosen_, ValueAt(event->position().y()));
}

void NumberStrip::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) return;
  list_.values = before_;  // so that the shares return when the drag does
  Move(chosen_, ValueAt(event->position().y()));
}

void NumberStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_ || event->button() != Qt::LeftButton) return;
  dragging_ = false;
  if (list_.values != before_) emit Chosen(list_.values);
}

void NumberStrip::mouseDoubleClickEvent(QMouseEvent* event) {
  dragging_ = false;
  chosen_ = Nearest(event->position());
  bool given = false;
  const QString text =
      QInputDialog::getText(this, QString::fromStdString(list_.title),
                            QString::fromStdString(list_.labels[chosen_ % places()]) +
                                (scale_.infinite ? " (inf: no limit)" : ""),
                            QLineEdit::Normal, Text(list_.values[chosen_]), &given);
  if (!given) return;
  before_ = list_.values;
  Move(chosen_, NumberIn(text));
  if (list_.values != before_) emit Chosen(list_.values);
}

void NumberStrip::keyPressEvent(QKeyEvent* event) {
  const size_t count = list_.values.size();
  const double step = 2.0 * scale_.grain;
  switch (event->key()) {
    case Qt::Key_Left:
      chosen_ = (chosen_ + count - 1) % count;
      break;
    case Qt::Key_Right:
      chosen_ = (chosen_ + 1) % count;
      break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
      before_ = list_.values;
      const double now = std::isinf(list_.values[chosen_]) ? scale_.upper : list_.values[chosen_];
      Move(chosen_, event->key() == Qt::Key_Up ? now + step : now - step);
      if (list_.values != before_) emit Chosen(list_.values);
      break;
    }
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  update();
}

bool NumberStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Range& range = list_.ranges.front();
  const bool bounded = std::isfinite(range.lower) || std::isfinite(range.upper);
  QToolTip::showText(
      help->globalPos(),
      "<p>" + QString::fromStdString(list_.meaning).toHtmlEscaped() + "</p>" +
          (bounded ? "<p>" + QString::fromStdString(RangeInWords(range)) + "</p>" : "") +
          (differs_ ? "<p>differs from the file</p>" : ""),
      this);
  return true;
}

}  // namespace pliant
