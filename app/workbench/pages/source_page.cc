#include "app/workbench/pages/source_page.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextBlock>
#include <QVBoxLayout>
#include <fstream>
#include <iterator>

namespace pliant {

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
  // Numbers the lines, to match the message and other editors.
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
