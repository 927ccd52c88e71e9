// The table of how each backend translated each element of the scene, with the reason for the
// selected cell below it.

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "app/workbench/pages/page.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/pages/translation_model.h"

namespace pliant {

Page* MakeTranslationPage(const PageContext& context, QWidget* parent) {
  auto* page = new Page(parent);
  QVBoxLayout* column = TightColumn(page);
  auto* model = new TranslationModel(context.session, page);
  auto* table = new QTableView(page);
  table->setModel(model);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAlternatingRowColors(true);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  column->addWidget(table, 1);
  auto* reason = new QLabel("Select a cell to read the reason.", page);
  reason->setWordWrap(true);
  reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
  reason->setMinimumHeight(3 * reason->fontMetrics().height());
  reason->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(reason);
  QObject::connect(
      table->selectionModel(), &QItemSelectionModel::currentChanged, reason,
      [reason, model](const QModelIndex& index) {
        if (!index.isValid()) return;
        const QString element =
            model->headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString();
        const QString pane =
            model->headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString();
        reason->setText(
            QString("%1 in %2: %3").arg(element, pane, index.data(Qt::ToolTipRole).toString()));
      });
  return page;
}

}  // namespace pliant
