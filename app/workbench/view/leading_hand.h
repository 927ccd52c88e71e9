// The hand that leads a point while the clock runs: from the mouse to a trail that the runs follow,
// and from the trail, when the hand lets go, to an element of the experiment.

#ifndef PLIANT_APP_WORKBENCH_VIEW_LEADING_HAND_H_
#define PLIANT_APP_WORKBENCH_VIEW_LEADING_HAND_H_

#include <QObject>
#include <optional>

#include "app/workbench/edits/hand_gesture.h"

namespace pliant {

class OpenExperiment;
class ViewState;
struct Pull;

class LeadingHand : public QObject {
  Q_OBJECT

 public:
  // Of the session that `view` shows, whose experiment is `open`.
  LeadingHand(ViewState* view, OpenExperiment* open, QObject* parent = nullptr);

  // The experiment is edited to what already runs: nothing has to run again.
  bool finishing() const { return finishing_; }

 signals:
  void Said(const QString& line);

 private:
  void Lead(const Pull& pull);
  void Begin(const Pull& pull);
  void Finish();

  ViewState* view_;
  OpenExperiment* open_;
  std::optional<HandLead> lead_;
  bool refused_ = false;  // for the drag that goes on
  bool played_ = false;   // before the hand took hold
  bool finishing_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_LEADING_HAND_H_
