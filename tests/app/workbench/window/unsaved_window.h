// The whole window with an edited experiment, and the answers to its questions.

#ifndef PLIANT_TESTS_APP_WORKBENCH_WINDOW_UNSAVED_WINDOW_H_
#define PLIANT_TESTS_APP_WORKBENCH_WINDOW_UNSAVED_WINDOW_H_

#include <gtest/gtest.h>

#include <QApplication>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <string>

#include "app/workbench/edits/open_experiment.h"
#include "tests/app/workbench/plain_window.h"

namespace pliant {

// Makes the next modal dialog answer; says whether one came, what it said and a picture of it.
class NextDialog {
 public:
  NextDialog(const std::function<void(QWidget* dialog)>& answer, const std::string& picture = "")
      : answer_(answer), picture_(picture) {
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      QWidget* dialog = QApplication::activeModalWidget();
      if (dialog == nullptr || !dialog->isVisible()) return;
      timer_.stop();
      came_ = true;
      if (const auto* box = qobject_cast<QMessageBox*>(dialog)) {
        said_ = (box->text() + "\n" + box->informativeText()).toStdString();
      }
      if (!picture_.empty()) KeepScreenshot(dialog->grab().toImage(), picture_);
      answer_(dialog);
    });
    timer_.start(20);
  }
  bool came() const { return came_; }
  const std::string& said() const { return said_; }

 private:
  std::function<void(QWidget*)> answer_;
  std::string picture_, said_;
  bool came_ = false;
  QTimer timer_;
};

inline std::function<void(QWidget*)> Press(QMessageBox::StandardButton button) {
  return [button](QWidget* dialog) { qobject_cast<QMessageBox*>(dialog)->button(button)->click(); };
}
inline std::function<void(QWidget*)> Key(Qt::Key key) {
  return [key](QWidget* dialog) { QTest::keyClick(dialog, key); };
}
inline std::function<void(QWidget*)> PressNamed(const QString& text) {
  return [text](QWidget* dialog) {
    for (auto* button : dialog->findChildren<QPushButton*>()) {
      if (button->text().remove('&') == text) button->click();
    }
  };
}
inline std::function<void(QWidget*)> EnterName(const std::filesystem::path& path) {
  return [path](QWidget* dialog) {
    dialog->findChild<QLineEdit*>()->setText(QString::fromStdString(path.string()));
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  };
}

class UnsavedTest : public PlainWindowTest {
 protected:
  OpenExperiment& open() { return window_->open_experiment(); }
  void Edit() { ASSERT_TRUE(open().SetValue({"scene", "gravity"}, "[0.0, -30.0]")); }
  double GravityOf(const std::filesystem::path& file) const {
    return ReadExperiment(file).scene->gravity.y();
  }
  std::filesystem::path File() const { return scratch_ / "short.toml"; }
  bool ClosesWith(const std::function<void(QWidget*)>& answer, std::string* said = nullptr) {
    const NextDialog dialog(answer, said != nullptr ? "unsaved" : "");
    const bool closed = window_->close();
    EXPECT_TRUE(dialog.came());
    if (said != nullptr) *said = dialog.said();
    return closed;
  }
};

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_WINDOW_UNSAVED_WINDOW_H_
