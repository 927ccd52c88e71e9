#include "app/workbench/editors/lattice_view.h"

#include <QPainter>
#include <algorithm>

#include "app/workbench/widgets/point_fit.h"

namespace pliant {
namespace {

// Projection of the points of a body: planar bodies from the front, others obliquely.
Eigen::Matrix2Xd Seen(const Eigen::Matrix3Xd& points, bool planar) {
  if (planar) return points.topRows(2);
  Eigen::Matrix<double, 2, 3> view;
  view << 0.90, 0.0, -0.43, -0.15, 0.95, -0.30;
  return view * points;
}

}  // namespace

LatticeView::LatticeView(QWidget* parent) : QWidget(parent) {
  setMinimumSize(140, 160);
  setToolTip("Grey: at rest. Dark: the initial shape. Dashed: the selected mode at amplitude 1.");
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
  PointFit place;
  place.Include(Seen(rest.points, planar).leftCols(1));
  for (const Drawing* drawing : {&rest, &shape, &ghost}) {
    for (const Eigen::Matrix3Xd& points : drawing->lattices) place.Include(Seen(points, planar));
  }
  place.FitInto(size(), 12.0);
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
