#include "app/workbench/editors/lattice_view.h"

#include <QPainter>
#include <algorithm>

namespace pliant {
namespace {

// Where a point of a body is seen: planar ones from the front, others from an edge.
Eigen::Matrix2Xd Seen(const Eigen::Matrix3Xd& points, bool planar) {
  if (planar) return points.topRows(2);
  Eigen::Matrix<double, 2, 3> view;
  view << 0.90, 0.0, -0.43, -0.15, 0.95, -0.30;
  return view * points;
}

}  // namespace

LatticeView::LatticeView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(140, 160);
  setToolTip(
      "Grey: at rest. Dark: the shape at the start. Dashed: the chosen mode at amplitude 1.");
}

void LatticeView::Show(std::shared_ptr<const ModesOfBody> modes) {
  modes_ = std::move(modes);
  amplitudes_.assign(modes_ == nullptr ? 0 : modes_->modes.modes.size(), 0.0);
  ghost_ = 0;
  update();
}

void LatticeView::SetAmplitudes(const std::vector<double>& amplitudes) {
  amplitudes_ = amplitudes;
  update();
}

void LatticeView::SetGhost(size_t mode) {
  ghost_ = mode;
  update();
}

LatticeView::Drawing LatticeView::DrawingOf(const std::vector<double>& amplitudes) const {
  Drawing drawing;
  for (const dynamic_ffd::EmbeddedLattice& embedded : modes_->lattices) {
    drawing.lattices.push_back(embedded.lattice.ControlPoints());
  }
  drawing.points = modes_->body->rest;
  for (size_t k = 0; k < std::min(amplitudes.size(), modes_->lattice_moves.size()); ++k) {
    const auto lattice = static_cast<size_t>(modes_->modes.modes[k].lattice);
    drawing.lattices[lattice] += amplitudes[k] * modes_->lattice_moves[k];
    drawing.points += amplitudes[k] * modes_->point_moves[k];
  }
  return drawing;
}

void LatticeView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  if (modes_ == nullptr) return;
  std::vector<double> one(amplitudes_.size(), 0.0);
  if (ghost_ < one.size()) one[ghost_] = 1.0;
  const Drawing rest = DrawingOf({}), shape = DrawingOf(amplitudes_), ghost = DrawingOf(one);

  const bool planar = modes_->lattices.front().lattice.bases()[2].size() == 1;
  Eigen::Vector2d lower = Seen(rest.points, planar).col(0), upper = lower;
  for (const Drawing* drawing : {&rest, &shape, &ghost}) {
    for (const Eigen::Matrix3Xd& points : drawing->lattices) {
      const Eigen::Matrix2Xd seen = Seen(points, planar);
      lower = lower.cwiseMin(seen.rowwise().minCoeff());
      upper = upper.cwiseMax(seen.rowwise().maxCoeff());
    }
  }
  const Eigen::Vector2d extent = (upper - lower).cwiseMax(1e-9);
  const double scale = std::min((width() - 24) / extent.x(), (height() - 24) / extent.y());
  const Eigen::Vector2d middle = 0.5 * (lower + upper);
  const auto place = [&](const Eigen::Vector2d& at) {
    return QPointF(0.5 * width() + scale * (at.x() - middle.x()),
                   0.5 * height() - scale * (at.y() - middle.y()));
  };
  const auto lines = [&](const Eigen::Matrix3Xd& points, const auto& pairs, const QPen& pen) {
    const Eigen::Matrix2Xd seen = Seen(points, planar);
    painter.setPen(pen);
    for (const auto& [a, b] : pairs) painter.drawLine(place(seen.col(a)), place(seen.col(b)));
  };
  const auto draw = [&](const Drawing& drawing, const QPen& lattice, const QPen& body) {
    for (size_t l = 0; l < drawing.lattices.size(); ++l) {
      lines(drawing.lattices[l], modes_->lattices[l].lattice.Lines(), lattice);
    }
    std::vector<std::pair<int, int>> edges;
    for (const auto& edge : modes_->body->edges) edges.emplace_back(edge[0], edge[1]);
    lines(drawing.points, edges, body);
  };
  const QColor text = palette().color(QPalette::Text), mark = palette().color(QPalette::Highlight);
  draw(rest, QPen(palette().color(QPalette::Midlight), 1), QPen(palette().color(QPalette::Mid), 1));
  draw(ghost, QPen(mark, 1, Qt::DashLine), QPen(mark, 1, Qt::DashLine));
  draw(shape, QPen(text, 1), QPen(text, 2));
  painter.setPen(Qt::NoPen);
  painter.setBrush(text);
  for (const Eigen::Matrix3Xd& points : shape.lattices) {
    const Eigen::Matrix2Xd seen = Seen(points, planar);
    for (int i = 0; i < seen.cols(); ++i) painter.drawEllipse(place(seen.col(i)), 2.5, 2.5);
  }
}

}  // namespace pliant
