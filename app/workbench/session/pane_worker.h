// One pane's work, on a thread of its own: it runs a backend through the run path that the command
// line uses, or reads a bundle, and puts what it has to say (values, nothing shared) where the
// session collects it. An exception is news like any other.

#ifndef PLIANT_APP_WORKBENCH_SESSION_PANE_WORKER_H_
#define PLIANT_APP_WORKBENCH_SESSION_PANE_WORKER_H_

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/workbench/edits/hand_gesture.h"
#include "app/workbench/session/checkpoints.h"
#include "app/workbench/session/recording.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"

namespace pliant {

// What is known once a scene is translated, or a bundle opened.
struct PaneStart {
  std::shared_ptr<const Experiment> experiment;  // of a bundle: as it was run; else null
  std::vector<SeriesColumn> columns;             // of the rows of its frames
  std::vector<TranslatedElement> translation;
  std::vector<std::string> warnings;
  std::vector<FindingTable> findings;
};

struct PaneEnd {
  RunOutcome outcome;
  std::string failure;  // what was thrown; empty when the outcome says it all
};

struct PaneNews {
  std::optional<PaneStart> start;
  std::vector<std::shared_ptr<const PaneFrame>> frames;
  std::optional<PaneEnd> end;
};

class PaneWorker {
 public:
  // Translates and runs the backend at `index`; waits where AllowUntil() has not allowed it to go
  // on. With a hand that leads, which `experiment` has in its scene, it must not be allowed to go
  // on where its trail is not known.
  PaneWorker(std::shared_ptr<const Experiment> experiment, size_t index,
             std::optional<HandLead> lead = std::nullopt);
  // Reads the frames of a bundle.
  explicit PaneWorker(std::filesystem::path bundle);
  ~PaneWorker();  // waits for the present step
  PaneWorker(const PaneWorker&) = delete;
  PaneWorker& operator=(const PaneWorker&) = delete;

  // It stops at the first recorded time that is not before `time` [s]. Never waits.
  void AllowUntil(double time);
  // What is new since the last call. Never waits for a step.
  PaneNews Collect();
  // Asks it to end; it does so after the present step.
  void Stop() { thread_.request_stop(); }
  bool finished() const;
  // States of the run, of which there will be more; empty of a bundle.
  std::shared_ptr<const Checkpoints> checkpoints() const { return checkpoints_; }

 private:
  void Simulate(const std::shared_ptr<const Experiment>& experiment, size_t index,
                const std::optional<HandLead>& lead, const std::stop_token& stop);
  void Replay(const std::filesystem::path& bundle, const std::stop_token& stop);
  void Work(const std::function<void()>& job);
  void WaitAt(double time, const std::stop_token& stop);
  void Post(PaneFrame frame);
  void Post(PaneEnd end);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any allowed_more_;
  PaneNews news_;
  double allowed_ = 0.0;  // s
  bool finished_ = false;
  const std::shared_ptr<Checkpoints> checkpoints_ = std::make_shared<Checkpoints>();
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_PANE_WORKER_H_
