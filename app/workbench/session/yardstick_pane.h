// The kept yardstick of what the panes show: looked for and read in the background, as a pane that is
// drawn over the others and not beside them. No widgets.

#ifndef PLIANT_APP_WORKBENCH_SESSION_YARDSTICK_PANE_H_
#define PLIANT_APP_WORKBENCH_SESSION_YARDSTICK_PANE_H_

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/workbench/jobs/yardstick_job.h"
#include "app/workbench/session/pane.h"

namespace pliant {

class YardstickPane {
 public:
  ~YardstickPane();

  // Looks for that of the experiment, where its reference is the yardstick and no backend of it has this
  // label. Leaves the one before.
  void LookFor(const std::shared_ptr<const Experiment>& experiment,
               const std::filesystem::path& near);
  void Leave();

  struct News {
    bool complete = false;  // it can be shown from now on
    std::string problem;    // why there is none
  };
  // Never waits.
  News Collect();

  // Null until it is read to its end.
  const Pane* pane() const { return complete_ ? &pane_ : nullptr; }
  // By the name of the column, of each recorded time.
  const std::map<std::string, std::vector<double>>& errors() const { return found_->errors; }

 private:
  CurrentJob<YardstickNews> looking_;
  std::shared_ptr<const FoundYardstick> found_;
  Pane pane_;
  RetiredJobs<PaneWorker> retired_;
  bool complete_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_YARDSTICK_PANE_H_
