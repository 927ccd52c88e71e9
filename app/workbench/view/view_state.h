// What all panes share: camera, settings, the scale of the colours, the point that is picked, a
// pull in progress. Views draw it, gestures change it.

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

class Session;

// Where `count` panes stand in `area`: in rows, as near to square as can be.
std::vector<QRectF> PaneRects(int count, const QRectF& area);

// A point that the mouse pulls: from where it is to where it is wanted.
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
  void SetSettings(const ViewSettings& settings);  // the full scale is its own
  OrbitCamera& camera() { return camera_; }
  const OrbitCamera& camera() const { return camera_; }
  void CameraMoved() {  // by hand: from then on it stays where it is put
    follows_ = false;
    emit Changed();
  }

  // Holds what all panes have shown so far. After it, as after opening, the camera draws back when
  // a body leaves what it holds, but not without end. Arrows have room around it.
  void Fit();

  std::optional<int> picked() const { return picked_; }
  void Pick(std::optional<int> point);
  const std::optional<Pull>& pull() const { return pull_; }
  void SetPull(std::optional<Pull> pull);
  void FinishPull();  // emits Pulled(), or LeadEnded()
  // Does the hand lead the point while the clock runs, rather than act at the present time?
  bool leads() const { return pull_.has_value() && leads_; }

  // What a pull does, and how strongly, in the unit of the tool.
  HandTool tool() const { return tool_; }
  double strength() const { return strength_; }
  void SetHand(HandTool tool, double strength);

  // Place of the pane that distances are measured to; -1 when there is none.
  int ReferencePane() const;
  // Values for the colours of a pane at the present time; absent without a quantity.
  std::optional<Eigen::VectorXf> Values(int pane) const;
  // Would they be defined? O(1).
  bool HasValues(int pane) const;
  // Of settings().arrows at the present time; absent where they are not defined, and while a phase
  // is shown.
  const std::optional<ArrowField>& Arrows(int pane) const;
  // The longest that has been shown since they were chosen.
  double longest_arrow() const { return longest_arrow_; }

 signals:
  void Changed();
  void PickedChanged();
  // At the present time, by the tool in hand.
  void Pulled(const HandGesture& gesture);
  void Led(const Pull& pull);  // it leads, to there
  void LeadEnded();

 private:
  void Reset();
  void Measure();       // takes new frames into the full scale
  double Room() const;  // of the camera around what it holds
  void Follow();
  void PointArrows();

  Session* session_;
  OrbitCamera camera_;
  bool follows_ = true;
  double opened_extent_ = 0.0;  // m, that the camera held at first
  ViewSettings settings_;
  std::vector<size_t> measured_;                   // frames of each pane
  std::vector<float> largest_;                     // value of each pane
  std::vector<std::optional<ArrowField>> arrows_;  // of each pane
  double longest_arrow_ = 0.0;
  std::optional<int> picked_;
  std::optional<Pull> pull_;
  bool leads_ = false;  // of a pull
  HandTool tool_ = HandTool::kLead;
  double strength_ = InfoOf(HandTool::kLead).standard;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_VIEW_STATE_H_
