// One pane of a session: a backend or a bundle, its state and its recording.

#ifndef PLIANT_APP_WORKBENCH_SESSION_PANE_H_
#define PLIANT_APP_WORKBENCH_SESSION_PANE_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/style.h"
#include "app/workbench/session/pane_worker.h"
#include "app/workbench/session/recording.h"

namespace pliant {

enum class PaneState { kPreparing, kRunning, kEnded, kFrozen };

struct Pane {
  std::string label;
  std::filesystem::path bundle;        // empty: a run of the experiment
  const Backend* backend = nullptr;    // null until a bundle is open
  std::shared_ptr<const Scene> scene;  // likewise
  bool varies = false;                 // the scene is a variant of that of the experiment
  LineStyle style;
  PaneState state = PaneState::kPreparing;
  bool diverged = false;
  std::string reason;  // how the run ended; empty while it runs
  PaneStart start;
  Recording recording;
  std::shared_ptr<const Checkpoints> checkpoints;  // of the run; null for a bundle
  Recording before;                    // of the run before an edit, shown until the new run has
                                       // come as far
  bool stale = false;                  // the recording is that of the run before an edit; the
                                       // new run has not started
  std::unique_ptr<PaneWorker> worker;  // null when it has ended
};

inline constexpr size_t kMostPanes = 6;

// Is the worker of the pane still running?
inline bool IsRunning(const Pane& pane) { return pane.worker != nullptr; }

// Gives each pane the line style of its backend.
void StylePanes(std::vector<Pane>* panes);

// How a run ended, as one sentence.
std::string TextOf(const RunOutcome& outcome);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_PANE_H_
