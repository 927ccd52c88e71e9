// The page of plans: displays each iteration of the spacetime optimisation of the jump of a lamp:
// its cost, its constraint violation, and the motion as ghosts of the body.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PLAN_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_PLAN_PAGE_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "app/workbench/jobs/plan_job.h"
#include "app/workbench/pages/page.h"
#include "app/workbench/pages/page_parts.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QPushButton;
class QSlider;

namespace pliant {

class GhostView;

// Cost and largest constraint violation of the motion against the iteration.
std::array<Plot, 2> PlanPlots(const std::vector<PlanSight>& iterations);

// The best iteration on the finest mesh so far: the cheapest of those that satisfy the constraints
// to the tolerance of the planner, or the one with the smallest violation when none does. Empty
// without iterations.
std::optional<size_t> BestSight(const std::vector<PlanSight>& iterations);

class PlanPage : public Page {
  Q_OBJECT

 public:
  explicit PlanPage(const PageContext& context, QWidget* parent = nullptr);

  QString WhyNot() const override;
  void Reload() override;   // ends the plan of the experiment as it was
  void Refresh() override;  // displays the iterations since the last tick

  void Start();
  void SetPaused(bool paused);
  void Stop();

  bool planning() const { return job_.works(); }
  const std::vector<PlanSight>& iterations() const { return iterations_; }
  const QString& end() const { return end_; }

 private:
  void ShowState();
  void ShowIteration(int number);
  void ShowCurves();

  OpenExperiment* open_;
  LogModel* log_;
  CurrentJob<PlanNews> job_;
  std::shared_ptr<const Scene> scene_;
  std::vector<PlanSight> iterations_;
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
