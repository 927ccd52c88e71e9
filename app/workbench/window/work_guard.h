// Keeps what the window works on, so that a crash or a kill loses nothing: after each edit, and when
// the work of a page has changed.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_WORK_GUARD_H_
#define PLIANT_APP_WORKBENCH_WINDOW_WORK_GUARD_H_

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "app/workbench/recovery/work_keeper.h"

namespace pliant {

class OpenExperiment;
class PageDocks;

class WorkGuard : public QObject {
  Q_OBJECT

 public:
  // Keeps it in a folder of its own in `kept`; keeps nothing when that is empty. The others outlive
  // this object.
  WorkGuard(OpenExperiment* open, PageDocks* pages, std::filesystem::path kept);
  ~WorkGuard() override;

  // Opens the newest work that a workbench left when it was killed, if there is any, and keeps it
  // from then on. What cannot be read is set aside, with one line for each.
  void RestoreLeftWork();
  void Forget();  // the window closes: nothing is unsaved any more
  bool UpToDate() const;

 signals:
  void Logged(const QString& line);

 private:
  void Look();
  bool Restore(const std::filesystem::path& folder);

  OpenExperiment* open_;
  PageDocks* pages_;
  std::filesystem::path kept_;
  std::unique_ptr<WorkKeeper> keeper_;  // from the first work on
  KeptWork last_;                       // that was given to it
  int restores_ = 0;
  bool restoring_ = false, forgotten_ = false;
  QTimer timer_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_WORK_GUARD_H_
