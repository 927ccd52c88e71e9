// The page of motion problems: starts the search of an experiment that has one, shows cost against
// trial and the best motion so far while it runs, and puts that into the experiment.

#ifndef PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_

#include <QWidget>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/workbench/jobs/motion_job.h"
#include "app/workbench/jobs/search_job.h"
#include "app/workbench/pages/page_parts.h"

class QCustomPlot;
class QLabel;

namespace pliant {

class GhostView;
class OpenExperiment;

class SearchPage : public QWidget {
  Q_OBJECT

 public:
  SearchPage(OpenExperiment* open, std::filesystem::path out, QWidget* parent = nullptr);

  // Once a tick: takes what is new.
  void Refresh();
  // Another experiment is open: ends the search of the last one.
  void Reload();

  void Start();
  void SetPaused(bool paused);
  void Stop();
  void KeepBest();  // as an edit that can be undone

  bool searching() const { return job_.works(); }
  const OptimizationRecord& record() const { return record_; }

 signals:
  void Said(const QString& line);

 private:
  void Redraw();
  void ShowState();
  void ShowMotion();
  const Trial* Best() const;

  OpenExperiment* open_;
  std::filesystem::path out_;
  JobInSight<SearchNews> job_;
  JobInSight<MotionNews> motion_;
  Eigen::VectorXd moved_;  // the numbers of the motion that is shown, or will be
  std::shared_ptr<const Experiment> searched_;
  OptimizationRecord record_;
  bool drawn_ = true;
  std::unique_ptr<JobButtons> buttons_;
  QPushButton* keep_;
  QLabel* state_;
  QCustomPlot* plot_;
  GhostView* ghosts_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_
