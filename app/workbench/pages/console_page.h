// The console: scripts in the command language of [Faloutsos 1995] (docs/script.md), and the
// scripts of the behaviours of the open experiment. An error is reported and its line marked.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_

#include <QStringList>
#include <filesystem>

#include "app/workbench/pages/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace pliant {

class ConsolePage : public Page {
  Q_OBJECT

 public:
  // The files that a new script loads are found relative to data/scripts.
  explicit ConsolePage(const PageContext& context, QWidget* parent = nullptr);

  // The script of the interpreter, written or not.
  QVariantMap SaveState() const override;
  void RestoreState(const QVariantMap& state) override;
  void Reload() override;  // displays the script of the open experiment, when it has one

  // Throws StorageError, or FileError when there is no such file.
  void OpenScript(const std::filesystem::path& file);
  void SetText(const QString& text);  // undo in the text restores the previous one
  QString text() const;
  // Opens the experiment that the script describes, or sets the script of a behaviour, as an edit
  // that can be undone. False when the script is rejected.
  bool Run();
  // Inserts a command before simul and runs the script. A rejected command is removed again.
  bool Enter(const QString& command);
  void Choose(const QString& what);  // "interpreter" or the name of a behaviour
  QString message() const;

 private:
  void OfferTexts();  // the interpreter and the behaviours of the open experiment
  void ShowChosen();
  void ShowMessage(const QString& message, int line);
  bool RunScript();
  bool RunBehaviour(int index);
  QString BehaviourText(int index) const;

  OpenExperiment* open_;
  std::function<bool()> may_leave_;
  LogModel* log_;
  std::filesystem::path file_;  // of the interpreter's script
  QString script_;              // of the interpreter, while a behaviour is shown
  QStringList entered_;         // commands in the order they were entered
  int recalled_ = 0;
  QComboBox* what_;
  QPlainTextEdit* text_;
  QLineEdit* command_;
  QLabel* message_;
  QPushButton* load_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CONSOLE_PAGE_H_
