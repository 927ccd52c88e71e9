#include "app/workbench/widgets/ghost_view.h"

#include <QPainter>
#include <utility>

#include "app/workbench/widgets/point_fit.h"

namespace pliant {

GhostView::GhostView(const QString& tip, QWidget* parent) : QWidget(parent) {
  setMinimumSize(160, 110);
  setToolTip(tip);
}

void GhostView::Show(std::shared_ptr<const Scene> scene, std::vector<Eigen::Matrix3Xd> poses) {
  scene_ = std::move(scene);
  poses_ = std::move(poses);
  update();
}

void GhostView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  if (poses_.empty() || scene_ == nullptr) return;
  PointFit place;
  for (const Eigen::Matrix3Xd& points : poses_) place.Include(points.topRows<2>());
  place.FitInto(size(), 10.0);
  QColor ink = palette().color(QPalette::Text);
  for (size_t i = 0; i < poses_.size(); ++i) {
    const float part = static_cast<float>(i + 1) / static_cast<float>(poses_.size());
    ink.setAlphaF(0.2F + 0.8F * part);
    painter.setPen(QPen(ink, i + 1 == poses_.size() ? 2.0 : 1.2));
    for (const auto& edge : scene_->bodies[0].edges) {
      painter.drawLine(place(poses_[i].col(edge[0]).head<2>()),
                       place(poses_[i].col(edge[1]).head<2>()));
    }
  }
}

}  // namespace pliant
