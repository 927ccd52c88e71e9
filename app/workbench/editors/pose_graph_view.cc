#include "app/workbench/editors/pose_graph_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <exception>

namespace pliant {
namespace {

constexpr double kPad = 6.0;   // px, around a name
constexpr double kBow = 0.14;  // of an arrow's length, to its left
constexpr double kHead = 8.0;  // px, of an arrow
constexpr int kLongest = 16;   // letters of a name

QString Shortened(const std::string& name) {
  const QString whole = QString::fromStdString(name);
  return whole.size() <= kLongest ? whole : whole.left(kLongest - 1) + "…";
}

std::string InSeconds(double time) { return QString("%1 s").arg(time, 0, 'g', 3).toStdString(); }

// Where the line from the centre of `box` to `outside` leaves the box.
QPointF Leaves(const QRectF& box, const QPointF& outside) {
  const QPointF by = outside - box.center();
  const double across = std::abs(by.x()) / (0.5 * box.width());
  const double along = std::abs(by.y()) / (0.5 * box.height());
  return box.center() + by / std::max({across, along, 1e-9});
}

void DrawHead(const QPointF& from, const QPointF& tip, QPainter* painter) {
  const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
  QPolygonF head;
  head << tip;
  for (const double side : {0.4, -0.4}) {
    head << tip - kHead * QPointF(std::cos(angle + side), std::sin(angle + side));
  }
  painter->drawPolygon(head);
}

}  // namespace

PoseGraphPicture PictureOf(const ControlTable& controller) {
  const PoseGraph graph = MakePoseGraph(controller);
  PoseGraphPicture picture;
  for (const PoseNode& node : graph.nodes()) {
    const size_t place = picture.poses.size();
    const bool starts = controller.start.empty() ? place == 0 : controller.start == node.pose.name;
    picture.poses.push_back({node.pose.name, starts, node.is_final});
    for (const PoseTransition& next : node.next) {
      std::string when = InSeconds(next.after);
      if (next.sensor) {
        const std::string& sensor = controller.sensors[static_cast<size_t>(*next.sensor)].name;
        when = next.after > 0.0 ? sensor + ", after " + when : sensor;
      }
      picture.transitions.push_back({place, static_cast<size_t>(next.to), std::move(when)});
    }
  }
  return picture;
}

PoseGraphView::PoseGraphView(QWidget* parent) : QWidget(parent) {
  setObjectName("pose graph");
  setMinimumSize(160, 190);
  setToolTip(
      "Poses and their transitions: after a time, or when a sensor turns true. Thick frame: start. "
      "Double frame: held to the end. Click to select a pose.");
}

void PoseGraphView::Show(const ControlTable& controller) {
  try {
    picture_ = PictureOf(controller);
  } catch (const std::exception&) {  // the table shows what is wrong
    picture_ = {};
  }
  update();
}

void PoseGraphView::Mark(int pose) {
  marked_ = pose;
  update();
}

QRectF PoseGraphView::BoxOf(size_t pose) const {
  const QFontMetricsF metrics(font());
  const QSizeF size(metrics.horizontalAdvance(Shortened(picture_.poses[pose].name)) + 2 * kPad,
                    metrics.height() + kPad);
  double widest = 0.0;
  for (const DrawnPose& each : picture_.poses) {
    widest = std::max(widest, metrics.horizontalAdvance(Shortened(each.name)));
  }
  const double across = std::max(0.0, 0.5 * (width() - widest) - 2 * kPad);
  const double up = 0.5 * height() - size.height();
  const auto count = static_cast<double>(picture_.poses.size());
  const double angle = 2.0 * M_PI * static_cast<double>(pose) / count;
  const QPointF middle = count == 1 ? QPointF(0.5 * width(), 0.5 * height())
                                    : QPointF(0.5 * width() + across * std::sin(angle),
                                              0.5 * height() - up * std::cos(angle));
  return {middle - QPointF(0.5 * size.width(), 0.5 * size.height()), size};
}

void PoseGraphView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  const QColor ink = palette().color(QPalette::Text);
  QColor pale = ink;
  pale.setAlphaF(0.55F);
  std::vector<std::pair<QPointF, QString>> words;
  for (const DrawnTransition& transition : picture_.transitions) {
    const QRectF from = BoxOf(transition.from), to = BoxOf(transition.to);
    if (transition.from == transition.to) continue;
    const QPointF by = to.center() - from.center();
    const QPointF bent = 0.5 * (from.center() + to.center()) + kBow * QPointF(by.y(), -by.x());
    const QPointF begin = Leaves(from, bent), end = Leaves(to, bent);
    QPainterPath way(begin);
    way.quadTo(bent, end);
    const bool chosen = marked_ == static_cast<int>(transition.from);
    const QColor colour = chosen ? palette().color(QPalette::Link) : pale;
    painter.setPen(QPen(colour, chosen ? 1.8 : 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(way);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    DrawHead(bent, end, &painter);
    words.emplace_back(0.25 * begin + 0.5 * bent + 0.25 * end,
                       QString::fromStdString(transition.when));
  }
  painter.setPen(ink);
  QColor ground = palette().color(QPalette::Base);
  ground.setAlphaF(0.85F);
  for (const auto& [at, text] : words) {
    QRectF place = painter.fontMetrics().boundingRect(text);
    place.moveCenter(at);
    place.moveLeft(std::clamp(place.left(), 2.0, std::max(2.0, width() - place.width() - 2.0)));
    painter.fillRect(place, ground);
    painter.drawText(place, Qt::AlignCenter, text);
  }
  for (size_t i = 0; i < picture_.poses.size(); ++i) {
    const DrawnPose& pose = picture_.poses[i];
    const QRectF box = BoxOf(i);
    const bool chosen = marked_ == static_cast<int>(i);
    painter.setPen(QPen(ink, pose.is_start ? 2.5 : 1.0));
    painter.setBrush(palette().color(chosen ? QPalette::Highlight : QPalette::AlternateBase));
    painter.drawRoundedRect(box, 4, 4);
    if (pose.is_final) painter.drawRoundedRect(box.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
    painter.setPen(palette().color(chosen ? QPalette::HighlightedText : QPalette::Text));
    painter.drawText(box, Qt::AlignCenter, Shortened(pose.name));
  }
}

void PoseGraphView::mousePressEvent(QMouseEvent* event) {
  for (size_t i = 0; i < picture_.poses.size(); ++i) {
    if (BoxOf(i).contains(event->position())) emit Chosen(static_cast<int>(i));
  }
}

}  // namespace pliant
