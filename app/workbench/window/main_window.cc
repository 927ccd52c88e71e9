#include "app/workbench/window/main_window.h"

#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/source_page.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/drag_controller.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/saved_views.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/page_docks.h"
#include "app/workbench/window/transport_bar.h"
#include "app/workbench/window/work_guard.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

constexpr int kTick = 16;               // ms
constexpr int kSaveLayoutEvery = 2000;  // ms
constexpr double kForgetting = 0.995;   // of the longest pause, each tick

}  // namespace

MainWindow::MainWindow(const WorkbenchPlaces& places)
    : places_(places),
      session_(new Session(this)),
      view_(new ViewState(session_, this)),
      open_(new OpenExperiment(this)),
      log_(new LogModel(this)),
      drag_controller_(new DragController(view_, open_, this)),
      saved_views_(new SavedViews(view_, this)) {
  log_->setObjectName("log");
  setAcceptDrops(true);
  Compose();
  FillMenus();
  connect(session_, &Session::Logged, log_, &LogModel::Add);
  session_->SetRuns(places_.runs);
  connect(open_, &OpenExperiment::Opened, this, &MainWindow::ShowOpened);
  connect(open_, &OpenExperiment::Refused, this, &MainWindow::ShowMessage);
  connect(drag_controller_, &DragController::Logged, this, &MainWindow::ShowMessage);
  connect(open_, &OpenExperiment::Edited, this, [this] {
    if (drag_controller_->finishing()) {
      session_->Adopt(open_->experiment());
    } else {
      session_->Pause();
      session_->Change(open_->experiment());
    }
    pages_->ShowWhatApplies();
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
  pages_->RestoreState(settings);
  auto* layout = new QTimer(this);
  connect(layout, &QTimer::timeout, this, &MainWindow::SaveLayout);
  layout->start(kSaveLayoutEvery);
  guard_ = std::make_unique<WorkGuard>(open_, pages_.get(), places_.kept);
  connect(guard_.get(), &WorkGuard::Logged, this, &MainWindow::ShowMessage);
  ShowTitle();
}

// Children go after the members, and say something as they go: a stack of edits that it is clean now.
MainWindow::~MainWindow() {
  for (const QObject* child : findChildren<QObject*>()) child->disconnect(this);
}

QWidget& MainWindow::panes() const { return *panes_->widget(); }

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
  column->addWidget(panes_->widget(), 1);
  transport_ = new TransportBar(session_, stage);
  column->addWidget(transport_);
  source_ = new SourcePage(centre_);
  centre_->addWidget(stage);
  centre_->addWidget(source_);
  setCentralWidget(centre_);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);

  pages_ = std::make_unique<PageDocks>(
      PageContext{session_, open_, log_, places_.home, places_.runs,
                  [this](const std::filesystem::path& path) { Open(path); },
                  [this] { return MayLeave(); }},
      this);

  responsiveness_ = new QLabel(this);
  responsiveness_->setObjectName("responsiveness");
  responsiveness_->setToolTip(
      "The longest time for which this window recently did not respond. Simulations run on other "
      "threads.");
  statusBar()->addPermanentWidget(responsiveness_);
  if (!look.why_not.empty()) log_->Add(drawn_by_);
}

bool MainWindow::Open(const std::filesystem::path& path) {
  if (!MayLeave()) return false;
  bundles_.clear();
  try {
    if (std::filesystem::is_directory(path)) {
      const std::vector<std::filesystem::path> bundles = FindBundles(path);
      if (bundles.empty()) throw FileError(path.string() + ": holds no run bundle");
      open_->Close();
      session_->OpenBundles(bundles);
      bundles_ = bundles;
      centre_->setCurrentIndex(0);
      pages_->Reload();
      ShowTitle();
    } else {
      open_->Open(path);
    }
  } catch (const std::exception& wrong) {
    session_->Close();
    open_->Close();
    pages_->Reload();
    ShowTitle();
    source_->Show(path, wrong.what());
    centre_->setCurrentWidget(source_);
    log_->Add(QString::fromUtf8(wrong.what()));
    return false;
  }
  log_->Add("opened " + QString::fromStdString(path.string()));
  AddRecent(path);
  return true;
}

void MainWindow::ShowOpened() {
  bundles_.clear();
  session_->Open(open_->experiment());
  centre_->setCurrentIndex(0);
  pages_->Reload();
  ShowTitle();
}

void MainWindow::ShowMessage(const QString& line) {
  log_->Add(line);
  statusBar()->showMessage(line, 8000);
}

void MainWindow::TakeGesture(const HandGesture& gesture) {
  if (open_->experiment() == nullptr) {
    statusBar()->showMessage("This run is finished; open its experiment to drag points.", 5000);
    return;
  }
  if (open_->Add(gesture)) {
    log_->Add(QString("added to the experiment: %1 at %2 s")
                  .arg(QString::fromStdString(Describe(gesture)))
                  .arg(gesture.time, 0, 'g', 4));
  }
}

void MainWindow::TakePose(int key) {
  if (open_->experiment() == nullptr) return;
  const bool playing = session_->playing();
  if (open_->AddPose(static_cast<size_t>(key), session_->time())) {
    log_->Add(QString("pose %1 from %2 s on").arg(key).arg(session_->time(), 0, 'g', 4));
    if (playing) session_->Play();
  }
}

void MainWindow::Tick() {
  const double elapsed = static_cast<double>(since_tick_.nsecsElapsed()) * 1e-9;
  since_tick_.restart();
  longest_pause_ = std::max(kForgetting * longest_pause_, 1e3 * elapsed);
  responsiveness_->setText(QString("window: %1 ms").arg(longest_pause_, 0, 'f', 0));
  session_->Tick(elapsed);
  pages_->Refresh();
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty()) return;
  const std::filesystem::path path = urls.front().toLocalFile().toStdString();
  if (open_->edited()) {  // the program that was dragged from does not wait for the question
    QTimer::singleShot(0, this, [this, path] { Open(path); });
  } else {
    Open(path);
  }
}

}  // namespace pliant
