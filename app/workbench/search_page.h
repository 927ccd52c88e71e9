// The page of motion problems: starts the search of an experiment that has one, shows cost against
// trial while it runs, and puts the best motion found so far into the experiment.

#ifndef PLIANT_APP_WORKBENCH_SEARCH_PAGE_H_
#define PLIANT_APP_WORKBENCH_SEARCH_PAGE_H_

#include <QWidget>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/workbench/page_parts.h"
#include "app/workbench/search_job.h"

class QCustomPlot;
class QLabel;

namespace pliant {

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
  const Trial* Best() const;

  OpenExperiment* open_;
  std::filesystem::path out_;
  JobInSight<SearchNews> job_;
  std::shared_ptr<const Experiment> searched_;
  OptimizationRecord record_;
  bool drawn_ = true;
  std::unique_ptr<JobButtons> buttons_;
  QPushButton* keep_;
  QLabel* state_;
  QCustomPlot* plot_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SEARCH_PAGE_H_
