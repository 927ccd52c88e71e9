#include "app/cli/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace pliant {
namespace {

constexpr int kExitOnSecondSignal = 1;

sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Waits in slices, so that the thread also ends when the watch does.
void Watch(const std::stop_token& watch_ends, const std::stop_source& stop) {
  const sigset_t signals = Signals();
  const timespec slice = {0, 50'000'000};
  bool requested = false;
  while (!watch_ends.stop_requested()) {
    if (sigtimedwait(&signals, nullptr, &slice) < 0) continue;
    if (requested) _exit(kExitOnSecondSignal);
    requested = true;
    stop.request_stop();
  }
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t signals = Signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  watcher_ = std::jthread([stop = stop_](const std::stop_token& ends) { Watch(ends, stop); });
}

InterruptWatch::~InterruptWatch() {
  watcher_.request_stop();
  watcher_.join();
  const sigset_t signals = Signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace pliant
