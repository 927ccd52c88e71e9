// What tests of windows share: an application whose settings are thrown away, and waiting for what
// happens on other threads.

#ifndef PLIANT_TESTS_APP_WORKBENCH_WINDOWS_H_
#define PLIANT_TESTS_APP_WORKBENCH_WINDOWS_H_

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QSettings>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/workbench/session/session.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {

// Handles events until `done`, `seconds` at most.
template <typename Done>
::testing::AssertionResult WaitUntil(Done done, int seconds = 20) {
  QElapsedTimer watch;
  watch.start();
  while (watch.elapsed() < 1000 * seconds) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    if (done()) return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "not within " << seconds << " seconds";
}

inline bool AllPanesEnded(const Session& session) {
  for (const Pane& pane : session.panes()) {
    if (pane.worker != nullptr) return false;
  }
  return true;
}

// Every pane has its first frame, or has ended without one.
inline bool AllPanesBegun(const Session& session) {
  for (const Pane& pane : session.panes()) {
    if (pane.worker != nullptr && pane.recording.empty()) return false;
  }
  return true;
}

// Share of the pixels of `area` that are not white.
inline double Inked(const QImage& image, const QRect& area) {
  int inked = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      if ((image.pixel(x, y) & 0xffffff) != 0xffffff) ++inked;
    }
  }
  return static_cast<double>(inked) / (area.width() * area.height());
}

// Share of the pixels whose red, green and blue are within `tolerance` of `colour`.
inline double ShareOf(const QImage& image, const QRect& area, const QColor& colour, int tolerance) {
  int like = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      const QColor c = image.pixelColor(x, y);
      if (std::abs(c.red() - colour.red()) <= tolerance &&
          std::abs(c.green() - colour.green()) <= tolerance &&
          std::abs(c.blue() - colour.blue()) <= tolerance) {
        ++like;
      }
    }
  }
  return static_cast<double>(like) / (area.width() * area.height());
}

// Pictures are kept in the folder PLIANT_SCREENSHOTS where that is set.
inline void KeepScreenshot(const QImage& image, const std::string& name) {
  const char* folder = std::getenv("PLIANT_SCREENSHOTS");
  if (folder == nullptr) return;
  std::filesystem::create_directories(folder);
  const std::string density = image.devicePixelRatio() > 1.0 ? "-dense.png" : ".png";
  image.save(QString::fromStdString((std::filesystem::path(folder) / (name + density)).string()));
}

// The page of this type; of several, the one with this title.
template <typename P>
P& PageOf(const QWidget& window, const char* title = nullptr) {
  return *window.findChild<P*>(QString(title));  // a null name finds any
}

class WindowTest : public ::testing::Test {
 protected:
  WindowTest() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                       QString::fromStdString(settings_.path().string()));
    QCoreApplication::setOrganizationName("pliant-test");
    QCoreApplication::setApplicationName("workbench");
  }
  ScratchFolder settings_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_WINDOWS_H_
