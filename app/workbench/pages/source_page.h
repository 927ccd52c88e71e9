// What the window shows in place of the panes when a file cannot be read: its text and the error.

#ifndef PLIANT_APP_WORKBENCH_PAGES_SOURCE_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_SOURCE_PAGE_H_

#include <QWidget>
#include <filesystem>
#include <optional>
#include <string>

class QLabel;
class QPlainTextEdit;

namespace pliant {

// The position of an error in a file, as in messages: "file:line:column: what".
struct FilePosition {
  std::filesystem::path file;
  int line = 0, column = 0;
};
std::optional<FilePosition> PositionIn(const std::string& message);

// The text of a file with an error message and its line marked.
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

#endif  // PLIANT_APP_WORKBENCH_PAGES_SOURCE_PAGE_H_
