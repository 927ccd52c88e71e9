#include "app/workbench/pages/pages.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableView>
#include <QTextBlock>
#include <QTreeView>
#include <QVBoxLayout>
#include <fstream>
#include <iterator>

#include "app/workbench/pages/models.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/session/session.h"

namespace pliant {

LibraryPage::LibraryPage(LibraryModel* model, QWidget* parent) : QWidget(parent) {
  QVBoxLayout* column = TightColumn(this);
  tree_ = AddSearchableTree(model, column, this);
  tree_->setHeaderHidden(true);
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const QString path = index.data(LibraryModel::kPathRole).toString();
    if (!path.isEmpty()) emit Chosen(path);
  });
}

void LibraryPage::Unfold() { tree_->expandToDepth(0); }

QWidget* MakeTranslationPage(Session* session, QWidget* parent) {
  auto* page = new QWidget(parent);
  QVBoxLayout* column = TightColumn(page);
  auto* model = new TranslationModel(session, page);
  auto* table = new QTableView(page);
  table->setModel(model);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAlternatingRowColors(true);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  column->addWidget(table, 1);
  auto* reason = new QLabel("Select a cell to read why.", page);
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

QWidget* MakeLogPage(LogModel* model, QWidget* parent) {
  auto* list = new QListView(parent);
  list->setModel(model);
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setWordWrap(true);
  QObject::connect(model, &QAbstractItemModel::rowsInserted, list, &QListView::scrollToBottom);
  return list;
}

std::optional<FilePosition> PositionIn(const std::string& message) {
  static const QRegularExpression place(R"(^(.+?):(\d+):(\d+): )");
  const QRegularExpressionMatch match = place.match(QString::fromStdString(message));
  if (!match.hasMatch()) return std::nullopt;
  return FilePosition{match.captured(1).toStdString(), match.captured(2).toInt(),
                      match.captured(3).toInt()};
}

SourcePage::SourcePage(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  message_ = new QLabel(this);
  message_->setObjectName("message");
  message_->setWordWrap(true);
  message_->setMargin(10);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setStyleSheet("background: #fdecea; color: #8c1a1a;");
  column->addWidget(message_);
  text_ = new QPlainTextEdit(this);
  text_->setObjectName("source");
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  column->addWidget(text_, 1);
}

void SourcePage::Show(const std::filesystem::path& file, const std::string& message) {
  const std::optional<FilePosition> position = PositionIn(message);
  const std::filesystem::path shown = position ? position->file : file;
  std::ifstream stream;
  std::error_code error;
  if (std::filesystem::is_regular_file(shown, error)) stream.open(shown);
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  message_->setText(QString::fromStdString(message));
  // Lines are numbered, so that the message and other editors can be followed.
  QString numbered;
  const QStringList lines = QString::fromStdString(text).split('\n');
  for (int i = 0; i < lines.size(); ++i) {
    numbered += QString("%1  %2\n").arg(i + 1, 4).arg(lines[i]);
  }
  text_->setPlainText(numbered);
  text_->setExtraSelections({});
  marked_line_ = 0;
  if (!position || position->line < 1 || position->line > lines.size()) return;
  marked_line_ = position->line;
  QTextEdit::ExtraSelection mark;
  mark.format.setBackground(QColor(0xff, 0xd9, 0xd4));
  mark.format.setForeground(QColor(0x20, 0x20, 0x20));
  mark.format.setProperty(QTextFormat::FullWidthSelection, true);
  mark.cursor = QTextCursor(text_->document()->findBlockByNumber(marked_line_ - 1));
  text_->setExtraSelections({mark});
  text_->setTextCursor(mark.cursor);
  text_->centerCursor();
}

}  // namespace pliant
