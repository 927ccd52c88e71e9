// Keeps the work of a window on disk by a thread of its own, so that the window never waits for the
// disk. No Qt.

#ifndef PLIANT_APP_WORKBENCH_RECOVERY_WORK_KEEPER_H_
#define PLIANT_APP_WORKBENCH_RECOVERY_WORK_KEEPER_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/workbench/recovery/kept_work.h"

namespace pliant {

class WorkKeeper {
 public:
  explicit WorkKeeper(std::unique_ptr<WorkFolder> folder);
  ~WorkKeeper();  // after the last work is written; it stays
  WorkKeeper(const WorkKeeper&) = delete;
  WorkKeeper& operator=(const WorkKeeper&) = delete;

  // Returns at once. Of several works that are given while one is written the last is kept.
  void Keep(KeptWork work);
  // Is everything written that was given? False also after a failure.
  bool UpToDate() const;
  // Why the work could not be kept, one line, once for each failure; else empty.
  std::string CollectFailure();
  // The work has ended: nothing is kept any more. Waits for what is being written.
  void Forget();

 private:
  void Work(const std::stop_token& stop);

  mutable std::mutex mutex_;  // of all below but the thread and the folder
  std::condition_variable_any given_;
  std::optional<KeptWork> next_;
  bool up_to_date_ = true;
  std::string failure_;
  std::unique_ptr<WorkFolder> folder_;  // of the thread; after its end of the others
  std::jthread thread_;                 // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_RECOVERY_WORK_KEEPER_H_
