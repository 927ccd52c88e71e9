// The page of plans: how a spacetime optimisation finds the jump of a lamp, iteration after
// iteration: what the motion costs, how far it breaks its constraints, and the motion itself as
// ghosts of the body.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PLAN_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_PLAN_PAGE_H_

#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "app/workbench/jobs/plan_job.h"
#include "app/workbench/pages/page_parts.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QPushButton;
class QSlider;

namespace pliant {

class GhostView;
class OpenExperiment;

// Cost of the motion, and its worst violation, against the iteration.
std::array<Plot, 2> PlanPlots(const std::vector<articulated_lamp::PlanSight>& iterations);

// The best iteration on the finest mesh that was reached: of those that keep the constraints to the
// planner's tolerance the cheapest, where none does the one nearest to it. Empty without
// iterations.
std::optional<size_t> BestOf(const std::vector<articulated_lamp::PlanSight>& iterations);

class PlanPage : public QWidget {
  Q_OBJECT

 public:
  explicit PlanPage(OpenExperiment* open, QWidget* parent = nullptr);

  void Refresh();  // once a tick: takes what is new
  void Reload();   // another experiment is open, or the same was edited: ends the last plan

  void Start();
  void SetPaused(bool paused);
  void Stop();

  bool planning() const { return job_.works(); }
  bool CanPlan() const;  // does the experiment ask for a plan?
  const std::vector<articulated_lamp::PlanSight>& iterations() const { return iterations_; }
  const QString& end() const { return end_; }

 signals:
  void Said(const QString& line);

 private:
  void ShowState();
  void ShowIteration(int number);
  void ShowCurves();

  OpenExperiment* open_;
  JobInSight<PlanNews> job_;
  std::shared_ptr<const Scene> scene_;
  std::vector<articulated_lamp::PlanSight> iterations_;
  QString end_;
  QComboBox* backend_;
  std::unique_ptr<JobButtons> buttons_;
  QPushButton* best_;
  QCheckBox* slowly_;
  QLabel* state_;
  std::array<QCustomPlot*, 2> plots_;
  GhostView* ghosts_;
  QSlider* which_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PLAN_PAGE_H_
