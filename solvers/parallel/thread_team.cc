#include "solvers/parallel/thread_team.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "solvers/parallel/start_threads.h"

namespace pliant {
namespace {

// Polls before a thread sleeps: about ten microseconds, the time it takes to wake a thread.
constexpr int kLooks = 1000;
// Distance between data that two threads write, so that they do not share a cache line.
constexpr size_t kApart = 64;

void Breathe() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Waits until `value` is no longer `old`; returns what it is then.
std::uint32_t AwaitOther(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int look = 0; look < kLooks; ++look) {
    const std::uint32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    Breathe();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

// Threads may enter a job until the caller finds no more pieces; then the caller waits for those
// that have entered. `gate_` combines both, so that no thread can enter afterwards.
class ThreadTeam::Others {
 public:
  explicit Others(int count) {
    const auto work = [this](const std::stop_token& ends, size_t other) {
      for (std::uint32_t seen = 0; !ends.stop_requested();) {
        seen = AwaitOther(calls_, seen);
        Join(static_cast<int>(other) + 1);
      }
    };
    threads_ = StartThreads(static_cast<size_t>(count), work);
  }

  ~Others() {
    for (std::jthread& thread : threads_) thread.request_stop();
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
  }

  void Share(int pieces, Call call, void* function) {
    pieces_ = pieces;
    call_ = call;
    function_ = function;
    next_.store(0, std::memory_order_relaxed);
    gate_.store(kOpen, std::memory_order_release);
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
    TakePieces(0);
    std::uint32_t inside = gate_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
    while (inside != 0) inside = AwaitOther(gate_, inside);
  }

 private:
  static constexpr std::uint32_t kOpen = 1U << 31;  // the lower bits count the threads inside

  void Join(int worker) {
    std::uint32_t gate = gate_.load(std::memory_order_acquire);
    do {
      if ((gate & kOpen) == 0) return;
    } while (!gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel));
    TakePieces(worker);
    if ((gate_.fetch_sub(1, std::memory_order_acq_rel) & kOpen) == 0) gate_.notify_one();
  }

  void TakePieces(int worker) {
    for (int piece = next_++; piece < pieces_; piece = next_++) call_(function_, piece, worker);
  }

  alignas(kApart) std::atomic<std::uint32_t> calls_ = 0;
  alignas(kApart) std::atomic<std::uint32_t> gate_ = 0;
  alignas(kApart) std::atomic<int> next_ = 0;
  alignas(kApart) int pieces_ = 0;
  Call call_ = nullptr;
  void* function_ = nullptr;
  std::vector<std::jthread> threads_;  // last: they use the others
};

ThreadTeam::ThreadTeam(int threads) : threads_(std::max(threads, 1)) {}
ThreadTeam::ThreadTeam(ThreadTeam&& other) noexcept = default;
ThreadTeam& ThreadTeam::operator=(ThreadTeam&& other) noexcept = default;
ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::Share(int pieces, Call call, void* function) {
  if (!others_) others_ = std::make_unique<Others>(threads_ - 1);
  others_->Share(pieces, call, function);
}

}  // namespace pliant
