// What all panes share: camera, settings, the scale of the colours, the selected point, a pull in
// progress. Views draw it, gestures change it.

#ifndef PLIANT_APP_WORKBENCH_VIEW_VIEW_STATE_H_
#define PLIANT_APP_WORKBENCH_VIEW_VIEW_STATE_H_

#include <Eigen/Core>
#include <QObject>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "app/workbench/edits/hand_gesture.h"
#include "app/workbench/view/orbit_camera.h"
#include "app/workbench/view/view_settings.h"

namespace pliant {

struct Pane;
class Session;

// The rectangles of `count` panes in `area`: in rows, as square as possible.
std::vector<QRectF> PaneRects(int count, const QRectF& area);

// A point that the mouse pulls, and its target.
struct Pull {
  int pane = 0;
  int point = 0;                                 // column of the scene's points
  Eigen::Vector3d to = Eigen::Vector3d::Zero();  // m, world
};

class ViewState : public QObject {
  Q_OBJECT

 public:
  explicit ViewState(Session* session, QObject* parent = nullptr);

  Session& session() const { return *session_; }
  const ViewSettings& settings() const { return settings_; }
  void SetSettings(const ViewSettings& settings);  // except full_scale, which the view state
                                                   // computes
  OrbitCamera& camera() { return camera_; }
  const OrbitCamera& camera() const { return camera_; }
  void CameraMoved() {  // by the user: from then on the camera stays there
    follows_ = false;
    emit Changed();
  }

  // Fits everything that the panes have shown so far. From then on, as after opening, the camera
  // zooms out when a body leaves the view, up to a limit. Leaves room for arrows.
  void Fit();

  std::optional<int> picked() const { return picked_; }
  void Pick(std::optional<int> point);
  const std::optional<Pull>& pull() const { return pull_; }
  void SetPull(std::optional<Pull> pull);
  void FinishPull();  // emits Pulled(), or DragEnded()
  // True if the pull drags the point while the clock runs; false if it acts at the present time.
  bool drags() const { return pull_.has_value() && drags_; }

  // The tool of a pull and its strength, in the unit of the tool.
  HandTool tool() const { return tool_; }
  double strength() const { return strength_; }
  void SetHand(HandTool tool, double strength);

  // Index of the pane that distances are measured to, or kYardstickPane; -1 when there is none.
  int ReferencePane() const;
  const Pane* Reference() const;  // that pane, or the yardstick; null without one
  // Values for the colours of a pane at the present time; absent without a quantity.
  std::optional<Eigen::VectorXf> Values(int pane) const;
  // Are the values for the colours of a pane defined? O(1).
  bool HasValues(int pane) const;
  // The settings().arrows at the present time; absent where they are not defined, and while a phase
  // is shown.
  const std::optional<ArrowField>& Arrows(int pane) const;
  // The longest arrow since the kind was chosen.
  double longest_arrow() const { return longest_arrow_; }

 signals:
  void Changed();
  void PickedChanged();
  // The user has made a gesture with the chosen tool at the present time.
  void Pulled(const HandGesture& gesture);
  void Dragged(const Pull& pull);  // the target of the present drag
  void DragEnded();

 private:
  void Reset();
  void Measure();       // the largest values of new frames, and the full scale
  void ScaleColours();  // to the largest of what has not diverged
  double Room() const;  // around the scene, as a factor
  void Follow();
  void PointArrows();
  // Is there a reference, and are its points those of the pane? One of them may show a variant of the scene.
  bool CorrespondsToReference(int index) const;

  Session* session_;
  OrbitCamera camera_;
  bool follows_ = true;
  double opened_extent_ = 0.0;  // m, of the camera at first
  ViewSettings settings_;
  std::vector<size_t> measured_;                   // frames of each pane
  std::vector<float> largest_;                     // value of each pane
  std::vector<std::optional<ArrowField>> arrows_;  // of each pane
  double longest_arrow_ = 0.0;
  std::optional<int> picked_;
  std::optional<Pull> pull_;
  bool drags_ = false;  // of a pull
  HandTool tool_ = HandTool::kDrag;
  double strength_ = InfoOf(HandTool::kDrag).standard;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_VIEW_STATE_H_
