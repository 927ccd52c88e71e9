#include "solvers/parallel/work_queue.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "solvers/parallel/start_threads.h"

namespace pliant {

size_t WorkersFor(size_t items, int threads) {
  return std::clamp<size_t>(static_cast<size_t>(std::max(threads, 1)), 1,
                            std::max<size_t>(items, 1));
}

void RunWorkQueue(size_t items, int threads, const std::stop_token& stop,
                  const std::function<void(const WorkItem& item)>& work) {
  std::stop_source either;
  const std::stop_callback forward(stop, [&either] { either.request_stop(); });
  std::atomic<size_t> next = 0;
  std::mutex failing;
  size_t failed = items;  // number of the first item that did
  std::exception_ptr error;

  const auto worker = [&](size_t number) {
    const std::stop_token asked = either.get_token();
    for (size_t item = next++; item < items; item = next++) {
      try {
        work({item, number, asked});
      } catch (...) {
        const std::lock_guard lock(failing);
        if (item < failed) {
          failed = item;
          error = std::current_exception();
        }
        next = items;
        either.request_stop();
      }
    }
  };
  {
    const std::vector<std::jthread> others =
        StartThreads(WorkersFor(items, threads) - 1, [&](size_t other) { worker(other + 1); });
    worker(0);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace pliant
