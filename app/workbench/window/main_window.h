// The window: composes panes, transport and pages, and opens files.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
#define PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_

#include <QElapsedTimer>
#include <QImage>
#include <QMainWindow>
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
struct HandGesture;

struct WorkbenchPlaces {
  std::filesystem::path home;  // with experiments/ and data/scenes/
  std::filesystem::path runs;  // with bundles
};

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(const WorkbenchPlaces& places);
  ~MainWindow() override;

  // An experiment, a scene, a script, a bundle or a folder of bundles. Displays the text of a
  // broken file with the error, and returns false.
  bool Open(const std::filesystem::path& path);
  // False, with a line in the log, when nothing was written.
  bool SaveTo(const std::filesystem::path& path);

  Session& session() const { return *session_; }
  ViewState& view() const { return *view_; }
  OpenExperiment& open_experiment() const { return *open_; }
  PaneView& pane_view() const { return *panes_; }
  QWidget& panes() const;  // the widget of pane_view()
  SavedViews& saved_views() const { return *saved_views_; }
  SourcePage& source() const { return *source_; }

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
  void AskAndSave();
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
  QMenu* recent_ = nullptr;
  QLabel* responsiveness_ = nullptr;
  QString drawn_by_;  // what draws the panes
  QElapsedTimer since_tick_;
  double longest_pause_ = 0.0;  // ms between recent ticks
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
