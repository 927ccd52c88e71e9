#include "app/workbench/pages/plan_page.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>
#include <utility>

#include "app/plots/draw.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/widgets/ghost_view.h"

namespace pliant {
namespace {

constexpr double kForEyes = 0.15;  // s after each iteration when "slowly" is checked

}  // namespace

std::array<Plot, 2> PlanPlots(const std::vector<PlanSight>& iterations) {
  std::array<Plot, 2> plots;
  const char* const words[] = {"cost J", "largest violation"};
  for (size_t p = 0; p < 2; ++p) {
    plots[p].x = {"outer iteration", "1", false};
    std::vector<PlottedCurve> curves(1);  // of each start
    for (const PlanSight& sight : iterations) {
      curves.resize(std::max(curves.size(), sight.start + 1));
      PlottedCurve& curve = curves[sight.start];
      curve.x.push_back(static_cast<double>(curve.x.size() + 1));
      curve.y.push_back(p == 0 ? sight.iteration.cost : sight.iteration.violation);
    }
    for (size_t start = 0; start < curves.size(); ++start) {
      const bool alone = curves.size() == 1;
      curves[start].name = curves[start].run = alone ? words[p] : "start " + std::to_string(start);
      curves[start].style = StyleOfPart(static_cast<int>(alone ? p : start));
    }
    std::erase_if(curves, [](const PlottedCurve& curve) { return curve.x.empty(); });
    plots[p].panels.push_back({"", {words[p], "1", true}, std::move(curves)});
  }
  return plots;
}

std::optional<size_t> BestSight(const std::vector<PlanSight>& iterations) {
  if (iterations.empty()) return std::nullopt;
  const double tolerance = SpacetimeOptions().violation_tolerance;
  const auto worth = [&](const PlanSight& sight) {  // smaller is better
    const double beyond = std::max(sight.iteration.violation - tolerance, 0.0);
    return std::tuple(sight.mesh_step, beyond, sight.iteration.cost);
  };
  const auto best =
      std::min_element(iterations.begin(), iterations.end(),
                       [&](const PlanSight& a, const PlanSight& b) { return worth(a) < worth(b); });
  return static_cast<size_t>(best - iterations.begin());
}

PlanPage::PlanPage(const PageContext& context, QWidget* parent)
    : Page(parent), open_(context.experiment), log_(context.log) {
  QVBoxLayout* column = TightColumn(this);
  backend_ = new QComboBox(this);
  column->addWidget(backend_);
  buttons_ = std::make_unique<JobButtons>(
      "plan", this, column,
      JobButtons::Press{"Plan the jump and display each iteration; the pane "
                        "shows the result of the backend's own plan",
                        [this] { Start(); }},
      JobButtons::Press{"Pause after the present iteration", [this] { SetPaused(!job_.paused()); }},
      JobButtons::Press{"Stop; the page keeps the iterations", [this] { Stop(); }});
  best_ = buttons_->Add("Show best", {"Show the cheapest motion so far that satisfies the "
                                      "constraints, or the one with the smallest violation",
                                      [this] {
                                        if (const auto best = BestSight(iterations_))
                                          which_->setValue(static_cast<int>(*best) + 1);
                                      }});
  slowly_ = new QCheckBox("slowly", this);
  slowly_->setToolTip("Wait briefly after every iteration");
  slowly_->setChecked(true);
  buttons_->row->addWidget(slowly_);
  buttons_->row->addStretch(1);
  state_ = new QLabel(this);
  state_->setObjectName("plan state");
  state_->setWordWrap(true);
  column->addWidget(state_);
  ghosts_ = new GhostView(
      "The motion of this iteration at equal time intervals, later poses darker", this);
  column->addWidget(ghosts_, 1);
  which_ = new QSlider(Qt::Horizontal, this);
  which_->setToolTip("The iteration that is displayed above");
  column->addWidget(which_);
  for (QCustomPlot*& plot : plots_) {
    plot = new QCustomPlot(this);
    plot->setMinimumSize(200, 110);
    column->addWidget(plot, 1);
  }
  connect(which_, &QSlider::valueChanged, this, &PlanPage::ShowIteration);
  connect(open_, &OpenExperiment::Edited, this, &PlanPage::Reload);
  Reload();
}

void PlanPage::Reload() {
  job_.Leave();
  iterations_.clear();
  end_.clear();
  backend_->clear();
  if (open_->experiment() != nullptr) {
    for (const size_t index : PlannedBackends(*open_->experiment())) {
      const BackendChoice& choice = open_->experiment()->backends[index];
      backend_->addItem(QString::fromStdString(choice.label), QVariant::fromValue(index));
    }
  }
  ghosts_->Show(nullptr, {});
  ShowCurves();
  ShowState();
}

QString PlanPage::WhyNot() const {
  return backend_->count() > 0
             ? ""
             : "There is nothing to plan: no lamp of this experiment has "
               "controller = \"planned\", and no dynamic-ffd planned_jump = true.";
}

void PlanPage::Start() {
  if (planning() || !WhyNot().isEmpty()) return;
  iterations_.clear();
  end_.clear();
  const auto index = backend_->currentData().value<size_t>();
  scene_ = SceneOf(*open_->experiment(), index);
  job_.Begin(BeginPlan(open_->experiment(), index, slowly_->isChecked() ? kForEyes : 0.0));
  log_->Add("planning has started");
  ShowState();
}

void PlanPage::SetPaused(bool paused) {
  job_.SetPaused(paused);
  ShowState();
}

void PlanPage::Stop() { job_.Stop(); }

void PlanPage::Refresh() {
  std::optional<PlanNews> news = job_.Collect();
  if (!news || (news->iterations.empty() && !news->end)) return;
  for (PlanSight& sight : news->iterations) iterations_.push_back(std::move(sight));
  if (news->end) {
    end_ = QString::fromStdString(*news->end);
    log_->Add("plan: " + end_);
  }
  ShowState();
  if (iterations_.empty()) return;
  const bool follows = which_->value() == which_->maximum();
  which_->setRange(1, static_cast<int>(iterations_.size()));
  if (follows) which_->setValue(which_->maximum());
  ShowIteration(which_->value());
  ShowCurves();
}

void PlanPage::ShowCurves() {
  const std::array<Plot, 2> plots = PlanPlots(iterations_);
  for (size_t p = 0; p < 2; ++p) {
    Draw(iterations_.empty() ? Plot() : plots[p], plots_[p], Below::kPartsOnly);
    plots_[p]->replot();
  }
}

void PlanPage::ShowIteration(int number) {
  if (number < 1 || number > static_cast<int>(iterations_.size())) return;
  ghosts_->Show(scene_, iterations_[static_cast<size_t>(number - 1)].poses);
  ShowState();
}

void PlanPage::ShowState() {
  const bool can = WhyNot().isEmpty();
  QString words = planning()       ? (job_.paused() ? "paused" : "planning")
                  : end_.isEmpty() ? "Start plans the jump and displays each iteration."
                                   : end_;
  const int number = which_->value();
  if (can && number >= 1 && number <= static_cast<int>(iterations_.size())) {
    const PlanSight& sight = iterations_[static_cast<size_t>(number - 1)];
    words += QString(
                 "\niteration %1 of %2, start %9, %3, mesh %4 s, penalty or barrier %5: cost "
                 "%6, violation %7, %8 s long")
                 .arg(number)
                 .arg(iterations_.size())
                 .arg(QString::fromUtf8(sight.iteration.stage.data(),
                                        static_cast<qsizetype>(sight.iteration.stage.size())))
                 .arg(sight.mesh_step, 0, 'g', 3)
                 .arg(sight.iteration.penalty, 0, 'g', 3)
                 .arg(sight.iteration.cost, 0, 'g', 5)
                 .arg(sight.iteration.violation, 0, 'g', 3)
                 .arg(sight.duration, 0, 'g', 3)
                 .arg(sight.start);
  }
  state_->setText(words);
  backend_->setVisible(backend_->count() > 1);
  backend_->setEnabled(!planning());
  buttons_->Show(can, planning(), job_.paused());
  which_->setEnabled(!iterations_.empty());
  best_->setEnabled(!iterations_.empty());
}

Page* MakePlanPage(const PageContext& context, QWidget* parent) {
  return new PlanPage(context, parent);
}

}  // namespace pliant
