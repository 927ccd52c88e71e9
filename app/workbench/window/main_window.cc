#include "app/workbench/window/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/console_page.h"
#include "app/workbench/pages/curve_page.h"
#include "app/workbench/pages/editor_page.h"
#include "app/workbench/pages/models.h"
#include "app/workbench/pages/pages.h"
#include "app/workbench/pages/parameter_model.h"
#include "app/workbench/pages/plan_page.h"
#include "app/workbench/pages/search_page.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/leading_hand.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/saved_views.h"
#include "app/workbench/view/view_bar.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/transport_bar.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

constexpr int kTick = 16;              // ms
constexpr double kForgetting = 0.995;  // of the longest pause, each tick

QDockWidget* Dock(QMainWindow* window, const QString& title, QWidget* page,
                  Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, window);
  dock->setObjectName(title);
  dock->setWidget(page);
  window->addDockWidget(area, dock);
  return dock;
}

}  // namespace

MainWindow::MainWindow(const WorkbenchPlaces& places)
    : places_(places),
      session_(new Session(this)),
      view_(new ViewState(session_, this)),
      open_(new OpenExperiment(this)),
      library_(new LibraryModel(this)),
      log_(new LogModel(this)),
      leading_hand_(new LeadingHand(view_, open_, this)),
      saved_views_(new SavedViews(view_, this)),
      parameter_model_(new ParameterModel(open_, this)) {
  setAcceptDrops(true);
  library_->Load(places.home, places.runs);
  Compose();
  FillMenus();
  connect(session_, &Session::Said, log_, &LogModel::Say);
  connect(open_, &OpenExperiment::Refused, this, &MainWindow::Tell);
  connect(leading_hand_, &LeadingHand::Said, this, &MainWindow::Tell);
  connect(open_, &OpenExperiment::Edited, this, [this] {
    if (leading_hand_->finishing()) {
      session_->Adopt(open_->experiment());
    } else {
      session_->Pause();
      session_->Change(open_->experiment());
    }
    plan_->Reload();
  });
  connect(open_->history(), &QUndoStack::cleanChanged, this, &MainWindow::ShowTitle);
  connect(view_, &ViewState::Pulled, this, &MainWindow::TakeGesture);
  auto* timer = new QTimer(this);
  timer->setTimerType(Qt::PreciseTimer);
  connect(timer, &QTimer::timeout, this, &MainWindow::Tick);
  timer->start(kTick);
  since_tick_.start();
  resize(1280, 820);
  QSettings settings;
  restoreGeometry(settings.value("geometry").toByteArray());
  restoreState(settings.value("layout").toByteArray());
  ShowTitle();
}

MainWindow::~MainWindow() = default;

void MainWindow::Compose() {
  const OpenGlLook look = LookForOpenGl();
  centre_ = new QStackedWidget(this);
  auto* stage = new QWidget(centre_);
  auto* column = new QVBoxLayout(stage);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  panes_ = MakePaneView(view_, look, stage);
  drawn_by_ = QString::fromStdString(look.why_not.empty() ? "OpenGL 3.3, " + look.renderer
                                                          : "plain drawing: " + look.why_not);
  column->addWidget(panes_, 1);
  transport_ = new TransportBar(session_, stage);
  column->addWidget(transport_);
  source_ = new SourcePage(centre_);
  centre_->addWidget(stage);
  centre_->addWidget(source_);
  setCentralWidget(centre_);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);

  library_page_ = new LibraryPage(library_, this);
  library_page_->Unfold();
  QDockWidget* library = Dock(this, "Experiments", library_page_, Qt::LeftDockWidgetArea);
  connect(library_page_, &LibraryPage::Chosen, this,
          [this](const QString& path) { Open(path.toStdString()); });
  parameters_ = new ParameterPage(open_, parameter_model_, this);
  QDockWidget* parameters = Dock(this, "Parameters", parameters_, Qt::RightDockWidgetArea);
  editors_ = new EditorPage(open_, this);
  QDockWidget* editors = Dock(this, "Editors", editors_, Qt::RightDockWidgetArea);
  tabifyDockWidget(parameters, editors);
  QDockWidget* translation =
      Dock(this, "Translation", MakeTranslationPage(session_, this), Qt::RightDockWidgetArea);
  tabifyDockWidget(editors, translation);
  curves_[0] = new CurvePage(session_, "total-energy", this);
  curves_[1] = new CurvePage(session_, "step-time", this);
  QDockWidget* first = Dock(this, "Curves", curves_[0], Qt::BottomDockWidgetArea);
  QDockWidget* second = Dock(this, "More curves", curves_[1], Qt::BottomDockWidgetArea);
  splitDockWidget(first, second, Qt::Horizontal);
  motion_ = new QTabWidget(this);
  motion_->setDocumentMode(true);
  search_ = new SearchPage(open_, places_.runs, motion_);
  plan_ = new PlanPage(open_, motion_);
  motion_->addTab(search_, "Search");
  motion_->addTab(plan_, "Plan");
  QDockWidget* motion = Dock(this, "Motion", motion_, Qt::RightDockWidgetArea);
  tabifyDockWidget(translation, motion);
  connect(search_, &SearchPage::Said, log_, &LogModel::Say);
  connect(plan_, &PlanPage::Said, log_, &LogModel::Say);
  console_ = new ConsolePage(open_, places_.home / "data" / "scripts", this);
  QDockWidget* console = Dock(this, "Console", console_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(second, console);
  connect(console_, &ConsolePage::Opened, this, [this] {
    session_->Open(open_->experiment());
    centre_->setCurrentIndex(0);
    ReloadPages();
    log_->Say("the script of the console is open");
  });
  QDockWidget* log = Dock(this, "Log", MakeLogPage(log_, this), Qt::BottomDockWidgetArea);
  tabifyDockWidget(console, log);
  second->raise();
  parameters->raise();
  resizeDocks({library, parameters}, {230, 380}, Qt::Horizontal);
  resizeDocks({first, second}, {250, 250}, Qt::Vertical);

  for (QTabBar* tabs : findChildren<QTabBar*>()) tabs->setElideMode(Qt::ElideNone);

  responsiveness_ = new QLabel(this);
  responsiveness_->setObjectName("responsiveness");
  responsiveness_->setToolTip(
      "The longest time of late that this window did not answer: simulations run on other "
      "threads.");
  statusBar()->addPermanentWidget(responsiveness_);
  if (!look.why_not.empty()) log_->Say(drawn_by_);
}

