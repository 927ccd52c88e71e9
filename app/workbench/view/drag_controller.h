// Dragging a point while the clock runs: turns the movement of the mouse into a trail that the runs
// follow, and, when the button is released, the trail into an element of the experiment.

#ifndef PLIANT_APP_WORKBENCH_VIEW_DRAG_CONTROLLER_H_
#define PLIANT_APP_WORKBENCH_VIEW_DRAG_CONTROLLER_H_

#include <QObject>
#include <optional>

#include "app/workbench/edits/hand_gesture.h"

namespace pliant {

class OpenExperiment;
class ViewState;
struct Pull;

class DragController : public QObject {
  Q_OBJECT

 public:
  // For the session that `view` shows, whose experiment is `open`.
  DragController(ViewState* view, OpenExperiment* open, QObject* parent = nullptr);

  // True while the drag is added to the experiment: the runs already contain it and go on.
  bool finishing() const { return finishing_; }

 signals:
  void Logged(const QString& line);

 private:
  void Drag(const Pull& pull);
  void Begin(const Pull& pull);
  void Finish();

  ViewState* view_;
  OpenExperiment* open_;
  std::optional<LiveDrag> drag_;
  bool refused_ = false;  // for the present drag
  bool played_ = false;   // before the drag
  bool finishing_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_DRAG_CONTROLLER_H_
