// What pages are made of.

#ifndef PLIANT_APP_WORKBENCH_PAGE_PARTS_H_
#define PLIANT_APP_WORKBENCH_PAGE_PARTS_H_

class QAbstractItemModel;
class QTreeView;
class QVBoxLayout;
class QWidget;

namespace pliant {

QVBoxLayout* TightColumn(QWidget* page);

// A line to search in and below it the tree of `model`, of which it leaves what matches, with what
// is above and below that; both at the end of the column of `page`.
QTreeView* AddSearchableTree(QAbstractItemModel* model, QVBoxLayout* column, QWidget* page);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGE_PARTS_H_
