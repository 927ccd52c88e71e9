// Tests of OpenGL run on a display of their own: Xvfb with Mesa's software renderer.

#include "tests/app/workbench/virtual_display.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

extern char** environ;

namespace pliant {

VirtualDisplay::VirtualDisplay() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return;
  const std::string fd = std::to_string(ends[1]);
  const char* arguments[] = {"Xvfb",         "-displayfd", fd.c_str(), "-screen", "0",
                             "1600x1000x24", "-nolisten",  "tcp",      nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, "Xvfb", &actions, nullptr, const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed == 0) {
    process_ = child;
    // The number of the display and a line feed, when it is ready.
    std::string number;
    char c = 0;
    while (read(ends[0], &c, 1) == 1 && c != '\n') number += c;
    if (!number.empty()) name_ = ":" + number;
  }
  close(ends[0]);
}

VirtualDisplay::~VirtualDisplay() {
  if (process_ == 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

}  // namespace pliant
