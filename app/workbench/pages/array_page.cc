#include "app/workbench/pages/array_page.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

#include "app/workbench/pages/array_model.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/session/session.h"
#include "models/scene/number_text.h"

namespace pliant {

ArrayPage::ArrayPage(const PageContext& context, QWidget* parent)
    : Page(parent), session_(context.session) {
  QVBoxLayout* column = TightColumn(this);
  auto* row = new QHBoxLayout;
  pane_ = new QComboBox(this);
  pane_->setToolTip("The run that is inspected");
  row->addWidget(pane_, 1);
  begin_ = new QPushButton("Show", this);
  begin_->setObjectName("inspect");
  begin_->setToolTip("Compute the matrices and vectors at the time of the clock");
  row->addWidget(begin_);
  save_ = new QPushButton("Save…", this);
  save_->setToolTip("Save all of them as HDF5 or as text");
  row->addWidget(save_);
  column->addLayout(row);
  state_ = new QLabel(this);
  state_->setObjectName("inspect state");
  state_->setWordWrap(true);
  column->addWidget(state_);
  auto* split = new QSplitter(Qt::Vertical, this);
  list_ = new QListWidget(split);
  list_->setObjectName("inspect list");
  auto* lower = new QWidget(split);
  QVBoxLayout* below = TightColumn(lower);
  meaning_ = new QLabel(lower);
  meaning_->setWordWrap(true);
  meaning_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  below->addWidget(meaning_);
  model_ = new ArrayModel(this);
  auto* table = new QTableView(lower);
  table->setObjectName("inspect table");
  table->setModel(model_);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  below->addWidget(table, 1);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 3);
  column->addWidget(split, 1);
  connect(begin_, &QPushButton::clicked, this, &ArrayPage::Begin);
  connect(save_, &QPushButton::clicked, this, &ArrayPage::AskAndSave);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int index) {
    model_->Show(seen_, index);
    const bool any = seen_ != nullptr && index >= 0;
    meaning_->setText(
        any ? QString::fromStdString(seen_->arrays[static_cast<size_t>(index)].meaning) : "");
  });
  connect(session_, &Session::PaneChanged, this, &ArrayPage::OfferPanes);
  Reload();
}

QString ArrayPage::WhyNot() const {
  return pane_->count() > 0 ? "" : "There is nothing to inspect: no pane shows a run.";
}

void ArrayPage::OfferPanes() {
  const QString chosen = pane_->currentText();
  pane_->clear();
  for (size_t i = 0; i < session_->panes().size(); ++i) {
    const Pane& pane = session_->panes()[i];
    if (pane.recording.empty() && !IsRunning(pane)) continue;  // it was refused
    pane_->addItem(QString::fromStdString(pane.label), QVariant::fromValue(i));
  }
  const int again = pane_->findText(chosen);
  if (again >= 0) pane_->setCurrentIndex(again);
}

void ArrayPage::Reload() {
  job_.Leave();
  seen_.reset();
  OfferPanes();
  ShowSeen();
}

void ArrayPage::Begin() {
  if (works() || !WhyNot().isEmpty()) return;
  const auto index = pane_->currentData().value<size_t>();
  const Pane& pane = session_->panes()[index];
  if (session_->dragging() || pane.stale) {
    ShowState("The run is being changed; wait until the drag has ended.");
    return;
  }
  const std::shared_ptr<const PaneFrame> frame = pane.recording.At(session_->time());
  if (frame == nullptr) {
    ShowState("Nothing is recorded yet.");
    return;
  }
  if (pane.bundle.empty()) {
    // From before the last step, which some of them describe.
    const double before = frame->time - session_->experiment()->backends[index].step;
    Checkpoints::State from{};
    if (pane.checkpoints != nullptr && before > 0.0) from = pane.checkpoints->Before(before);
    job_.Begin(BeginInspection(session_->experiment(), index, frame->time, from.numbers));
  } else {
    job_.Begin(BeginInspection(pane.bundle, frame->time));
  }
  ShowState("computing …");
}

void ArrayPage::Refresh() {
  std::optional<InspectNews> news = job_.Collect();
  if (!news || !news->end) return;
  if (news->seen == nullptr) {
    ShowState(QString::fromStdString(*news->end));
    return;
  }
  seen_ = std::move(news->seen);
  ShowSeen();
}

void ArrayPage::ShowSeen() {
  const QString chosen = list_->currentItem() != nullptr ? list_->currentItem()->text() : "";
  list_->clear();
  model_->Show(nullptr, -1);
  if (seen_ == nullptr) {
    ShowState("Show computes them at the time of the clock.");
    return;
  }
  for (const NamedArray& array : seen_->arrays) {
    list_->addItem(
        QString::fromStdString(fmt::format("{}/{} [{}], {}×{}", array.group, array.name, array.unit,
                                           array.values.rows(), array.values.cols())));
    list_->item(list_->count() - 1)->setToolTip(QString::fromStdString(array.meaning));
  }
  const auto again = list_->findItems(chosen, Qt::MatchExactly);
  list_->setCurrentRow(again.isEmpty() ? 0 : list_->row(again.first()));
  ShowState(QString::fromStdString(
      seen_->arrays.empty() ? seen_->backend + " shows no arrays"
                            : fmt::format("{} at {} s", seen_->label, RoundTrip(seen_->time))));
}

void ArrayPage::ShowState(const QString& state) {
  state_->setText(state);
  begin_->setEnabled(!works());
  save_->setEnabled(seen_ != nullptr && !seen_->arrays.empty());
}

void ArrayPage::Save(const std::filesystem::path& path) const {
  if (seen_ != nullptr) WriteInspection(path, *seen_);
}

void ArrayPage::AskAndSave() {
  const QString path = QFileDialog::getSaveFileName(this, "Save matrices and vectors", "arrays.h5",
                                                    "HDF5 (*.h5);;Text (*.txt)");
  if (path.isEmpty()) return;
  try {
    Save(path.toStdString());
    ShowState("saved: " + path);
  } catch (const std::exception& error) {
    ShowState(error.what());
  }
}

Page* MakeArrayPage(const PageContext& context, QWidget* parent) {
  return new ArrayPage(context, parent);
}

}  // namespace pliant
