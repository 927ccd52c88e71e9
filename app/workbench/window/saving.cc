// Saving, and the questions before something unsaved would be lost.

#include <QCloseEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QUndoStack>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_docks.h"
#include "app/workbench/window/work_guard.h"

namespace pliant {
namespace {

QString WordsOfPath(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

// A question of this window; its buttons are added by the caller.
void Ask(QMessageBox* box, const char* name, const QString& text, const QString& more) {
  box->setObjectName(name);
  box->setIcon(QMessageBox::Question);
  box->setWindowTitle("Pliant workbench");
  box->setText(text);
  box->setInformativeText(more);
  box->setTextFormat(Qt::PlainText);
}

// The edits that no file has, as one sentence.
QString UnsavedEdits(const OpenExperiment& open) {
  const QUndoStack& history = *open.history();
  const int count = history.index() - history.cleanIndex();
  if (history.cleanIndex() < 0 && history.index() == 0)
    return "This experiment has not been saved.";
  if (history.cleanIndex() < 0 || count < 0)
    return "The current state of the experiment has not been saved.";
  if (count == 1) return "One edit is not saved: " + history.text(history.index() - 1) + ".";
  return QString("%1 edits are not saved. The last one: %2.")
      .arg(count)
      .arg(history.text(history.index() - 1));
}

}  // namespace

bool MainWindow::SaveTo(const std::filesystem::path& path) {
  if (open_->experiment() == nullptr) return false;
  try {
    open_->Save(path);
  } catch (const std::exception& wrong) {
    ShowMessage(QString::fromUtf8(wrong.what()));
    return false;
  }
  log_->Add("saved " + QString::fromStdString(path.string()) +
            "; the command line runs it: pliant compare " + QString::fromStdString(path.string()));
  AddRecent(path);
  ShowTitle();
  return true;
}

bool MainWindow::Save() {
  if (open_->experiment() == nullptr) {
    statusBar()->showMessage("No experiment is open.", 5000);
    return false;
  }
  if (!open_->has_own_file()) return AskAndSave();
  if (open_->SavingLosesText()) {
    QMessageBox box(this);
    Ask(&box, "replace", QString("Replace %1?").arg(WordsOfPath(open_->file().filename())),
        "The file was not written by the workbench, or has changed since. It becomes one file "
        "with the scene and all data in it; its comments are lost.");
    QPushButton* replace = box.addButton("&Replace", QMessageBox::DestructiveRole);
    QPushButton* as = box.addButton("Save &as …", QMessageBox::AcceptRole);
    box.setEscapeButton(box.addButton(QMessageBox::Cancel));
    box.setDefaultButton(as);
    box.exec();
    if (box.clickedButton() == as) return AskAndSave();
    if (box.clickedButton() != replace) return false;
  }
  return SaveTo(open_->file());
}

bool MainWindow::AskAndSave() {
  if (open_->experiment() == nullptr) {
    statusBar()->showMessage("No experiment is open.", 5000);
    return false;
  }
  // A dialog of its own adds the ending before it asks whether to replace a file.
  QFileDialog dialog(this, "Save the experiment");
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilter("Experiments (*.toml)");
  dialog.setDefaultSuffix("toml");
  dialog.selectFile(QString::fromStdString(open_->experiment()->name + "-edited.toml"));
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return false;
  return SaveTo(dialog.selectedFiles().front().toStdString());
}

bool MainWindow::MayLeave() {
  if (!open_->edited()) return true;
  QMessageBox box(this);
  Ask(&box, "unsaved",
      QString("Save the changes to %1?").arg(QString::fromStdString(open_->experiment()->name)),
      UnsavedEdits(*open_));
  box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Save);
  box.setEscapeButton(QMessageBox::Cancel);
  switch (box.exec()) {
    case QMessageBox::Save:
      return Save();
    case QMessageBox::Discard:
      return true;
    default:
      return false;
  }
}

void MainWindow::RestoreLeftWork() { guard_->RestoreLeftWork(); }

void MainWindow::SaveLayout() {
  const QVariantMap layout = {
      {"geometry", saveGeometry()}, {"layout", saveState()}, {"pages", pages_->State()}};
  if (layout == saved_layout_) return;
  saved_layout_ = layout;
  QSettings settings;
  settings.setValue("geometry", layout["geometry"]);
  settings.setValue("layout", layout["layout"]);
  pages_->SaveState(&settings);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!MayLeave()) {
    event->ignore();
    return;
  }
  SaveLayout();
  guard_->Forget();
  event->accept();
}

}  // namespace pliant
