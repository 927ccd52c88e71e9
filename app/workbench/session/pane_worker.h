// The worker thread of one pane: it runs a backend as the command line does, or reads a bundle, and
// posts its news, as values, for the session to collect. An exception is reported as news.

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

// What is known once the scene is translated or the bundle is open.
struct PaneStart {
  std::shared_ptr<const Experiment>
      experiment;                     // of a bundle: the experiment that was run; else null
  std::vector<SeriesColumn> columns;  // of the rows of its frames
  std::vector<TranslatedElement> translation;
  std::vector<std::string> warnings;
  std::vector<FindingTable> findings;
};

struct PaneEnd {
  RunOutcome outcome;
  std::string failure;  // message of an exception; else empty
};

struct PaneNews {
  std::optional<PaneStart> start;
  std::vector<std::shared_ptr<const PaneFrame>> frames;
  std::optional<PaneEnd> end;
};

class PaneWorker {
 public:
  // Translates the scene and runs the backend at `index` as far as AllowUntil() allows. `drag` is a
  // drag that the scene of `experiment` holds; the run must not be allowed past the end of its
  // trail.
  PaneWorker(std::shared_ptr<const Experiment> experiment, size_t index,
             std::optional<LiveDrag> drag = std::nullopt);
  // Reads the frames of a bundle.
  explicit PaneWorker(std::filesystem::path bundle);
  ~PaneWorker();  // waits for the present step, or for the next iteration of the preparation
  PaneWorker(const PaneWorker&) = delete;
  PaneWorker& operator=(const PaneWorker&) = delete;

  // Lets the run advance to the first recorded time at or after `time` [s]. Never waits.
  void AllowUntil(double time);
  // What is new since the last call. Never waits for a step.
  PaneNews Collect();
  // Requests the end, which comes after the present step.
  void Stop() { thread_.request_stop(); }
  bool finished() const;
  // States of the run, more of them as it goes on; empty for a bundle.
  std::shared_ptr<const Checkpoints> checkpoints() const { return checkpoints_; }

 private:
  void Simulate(const std::shared_ptr<const Experiment>& experiment, size_t index,
                const std::optional<LiveDrag>& drag, const std::stop_token& stop);
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
