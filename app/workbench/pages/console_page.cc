#include "app/workbench/pages/console_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTextBlock>
#include <QVBoxLayout>
#include <exception>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/page_parts.h"
#include "app/workbench/pages/source_page.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment_document.h"

namespace pliant {
namespace {

constexpr char kScriptKey[] = "script";
constexpr char kInterpreter[] = "interpreter";
constexpr char kLastCommand[] = "simul";

const FileValue::Array* BehavioursOf(const OpenExperiment& open) {
  if (open.experiment() == nullptr) return nullptr;
  const FileValue* behaviours = open.experiment()->document->root.Find("scene")->Find("behaviour");
  return behaviours == nullptr ? nullptr : behaviours->array();
}

bool IsCommand(const QString& line, const char* command) {
  return line.section('#', 0, 0).trimmed() == command;
}

}  // namespace

ConsolePage::ConsolePage(const PageContext& context, QWidget* parent)
    : Page(parent),
      open_(context.experiment),
      may_leave_(context.may_leave),
      log_(context.log),
      file_(context.home / "data" / "scripts" / "script.txt") {
  QVBoxLayout* column = TightColumn(this);
  auto* row = new QHBoxLayout;
  what_ = new QComboBox(this);
  what_->setObjectName("console of");
  row->addWidget(what_, 1);
  load_ = new QPushButton("Open …", this);
  row->addWidget(load_);
  auto* run = new QPushButton("Run", this);
  run->setObjectName("console run");
  run->setToolTip("Ctrl+Return");
  row->addWidget(run);
  column->addLayout(row);
  text_ = new QPlainTextEdit(this);
  text_->setObjectName("console text");
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  column->addWidget(text_, 1);
  command_ = new QLineEdit(this);
  command_->setObjectName("console command");
  command_->setFont(text_->font());
  column->addWidget(command_);
  message_ = new QLabel(this);
  message_->setObjectName("console message");
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setMinimumHeight(2 * message_->fontMetrics().height());
  message_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(message_);

  connect(run, &QPushButton::clicked, this, &ConsolePage::Run);
  connect(new QShortcut(QKeySequence("Ctrl+Return"), this, nullptr, nullptr,
                        Qt::WidgetWithChildrenShortcut),
          &QShortcut::activated, this, &ConsolePage::Run);
  connect(load_, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(
        this, "Open a script", QString::fromStdString(file_.parent_path().string()),
        "Scripts (*.txt);;All files (*)");
    if (path.isEmpty()) return;
    try {
      OpenScript(path.toStdString());
    } catch (const std::exception& wrong) {
      ShowMessage(QString::fromUtf8(wrong.what()), 0);
    }
  });
  connect(command_, &QLineEdit::returnPressed, this, [this] {
    if (Enter(command_->text())) command_->clear();
  });
  const auto recall = [this](const char* key, int by) {
    connect(new QShortcut(QKeySequence(key), command_, nullptr, nullptr, Qt::WidgetShortcut),
            &QShortcut::activated, this, [this, by] {
              const int to = recalled_ + by;
              if (to < 0 || to >= entered_.size()) return;
              recalled_ = to;
              command_->setText(entered_[to]);
            });
  };
  recall("Up", -1);
  recall("Down", 1);
  connect(what_, &QComboBox::currentIndexChanged, this, &ConsolePage::ShowChosen);
  connect(text_, &QPlainTextEdit::textChanged, this, [this] {
    if (what_->currentIndex() == 0) script_ = text_->toPlainText();
  });
  connect(open_, &OpenExperiment::Edited, this, &ConsolePage::OfferTexts);
  OfferTexts();
}

QVariantMap ConsolePage::SaveState() const { return {{kScriptKey, script_}}; }

void ConsolePage::RestoreState(const QVariantMap& state) {
  const QString script = state[kScriptKey].toString();
  if (!script.isEmpty()) SetText(script);
}

void ConsolePage::Reload() {
  const QString script = QString::fromStdString(open_->script());
  if (!script.isEmpty() && (script != script_ || open_->file() != file_)) {
    file_ = open_->file();
    what_->setCurrentIndex(0);
    SetText(script);
    ShowMessage("opened " + QString::fromStdString(file_.string()), 0);
  }
  OfferTexts();
}

void ConsolePage::OfferTexts() {
  QStringList all = {kInterpreter};
  if (const FileValue::Array* behaviours = BehavioursOf(*open_)) {
    for (size_t i = 0; i < behaviours->size(); ++i) {
      all << "behaviour " + QString::fromStdString(ElementName((*behaviours)[i], i));
    }
  }
  const QString before = what_->currentText();
  {
    const QSignalBlocker silent(what_);
    what_->clear();
    what_->addItems(all);
    what_->setCurrentIndex(std::max(0, what_->findText(before)));
  }
  // An edit elsewhere does not discard the text that is being written.
  if (before != what_->currentText() || text_->toPlainText().isEmpty()) ShowChosen();
}

