// Every value of the open experiment as a tree, to be edited in place.

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/page.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/pages/parameter_model.h"
#include "app/workbench/widgets/palette.h"

namespace pliant {
namespace {

// A list for a value that is one of a few words, a line otherwise.
class ValueDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override {
    const QStringList choices = index.data(ParameterModel::kChoicesRole).toStringList();
    if (choices.isEmpty()) return QStyledItemDelegate::createEditor(parent, option, index);
    auto* list = new QComboBox(parent);
    list->addItems(choices);
    return list;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    if (auto* list = qobject_cast<QComboBox*>(editor)) {
      list->setCurrentText(index.data(Qt::EditRole).toString());
    } else {
      QStyledItemDelegate::setEditorData(editor, index);
    }
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override {
    if (auto* list = qobject_cast<QComboBox*>(editor)) {
      model->setData(index, list->currentText());
    } else {
      QStyledItemDelegate::setModelData(editor, model, index);
    }
  }
};

class ParameterPage : public Page {
 public:
  ParameterPage(const PageContext& context, QWidget* parent);

  QString WhyNot() const override {
    return open_->experiment() == nullptr
               ? "No experiment is open. The values of a bundle are those it was run with."
               : "";
  }
  void Reload() override;

 private:
  OpenExperiment* open_;
  ParameterModel* model_;
  QTreeView* tree_;
};

ParameterPage::ParameterPage(const PageContext& context, QWidget* parent)
    : Page(parent), open_(context.experiment), model_(new ParameterModel(open_, this)) {
  QVBoxLayout* column = TightColumn(this);
  auto* heading =
      new QLabel("A change restarts the experiment and runs it to the present time.", this);
  heading->setWordWrap(true);
  column->addWidget(heading);
  tree_ = AddSearchableTree(model_, column, this);
  tree_->setObjectName("parameters");
  tree_->setItemDelegate(new ValueDelegate(tree_));
  tree_->setAlternatingRowColors(true);
  tree_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                         QAbstractItemView::SelectedClicked);
  auto* meaning = new QLabel(this);
  meaning->setWordWrap(true);
  meaning->setMinimumHeight(2 * meaning->fontMetrics().height());
  meaning->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(meaning);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [meaning](const QModelIndex& index) {
            meaning->setText(
                index.siblingAtColumn(ParameterModel::kName).data(Qt::ToolTipRole).toString());
          });
  connect(open_, &OpenExperiment::Saved, this, &ParameterPage::Reload);
  connect(open_, &OpenExperiment::Refused, this, [meaning](const QString& why) {
    meaning->setText("<span style=\"color:" + ReadableInk({0xa3, 0x1d, 0x1d}).name() + "\">" +
                     why.toHtmlEscaped() + "</span>");
  });
  Reload();
}

void ParameterPage::Reload() {
  model_->Reload();
  for (int i = 0; i < tree_->model()->rowCount(); ++i) {
    tree_->setFirstColumnSpanned(i, {}, true);
  }
  tree_->collapseAll();
  tree_->expand(tree_->model()->index(0, 0));
  tree_->expand(tree_->model()->index(1, 0));
  const int width = tree_->fontMetrics().averageCharWidth();
  const int widths[] = {30, 14, 8, 16, 12, 60};
  for (int i = 0; i < ParameterModel::kColumns; ++i) {
    tree_->header()->resizeSection(i, widths[i] * width);
  }
}

}  // namespace

Page* MakeParameterPage(const PageContext& context, QWidget* parent) {
  return new ParameterPage(context, parent);
}

}  // namespace pliant
