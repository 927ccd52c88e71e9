// An experiment on one clock: a pane for each backend (or bundle), each with a worker, and the time
// that all panes show. No widgets: Tick() drives the session, and tests need no window.
//
// The clock never runs ahead of what every running pane has recorded. A pane that has ended,
// diverged or failed keeps its last frame and does not delay the others.

#ifndef PLIANT_APP_WORKBENCH_SESSION_SESSION_H_
#define PLIANT_APP_WORKBENCH_SESSION_SESSION_H_

#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/retired_jobs.h"
#include "app/workbench/session/drag_steering.h"
#include "app/workbench/session/pane.h"
#include "app/workbench/session/phase_stepper.h"
#include "app/workbench/session/recording.h"
#include "app/workbench/session/yardstick_pane.h"
#include "experiments/files/experiment.h"

namespace pliant {

class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  // Where yardsticks are looked for, with the folders above; of bundles it is their folder.
  void SetRuns(const std::filesystem::path& runs) { runs_ = runs; }
  // One pane for each of the first kMostPanes backends; the clock is at 0.
  void Open(std::shared_ptr<const Experiment> experiment);
  // One pane for each of the first kMostPanes bundles, of one scene.
  void OpenBundles(const std::vector<std::filesystem::path>& bundles);
  // The experiment was edited: it restarts and runs to the present time, and on.
  void Change(std::shared_ptr<const Experiment> experiment);
  // Replaces the experiment by one that describes the same runs: nothing restarts.
  void Adopt(std::shared_ptr<const Experiment> experiment);
  void Close();
  // Ends the panes that are still translating their scene, such as those that plan a jump. An edit,
  // or opening the file again, starts them again.
  void CancelPreparation();

  // Starts a drag of a point in `pane` while the clock runs. The scene of `experiment` holds the
  // drag; its trail begins at DragBegin() and has one value for DragInterval(). The experiment
  // restarts, runs to the present time, and then only as far as the trail is known. As the clock
  // advances, the session extends the trail towards the target of DragTo().
  void BeginDrag(std::shared_ptr<const Experiment> experiment, LiveDrag drag, size_t pane);
  void DragTo(const Eigen::Vector3d& target);  // m, world
  // Ends the drag; the runs continue.
  void EndDrag() { drag_.reset(); }
  bool dragging() const { return drag_.has_value(); }
  // Start of the trail: no run has reached this time [s]. All its intervals end just after a
  // recorded time, so that a run that stops at that record does not depend on the next value.
  double DragBegin() const;
  double DragInterval() const;  // s, for which one value of the trail holds

  // Transport. Times in s.
  void Play();
  void PlayBack();  // from the present time to the start, or from the end when at the start
  void Pause();
  void StepForward();  // to the next recorded time
  void StepBack();     // to the previous one
  // Shows the next phase of the step that begins now, and after its last phase the next step. The
  // clock does not move; moving it ends the display of phases.
  void StepPhase();
  void Scrub(double time);      // to a recorded time
  void Restart();               // the clock to 0; what is recorded stays
  void SetSpeed(double speed);  // simulated seconds in a second, > 0
  // Call it after each `elapsed` wall seconds: collects news and moves the clock.
  void Tick(double elapsed);

  bool playing() const { return playing_; }  // forwards or backwards
  bool backwards() const { return playing_ && backwards_; }
  double speed() const { return speed_; }
  double time() const { return time_; }
  double EndTime() const;      // of the plan, or of the longest bundle
  double RecordedEnd() const;  // the latest time that the clock can show now
  // True if the clock waits for a run that was restarted.
  bool CatchingUp() const;
  bool AtEnd() const;
  // Recent simulated seconds per wall second, forwards or backwards; 0 when it does not play.
  double RealTimeFactor() const { return real_time_factor_; }

  const std::vector<Pane>& panes() const { return panes_; }
  // The kept yardstick of the scene, where it is the reference of the experiment; else, and until it
  // is found and read, its pane is null.
  const YardstickPane& yardstick() const { return yardstick_; }
  // What a pane shows now: its recording at the time of the clock, or a phase. Null: nothing yet.
  std::shared_ptr<const PaneFrame> Shown(size_t pane) const;
  // Null unless a pane shows a phase of a step.
  const ShownPhase* Phase(size_t pane) const { return phases_.At(pane); }
  bool LooksIntoSteps() const { return phases_.active(); }
  // Null when nothing, or only bundles, are open.
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  // Index of the pane whose label is the reference of the experiment; -1 when there is none.
  int ReferencePane() const;

 signals:
  void Opened();               // the panes are new, or there are none
  void PaneChanged(int pane);  // it started, or ended
  void Recorded();             // new frames
  void TimeChanged();
  void YardstickChanged();  // it is there, or no longer
  void PlayingChanged(bool playing);
  void Logged(const QString& line);

 private:
  void Clear();
  void Begin();  // workers for all panes of experiment_
  void CollectNews();
  void TakeStart(size_t pane, PaneStart start);
  void TakeEnd(size_t pane, const PaneEnd& end);
  void AllowWorkers();
  void LookForYardstick();
  void Rerun(std::shared_ptr<const Experiment> experiment);
  void ExtendTrail();
  double BehindRecords() const;
  void MoveTo(double time);
  void SetPlaying(bool playing, bool backwards = false);
  void EndPhases();
  void Measure(double simulated, double elapsed);
  double RecordEvery() const;

  std::shared_ptr<const Experiment> experiment_;
  std::vector<Pane> panes_;
  RetiredJobs<PaneWorker> retired_;
  std::filesystem::path runs_ = "runs";
  YardstickPane yardstick_;
  bool says_why_no_yardstick_ = false;
  PhaseStepper phases_;
  bool playing_ = false, backwards_ = false;
  double speed_ = 1.0;
  double time_ = 0.0;  // s
  double goal_ = 0.0;  // s, the target of the clock while it does not play
  double real_time_factor_ = 0.0;
  std::optional<DragSteering> drag_;  // the present drag
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_SESSION_H_