void ConsolePage::ShowChosen() {
  const int index = what_->currentIndex();
  const bool interpreter = index <= 0;
  text_->setExtraSelections({});
  text_->setPlainText(interpreter ? script_ : BehaviourText(index - 1));
  text_->setPlaceholderText(interpreter ? "load_def FILE\ntrans 0 1 0\nset end 2\nset "
                                          "dt 0.01\nassign 1 200 5\nsimul"
                                        : "WaitFor(…)\nGrab(…, …, 1.0)");
  command_->setVisible(interpreter);
  command_->setPlaceholderText("insert a command before simul: assign 1 200 5");
  load_->setVisible(interpreter);
  message_->setText(interpreter ? "The commands are described in docs/script.md."
                                : "The language of behaviours is described in "
                                  "docs/linear-deformation.md.");
}

QString ConsolePage::BehaviourText(int index) const {
  const FileValue* script = (*BehavioursOf(*open_))[static_cast<size_t>(index)].Find("script");
  if (script == nullptr) return {};
  if (script->text() != nullptr) return QString::fromStdString(*script->text());
  QStringList lines;
  for (const FileValue& line : *script->array()) {
    if (line.text() != nullptr) lines << QString::fromStdString(*line.text());
  }
  return lines.join('\n');
}

void ConsolePage::OpenScript(const std::filesystem::path& file) {
  const std::string text = ReadTextFile(file);
  file_ = file;
  what_->setCurrentIndex(0);
  SetText(QString::fromStdString(text));
  ShowMessage("opened " + QString::fromStdString(file.string()), 0);
}

void ConsolePage::SetText(const QString& text) {
  QTextCursor all(text_->document());
  all.select(QTextCursor::Document);
  all.insertText(text);
}

QString ConsolePage::text() const { return text_->toPlainText(); }

QString ConsolePage::message() const { return message_->text(); }

void ConsolePage::Choose(const QString& what) {
  what_->setCurrentIndex(std::max(0, what_->findText(what)));
}

void ConsolePage::ShowMessage(const QString& message, int line) {
  message_->setText(message);
  text_->setExtraSelections({});
  const QTextBlock block = text_->document()->findBlockByNumber(line - 1);
  if (line < 1 || !block.isValid()) return;
  QTextEdit::ExtraSelection mark;
  mark.format.setBackground(QColor(0xff, 0xd9, 0xd4));
  mark.format.setForeground(QColor(0x20, 0x20, 0x20));
  mark.format.setProperty(QTextFormat::FullWidthSelection, true);
  mark.cursor = QTextCursor(block);
  text_->setExtraSelections({mark});
  text_->setTextCursor(mark.cursor);
}

bool ConsolePage::Run() {
  return what_->currentIndex() <= 0 ? RunScript() : RunBehaviour(what_->currentIndex() - 1);
}

bool ConsolePage::RunScript() {
  if (may_leave_ && !may_leave_()) return false;
  try {
    open_->OpenScript(text().toStdString(), file_);
  } catch (const std::exception& wrong) {
    const auto position = PositionIn(wrong.what());
    const bool here = position && position->file == file_;
    ShowMessage(QString::fromUtf8(wrong.what()), here ? position->line : 0);
    return false;
  }
  ShowMessage("The script is running. File, Save experiment writes it as an experiment file.", 0);
  log_->Add("opened the script of the console");
  return true;
}

bool ConsolePage::RunBehaviour(int index) {
  FileValue::Array lines;
  for (const QString& line : text().split('\n')) lines.push_back({line.toStdString(), {}});
  QString refusal;
  const auto told = connect(open_, &OpenExperiment::Refused, this,
                            [&refusal](const QString& why) { refusal = why; });
  const bool taken = open_->Set("script", {"scene", "behaviour", std::to_string(index), "script"},
                                {std::move(lines), {}});
  disconnect(told);
  ShowMessage(taken ? "The experiment restarts with the new behaviour." : refusal, 0);
  return taken;
}

bool ConsolePage::Enter(const QString& command) {
  if (command.trimmed().isEmpty()) return false;
  Choose(kInterpreter);
  const QString before = text();
  QStringList lines = before.split('\n');
  while (!lines.isEmpty() && lines.back().trimmed().isEmpty()) lines.removeLast();
  qsizetype at = 0;
  while (at < lines.size() && !IsCommand(lines[at], kLastCommand)) ++at;
  const bool ends = at < lines.size();
  if (!IsCommand(command, kLastCommand) || !ends) lines.insert(at, command);
  SetText(lines.join('\n'));
  entered_ << command;
  recalled_ = static_cast<int>(entered_.size());
  if (!ends && !IsCommand(command, kLastCommand)) {
    ShowMessage("Enter simul to run the script.", 0);
    return true;
  }
  if (RunScript()) return true;
  const QString why = message();
  SetText(before);
  ShowMessage(why, 0);
  return false;
}

Page* MakeConsolePage(const PageContext& context, QWidget* parent) {
  return new ConsolePage(context, parent);
}

}  // namespace pliant
