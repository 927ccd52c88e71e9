// Maps points of a plane to pixels of a widget, so that all of them fit at one scale.

#ifndef PLIANT_APP_WORKBENCH_WIDGETS_POINT_FIT_H_
#define PLIANT_APP_WORKBENCH_WIDGETS_POINT_FIT_H_

#include <Eigen/Geometry>
#include <QPointF>
#include <QSize>
#include <algorithm>

namespace pliant {

class PointFit {
 public:
  // Includes all columns of `points`, 2×n.
  void Include(const Eigen::Ref<const Eigen::Matrix2Xd>& points) {
    for (const auto& point : points.colwise()) box_.extend(Eigen::Vector2d(point));
  }
  // Centres the points in a widget of `size` [px] with `margin` [px] on each side.
  void FitInto(const QSize& size, double margin) {
    const Eigen::Vector2d extent = box_.sizes().cwiseMax(1e-9);
    scale_ = std::min((size.width() - 2.0 * margin) / extent.x(),
                      (size.height() - 2.0 * margin) / extent.y());
    middle_ = {0.5 * size.width(), 0.5 * size.height()};
  }
  QPointF operator()(const Eigen::Vector2d& at) const {
    const Eigen::Vector2d by = scale_ * (at - box_.center());
    return middle_ + QPointF(by.x(), -by.y());
  }

 private:
  Eigen::AlignedBox2d box_;
  double scale_ = 1.0;  // px per unit
  QPointF middle_;      // px
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WIDGETS_POINT_FIT_H_
