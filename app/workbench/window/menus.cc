// The menus of the window and their actions.

#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QPainter>
#include <QProgressDialog>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QUndoStack>
#include <algorithm>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/saved_views.h"
#include "app/workbench/view/view_bar.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/widgets/palette.h"
#include "app/workbench/window/exporter.h"
#include "app/workbench/window/film.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/new_experiment_dialog.h"
#include "app/workbench/window/page_docks.h"
#include "app/workbench/window/transport_bar.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/export.h"

namespace pliant {
namespace {

constexpr int kMostRecent = 10;
constexpr char kPoseKey[] = "pose";  // of an action that takes one

struct Gesture {
  const char* gesture;
  const char* meaning;
};
constexpr Gesture kGestures[] = {
    {"drag", "turn the view (move it in a planar scene)"},
    {"Shift + drag, right drag", "move the view"},
    {"wheel", "zoom"},
    {"double click", "fit"},
    {"click on a point", "select it: displays its position and speed in every pane"},
    {"Ctrl + drag a point",
     "drag it, pull it, strike it, nail it or poke it, as chosen under Hand, in every pane; the "
     "gesture becomes part of the experiment"},
    {"click in a curve", "move the clock there"},
    {"wheel, right drag in a curve", "zoom and move the time axis"},
};

}  // namespace

void MainWindow::FillMenus() {
  QMenu* file = menuBar()->addMenu("&File");
  file->addAction("&New experiment …", QKeySequence::New, this, &MainWindow::AskForNew);
  file->addAction("&Open file …", QKeySequence::Open, this, &MainWindow::AskAndOpen);
  file->addAction("Open &bundle or folder …", QKeySequence("Ctrl+Shift+O"), this,
                  &MainWindow::AskAndOpenFolder);
  recent_ = file->addMenu("&Recent");
  connect(file, &QMenu::aboutToShow, this, &MainWindow::ShowRecent);
  file->addSeparator();
  file->addAction("&Save experiment", QKeySequence::Save, this, &MainWindow::Save);
  file->addAction("Save experiment &as …", QKeySequence("Ctrl+Shift+S"), this,
                  &MainWindow::AskAndSave);
  file->addAction("Save &picture of the panes …", this, &MainWindow::SavePicture);
  file->addAction("Save &film …", this, &MainWindow::AskAndFilm);
  QMenu* exports = file->addMenu("&Export");
  for (const ExportFormat& format : ExportFormats()) {
    QAction* action = exports->addAction(QString::fromStdString(format.name).toUpper() + " …", this,
                                         [this, &format] { AskAndExport(format.name); });
    action->setToolTip(QString::fromStdString(format.meaning));
  }
  exports->setToolTipsVisible(true);
  exports->addAction("&Report …", this, &MainWindow::AskAndReport);
  file->addAction("&Look for files again", QKeySequence::Refresh, this,
                  [this] { pages_->Rescan(); });
  file->addSeparator();
  file->addAction("&Quit", QKeySequence::Quit, this, &QWidget::close);

  QMenu* edit = menuBar()->addMenu("&Edit");
  QAction* undo = open_->history()->createUndoAction(this, "Undo");
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = open_->history()->createRedoAction(this, "Redo");
  redo->setShortcut(QKeySequence::Redo);
  edit->addActions({undo, redo});

  QMenu* run = menuBar()->addMenu("&Run");
  run->addActions(transport_->actions_for_menu());
  run->addAction("&Cancel preparation", QKeySequence("Ctrl+."), session_,
                 &Session::CancelPreparation);
  QMenu* poses = run->addMenu("&Pose");
  for (int key = 1; key <= 9; ++key) {
    poses
        ->addAction(QString("take pose %1").arg(key), QKeySequence(QString::number(key)), this,
                    [this, key] { TakePose(key); })
        ->setProperty(kPoseKey, key);
  }

  QMenu* view = menuBar()->addMenu("&View");
  auto* bar = addToolBar("View");
  bar->setObjectName("View");
  bar->setMovable(false);
  FillViewBar(view_, bar, view);
  saved_views_->FillMenu(view->addMenu("Saved &views"));
  QMenu* palettes = view->addMenu("&Palette");
  auto* palette = new QActionGroup(palettes);
  for (size_t i = 0; i < PaletteNames().size(); ++i) {
    const auto choice = static_cast<PaletteChoice>(i);
    QAction* action =
        palettes->addAction(PaletteNames()[i], this, [choice] { UsePalette(choice); });
    action->setCheckable(true);
    action->setChecked(choice == KeptPalette());
    palette->addAction(action);
  }
  pages_->FillMenu(view->addMenu("P&ages"));

  QMenu* help = menuBar()->addMenu("&Help");
  help->addAction("&Keys and gestures", QKeySequence("?"), this, &MainWindow::ShowKeys);
  help->addAction("&About", this, &MainWindow::ShowAbout);
}

void MainWindow::AddRecent(const std::filesystem::path& path) {
  const QString absolute = QString::fromStdString(std::filesystem::absolute(path).string());
  // Settings lock a file, for which what was opened need not wait.
  QTimer::singleShot(0, this, [absolute] {
    QSettings settings;
    QStringList files = settings.value("recent").toStringList();
    files.removeAll(absolute);
    files.prepend(absolute);
    settings.setValue("recent", files.mid(0, kMostRecent));
  });
}

void MainWindow::ShowRecent() {
  recent_->clear();
  for (const QString& path : QSettings().value("recent").toStringList()) {
    recent_->addAction(path, this, [this, path] { Open(path.toStdString()); });
  }
  recent_->setEnabled(!recent_->isEmpty());
}

void MainWindow::AskAndOpen() {
  const QString path =
      QFileDialog::getOpenFileName(this, "Open an experiment or a scene",
                                   QString::fromStdString((places_.home / "experiments").string()),
                                   "Experiments and scenes (*.toml)");
  if (!path.isEmpty()) Open(path.toStdString());
}

void MainWindow::AskAndOpenFolder() {
  const QString path =
      QFileDialog::getExistingDirectory(this, "Open a run bundle, or a folder of bundles",
                                        QString::fromStdString(places_.runs.string()));
  if (!path.isEmpty()) Open(path.toStdString());
}

void MainWindow::SavePicture() {
  const QString path =
      QFileDialog::getSaveFileName(this, "Save a picture", "panes.png", "Pictures (*.png)");
  if (path.isEmpty()) return;
  const bool written = panes_->Image().save(path);
  log_->Add((written ? "wrote " : "could not write ") + path);
}

void MainWindow::AskAndFilm() {
  if (session_->RecordedEnd() <= 0.0) {
    statusBar()->showMessage("Nothing is recorded yet. Play the experiment first.", 5000);
    return;
  }
  QStringList contents = {"all panes", "all panes and curves"};
  for (const Pane& pane : session_->panes()) contents << QString::fromStdString(pane.label);
  bool chosen = false;
  const int what = static_cast<int>(contents.indexOf(
      QInputDialog::getItem(this, "Save a film", "Of", contents, 0, false, &chosen)));
  if (!chosen) return;
  const QString path = QFileDialog::getSaveFileName(
      this, "Save a film: NAME.mp4, or a new folder for PNG pictures", "film.mp4");
  if (path.isEmpty()) return;
  FilmPlan plan;
  plan.path = path.toStdString();
  plan.speed = session_->speed();
  if (const QString why = WhyNoFilm(plan); !why.isEmpty()) {
    log_->Add(why);
    QMessageBox::information(this, "No film", why);
    return;
  }
  auto* film = new Film(
      session_, [this, what] { return PictureOf(what - 2); }, plan, this);
  auto* progress = new QProgressDialog("Recording the film …", "Stop", 0, film->pictures(), this);
  progress->setWindowModality(Qt::WindowModal);  // the clock is the film's
  connect(film, &Film::Progressed, progress, &QProgressDialog::setValue);
  connect(progress, &QProgressDialog::canceled, film, &Film::Stop);
  connect(film, &Film::Finished, this, [this, film, progress](const QString& words) {
    ShowMessage(words);
    progress->deleteLater();
    film->deleteLater();
  });
  film->Start();
}

void MainWindow::AskForNew() {
  const auto from = AskForExperiment(this, places_.home / "data" / "scenes");
  if (!from || !MayLeave()) return;
  try {
    open_->New(*from);
  } catch (const std::exception& wrong) {
    log_->Add(QString::fromUtf8(wrong.what()));
    QMessageBox::information(this, "No experiment", QString::fromUtf8(wrong.what()));
    return;
  }
  log_->Add("new experiment of " + QString::fromStdString(from->scene.string()));
}

void MainWindow::AskAndExport(const std::string& format) {
  const QString path =
      QFileDialog::getExistingDirectory(this, "Export every frame of every backend into a folder",
                                        QString::fromStdString(places_.runs.string()));
  if (!path.isEmpty()) Export(format, path.toStdString(), {});
}

void MainWindow::AskAndReport() {
  const QString path =
      QFileDialog::getSaveFileName(this, "Write the report with its figures in the same folder",
                                   "report.html", "Reports (*.html)");
  if (path.isEmpty()) return;
  // The dialog has asked about the page, not about the figures beside it.
  const std::filesystem::path html = path.toStdString();
  const std::filesystem::path figures = html.parent_path() / kFiguresFolder;
  std::error_code error;
  if (!std::filesystem::exists(html, error) && std::filesystem::exists(figures, error) &&
      QMessageBox::question(this, "Figures of a report",
                            QString("%1 is there already. Replace the figures of the same names?")
                                .arg(QString::fromStdString(figures.string()))) !=
          QMessageBox::Yes) {
    return;
  }
  Export("", {}, html);
}

void MainWindow::Export(const std::string& format, const std::filesystem::path& out,
                        const std::filesystem::path& report) {
  if (open_->experiment() == nullptr && bundles_.empty()) {
    statusBar()->showMessage("Nothing is open.", 5000);
    return;
  }
  auto* exporter =
      new Exporter({open_->experiment(), places_.runs, bundles_, format, out, report}, this);
  connect(exporter, &Exporter::Finished, this, [this, exporter](const QString& words) {
    ShowMessage(words);
    exporter->deleteLater();
  });
}

QImage MainWindow::PictureOf(int what) {
  QImage panes = panes_->Image();
  const double ratio = panes.devicePixelRatio();
  if (what >= 0) {
    const QRectF rect =
        PaneRects(*view_, QRectF(panes_->widget()->rect()))[static_cast<size_t>(what)];
    return panes.copy(QRectF(ratio * rect.topLeft(), ratio * rect.size()).toRect());
  }
  if (what == kAllPanes) return panes;
  const std::vector<Page*> pages = pages_->InPictures();
  int height = 0;  // of the curves
  for (const Page* page : pages) height = std::max(height, page->height());
  QImage both(panes.width(), panes.height() + static_cast<int>(ratio * height),
              QImage::Format_RGB32);
  both.fill(Qt::white);
  both.setDevicePixelRatio(ratio);
  QPainter painter(&both);
  painter.drawImage(QPointF(0, 0), panes);
  double left = 0.0;
  for (Page* page : pages) {
    painter.drawPixmap(QPointF(left, panes.height() / ratio), page->grab());
    left += page->width();
  }
  return both;
}

void MainWindow::ShowKeys() {
  QString text = "<table cellspacing=4>";
  auto row = [&text](const QString& key, const QString& meaning) {
    text += QString(
                "<tr><td style='white-space: nowrap'><b>%1</b>&nbsp;&nbsp;</td>"
                "<td width=420>%2</td></tr>")
                .arg(key.toHtmlEscaped(), meaning.toHtmlEscaped());
  };
  for (const QAction* action : findChildren<QAction*>()) {
    if (action->shortcut().isEmpty()) continue;
    if (action->property(kPoseKey).isValid()) {  // nine alike
      if (action->property(kPoseKey) == 1) row("1 … 9", "take the pose with this number");
      continue;
    }
    row(action->shortcut().toString(QKeySequence::NativeText), action->text().remove('&'));
  }
  for (const Gesture& gesture : kGestures) row(gesture.gesture, gesture.meaning);
  QMessageBox box(QMessageBox::NoIcon, "Keys and gestures", text + "</table>", QMessageBox::Close,
                  this);
  box.exec();
}

void MainWindow::ShowAbout() {
  QMessageBox::about(this, "About",
                     QString("<b>Pliant workbench %1</b><p>One scene in every "
                             "formulation, on one clock.</p>"
                             "<p>Qt %2, Eigen %3, %4</p><p>Panes: %5</p>")
                         .arg(QApplication::applicationVersion(), qVersion(),
                              QString("%1.%2.%3")
                                  .arg(EIGEN_WORLD_VERSION)
                                  .arg(EIGEN_MAJOR_VERSION)
                                  .arg(EIGEN_MINOR_VERSION),
                              QSysInfo::prettyProductName(), drawn_by_));
}

}  // namespace pliant