bool MainWindow::Open(const std::filesystem::path& path) {
  bundles_.clear();
  try {
    if (std::filesystem::is_directory(path)) {
      const std::vector<std::filesystem::path> bundles = FindBundles(path);
      if (bundles.empty()) throw FileError(path.string() + ": holds no run bundle");
      open_->Close();
      session_->OpenBundles(bundles);
      bundles_ = bundles;
    } else if (path.extension() == ".txt") {  // a script of the console's interpreter
      console_->OpenScript(path);
      open_->OpenScript(console_->text().toStdString(), path);
      session_->Open(open_->experiment());
    } else {
      open_->Open(path);
      session_->Open(open_->experiment());
    }
  } catch (const std::exception& wrong) {
    session_->Close();
    open_->Close();
    ReloadPages();
    source_->Show(path, wrong.what());
    centre_->setCurrentWidget(source_);
    log_->Say(QString::fromUtf8(wrong.what()));
    return false;
  }
  centre_->setCurrentIndex(0);
  ReloadPages();
  log_->Say("opened " + QString::fromStdString(path.string()));
  AddRecent(path);
  return true;
}

// Another experiment is open, or none.
void MainWindow::ReloadPages() {
  parameters_->Reload();
  editors_->Reload();
  search_->Reload();
  plan_->Reload();
  motion_->setCurrentIndex(plan_->CanPlan() ? 1 : 0);
  console_->Reload();
  ShowTitle();
}

bool MainWindow::SaveTo(const std::filesystem::path& path) {
  if (open_->experiment() == nullptr) return false;
  try {
    open_->Save(path);
  } catch (const std::exception& wrong) {
    Tell(QString::fromUtf8(wrong.what()));
    return false;
  }
  parameters_->Reload();
  editors_->Reload();
  log_->Say("saved " + QString::fromStdString(path.string()) +
            "; the command line runs it: pliant compare " + QString::fromStdString(path.string()));
  AddRecent(path);
  ShowTitle();
  return true;
}

void MainWindow::Tell(const QString& line) {
  log_->Say(line);
  statusBar()->showMessage(line, 8000);
}

void MainWindow::TakeGesture(const HandGesture& gesture) {
  if (open_->experiment() == nullptr) {
    statusBar()->showMessage("A bundle has been run: there is nothing to take hold of.", 5000);
    return;
  }
  if (open_->Add(gesture)) {
    log_->Say(QString("%1 at %2 s is part of the experiment now")
                  .arg(QString::fromStdString(Describe(gesture)))
                  .arg(gesture.time, 0, 'g', 4));
  }
}

void MainWindow::TakePose(int key) {
  if (open_->experiment() == nullptr) return;
  const bool playing = session_->playing();
  if (open_->AddPose(static_cast<size_t>(key), session_->time())) {
    log_->Say(QString("pose %1 is taken at %2 s").arg(key).arg(session_->time(), 0, 'g', 4));
    if (playing) session_->Play();
  }
}

void MainWindow::Tick() {
  const double elapsed = static_cast<double>(since_tick_.nsecsElapsed()) * 1e-9;
  since_tick_.restart();
  longest_pause_ = std::max(kForgetting * longest_pause_, 1e3 * elapsed);
  responsiveness_->setText(QString("window: %1 ms").arg(longest_pause_, 0, 'f', 0));
  session_->Tick(elapsed);
  search_->Refresh();
  plan_->Refresh();
  if (session_->playing()) transport_->Refresh();
}

void MainWindow::ShowTitle() {
  QString title = "Pliant workbench";
  if (open_->experiment() != nullptr) {
    title = QString::fromStdString(open_->experiment()->name) +
            (open_->edited() ? " (edited)" : "") + " – " + title;
  }
  setWindowTitle(title);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QSettings settings;
  settings.setValue("geometry", saveGeometry());
  settings.setValue("layout", saveState());
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (!urls.isEmpty()) Open(urls.front().toLocalFile().toStdString());
}

}  // namespace pliant
