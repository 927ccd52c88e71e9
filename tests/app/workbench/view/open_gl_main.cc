// Starts a display, and with it all tests of the program.

#include <gtest/gtest.h>

#include <QApplication>
#include <cstdio>
#include <cstdlib>

#include "tests/app/workbench/virtual_display.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const pliant::VirtualDisplay display;
  if (display.name().empty()) {
    std::fprintf(stderr, "these tests need Xvfb: install the package xvfb\n");
    return 1;
  }
  setenv("DISPLAY", display.name().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
