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
constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

sem_t wake;
std::atomic<bool> signalled;
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) {
  const int error = errno;
  if (signalled.exchange(true)) _exit(kExitOnSecondSignal);
  sem_post(&wake);
  errno = error;
}

// Woken by the first signal or by the end of the watch.
void Watch(const std::stop_source& stop, const std::string& answer) {
  while (sem_wait(&wake) != 0) {
  }
  if (!signalled) return;
  stop.request_stop();
  const bool terminal = isatty(STDERR_FILENO) != 0;
  PrintToStderr(fmt::format("{}interrupted: {}; once more ends at once\n",
                            terminal ? "\r\033[K" : "", answer));
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
  signalled = false;
  sem_init(&wake, 0, 0);
  watcher_ = std::jthread([stop = stop_, answer = std::move(answer)] { Watch(stop, answer); });
  SetHandler(OnSignal);
}

InterruptWatch::~InterruptWatch() {
  SetHandler(SIG_DFL);
  sem_post(&wake);
  watcher_.join();
  sem_destroy(&wake);
}

}  // namespace pliant
