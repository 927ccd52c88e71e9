// The console: scripts in the command language of the source's simulator, and the scripts of the
// behaviours of the open experiment. What is wrong with a line is said, and the line marked.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_

#include <QStringList>
#include <QWidget>
#include <filesystem>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace pliant {

class OpenExperiment;

class ConsolePage : public QWidget {
  Q_OBJECT

 public:
  // New scripts stand, as to the files they load, in `folder`.
  ConsolePage(OpenExperiment* open, const std::filesystem::path& folder, QWidget* parent = nullptr);

  void Reload();  // another experiment is open, or it was edited

  // Throws StorageError, or FileError when there is no such file.
  void OpenScript(const std::filesystem::path& file);
  void SetText(const QString& text);
  QString text() const;
  // The interpreter makes the experiment of its script; a behaviour takes the script, as an edit
  // that can be undone. False when it is refused.
  bool Run();
  // One command more, before simul, and run. What is refused is taken out again.
  bool Enter(const QString& command);
  void Choose(const QString& what);  // "interpreter" or the name of a behaviour
  QString message() const;

 signals:
  void Opened();  // another experiment is open, that of the script

 private:
  void ShowChosen();
  void Tell(const QString& message, int line);
  bool RunScript();
  bool RunBehaviour(int index);
  QString BehaviourText(int index) const;

  OpenExperiment* open_;
  std::filesystem::path file_;  // of the interpreter's script
  QString script_;              // the interpreter's, while a behaviour is shown
  QStringList entered_;         // commands, the last one last
  int recalled_ = 0;
  QComboBox* what_;
  QPlainTextEdit* text_;
  QLineEdit* command_;
  QLabel* message_;
  QPushButton* load_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_
