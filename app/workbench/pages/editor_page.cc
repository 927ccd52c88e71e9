#include "app/workbench/pages/editor_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <variant>

#include "app/workbench/editors/lattice_view.h"
#include "app/workbench/editors/mode_model.h"
#include "app/workbench/editors/number_strip.h"
#include "app/workbench/editors/pose_graph_view.h"
#include "app/workbench/editors/pose_model.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/edits/pose_edit.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/widgets/palette.h"

namespace pliant {
namespace {

// The table in a parameter of the backend with this label; null when it is not a table.
template <typename Table>
const Table* TableOf(const Experiment& experiment, const std::string& backend, const char* name) {
  for (const BackendChoice& choice : experiment.backends) {
    if (choice.label != backend) continue;
    const auto found = choice.parameters.find(name);
    return found == choice.parameters.end() ? nullptr : ValueAs<Table>(found->second);
  }
  return nullptr;
}

// Makes a table as high as its rows, within limits.
void Fit(QTableView* table) {
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  const int rows = std::clamp(table->model()->rowCount(), 3, 10);
  table->setFixedHeight((rows + 1) * (table->fontMetrics().height() + 8) + 24);
}

}  // namespace

EditorPage::EditorPage(const PageContext& context, QWidget* parent)
    : Page(parent),
      open_(context.experiment),
      matrix_(new ModeModel(open_, this)),
      poses_(new PoseModel(open_, this)) {
  QVBoxLayout* column = TightColumn(this);
  choice_ = new QComboBox(this);
  choice_->setObjectName("editor");
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice_->setMinimumContentsLength(16);
  column->addWidget(choice_);
  area_ = new QScrollArea(this);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  column->addWidget(area_, 1);
  message_ = new QLabel(this);
  message_->setObjectName("editor message");
  message_->setWordWrap(true);
  message_->setMinimumHeight(2 * message_->fontMetrics().height());
  message_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(message_);
  connect(choice_, &QComboBox::activated, this, [this] { Build(); });
  connect(open_, &OpenExperiment::Edited, this, &EditorPage::Update);
  connect(open_, &OpenExperiment::Saved, this, &EditorPage::Reload);
  connect(open_, &OpenExperiment::Refused, this, [this](const QString& why) {
    message_->setText("<span style=\"color:" + ReadableInk({0xb3, 0x26, 0x1e}).name() + "\">" +
                      why.toHtmlEscaped() + "</span>");
    ShowValues();  // restores the values
  });
}

QString EditorPage::WhyNot() const {
  return open_->experiment() == nullptr ? "No experiment is open." : "";
}

void EditorPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) Reload();
}

void EditorPage::Reload() {
  stale_ = !isVisible();
  if (stale_) return;
  message_->clear();
  const QString before = choice_->currentText();
  groups_.clear();
  of_file_.clear();
  if (open_->experiment() != nullptr) {
    groups_ = EditorGroups(*open_->experiment());
    of_file_ = EditorGroups(*open_->of_file());
  }
  choice_->clear();
  for (const EditorGroup& group : groups_) choice_->addItem(QString::fromStdString(group.title));
  choice_->setEnabled(!groups_.empty());
  choice_->setCurrentIndex(std::max(choice_->findText(before), groups_.empty() ? -1 : 0));
  Build();
}

void EditorPage::Update() {
  const auto titles = [](const std::vector<EditorGroup>& groups) {
    std::vector<std::string> all;
    for (const EditorGroup& group : groups) {
      all.push_back(group.title);
      for (const NumberList& list : group.lists) all.push_back(list.title);
    }
    return all;
  };
  stale_ = stale_ || !isVisible();
  if (stale_) return;
  std::vector<EditorGroup> now = EditorGroups(*open_->experiment());
  if (titles(now) != titles(groups_)) {
    Reload();
    return;
  }
  groups_ = std::move(now);
  of_file_ = EditorGroups(*open_->of_file());
  message_->clear();
  ShowValues();
}

void EditorPage::Choose(int group) {
  choice_->setCurrentIndex(group);
  Build();
}

