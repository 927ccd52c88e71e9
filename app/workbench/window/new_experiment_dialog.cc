#include "app/workbench/window/new_experiment_dialog.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <algorithm>

#include "app/workbench/widgets/number_box.h"
#include "experiments/files/experiment_document.h"

namespace pliant {
namespace {

QDoubleSpinBox* SecondsBox(double value, double least, QWidget* parent) {
  auto* box = new NumberBox(least, 1e6, 6, parent);
  box->setSuffix(" s");
  box->setValue(value);
  return box;
}

}  // namespace

std::optional<ExperimentTemplate> AskForExperiment(QWidget* parent,
                                                   const std::filesystem::path& scenes) {
  QDialog dialog(parent);
  dialog.setWindowTitle("New experiment");
  auto* form = new QFormLayout(&dialog);
  auto* scene = new QComboBox(&dialog);
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(scenes, none)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    scene->addItem(QString::fromStdString(file.stem().string()),
                   QString::fromStdString(file.string()));
  }
  form->addRow("Scene", scene);
  auto* about = new QLabel(&dialog);
  about->setWordWrap(true);
  about->setMinimumSize(420, 4 * about->fontMetrics().height());
  about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  form->addRow("", about);
  const auto tell = [about, scene] {
    const QString file = scene->currentData().toString();
    about->setText(file.isEmpty() ? QString()
                                  : QString::fromStdString(LeadingComment(file.toStdString())));
  };
  QObject::connect(scene, &QComboBox::currentIndexChanged, about, tell);
  tell();
  auto* formulations = new QListWidget(&dialog);
  for (const Backend* backend : Backends()) {
    auto* item = new QListWidgetItem(QString::fromStdString(backend->info().name), formulations);
    item->setCheckState(Qt::Checked);
    item->setToolTip(QString::fromStdString(backend->info().summary));
  }
  formulations->setMaximumHeight(7 * formulations->fontMetrics().height() + 12);
  form->addRow("Formulations", formulations);
  ExperimentTemplate made;
  auto* duration = SecondsBox(made.duration, 1e-6, &dialog);
  auto* step = SecondsBox(made.step, 1e-6, &dialog);
  auto* every = SecondsBox(made.record_every, 1e-6, &dialog);
  form->addRow("Duration", duration);
  form->addRow("Step", step);
  form->addRow("Record every", every);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
  buttons->button(QDialogButtonBox::Ok)->setEnabled(!files.empty());
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  form->addRow(buttons);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  made.scene = scene->currentData().toString().toStdString();
  for (int i = 0; i < formulations->count(); ++i) {
    if (formulations->item(i)->checkState() == Qt::Checked) {
      made.formulations.push_back(formulations->item(i)->text().toStdString());
    }
  }
  made.duration = duration->value();
  made.step = step->value();
  made.record_every = every->value();
  return made;
}

}  // namespace pliant
