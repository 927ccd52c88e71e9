#include "app/workbench/pages/search_page.h"

#include <qcustomplot.h>

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/plots/draw.h"
#include "app/plots/search_plots.h"
#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/widgets/ghost_view.h"
#include "experiments/files/document.h"
#include "experiments/searches/run_searches.h"

namespace pliant {

namespace {

constexpr char kNameKey[] = "name", kExperimentKey[] = "experiment";  // of SaveWork()

}  // namespace

SearchPage::SearchPage(const PageContext& context, QWidget* parent)
    : Page(parent), open_(context.experiment), log_(context.log), out_(context.runs) {
  QVBoxLayout* column = TightColumn(this);
  buttons_ = std::make_unique<JobButtons>(
      "search", this, column,
      JobButtons::Press{"Run the search of the [optimize] table, or resume it where it "
                        "was stopped; another experiment gets a folder of its own",
                        [this] { Start(); }},
      JobButtons::Press{"Pause after the present trial", [this] { SetPaused(!job_.paused()); }},
      JobButtons::Press{"Stop after the present trial and write the results", [this] { Stop(); }});
  keep_ = buttons_->Add("Keep best", {"Copy the best motion so far into the "
                                      "experiment (undo restores the previous one)",
                                      [this] { KeepBest(); }});
  buttons_->row->addStretch(1);
  state_ = new QLabel(this);
  state_->setObjectName("search state");
  state_->setWordWrap(true);
  column->addWidget(state_);
  plot_ = new QCustomPlot(this);
  plot_->setMinimumSize(220, 160);
  column->addWidget(plot_, 2);
  ghosts_ =
      new GhostView("The best motion so far at equal time intervals, later poses darker", this);
  ghosts_->setObjectName("ghosts");
  column->addWidget(ghosts_, 1);
  ShowState();
}

QString SearchPage::WhyNot() const {
  const auto& experiment = open_->experiment();
  return experiment != nullptr && HasSearchPlan(*experiment)
             ? ""
             : "There is nothing to search: the experiment has no [optimize] table.";
}

void SearchPage::Reload() {
  job_.Leave();
  motion_.Leave();
  moved_.resize(0);
  ghosts_->Show(nullptr, {});
  record_ = {};
  searched_.reset();
  drawn_ = false;
  ShowState();
}

void SearchPage::Start() {
  if (!searching() && WhyNot().isEmpty()) Begin(open_->experiment());
}

void SearchPage::Begin(std::shared_ptr<const Experiment> experiment) {
  record_ = {};
  folder_.clear();
  moved_.resize(0);
  searched_ = std::move(experiment);
  searched_toml_ = ToToml(*searched_);
  job_.Begin(BeginSearch(searched_, out_));
  ShowState();
}

void SearchPage::TakeStart(SearchRecord record, const std::string& name) {
  record_ = std::move(record);
  const size_t past = TrialCount();
  const QString folder = QString::fromStdString((out_ / name / kSearchFolder).string());
  log_->Add(past > 0 ? QString("the search resumes after %1 trials in %2").arg(past).arg(folder)
                     : "the search has started, for " + folder);
}

size_t SearchPage::TrialCount() const {
  size_t trials = 0;
  for (const SearchHistory& history : record_.histories) trials += history.trials.size();
  return trials;
}

std::map<std::string, std::string> SearchPage::SaveWork() const {
  if (!searching()) return {};
  return {{kNameKey, searched_->name}, {kExperimentKey, searched_toml_}};
}

void SearchPage::RestoreWork(const std::map<std::string, std::string>& work) {
  try {
    Experiment before;
    before.name = work.at(kNameKey);
    const auto source = std::make_shared<FileSource>(FileSource{before.name, {}, false});
    Begin(Reread(before, ParseToml(work.at(kExperimentKey), source)));
  } catch (const std::exception& wrong) {
    log_->Add(QString("the search is not resumed: ") + wrong.what());
  }
}

void SearchPage::SetPaused(bool paused) {
  job_.SetPaused(paused);
  ShowState();
}

void SearchPage::Stop() {
  SetPaused(false);
  job_.Stop();
}

const Trial* SearchPage::Best() const {
  const auto place = BestOf(record_.histories);
  return place ? &record_.histories[place->search].trials[place->trial] : nullptr;
}

void SearchPage::KeepBest() {
  const Trial* best = Best();
  if (best == nullptr) return;
  // The search ran on the experiment at its start; later edits are preserved.
  open_->KeepNumbers(best->numbers);
}

void SearchPage::Refresh() {
  if (std::optional<SearchNews> news = job_.Collect()) {
    if (news->start) TakeStart(std::move(*news->start), news->name);
    for (auto& [search, trial] : news->trials) {
      record_.histories[search].trials.push_back(std::move(trial));
    }
    drawn_ = drawn_ && news->trials.empty() && !news->start;
    if (!news->folder.empty()) folder_ = news->folder;
    for (const std::string& warning : news->warnings)
      log_->Add(QString::fromStdString("warning: " + warning));
    if (news->end) {
      record_.outcome = *news->end;
      log_->Add("search " + QString::fromStdString(*news->end) +
                (folder_.empty() ? QString() : "; " + QString::fromStdString(folder_)));
    }
    if (!news->trials.empty() || news->start || news->end) ShowState();
  }
  if (!drawn_ && isVisible()) Redraw();
  ShowMotion();
}

// Runs one motion at a time; a better one that is found meanwhile comes next.
void SearchPage::ShowMotion() {
  if (std::optional<MotionNews> news = motion_.Collect()) {
    if (!news->poses.empty()) ghosts_->Show(searched_->scene, std::move(news->poses));
  }
  const Trial* best = Best();
  if (best == nullptr || motion_.works() || !isVisible()) return;
  if (moved_.size() == best->numbers.size() && moved_ == best->numbers) return;
  moved_ = best->numbers;
  motion_.Begin(BeginMotion(searched_, moved_));
}

void SearchPage::Redraw() {
  drawn_ = true;
  std::vector<Plot> plots;
  const bool any = std::any_of(record_.histories.begin(), record_.histories.end(),
                               [](const SearchHistory& h) { return !h.trials.empty(); });
  if (any) plots = SearchPlots(record_);
  Draw(plots.empty() ? Plot() : plots.front(), plot_);
  plot_->replot();
}

void SearchPage::ShowState() {
  const bool can = WhyNot().isEmpty();
  const size_t trials = TrialCount();
  const Trial* best = Best();
  QString words = searching() ? (job_.paused() ? "paused" : "searching")
                              : QString::fromStdString(record_.outcome);
  if (trials > 0) words += QString(": %1 trials").arg(trials);
  if (best != nullptr) words += QString(", best cost %1").arg(best->score.cost, 0, 'g', 5);
  state_->setText(words.isEmpty() ? "Start runs the search of pliant optimize, or resumes it."
                                  : words);
  buttons_->Show(can, searching(), job_.paused());
  keep_->setEnabled(can && best != nullptr);
}

Page* MakeSearchPage(const PageContext& context, QWidget* parent) {
  return new SearchPage(context, parent);
}

}  // namespace pliant
