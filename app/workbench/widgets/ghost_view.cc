#include "app/workbench/widgets/ghost_view.h"

#include <QPainter>
#include <algorithm>
#include <utility>

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
  Eigen::Vector2d lower = poses_.front().col(0).head<2>(), upper = lower;
  for (const Eigen::Matrix3Xd& points : poses_) {
    lower = lower.cwiseMin(points.topRows<2>().rowwise().minCoeff());
    upper = upper.cwiseMax(points.topRows<2>().rowwise().maxCoeff());
  }
  const Eigen::Vector2d extent = (upper - lower).cwiseMax(1e-9);
  const double scale = std::min((width() - 20) / extent.x(), (height() - 20) / extent.y());
  const Eigen::Vector2d middle = 0.5 * (lower + upper);
  const auto place = [&](const Eigen::Vector3d& at) {
    return QPointF(0.5 * width() + scale * (at.x() - middle.x()),
                   0.5 * height() - scale * (at.y() - middle.y()));
  };
  QColor ink = palette().color(QPalette::Text);
  for (size_t i = 0; i < poses_.size(); ++i) {
    const float part = static_cast<float>(i + 1) / static_cast<float>(poses_.size());
    ink.setAlphaF(0.2F + 0.8F * part);
    painter.setPen(QPen(ink, i + 1 == poses_.size() ? 2.0 : 1.2));
    for (const auto& edge : scene_->bodies[0].edges) {
      painter.drawLine(place(poses_[i].col(edge[0])), place(poses_[i].col(edge[1])));
    }
  }
}

}  // namespace pliant
