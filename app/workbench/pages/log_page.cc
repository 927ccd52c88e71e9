// The log.

#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/page.h"

namespace pliant {
namespace {

// O(1) a line, where a list view lays all lines out again. It follows the newest line unless somebody has scrolled up.
void Append(const QAbstractItemModel& log, int first, int last, QPlainTextEdit* text) {
  for (int row = first; row <= last; ++row)
    text->appendPlainText(log.index(row, 0).data().toString());
}

}  // namespace

Page* MakeLogPage(const PageContext& context, QWidget* parent) {
  auto* page = new Page(parent);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  auto* text = new QPlainTextEdit(page);
  text->setObjectName("log text");
  text->setReadOnly(true);
  text->setUndoRedoEnabled(false);
  text->setMaximumBlockCount(LogModel::kMostLines);
  column->addWidget(text);
  const LogModel* log = context.log;
  Append(*log, 0, log->rowCount() - 1, text);
  QObject::connect(
      log, &QAbstractItemModel::rowsInserted, text,
      [log, text](const QModelIndex&, int first, int last) { Append(*log, first, last, text); });
  return page;
}

}  // namespace pliant
