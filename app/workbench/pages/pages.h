// The small pages around the panes. Each wires a model to a view.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PAGES_H_
#define PLIANT_APP_WORKBENCH_PAGES_PAGES_H_

#include <QWidget>
#include <filesystem>
#include <optional>
#include <string>

class QLabel;
class QPlainTextEdit;
class QTreeView;

namespace pliant {

class LibraryModel;
class LogModel;
class OpenExperiment;
class ParameterModel;
class Session;

// The tree of files with a line to search it; a double click, or Return, opens.
class LibraryPage : public QWidget {
  Q_OBJECT

 public:
  explicit LibraryPage(LibraryModel* model, QWidget* parent = nullptr);
  void Unfold();

 signals:
  void Chosen(const QString& path);

 private:
  QTreeView* tree_;
};

// The table of what became of each element, and the reason of the selected cell below it.
QWidget* MakeTranslationPage(Session* session, QWidget* parent = nullptr);

QWidget* MakeLogPage(LogModel* model, QWidget* parent = nullptr);

class ParameterPage : public QWidget {
 public:
  ParameterPage(OpenExperiment* open, ParameterModel* model, QWidget* parent = nullptr);
  void Reload();  // another file is open

 private:
  OpenExperiment* open_;
  ParameterModel* model_;
  QTreeView* tree_;
  QLabel* heading_;
};

// Where in a file something is wrong, as messages say it: "file:line:column: what".
struct FilePosition {
  std::filesystem::path file;
  int line = 0, column = 0;
};
std::optional<FilePosition> PositionIn(const std::string& message);

// A file as text, with the message and the line it is about.
class SourcePage : public QWidget {
 public:
  explicit SourcePage(QWidget* parent = nullptr);
  void Show(const std::filesystem::path& file, const std::string& message);
  int marked_line() const { return marked_line_; }  // 0: none

 private:
  QLabel* message_;
  QPlainTextEdit* text_;
  int marked_line_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PAGES_H_
