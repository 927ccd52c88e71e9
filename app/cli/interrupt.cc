// A handler, not a blocked signal: a signal goes to any thread that does not block it, and libraries start
// threads before main(), which block none. The handler does no more than a handler may: it posts a
// semaphore, on which a thread waits that requests the stop.

#include "app/cli/interrupt.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "app/cli/progress.h"

namespace pliant {
namespace {

constexpr int kExitOnSecondSignal = 1;
constexpr int kSignalStatus = 128;  // and the number of the signal, as shells say it
constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

sem_t wake;
std::atomic<int> signalled;  // 0: none yet
static_assert(std::atomic<int>::is_always_lock_free);

void OnSignal(int signal) {
  const int error = errno;
  if (signalled.exchange(signal) != 0) _exit(kExitOnSecondSignal);
  sem_post(&wake);
  errno = error;
}

// Woken by the first signal or by the end of the watch.
void Watch(const std::stop_source& stop, const std::string& answer,
           const std::atomic<bool>& at_once) {
  while (sem_wait(&wake) != 0) {
  }
  if (signalled == 0) return;
  const char* clear = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  if (at_once) {
    PrintToStderr(fmt::format("{}interrupted before anything was written\n", clear));
    _exit(kSignalStatus + signalled);
  }
  stop.request_stop();
  PrintToStderr(fmt::format("{}interrupted: {}; once more ends at once\n", clear, answer));
}

void SetHandler(void (*handler)(int)) {
  for (const int signal : kSignals) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // reads and writes at hand go on
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

InterruptWatch::InterruptWatch(std::string answer) {
  signalled = 0;
  sem_init(&wake, 0, 0);
  watcher_ = std::jthread([this, answer = std::move(answer)] { Watch(stop_, answer, at_once_); });
  SetHandler(OnSignal);
}

InterruptWatch::~InterruptWatch() {
  SetHandler(SIG_DFL);
  sem_post(&wake);
  watcher_.join();
  sem_destroy(&wake);
}

}  // namespace pliant