const EditorGroup* EditorPage::Chosen() const {
  const int at = choice_->currentIndex();
  return at < 0 || at >= static_cast<int>(groups_.size()) ? nullptr
                                                          : &groups_[static_cast<size_t>(at)];
}

bool EditorPage::Differs(const EditorGroup& group, const NumberList& list) const {
  for (const EditorGroup& other : of_file_) {
    if (other.title != group.title) continue;
    for (const NumberList& before : other.lists) {
      if (before.title == list.title) return before.values != list.values;
    }
  }
  return true;
}

void EditorPage::Build() {
  strips_.clear();
  lattice_ = nullptr;
  mode_ = body_ = nullptr;
  content_ = new QWidget;
  column_ = TightColumn(content_);
  const EditorGroup* group = Chosen();
  if (group == nullptr) {
    auto* nothing = new QLabel(
        "This experiment has nothing to edit here: levels of a surface, shares of forces, modes, "
        "poses and lamps have editors. The page Parameters lists all values.",
        content_);
    nothing->setWordWrap(true);
    column_->addWidget(nothing);
  } else {
    if (group->kind == EditorGroup::Kind::kPoses) AddPoses();
    if (group->kind == EditorGroup::Kind::kModes) AddModes();
    for (size_t i = 0; i < group->lists.size(); ++i) AddStrip(i);
    ShowValues();
  }
  column_->addStretch(1);
  area_->setWidget(content_);  // deletes the previous one
}

void EditorPage::AddStrip(size_t list) {
  auto* strip = new NumberStrip(content_);
  auto* size = new QComboBox(content_);
  size->setToolTip("Number of values: one for all, or one per column (and stage)");
  connect(strip, &NumberStrip::Chosen, this,
          [this, list](const std::vector<double>& values) { Apply(list, values); });
  connect(strip, &NumberStrip::Message, message_, &QLabel::setText);
  if (lattice_ != nullptr) {
    connect(strip, &NumberStrip::Dragged, lattice_, &LatticeView::SetAmplitudes);
  }
  connect(size, &QComboBox::activated, this, [this, list, size] {
    const NumberList& now = strips_[list].strip->list();
    Apply(list, Resized(now, size->currentData().value<size_t>()));
  });
  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  row->addWidget(strip, 1);
  row->addWidget(size, 0, Qt::AlignTop);
  column_->addLayout(row);
  strips_.push_back({strip, size});
}

void EditorPage::AddModes() {
  lattice_ = new LatticeView(content_);
  column_->addWidget(lattice_);
  auto* row = new QHBoxLayout;
  body_ = new QComboBox(content_);
  for (const Body& body : open_->experiment()->scene->bodies) {
    body_->addItem(QString::fromStdString(body.name));
  }
  body_->setVisible(body_->count() > 1);
  mode_ = new QComboBox(content_);
  mode_->setObjectName("mode");
  row->addWidget(body_);
  row->addWidget(mode_, 1);
  column_->addLayout(row);
  auto* matrix = new QTableView(content_);
  matrix->setObjectName("mode matrix");
  matrix->setModel(matrix_);
  matrix->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  column_->addWidget(matrix);
  for (const std::string& name : Chosen()->lists.front().labels) {
    mode_->addItem(QString::fromStdString(name));
  }
  for (QComboBox* box : {body_, mode_}) {
    connect(box, &QComboBox::activated, this, [this, matrix] {
      ShowModes();
      Fit(matrix);
    });
  }
  ShowModes();
  Fit(matrix);
}

void EditorPage::ShowModes() {
  const EditorGroup* group = Chosen();
  const auto* table = TableOf<MatrixTable>(*open_->experiment(), group->backend, "modes");
  try {
    const auto modes = std::make_shared<const ModesOfBody>(
        *table, *open_->experiment()->scene,
        static_cast<size_t>(std::max(0, body_->currentIndex())));
    const auto mode = static_cast<size_t>(std::max(0, mode_->currentIndex()));
    lattice_->Show(modes);
    lattice_->SetAmplitudes(group->lists.front().values);
    lattice_->SetGhost(mode);
    matrix_->Show(group->backend, *modes, mode);
    if (!matrix_->drawn()) {
      message_->setText("This mode is a mode of the library or a sum; its matrix is read-only.");
    }
  } catch (const std::exception& wrong) {
    lattice_->Show(nullptr);
    matrix_->Clear();
    message_->setText(QString::fromUtf8(wrong.what()));
  }
}

