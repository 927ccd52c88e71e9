// The window: composes panes, transport and pages, and opens files.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
#define PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_

#include <QElapsedTimer>
#include <QImage>
#include <QMainWindow>
#include <QVariantMap>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

class QLabel;
class QMenu;
class QStackedWidget;

namespace pliant {

class DragController;
class LogModel;
class OpenExperiment;
class PageDocks;
class PaneView;
class SavedViews;
class Session;
class SourcePage;
class TransportBar;
class ViewState;
class WorkGuard;
struct HandGesture;

struct WorkbenchPlaces {
  std::filesystem::path home;  // with experiments/ and data/scenes/
  std::filesystem::path runs;  // with bundles
  // Where the work that no file has is kept, for after a crash (recovery/kept_work.h); empty: it is
  // not.
  std::filesystem::path kept = {};
};

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(const WorkbenchPlaces& places);
  ~MainWindow() override;

  // An experiment, a scene, a script, a bundle or a folder of bundles. Asks what becomes of unsaved
  // edits; when the user cancels, nothing changes. Displays the text of a broken file with the
  // error. False when nothing was opened.
  bool Open(const std::filesystem::path& path);
  // False, with a line in the log, when nothing was written.
  bool SaveTo(const std::filesystem::path& path);
  // Into the file of the experiment. Asks where there is none, or where saving would replace text
  // that the experiment does not have.
  bool Save();
  // True when no edit is unsaved, after the user has saved or discarded those that were.
  bool MayLeave();
  // Opens the work that a workbench left when it was killed, if there is any (places.kept).
  void RestoreLeftWork();

  Session& session() const { return *session_; }
  ViewState& view() const { return *view_; }
  OpenExperiment& open_experiment() const { return *open_; }
  PaneView& pane_view() const { return *panes_; }
  QWidget& panes() const;  // the widget of pane_view()
  SavedViews& saved_views() const { return *saved_views_; }
  SourcePage& source() const { return *source_; }
  const WorkGuard& guard() const { return *guard_; }

  // What the window shows now: one pane by its index, or one of these.
  static constexpr int kAllPanes = -2, kPanesAndCurves = -1;
  QImage PictureOf(int what);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void Compose();
  void FillMenus();
  void AddRecent(const std::filesystem::path& path);
  void ShowRecent();
  void AskAndOpen();
  void AskAndOpenFolder();
  bool AskAndSave();
  void SavePicture();
  void AskAndFilm();
  void AskForNew();
  void AskAndExport(const std::string& format);
  void AskAndReport();
  void Export(const std::string& format, const std::filesystem::path& out,
              const std::filesystem::path& report);
  void ShowKeys();
  void ShowAbout();
  void ShowTitle();
  void ShowOpened();                      // the experiment of open_
  void ShowMessage(const QString& line);  // in the log and, for a while, in the status bar
  void TakeGesture(const HandGesture& gesture);
  void TakePose(int key);
  void Tick();
  void SaveLayout();  // when it has changed

  WorkbenchPlaces places_;
  std::vector<std::filesystem::path> bundles_;  // that are open instead of an experiment
  Session* session_;
  ViewState* view_;
  OpenExperiment* open_;
  LogModel* log_;
  DragController* drag_controller_;
  SavedViews* saved_views_;
  PaneView* panes_ = nullptr;
  QStackedWidget* centre_ = nullptr;
  SourcePage* source_ = nullptr;
  TransportBar* transport_ = nullptr;
  std::unique_ptr<PageDocks> pages_;
  std::unique_ptr<WorkGuard> guard_;
  QVariantMap saved_layout_;
  QMenu* recent_ = nullptr;
  QLabel* responsiveness_ = nullptr;
  QString drawn_by_;  // what draws the panes
  QElapsedTimer since_tick_;
  double longest_pause_ = 0.0;  // ms between recent ticks
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
