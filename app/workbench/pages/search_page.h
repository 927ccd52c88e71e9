// The page of searches: runs the search of an experiment with an [optimize] table, displays the
// cost against the trial and the best motion so far, and copies that motion into the experiment.

#ifndef PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_

#include <filesystem>
#include <memory>

#include "app/workbench/jobs/motion_job.h"
#include "app/workbench/jobs/search_job.h"
#include "app/workbench/pages/page.h"
#include "app/workbench/pages/page_parts.h"

class QCustomPlot;
class QLabel;

namespace pliant {

class GhostView;

class SearchPage : public Page {
  Q_OBJECT

 public:
  explicit SearchPage(const PageContext& context, QWidget* parent = nullptr);

  QString WhyNot() const override;
  void Reload() override;   // ends the search of the experiment that was open
  void Refresh() override;  // displays the trials since the last tick
  // The experiment of the present search: the search resumes.
  std::map<std::string, std::string> SaveWork() const override;
  void RestoreWork(const std::map<std::string, std::string>& work) override;

  void Start();
  void SetPaused(bool paused);
  void Stop();
  void KeepBest();  // as an edit that can be undone

  bool searching() const { return job_.works(); }
  const SearchRecord& record() const { return record_; }

 private:
  void Begin(std::shared_ptr<const Experiment> experiment);
  void Redraw();
  void ShowState();
  void ShowMotion();
  void TakeStart(SearchRecord record, const std::string& name);
  size_t TrialCount() const;
  const Trial* Best() const;

  OpenExperiment* open_;
  LogModel* log_;
  std::filesystem::path out_;
  CurrentJob<SearchNews> job_;
  CurrentJob<MotionNews> motion_;
  Eigen::VectorXd moved_;  // the numbers of the displayed motion, or of the next one
  std::shared_ptr<const Experiment> searched_;
  std::string searched_toml_;  // the same as a file
  SearchRecord record_;
  std::filesystem::path folder_;  // of its results; empty: nothing is written yet
  bool drawn_ = true;
  std::unique_ptr<JobButtons> buttons_;
  QPushButton* keep_;
  QLabel* state_;
  QCustomPlot* plot_;
  GhostView* ghosts_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_SEARCH_PAGE_H_