void EditorPage::AddPoses() {
  auto* table = new QTableView(content_);
  table->setObjectName("poses");
  table->setModel(poses_);
  table->verticalHeader()->hide();
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->horizontalHeader()->setStretchLastSection(true);
  const EditorGroup* group = Chosen();
  const auto* control = TableOf<ControlTable>(*open_->experiment(), group->backend, "control");
  poses_->Show(group->backend, *control, group->controller);
  table->resizeColumnsToContents();
  Fit(table);
  column_->addWidget(table);
  auto* row = new QHBoxLayout;
  const auto add = [&](const char* text, const char* tip, auto act) {
    auto* button = new QPushButton(text, content_);
    button->setToolTip(tip);
    button->setMinimumWidth(1);
    connect(button, &QPushButton::clicked, this, [table, act] {
      const int pose = table->currentIndex().row();
      if (pose >= 0) act(pose);
    });
    row->addWidget(button);
    return button;
  };
  add("Copy", "Insert a copy after the selected pose", [this](int pose) { poses_->Copy(pose); });
  add("Remove", "Remove the selected pose; poses that led to it lead to its successor",
      [this](int pose) { poses_->Remove(pose); });
  add("Earlier", "Move the pose up in the list", [this](int pose) { poses_->Move(pose, -1); });
  add("Later", "Move the pose down in the list", [this](int pose) { poses_->Move(pose, 1); });
  auto* forget = new QPushButton("Clear", content_);
  forget->setMinimumWidth(1);
  forget->setToolTip("Remove the poses that were taken with the keys 1 to 9");
  connect(forget, &QPushButton::clicked, this, [this] { poses_->ForgetTaken(); });
  row->addWidget(forget);
  column_->addLayout(row);
  auto* graph = new PoseGraphView(content_);
  column_->addWidget(graph);
  connect(graph, &PoseGraphView::Chosen, table, &QTableView::selectRow);
  connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, graph,
          [graph](const QModelIndex& now) { graph->Mark(now.row()); });
  table->selectRow(0);
}

void EditorPage::ShowValues() {
  const EditorGroup* group = Chosen();
  if (group == nullptr || strips_.size() != group->lists.size()) return;
  for (size_t i = 0; i < strips_.size(); ++i) {
    const NumberList& list = group->lists[i];
    strips_[i].strip->SetList(list, Differs(*group, list));
    QComboBox* size = strips_[i].size;
    size->clear();
    for (const size_t count : list.sizes) {
      size->addItem(count == 1 ? "1 value" : QString("%1 values").arg(count),
                    QVariant::fromValue(count));
    }
    size->setCurrentIndex(size->findData(QVariant::fromValue(list.values.size())));
    size->setVisible(list.sizes.size() > 1);
  }
  if (group->kind == EditorGroup::Kind::kModes) ShowModes();
  if (group->kind == EditorGroup::Kind::kPoses) {
    const auto* control = TableOf<ControlTable>(*open_->experiment(), group->backend, "control");
    auto* table = content_->findChild<QTableView*>("poses");
    const int row = std::max(0, table->currentIndex().row());
    poses_->Show(group->backend, *control, group->controller);
    ControlTable shown = *control;
    content_->findChild<PoseGraphView*>()->Show(ControllerOf(&shown, group->controller));
    table->selectRow(std::min(row, poses_->rowCount() - 1));
  }
}

void EditorPage::Apply(size_t list, const std::vector<double>& values) {
  const EditorGroup* group = Chosen();
  if (group == nullptr || list >= group->lists.size()) return;
  const NumberList& now = group->lists[list];
  const QString what = QString::fromStdString(now.title);
  const std::vector<std::string> path = now.path;  // the edit replaces the groups
  const FileValue written = now.write(values);
  if (!open_->Set(what, path, written)) ShowValues();
}

Page* MakeEditorPage(const PageContext& context, QWidget* parent) {
  return new EditorPage(context, parent);
}

}  // namespace pliant
