// The window: composes panes, transport and pages, and opens what it is told to.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
#define PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_

#include <QElapsedTimer>
#include <QImage>
#include <QMainWindow>
#include <filesystem>
#include <string>
#include <vector>

class QLabel;
class QMenu;
class QStackedWidget;
class QTabWidget;

namespace pliant {

class ConsolePage;
class CurvePage;
class EditorPage;
class LeadingHand;
class LibraryModel;
class LibraryPage;
class LogModel;
class OpenExperiment;
class ParameterModel;
class ParameterPage;
class PlanPage;
class SavedViews;
class SearchPage;
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

  // An experiment, a scene, a bundle or a folder of bundles. A broken file is shown as text with
  // what is wrong with it; false then.
  bool Open(const std::filesystem::path& path);
  // Throws nothing: what goes wrong is told. False when nothing was written.
  bool SaveTo(const std::filesystem::path& path);

  Session& session() const { return *session_; }
  ViewState& view() const { return *view_; }
  OpenExperiment& open_experiment() const { return *open_; }
  QWidget& panes() const { return *panes_; }
  SavedViews& saved_views() const { return *saved_views_; }
  SourcePage& source() const { return *source_; }
  SearchPage& search() const { return *search_; }
  EditorPage& editors() const { return *editors_; }
  ConsolePage& console() const { return *console_; }
  PlanPage& plan() const { return *plan_; }
  CurvePage& curves(int place) const { return *curves_[place]; }

  // As it is shown now: one pane by its place, or one of these.
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
  void ReloadPages();
  void Tell(const QString& line);  // in the log, and below for a while
  void TakeGesture(const HandGesture& gesture);
  void TakePose(int key);
  void Tick();

  WorkbenchPlaces places_;
  std::vector<std::filesystem::path> bundles_;  // that are open in place of an experiment
  Session* session_;
  ViewState* view_;
  OpenExperiment* open_;
  LibraryModel* library_;
  LogModel* log_;
  LeadingHand* leading_hand_;
  SavedViews* saved_views_;
  ParameterModel* parameter_model_;
  QWidget* panes_ = nullptr;
  QStackedWidget* centre_ = nullptr;
  SourcePage* source_ = nullptr;
  TransportBar* transport_ = nullptr;
  ParameterPage* parameters_ = nullptr;
  LibraryPage* library_page_ = nullptr;
  SearchPage* search_ = nullptr;
  EditorPage* editors_ = nullptr;
  ConsolePage* console_ = nullptr;
  PlanPage* plan_ = nullptr;
  QTabWidget* motion_ = nullptr;  // search and plan
  CurvePage* curves_[2] = {nullptr, nullptr};
  QMenu* recent_ = nullptr;
  QMenu* view_menu_ = nullptr;
  QLabel* responsiveness_ = nullptr;
  QString drawn_by_;  // what draws the panes
  QElapsedTimer since_tick_;
  double longest_pause_ = 0.0;  // ms between ticks, of late
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_MAIN_WINDOW_H_
