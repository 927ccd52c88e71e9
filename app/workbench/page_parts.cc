#include "app/workbench/page_parts.h"

#include <QLineEdit>
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
  column->addWidget(tree, 1);
  QObject::connect(search, &QLineEdit::textChanged, tree, [tree, filter](const QString& text) {
    filter->setFilterFixedString(text);
    if (!text.isEmpty()) tree->expandAll();
  });
  return tree;
}

}  // namespace pliant
