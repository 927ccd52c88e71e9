#include "app/workbench/pages/page_parts.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace pliant {

QVBoxLayout* TightColumn(QWidget* page) {
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(4, 4, 4, 4);
  column->setSpacing(4);
  return column;
}

QTreeView* AddSearchableTree(QAbstractItemModel* model, QVBoxLayout* column, QWidget* page) {
  auto* search = new QLineEdit(page);
  search->setPlaceholderText("Search");
  search->setClearButtonEnabled(true);
  column->addWidget(search);
  auto* filter = new QSortFilterProxyModel(page);
  filter->setSourceModel(model);
  filter->setRecursiveFilteringEnabled(true);
  filter->setAutoAcceptChildRows(true);
  filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* tree = new QTreeView(page);
  tree->setModel(filter);
  tree->setUniformRowHeights(true);
  tree->setIndentation(tree->fontMetrics().averageCharWidth() * 3 / 2);  // room for names
  column->addWidget(tree, 1);
  QObject::connect(search, &QLineEdit::textChanged, tree, [tree, filter](const QString& text) {
    filter->setFilterFixedString(text);
    if (!text.isEmpty()) tree->expandAll();
  });
  return tree;
}

JobButtons::JobButtons(const QString& job, QWidget* page, QVBoxLayout* column, const Press& begin,
                       const Press& halt, const Press& end)
    : job(job), page(page), row(new QHBoxLayout) {
  start = Add("Start", begin);
  pause = Add("Pause", halt);
  stop = Add("Stop", end);
  column->addLayout(row);
}

QPushButton* JobButtons::Add(const QString& text, const Press& press) {
  auto* button = new QPushButton(text, page);
  button->setToolTip(press.tip);
  button->setObjectName(job + " " + text);
  button->setMinimumWidth(1);
  QObject::connect(button, &QPushButton::clicked, page, press.what);
  row->addWidget(button);
  return button;
}

void JobButtons::Show(bool can_start, bool works, bool paused) {
  start->setEnabled(can_start && !works);
  pause->setEnabled(works);
  pause->setText(paused ? "Resume" : "Pause");
  stop->setEnabled(works);
}

}  // namespace pliant
