// An experiment on one clock: a pane for each backend (or bundle), each with a worker, and the time
// that all of them show. No widgets: it is driven by Tick() and tested without a window.
//
// The clock never runs ahead of what every live pane has recorded; a pane that has ended, diverged
// or failed keeps its last frame and holds nobody up.

#ifndef PLIANT_APP_WORKBENCH_SESSION_SESSION_H_
#define PLIANT_APP_WORKBENCH_SESSION_SESSION_H_

#include <QObject>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/style.h"
#include "app/workbench/edits/hand_gesture.h"
#include "app/workbench/jobs/retired_jobs.h"
#include "app/workbench/session/pane_worker.h"
#include "app/workbench/session/phase_stepper.h"
#include "app/workbench/session/recording.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class PaneState { kPreparing, kRunning, kEnded, kFrozen };

struct Pane {
  std::string label;
  const Backend* backend = nullptr;    // null until a bundle is open
  std::shared_ptr<const Scene> scene;  // likewise
  LineStyle style;
  PaneState state = PaneState::kPreparing;
  bool diverged = false;
  std::string reason;  // how it ended, in words; empty while it runs
  PaneStart start;
  Recording recording;
  std::shared_ptr<const Checkpoints> checkpoints;  // of the run; null of a bundle
  Recording before;    // of the run before an edit, shown until the new one comes so far
  bool stale = false;  // the recording is of the run before an edit, until the new one has begun
  std::unique_ptr<PaneWorker> worker;  // null when it has ended
};

inline constexpr size_t kMostPanes = 6;

class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  // One pane for each of the first kMostPanes backends; the clock stands at 0.
  void Open(std::shared_ptr<const Experiment> experiment);
  // One pane for each of the first kMostPanes bundles, of one scene.
  void OpenBundles(const std::vector<std::filesystem::path>& bundles);
  // The experiment has been edited: it runs again from its start to the present time, and on.
  void Change(std::shared_ptr<const Experiment> experiment);
  // The experiment that runs, in other words: nothing runs again.
  void Adopt(std::shared_ptr<const Experiment> experiment);
  void Close();

  // A hand leads a point while the clock runs, held in `pane`. `experiment` has the hand in its
  // scene; its trail begins at LeadBegin() and has one value of LeadPiece(). It runs again to the
  // present time, and then no further than the trail is known. With the clock the trail goes on to
  // where the hand is.
  void BeginLead(std::shared_ptr<const Experiment> experiment, HandLead lead, size_t pane);
  void LeadTo(const Eigen::Vector3d& place);  // m, world
  // Leaves the trail; the runs go on.
  void EndLead() { hand_.reset(); }
  bool leading() const { return hand_.has_value(); }
  // No run has come so far [s]. It and the ends of all pieces stand just behind recorded times:
  // what a run does before it stops does not depend on what comes then.
  double LeadBegin() const;
  double LeadPiece() const;  // s, for which one value of the trail holds

  // Transport. Times in s.
  void Play();
  void PlayBack();  // over what is recorded, to its start; at the start from its end
  void Pause();
  void StepForward();  // to the next recorded time
  void StepBack();     // to the last one
  // To the next phase of the step that begins now, after the last one into the next step. The clock
  // stays; whatever moves it ends the looking into steps.
  void StepPhase();
  void Scrub(double time);      // to a time that is recorded
  void Restart();               // the clock to 0; what is recorded stays
  void SetSpeed(double speed);  // simulated seconds in a second, > 0
  // `elapsed` wall seconds have passed: collects news, moves the clock.
  void Tick(double elapsed);

  bool playing() const { return playing_; }  // forwards or backwards
  bool backwards() const { return playing_ && backwards_; }
  double speed() const { return speed_; }
  double time() const { return time_; }
  double EndTime() const;      // of the plan, or of the longest bundle
  double RecordedEnd() const;  // up to where the clock may go now
  // Does the clock wait for a run that was begun again?
  bool CatchingUp() const;
  bool AtEnd() const;
  // Simulated over wall seconds of late, whichever way; 0 while it does not play.
  double RealTimeFactor() const { return real_time_factor_; }

  const std::vector<Pane>& panes() const { return panes_; }
  // What a pane shows now: its recording at the time of the clock, or a phase. Null: nothing yet.
  std::shared_ptr<const PaneFrame> Shown(size_t pane) const;
  // Null unless a pane shows a phase of a step.
  const ShownPhase* Phase(size_t pane) const { return phases_.At(pane); }
  bool LooksIntoSteps() const { return phases_.active(); }
  // Null when nothing, or only bundles, are open.
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  // Place of the pane whose label is the experiment's reference; -1 when there is none.
  int ReferencePane() const;

 signals:
  void Opened();               // other panes, or none
  void PaneChanged(int pane);  // it started, or ended
  void Recorded();             // new frames
  void TimeChanged();
  void PlayingChanged(bool playing);
  void Said(const QString& line);  // for the log

 private:
  void Clear();
  void Begin();  // workers for all panes of experiment_
  void CollectNews();
  void TakeStart(size_t pane, PaneStart start);
  void TakeEnd(size_t pane, const PaneEnd& end);
  void AllowWorkers();
  void Rerun(std::shared_ptr<const Experiment> experiment);
  void ExtendTrail();
  double KnownOfHand() const;  // s, the recorded time up to which runs may go
  Eigen::Vector3d NextOfHand() const;
  double BehindRecords() const;
  void MoveTo(double time);
  void SetPlaying(bool playing, bool backwards = false);
  void EndPhases();
  void Measure(double simulated, double elapsed);
  double RecordEvery() const;

  std::shared_ptr<const Experiment> experiment_;
  std::vector<Pane> panes_;
  RetiredJobs<PaneWorker> retired_;
  PhaseStepper phases_;
  bool playing_ = false, backwards_ = false;
  double speed_ = 1.0;
  double time_ = 0.0;  // s
  double goal_ = 0.0;  // s, where the clock is heading while it does not play
  double real_time_factor_ = 0.0;
  struct Hand {
    HandLead lead;
    size_t pane = 0;
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  // m, where it is now
  };
  std::optional<Hand> hand_;  // that leads now
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_SESSION_H_
