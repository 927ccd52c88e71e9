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

// The table of a parameter of a backend, by the label of that; null when it is none.
template <typename Table>
const Table* TableOf(const Experiment& experiment, const std::string& backend, const char* name) {
  for (const BackendChoice& choice : experiment.backends) {
    if (choice.label != backend) continue;
    const auto found = choice.parameters.find(name);
    return found == choice.parameters.end() ? nullptr : std::get_if<Table>(&found->second);
  }
  return nullptr;
}

// A table as high as its rows, up to some.
void Fit(QTableView* table) {
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  const int rows = std::clamp(table->model()->rowCount(), 3, 10);
  table->setFixedHeight((rows + 1) * (table->fontMetrics().height() + 8) + 24);
}

}  // namespace

EditorPage::EditorPage(OpenExperiment* open, QWidget* parent)
    : QWidget(parent),
      open_(open),
      matrix_(new ModeModel(open, this)),
      poses_(new PoseModel(open, this)) {
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
  told_ = new QLabel(this);
  told_->setObjectName("editor told");
  told_->setWordWrap(true);
  told_->setMinimumHeight(2 * told_->fontMetrics().height());
  told_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(told_);
  connect(choice_, &QComboBox::activated, this, [this] { Build(); });
  connect(open, &OpenExperiment::Edited, this, &EditorPage::Update);
  connect(open, &OpenExperiment::Refused, this, [this](const QString& why) {
    told_->setText("<span style=\"color:" + ReadableInk({0xb3, 0x26, 0x1e}).name() + "\">" +
                   why.toHtmlEscaped() + "</span>");
    ShowValues();  // as they are
  });
}

void EditorPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) Reload();
}

void EditorPage::Reload() {
  stale_ = !isVisible();
  if (stale_) return;
  told_->clear();
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
  told_->clear();
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
        "Levels of a surface, shares of forces, modes, poses and lamps have editors here; this "
        "experiment has none of them. All values are under Parameters.",
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
  area_->setWidget(content_);  // deletes the one before
}

void EditorPage::AddStrip(size_t list) {
  auto* strip = new NumberStrip(content_);
  auto* size = new QComboBox(content_);
  size->setToolTip("How many values: one for all, or one for each place (and stage)");
  connect(strip, &NumberStrip::Chosen, this,
          [this, list](const std::vector<double>& values) { Apply(list, values); });
  connect(strip, &NumberStrip::Told, told_, &QLabel::setText);
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
      told_->setText("This mode is a shape of the library or a sum: its matrix follows from it.");
    }
  } catch (const std::exception& wrong) {
    lattice_->Show(nullptr);
    matrix_->Clear();
    told_->setText(QString::fromUtf8(wrong.what()));
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
  add("Copy", "A copy of the chosen pose, after it", [this](int pose) { poses_->Copy(pose); });
  add("Remove", "Without the chosen pose: what led to it leads to what it led to",
      [this](int pose) { poses_->Remove(pose); });
  add("Earlier", "One place up in the list", [this](int pose) { poses_->Move(pose, -1); });
  add("Later", "One place down in the list", [this](int pose) { poses_->Move(pose, 1); });
  auto* forget = new QPushButton("Forget", content_);
  forget->setMinimumWidth(1);
  forget->setToolTip("Without the poses that were taken by the keys 1 to 9");
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
  const std::vector<std::string> path = now.path;  // the groups are about to change
  const FileValue written = now.write(values);
  if (!open_->Set(what, path, written)) ShowValues();
}

}  // namespace pliant
