// A pose graph as a picture: poses in a ring, in the order of their list, and arrows where they
// lead.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_POSE_GRAPH_VIEW_H_
#define PLIANT_APP_WORKBENCH_EDITORS_POSE_GRAPH_VIEW_H_

#include <QRectF>
#include <QWidget>
#include <string>
#include <vector>

#include "solvers/control/tables.h"

namespace pliant {

struct DrawnPose {
  std::string name;
  bool is_start = false, is_final = false;
};
struct DrawnTransition {
  size_t from = 0, to = 0;
  std::string when;  // "0.4 s", "landed", "landed, 0.1 s at least"
};
struct PoseGraphPicture {
  std::vector<DrawnPose> poses;
  std::vector<DrawnTransition> transitions;
};
// The picture of one controller. Throws BadInput as MakePoseGraph().
PoseGraphPicture PictureOf(const ControlTable& controller);

class PoseGraphView : public QWidget {
  Q_OBJECT

 public:
  explicit PoseGraphView(QWidget* parent = nullptr);

  void Show(const ControlTable& controller);  // nothing of what is no graph
  void Mark(int pose);                        // the chosen one; -1: none
  QRectF BoxOf(size_t pose) const;            // px

 signals:
  void Chosen(int pose);  // clicked

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  PoseGraphPicture picture_;
  int marked_ = -1;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_POSE_GRAPH_VIEW_H_
