// The log.

#include <QListView>
#include <QVBoxLayout>

#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/page.h"

namespace pliant {

Page* MakeLogPage(const PageContext& context, QWidget* parent) {
  auto* page = new Page(parent);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  auto* list = new QListView(page);
  list->setModel(context.log);
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setWordWrap(true);
  column->addWidget(list);
  QObject::connect(context.log, &QAbstractItemModel::rowsInserted, list,
                   &QListView::scrollToBottom);
  return page;
}

}  // namespace pliant
