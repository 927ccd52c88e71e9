// Displays the first body of a scene at several times of a motion, later times darker.

#ifndef PLIANT_APP_WORKBENCH_WIDGETS_GHOST_VIEW_H_
#define PLIANT_APP_WORKBENCH_WIDGETS_GHOST_VIEW_H_

#include <Eigen/Core>
#include <QWidget>
#include <memory>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

class GhostView : public QWidget {
 public:
  explicit GhostView(const QString& tip, QWidget* parent = nullptr);
  // Points of the scene, 3×n each [m], viewed along z.
  void Show(std::shared_ptr<const Scene> scene, std::vector<Eigen::Matrix3Xd> poses);
  const std::vector<Eigen::Matrix3Xd>& poses() const { return poses_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::shared_ptr<const Scene> scene_;
  std::vector<Eigen::Matrix3Xd> poses_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WIDGETS_GHOST_VIEW_H_
